/* worker: exact counts and latencies in virtual time; live changes, pause, stop and errors on real files.
 * The scripted null backend moves a fake clock, so rates and percentiles are exact and cost no time. */
#include "engine/worker.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/str.h"

#define MIB (1ull << 20)

static struct job make_job(const char *engine, enum job_rw rw, uint64_t bs, unsigned depth)
{
    struct job j;
    job_init(&j);
    j.rw = rw;
    for (unsigned d = 0; d < DDIRS; d++)
        j.bs[d] = bs;
    j.iodepth = depth;
    str_copy(j.ioengine, sizeof(j.ioengine), engine);
    return j;
}

static void set_each(uint64_t v[DDIRS], uint64_t value)
{
    for (unsigned d = 0; d < DDIRS; d++)
        v[d] = value;
}

static struct targets *make_targets(size_t n, uint64_t size)
{
    struct targets *t = calloc(1, sizeof(*t));
    ck_assert_int_eq(targets_alloc(t, n), 0);
    for (size_t i = 0; i < n; i++) {
        char name[32];
        str_format(name, sizeof(name), "T%zu", i);
        t->t[i].is_null = true;
        t->t[i].end = t->t[i].place.bound = size;
        t->t[i].path = strdup(name);
    }
    ck_assert_int_eq(targets_group(t), 0);
    return t;
}

static char scratch[64];

static struct targets *file_target(uint64_t size)
{
    struct targets *t = make_targets(1, size);
    str_copy(scratch, sizeof(scratch), "/tmp/worker_test.XXXXXX");
    t->t[0].fd = mkstemp(scratch);
    ck_assert_int_ge(t->t[0].fd, 0);
    free(t->t[0].path);
    t->t[0].path = strdup(scratch);
    unlink(scratch);
    char *block = malloc(MIB);
    memset(block, 0x5a, MIB);
    for (uint64_t at = 0; at < size; at += MIB)
        ck_assert_int_eq(pwrite(t->t[0].fd, block, MIB, (off_t)at), MIB);
    free(block);
    return t;
}

static void free_targets(struct targets *t)
{
    targets_close(t);
    free(t);
}

static struct worker *start_on(const char *backend, const struct backend_config *cfg, const struct job *j,
                               const struct targets *t)
{
    struct worker *w = NULL;
    struct err err = {0};
    int r = worker_new_on(backend_find(backend), cfg, j, 0, t, &w, &err);
    ck_assert_msg(r == 0, "%s", err.text);
    worker_go(w);
    return w;
}

static struct worker *start(const struct job *j, const struct targets *t)
{
    return start_on(j->ioengine, &(struct backend_config){0}, j, t);
}

static void finish(struct worker *w)
{
    ck_assert_msg(worker_wait(w, clock_now_ns() + 30 * NSEC_PER_SEC), "the worker did not end");
    ck_assert_int_eq(worker_state(w), WORKER_ENDED);
    ck_assert_uint_eq(worker_inflight(w), 0);
}

