/* What is written is as compressible and as repeated as was asked: measured with zlib and by comparing blocks. */
#include "engine/data.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "engine/buffer.h"

struct made { /* n blocks of bs, as one worker would write them */
    unsigned char *byte;
    size_t n, bs;
};

static struct job_content words(void)
{
    return (struct job_content){.scramble_buffers = true, .compress_chunk = 512, .dedupe_set_pct = 5};
}

static struct made make(const struct job_content *j, size_t n, size_t bs, uint64_t seed)
{
    struct made m = {calloc(n, bs), n, bs};
    struct data_spec s;
    struct data d;
    ck_assert_int_eq(data_plan(j, n, &s, NULL), 0);
    ck_assert_int_ne(s.how, DATA_SHARED);
    data_init(&d, seed);
    unsigned char *slot = calloc(1, bs);
    for (size_t i = 0; i < n; i++) {
        data_next(&d, &s, i * bs, slot, bs, bs);
        memcpy(m.byte + i * bs, slot, bs);
    }
    free(slot);
    return m;
}

static size_t zipped(const void *p, size_t n)
{
    uLongf len = compressBound(n);
    unsigned char *out = malloc(len);
    ck_assert_int_eq(compress2(out, &len, p, n, 6), Z_OK);
    free(out);
    return len;
}

static double saved_pct(const struct made *m, size_t piece)
{
    size_t total = m->n * m->bs, small = 0;
    for (size_t at = 0; at < total; at += piece)
        small += zipped(m->byte + at, piece);
    return 100.0 - 100.0 * (double)small / (double)total;
}

static int by_hash(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t hash(const unsigned char *p, size_t n) /* FNV-1a */
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3ull;
    return h;
}

static double repeated_pct(const struct made *m)
{
    uint64_t *h = calloc(m->n, sizeof(*h));
    size_t different = 1;
    for (size_t i = 0; i < m->n; i++)
        h[i] = hash(m->byte + i * m->bs, m->bs);
    qsort(h, m->n, sizeof(*h), by_hash);
    for (size_t i = 1; i < m->n; i++)
        different += h[i] != h[i - 1];
    free(h);
    return 100.0 - 100.0 * (double)different / (double)m->n;
}

static const size_t sizes[] = {4096, 8192, 16384, 65536, 1 << 20};
static const unsigned shares[] = {10, 25, 50, 70, 90};
#define TOTAL (1u << 20)

START_TEST(compresses_as_asked)
{
    size_t bs = sizes[_i];
    uint64_t chunks[] = {512, 4096, 0};
    for (size_t c = 0; c < 3; c++)
        for (size_t k = 0; k < 5; k++) {
            struct job_content j = words();
            j.compress_pct = shares[k];
            j.compress_chunk = chunks[c];
            struct made m = make(&j, TOTAL / bs, bs, 7);
            double block = saved_pct(&m, bs), whole = saved_pct(&m, TOTAL);
            ck_assert_msg(fabs(block - shares[k]) < 2, "bs %zu chunk %d: asked %u, a block %.2f", bs,
                          (int)chunks[c], shares[k], block);
            ck_assert_msg(fabs(whole - shares[k]) < 2, "bs %zu chunk %d: asked %u, all %.2f", bs, (int)chunks[c],
                          shares[k], whole);
            ck_assert_double_lt(repeated_pct(&m), 0.001);
            free(m.byte);
        }
}
END_TEST

START_TEST(repeats_as_asked)
{
    for (unsigned mode = DATA_REPEAT; mode <= DATA_WORKING_SET; mode++)
        for (size_t k = 0; k < 5; k++)
            for (size_t b = 0; b < 2; b++) {
                struct job_content j = words();
                j.dedupe_pct = shares[k];
                j.dedupe_mode = mode;
                struct made m = make(&j, 1000, b ? 4096 : 512, 3);
                double pct = repeated_pct(&m);
                ck_assert_msg(fabs(pct - shares[k]) < 0.5, "mode %u: asked %u, has %.2f", mode, shares[k], pct);
                ck_assert_double_lt(saved_pct(&m, m.bs), 0.001); /* and each is random */
                free(m.byte);
            }
}
END_TEST

START_TEST(both_at_once)
{
    for (size_t k = 0; k < 5; k++)
        for (size_t i = 0; i < 5; i++) {
            struct job_content j = words();
            j.compress_pct = shares[i];
            j.dedupe_pct = shares[k];
            struct made m = make(&j, 400, 8192, 5);
            ck_assert_double_lt(fabs(repeated_pct(&m) - shares[k]), 2);
            ck_assert_double_lt(fabs(saved_pct(&m, m.bs) - shares[i]), 2);
            free(m.byte);
        }
}
END_TEST

/* The working set is what was written first, and all of it is used. */
START_TEST(duplicates_are_of_the_working_set)
{
    struct job_content j = words();
    j.dedupe_pct = 90;
    j.dedupe_mode = DATA_WORKING_SET;
    j.dedupe_set_pct = 2;
    struct made m = make(&j, 1000, 512, 9);
    unsigned seen[1000] = {0}, first[1000], different = 0, more = 0;
    for (size_t i = 0; i < m.n; i++) {
        unsigned k = 0;
        while (k < different && memcmp(m.byte + first[k] * 512, m.byte + i * 512, 512))
            k++;
        if (k == different)
            first[different++] = (unsigned)i;
        seen[k]++;
    }
    for (unsigned k = 0; k < different; k++)
        more += seen[k] > 1;
    ck_assert_uint_eq(different, 100);
    ck_assert_uint_le(more, 20);
    ck_assert_uint_ge(more, 18);
    free(m.byte);
}
END_TEST

