/* Tests of core/hist: properties over many seeds against a sorted array. hist_tiny_test.c runs them again with
 * tiny constants, so nothing here relies on HIST_BITS but what says so. */
#include "core/hist.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/suite.h"

#define SEEDS 60
#define MAX_N 3000
#define HOUR_NS 3600000000000ull
#define TOLERANCE (1.0 / (2 * HIST_SUB)) /* 1/128 as built */

static uint64_t next(uint64_t *x) /* splitmix64 */
{
    uint64_t z = *x += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* 1 ns to 2 h, all magnitudes alike. */
static uint64_t next_value(uint64_t *x)
{
    unsigned bits = (unsigned)(next(x) % 43);
    uint64_t v = (1ull << bits) + (next(x) & ((1ull << bits) - 1));
    return v < 2 * HOUR_NS ? v : 2 * HOUR_NS;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

struct sample {
    uint64_t v[MAX_N];
    size_t n;
    uint64_t sum;
};

static void draw(struct sample *s, uint64_t *seed, struct hist *h)
{
    s->n = 1 + next(seed) % MAX_N;
    s->sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        s->v[i] = next_value(seed);
        s->sum += s->v[i];
        hist_record(h, s->v[i], 1);
    }
    qsort(s->v, s->n, sizeof *s->v, by_value);
}

static void assert_near(double got, uint64_t want)
{
    ck_assert_msg(fabs(got - (double)want) <= (double)want * TOLERANCE, "%.17g instead of %llu", got,
                  (unsigned long long)want);
}

static void assert_like_sorted(const struct hist *h, const struct sample *s)
{
    static const double pct[] = {0.01, 1, 5, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100};
    enum { N = sizeof pct / sizeof *pct };
    double got[N];
    ck_assert_uint_eq(hist_n(h), s->n);
    hist_percentiles(h, pct, N, got);
    for (int i = 0; i < N; i++) {
        size_t rank = (size_t)ceil(pct[i] * (double)s->n / 100 - 1e-9);
        assert_near(got[i], s->v[rank ? rank - 1 : 0]);
        ck_assert_double_eq(got[i], hist_percentile(h, pct[i]));
    }
    ck_assert_double_eq(hist_mean(h), (double)s->sum / (double)s->n);
}

START_TEST(buckets_cover_everything_without_gap)
{
    ck_assert_uint_eq(hist_lower(0), 0);
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        uint64_t lo = hist_lower(i), hi = hist_upper(i), mid = hist_mid(i);
        ck_assert(lo <= mid && mid <= hi);
        ck_assert_uint_eq(hist_index(lo), i);
        ck_assert_uint_eq(hist_index(mid), i);
        ck_assert_uint_eq(hist_index(hi), i);
        if (i + 1 < HIST_BUCKETS)
            ck_assert_uint_eq(hist_lower(i + 1), hi + 1);
        ck_assert((double)(mid - lo) <= (double)lo * TOLERANCE);
        ck_assert((double)(hi - mid) <= (double)hi * TOLERANCE);
        ck_assert(i >= 2 * HIST_SUB || lo == hi);
    }
    ck_assert_uint_eq(hist_upper(HIST_BUCKETS - 1), UINT64_MAX);
}
END_TEST

START_TEST(the_layout_is_fios)
{
    if (HIST_BITS != 6)
        return;
    ck_assert_uint_eq(hist_mid(hist_index(1000)), 1004); /* values that fio prints as bins */
    ck_assert_uint_eq(hist_mid(hist_index(127)), 127);
    ck_assert_uint_eq(hist_mid(hist_index(128)), 129);
    ck_assert_uint_eq(hist_mid(hist_index(1000000)), 1003520);
    ck_assert(sizeof(struct hist) < 32 * 1024);
}
END_TEST

START_TEST(percentiles_and_mean_are_those_of_a_sorted_array)
{
    static struct hist h;
    static struct sample s;
    uint64_t seed = (uint64_t)_i;
    hist_init(&h);
    draw(&s, &seed, &h);
    assert_like_sorted(&h, &s);
    ck_assert_uint_eq(h.min, s.v[0]);
    ck_assert_uint_eq(h.max, s.v[s.n - 1]);
    ck_assert_double_eq(hist_percentile(&h, 100), fmin(hist_percentile(&h, 100), (double)s.v[s.n - 1]));
}
END_TEST