/* Waits for what must come soon; fails after 20 s. */
#define WAIT_FOR(cond)                                                                                              \
    do {                                                                                                            \
        uint64_t until_ = clock_now_ns() + 20 * NSEC_PER_SEC;                                                       \
        while (!(cond)) {                                                                                           \
            ck_assert_msg(clock_now_ns() < until_, "never came: " #cond);                                           \
            clock_sleep_until(clock_now_ns() + 200 * NSEC_PER_USEC);                                                \
        }                                                                                                           \
    } while (0)

static const struct dir_counters *did(const struct worker *w, size_t target, enum ddir d)
{
    return &worker_counters(w, target)->dir[d];
}

static uint64_t ios(const struct worker *w, enum ddir d)
{
    return counter_get(&did(w, 0, d)->ios);
}

static bool usable(const char *engine) /* io_uring may be switched off */
{
    void *state;
    const struct backend *be = backend_find(engine);
    int r = be->open(&(struct backend_config){.depth = 1}, &state, NULL);
    if (r == 0)
        be->close(state);
    return r == 0;
}

/* ---- in virtual time ---- */

struct lab { /* a scripted run, from start to end */
    struct clock clock;
    struct backend_config cfg;
    struct targets *t;
    struct worker *w;
    uint64_t took_ns;
};

static void run_script(struct lab *l, const struct job *j, const uint64_t *script, size_t n, uint64_t size)
{
    l->clock = (struct clock){.mono_ns = 5 * NSEC_PER_SEC};
    l->cfg = (struct backend_config){.script_ns = script, .nscript = n, .clock = &l->clock};
    l->t = make_targets(1, size);
    l->w = start_on("null", &l->cfg, j, l->t);
    finish(l->w);
    l->took_ns = l->clock.mono_ns - 5 * NSEC_PER_SEC;
}

static void lab_fini(struct lab *l)
{
    worker_free(l->w);
    free_targets(l->t);
}

START_TEST(latencies_are_exact)
{
    static uint64_t script[100];
    for (int i = 0; i < 100; i++)
        script[i] = (uint64_t)(i % 10 == 9 ? 9000 : 100);
    struct job j = make_job("null", JOB_READ, 4096, 1);
    struct lab l;
    run_script(&l, &j, script, 100, 1000 * 4096);
    const struct dir_counters *d = did(l.w, 0, DDIR_READ);
    ck_assert_uint_eq(d->ios, 1000);
    ck_assert_uint_eq(d->bytes, 1000 * 4096);
    ck_assert_uint_eq(d->errors + d->short_ios, 0);
    ck_assert_uint_eq(hist_n(&d->clat), 1000);
    ck_assert_uint_eq(d->clat.min, 100);
    ck_assert_uint_eq(d->clat.max, 9000);
    ck_assert_uint_eq(d->clat.sum, 900 * 100 + 100 * 9000);
    ck_assert_uint_eq(d->clat.count[hist_index(100)], 900);
    ck_assert_uint_eq(d->clat.count[hist_index(9000)], 100);
    ck_assert_double_eq(hist_percentile(&d->clat, 90), 100);
    ck_assert_double_eq_tol(hist_percentile(&d->clat, 90.1), 9000, 9000 / 128.0);
    ck_assert_uint_eq(hist_n(&d->rlat), 0); /* not paced */
    ck_assert_uint_eq(l.took_ns, d->clat.sum); /* depth 1: the end of one is the start of the next */
    ck_assert_int_eq(worker_error(l.w, NULL), 0);
    lab_fini(&l);
}
END_TEST

START_TEST(depth_is_kept_full)
{
    static const uint64_t script[] = {1000};
    unsigned depth = (unsigned)_i;
    struct job j = make_job("null", JOB_RANDREAD, 512, depth);
    struct lab l;
    run_script(&l, &j, script, 1, 960 * 512);
    ck_assert_uint_eq(ios(l.w, DDIR_READ), 960);
    ck_assert_uint_eq(did(l.w, 0, DDIR_READ)->clat.max, 1000);
    ck_assert_uint_eq(l.took_ns, 1000 * 960 / depth); /* Little's law, exactly */
    lab_fini(&l);
}
END_TEST

START_TEST(a_rate_is_kept)
{
    static const uint64_t script[] = {30000}, rates[] = {1, 500, 20000};
    struct job j = make_job("null", JOB_RANDREAD, 512, _i & 1 ? 1 : 32);
    set_each(j.rate_iops, rates[_i / 2]);
    uint64_t n = 10 * j.rate_iops[0];
    struct lab l;
    run_script(&l, &j, script, 1, n * 512);
    const struct dir_counters *d = did(l.w, 0, DDIR_READ);
    ck_assert_uint_eq(d->ios, n);
    uint64_t want = 10 * NSEC_PER_SEC - NSEC_PER_SEC / j.rate_iops[0] + 30000; /* the first is due at once */
    ck_assert_uint_ge(l.took_ns + 1, want);
    ck_assert_uint_le(l.took_ns, want + 1);
    ck_assert_uint_eq(hist_n(&d->rlat), n);
    ck_assert_uint_eq(d->rlat.max, 30000); /* never late */
    ck_assert_uint_eq(d->clat.max, 30000);
    lab_fini(&l);
}
END_TEST

START_TEST(each_direction_has_its_rate)
{
    static const uint64_t script[] = {10000};
    struct job j = make_job("null", JOB_RANDRW, 512, 4);
    j.rwmixread = 70;
    set_each(j.rate_iops, 500);
    struct lab l;
    run_script(&l, &j, script, 1, 5000 * 512);
    ck_assert_uint_eq(ios(l.w, DDIR_READ), 2500);
    ck_assert_uint_eq(ios(l.w, DDIR_WRITE), 2500);
    ck_assert_uint_eq(l.took_ns / NSEC_PER_MSEC, 4998);
    lab_fini(&l);
}
END_TEST

/* The queue is not emptied before a wait: a rate above what depth 1 can give is reached at depth 8. */
START_TEST(a_rate_keeps_the_depth)
{
    static const uint64_t script[] = {8 * NSEC_PER_MSEC};
    struct job j = make_job("null", JOB_READ, 512, 8);
    set_each(j.rate_iops, 900);
    struct lab l;
    run_script(&l, &j, script, 1, 900 * 512);
    ck_assert_uint_le(l.took_ns, NSEC_PER_SEC + 8 * NSEC_PER_MSEC);
    ck_assert_uint_eq(did(l.w, 0, DDIR_READ)->rlat.max, 8 * NSEC_PER_MSEC);
    lab_fini(&l);
}
END_TEST

START_TEST(a_stall_shows_in_the_response_time)
{
    static uint64_t script[4000]; /* 0.1 ms each; number 1000 takes a second */
    for (int i = 0; i < 4000; i++)
        script[i] = i == 1000 ? NSEC_PER_SEC : 100 * NSEC_PER_USEC;
    struct job j = make_job("null", JOB_READ, 512, 1);
    set_each(j.rate_iops, 1000);
    struct lab l;
    run_script(&l, &j, script, 4000, 4000 * 512);
    const struct dir_counters *d = did(l.w, 0, DDIR_READ);
    ck_assert_double_eq_tol(hist_percentile(&d->clat, 99), 1e5, 1e5 / 128);
    ck_assert_double_eq_tol(hist_percentile(&d->clat, 99.9), 1e5, 1e5 / 128);
    ck_assert_uint_eq(d->clat.max, NSEC_PER_SEC);
    /* overdue: each waits 0.9 ms less than the one before it, so 1111 of 4000 are late by up to a second */
    ck_assert_double_eq_tol(hist_percentile(&d->rlat, 99), 1e9 - 39 * 9e5, 1e7);
    ck_assert_double_eq_tol(hist_percentile(&d->rlat, 80), 1e9 - 799 * 9e5, 1e7);
    ck_assert_uint_eq(d->rlat.max, NSEC_PER_SEC);
    ck_assert_uint_eq(d->rlat.min, 100 * NSEC_PER_USEC);
    ck_assert_uint_eq(l.took_ns, 3999 * NSEC_PER_MSEC + 100 * NSEC_PER_USEC); /* caught up */
    lab_fini(&l);
}
END_TEST

START_TEST(thinktime_comes_after_each)
{
    static const uint64_t script[] = {1000};
    struct job j = make_job("null", JOB_READ, 512, 16);
    j.thinktime_ns = 5000;
    struct lab l;
    run_script(&l, &j, script, 1, 100 * 512);
    ck_assert_uint_eq(l.took_ns, 100 * 1000 + 99 * 5000);
    ck_assert_uint_eq(did(l.w, 0, DDIR_READ)->clat.max, 1000);
    lab_fini(&l);
}
END_TEST

/* The last one is not waited after: 100 requests in blocks of four have 24 pauses. */
START_TEST(thinktime_comes_after_blocks)
{
    static const uint64_t script[] = {1000};
    struct job j = make_job("null", JOB_READ, 512, _i ? 4 : 1);
    j.thinktime_ns = 5000;
    j.think.blocks = 4;
    j.think.issue = _i;
    struct lab l;
    run_script(&l, &j, script, 1, 100 * 512);
    ck_assert_uint_eq(l.took_ns, (_i ? 25 : 100) * 1000 + 24 * 5000);
    lab_fini(&l);
}
END_TEST

/* 10 us of requests, 5 us of pause: of 100 requests of 1 us each, nine pauses. */
START_TEST(thinktime_comes_after_a_time)
{
    static const uint64_t script[] = {1000};
    struct job j = make_job("null", JOB_READ, 512, 1);
    j.thinktime_ns = 5000;
    j.think.iotime_ns = 10000;
    struct lab l;
    run_script(&l, &j, script, 1, 100 * 512);
    ck_assert_uint_eq(l.took_ns, 100 * 1000 + 9 * 5000);
    lab_fini(&l);
}
END_TEST

/* 1000 a second with a pause of 100 ms after each ten: what it holds back is made up for, or not. */
START_TEST(a_rate_and_a_thinktime)
{
    static const uint64_t script[] = {1000};
    struct job j = make_job("null", JOB_READ, 512, 1);
    j.thinktime_ns = 100 * NSEC_PER_MSEC;
    j.think.blocks = 10;
    j.rate_iops[DDIR_READ] = 1000;
    j.rate_ignore_thinktime = _i;
    struct lab l;
    run_script(&l, &j, script, 1, 50 * 512);
    if (_i) /* nine steps to the tenth, the pause, and the next is due 1 ms after the tenth plus the pause */
        ck_assert_uint_eq(l.took_ns, 49 * NSEC_PER_MSEC + 4 * 100 * NSEC_PER_MSEC + 1000);
    else /* behind after the first pause: ten at once */
        ck_assert_uint_lt(l.took_ns, (9 + 4 * 101) * NSEC_PER_MSEC);
    lab_fini(&l);
}
END_TEST

START_TEST(fsync_after_every_n_writes)
{
    static const uint64_t script[] = {1000};
    struct job j = make_job("null", JOB_WRITE, 512, _i ? 4 : 1);
    j.fsync = 3;
    j.end_fsync = true;
    struct lab l;
    run_script(&l, &j, script, 1, 100 * 512);
    ck_assert_uint_eq(ios(l.w, DDIR_WRITE), 100);
    ck_assert_uint_eq(worker_counters(l.w, 0)->syncs, 33 + 1);
    ck_assert_uint_eq(hist_n(&worker_counters(l.w, 0)->sync_lat), 34);
    ck_assert_uint_eq(worker_counters(l.w, 0)->sync_lat.max, 1000);
    lab_fini(&l);
}
END_TEST

START_TEST(fdatasync_beside_fsync)
{
    static const uint64_t script[] = {1000};
    struct job j = make_job("null", JOB_WRITE, 512, _i ? 4 : 1);
    j.fsync = _i == 2 ? 0 : 6;
    j.fdatasync = 2;
    struct lab l;
    run_script(&l, &j, script, 1, 100 * 512);
    ck_assert_uint_eq(ios(l.w, DDIR_WRITE), 100);
    ck_assert_uint_eq(worker_counters(l.w, 0)->syncs, 50); /* at every second; every sixth does more */
    lab_fini(&l);
}
END_TEST

START_TEST(reads_are_not_synced)
{
    static const uint64_t script[] = {1000};
    struct job j = make_job("null", JOB_READ, 512, 1);
    j.fsync = 1;
    j.end_fsync = true;
    struct lab l;
    run_script(&l, &j, script, 1, 100 * 512);
    ck_assert_uint_eq(worker_counters(l.w, 0)->syncs, 0);
    lab_fini(&l);
}
END_TEST

START_TEST(targets_are_counted_apart)
{
    struct job j = make_job("null", JOB_RANDRW, 4096, 8);
    struct targets *t = make_targets(3, 100 * 4096);
    t->t[2].place.bound = 10 * 4096 + 5; /* a last partial block is not used */
    struct worker *w = start(&j, t);
    finish(w);
    static const uint64_t want[] = {100, 100, 10};
    for (size_t i = 0; i < 3; i++) {
        uint64_t n = did(w, i, DDIR_READ)->ios + did(w, i, DDIR_WRITE)->ios;
        ck_assert_uint_eq(n, want[i]);
        ck_assert_uint_eq(did(w, i, DDIR_READ)->bytes + did(w, i, DDIR_WRITE)->bytes, want[i] * 4096);
        ck_assert_uint_eq(did(w, i, DDIR_TRIM)->ios, 0);
    }
    worker_free(w);
    free_targets(t);
}
END_TEST

/* ---- on files ---- */

static const char *const engines[] = {"psync", "libaio", "io_uring", "null"};

START_TEST(every_engine_does_the_whole_job)
{
    if (!usable(engines[_i % 4]))
        return;
    struct job j = make_job(engines[_i % 4], JOB_RANDREAD + (unsigned)_i / 4, 4096, 8);
    struct targets *t = file_target(4 * MIB);
    struct worker *w = start(&j, t);
    finish(w);
    enum ddir d = (enum ddir)(_i / 4);
    struct err err = {0};
    ck_assert_msg(worker_error(w, &err) == 0, "%s", err.text);
    ck_assert_uint_eq(ios(w, d), 1024);
    ck_assert_uint_eq(did(w, 0, d)->bytes, 4 * MIB);
    ck_assert_uint_eq(hist_n(&did(w, 0, d)->clat), 1024);
    worker_free(w);
    free_targets(t);
}
END_TEST

/* Each block is trimmed and then written, whatever the engine and the depth: at the end none is zero. */
START_TEST(what_is_trimmed_is_written)
{
    if (!usable(engines[_i % 3]))
        return;
    struct job j = make_job(engines[_i % 3], _i / 3 ? JOB_RANDTRIMWRITE : JOB_TRIMWRITE, 4096, 8);
    struct targets *t = file_target(4 * MIB);
    struct worker *w = start(&j, t);
    finish(w);
    struct err err = {0};
    if (worker_error(w, &err) < 0) {
        ck_assert_msg(strstr(err.text, "trim"), "%s", err.text); /* not every filesystem can */
    } else {
        ck_assert_uint_eq(ios(w, DDIR_TRIM), 1024);
        ck_assert_uint_eq(ios(w, DDIR_WRITE), 1024);
        ck_assert_uint_eq(did(w, 0, DDIR_WRITE)->bytes, 4 * MIB);
        for (off_t at = 0; at < (off_t)(4 * MIB); at += 4096) {
            uint64_t word[512], all = 0, old = 0;
            ck_assert_int_eq(pread(t->t[0].fd, word, sizeof(word), at), sizeof(word));
            for (int i = 0; i < 512; i++) {
                all |= word[i];
                old += word[i] == 0x5a5a5a5a5a5a5a5a;
            }
            if (!all || old)
                ck_abort_msg("block at %ld: %s", (long)at, all ? "not written" : "still trimmed");
        }
    }
    worker_free(w);
    free_targets(t);
}
END_TEST

/* What was written is random, never what was read before (here: all 0x5a), and every block was. */
START_TEST(written_data_is_random)
{
    if (!usable(engines[_i]))
        return;
    struct job j = make_job(engines[_i], JOB_READ, 4096, 8);
    struct targets *t = file_target(4 * MIB);
    j.time_based = true;
    struct worker *w = start(&j, t);
    WAIT_FOR(ios(w, DDIR_READ) > 100);
    j.rw = JOB_WRITE;
    ck_assert_int_eq(worker_retune(w, &j, t, 1, NULL), 0);
    WAIT_FOR(ios(w, DDIR_WRITE) > 1024 + 8);
    worker_stop(w);
    finish(w);
    unsigned char *back = malloc(4 * MIB);
    unsigned count[256] = {0};
    ck_assert_int_eq(pread(t->t[0].fd, back, 4 * MIB, 0), 4 * MIB);
    for (size_t i = 0; i < 4 * MIB; i++)
        count[back[i]]++;
    for (int i = 0; i < 256; i++) /* 16384 each, were all blocks different: they come in up to 64 windows */
        ck_assert_msg(count[i] > 8192 && count[i] < 32768, "byte %d came %u times", i, count[i]);
    ck_assert_int_ne(memcmp(back, back + 4096, 4096), 0);
    free(back);
    worker_free(w);
    free_targets(t);
}
END_TEST

START_TEST(the_end_of_a_file_is_an_error)
{
    if (!usable(engines[_i]))
        return;
    struct job j = make_job(engines[_i], JOB_READ, 4096, 4);
    struct targets *t = file_target(MIB);
    ck_assert_int_eq(ftruncate(t->t[0].fd, 4096 + 1000), 0);
    struct worker *w = start(&j, t);
    finish(w);
    struct err err = {0};
    ck_assert_int_eq(worker_error(w, &err), -EIO);
    ck_assert_int_eq(err.code, -EIO);
    ck_assert_msg(!strncmp(err.text, "read at offset ", 15) && strstr(err.text, t->t[0].path) &&
                      strstr(err.text, ": short read at end"), "\"%s\"", err.text);
    ck_assert_uint_eq(did(w, 0, DDIR_READ)->short_ios, 1);
    ck_assert_uint_eq(did(w, 0, DDIR_READ)->bytes, 4096 + 1000);
    ck_assert_uint_ge(did(w, 0, DDIR_READ)->errors, 1);
    worker_free(w);
    free_targets(t);
}
END_TEST

START_TEST(an_error_ends_the_worker_with_a_sentence)
{
    if (!usable(engines[_i]))
        return;
    struct job j = make_job(engines[_i], JOB_WRITE, 4096, 4);
    struct targets *t = file_target(MIB);
    close(t->t[0].fd);
    t->t[0].fd = open("/dev/full", O_RDONLY);
    t->t[0].place.offset = 8192;
    struct worker *w = start(&j, t);
    finish(w);
    struct err err = {0};
    ck_assert_int_eq(worker_error(w, &err), -EBADF);
    ck_assert_msg(!strncmp(err.text, "write at offset 8192 of ", 24) && strstr(err.text, ": Bad file descriptor"),
                  "\"%s\"", err.text);
    ck_assert_uint_ge(did(w, 0, DDIR_WRITE)->errors, 1);
    ck_assert_uint_eq(ios(w, DDIR_WRITE), 0);
    worker_free(w);
    free_targets(t);
}
END_TEST

/* ---- live changes ---- */

static void retune(struct worker *w, const struct job *j, const struct targets *t, uint64_t version)
{
    struct err err = {0};
    ck_assert_msg(worker_retune(w, j, t, version, &err) == 0, "%s", err.text);
    WAIT_FOR(worker_version(w) == version);
    ck_assert_uint_gt(worker_version_ns(w), 0);
}

static uint64_t sum(const struct worker *w)
{
    return ios(w, DDIR_READ) + ios(w, DDIR_WRITE) + ios(w, DDIR_TRIM);
}

struct pair {
    uint64_t n, bytes;
};

static struct pair pair_now(const struct worker *w, enum ddir d) /* of one moment, but for one request */
{
    struct pair p;
    do {
        p.n = ios(w, d);
        p.bytes = counter_get(&did(w, 0, d)->bytes);
    } while (ios(w, d) != p.n);
    return p;
}

static double mean_bytes_now(const struct worker *w, enum ddir d)
{
    struct pair a = pair_now(w, d), b;
    WAIT_FOR(ios(w, d) > a.n + 1000);
    b = pair_now(w, d);
    return (double)(b.bytes - a.bytes) / (double)(b.n - a.n);
}

START_TEST(everything_changes_while_it_runs)
{
    if (!usable(engines[_i]))
        return;
    struct job j = make_job(engines[_i], JOB_RANDREAD, 4096, 4);
    struct targets *t = file_target(4 * MIB);
    j.time_based = true;
    struct worker *w = start(&j, t);
    WAIT_FOR(ios(w, DDIR_READ) > 100);
    pid_t tid = worker_tid(w);
    ck_assert_int_gt(tid, 0);
    uint64_t before = sum(w);

    j.iodepth = 64; /* within the ring */
    retune(w, &j, t, 1);
    set_each(j.bs, 16384); /* larger buffers */
    retune(w, &j, t, 2);
    ck_assert_uint_gt(ios(w, DDIR_READ), before - 1); /* counters go on */
    ck_assert_double_ge(mean_bytes_now(w, DDIR_READ), 15000);
    j.iodepth = 1000; /* a larger ring */
    retune(w, &j, t, 3);
    j.iodepth = 2;
    set_each(j.bs, 512);
    retune(w, &j, t, 4);
    uint64_t writes = ios(w, DDIR_WRITE);
    ck_assert_uint_eq(writes, 0);
    j.rw = JOB_RANDRW;
    j.rwmixread = 70;
    retune(w, &j, t, 5);
    uint64_t r0 = ios(w, DDIR_READ), w0 = ios(w, DDIR_WRITE);
    WAIT_FOR(sum(w) > r0 + w0 + 20000);
    double reads = (double)(ios(w, DDIR_READ) - r0), all = (double)(sum(w) - r0 - w0);
    ck_assert_double_eq_tol(100 * reads / all, 70, 3);
    j.rw = JOB_TRIM;
    retune(w, &j, t, 6);
    WAIT_FOR(ios(w, DDIR_TRIM) > 10 || worker_state(w) == WORKER_ENDED); /* not every filesystem can */
    j.rw = JOB_READ;
    if (worker_state(w) != WORKER_ENDED)
        retune(w, &j, t, 7);
    ck_assert_int_eq(worker_tid(w), tid);
    worker_stop(w);
    finish(w);
    worker_free(w);
    free_targets(t);
}
END_TEST

/* Depth that is really in flight, seen from the queue: with a scripted 2 ms a request, depth = rate * latency. */
START_TEST(depth_follows_up_and_down)
{
    static const uint64_t script[] = {2 * NSEC_PER_MSEC};
    static const unsigned depths[] = {32, 5, 300, 1, 8};
    struct job j = make_job("null", JOB_READ, 512, 8);
    j.time_based = true;
    struct targets *t = make_targets(1, MIB);
    struct worker *w = start_on("null", &(struct backend_config){.script_ns = script, .nscript = 1}, &j, t);
    for (unsigned i = 0; i < 5; i++) {
        j.iodepth = depths[i];
        retune(w, &j, t, i + 1);
        WAIT_FOR(worker_inflight(w) == depths[i]);
    }
    for (int i = 0; i < 100; i++) {
        ck_assert_uint_le(worker_inflight(w), 8);
        clock_sleep_until(clock_now_ns() + 100000);
    }
    worker_stop(w);
    finish(w);
    worker_free(w);
    free_targets(t);
}
END_TEST

START_TEST(many_quick_versions_end_in_the_last)
{
    struct job j = make_job("null", JOB_RANDREAD, 512, 4);
    j.time_based = true;
    struct targets *t = make_targets(1, 64 * MIB);
    struct worker *w = start(&j, t);
    for (uint64_t v = 1; v <= 300; v++) {
        set_each(j.bs, 512ull << v % 9);
        j.iodepth = 1 + (unsigned)(v * 37 % 600);
        j.rw = v & 1 ? JOB_RANDRW : JOB_READ;
        ck_assert_int_eq(worker_retune(w, &j, t, v, NULL), 0);
    }
    WAIT_FOR(worker_version(w) == 300);
    ck_assert_double_eq_tol(mean_bytes_now(w, DDIR_READ), (double)j.bs[0], (double)j.bs[0] / 100);
    worker_stop(w);
    finish(w);
    worker_free(w);
    free_targets(t);
}
END_TEST

/* Through all that may change: what is done is every byte of the region, none lost and none twice, and what is counted
 * is what was asked for. */
START_TEST(no_byte_is_lost_between_versions)
{
    static const char *const words[] = {
        "bs=4k", "bssplit=4k/10:64k/50:32k/40", "rw=randrw", "percentage_random=50", "bs=64k", "rw=read:8k",
        "bsrange=4k-64k", "rw=randread", "random_distribution=zipf:1.1", "bs=8k,16k,4k", "rw=rw rwmixread=70",
        "percentage_random=100", "random_distribution=zoned:60/10:40/90", "rw=randread:4", "random_distribution=random",
        "bssplit=4k/50:8k/50,64k", "rw=randwrite", "rw=read",
    };
    uint64_t size = 512 * 1024 * MIB, bytes = 0;
    struct job j = make_job("null", JOB_RANDREAD, 4096, 4), next;
    struct targets *t = make_targets(1, size);
    struct worker *w = start(&j, t);
    struct err err = {0};
    for (uint64_t v = 1; v <= 200; v++) {
        const char *word = v == 200 ? "bssplit=4k/1:1m/99 rw=randread" : words[v % (sizeof(words) / sizeof(words[0]))];
        ck_assert_msg(job_retune(&j, word, &next, &err) == 0, "%s", err.text);
        j = next;
        ck_assert_int_eq(worker_retune(w, &j, t, v, NULL), 0);
        clock_sleep_until(clock_now_ns() + 300 * NSEC_PER_USEC);
    }
    finish(w);
    ck_assert_uint_eq(worker_version(w), 200);
    for (unsigned d = 0; d < DDIRS; d++) {
        const struct dir_counters *c = did(w, 0, (enum ddir)d);
        ck_assert_uint_eq(hist_n(&c->clat), c->ios);
        ck_assert_uint_eq(c->errors + c->short_ios, 0);
        bytes += c->bytes;
    }
    ck_assert_uint_eq(bytes, size);
    worker_free(w);
    free_targets(t);
}
END_TEST

START_TEST(a_refused_version_leaves_the_old_one)
{
    struct job j = make_job("null", JOB_RANDREAD, 512, 4), bad;
    j.time_based = true;
    struct targets *t = make_targets(1, MIB);
    struct worker *w = start(&j, t);
    struct err err = {0};
    bad = j;
    set_each(bad.bs, 2 * MIB);
    ck_assert_int_eq(worker_retune(w, &bad, t, 1, &err), -EINVAL);
    ck_assert_msg(strstr(err.text, "bs=2097152") && strstr(err.text, "T0"), "\"%s\"", err.text);
    ck_assert_double_eq_tol(mean_bytes_now(w, DDIR_READ), 512, 5);
    ck_assert_uint_eq(worker_version(w), 0);
    worker_stop(w);
    finish(w);
    ck_assert_int_eq(worker_retune(w, &j, t, 2, &err), 0); /* nobody takes it any more */
    ck_assert_uint_eq(worker_version(w), 0);
    worker_free(w);
    free_targets(t);
}
END_TEST

/* At one request a second nothing happens for long; orders must be heard all the same. The limit of 100 ms is
 * checked loosely, for machines under load; without a wake-up these would take a second. */
START_TEST(a_sleeping_worker_hears_at_once)
{
    struct job j = make_job("null", JOB_RANDREAD, 512, _i ? 8 : 1);
    set_each(j.rate_iops, 1);
    j.time_based = true;
    struct targets *t = make_targets(1, MIB);
    struct worker *w = start(&j, t);
    WAIT_FOR(ios(w, DDIR_READ) == 1);
    uint64_t t0 = clock_now_ns();
    set_each(j.rate_iops, 100000);
    retune(w, &j, t, 1);
    WAIT_FOR(ios(w, DDIR_READ) > 10);
    ck_assert_uint_lt(clock_now_ns() - t0, NSEC_PER_SEC / 2);
    set_each(j.rate_iops, 1);
    retune(w, &j, t, 2);
    clock_sleep_until(clock_now_ns() + 10 * NSEC_PER_MSEC);
    t0 = clock_now_ns();
    worker_stop(w);
    finish(w);
    ck_assert_uint_lt(clock_now_ns() - t0, NSEC_PER_SEC / 2);
    worker_free(w);
    free_targets(t);
}
END_TEST

/* A backend that keeps one request for ever (a hung device): orders are heard, the worker cannot end. */
static int hang_submit(void *state, struct io *const *list, unsigned n)
{
    return (int)n;
}
static int hang_reap(void *state, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
    clock_sleep_until(clock_now_ns() + timeout_ns);
    return 0;
}
static int hang_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    *ret_state = calloc(1, 1);
    return 0;
}
static const struct backend hanging = {
    .name = "hang", .blurb = "never ends", .open = hang_open, .submit = hang_submit, .reap = hang_reap, .close = free};

