/* Every kind of damage to a verified block is found, named and placed to the byte; what is good never fails. */
#include "engine/verify.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/overlap.h"

#define LEN 4096u
#define RUN 77u
#define AT (7 * (uint64_t)LEN)

static struct verify_spec spec(enum verify_kind kind)
{
    return (struct verify_spec){.kind = kind, .interval = LEN, .data = {.how = DATA_MADE}};
}

static const struct verify_known own = {RUN, 3, 0}, other = {0, 0, 0};
static unsigned char block[LEN], scratch[LEN];

static enum verify_fault check(const struct verify_spec *s, struct verify_known k, struct verify_finding *f)
{
    memset(f, 0, sizeof(*f));
    return verify_check(s, &k, AT, block, scratch, f) ? VERIFY_GOOD : f->fault;
}

START_TEST(good_blocks_pass)
{
    for (enum verify_kind kind = VERIFY_CRC32C; kind <= VERIFY_PATTERN; kind++)
        for (uint32_t at = 0; at <= LEN - sizeof(struct verify_header); at += 1352) {
            struct verify_spec s = spec(kind);
            struct verify_finding f;
            s.at = at;
            if (kind == VERIFY_PATTERN) {
                s.data = (struct data_spec){.plain = true};
                ck_assert_int_eq(filler_parse("p", "0xff%o", true, &s.data.filler, NULL), 0);
            }
            verify_make(&s, RUN, 3, AT, block);
            ck_assert_int_eq(check(&s, own, &f), VERIFY_GOOD);
            ck_assert_int_eq(check(&s, other, &f), VERIFY_GOOD);
        }
}
END_TEST

/* Any byte, header or data, by the one who wrote it and by one who knows the run from another block. */
START_TEST(a_flipped_byte_is_found_where_it_is)
{
    const struct verify_known seen = {0, 0, RUN};
    for (unsigned i = 0; i < LEN; i += i < 64 ? 1 : 13)
        for (unsigned bit = 0; bit < 8; bit += 7) {
            struct verify_spec s = spec(VERIFY_CRC32C);
            struct verify_finding f;
            verify_make(&s, RUN, 3, AT, block);
            unsigned char was = block[i];
            block[i] ^= (unsigned char)(1u << bit);
            for (int k = 0; k < 2; k++) {
                ck_assert_int_eq(check(&s, k ? seen : own, &f), VERIFY_CORRUPTED);
                ck_assert(f.known);
                ck_assert_uint_eq(f.byte, AT + i);
                ck_assert_uint_eq(f.differing, 1);
                ck_assert_int_eq(f.expected[0], was);
                ck_assert_int_eq(f.found[0], block[i]);
                ck_assert_uint_eq(f.offset, AT);
            }
        }
}
END_TEST

START_TEST(what_lies_elsewhere_or_is_old)
{
    struct verify_spec s = spec(VERIFY_CRC32C);
    struct verify_finding f;
    verify_make(&s, RUN, 3, AT + LEN, block);
    ck_assert_int_eq(check(&s, own, &f), VERIFY_MISDIRECTED);
    ck_assert_uint_eq(f.said_offset, AT + LEN);
    ck_assert_int_eq(check(&s, other, &f), VERIFY_MISDIRECTED);
    verify_make(&s, RUN, 2, AT, block);
    ck_assert_int_eq(check(&s, own, &f), VERIFY_STALE);
    ck_assert_uint_eq(f.said_generation, 2);
    ck_assert_uint_eq(f.generation, 3);
    ck_assert_int_eq(check(&s, other, &f), VERIFY_GOOD); /* nobody can tell */
    verify_make(&s, RUN + 1, 3, AT, block);
    ck_assert_int_eq(check(&s, own, &f), VERIFY_STALE);
    memset(block, 0, LEN);
    ck_assert_int_eq(check(&s, own, &f), VERIFY_NOT_WRITTEN);
    ck_assert_int_eq(check(&s, other, &f), VERIFY_NOT_WRITTEN);
    struct rng r;
    rng_seed(&r, 5);
    rng_fill(&r, block, LEN);
    ck_assert_int_eq(check(&s, own, &f), VERIFY_NOT_WRITTEN);
    ck_assert_int_eq(check(&s, other, &f), VERIFY_NOT_WRITTEN);
}
END_TEST

