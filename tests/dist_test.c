/* dist: zipf and pareto against their exact distribution (chi-square), also over 2^33 blocks; the centre, the
 * deviation, and what is told to who writes it wrongly. */
#include "engine/dist.h"

#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 1000000

/* Where chi-square with df degrees of freedom is exceeded once in a million (Wilson and Hilferty 1931). */
static double chi_limit(unsigned df)
{
    double a = 2.0 / (9 * df), x = 1 - a + 4.75 * sqrt(a);
    return df * x * x * x;
}

static double chi_square(const uint64_t *seen, const double *chance, unsigned bins, double draws)
{
    double sum = 0;
    for (unsigned i = 0; i < bins; i++) {
        double want = chance[i] * draws;
        ck_assert_msg(want > 5 || want == 0, "bin %u is too small to judge: %g", i, want);
        sum += want > 0 ? (seen[i] - want) * (seen[i] - want) / want : seen[i] * 1e9;
    }
    return sum;
}

/* Sum of k^-theta over a < k <= b: term by term where it is short, else by Euler and Maclaurin, whose next term is
 * below 1e-15 of the sum from k = 1000 on. */
static double zeta(double theta, double a, double b)
{
    double sum = 0;
    for (; a < b && a < 1000; a++)
        sum += pow(a + 1, -theta);
    if (a >= b)
        return sum;
    double p = 1 - theta, lo = a + 1;
    double whole = p == 0 ? log(b / lo) : (pow(b, p) - pow(lo, p)) / p;
    double ends = (pow(lo, -theta) + pow(b, -theta)) / 2;
    return sum + whole + ends + theta / 12 * (pow(lo, -theta - 1) - pow(b, -theta - 1));
}

/* Every rank to 64 has a bin, then each half octave; what is too rare joins the bin before it. */
static unsigned bin_edges(double n, double *edge)
{
    unsigned bins = 0;
    double e = 0;
    edge[0] = 0;
    while (e < n) {
        e = e < 64 ? e + 1 : ceil(e * 1.41421356);
        edge[++bins] = e < n ? e : n;
    }
    return bins;
}

