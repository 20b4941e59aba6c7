/* run_test: jobs from start to end on the null engine and on scratch files: states, clocks, retunes, clones, sums. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/frame.h"
#include "core/sampler.h"
#include "core/str.h"
#include "engine/run.h"

#define SOON_NS (20 * NSEC_PER_SEC) /* a bound for hangs, never waited for */

static char dir[] = "/tmp/benchtop-run-XXXXXX";
static struct run *run;
static struct sampler *sampler;
static char seen[8192]; /* "kind: text\n" of all events so far */

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void teardown(void)
{
    char cmd[128];
    sampler_free(sampler);
    ck_assert(run_free(run, SOON_NS));
    snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
    ck_assert_int_eq(system(cmd), 0);
}

static struct job job_of(const char *name, const char *words)
{
    struct job j;
    char word[512], note[256];
    struct err err = {0};
    job_init(&j);
    str_copy(j.name, sizeof(j.name), name);
    while (str_next_word(&words, word, sizeof(word))) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        ck_assert_msg(job_set(&j, word, value, &err) == 0, "%s", err.text);
    }
    ck_assert_msg(job_check(&j, note, sizeof(note), &err) == 0, "%s", err.text);
    return j;
}

static const char *words_on(const char *name, const char *words)
{
    static char text[1024];
    snprintf(text, sizeof(text), "filename=%s/%s %s", dir, name, words);
    return text;
}

static void begin_run(const struct job *jobs, size_t njobs, const struct run_at *at, size_t nat)
{
    struct run_opts o = {.jobs = jobs, .njobs = njobs, .at = at, .nat = nat};
    struct source_env env = {0};
    struct err err = {0};
    ck_assert_msg(run_new(&o, &run, &err) == 0, "%s", err.text);
    sampler = sampler_new(&env);
    ck_assert_int_eq(sampler_attach(sampler, &load_source, run), 0);
}

static void order(enum order_kind kind, int job, const char *text)
{
    struct order o = {.kind = kind, .job = job};
    str_copy(o.text, sizeof(o.text), text);
    run_post(run, &o);
}

static void wait_for(enum run_state want)
{
    uint64_t end = clock_now_ns() + SOON_NS, n;
    while (run_state(run) != want) {
        struct pollfd p = {.fd = run_fd(run), .events = POLLIN};
        struct err err = {0};
        run_error(run, &err);
        ck_assert_msg(clock_now_ns() < end, "state %d instead of %d (%s)", run_state(run), want, err.text);
        poll(&p, 1, 100);
        (void)!read(run_fd(run), &n, sizeof(n));
    }
}

static void start(void)
{
    order(ORDER_START, ORDER_ALL_JOBS, "");
}

/* The next frame; its events are kept in `seen`. */
static struct frame *tick(void)
{
    struct frame *f = sampler_tick(sampler);
    for (size_t i = 0; i < f->nevents; i++) {
        size_t len = strlen(seen);
        snprintf(seen + len, sizeof(seen) - len, "%s: %s\n", f->events[i].kind, f->events[i].text);
    }
    return f;
}

static void rest_ms(unsigned ms)
{
    clock_sleep_until(clock_now_ns() + ms * NSEC_PER_MSEC);
}

static void wait_event(const char *has)
{
    uint64_t end = clock_now_ns() + SOON_NS;
    while (!strstr(seen, has)) {
        ck_assert_msg(clock_now_ns() < end, "no event \"%s\" in:\n%s", has, seen);
        rest_ms(5);
        frame_unref(tick());
    }
}

static uint64_t total_ios(void)
{
    struct frame *f = tick();
    uint64_t n = 0;
    for (int d = 0; d < FRAME_DDIRS; d++)
        n += f->load[0].dir[d].total_ios;
    frame_unref(f);
    return n;
}

static void wait_ios(uint64_t at_least)
{
    uint64_t end = clock_now_ns() + SOON_NS;
    while (total_ios() < at_least) {
        ck_assert_msg(clock_now_ns() < end, "no %lu requests", (unsigned long)at_least);
        rest_ms(2);
    }
}

static void expect_refused(const char *has)
{
    struct err err = {0};
    wait_for(RUN_REFUSED);
    ck_assert(run_error(run, &err));
    ck_assert_msg(strstr(err.text, has), "\"%s\" lacks \"%s\"", err.text, has);
}