START_TEST(merging_is_recording_both)
{
    static struct hist a, b, both;
    static struct sample sa, sb, s;
    uint64_t seed = 1000 + (uint64_t)_i, again = seed;
    hist_init(&a);
    hist_init(&b);
    hist_init(&both);
    draw(&sa, &seed, &a);
    draw(&sb, &seed, &b);
    draw(&s, &again, &both);
    draw(&s, &again, &both);
    hist_merge(&a, &b);
    ck_assert_mem_eq(&a, &both, sizeof a);
    hist_init(&b);
    hist_merge(&a, &b); /* nothing added, nothing changed */
    ck_assert_mem_eq(&a, &both, sizeof a);
}
END_TEST

START_TEST(subtracting_leaves_the_interval)
{
    static struct hist h, before;
    static struct sample old, s;
    uint64_t seed = 2000 + (uint64_t)_i;
    hist_init(&h);
    draw(&old, &seed, &h);
    hist_snapshot(&before, &h);
    draw(&s, &seed, &h);
    hist_sub(&h, &before);
    assert_like_sorted(&h, &s);
    ck_assert(h.min <= s.v[0] && hist_upper(hist_index(h.min)) >= s.v[0]);
    ck_assert(h.max >= s.v[s.n - 1] && hist_lower(hist_index(h.max)) <= s.v[s.n - 1]);
    if (s.v[0] < old.v[0])
        ck_assert_uint_eq(h.min, s.v[0]); /* a new extreme is exact */
    if (s.v[s.n - 1] > old.v[old.n - 1])
        ck_assert_uint_eq(h.max, s.v[s.n - 1]);
}
END_TEST

START_TEST(nothing_is_left_of_equal_ones)
{
    static struct hist h, before, empty;
    static struct sample s;
    uint64_t seed = 3;
    hist_init(&h);
    hist_init(&empty);
    draw(&s, &seed, &h);
    hist_snapshot(&before, &h);
    ck_assert_mem_eq(&before, &h, sizeof h);
    hist_sub(&h, &before);
    ck_assert_mem_eq(&h, &empty, sizeof h);
}
END_TEST

START_TEST(a_cleared_one_is_as_a_new_one)
{
    static struct hist fresh, h, before;
    struct sample s;
    uint64_t seed = (uint64_t)_i;
    hist_init(&fresh);
    hist_init(&h);
    draw(&s, &seed, &h);
    hist_snapshot(&before, &h);
    draw(&s, &seed, &h);
    if (_i % 2)
        hist_sub(&h, &before); /* min and max are narrower than what was in use */
    hist_clear(&h);
    ck_assert_mem_eq(&h, &fresh, sizeof h);
    hist_clear(&h); /* of an empty one */
    ck_assert_mem_eq(&h, &fresh, sizeof h);
}
END_TEST

START_TEST(a_torn_pair_never_goes_below_zero)
{
    static struct hist h, before;
    hist_init(&h);
    hist_init(&before);
    hist_record(&h, 10, 5);
    hist_record(&h, 1000, 1);
    hist_record(&before, 10, 7); /* as if read later than h */
    hist_record(&before, 100000, 1);
    hist_sub(&h, &before);
    ck_assert_uint_eq(hist_n(&h), 1);
    ck_assert_uint_eq(h.count[hist_index(10)], 0);
    ck_assert_uint_eq(h.sum, 0);
    double mean = hist_mean(&h);
    ck_assert(mean >= (double)h.min && mean <= (double)h.max);
    assert_near(mean, 1000);
}
END_TEST

START_TEST(empty_is_unknown)
{
    static struct hist h;
    static const double pct[] = {50, 99};
    double v[2] = {1, 1};
    hist_init(&h);
    ck_assert_uint_eq(hist_n(&h), 0);
    ck_assert_double_nan(hist_mean(&h));
    ck_assert_double_nan(hist_stddev(&h));
    ck_assert_double_nan(hist_percentile(&h, 50));
    hist_percentiles(&h, pct, 2, v);
    ck_assert(isnan(v[0]) && isnan(v[1]));
    ck_assert_uint_eq(hist_nonempty(&h), 0);
}
END_TEST

/* Small values are exact, so the rank itself shows: 99.9 % of 1000 is the 999th, not the last. */
START_TEST(ranks_are_nearest_ranks)
{
    static struct hist h;
    hist_init(&h);
    hist_record(&h, 1, 998);
    hist_record(&h, 2, 1);
    hist_record(&h, 3, 1);
    ck_assert_double_eq(hist_percentile(&h, 99.8), 1);
    ck_assert_double_eq(hist_percentile(&h, 99.9), 2);
    ck_assert_double_eq(hist_percentile(&h, 99.91), 3);
    ck_assert_double_eq(hist_percentile(&h, 100), 3);
    ck_assert_double_eq(hist_percentile(&h, 1e-9), 1);
}
END_TEST

