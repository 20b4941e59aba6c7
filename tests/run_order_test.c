/* run_order_test: which job begins when, what ends with it, and the results of each clone, on the null engine. */
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

static struct run *run;

static void teardown(void)
{
    ck_assert(run_free(run, SOON_NS));
    run = NULL;
}

static struct job job_of(const char *name, const char *words)
{
    struct job j;
    char word[512];
    struct err err = {0};
    job_init(&j);
    str_copy(j.name, sizeof(j.name), name);
    job_set(&j, "ioengine", "null", NULL);
    job_set(&j, "size", "1m", NULL);
    while (str_next_word(&words, word, sizeof(word))) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        ck_assert_msg(job_set(&j, word, value, &err) == 0, "%s", err.text);
    }
    ck_assert_msg(job_check(&j, NULL, 0, &err) == 0, "%s", err.text);
    return j;
}

static void order(enum order_kind kind, int job)
{
    struct order o = {.kind = kind, .job = job};
    run_post(run, &o);
}

static void wait_for(enum run_state want)
{
    uint64_t end = clock_now_ns() + SOON_NS, n;
    while (run_state(run) != want) {
        struct pollfd p = {.fd = run_fd(run), .events = POLLIN};
        ck_assert_msg(clock_now_ns() < end, "state %d instead of %d", run_state(run), want);
        poll(&p, 1, 100);
        (void)!read(run_fd(run), &n, sizeof(n));
    }
}

static void run_all(const struct job *jobs, size_t n)
{
    struct run_opts o = {.jobs = jobs, .njobs = n};
    struct err err = {0};
    ck_assert_msg(run_new(&o, &run, &err) == 0, "%s", err.text);
    order(ORDER_START, ORDER_ALL_JOBS);
    wait_for(RUN_DONE);
}

static uint64_t ios_of(struct run_job_result *res)
{
    uint64_t n = res->sum.dir[DDIR_READ].ios;
    run_result_free(res);
    return n;
}

static uint64_t ios(size_t job)
{
    return ios_of(run_result(run, job));
}

START_TEST(test_a_stonewall_waits_for_all_before_it)
{
    struct job jobs[] = {job_of("a", "runtime=300ms time_based"), job_of("b", "runtime=100ms time_based"),
                         job_of("c", "stonewall=1 runtime=100ms time_based"), job_of("d", "size=1m")};
    uint64_t t0 = clock_now_ns();
    run_all(jobs, 4);
    /* a and b together, then c and d together: not all at once, and not one by one to a whole second */
    ck_assert_uint_ge(clock_now_ns() - t0, 400 * NSEC_PER_MSEC);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_gt(ios(i), 0);
    ck_assert_uint_eq(ios(3), 256);
    static const unsigned groups[] = {0, 0, 1, 1};
    for (size_t i = 0; i < 4; i++) {
        struct run_job_result *res = run_result(run, i);
        ck_assert_uint_eq(res->group, groups[i]);
        run_result_free(res);
    }
}
END_TEST

START_TEST(test_a_job_waits_for_the_one_it_names)
{
    struct job jobs[] = {job_of("a", "runtime=100ms time_based"), job_of("b", "runtime=300ms time_based"),
                         job_of("c", "wait_for=a new_group=1 runtime=100ms time_based")};
    uint64_t t0 = clock_now_ns();
    run_all(jobs, 3);
    ck_assert_uint_ge(clock_now_ns() - t0, 300 * NSEC_PER_MSEC);
    struct run_job_result *res = run_result(run, 2);
    ck_assert_uint_eq(res->group, 1);
    ck_assert_uint_gt(ios_of(res), 0);
}
END_TEST

START_TEST(test_what_it_waits_for_stands_before_it_once)
{
    struct job jobs[] = {job_of("a", ""), job_of("a", ""), job_of("c", "wait_for=a"), job_of("d", "wait_for=later")};
    struct run_opts o = {.jobs = jobs, .njobs = 3};
    struct err err = {0};
    ck_assert_int_eq(run_new(&o, &run, &err), -EINVAL);
    ck_assert_msg(strstr(err.text, "2 jobs have that name") != NULL, "%s", err.text);
    o = (struct run_opts){.jobs = &jobs[3], .njobs = 1};
    ck_assert_int_eq(run_new(&o, &run, &err), -EINVAL);
    ck_assert_msg(strstr(err.text, "wait_for=later: no job before d") != NULL, "%s", err.text);
}
END_TEST

/* The first to end takes its group with it, also what has not begun. */
START_TEST(test_exitall_ends_the_group)
{
    struct job jobs[] = {job_of("a", "exitall=1"), job_of("b", "runtime=60 time_based"),
                         job_of("c", "wait_for=b runtime=60 time_based"), job_of("d", "stonewall=1")};
    run_all(jobs, 4);
    ck_assert_uint_eq(ios(0), 256);
    ck_assert_uint_eq(ios(2), 0);
    ck_assert_uint_eq(ios(3), 256); /* another group */
}
END_TEST

START_TEST(test_exitall_ends_all_or_those_that_run)
{
    struct job jobs[] = {job_of("a", "exitall=1 exit_what=all"), job_of("b", "runtime=60 time_based"),
                         job_of("c", "stonewall=1")};
    run_all(jobs, 3);
    ck_assert_uint_eq(ios(2), 0);
    teardown();
    jobs[0] = job_of("a", "exitall=1 exit_what=stonewall");
    jobs[1] = job_of("b", "new_group=1 runtime=60 time_based");
    run_all(jobs, 3);
    ck_assert_uint_eq(ios(2), 256);
}
END_TEST