START_TEST(a_job_ends_with_its_data)
{
    struct job j = job_of("all", "ioengine=null rw=randread bs=4k size=4m iodepth=4 numjobs=2");
    begin_run(&j, 1, NULL, 0);
    wait_for(RUN_READY);
    start();
    wait_for(RUN_DONE);
    struct run_job_result *res = run_result(run, 0);
    ck_assert_uint_eq(res->sum.dir[DDIR_READ].ios, 2 * 1024);
    ck_assert_uint_eq(res->sum.dir[DDIR_READ].bytes, 8 << 20);
    ck_assert_uint_eq(hist_n(&res->sum.dir[DDIR_READ].clat), 2 * 1024);
    ck_assert_uint_eq(res->sum.dir[DDIR_WRITE].ios, 0);
    ck_assert_uint_eq(res->ntargets, 1);
    ck_assert_uint_eq(res->target[0].sum.dir[DDIR_READ].ios, 2 * 1024);
    ck_assert(res->have_usage && res->runtime_ns > 0);
    ck_assert_uint_eq(res->dir_runtime_ns[DDIR_READ], res->runtime_ns);
    ck_assert_uint_eq(res->dir_runtime_ns[DDIR_WRITE], 0);
    ck_assert_int_eq(res->error.code, 0);
    ck_assert(!run_error(run, NULL));
    ck_assert_uint_eq(run_stuck(run), 0);
    run_result_free(res);
}
END_TEST

START_TEST(runtime_ends_it_and_bins_make_n)
{
    struct job j = job_of("timed", "ioengine=null rw=randrw size=1m iodepth=2 rate_iops=2000 runtime=300ms time_based=1");
    begin_run(&j, 1, NULL, 0);
    uint64_t from = clock_now_ns();
    start();
    wait_for(RUN_DONE);
    struct run_job_result *res = run_result(run, 0);
    ck_assert_uint_ge(clock_now_ns() - from, 300 * NSEC_PER_MSEC);
    ck_assert_uint_ge(res->runtime_ns, 300 * NSEC_PER_MSEC);
    ck_assert_uint_lt(res->runtime_ns, 1000 * NSEC_PER_MSEC);
    for (int d = 0; d <= DDIR_WRITE; d++) {
        const struct dir_counters *c = &res->sum.dir[d];
        struct hist_bin bin[HIST_BUCKETS];
        uint64_t sum = 0;
        for (size_t i = 0, n = hist_bins(&c->clat, bin, HIST_BUCKETS); i < n; i++)
            sum += bin[i].count;
        ck_assert_uint_gt(c->ios, 0);
        ck_assert_uint_eq(sum, c->ios);
        ck_assert_uint_eq(c->bytes, c->ios * 4096);
    }
    run_result_free(res);
}
END_TEST

START_TEST(the_ramp_is_not_in_the_result)
{
    struct job j = job_of("ramp", "ioengine=null size=1m rate_iops=1000 runtime=200ms ramp_time=400ms time_based=1");
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RAMP);
    wait_ios(100);
    struct run_job_result *early = run_result(run, 0);
    ck_assert_uint_eq(early->sum.dir[DDIR_READ].ios, 0);
    ck_assert_uint_eq(early->runtime_ns, 0);
    run_result_free(early);
    wait_for(RUN_DONE);
    uint64_t total = total_ios();
    struct run_job_result *res = run_result(run, 0);
    uint64_t n = res->sum.dir[DDIR_READ].ios;
    ck_assert_uint_ge(total, n + 100); /* what the ramp did is on the screen alone */
    ck_assert_uint_gt(n, 0);
    ck_assert_uint_eq(hist_n(&res->sum.dir[DDIR_READ].clat), n);
    ck_assert_uint_ge(res->runtime_ns, 200 * NSEC_PER_MSEC);
    ck_assert_uint_lt(res->runtime_ns, 400 * NSEC_PER_MSEC);
    run_result_free(res);
    frame_unref(tick());
    ck_assert_ptr_nonnull(strstr(seen, "state: ramp: ramp is over, measuring"));
}
END_TEST

static void expect_whole(const struct counters *c)
{
    for (unsigned d = 0; d < DDIRS; d++) {
        ck_assert_uint_eq(hist_n(&c->dir[d].clat), c->dir[d].ios);
        ck_assert_uint_eq(hist_n(&c->dir[d].rlat), c->dir[d].ios);
        ck_assert_uint_eq(c->dir[d].bytes, c->dir[d].ios * 4096);
    }
}

START_TEST(a_change_that_never_came_is_said)
{
    static const struct run_at at[] = {{3600 * NSEC_PER_SEC, ORDER_ALL_JOBS, "bs=8k"}};
    struct job j = job_of("short", "ioengine=null size=64k");
    begin_run(&j, 1, at, 1);
    start();
    wait_for(RUN_DONE);
    frame_unref(tick());
    ck_assert_ptr_nonnull(strstr(seen, "warning: at=1h bs=8k: the run ended before"));
}
END_TEST

START_TEST(a_ramp_longer_than_the_data_is_said)
{
    struct job j = job_of("short", "ioengine=null size=64k ramp_time=30");
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_DONE);
    frame_unref(tick());
    ck_assert_ptr_nonnull(strstr(seen, "warning: short: its data ended within ramp_time: nothing was measured"));
}
END_TEST