START_TEST(a_torn_write)
{
    unsigned char old[LEN];
    struct verify_spec s = spec(VERIFY_CRC32C);
    struct verify_finding f;
    for (unsigned cut = 512; cut < LEN; cut += 512)
        for (int head = 0; head < 2; head++) {
            verify_make(&s, RUN, 2, AT, old);
            verify_make(&s, RUN, 3, AT, block);
            if (head)
                memcpy(block + cut, old + cut, LEN - cut);
            else
                memcpy(block, old, cut);
            ck_assert_int_eq(check(&s, own, &f), VERIFY_TORN);
            if (head)
                ck_assert_uint_eq(f.byte, AT + cut);
        }
}
END_TEST

START_TEST(another_interval)
{
    unsigned char big[4 * LEN];
    struct verify_spec s = spec(VERIFY_CRC32C), large = s;
    struct verify_finding f;
    large.interval = 4 * LEN;
    verify_make(&large, RUN, 1, AT, big);
    memcpy(block, big, LEN);
    ck_assert_int_eq(check(&s, other, &f), VERIFY_OTHER_SIZE);
    ck_assert_uint_eq(f.said_len, 4 * LEN);
    ck_assert_uint_eq(verify_learn(&s, AT, big, sizeof(big)), 4 * LEN);
    ck_assert_uint_eq(verify_learn(&s, AT, big, sizeof(big) - 1), 0);
    big[5000] ^= 1;
    ck_assert_uint_eq(verify_learn(&s, AT, big, sizeof(big)), 0);
}
END_TEST

START_TEST(the_sentence)
{
    char text[512];
    struct verify_spec s = spec(VERIFY_PATTERN);
    struct verify_finding f;
    s.data = (struct data_spec){.plain = true};
    ck_assert_int_eq(filler_parse("p", "\"abcd\"", true, &s.data.filler, NULL), 0);
    verify_make(&s, RUN, 1, AT, block);
    block[LEN - 2] = 'x';
    ck_assert_int_eq(check(&s, own, &f), VERIFY_CORRUPTED);
    verify_tell(&f, "/dev/x", text, sizeof(text));
    ck_assert_str_eq(
        text, "verify of /dev/x, byte 32766 (block of 4096 at 28672): corrupted; expected 6364, found 7864, "
              "1 bytes differ");
}
END_TEST

/* ---- what a worker wrote ---- */

static struct job job_of(const char *more)
{
    struct job j;
    struct err err = {0};
    char words[256];
    job_init(&j);
    strcpy(words, more);
    ck_assert_int_eq(job_set(&j, "filename", "x", NULL), 0);
    ck_assert_int_eq(job_set(&j, "rw", "randwrite", NULL), 0);
    ck_assert_int_eq(job_set(&j, "verify", "crc32c", NULL), 0);
    for (char *w = strtok(words, " "); w; w = strtok(NULL, " ")) {
        char *v = strchr(w, '=');
        *v = '\0';
        ck_assert_int_eq(job_set(&j, w, v + 1, NULL), 0);
    }
    ck_assert_msg(job_check(&j, NULL, 0, &err) == 0, "%s", err.text);
    return j;
}

static const struct region two[2] = {{0, 64 * LEN}, {LEN, 33 * LEN}};

static void set_up(struct verify *v, const char *more)
{
    struct job j = job_of(more);
    struct data_spec d = {.how = DATA_MADE};
    ck_assert_int_eq(verify_init(v, &j, &d, two, 2, 4 * LEN, RUN, NULL), 0);
}

/* A device in memory that writes in any order: reading it back is always good, each written interval comes once.
 */
