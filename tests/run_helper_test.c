/* run_helper: the CPU time that a job is said to cost is what the process spent, whoever of its threads spent it:
 * the workers, or the kernel's helpers of io_uring. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/sampler.h"
#include "core/str.h"
#include "engine/backend.h"
#include "engine/run.h"

#define SOON_NS (20 * NSEC_PER_SEC) /* a bound for hangs, never waited for */
#define FILE_BYTES (32u << 20)

static char path[] = "/tmp/run_helper_test.XXXXXX";
static struct run *run;
static char seen[4096];

static void setup(void)
{
    static unsigned char data[1u << 20];
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    memset(data, 0x5a, sizeof(data));
    for (unsigned i = 0; i < FILE_BYTES / sizeof(data); i++)
        ck_assert_int_eq(write(fd, data, sizeof(data)), sizeof(data));
    fsync(fd);
    close(fd);
}

static void teardown(void)
{
    unlink(path);
}

/* False where the engine does not open on this machine. */
static bool make(const char *words)
{
    struct job j;
    char word[256];
    void *ring;
    const struct backend *be = backend_find("io_uring");
    struct backend_config cfg = {.depth = 4};
    if (be->open(&cfg, &ring, NULL) < 0)
        return false;
    be->close(ring);
    job_init(&j);
    job_set(&j, "filename", path, NULL);
    while (str_next_word(&words, word, sizeof(word))) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        ck_assert_int_eq(job_set(&j, word, value, NULL), 0);
    }
    struct err err = {0};
    ck_assert_msg(job_check(&j, NULL, 0, &err) == 0, "%s", err.text);
    struct run_opts o = {.jobs = &j, .njobs = 1};
    ck_assert_msg(run_new(&o, &run, &err) == 0, "%s", err.text);
    return true;
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

static uint64_t spent_ns(void)
{
    struct rusage ru;
    getrusage(RUSAGE_SELF, &ru);
    return (uint64_t)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * NSEC_PER_SEC +
           (uint64_t)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) * 1000;
}

static void go(void)
{
    struct order o = {.kind = ORDER_START, .job = ORDER_ALL_JOBS};
    run_post(run, &o);
}

static const char *const loads[] = {
    "ioengine=io_uring iodepth=4 force_async=1 invalidate=0 rw=randread time_based=1 runtime=1s", /* it is stopped
                                                                                                   */
    "ioengine=io_uring iodepth=4 force_async=1 invalidate=0 rw=randread bs=512", /* it ends by itself */
    "ioengine=io_uring iodepth=4 force_async=1 invalidate=0 rw=randread time_based=1 runtime=1s numjobs=2",
    "ioengine=io_uring iodepth=4 sqthread_poll=1 invalidate=0 rw=randread time_based=1 runtime=1s",
};

START_TEST(all_that_was_spent_is_booked)
{
    if (!make(loads[_i]))
        return;
    wait_for(RUN_READY);
    uint64_t before = spent_ns();
    go();
    wait_for(RUN_DONE);
    double spent = (double)(spent_ns() - before);
    struct run_job_result *res = run_result(run, 0);
    ck_assert(res->have_usage);
    double booked = (double)(res->user_ns + res->system_ns + res->helper_ns);
    ck_assert_msg(booked > 0.95 * spent - 1e7 && booked < 1.05 * spent + 1e7,
                  "booked %.0f ms (helpers %.0f) of %.0f ms", booked / 1e6, (double)res->helper_ns / 1e6,
                  spent / 1e6);
    ck_assert_msg((double)res->helper_ns > 0.1 * booked, "helpers %.0f of %.0f ms", (double)res->helper_ns / 1e6,
                  booked / 1e6);
    run_result_free(res);
    ck_assert(run_free(run, SOON_NS));
}
END_TEST

static double helpers_seen(const char *words)
{
    if (!make(words))
        return -1;
    struct source_env env = {0};
    struct sampler *s = sampler_new(&env);
    ck_assert_int_eq(sampler_attach(s, &load_source, run), 0);
    wait_for(RUN_READY);
    go();
    double most = -1;
    for (uint64_t end = clock_now_ns() + SOON_NS; run_state(run) != RUN_DONE && clock_now_ns() < end;) {
        struct frame *f = sampler_tick(s);
        for (size_t i = 0; i < f->nevents; i++)
            str_format(seen + strlen(seen), sizeof(seen) - strlen(seen), "%s\n", f->events[i].text);
        most = f->nload && f->load[0].helpers_pct > most ? f->load[0].helpers_pct : most;
        frame_unref(f);
        clock_sleep_until(clock_now_ns() + 50 * NSEC_PER_MSEC);
    }
    sampler_free(s);
    ck_assert(run_free(run, SOON_NS));
    return most;
}

START_TEST(the_load_shows_them_while_it_runs)
{
    double pct =
        helpers_seen("ioengine=io_uring iodepth=4 force_async=1 invalidate=0 rw=randread time_based=1 runtime=3s");
    ck_assert_msg(pct == -1 || pct > 1, "%f", pct);
    ck_assert_msg(!strstr(seen, "iou-wrk"), "what is asked for is no warning: %s", seen);
}
END_TEST

START_TEST(other_engines_have_none)
{
    double pct = helpers_seen("ioengine=psync invalidate=0 rw=randread time_based=1 runtime=300ms");
    ck_assert_msg(pct == 0 || pct == -1, "%f", pct);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("run_helper");
    TCase *c = tcase_create("run_helper");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, all_that_was_spent_is_booked, 0, (int)(sizeof(loads) / sizeof(loads[0])));
    tcase_add_test(c, the_load_shows_them_while_it_runs);
    tcase_add_test(c, other_engines_have_none);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