/* At full speed no reader finds the counters between two requests. */
START_TEST(the_ramp_comes_off_each_target)
{
    struct job j = job_of("ramp", "ioengine=null filename=a:b:c rw=randrw size=1m iodepth=4 numjobs=2 runtime=50ms "
                                  "ramp_time=20ms time_based=1");
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_DONE);
    struct frame *f = tick();
    struct run_job_result *res = run_result(run, 0);
    uint64_t sum = 0;
    ck_assert_uint_eq(f->load[0].ntargets, 3);
    ck_assert_uint_eq(res->ntargets, 3);
    for (size_t t = 0; t < 3; t++) {
        const struct counters *c = &res->target[t].sum;
        const struct frame_dir *seen_dir = &f->load[0].targets[t].dir[FRAME_READ];
        ck_assert_uint_gt(c->dir[DDIR_READ].ios, 0);
        ck_assert_uint_eq(seen_dir->clat_total.n, c->dir[DDIR_READ].ios);
        ck_assert_uint_lt(seen_dir->clat_total.n, seen_dir->total_ios); /* that one has the ramp */
        expect_whole(c);
        sum += c->dir[DDIR_READ].ios;
    }
    ck_assert_uint_eq(res->sum.dir[DDIR_READ].ios, sum);
    expect_whole(&res->sum);
    run_result_free(res);
    frame_unref(f);
}
END_TEST

/* What was not paced responded when it completed, also beside what was: before, after, and in new clones. */
START_TEST(every_request_has_a_response_time)
{
    static const struct run_at at[] = {
        {20 * NSEC_PER_MSEC, ORDER_ALL_JOBS, "rate_iops=2000"},
        {60 * NSEC_PER_MSEC, ORDER_ALL_JOBS, "rate_iops=0"},
        {70 * NSEC_PER_MSEC, ORDER_ALL_JOBS, "numjobs=3"},
    };
    struct job j = job_of("j", "ioengine=null rw=randrw size=1m iodepth=4 runtime=90ms ramp_time=10ms time_based=1");
    begin_run(&j, 1, at, 3);
    start();
    wait_for(RUN_DONE);
    struct run_job_result *res = run_result(run, 0);
    ck_assert_uint_gt(res->sum.dir[DDIR_READ].ios, 0);
    expect_whole(&res->sum);
    run_result_free(res);
}
END_TEST

START_TEST(a_frame_says_what_runs)
{
    struct job j = job_of("paced", "ioengine=null rw=randread bs=8k size=1m rate_iops=500 runtime=30 time_based=1");
    begin_run(&j, 1, NULL, 0);
    wait_for(RUN_READY);
    struct frame *f = tick();
    ck_assert_uint_eq(f->nload, 1);
    ck_assert_int_eq(f->load[0].state, LOAD_READY);
    ck_assert(isnan(f->load[0].dir[FRAME_READ].iops));
    frame_unref(f);
    start();
    wait_for(RUN_RUNNING);
    wait_ios(10);
    rest_ms(400);
    f = tick();
    const struct frame_load *l = &f->load[0];
    ck_assert_str_eq(l->name, "paced");
    ck_assert_str_eq(l->rw, "randread");
    ck_assert_uint_eq(l->bs, 8192);
    ck_assert_uint_eq(l->rate_iops, 500);
    ck_assert_int_eq(l->state, LOAD_RUNNING);
    ck_assert_double_eq(l->runtime_s, 30);
    ck_assert(l->elapsed_s > 0.4 && l->elapsed_s < 20);
    ck_assert_msg(l->dir[FRAME_READ].iops > 350 && l->dir[FRAME_READ].iops < 650, "%g", l->dir[FRAME_READ].iops);
    ck_assert_double_eq_tol(l->dir[FRAME_READ].bytes_per_s, l->dir[FRAME_READ].iops * 8192, 1);
    ck_assert_uint_gt(l->dir[FRAME_READ].clat.n, 0);
    ck_assert_double_ge(l->dir[FRAME_READ].rlat.max, l->dir[FRAME_READ].clat.min);
    ck_assert_double_eq(l->dir[FRAME_WRITE].iops, 0);
    ck_assert(isnan(l->dir[FRAME_WRITE].clat.p50));
    ck_assert_uint_eq(l->ntargets, 1);
    ck_assert_double_eq(l->targets[0].dir[FRAME_READ].iops, l->dir[FRAME_READ].iops);
    ck_assert_uint_eq(l->dir[FRAME_READ].clat_total.n, l->dir[FRAME_READ].total_ios);
    ck_assert_double_ge(l->cpu_pct, 0);
    frame_unref(f);
}
END_TEST

START_TEST(a_late_first_frame_has_no_rates)
{
    struct job j = job_of("late", "ioengine=null size=1m rate_iops=500 runtime=30 time_based=1");
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    rest_ms(50);
    struct frame *f = tick();
    ck_assert(isnan(f->load[0].dir[FRAME_READ].iops));
    frame_unref(f);
    rest_ms(50);
    f = tick();
    ck_assert(!isnan(f->load[0].dir[FRAME_READ].iops));
    frame_unref(f);
}
END_TEST