START_TEST(a_hung_device_does_not_block_the_caller)
{
    struct job j = make_job("hang", JOB_RANDREAD, 512, 2);
    struct targets *t = make_targets(1, MIB);
    struct worker *w;
    ck_assert_int_eq(worker_new_on(&hanging, &(struct backend_config){0}, &j, 0, t, &w, NULL), 0);
    worker_go(w);
    WAIT_FOR(worker_inflight(w) == 2);
    j.iodepth = 5;
    retune(w, &j, t, 1);
    WAIT_FOR(worker_inflight(w) == 5);
    worker_pause(w, true);
    worker_stop(w);
    ck_assert(!worker_wait(w, clock_now_ns() + 50 * NSEC_PER_MSEC));
    ck_assert_int_ne(worker_state(w), WORKER_ENDED);
    struct worker_usage u;
    ck_assert(!worker_usage(w, &u));
    worker_free(w); /* left behind, on purpose */
    _exit(0);       /* with its memory: not a leak of ours */
}
END_TEST

/* A slow backend that is never ready when looked at, gives all it has to who waits, and counts the calls. */
static struct slow {
    struct io *io[64];
    unsigned n, looks, waits, flushes, handed, largest;
    unsigned least;  /* in flight when it was asked */
    bool ready;      /* a fast one instead: everything is done when it is looked at */
    bool looked;     /* since the last wait: a look may be many calls */
} slow;