START_TEST(no_two_blocks_are_alike)
{
    struct job_content j = words();
    for (j.refill_buffers = false;; j.refill_buffers = true) {
        struct made a = make(&j, 512, 4096, 1), b = make(&j, 512, 4096, 2);
        struct made all = {malloc(2 * 512 * 4096), 2 * 512 * 8, 512}; /* no sector of either */
        memcpy(all.byte, a.byte, 512 * 4096);
        memcpy(all.byte + 512 * 4096, b.byte, 512 * 4096);
        ck_assert_double_lt(repeated_pct(&all), 1e-9);
        ck_assert_double_lt(saved_pct(&a, 4096), 0.001);
        ck_assert(j.refill_buffers ==
                  (memcmp(a.byte + 8, a.byte + 4096 + 8, 504) != 0)); /* in all but a word a sector */
        free(a.byte);
        free(b.byte);
        free(all.byte);
        if (j.refill_buffers)
            break;
    }
}
END_TEST

/* A larger block later on in memory that a smaller one used first. */
START_TEST(a_slot_is_filled_whole)
{
    struct job_content j = words();
    struct data_spec s;
    struct data d;
    unsigned char *slot = calloc(1, 65536);
    ck_assert_int_eq(data_plan(&j, 1, &s, NULL), 0);
    data_init(&d, 1);
    data_next(&d, &s, 0, slot, 512, 65536);
    data_next(&d, &s, 0, slot, 65536, 65536);
    ck_assert_uint_ge(zipped(slot, 65536), 65536);
    free(slot);
}
END_TEST

START_TEST(plain_data_is_shared)
{
    static const struct {
        const char *pattern;
        bool zero, scramble, once;
        unsigned windows;
    } row[] = {{"", true, true, true, 1},
               {"0xab", false, true, true, 1},
               {"", false, false, false, BUFFER_WINDOWS},
               {"", false, true, false, 0}};
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct job_content j = words();
        struct data_spec s;
        struct buffer b;
        strcpy(j.pattern, row[i].pattern);
        j.zero_buffers = row[i].zero;
        j.scramble_buffers = row[i].scramble;
        ck_assert_int_eq(data_plan(&j, 1, &s, NULL), 0);
        ck_assert(s.once == row[i].once);
        ck_assert_int_eq(buffer_init(&b, BUFFER_PRIVATE, 4, 8192), 0);
        ck_assert_int_eq(buffer_map_write(&b, &s), 0);
        ck_assert_uint_eq(b.windows, row[i].windows);
        buffer_fill(&b, &s, 1);
        unsigned turn = 0;
        if (row[i].once)
            for (int k = 0; k < 3; k++) {
                unsigned char *p = buffer_data(&b, &turn);
                ck_assert_int_eq(p[0], row[i].zero ? 0 : 0xab);
                ck_assert_int_eq(p[8191], p[0]);
            }
        buffer_fini(&b);
    }
}
END_TEST

/* As fio 3.33 writes them. */
START_TEST(patterns)
{
    static const struct {
        const char *text, *hex;
        bool offsets;
    } row[] = {
        {"0xdeadbeef", "deadbeef", false},
        {"-12", "f4ffffff", false},
        {"300", "2c01", false},
        {"0", "00", false},
        {"0xabc", "0abc", false},
        {"\"abcd\"", "61626364", false},
        {"0xff%o\"ab\"", "ff78563412000000006162", true},
        {"0xdeadface\"abcd\"-12", "deadface61626364f4ffffff", false},
    };
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct filler f;
        unsigned char b[100];
        char hex[100] = "";
        ck_assert_int_eq(filler_parse("p", row[i].text, row[i].offsets, &f, NULL), 0);
        filler_fill(&f, b, sizeof(b), 0x12345678);
        for (unsigned k = 0; k < f.len; k++)
            sprintf(hex + 2 * k, "%02x", b[k]);
        ck_assert_str_eq(hex, row[i].hex);
        for (unsigned k = f.len; k < sizeof(b); k++)
            ck_assert_int_eq(b[k], b[k - f.len]);
    }
}
END_TEST

START_TEST(wrong_patterns)
{
    static const char *const row[][2] = {
        {"0x", "p=0x: 0x needs hex digits behind it"},
        {"1234567890123",
         "p=1234567890123: a decimal number must fit into 32 bits; write more in hex, like 0xdeadbeef"},
        {"%o", "p=%o: must be 0xHEX, a number, \"text\" or 'file'"},
        {"abc", "p=abc: must be 0xHEX, a number, \"text\" or 'file'"},
        {"\"abc", "p=\"abc: the closing \" is missing"},
        {"\"\"", "p=\"\": there is no byte in it"},
        {"'/no/such/file'", "p='/no/such/file': /no/such/file: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct filler f;
        struct err err = {0};
        ck_assert_int_lt(filler_parse("p", row[i][0], false, &f, &err), 0);
        ck_assert_str_eq(err.text, row[i][1]);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("data");
    TCase *c = tcase_create("data");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, compresses_as_asked, 0, 5);
    tcase_add_test(c, repeats_as_asked);
    tcase_add_test(c, both_at_once);
    tcase_add_test(c, duplicates_are_of_the_working_set);
    tcase_add_test(c, no_two_blocks_are_alike);
    tcase_add_test(c, a_slot_is_filled_whole);
    tcase_add_test(c, plain_data_is_shared);
    tcase_add_test(c, patterns);
    tcase_add_test(c, wrong_patterns);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
