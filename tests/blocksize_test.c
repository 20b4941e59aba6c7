/* blocksize, cover: shares of sizes, what fits, what is written wrongly, and every byte once a pass in mixed pieces. */
#include "engine/blocksize.h"

#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cover.h"

#define N(a) (int)(sizeof(a) / sizeof((a)[0]))
#define DRAWS 1000000

static void split(struct blocksize b[DDIRS], const char *text)
{
    struct err e = {0};
    ck_assert_msg(blocksize_parse_split(text, b, &e) == 0, "%s", e.text);
}

static const struct { const char *text; unsigned n; uint32_t size[4]; double share[4]; } splits[] = {
    {"4k/10:64k/50:32k/40", 3, {4096, 32768, 65536}, {0.1, 0.4, 0.5}},
    {"4k/50:1k/:32k/", 3, {1024, 4096, 32768}, {0.25, 0.5, 0.25}},
    {"8k", 1, {8192}, {1}},
    {"8k/:4k/0", 1, {8192}, {1}},
    {"512/33:3k/33:6k/34", 3, {512, 3072, 6144}, {0.33, 0.33, 0.34}},
};

/* Five standard deviations of a binomial share. */
static double slack(double p)
{
    return 5 * sqrt(p * (1 - p) / DRAWS) + 1e-9;
}

START_TEST(a_split_gives_its_shares)
{
    struct blocksize b[DDIRS];
    struct rng r;
    unsigned seen[4] = {0}, none = 0;
    double mean = 0;
    split(b, splits[_i].text);
    rng_seed(&r, 7);
    ck_assert_uint_eq(b[0].n, splits[_i].n);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t size = blocksize_draw(&b[2], &r);
        unsigned k = 0;
        while (k < splits[_i].n && splits[_i].size[k] != size)
            k++;
        k < splits[_i].n ? seen[k]++ : none++;
    }
    ck_assert_uint_eq(none, 0);
    for (unsigned k = 0; k < splits[_i].n; k++) {
        ck_assert_double_eq_tol(seen[k] / (double)DRAWS, splits[_i].share[k], slack(splits[_i].share[k]));
        ck_assert_double_eq_tol(blocksize_share(&b[1], k), splits[_i].share[k], 1e-6);
        mean += splits[_i].share[k] * splits[_i].size[k];
    }
    ck_assert_double_eq_tol(blocksize_mean(&b[0]), mean, 0.1);
}
END_TEST

START_TEST(each_direction_has_its_own)
{
    struct blocksize b[DDIRS];
    split(b, "2k/50:4k/50,4k/90:8k/10");
    ck_assert_uint_eq(b[DDIR_READ].max, 4096);
    ck_assert_uint_eq(b[DDIR_WRITE].max, 8192);
    ck_assert(blocksize_same(&b[DDIR_WRITE], &b[DDIR_TRIM]));
    ck_assert(!blocksize_same(&b[DDIR_READ], &b[DDIR_TRIM]));
    ck_assert_int_eq(blocksize_parse_range("1k-4k,2k-8k", false, b, NULL), 0);
    ck_assert_uint_eq(b[DDIR_READ].min, 1024);
    ck_assert_uint_eq(b[DDIR_TRIM].min, 2048);
    ck_assert_uint_eq(b[DDIR_TRIM].max, 8192);
}
END_TEST

START_TEST(a_range_is_even)
{
    struct blocksize b;
    struct rng r;
    unsigned seen[16] = {0}, odd = 0, out = 0;
    blocksize_range(&b, 4096, 67000, false); /* the largest multiple is 64k */
    rng_seed(&r, 7);
    ck_assert_uint_eq(b.max, 65536);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t size = blocksize_draw(&b, &r);
        odd += size % 4096 || size < 4096 || size > 65536;
        seen[(size / 4096 - 1) % 16]++;
    }
    ck_assert_uint_eq(odd, 0);
    for (int k = 0; k < 16; k++)
        ck_assert_double_eq_tol(seen[k] / (double)DRAWS, 1.0 / 16, slack(1.0 / 16));
    blocksize_range(&b, 1000, 3001, true);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t size = blocksize_draw(&b, &r);
        odd += size % 1000 != 0;
        out += size < 1000 || size > 3001;
    }
    ck_assert_uint_eq(out, 0);
    ck_assert_uint_gt(odd, DRAWS * 9 / 10);
}
END_TEST

START_TEST(what_fits)
{
    struct blocksize b[DDIRS];
    split(b, "4k/10:64k/50:32k/40");
    ck_assert_uint_eq(blocksize_fit(b, 4095), 0);
    ck_assert_uint_eq(blocksize_fit(b, 4096), 4096);
    ck_assert_uint_eq(blocksize_fit(b, 65535), 32768);
    ck_assert_uint_eq(blocksize_fit(b, 1ull << 40), 65536);
    blocksize_range(b, 4096, 65536, false);
    ck_assert_uint_eq(blocksize_fit(b, 20000), 16384);
    ck_assert(blocksize_multiple(b, 4096));
    ck_assert(!blocksize_multiple(b, 8192));
    split(b, "4k/50:6k/50");
    ck_assert(blocksize_multiple(b, 2048));
    ck_assert(!blocksize_multiple(b, 4096));
    blocksize_range(b, 4096, 65536, true);
    ck_assert(!blocksize_multiple(b, 512));
}
END_TEST