START_TEST(a_pause_stops_the_clock)
{
    struct job j = job_of("p", "ioengine=null size=1m rate_iops=2000 runtime=400ms time_based=1");
    begin_run(&j, 1, NULL, 0);
    uint64_t from = clock_now_ns();
    start();
    wait_for(RUN_RUNNING);
    wait_ios(20);
    order(ORDER_PAUSE, ORDER_ALL_JOBS, "");
    wait_for(RUN_PAUSED);
    rest_ms(50); /* what was in flight drains */
    uint64_t before = total_ios();
    rest_ms(600); /* longer than the runtime */
    ck_assert_uint_eq(total_ios(), before);
    ck_assert_int_eq(run_state(run), RUN_PAUSED);
    rest_ms(20);
    struct frame *f = tick();
    ck_assert_int_eq(f->load[0].state, LOAD_PAUSED);
    ck_assert_double_eq(f->load[0].dir[FRAME_READ].iops, 0);
    ck_assert_double_lt(f->load[0].elapsed_s, 0.4);
    frame_unref(f);
    order(ORDER_RESUME, ORDER_ALL_JOBS, "");
    wait_ios(before + 20);
    wait_for(RUN_DONE);
    ck_assert_uint_ge(clock_now_ns() - from, 1000 * NSEC_PER_MSEC);
    struct run_job_result *res = run_result(run, 0);
    ck_assert_uint_ge(res->runtime_ns, 400 * NSEC_PER_MSEC);
    ck_assert_uint_lt(res->runtime_ns, 900 * NSEC_PER_MSEC);
    run_result_free(res);
}
END_TEST

START_TEST(a_retune_is_seen_and_kept)
{
    struct job j = job_of("t", "ioengine=null rw=randread size=1m rate_iops=1000 runtime=30 time_based=1"), now;
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    wait_ios(20);
    order(ORDER_RETUNE, 0, "bs=16k iodepth=4 rw=randrw");
    wait_event("retune: t: rw randread → randrw, bs 4k → 16k, iodepth 1 → 4");
    run_job(run, 0, &now);
    ck_assert_uint_eq(now.bs[0], 16384);
    uint64_t end = clock_now_ns() + SOON_NS;
    struct frame *f = tick();
    while (f->load[0].version < 1) { /* the workers have it */
        ck_assert(clock_now_ns() < end);
        frame_unref(f);
        rest_ms(2);
        f = tick();
    }
    frame_unref(f);
    rest_ms(50);
    frame_unref(tick());
    rest_ms(200);
    f = tick();
    ck_assert_uint_eq(f->load[0].bs, 16384);
    ck_assert_str_eq(f->load[0].rw, "randrw");
    ck_assert_double_gt(f->load[0].dir[FRAME_WRITE].iops, 0);
    ck_assert_double_eq_tol(f->load[0].dir[FRAME_READ].bytes_per_s, f->load[0].dir[FRAME_READ].iops * 16384, 1);
    frame_unref(f);
    order(ORDER_STOP, ORDER_ALL_JOBS, "");
    wait_for(RUN_DONE);
    struct run_job_result *res = run_result(run, 0);
    ck_assert_uint_eq(res->job.bs[0], 4096); /* as it started */
    ck_assert_uint_eq(res->nretunes, 1);
    ck_assert_str_eq(res->retune[0].words, "bs=16k iodepth=4 rw=randrw");
    ck_assert_uint_ge(res->retune[0].applied_ns, res->retune[0].at_ns);
    ck_assert_uint_gt(res->retune[0].at_ns, 0);
    run_result_free(res);
}
END_TEST

START_TEST(a_wrong_retune_is_an_event)
{
    struct job j = job_of("t", "ioengine=null size=1m rate_iops=1000 runtime=30 time_based=1"), now;
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    order(ORDER_RETUNE, 0, "iodeph=4");
    wait_event("error: t: unknown option iodeph; did you mean iodepth?");
    order(ORDER_RETUNE, 0, "bs=2m");
    wait_event("error: t: size=1m: must be at least one block, bs=2m");
    run_job(run, 0, &now);
    ck_assert_uint_eq(now.bs[0], 4096);
    ck_assert_int_eq(run_state(run), RUN_RUNNING);
    ck_assert(!run_error(run, NULL));
    uint64_t n = total_ios();
    wait_ios(n + 20);
}
END_TEST

struct watch {
    _Atomic bool stop;
    bool fell;
    uint64_t last, ticks;
};

static void *watch_totals(void *arg)
{
    struct watch *w = arg;
    while (!w->stop) {
        struct frame *f = sampler_tick(sampler);
        uint64_t n = f->load[0].dir[FRAME_READ].total_ios;
        w->fell = w->fell || n < w->last;
        w->last = n;
        w->ticks++;
        frame_unref(f);
        rest_ms(1);
    }
    return NULL;
}