START_TEST(what_was_written_is_read_back)
{
    static unsigned char disk[2][64 * LEN];
    unsigned char buf[4 * LEN];
    bool wrote[2][64] = {{false}};
    struct verify v;
    struct verify_piece p;
    struct rng r;
    rng_seed(&r, (uint64_t)_i);
    set_up(&v, "bs=4k");
    for (int i = 0; i < 300; i++) {
        p.target = (uint32_t)rng_below(&r, 2);
        uint64_t n = 1 + rng_below(&r, 4), room = (two[p.target].end - two[p.target].begin) / LEN;
        p.offset = two[p.target].begin + rng_below(&r, room - n + 1) * LEN;
        p.len = (uint32_t)n * LEN;
        bool trims = rng_below(&r, 4) == 0;
        for (uint64_t c = 0; c < n; c++)
            wrote[p.target][p.offset / LEN + c] = !trims;
        if (trims) {
            verify_forget(&v, &p);
            memset(disk[p.target] + p.offset, 0xee, p.len);
            continue;
        }
        ck_assert(verify_fits(&v, &p));
        verify_write(&v, &p, buf);
        memcpy(disk[p.target] + p.offset, buf, p.len);
    }
    unsigned n = 0, expected = 0;
    for (verify_rewind(&v); verify_next(&v, 4 * LEN, &p);) {
        ck_assert_uint_le(p.len, 4 * LEN);
        for (uint64_t c = p.offset / LEN; c < (p.offset + p.len) / LEN; c++, n++) {
            ck_assert(wrote[p.target][c]);
            wrote[p.target][c] = false;
            expected++;
        }
        ck_assert(verify_read(&v, &p, disk[p.target] + p.offset, "x"));
    }
    for (int t = 0; t < 2; t++)
        for (int c = 0; c < 64; c++)
            ck_assert(!wrote[t][c]);
    ck_assert_uint_gt(n, 20);
    ck_assert_uint_eq(v.count.checked, expected);
    ck_assert_uint_eq(v.count.failures, 0);
    verify_fini(&v);
}
END_TEST

START_TEST(a_lost_write_is_stale)
{
    unsigned char first[LEN], second[LEN];
    struct verify v;
    struct verify_piece p = {5 * LEN, 1, LEN};
    set_up(&v, "bs=4k");
    verify_write(&v, &p, first);
    verify_write(&v, &p, second);
    ck_assert(verify_read(&v, &p, second, "x"));
    ck_assert(!verify_read(&v, &p, first, "x"));
    ck_assert_uint_eq(v.count.failures, 1);
    ck_assert_int_eq(v.count.first.fault, VERIFY_STALE);
    ck_assert_str_eq(v.count.path, "x");
    p.offset = 9 * LEN; /* never written by this run */
    ck_assert(verify_read(&v, &p, first, "x"));
    ck_assert_uint_eq(v.count.checked, 2);
    verify_fini(&v);
}
END_TEST

START_TEST(generations_begin_anew)
{
    unsigned char old[LEN], now[LEN];
    struct verify v;
    struct verify_piece p = {0, 0, LEN};
    set_up(&v, "bs=4k");
    for (unsigned i = 0; i <= VERIFY_GENERATIONS; i++) {
        memcpy(old, now, LEN);
        verify_write(&v, &p, now);
    }
    ck_assert(verify_read(&v, &p, now, "x"));
    ck_assert(!verify_read(&v, &p, old, "x"));
    verify_fini(&v);
}
END_TEST

START_TEST(the_backlog)
{
    unsigned char buf[LEN];
    struct verify v;
    struct verify_piece p = {0, 0, LEN}, got;
    set_up(&v, "bs=4k verify_backlog=4 verify_backlog_batch=3");
    for (unsigned i = 0; i < 4; i++) {
        ck_assert(!verify_due(&v, &got));
        p.offset = i * LEN;
        verify_write(&v, &p, buf);
        verify_wrote(&v, &p);
    }
    for (unsigned i = 0; i < 3; i++) {
        ck_assert(verify_due(&v, &got));
        ck_assert_uint_eq(got.offset, i * LEN);
    }
    ck_assert(!verify_due(&v, &got));
    verify_rewind(&v); /* at the end: what is left of it */
    ck_assert(verify_next(&v, LEN, &got));
    ck_assert_uint_eq(got.offset, 3 * LEN);
    ck_assert(!verify_next(&v, LEN, &got));
    verify_fini(&v);
}
END_TEST