static int slow_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    *ret_state = &slow;
    return 0;
}
static int slow_submit(void *state, struct io *const *list, unsigned n)
{
    memcpy(slow.io + slow.n, list, n * sizeof(*list));
    slow.n += n;
    slow.handed += n;
    if (slow.handed > slow.largest)
        slow.largest = slow.handed;
    return (int)n;
}
static int slow_flush(void *state)
{
    slow.flushes++;
    slow.handed = 0;
    return 0;
}
static int slow_reap(void *state, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
    slow.handed = 0;
    slow.looks += min == 0 && !slow.looked;
    slow.waits += min > 0;
    slow.looked = min == 0 && !slow.ready;
    if (min == 0 && !slow.ready)
        return 0;
    unsigned n = slow.n < max ? slow.n : max;
    slow.least = slow.n < slow.least ? slow.n : slow.least;
    for (unsigned i = 0; i < n; i++) {
        slow.io[i]->res = (int32_t)slow.io[i]->len;
        done[i] = slow.io[i];
    }
    slow.n -= n;
    memmove(slow.io, slow.io + n, slow.n * sizeof(slow.io[0]));
    return (int)n;
}
static void slow_close(void *state)
{
}
static const struct backend slow_backend = {.name = "slow", .blurb = "counts", .open = slow_open,
                                            .submit = slow_submit, .flush = slow_flush, .reap = slow_reap,
                                            .close = slow_close};