START_TEST(one_value_is_itself)
{
    static const uint64_t v[] = {0, 1, 127, 128, 999983, HOUR_NS + 1, 1ull << 62};
    static struct hist h;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        hist_init(&h);
        hist_record(&h, v[i], 2);
        ck_assert_double_eq(hist_percentile(&h, 50), (double)v[i]);
        ck_assert_double_eq(hist_mean(&h), (double)v[i]);
        ck_assert_double_eq(hist_stddev(&h), 0);
        ck_assert_uint_eq(h.min, v[i]);
        ck_assert_uint_eq(h.max, v[i]);
    }
    hist_init(&h);
    hist_record(&h, UINT64_MAX, 1);
    ck_assert_double_eq(hist_percentile(&h, 50), (double)UINT64_MAX);
}
END_TEST

START_TEST(stddev_is_that_of_a_sample)
{
    static struct hist h;
    hist_init(&h);
    for (uint64_t v = 1; v <= 7; v++)
        hist_record(&h, v, 1);
    ck_assert_double_eq_tol(hist_stddev(&h), 2.160246899469287, 1e-12);
}
END_TEST

START_TEST(bins_hold_what_is_there)
{
    static struct hist h;
    static struct sample s;
    static struct hist_bin bin[HIST_BUCKETS];
    uint64_t seed = 4, sum = 0;
    hist_init(&h);
    draw(&s, &seed, &h);
    size_t n = hist_nonempty(&h);
    ck_assert_uint_eq(hist_bins(&h, bin, HIST_BUCKETS), n);
    for (size_t i = 0; i < n; i++) {
        ck_assert(bin[i].count > 0 && (i == 0 || bin[i].index > bin[i - 1].index));
        ck_assert_uint_eq(bin[i].count, h.count[bin[i].index]);
        sum += bin[i].count;
    }
    ck_assert_uint_eq(sum, s.n);
    ck_assert_uint_eq(hist_bins(&h, bin, 2), 2);
}
END_TEST

START_TEST(zero_pages_need_only_the_lazy_start)
{
    struct hist *h = mmap(NULL, sizeof *h, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(h != MAP_FAILED);
    hist_init_lazy(h);
    ck_assert_uint_eq(hist_n(h), 0);
    hist_record(h, 5, 1);
    ck_assert_uint_eq(hist_n(h), 1);
    ck_assert_uint_eq(h->min, 5);
    munmap(h, sizeof *h);
}
END_TEST

#define WRITES 200000
static struct hist shared; /* of the writer below */

static void *write_values(void *arg)
{
    uint64_t seed = 5;
    for (int i = 0; i < WRITES; i++)
        hist_record(&shared, next_value(&seed), 1);
    return NULL;
}

START_TEST(a_reader_beside_the_writer_loses_nothing)
{
    static struct hist now, before, total, interval;
    pthread_t writer;
    hist_init(&shared);
    hist_init(&before);
    hist_init(&total);
    ck_assert_int_eq(pthread_create(&writer, NULL, write_values, NULL), 0);
    for (uint64_t n = 0; n < WRITES;) {
        hist_snapshot(&now, &shared);
        interval = now;
        hist_sub(&interval, &before);
        ck_assert(hist_n(&now) >= n);
        ck_assert_uint_eq(hist_n(&interval), hist_n(&now) - n);
        n = hist_n(&now);
        hist_merge(&total, &interval);
        before = now;
    }
    pthread_join(writer, NULL);
    ck_assert_uint_eq(hist_n(&total), WRITES);
    ck_assert_mem_eq(total.count, shared.count, sizeof total.count);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("hist");
    tcase_add_test(tc, buckets_cover_everything_without_gap);
    tcase_add_test(tc, the_layout_is_fios);
    tcase_add_loop_test(tc, percentiles_and_mean_are_those_of_a_sorted_array, 0, SEEDS);
    tcase_add_loop_test(tc, merging_is_recording_both, 0, SEEDS);
    tcase_add_loop_test(tc, subtracting_leaves_the_interval, 0, SEEDS);
    tcase_add_loop_test(tc, a_cleared_one_is_as_a_new_one, 0, SEEDS);
    tcase_add_test(tc, nothing_is_left_of_equal_ones);
    tcase_add_test(tc, a_torn_pair_never_goes_below_zero);
    tcase_add_test(tc, empty_is_unknown);
    tcase_add_test(tc, ranks_are_nearest_ranks);
    tcase_add_test(tc, one_value_is_itself);
    tcase_add_test(tc, stddev_is_that_of_a_sample);
    tcase_add_test(tc, bins_hold_what_is_there);
    tcase_add_test(tc, zero_pages_need_only_the_lazy_start);
    tcase_add_test(tc, a_reader_beside_the_writer_loses_nothing);
    return suite_run("hist", tc);
}