START_TEST(clones_come_and_go_and_nothing_is_lost)
{
    struct job j = job_of("n", "ioengine=null rw=randread size=1m rate_iops=3000 runtime=30 time_based=1");
    struct watch w = {0};
    pthread_t t;
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    ck_assert_int_eq(pthread_create(&t, NULL, watch_totals, &w), 0);
    static const char *const turns[] = {"numjobs=3", "numjobs=1", "numjobs=4 bs=8k", "numjobs=2", "numjobs=1"};
    for (size_t i = 0; i < 5; i++) {
        order(ORDER_RETUNE, 0, turns[i]);
        rest_ms(60);
    }
    order(ORDER_STOP, ORDER_ALL_JOBS, "");
    wait_for(RUN_DONE);
    w.stop = true;
    pthread_join(t, NULL);
    ck_assert(!w.fell);
    ck_assert_uint_gt(w.ticks, 10);
    struct run_job_result *res = run_result(run, 0);
    ck_assert_uint_eq(res->nretunes, 5);
    for (size_t i = 0; i < 5; i++)
        ck_assert_uint_gt(res->retune[i].applied_ns, 0);
    ck_assert_uint_eq(res->sum.dir[DDIR_READ].ios, total_ios());
    ck_assert_uint_eq(hist_n(&res->sum.dir[DDIR_READ].clat), res->sum.dir[DDIR_READ].ios);
    ck_assert(res->have_usage);
    run_result_free(res);
}
END_TEST

START_TEST(more_clones_do_more)
{
    struct job j = job_of("n", "ioengine=null rw=randread size=1m rate_iops=200 runtime=30 time_based=1");
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    order(ORDER_RETUNE, 0, "numjobs=4");
    wait_event("retune: n: numjobs 1 → 4");
    rest_ms(100);
    frame_unref(tick());
    rest_ms(400);
    struct frame *f = tick();
    ck_assert_msg(f->load[0].dir[FRAME_READ].iops > 500, "%g", f->load[0].dir[FRAME_READ].iops);
    frame_unref(f);
    order(ORDER_RETUNE, 0, "numjobs=1");
    wait_event("retune: n: numjobs 4 → 1");
    rest_ms(100);
    frame_unref(tick());
    rest_ms(400);
    f = tick();
    ck_assert_msg(f->load[0].dir[FRAME_READ].iops < 320, "%g", f->load[0].dir[FRAME_READ].iops);
    frame_unref(f);
}
END_TEST

START_TEST(a_paced_job_stops_at_once)
{
    struct job j = job_of("slow", "ioengine=null size=1g rate_iops=1 numjobs=4 runtime=60 time_based=1");
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    rest_ms(50);
    uint64_t from = clock_now_ns();
    order(ORDER_STOP, ORDER_ALL_JOBS, "");
    wait_for(RUN_DONE);
    ck_assert_uint_lt(clock_now_ns() - from, 500 * NSEC_PER_MSEC); /* the next request was up to 1 s away */
}
END_TEST

START_TEST(the_schedule_is_kept)
{
    struct job j = job_of("s", "ioengine=null rw=randread size=1m rate_iops=1000 runtime=400ms time_based=1");
    struct run_at at[] = {{100 * NSEC_PER_MSEC, ORDER_ALL_JOBS, "bs=8k"},
                          {200 * NSEC_PER_MSEC, 0, "bs=16k numjobs=2"},
                          {9 * NSEC_PER_SEC, 0, "bs=32k"}};
    begin_run(&j, 1, at, 3);
    start();
    wait_for(RUN_DONE);
    struct run_job_result *res = run_result(run, 0);
    ck_assert_uint_eq(res->nretunes, 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_str_eq(res->retune[i].words, at[i].words);
        ck_assert_uint_ge(res->retune[i].at_ns, at[i].at_ns);
        ck_assert_uint_lt(res->retune[i].at_ns, at[i].at_ns + 50 * NSEC_PER_MSEC);
        ck_assert_uint_ge(res->retune[i].applied_ns, res->retune[i].at_ns);
    }
    run_result_free(res);
}
END_TEST

START_TEST(a_wrong_schedule_is_refused_before)
{
    static const struct {
        const char *first, *second, *has;
    } c[] = {{"bs=8k", "iodeph=4", "at=2s iodeph=4: unknown option iodeph; did you mean iodepth?"},
             {"rate=1m", "rate_iops=100", "not both"},
             {"filename=/dev/sda", "bs=4k", "at=1s filename=/dev/sda: filename: cannot change"}};
    for (size_t i = 0; i < 3; i++) {
        struct job j = job_of("s", "ioengine=null size=1m");
        struct run_at at[2] = {{.at_ns = NSEC_PER_SEC}, {.at_ns = 2 * NSEC_PER_SEC}};
        struct run_opts o = {.jobs = &j, .njobs = 1, .at = at, .nat = 2};
        struct err err = {0};
        str_copy(at[0].words, sizeof(at[0].words), c[i].first);
        str_copy(at[1].words, sizeof(at[1].words), c[i].second);
        ck_assert_int_lt(run_new(&o, &run, &err), 0);
        ck_assert_msg(strstr(err.text, c[i].has), "\"%s\" lacks \"%s\"", err.text, c[i].has);
    }
}
END_TEST