START_TEST(words_that_do_not_go_together)
{
    static const char *const row[][3] = {
        {"verify=sha1", NULL, "verify=sha1: not one of ours; use crc32c"},
        {"verify=x", NULL, "verify=x: must be crc32c, meta, pattern or 0"},
        {"verify=pattern", "", "verify=pattern: needs verify_pattern"},
        {"verify_only=1", "", "verify_only=1: without verify it does nothing; add verify=crc32c"},
        {"dedupe_percentage=5", "crc32c",
         "dedupe_percentage=5: with verify no two blocks are alike; give only one of both"},
        {"verify_interval=3k", "crc32c",
         "bs=4k: with verify every size and place must be a multiple of verify_interval (3k)"},
        {"verify_offset=4090", "crc32c",
         "verify_offset=4090: the header of 40 bytes must lie within verify_interval=4096"},
        {"ioengine=null", "crc32c", "verify: ioengine=null keeps no data"},
        {"verify_async=4", NULL,
         "verify_async=4: must be 0; a checksum is faster than to hand the block to another thread"},
    };
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct job j;
        struct err err = {0};
        char key[64];
        const char *value = strchr(row[i][0], '=') + 1;
        job_init(&j);
        job_set(&j, "filename", "x", NULL);
        job_set(&j, "rw", "randwrite", NULL);
        if (row[i][1] && *row[i][1])
            ck_assert_int_eq(job_set(&j, "verify", row[i][1], NULL), 0);
        snprintf(key, sizeof(key), "%.*s", (int)(value - row[i][0] - 1), row[i][0]);
        int rc = job_set(&j, key, value, &err);
        if (row[i][1]) {
            ck_assert_int_eq(rc, 0);
            rc = job_check(&j, NULL, 0, &err);
        }
        ck_assert_int_lt(rc, 0);
        ck_assert_str_eq(err.text, row[i][2]);
    }
}
END_TEST

/* ---- overlap ---- */

START_TEST(overlaps_are_seen)
{
    struct overlap o;
    struct rng r;
    struct {
        bool in, changes;
        uint64_t begin, len;
        uint32_t target;
    } s[16] = {{0}};
    rng_seed(&r, 3);
    ck_assert_int_eq(overlap_init(&o, 16), 0);
    unsigned yes = 0, no = 0;
    for (int i = 0; i < 20000; i++) {
        unsigned slot = (unsigned)rng_below(&r, 16);
        if (s[slot].in) {
            overlap_remove(&o, slot);
            s[slot].in = false;
            continue;
        }
        uint64_t begin = rng_below(&r, 200), len = 1 + rng_below(&r, 10);
        uint32_t target = (uint32_t)rng_below(&r, 2);
        bool changes = rng_below(&r, 2), expected = false;
        for (unsigned k = 0; k < 16; k++)
            expected |= s[k].in && s[k].target == target && (s[k].changes || changes) &&
                        s[k].begin < begin + len && begin < s[k].begin + s[k].len;
        ck_assert(overlap_conflicts(&o, target, begin, len, changes) == expected);
        yes += expected;
        no += !expected;
        if (expected)
            continue;
        overlap_add(&o, slot, target, begin, len, changes);
        s[slot].in = true;
        s[slot].changes = changes;
        s[slot].begin = begin;
        s[slot].len = len;
        s[slot].target = target;
    }
    ck_assert_uint_gt(yes, 1000);
    ck_assert_uint_gt(no, 1000);
    overlap_fini(&o);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("verify");
    TCase *c = tcase_create("verify");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, good_blocks_pass);
    tcase_add_test(c, a_flipped_byte_is_found_where_it_is);
    tcase_add_test(c, what_lies_elsewhere_or_is_old);
    tcase_add_test(c, a_torn_write);
    tcase_add_test(c, another_interval);
    tcase_add_test(c, the_sentence);
    tcase_add_loop_test(c, what_was_written_is_read_back, 0, 5);
    tcase_add_test(c, a_lost_write_is_stale);
    tcase_add_test(c, generations_begin_anew);
    tcase_add_test(c, the_backlog);
    tcase_add_test(c, words_that_do_not_go_together);
    tcase_add_test(c, overlaps_are_seen);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