START_TEST(test_a_stop_ends_what_waits)
{
    struct job jobs[] = {job_of("a", "runtime=60 time_based"), job_of("b", "stonewall=1"), job_of("c", "stonewall=1")};
    struct run_opts o = {.jobs = jobs, .njobs = 3};
    ck_assert_int_eq(run_new(&o, &run, NULL), 0);
    order(ORDER_START, ORDER_ALL_JOBS);
    wait_for(RUN_RUNNING);
    order(ORDER_STOP, 1);
    order(ORDER_STOP, 0);
    wait_for(RUN_DONE);
    ck_assert_uint_eq(ios(1), 0);
    ck_assert_uint_eq(ios(2), 256);
    order(ORDER_START, ORDER_ALL_JOBS); /* and all begin anew */
    wait_for(RUN_RUNNING);
    order(ORDER_STOP, ORDER_ALL_JOBS);
    wait_for(RUN_DONE);
    ck_assert_uint_eq(ios(1) + ios(2), 0);
}
END_TEST

/* Each clone has a result, they sum up to the job's, and a clone that came back goes on in its own. */
START_TEST(test_results_of_clones_sum_up)
{
    struct job j = job_of("a", "numjobs=3 rate_iops=1000 runtime=60 time_based");
    struct run_opts o = {.jobs = &j, .njobs = 1};
    struct order fewer = {.kind = ORDER_RETUNE, .job = 0, .text = "numjobs=1"}, more = fewer;
    str_copy(more.text, sizeof(more.text), "numjobs=2");
    ck_assert_int_eq(run_new(&o, &run, NULL), 0);
    ck_assert_uint_eq(run_nclones(run, 0), 3);
    order(ORDER_START, ORDER_ALL_JOBS);
    wait_for(RUN_RUNNING);
    while (ios_of(run_result_clone(run, 0, 2)) < 10)
        clock_sleep_until(clock_now_ns() + NSEC_PER_MSEC);
    run_post(run, &fewer);
    run_post(run, &more);
    uint64_t before = ios_of(run_result_clone(run, 0, 1));
    while (ios_of(run_result_clone(run, 0, 1)) < before + 20)
        clock_sleep_until(clock_now_ns() + NSEC_PER_MSEC);
    order(ORDER_STOP, ORDER_ALL_JOBS);
    wait_for(RUN_DONE);
    struct run_job_result *all = run_result(run, 0);
    uint64_t sum = 0, ns = 0;
    ck_assert_uint_eq(run_nclones(run, 0), 3);
    for (unsigned k = 0; k < 3; k++) {
        struct run_job_result *one = run_result_clone(run, 0, k);
        ck_assert_uint_eq(one->clones, 1);
        ck_assert_uint_eq(hist_n(&one->sum.dir[DDIR_READ].clat), one->sum.dir[DDIR_READ].ios);
        ck_assert_uint_gt(one->marks.iops[DDIR_READ].n, 0);
        ns += one->clones_ns;
        sum += ios_of(one);
    }
    ck_assert_uint_eq(all->clones, 3);
    ck_assert_uint_eq(all->clones_ns, ns);
    ck_assert_uint_lt(ns, 3 * all->runtime_ns); /* one was gone for the rest */
    ck_assert_uint_eq(sum, ios_of(all));
}
END_TEST

START_TEST(test_ramp_is_taken_off_each_clone)
{
    struct job j = job_of("a", "numjobs=2 rate_iops=500 ramp_time=300ms runtime=200ms time_based");
    run_all(&j, 1);
    uint64_t sum = 0;
    for (unsigned k = 0; k < 2; k++) {
        struct run_job_result *one = run_result_clone(run, 0, k);
        double s = (double)one->runtime_ns / NSEC_PER_SEC, n = (double)one->sum.dir[DDIR_READ].ios;
        ck_assert_double_le(n, 500 * (s + 0.1)); /* 150 more with the ramp */
        ck_assert_double_le(one->marks.iops[DDIR_READ].mean, 500 * (s + 0.1) / s);
        sum += ios_of(one);
    }
    ck_assert_uint_eq(sum, ios(0));
}
END_TEST

START_TEST(test_spread)
{
    struct run_spread s = {0};
    ck_assert(run_spread_dev(&s) != run_spread_dev(&s)); /* unknown */
    run_spread_add(&s, 10);
    ck_assert_double_eq(run_spread_dev(&s), 0);
    run_spread_add(&s, 20);
    run_spread_add(&s, 30);
    ck_assert_double_eq(s.min, 10);
    ck_assert_double_eq(s.max, 30);
    ck_assert_double_eq(s.mean, 20);
    ck_assert_double_eq(run_spread_dev(&s), 10);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("run_order");
    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, test_a_stonewall_waits_for_all_before_it);
    tcase_add_test(t, test_a_job_waits_for_the_one_it_names);
    tcase_add_test(t, test_what_it_waits_for_stands_before_it_once);
    tcase_add_test(t, test_exitall_ends_the_group);
    tcase_add_test(t, test_exitall_ends_all_or_those_that_run);
    tcase_add_test(t, test_a_stop_ends_what_waits);
    tcase_add_test(t, test_results_of_clones_sum_up);
    tcase_add_test(t, test_ramp_is_taken_off_each_clone);
    tcase_add_test(t, test_spread);
    return suite_run("run_order", t);
}