START_TEST(a_missing_file_is_a_refusal)
{
    struct job j = job_of("r", words_on("none", ""));
    begin_run(&j, 1, NULL, 0);
    expect_refused("does not exist; give a size");
    wait_event("error: filename=");
    struct frame *f = tick();
    ck_assert_int_eq(f->load[0].state, LOAD_FAILED);
    frame_unref(f);
    start(); /* tries again, and says it again */
    wait_event("give a size, like size=1g, to have it made\nerror: filename=");
    expect_refused("does not exist; give a size");
}
END_TEST

static void make_file(const char *name, size_t n)
{
    char path[256], *data = calloc(1, n);
    snprintf(path, sizeof(path), "%s/%s", dir, name);
    memset(data, 'x', n);
    int fd = open(path, O_WRONLY | O_CREAT, 0644);
    ck_assert_int_eq((int)write(fd, data, n), (int)n);
    close(fd);
    free(data);
}

START_TEST(a_retune_to_writing_asks_the_guard)
{
    make_file("theirs", 1 << 20);
    struct job j = job_of("g", words_on("theirs", "rate_iops=500 runtime=30 time_based=1")), now;
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    order(ORDER_RETUNE, 0, "rw=randwrite");
    wait_event("--allow-write");
    run_job(run, 0, &now);
    ck_assert_int_eq(now.rw, JOB_READ);
    uint64_t n = total_ios();
    wait_ios(n + 10);
    ck_assert_int_eq(run_state(run), RUN_RUNNING);
}
END_TEST

START_TEST(a_schedule_that_writes_asks_the_guard_before)
{
    make_file("theirs", 1 << 20);
    struct job j = job_of("g", words_on("theirs", "runtime=30 time_based=1"));
    struct run_at at = {5 * NSEC_PER_SEC, 0, "rw=randwrite"};
    begin_run(&j, 1, &at, 1);
    expect_refused("--allow-write");
}
END_TEST

START_TEST(a_scratch_file_is_laid_out_read_and_then_written)
{
    struct job j = job_of("f", words_on("new", "rw=randread size=4m bs=16k")), now;
    begin_run(&j, 1, NULL, 0);
    wait_for(RUN_READY);
    start();
    wait_event("state: f: laying out");
    wait_for(RUN_DONE);
    struct run_job_result *res = run_result(run, 0);
    ck_assert_uint_eq(res->sum.dir[DDIR_READ].ios, 256);
    ck_assert_uint_eq(res->sum.dir[DDIR_READ].bytes, 4 << 20);
    run_result_free(res);
    order(ORDER_RETUNE, 0, "rw=randwrite bs=8k"); /* between two runs */
    start();
    wait_event("retune: f: rw randread → randwrite, bs 16k → 8k");
    wait_event("state: f: started\nstate: f: done\nretune: f:");
    wait_event("bs 16k → 8k\nstate: f: started\nstate: f: done\n");
    run_job(run, 0, &now);
    ck_assert_int_eq(now.rw, JOB_RANDWRITE);
    res = run_result(run, 0); /* counters begin at nothing */
    ck_assert_uint_eq(res->sum.dir[DDIR_READ].ios, 0);
    ck_assert_uint_eq(res->sum.dir[DDIR_WRITE].ios, 512);
    ck_assert_uint_eq(res->nretunes, 0);
    ck_assert_uint_eq(res->job.bs[0], 8192);
    run_result_free(res);
}
END_TEST

START_TEST(a_retune_to_writing_our_own_file_works_while_it_runs)
{
    struct job j = job_of("f", words_on("new", "rw=randread size=1m rate_iops=1000 runtime=30 time_based=1"));
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    wait_ios(10);
    order(ORDER_RETUNE, 0, "rw=randwrite");
    uint64_t end = clock_now_ns() + SOON_NS, writes = 0;
    while (!writes) {
        struct frame *f = tick();
        ck_assert_msg(clock_now_ns() < end, "%s", seen);
        writes = f->load[0].dir[FRAME_WRITE].total_ios;
        frame_unref(f);
        rest_ms(2);
    }
    order(ORDER_STOP, ORDER_ALL_JOBS, "");
    wait_for(RUN_DONE);
    ck_assert(!run_error(run, NULL));
}
END_TEST

/* Another process with every file of ours open; it is ready when this returns. */
static pid_t open_elsewhere(void)
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0)
        for (;;)
            pause();
    return pid;
}

