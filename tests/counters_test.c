/* counters: sums and differences of workers' counters; untouched directions stay empty. */
#include "engine/counters.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static void did(struct counters *c, enum ddir d, uint64_t ns, uint64_t n)
{
    counter_add(&c->dir[d].ios, n);
    counter_add(&c->dir[d].bytes, n * 4096);
    hist_record(&c->dir[d].clat, ns, n);
}

static struct counters *private_counters(void)
{
    struct counters *c = counters_map(1);
    ck_assert_ptr_nonnull(c);
    return c;
}

START_TEST(fresh_ones_are_empty)
{
    struct counters *c = counters_map(3);
    ck_assert_ptr_nonnull(c);
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < DDIRS; d++) {
            ck_assert_uint_eq(c[i].dir[d].ios, 0);
            ck_assert_uint_eq(hist_n(&c[i].dir[d].clat), 0);
            ck_assert(isnan(hist_mean(&c[i].dir[d].rlat)));
        }
    did(&c[2], DDIR_WRITE, 5, 1); /* the first value is both min and max */
    ck_assert_uint_eq(c[2].dir[DDIR_WRITE].clat.min, 5);
    ck_assert_uint_eq(c[2].dir[DDIR_WRITE].clat.max, 5);
    counters_unmap(c, 3);
    counters_unmap(NULL, 3);
}
END_TEST

START_TEST(sums_add_up)
{
    struct counters *a = private_counters(), *b = private_counters(), *sum = private_counters();
    did(a, DDIR_READ, 100, 3);
    did(b, DDIR_READ, 50, 1);
    did(b, DDIR_TRIM, 9, 2);
    counter_add(&b->dir[DDIR_WRITE].errors, 1); /* a direction that did nothing but fail */
    counter_add(&b->syncs, 1);
    hist_record(&b->sync_lat, 77, 1);
    counters_add(sum, a);
    counters_add(sum, b);
    ck_assert_uint_eq(sum->dir[DDIR_READ].ios, 4);
    ck_assert_uint_eq(sum->dir[DDIR_READ].bytes, 4 * 4096);
    ck_assert_uint_eq(hist_n(&sum->dir[DDIR_READ].clat), 4);
    ck_assert_uint_eq(sum->dir[DDIR_READ].clat.min, 50);
    ck_assert_uint_eq(sum->dir[DDIR_READ].clat.max, 100);
    ck_assert_uint_eq(sum->dir[DDIR_TRIM].ios, 2);
    ck_assert_uint_eq(sum->dir[DDIR_WRITE].errors, 1);
    ck_assert_uint_eq(sum->dir[DDIR_WRITE].ios, 0);
    ck_assert_uint_eq(sum->syncs, 1);
    ck_assert_uint_eq(hist_n(&sum->sync_lat), 1);
    counters_unmap(a, 1);
    counters_unmap(b, 1);
    counters_unmap(sum, 1);
}
END_TEST

START_TEST(differences_are_what_came_since)
{
    struct counters *live = private_counters(), *before = private_counters(), *now = private_counters();
    did(live, DDIR_READ, 100, 5);
    counters_add(before, live);
    did(live, DDIR_READ, 20000, 2);
    counter_add(&live->dir[DDIR_READ].short_ios, 1);
    did(live, DDIR_WRITE, 7, 1);
    counters_add(now, live);
    counters_sub(now, before);
    ck_assert_uint_eq(now->dir[DDIR_READ].ios, 2);
    ck_assert_uint_eq(now->dir[DDIR_READ].bytes, 2 * 4096);
    ck_assert_uint_eq(now->dir[DDIR_READ].short_ios, 1);
    ck_assert_uint_eq(hist_n(&now->dir[DDIR_READ].clat), 2);
    ck_assert_double_eq_tol(hist_percentile(&now->dir[DDIR_READ].clat, 50), 20000, 20000 / 128.0);
    ck_assert_uint_eq(hist_n(&now->dir[DDIR_WRITE].clat), 1);
    counters_unmap(live, 1);
    counters_unmap(before, 1);
    counters_unmap(now, 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("counters");
    TCase *c = tcase_create("counters");
    suite_add_tcase(s, c);
    tcase_add_test(c, fresh_ones_are_empty);
    tcase_add_test(c, sums_add_up);
    tcase_add_test(c, differences_are_what_came_since);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