static const char *const bad[] = {"",          "4k/60:8k/60", "4k/30:8k/30", "4k/x",       "4k/101:8k/",
                                  "100/50:4k/50", "32m",      "4k/50:/50",   "4k,4k,4k,4k", "4k/50:8k/50,"};
static const char *const bad_range[] = {"", "4k", "64k-4k", "4k-", "4k-32m", "4k-8k,", "4k-8k-16k", "1-4k"};

START_TEST(wrong_words_are_told)
{
    struct blocksize b[DDIRS] = {{.min = 7}};
    struct err e = {0};
    bool range = _i >= N(bad);
    const char *text = range ? bad_range[_i - N(bad)] : bad[_i];
    int rc = range ? blocksize_parse_range(text, false, b, &e) : blocksize_parse_split(text, b, &e);
    ck_assert_msg(rc == -EINVAL, "%s was taken", text);
    ck_assert_msg(strstr(e.text, range ? "bsrange=" : "bssplit=") && strstr(e.text, text), "%s", e.text);
    ck_assert_uint_eq(b[0].min, 7);
}
END_TEST

static const uint64_t regions[] = {4096, 8192, 12288, 1 << 20, (1 << 20) + 4096 * 13, 97 * 4096, 4096 * 4099};
static const char *const mixes[] = {"4k/10:64k/50:32k/40", "4k/99:1m/1", "4k/50:12k/30:20k/20", "4k-64k", "4k-16k"};

static void parse_mix(const char *text, struct blocksize b[DDIRS])
{
    if (strchr(text, '-'))
        ck_assert_int_eq(blocksize_parse_range(text, false, b, NULL), 0);
    else
        split(b, text);
}

START_TEST(every_byte_once_a_pass)
{
    uint64_t bytes = regions[_i / N(mixes)], at;
    uint32_t len;
    struct blocksize b[DDIRS];
    struct cover c;
    struct cover_mix m;
    unsigned char *seen = malloc(bytes / 4096);
    parse_mix(mixes[_i % N(mixes)], b);
    cover_mix(&m, &b[0]);
    cover_init(&c, &m, bytes + 4095, (uint64_t)_i); /* a last partial block is not used */
    for (int pass = 0; pass < 3; pass++) {
        uint64_t sum = 0, twice = 0, wrong = 0;
        memset(seen, 0, bytes / 4096);
        while (sum < bytes) {
            cover_next(&c, &m, &at, &len);
            wrong += at % 4096 || !len || len % 4096 || len > b[0].max || at + len > bytes;
            for (uint64_t k = at / 4096; k < (at + len) / 4096; k++)
                twice += seen[k]++;
            sum += len;
        }
        ck_assert_uint_eq(sum, bytes);
        ck_assert_uint_eq(twice, 0);
        ck_assert_uint_eq(wrong, 0);
    }
    free(seen);
}
END_TEST

/* One pass over 1 GiB: the share of each size among the requests. */
START_TEST(a_pass_has_the_shares)
{
    struct blocksize b[DDIRS];
    struct cover c;
    struct cover_mix m;
    uint64_t at, bytes = 1ull << 30, n = 0, seen[17] = {0};
    uint32_t len;
    split(b, "4k/10:64k/50:32k/40");
    cover_mix(&m, &b[0]);
    cover_init(&c, &m, bytes, 5);
    for (uint64_t sum = 0; sum < bytes; sum += len, n++) {
        cover_next(&c, &m, &at, &len);
        seen[len / 4096]++;
    }
    ck_assert_double_eq_tol((double)seen[1] / (double)n, 0.10, 0.005);
    ck_assert_double_eq_tol((double)seen[8] / (double)n, 0.40, 0.005);
    ck_assert_double_eq_tol((double)seen[16] / (double)n, 0.50, 0.005);
    blocksize_range(b, 4096, 65536, false);
    cover_mix(&m, &b[0]);
    cover_init(&c, &m, bytes, 5);
    memset(seen, 0, sizeof(seen));
    n = 0;
    for (uint64_t sum = 0; sum < bytes; sum += len, n++) {
        cover_next(&c, &m, &at, &len);
        seen[len / 4096]++;
    }
    for (int k = 1; k <= 16; k++)
        ck_assert_double_eq_tol((double)seen[k] / (double)n, 1.0 / 16, 0.012);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("blocksize");
    TCase *c = tcase_create("blocksize");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, a_split_gives_its_shares, 0, N(splits));
    tcase_add_test(c, each_direction_has_its_own);
    tcase_add_test(c, a_range_is_even);
    tcase_add_test(c, what_fits);
    tcase_add_loop_test(c, wrong_words_are_told, 0, N(bad) + N(bad_range));
    tcase_add_loop_test(c, every_byte_once_a_pass, 0, N(regions) * N(mixes));
    tcase_add_test(c, a_pass_has_the_shares);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