static void run_slow_job(const struct job *given, bool ready)
{
    struct job j = *given;
    struct targets *t = make_targets(1, MIB);
    struct worker *w;
    slow = (struct slow){.ready = ready, .least = UINT32_MAX};
    ck_assert_int_eq(worker_new_on(&slow_backend, &(struct backend_config){0}, &j, 0, t, &w, NULL), 0);
    worker_go(w);
    finish(w);
    ck_assert_uint_eq(sum(w), MIB / 512);
    worker_free(w);
    free_targets(t);
}

static void run_slow(unsigned depth, bool ready, uint64_t rate_iops)
{
    struct job j = make_job("slow", JOB_READ, 512, depth);
    set_each(j.rate_iops, rate_iops);
    run_slow_job(&j, ready);
}

START_TEST(batches_are_as_they_were_asked_for)
{
    struct job j = make_job("slow", JOB_READ, 512, 8);
    j.batch.submit = 3;
    run_slow_job(&j, false);
    ck_assert_uint_eq(slow.largest, 3);
    j.batch = (struct job_batch){.complete_min = 1, .complete_max = 2};
    run_slow_job(&j, false);
    ck_assert_uint_eq(slow.looks, 0);
    ck_assert_uint_eq(slow.waits, 2048 / 2);
    ck_assert_uint_eq(slow.least, 2); /* at the end; before, the queue is always filled again */
    j.batch.low = 4; /* 8, 6, and filled again at 4 */
    run_slow_job(&j, false);
    ck_assert_uint_eq(slow.waits, 2048 / 2);
    ck_assert_uint_eq(slow.largest, 1);
}
END_TEST

