/* run_steady_test: the words of steady state, its measures against numbers by hand, and a job that ends by it. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "engine/run.h"
#include "tests/suite.h"

#define SOON_NS (20 * NSEC_PER_SEC) /* a bound for hangs, never waited for */

START_TEST(test_measures)
{
    struct run_second v[] = {{100, 1000}, {110, 1100}, {120, 1200}, {110, 900}};
    struct run_steady s = {.second = v, .n = 4};
    ck_assert_double_eq_tol(run_steady_measure(&s, JOB_STEADY_IOPS, false), 10, 1e-9);
    ck_assert_double_eq_tol(run_steady_measure(&s, JOB_STEADY_IOPS, true), 1000.0 / 110, 1e-9);
    ck_assert_double_eq_tol(run_steady_measure(&s, JOB_STEADY_IOPS_SLOPE, false), 4, 1e-9);
    ck_assert_double_eq_tol(run_steady_measure(&s, JOB_STEADY_BW, false), 150, 1e-9);
    ck_assert_double_eq_tol(run_steady_measure(&s, JOB_STEADY_BW_SLOPE, false), -20, 1e-9);
    s.n = 0;
    ck_assert(isnan(run_steady_measure(&s, JOB_STEADY_IOPS, true)));
}
END_TEST

START_TEST(test_words)
{
    static const struct {
        const char *text, *shown;
        enum job_steady_what what;
        double limit;
        bool pct;
    } good[] = {{"iops:2%", "iops:2%", JOB_STEADY_IOPS, 2, true},
                {"iops_slope:0.1%", "iops_slope:0.1%", JOB_STEADY_IOPS_SLOPE, 0.1, true},
                {"bw:100k", "bw:102400", JOB_STEADY_BW, 102400, false},
                {"bw_slope:5", "bw_slope:5", JOB_STEADY_BW_SLOPE, 5, false}};
    static const char *const bad[] = {"iops", "iops:", "iops:0", "lat:2%", "iops:x", "iops:-2%", "iops:2%%"};
    struct job j;
    char text[64];
    job_init(&j);
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        ck_assert_int_eq(job_set(&j, "ss", good[i].text, NULL), 0);
        ck_assert_int_eq(j.steady.what, good[i].what);
        ck_assert_double_eq(j.steady.limit, good[i].limit);
        ck_assert_int_eq(j.steady.pct, good[i].pct);
        job_get_named(&j, "steadystate", text, sizeof(text));
        ck_assert_str_eq(text, good[i].shown);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        ck_assert_msg(job_set(&j, "steadystate", bad[i], NULL) == -EINVAL, "%s", bad[i]);
    job_set(&j, "ioengine", "null", NULL);
    struct err err = {0};
    ck_assert_int_eq(job_check(&j, NULL, 0, &err), -EINVAL); /* no window */
    ck_assert_msg(strstr(err.text, "ss_dur") != NULL, "%s", err.text);
    job_set(&j, "ss_dur", "5", NULL);
    ck_assert_int_eq(job_check(&j, NULL, 0, NULL), 0);
}
END_TEST

/* The window is full after its ramp and two seconds, and a limit that nothing exceeds is then kept. */
START_TEST(test_a_job_ends_in_steady_state)
{
    struct job j;
    struct run *run;
    struct err err = {0};
    struct order start = {.kind = ORDER_START, .job = ORDER_ALL_JOBS};
    job_init(&j);
    static const char *const words[][2] = {{"ioengine", "null"}, {"size", "1m"},     {"rate_iops", "1000"},
                                           {"runtime", "60"},    {"time_based", "1"}, {"steadystate", "iops:99%"},
                                           {"ss_dur", "2"},      {"ss_ramp", "300ms"}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        ck_assert_int_eq(job_set(&j, words[i][0], words[i][1], NULL), 0);
    ck_assert_int_eq(job_check(&j, NULL, 0, NULL), 0);
    ck_assert_msg(run_new(&(struct run_opts){.jobs = &j, .njobs = 1}, &run, &err) == 0, "%s", err.text);
    run_post(run, &start);
    for (uint64_t end = clock_now_ns() + SOON_NS; run_state(run) != RUN_DONE;) {
        ck_assert(clock_now_ns() < end);
        clock_sleep_until(clock_now_ns() + NSEC_PER_MSEC);
    }
    struct run_job_result *res = run_result(run, 0);
    ck_assert(res->steady.attained);
    ck_assert_uint_eq(res->steady.n, 2);
    ck_assert_uint_ge(res->runtime_ns, 2300 * NSEC_PER_MSEC);
    ck_assert_double_eq_tol(res->steady.second[1].bytes_per_s, res->steady.second[1].iops * 4096, 1e-3);
    run_result_free(res);
    ck_assert(run_free(run, SOON_NS));
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("run_steady");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, test_measures);
    tcase_add_test(t, test_words);
    tcase_add_test(t, test_a_job_ends_in_steady_state);
    return suite_run("run_steady", t);
}