static unsigned find(const double *edge, unsigned bins, double x)
{
    unsigned lo = 0, hi = bins;
    while (hi - lo > 1) {
        unsigned mid = (lo + hi) / 2;
        if (edge[mid] <= x)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static void judge(struct dist *d, double (*share)(const struct dist *, double, double))
{
    static double edge[256], chance[256];
    static uint64_t seen[256];
    unsigned all = bin_edges((double)d->n, edge), bins = 0;
    for (unsigned i = 0; i < all; i++) { /* merge what is rare */
        double c = share(d, edge[bins], edge[i + 1]);
        edge[bins + 1] = edge[i + 1];
        chance[bins] = c;
        if (c * DRAWS > 10)
            bins++;
    }
    if (bins && edge[bins] < (double)d->n) {
        edge[bins] = (double)d->n;
        chance[bins - 1] = share(d, edge[bins - 1], edge[bins]);
    }
    struct rng r;
    rng_seed(&r, 12345);
    memset(seen, 0, sizeof(seen));
    uint64_t most = 0;
    for (int i = 0; i < DRAWS; i++) {
        uint64_t k = dist_rank(d, &r);
        most = k > most ? k : most;
        seen[find(edge, bins, (double)k)]++;
    }
    ck_assert_uint_lt(most, d->n);
    if (bins < 2)
        return;
    double x = chi_square(seen, chance, bins, DRAWS);
    ck_assert_msg(x < chi_limit(bins - 1), "%g over %lu: chi-square %g over %u bins, limit %g", d->spec.param, d->n,
                  x, bins, chi_limit(bins - 1));
}

static double zipf_share(const struct dist *d, double a, double b)
{
    return zeta(d->spec.param, a, b) / zeta(d->spec.param, 0, (double)d->n);
}

static double pareto_share(const struct dist *d, double a, double b)
{
    double e = log1p(-d->spec.param) / log(d->spec.param);
    return pow(b / (double)d->n, e) - pow(a / (double)d->n, e);
}

static const uint64_t sizes[] = {1, 2, 17, 1000, 1ull << 33, 1ull << 40};
static const double thetas[] = {0.3, 0.99, 1.0, 1.05, 1.2, 2.0};
static const double hs[] = {0.05, 0.2, 0.9};
#define N(a) (int)(sizeof(a) / sizeof((a)[0]))

START_TEST(zipf_is_exact)
{
    struct dist d;
    dist_init(&d, &(struct dist_spec){DIST_ZIPF, thetas[_i / N(sizes)], -1}, sizes[_i % N(sizes)], true, 1);
    judge(&d, zipf_share);
}
END_TEST

START_TEST(pareto_is_exact)
{
    struct dist d;
    dist_init(&d, &(struct dist_spec){DIST_PARETO, hs[_i / N(sizes)], -1}, sizes[_i % N(sizes)], true, 1);
    judge(&d, pareto_share);
}
END_TEST

/* Ranks become blocks one to one, the first one at the centre. */
START_TEST(ranks_are_scattered_one_to_one)
{
    static const double centers[] = {0, 0.25, 0.5, 1};
    uint64_t n = _i < 4 ? 1000 : 4096;
    struct dist d;
    unsigned char seen[4096] = {0};
    dist_init(&d, &(struct dist_spec){DIST_ZIPF, 50, centers[_i % 4]}, n, true, (uint64_t)_i);
    struct rng r;
    rng_seed(&r, 3);
    uint64_t want = (uint64_t)((double)n * centers[_i % 4]);
    ck_assert_uint_eq(dist_next(&d, &r), want < n ? want : n - 1); /* theta 50: always rank 1 */
    for (uint64_t k = 0; k < n; k++) {
        uint64_t block = (perm_place(&d.perm, k) + d.shift) % n;
        if (seen[block]++)
            ck_abort_msg("block %lu twice", block);
    }
}
END_TEST

/* Far ranks, each with a chance of about 2^-40, are drawn without gaps or lumps: odd and even alike. */
START_TEST(far_ranks_are_reached)
{
    struct dist d;
    dist_init(&d, &(struct dist_spec){DIST_ZIPF, 0.9, -1}, 1ull << 40, false, 1);
    struct rng r;
    rng_seed(&r, 3);
    unsigned odd = 0, far = 0;
    for (int i = 0; i < 200000; i++) {
        uint64_t k = dist_rank(&d, &r);
        far += k >= 1ull << 39;
        odd += k >= 1ull << 39 && k & 1;
    }
    ck_assert_uint_gt(far, 10000);
    ck_assert_double_eq_tol((double)odd / far, 0.5, 5 * 0.5 / sqrt(far));
}
END_TEST

START_TEST(normal_has_its_centre_and_deviation)
{
    static const struct { double dev, center, want; } rows[] = {{0, -1, 1000.0 / 12}, {10, 0.5, 88.192}, {0, 0.25, 1000.0 / 12}};
    struct dist d;
    double center = rows[_i].center < 0 ? 0.5 : rows[_i].center, sum = 0, squares = 0;
    dist_init(&d, &(struct dist_spec){DIST_NORMAL, rows[_i].dev, rows[_i].center}, 1000, true, 1);
    struct rng r;
    rng_seed(&r, 3);
    for (int i = 0; i < DRAWS; i++) {
        double x = (double)dist_next(&d, &r) + 0.5;
        sum += x;
        squares += x * x;
    }
    double mean = sum / DRAWS;
    ck_assert_double_eq_tol(mean, 1000 * center, rows[_i].center == 0.25 ? 3 : 0.5);
    ck_assert_double_eq_tol(sqrt(squares / DRAWS - mean * mean), rows[_i].want, rows[_i].center == 0.25 ? 4 : 0.5);
}
END_TEST

static const struct { const char *text; enum dist_kind kind; double param, center; const char *rest; } good[] = {
    {"random", DIST_RANDOM, 0, -1, ""},           {"zipf", DIST_ZIPF, 1.1, -1, ""},
    {"zipf:1.2:0.25", DIST_ZIPF, 1.2, 0.25, NULL}, {"pareto:0.3", DIST_PARETO, 0.3, -1, NULL},
    {"normal:10", DIST_NORMAL, 10, -1, NULL},      {"gauss", DIST_NORMAL, 0, -1, ""},
    {"zoned:50/5:50/", DIST_ZONED, 0, -1, "50/5:50/"}, {"zoned_abs:60/20g", DIST_ZONED_ABS, 0, -1, "60/20g"},
};

START_TEST(words_are_read)
{
    struct dist_spec s;
    const char *rest;
    ck_assert_int_eq(dist_parse("random_distribution", good[_i].text, &s, &rest, NULL), 0);
    ck_assert_int_eq(s.kind, good[_i].kind);
    ck_assert_double_eq(s.param, good[_i].param);
    ck_assert_double_eq(s.center, good[_i].center);
    if (good[_i].rest)
        ck_assert_str_eq(rest, good[_i].rest);
}
END_TEST

static const struct { const char *text, *says; } bad[] = {
    {"zip", "must be random, zipf"}, {"zipf:0", "theta"},   {"zipf:x", "theta"},      {"zipf:1.2:2", "centre"},
    {"pareto:1", "h must be"},       {"pareto:-1", "h must"}, {"normal:100", "deviation"}, {"random:3", "no numbers"},
    {"zipf:1.2z", "theta"},          {"zipf:nan", "theta"},
};

START_TEST(wrong_words_are_told)
{
    struct dist_spec s = {.param = 7};
    const char *rest;
    struct err e = {0};
    ck_assert_int_eq(dist_parse("random_distribution", bad[_i].text, &s, &rest, &e), -EINVAL);
    ck_assert_msg(strstr(e.text, bad[_i].says) && strstr(e.text, bad[_i].text), "%s", e.text);
    ck_assert_double_eq(s.param, 7);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("dist");
    TCase *c = tcase_create("dist");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, zipf_is_exact, 0, N(sizes) * N(thetas));
    tcase_add_loop_test(c, pareto_is_exact, 0, N(sizes) * N(hs));
    tcase_add_loop_test(c, ranks_are_scattered_one_to_one, 0, 8);
    tcase_add_test(c, far_ranks_are_reached);
    tcase_add_loop_test(c, normal_has_its_centre_and_deviation, 0, 3);
    tcase_add_loop_test(c, words_are_read, 0, N(good));
    tcase_add_loop_test(c, wrong_words_are_told, 0, N(bad));
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