START_TEST(who_looks_in_vain_looks_ever_less)
{
    run_slow(8, false, 0); /* 256 waits */
    ck_assert_uint_eq(slow.waits, 256);
    ck_assert_uint_ge(slow.looks, 2);
    ck_assert_uint_le(slow.looks, 10);
    ck_assert_uint_eq(slow.largest, 1); /* what is waited for is handed over one by one */
    ck_assert_uint_eq(slow.flushes, 256 * 7);
}
END_TEST

START_TEST(one_in_flight_is_not_looked_at)
{
    run_slow(1, false, 0);
    ck_assert_uint_eq(slow.looks, 0);
    ck_assert_uint_eq(slow.waits, 2048);
    ck_assert_uint_eq(slow.flushes, 0);
}
END_TEST

START_TEST(a_paced_load_is_not_looked_at)
{
    run_slow(4, true, 4000); /* one by one: each start has its time */
    ck_assert_uint_gt(slow.waits, slow.looks);
}
END_TEST

START_TEST(what_is_always_done_is_handed_over_in_blocks)
{
    run_slow(16, true, 0);
    ck_assert_uint_eq(slow.waits, 0);
    ck_assert_uint_eq(slow.largest, 16);
    ck_assert_uint_eq(slow.flushes, 15); /* of the first round alone */
}
END_TEST

