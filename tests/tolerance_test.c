/* tolerance_test: which errors end a job, as words, and on a file that loses its end under a running job. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/str.h"
#include "engine/run.h"
#include "engine/tolerance.h"
#include "tests/suite.h"

#define SOON_NS (20 * NSEC_PER_SEC) /* a bound for hangs, never waited for */

static struct tolerance of(const char *policy, const char *ignore)
{
    struct job j;
    struct tolerance t;
    struct err err = {0};
    job_init(&j);
    ck_assert_msg(job_set(&j, "continue_on_error", policy, &err) == 0, "%s", err.text);
    ck_assert_msg(job_set(&j, "ignore_error", ignore, &err) == 0, "%s", err.text);
    tolerance_of(&j, &t);
    return t;
}

START_TEST(test_nothing_passes_by_default)
{
    struct tolerance t = of("none", "");
    ck_assert(!tolerates(&t, DDIR_READ, EIO));
    ck_assert(!tolerates(&t, DDIR_WRITE, -EILSEQ));
}
END_TEST

START_TEST(test_eio_and_eilseq_pass_in_their_kinds)
{
    struct tolerance t = of("read", "");
    ck_assert(tolerates(&t, DDIR_READ, -EIO));
    ck_assert(!tolerates(&t, DDIR_READ, -ENOSPC));
    ck_assert(!tolerates(&t, DDIR_READ, -EILSEQ)); /* verify's */
    ck_assert(!tolerates(&t, DDIR_WRITE, -EIO));
    t = of("write", "");
    ck_assert(tolerates(&t, DDIR_WRITE, EIO));
    ck_assert(tolerates(&t, DDIR_TRIM, EIO));
    ck_assert(tolerates(&t, DDIR_SYNC, EIO));
    ck_assert(!tolerates(&t, DDIR_READ, EIO));
    t = of("io", "");
    ck_assert(tolerates(&t, DDIR_READ, EIO) && tolerates(&t, DDIR_WRITE, EIO) && !tolerates(&t, DDIR_READ, EILSEQ));
    t = of("verify", "");
    ck_assert(tolerates(&t, DDIR_READ, EILSEQ) && !tolerates(&t, DDIR_READ, EIO));
    t = of("1", "");
    ck_assert(tolerates(&t, DDIR_READ, EILSEQ) && tolerates(&t, DDIR_READ, EIO) && tolerates(&t, DDIR_WRITE, EIO));
    t = of("0", "");
    ck_assert(!tolerates(&t, DDIR_READ, EIO));
}
END_TEST

START_TEST(test_lists_take_the_place)
{
    struct tolerance t = of("none", "EAGAIN:122,ENOSPC");
    ck_assert(tolerates(&t, DDIR_READ, EAGAIN) && tolerates(&t, DDIR_READ, 122));
    ck_assert(!tolerates(&t, DDIR_READ, EIO) && !tolerates(&t, DDIR_READ, ENOSPC));
    ck_assert(tolerates(&t, DDIR_WRITE, ENOSPC) && !tolerates(&t, DDIR_WRITE, EIO));
    t = of("io", ",ENOSPC");
    ck_assert(tolerates(&t, DDIR_READ, EIO));   /* no list: what continue_on_error says */
    ck_assert(!tolerates(&t, DDIR_WRITE, EIO)); /* the list stands in its place */
}
END_TEST

START_TEST(test_bad_lists_are_refused)
{
    static const char *const bad[] = {"EFOO", "EIO:", "EIO,,,EIO", "0", "-5", "EIO;ENOSPC",
                                      "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17"};
    struct job j;
    job_init(&j);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct err err = {0};
        ck_assert_msg(job_set(&j, "ignore_error", bad[i], &err) == -EINVAL, "%s", bad[i]);
        ck_assert_msg(strstr(err.text, bad[i]) != NULL, "%s", err.text);
    }
}
END_TEST

/* Reads behind the end of a file that was cut fail; the job is told to go on, or it ends by the first. */
static struct run *run_on_cut_file(const char *policy, char *path)
{
    struct run *run;
    struct job j;
    struct err err = {0};
    struct order start = {.kind = ORDER_START, .job = ORDER_ALL_JOBS};
    job_init(&j);
    str_copy(j.filename, sizeof(j.filename), path);
    job_set(&j, "size", "64k", NULL);
    job_set(&j, "rate_iops", "2000", NULL);
    job_set(&j, "runtime", "60", NULL);
    job_set(&j, "time_based", NULL, NULL);
    job_set(&j, "continue_on_error", policy, NULL);
    ck_assert_int_eq(job_check(&j, NULL, 0, NULL), 0);
    ck_assert_msg(run_new(&(struct run_opts){.jobs = &j, .njobs = 1}, &run, &err) == 0, "%s", err.text);
    run_post(run, &start);
    for (uint64_t end = clock_now_ns() + SOON_NS, n = 0; n < 20;) {
        ck_assert(clock_now_ns() < end);
        clock_sleep_until(clock_now_ns() + NSEC_PER_MSEC);
        struct run_job_result *res = run_result(run, 0);
        n = res->sum.dir[DDIR_READ].ios;
        run_result_free(res);
    }
    ck_assert_int_eq(truncate(path, 32768), 0);
    return run;
}

static uint64_t errors_of(struct run *run, uint64_t *ret_ios, struct err *ret)
{
    struct run_job_result *res = run_result(run, 0);
    uint64_t n = res->errors;
    *ret_ios = res->sum.dir[DDIR_READ].ios;
    *ret = res->error;
    run_result_free(res);
    return n;
}

static void wait_done(struct run *run)
{
    for (uint64_t end = clock_now_ns() + SOON_NS; run_state(run) != RUN_DONE;) {
        ck_assert(clock_now_ns() < end);
        clock_sleep_until(clock_now_ns() + NSEC_PER_MSEC);
    }
}

START_TEST(test_a_job_goes_on_or_ends)
{
    char path[] = "/tmp/benchtop-tolerance-XXXXXX";
    struct order stop = {.kind = ORDER_STOP, .job = ORDER_ALL_JOBS};
    struct err err = {0}, said = {0};
    uint64_t ios;
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    unlink(path); /* it is laid out */
    struct run *run = run_on_cut_file("read", path);
    for (uint64_t end = clock_now_ns() + SOON_NS; errors_of(run, &ios, &err) < 50;)
        ck_assert(clock_now_ns() < end);
    ck_assert_int_eq(run_state(run), RUN_RUNNING);
    run_post(run, &stop);
    wait_done(run);
    ck_assert_uint_ge(errors_of(run, &ios, &err), 50);
    ck_assert_uint_ge(ios, 20);
    ck_assert_int_eq(err.code, -EIO);
    ck_assert_msg(strstr(err.text, "read at offset") != NULL, "%s", err.text);
    ck_assert(!run_error(run, &said)); /* it did not fail */
    ck_assert(run_free(run, SOON_NS));
    unlink(path);
    run = run_on_cut_file("write", path);
    wait_done(run);
    ck_assert_uint_eq(errors_of(run, &ios, &err), 1);
    ck_assert(run_error(run, &said));
    ck_assert(run_free(run, SOON_NS));
    close(fd);
    unlink(path);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("tolerance");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, test_nothing_passes_by_default);
    tcase_add_test(t, test_eio_and_eilseq_pass_in_their_kinds);
    tcase_add_test(t, test_lists_take_the_place);
    tcase_add_test(t, test_bad_lists_are_refused);
    tcase_add_test(t, test_a_job_goes_on_or_ends);
    return suite_run("tolerance", t);
}