static void end_process(pid_t pid)
{
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

START_TEST(who_paused_or_stopped_asks_before_it_writes_again)
{
    struct job j = job_of("f", words_on("new", "rw=write size=1m rate_iops=1000 runtime=30 time_based=1"));
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    wait_ios(10);
    order(ORDER_PAUSE, ORDER_ALL_JOBS, "");
    wait_event("f: paused");
    pid_t other = open_elsewhere();
    order(ORDER_RESUME, ORDER_ALL_JOBS, "");
    wait_event("it is open in");
    uint64_t n = total_ios();
    rest_ms(50);
    ck_assert_uint_eq(total_ios(), n);
    end_process(other);
    order(ORDER_RESUME, ORDER_ALL_JOBS, "");
    wait_ios(n + 10);
    order(ORDER_STOP, ORDER_ALL_JOBS, "");
    wait_for(RUN_DONE);
    *seen = '\0';
    other = open_elsewhere();
    start();
    wait_event("it is open in");
    ck_assert_msg(!strstr(seen, "started"), "%s", seen);
    end_process(other);
    start();
    wait_for(RUN_RUNNING);
    wait_ios(10);
}
END_TEST

START_TEST(who_only_reads_is_not_asked)
{
    struct job j = job_of("f", words_on("new", "rw=write size=1m rate_iops=1000 runtime=30 time_based=1"));
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    order(ORDER_RETUNE, 0, "rw=read");
    wait_event("write → read");
    pid_t other = open_elsewhere();
    order(ORDER_PAUSE, ORDER_ALL_JOBS, "");
    order(ORDER_RESUME, ORDER_ALL_JOBS, "");
    wait_event("resumed");
    order(ORDER_RETUNE, 0, "rw=write");
    wait_event("it is open in");
    wait_ios(total_ios() + 10);
    end_process(other);
}
END_TEST

START_TEST(a_stop_gives_up_the_layout)
{
    char path[256];
    struct job j = job_of("f", words_on("new", "size=2g"));
    snprintf(path, sizeof(path), "%s/new", dir);
    begin_run(&j, 1, NULL, 0);
    wait_for(RUN_READY);
    start();
    order(ORDER_STOP, ORDER_ALL_JOBS, "");
    wait_for(RUN_DONE);
    ck_assert_int_lt(access(path, F_OK), 0);
    ck_assert(!run_error(run, NULL));
    struct run_job_result *res = run_result(run, 0);
    ck_assert_uint_eq(res->sum.dir[DDIR_READ].ios, 0);
    ck_assert_uint_eq(res->runtime_ns, 0);
    run_result_free(res);
}
END_TEST

START_TEST(jobs_go_their_own_ways)
{
    struct job j[] = {job_of("short", "ioengine=null size=1m rate_iops=1000 runtime=100ms time_based=1"),
                      job_of("long", "ioengine=null size=1m rate_iops=1000 runtime=30 time_based=1")};
    begin_run(j, 2, NULL, 0);
    start();
    wait_event("state: short: done");
    ck_assert_int_eq(run_state(run), RUN_RUNNING);
    order(ORDER_PAUSE, 1, "");
    wait_for(RUN_PAUSED);
    struct frame *f = tick();
    ck_assert_int_eq(f->load[0].state, LOAD_DONE);
    ck_assert_int_eq(f->load[1].state, LOAD_PAUSED);
    frame_unref(f);
    order(ORDER_STOP, 1, "");
    wait_for(RUN_DONE);
}
END_TEST

START_TEST(one_job_fails_and_the_other_goes_on)
{
    char path[256];
    make_file("shrinks", 1 << 20);
    snprintf(path, sizeof(path), "%s/shrinks", dir);
    struct job j[] = {job_of("bad", words_on("shrinks", "rate_iops=500 numjobs=2 runtime=30 time_based=1")),
                      job_of("good", "ioengine=null size=1m rate_iops=500 runtime=30 time_based=1")};
    struct err err = {0};
    begin_run(j, 2, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    wait_ios(10);
    ck_assert_int_eq(truncate(path, 0), 0); /* a device that went away */
    wait_event("state: bad: failed");
    ck_assert_int_eq(run_state(run), RUN_RUNNING);
    ck_assert(run_error(run, &err));
    struct frame *f = tick();
    ck_assert_int_eq(f->load[0].state, LOAD_FAILED);
    ck_assert_str_ne(f->load[0].error, "");
    ck_assert_int_eq(f->load[1].state, LOAD_RUNNING);
    frame_unref(f);
    order(ORDER_STOP, ORDER_ALL_JOBS, "");
    wait_for(RUN_DONE);
    struct run_job_result *res = run_result(run, 0);
    ck_assert_int_ne(res->error.code, 0);
    run_result_free(res);
    res = run_result(run, 1);
    ck_assert_int_eq(res->error.code, 0);
    run_result_free(res);
}
END_TEST

START_TEST(an_engine_that_cannot_open_is_a_refusal)
{
    unsigned long most = 0;
    FILE *f = fopen("/proc/sys/fs/aio-max-nr", "re");
    if (!f || fscanf(f, "%lu", &most) != 1 || most > 100000)
        return; /* so many requests are allowed here */
    fclose(f);
    struct job j = job_of("aio", words_on("new", "ioengine=libaio size=1m bs=512 iodepth=4096 numjobs=32"));
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_REFUSED);
    ck_assert(run_error(run, NULL));
    ck_assert_uint_eq(run_stuck(run), 0);
    order(ORDER_RETUNE, 0, "iodepth=1 numjobs=1");
    start(); /* what is right now may start */
    wait_for(RUN_DONE);
    ck_assert(!run_error(run, NULL));
    struct run_job_result *res = run_result(run, 0);
    ck_assert_uint_eq(res->sum.dir[DDIR_READ].ios, 2048);
    run_result_free(res);
}
END_TEST

/* Their rings leave each other room: Debian grants 65536 requests in all, which is 218 for each. */
START_TEST(many_clones_share_what_the_machine_grants)
{
    struct job j = job_of("aio", words_on("many", "ioengine=libaio size=64k bs=64k numjobs=300"));
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_DONE);
    struct run_job_result *res = run_result(run, 0);
    ck_assert_int_eq(res->error.code, 0);
    ck_assert_uint_eq(res->sum.dir[DDIR_READ].ios, 300);
    run_result_free(res);
}
END_TEST

