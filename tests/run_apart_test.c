/* run_apart_test: jobs of one run on the same file: one finds what another lays out, and with verify nobody writes
 * what another checks. */
#include <check.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/str.h"
#include "engine/run.h"
#include "tests/suite.h"

#define SOON_NS (20 * NSEC_PER_SEC) /* a bound for hangs, never waited for */

static char dir[] = "/tmp/benchtop-apart-XXXXXX";
static struct run *run;

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void teardown(void)
{
    char cmd[128];
    if (run)
        ck_assert(run_free(run, SOON_NS));
    run = NULL;
    snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
    ck_assert_int_eq(system(cmd), 0);
}

static struct job job_of(const char *name, const char *words)
{
    struct job j;
    char word[512], file[128];
    struct err err = {0};
    job_init(&j);
    str_copy(j.name, sizeof(j.name), name);
    snprintf(file, sizeof(file), "%s/f", dir);
    job_set(&j, "filename", file, NULL);
    while (str_next_word(&words, word, sizeof(word))) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        ck_assert_msg(job_set(&j, word, value, &err) == 0, "%s", err.text);
    }
    ck_assert_msg(job_check(&j, NULL, 0, &err) == 0, "%s", err.text);
    return j;
}

static void order(enum order_kind kind, const char *text)
{
    struct order o = {.kind = kind, .job = ORDER_ALL_JOBS};
    str_copy(o.text, sizeof(o.text), text);
    run_post(run, &o);
}

/* Until one of the states is reached; what was refused or failed is in err. */
static void wait_for(enum run_state a, enum run_state b, struct err *err)
{
    uint64_t end = clock_now_ns() + SOON_NS, n;
    while (run_state(run) != a && run_state(run) != b) {
        struct pollfd p = {.fd = run_fd(run), .events = POLLIN};
        ck_assert_msg(clock_now_ns() < end, "state %d instead of %d or %d", run_state(run), a, b);
        poll(&p, 1, 100);
        (void)!read(run_fd(run), &n, sizeof(n));
    }
    run_error(run, err);
}

static void begin(const struct job *jobs, size_t n, const struct run_at *at, size_t nat)
{
    struct run_opts o = {.jobs = jobs, .njobs = n, .at = at, .nat = nat};
    struct err err = {0};
    ck_assert_msg(run_new(&o, &run, &err) == 0, "%s", err.text);
}

static void must_run(const struct job *jobs, size_t n)
{
    struct err err = {0};
    begin(jobs, n, NULL, 0);
    order(ORDER_START, "");
    wait_for(RUN_DONE, RUN_REFUSED, &err);
    ck_assert_msg(run_state(run) == RUN_DONE && !err.code, "%s", err.text);
}

static void must_refuse(const struct job *jobs, size_t n, const struct run_at *at, size_t nat, const char *has)
{
    struct err err = {0};
    begin(jobs, n, at, nat);
    wait_for(RUN_READY, RUN_REFUSED, &err);
    ck_assert_int_eq(run_state(run), RUN_REFUSED);
    ck_assert_msg(strstr(err.text, has), "\"%s\" lacks \"%s\"", err.text, has);
    ck_assert(run_free(run, SOON_NS));
    run = NULL;
}

static uint64_t bytes(size_t job, enum ddir d)
{
    struct run_job_result *res = run_result(run, job);
    uint64_t n = res->sum.dir[d].bytes;
    run_result_free(res);
    return n;
}

/* The first job makes the file; the others say no size, or a share of it. */
START_TEST(a_later_job_finds_the_file_as_it_will_be)
{
    struct job jobs[] = {job_of("w", "rw=write size=1m bs=64k"), job_of("r", "rw=read bs=64k stonewall"),
                         job_of("half", "rw=read bs=4k offset=50% stonewall"),
                         job_of("quarter", "rw=read bs=4k offset=50% size=25% stonewall")};
    must_run(jobs, 4);
    ck_assert_uint_eq(bytes(0, DDIR_WRITE), 1 << 20);
    ck_assert_uint_eq(bytes(1, DDIR_READ), 1 << 20);
    ck_assert_uint_eq(bytes(2, DDIR_READ), 1 << 19);
    ck_assert_uint_eq(bytes(3, DDIR_READ), 1 << 18);
}
END_TEST

START_TEST(nobody_is_told_of_what_a_later_job_makes)
{
    struct job jobs[] = {job_of("r", "rw=read bs=64k"), job_of("w", "rw=write size=1m bs=64k stonewall")};
    must_refuse(jobs, 2, NULL, 0, "give a size");
}
END_TEST

START_TEST(jobs_that_would_overwrite_what_is_verified)
{
    static const char verifies[] = "rw=randwrite size=1m verify=crc32c", plain[] = "rw=randwrite size=1m",
                      reads[] = "rw=randread size=1m";
    struct job both[] = {job_of("a", verifies), job_of("b", verifies)};
    struct job one[] = {job_of("a", plain), job_of("b", verifies)};
    must_refuse(both, 2, NULL, 0, "work on the same blocks");
    must_refuse(one, 2, NULL, 0, "so what b reads could be the other's");
    struct job reader[] = {job_of("a", reads), job_of("b", verifies)};
    must_run(reader, 2);
}
END_TEST

START_TEST(jobs_that_verify_and_are_apart)
{
    struct job behind[] = {job_of("a", "rw=randwrite size=1m verify=crc32c"),
                           job_of("b", "rw=randwrite size=1m verify=crc32c stonewall"),
                           job_of("c", "rw=randwrite size=1m verify=crc32c wait_for=b"),
                           job_of("d", "rw=randwrite size=1m offset=1m verify=crc32c")};
    must_run(behind, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(bytes(i, DDIR_WRITE), 1 << 20);
}
END_TEST

/* Before the start where it is in the schedule, else when it is asked; then it is not half done. */
START_TEST(a_retune_does_not_make_clones_overwrite_what_is_verified)
{
    struct job j = job_of("a", "rw=randwrite size=1m verify=crc32c time_based runtime=60 rate_iops=100");
    struct job r = job_of("a", "rw=randread size=1m verify=crc32c verify_only=0 numjobs=2 time_based runtime=60");
    struct run_at more = {.at_ns = 1, .job = 0, .words = "numjobs=2"};
    struct run_at write = {.at_ns = 1, .job = 0, .words = "rw=randwrite"};
    struct err err = {0};
    must_refuse(&j, 1, &more, 1, "2 clones would overwrite");
    must_refuse(&r, 1, &write, 1, "2 clones would overwrite");
    begin(&j, 1, NULL, 0);
    order(ORDER_START, "");
    wait_for(RUN_RUNNING, RUN_REFUSED, &err);
    order(ORDER_RETUNE, "numjobs=2");
    order(ORDER_STOP, "");
    wait_for(RUN_DONE, RUN_REFUSED, &err);
    struct run_job_result *res = run_result(run, 0);
    ck_assert_uint_eq(res->nretunes, 0);
    ck_assert_uint_eq(res->verify.failures, 0);
    ck_assert_uint_eq(run_nclones(run, 0), 1);
    run_result_free(res);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("run_apart");
    TCase *c = tcase_create("run_apart");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_later_job_finds_the_file_as_it_will_be);
    tcase_add_test(c, nobody_is_told_of_what_a_later_job_makes);
    tcase_add_test(c, jobs_that_would_overwrite_what_is_verified);
    tcase_add_test(c, jobs_that_verify_and_are_apart);
    tcase_add_test(c, a_retune_does_not_make_clones_overwrite_what_is_verified);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
