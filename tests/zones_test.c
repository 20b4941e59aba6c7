/* zones: shares of accesses and where they go, over many blocks and few, and what is written wrongly. */
#include "engine/zones.h"

#include <check.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#define DRAWS 1000000
#define N(a) (int)(sizeof(a) / sizeof((a)[0]))

static const struct {
    const char *text;
    bool absolute;
    unsigned n;
    double access[4], end[4]; /* share of the requests; end of the zone as a share of 1 GiB */
} rows[] = {
    {"60/10:30/20:8/30:2/40", false, 4, {0.6, 0.3, 0.08, 0.02}, {0.1, 0.3, 0.6, 1}},
    {"90/5:10/", false, 2, {0.9, 0.1}, {0.05, 1}},
    {"50/10:50/10", false, 2, {0.5, 0.5}, {0.1, 0.2}}, /* the rest is never touched */
    {"60/256m:30/128m:10/640m", true, 3, {0.6, 0.3, 0.1}, {0.25, 0.375, 1}},
};

START_TEST(each_zone_has_its_share)
{
    struct zones z[DDIRS];
    struct err e = {0};
    uint64_t n = _i < N(rows) ? 1 << 18 : 1ull << 40, seen[4] = {0}, out = 0;
    int row = _i % N(rows);
    uint64_t unit = (1ull << 30) / n ? (1ull << 30) / n : 1;
    if (rows[row].absolute)
        n = 1 << 18, unit = 4096;
    ck_assert_msg(zones_parse(rows[row].text, rows[row].absolute, z, &e) == 0, "%s", e.text);
    struct rng r;
    rng_seed(&r, 5);
    for (int i = 0; i < DRAWS; i++) {
        double at = ((double)zones_draw(&z[DDIR_TRIM], n, unit, &r) + 0.5) / (double)n;
        unsigned k = 0;
        while (k < rows[row].n && at >= rows[row].end[k])
            k++;
        k < rows[row].n ? seen[k]++ : out++;
    }
    ck_assert_uint_eq(out, 0);
    for (unsigned k = 0; k < rows[row].n; k++) {
        double p = rows[row].access[k];
        ck_assert_double_eq_tol((double)seen[k] / DRAWS, p, 5 * sqrt(p * (1 - p) / DRAWS) + 1e-4 * (n < 1 << 20));
    }
}
END_TEST

START_TEST(few_blocks_and_directions)
{
    struct zones z[DDIRS];
    struct rng r;
    uint64_t most = 0, second = 0;
    ck_assert_int_eq(zones_parse("99/1:1/99,100/100", false, z, NULL), 0);
    ck_assert_uint_eq(z[DDIR_READ].n, 2);
    ck_assert_uint_eq(z[DDIR_WRITE].n, 1);
    ck_assert_uint_eq(z[DDIR_TRIM].n, 1);
    rng_seed(&r, 5);
    for (int i = 0; i < 100000; i++) {
        uint64_t at = zones_draw(&z[DDIR_READ], 2, 4096, &r);
        most = at > most ? at : most;
        second += at;
    }
    ck_assert_uint_eq(most, 1);
    ck_assert(second > 350 && second < 650); /* half of one percent */
    ck_assert_uint_eq(zones_draw(&z[DDIR_READ], 1, 4096, &r), 0);
    ck_assert_uint_eq(zones_bytes(&z[DDIR_READ]), 0);
    ck_assert_int_eq(zones_parse("50/1m:50/3m", true, z, NULL), 0);
    ck_assert_uint_eq(zones_bytes(&z[DDIR_READ]), 4 << 20);
}
END_TEST

static const char *const bad[] = {"", "60/10", "60/10:50/10", "60/60:40/60", "x/10:40/60", "0/10:100/90", "100", "50/100:50/",
                                  "50/10:50/90,", "1/1,1/1,1/1,1/1"};

START_TEST(wrong_words_are_told)
{
    struct zones z[DDIRS] = {{.n = 77}};
    struct err e = {0};
    ck_assert_msg(zones_parse(bad[_i], false, z, &e) == -EINVAL, "%s was taken", bad[_i]);
    ck_assert_msg(strstr(e.text, "random_distribution=zoned:") && strstr(e.text, bad[_i]), "%s", e.text);
    ck_assert_uint_eq(z[0].n, 77);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("zones");
    TCase *c = tcase_create("zones");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, each_zone_has_its_share, 0, 2 * N(rows));
    tcase_add_test(c, few_blocks_and_directions);
    tcase_add_loop_test(c, wrong_words_are_told, 0, N(bad));
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