START_TEST(leaving_while_it_runs)
{
    struct job j = job_of("l", "ioengine=null size=1m rate_iops=100 numjobs=3 runtime=60 time_based=1");
    begin_run(&j, 1, NULL, 0);
    start();
    wait_for(RUN_RUNNING);
    sampler_free(sampler);
    sampler = NULL;
    uint64_t from = clock_now_ns();
    ck_assert(run_free(run, SOON_NS));
    ck_assert_uint_lt(clock_now_ns() - from, 2 * NSEC_PER_SEC);
    run = NULL;
}
END_TEST

START_TEST(orders_without_a_run_do_no_harm)
{
    struct job j = job_of("l", "ioengine=null size=1m rate_iops=100 runtime=60 time_based=1"), now;
    begin_run(&j, 1, NULL, 0);
    order(ORDER_PAUSE, ORDER_ALL_JOBS, "");
    order(ORDER_STOP, ORDER_ALL_JOBS, "");
    order(ORDER_RESUME, 0, "");
    order(ORDER_RETUNE, 0, "bs=8k");
    wait_event("retune: l: bs 4k → 8k");
    ck_assert_int_eq(run_state(run), RUN_READY);
    run_job(run, 0, &now);
    ck_assert_uint_eq(now.bs[0], 8192);
    start();
    wait_for(RUN_RUNNING);
    start(); /* a key pressed twice */
    order(ORDER_RETUNE, 0, "bs=4k");
    wait_event("retune: l: bs 8k → 4k");
    ck_assert_ptr_null(strstr(seen, "not ended"));
    ck_assert_int_eq(run_state(run), RUN_RUNNING);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("run");
    TCase *t = tcase_create("run");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_job_ends_with_its_data);
    tcase_add_test(t, runtime_ends_it_and_bins_make_n);
    tcase_add_test(t, the_ramp_is_not_in_the_result);
    tcase_add_test(t, the_ramp_comes_off_each_target);
    tcase_add_test(t, a_ramp_longer_than_the_data_is_said);
    tcase_add_test(t, a_change_that_never_came_is_said);
    tcase_add_test(t, every_request_has_a_response_time);
    tcase_add_test(t, a_frame_says_what_runs);
    tcase_add_test(t, a_late_first_frame_has_no_rates);
    tcase_add_test(t, a_pause_stops_the_clock);
    tcase_add_test(t, a_retune_is_seen_and_kept);
    tcase_add_test(t, a_wrong_retune_is_an_event);
    tcase_add_test(t, clones_come_and_go_and_nothing_is_lost);
    tcase_add_test(t, more_clones_do_more);
    tcase_add_test(t, a_paced_job_stops_at_once);
    tcase_add_test(t, the_schedule_is_kept);
    tcase_add_test(t, a_wrong_schedule_is_refused_before);
    tcase_add_test(t, a_missing_file_is_a_refusal);
    tcase_add_test(t, a_retune_to_writing_asks_the_guard);
    tcase_add_test(t, a_schedule_that_writes_asks_the_guard_before);
    tcase_add_test(t, a_scratch_file_is_laid_out_read_and_then_written);
    tcase_add_test(t, a_retune_to_writing_our_own_file_works_while_it_runs);
    tcase_add_test(t, who_paused_or_stopped_asks_before_it_writes_again);
    tcase_add_test(t, who_only_reads_is_not_asked);
    tcase_add_test(t, a_stop_gives_up_the_layout);
    tcase_add_test(t, jobs_go_their_own_ways);
    tcase_add_test(t, one_job_fails_and_the_other_goes_on);
    tcase_add_test(t, an_engine_that_cannot_open_is_a_refusal);
    tcase_add_test(t, many_clones_share_what_the_machine_grants);
    tcase_add_test(t, leaving_while_it_runs);
    tcase_add_test(t, orders_without_a_run_do_no_harm);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
