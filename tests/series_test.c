/* Tests of core/series: the time axis, means by time, gaps. */
#include "core/series.h"

#include <math.h>

#include "tests/suite.h"

#define S 1000000000ull
#define MS 1000000ull

static struct series s;

static void setup(void)
{
    ck_assert_int_eq(series_init(&s, 4, S), 0);
}

static void teardown(void)
{
    series_fini(&s);
}

START_TEST(an_empty_series_knows_nothing)
{
    ck_assert_double_nan(series_at(&s, 5 * S, 0));
    ck_assert_double_nan(series_max(&s, 5 * S, 4));
}
END_TEST

START_TEST(a_bucket_is_the_mean_by_time)
{
    series_add(&s, 10 * S + 250 * MS, 250 * MS, 100);
    series_add(&s, 10 * S + 1000 * MS, 750 * MS, 200); /* ends on the edge */
    ck_assert_double_eq_tol(series_at(&s, 11 * S, 0), 175, 1e-9);
    ck_assert_double_nan(series_at(&s, 11 * S, 1));
}
END_TEST

/* Ticks drift against the axis: 0.75 s of 1 and 0.25 s of 5 in the second bucket. */
START_TEST(a_tick_over_an_edge_is_shared)
{
    series_add(&s, 20 * S + 750 * MS, 1000 * MS, 1);
    series_add(&s, 21 * S + 750 * MS, 1000 * MS, 1);
    series_add(&s, 22 * S + 750 * MS, 1000 * MS, 5);
    ck_assert_double_eq_tol(series_at(&s, 22 * S + 750 * MS, 2), 1, 1e-9);
    ck_assert_double_eq_tol(series_at(&s, 22 * S + 750 * MS, 1), 0.75 * 1 + 0.25 * 5, 1e-9);
    ck_assert_double_eq_tol(series_at(&s, 22 * S + 750 * MS, 0), 5, 1e-9);
}
END_TEST

START_TEST(a_long_tick_fills_what_it_covers)
{
    series_add(&s, 30 * S, 100 * S, 7);
    for (size_t back = 0; back < 4; back++)
        ck_assert_double_eq(series_at(&s, 30 * S, back), 7);
    ck_assert_uint_eq(s.used, 4);
    ck_assert_double_nan(series_at(&s, 30 * S, 4));
}
END_TEST

START_TEST(what_is_skipped_is_a_gap)
{
    series_add(&s, 41 * S, S, 1);
    series_add(&s, 43 * S, S, 3); /* nothing in between */
    ck_assert_double_eq(series_at(&s, 43 * S, 0), 3);
    ck_assert_double_nan(series_at(&s, 43 * S, 1));
    ck_assert_double_eq(series_at(&s, 43 * S, 2), 1);
    series_add(&s, 44 * S, S, NAN);
    ck_assert_double_nan(series_at(&s, 44 * S, 0));
    ck_assert_double_eq(series_max(&s, 44 * S, 4), 3);
    ck_assert_double_nan(series_max(&s, 44 * S, 1));
}
END_TEST

START_TEST(unknown_beside_known_does_not_erase_it)
{
    series_add(&s, 50 * S + 500 * MS, 500 * MS, 4);
    series_add(&s, 51 * S, 500 * MS, NAN);
    ck_assert_double_eq(series_at(&s, 51 * S, 0), 4);
}
END_TEST

START_TEST(time_that_steps_back_is_ignored)
{
    series_add(&s, 60 * S, S, 1);
    series_add(&s, 58 * S, S, 9);
    ck_assert_double_eq(series_at(&s, 60 * S, 0), 1);
    ck_assert_double_nan(series_at(&s, 60 * S, 2));
}
END_TEST

START_TEST(the_oldest_falls_out)
{
    for (unsigned i = 1; i <= 10; i++)
        series_add(&s, (70 + i) * S, S, i);
    for (size_t back = 0; back < 4; back++)
        ck_assert_double_eq(series_at(&s, 80 * S, back), 10 - (double)back);
    ck_assert_double_nan(series_at(&s, 80 * S, 4));
    ck_assert_double_nan(series_at(&s, 81 * S, 0)); /* the future */
    ck_assert_double_eq(series_at(&s, 81 * S, 1), 10);
    ck_assert_double_eq(series_max(&s, 80 * S, 100), 10);
    series_add(&s, 1000 * S, S, 5); /* a leap over the whole ring */
    ck_assert_double_eq(series_at(&s, 1000 * S, 0), 5);
    for (size_t back = 1; back < 4; back++)
        ck_assert_double_nan(series_at(&s, 1000 * S, back));
}
END_TEST

/* A gauge has no interval. */
START_TEST(a_value_without_a_span_counts_where_it_is)
{
    series_add(&s, 90 * S + 1, 0, 3);
    ck_assert_double_eq(series_at(&s, 91 * S, 0), 3);
    ck_assert_double_nan(series_at(&s, 90 * S, 0));
    series_add(&s, 0, 0, 1);
    ck_assert_double_eq(series_at(&s, 91 * S, 0), 3);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("series");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, an_empty_series_knows_nothing);
    tcase_add_test(tc, a_bucket_is_the_mean_by_time);
    tcase_add_test(tc, a_tick_over_an_edge_is_shared);
    tcase_add_test(tc, a_long_tick_fills_what_it_covers);
    tcase_add_test(tc, what_is_skipped_is_a_gap);
    tcase_add_test(tc, unknown_beside_known_does_not_erase_it);
    tcase_add_test(tc, time_that_steps_back_is_ignored);
    tcase_add_test(tc, the_oldest_falls_out);
    tcase_add_test(tc, a_value_without_a_span_counts_where_it_is);
    return suite_run("series", tc);
}