START_TEST(pause_drains_and_resume_goes_on)
{
    static const uint64_t script[] = {300 * NSEC_PER_USEC};
    struct job j = make_job("null", JOB_READ, 512, 16);
    j.time_based = true;
    set_each(j.rate_iops, 5000);
    struct targets *t = make_targets(1, MIB);
    struct worker *w = start_on("null", &(struct backend_config){.script_ns = script, .nscript = 1}, &j, t);
    WAIT_FOR(sum(w) > 50);
    worker_pause(w, true);
    WAIT_FOR(worker_state(w) == WORKER_PAUSED);
    ck_assert_uint_eq(worker_inflight(w), 0);
    uint64_t n = sum(w);
    clock_sleep_until(clock_now_ns() + 200 * NSEC_PER_MSEC);
    ck_assert_uint_eq(sum(w), n);
    j.iodepth = 4; /* a paused worker takes versions too */
    retune(w, &j, t, 1);
    ck_assert_int_eq(worker_state(w), WORKER_PAUSED);
    ck_assert_uint_eq(sum(w), n);
    uint64_t t0 = clock_now_ns();
    worker_pause(w, false);
    WAIT_FOR(sum(w) > n + 100);
    /* the pause is no backlog: 100 requests at 5000 a second are not sent in a burst */
    ck_assert_uint_ge(clock_now_ns() - t0, 19 * NSEC_PER_MSEC);
    ck_assert_int_eq(worker_state(w), WORKER_RUNNING);
    worker_pause(w, true);
    worker_stop(w); /* a paused worker can be stopped */
    finish(w);
    worker_free(w);
    free_targets(t);
}
END_TEST

START_TEST(the_gate_holds)
{
    struct job j = make_job("null", JOB_READ, 512, 1);
    struct targets *t = make_targets(1, MIB);
    struct worker *w;
    ck_assert_int_eq(worker_new(&j, 3, t, &w, NULL), 0);
    WAIT_FOR(worker_state(w) == WORKER_READY);
    set_each(j.bs, 1024); /* a version before the start */
    retune(w, &j, t, 1);
    ck_assert_int_eq(worker_state(w), WORKER_READY);
    ck_assert_uint_eq(worker_cpu_ns(w), 0);
    ck_assert_uint_eq(sum(w), 0);
    if (_i)
        worker_go(w);
    else
        worker_stop(w);
    finish(w);
    ck_assert_uint_eq(sum(w), _i ? MIB / 1024 : 0);
    ck_assert_int_eq(worker_error(w, NULL), 0);
    worker_free(w);
    free_targets(t);
}
END_TEST

START_TEST(a_thread_has_its_name_and_no_signals)
{
    struct job j = make_job("null", JOB_READ, 512, 1);
    struct targets *t = make_targets(1, MIB);
    struct worker *w;
    ck_assert_int_eq(worker_new(&j, 7, t, &w, NULL), 0);
    WAIT_FOR(worker_state(w) == WORKER_READY);
    char path[64], line[256];
    unsigned long blocked = 0;
    str_format(path, sizeof(path), "/proc/self/task/%d/status", worker_tid(w));
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    bool named = false;
    while (fgets(line, sizeof(line), f)) {
        named |= !strcmp(line, "Name:\tbt-w7\n");
        sscanf(line, "SigBlk: %lx", &blocked);
    }
    fclose(f);
    ck_assert(named);
    ck_assert(blocked >> (SIGINT - 1) & 1);
    ck_assert(blocked >> (SIGTERM - 1) & 1);
    worker_stop(w);
    finish(w);
    worker_free(w);
    free_targets(t);
}
END_TEST

START_TEST(cpu_time_is_of_the_load)
{
    struct job j = make_job("null", JOB_RANDREAD, 512, 1);
    j.time_based = true;
    struct targets *t = make_targets(1, MIB);
    struct worker *w = start(&j, t);
    WAIT_FOR(worker_cpu_ns(w) > 5 * NSEC_PER_MSEC);
    worker_stop(w);
    finish(w);
    struct worker_usage u;
    ck_assert(worker_usage(w, &u));
    ck_assert_uint_ge(u.user_ns + u.system_ns, 4 * NSEC_PER_MSEC);
    ck_assert_uint_eq(worker_cpu_ns(w), u.user_ns + u.system_ns);
    worker_free(w);
    free_targets(t);
}
END_TEST

/* A pace that must be slept for costs little: not a spinning thread. */
START_TEST(a_wait_is_not_a_spin)
{
    struct job j = make_job("null", JOB_RANDREAD, 512, 8);
    j.time_based = true;
    set_each(j.rate_iops, 100);
    struct targets *t = make_targets(1, MIB);
    struct worker *w = start(&j, t);
    WAIT_FOR(sum(w) >= 50);
    worker_stop(w);
    finish(w);
    struct worker_usage u;
    ck_assert(worker_usage(w, &u));
    ck_assert_uint_lt(u.user_ns + u.system_ns, 100 * NSEC_PER_MSEC); /* of half a second */
    worker_free(w);
    free_targets(t);
}
END_TEST

START_TEST(what_cannot_start_says_why)
{
    struct job j = make_job("null", JOB_READ, 512, 1);
    struct targets *t = make_targets(1, MIB);
    struct worker *w = NULL;
    struct err err = {0};
    str_copy(j.cpus_allowed, sizeof(j.cpus_allowed), "8000");
    ck_assert_int_eq(worker_new(&j, 0, t, &w, &err), -EINVAL);
    ck_assert_ptr_nonnull(strstr(err.text, "CPU 8000"));
    j.cpus_allowed[0] = '\0';
    set_each(j.bs, 2 * MIB);
    ck_assert_int_eq(worker_new(&j, 0, t, &w, &err), -EINVAL);
    ck_assert_ptr_nonnull(strstr(err.text, "bs="));
    j = make_job("nonsense", JOB_READ, 512, 1);
    ck_assert_int_eq(worker_new(&j, 0, t, &w, &err), -EINVAL);
    ck_assert_ptr_nonnull(strstr(err.text, "nonsense"));
    ck_assert_ptr_null(w);
    free_targets(t);
}
END_TEST

/* A ring that cannot be opened is an end before the start, with the backend's sentence. */
static int broken_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    return err_set(err, -EPERM, "broken at depth %u: use another", cfg->depth);
}
static int small_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    if (cfg->depth > 8)
        return err_set(err, -EAGAIN, "no room for %u", cfg->depth);
    return hang_open(cfg, ret_state, err);
}

START_TEST(a_ring_that_does_not_open)
{
    struct backend be = hanging;
    struct job j = make_job("hang", JOB_READ, 512, 8);
    struct targets *t = make_targets(1, MIB);
    struct worker *w;
    struct err err = {0};
    be.open = broken_open;
    ck_assert_int_eq(worker_new_on(&be, &(struct backend_config){0}, &j, 0, t, &w, NULL), 0);
    finish(w);
    ck_assert_int_eq(worker_error(w, &err), -EPERM);
    ck_assert_str_eq(err.text, "broken at depth 256: use another");
    worker_free(w);

    be.open = small_open; /* no room to grow: the job's own depth will do */
    ck_assert_int_eq(worker_new_on(&be, &(struct backend_config){0}, &j, 0, t, &w, NULL), 0);
    WAIT_FOR(worker_state(w) == WORKER_READY);
    j.iodepth = 9;
    ck_assert_int_eq(worker_retune(w, &j, t, 1, &err), -EAGAIN);
    ck_assert_str_eq(err.text, "no room for 9");
    j.iodepth = 4;
    retune(w, &j, t, 2);
    worker_stop(w);
    finish(w);
    ck_assert_int_eq(worker_error(w, NULL), 0);
    worker_free(w);
    free_targets(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("worker");
    TCase *c = tcase_create("virtual");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, latencies_are_exact);
    tcase_add_loop_test(c, depth_is_kept_full, 1, 5);
    tcase_add_loop_test(c, a_rate_is_kept, 0, 6);
    tcase_add_test(c, each_direction_has_its_rate);
    tcase_add_test(c, a_rate_keeps_the_depth);
    tcase_add_test(c, a_stall_shows_in_the_response_time);
    tcase_add_test(c, thinktime_comes_after_each);
    tcase_add_loop_test(c, thinktime_comes_after_blocks, 0, 2);
    tcase_add_test(c, thinktime_comes_after_a_time);
    tcase_add_loop_test(c, a_rate_and_a_thinktime, 0, 2);
    tcase_add_loop_test(c, fsync_after_every_n_writes, 0, 2);
    tcase_add_loop_test(c, fdatasync_beside_fsync, 0, 3);
    tcase_add_test(c, reads_are_not_synced);
    tcase_add_test(c, targets_are_counted_apart);
    c = tcase_create("files");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, every_engine_does_the_whole_job, 0, 8);
    tcase_add_loop_test(c, written_data_is_random, 0, 3);
    tcase_add_loop_test(c, what_is_trimmed_is_written, 0, 6);
    tcase_add_loop_test(c, the_end_of_a_file_is_an_error, 0, 3);
    tcase_add_loop_test(c, an_error_ends_the_worker_with_a_sentence, 0, 3);
    c = tcase_create("live");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, everything_changes_while_it_runs, 0, 4);
    tcase_add_test(c, depth_follows_up_and_down);
    tcase_add_test(c, many_quick_versions_end_in_the_last);
    tcase_add_test(c, no_byte_is_lost_between_versions);
    tcase_add_test(c, a_refused_version_leaves_the_old_one);
    tcase_add_loop_test(c, a_sleeping_worker_hears_at_once, 0, 2);
    tcase_add_test(c, a_hung_device_does_not_block_the_caller);
    tcase_add_test(c, who_looks_in_vain_looks_ever_less);
    tcase_add_test(c, one_in_flight_is_not_looked_at);
    tcase_add_test(c, batches_are_as_they_were_asked_for);
    tcase_add_test(c, a_paced_load_is_not_looked_at);
    tcase_add_test(c, what_is_always_done_is_handed_over_in_blocks);
    tcase_add_test(c, pause_drains_and_resume_goes_on);
    tcase_add_loop_test(c, the_gate_holds, 0, 2);
    tcase_add_test(c, a_thread_has_its_name_and_no_signals);
    tcase_add_test(c, cpu_time_is_of_the_load);
    tcase_add_test(c, a_wait_is_not_a_spin);
    tcase_add_test(c, what_cannot_start_says_why);
    tcase_add_test(c, a_ring_that_does_not_open);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
