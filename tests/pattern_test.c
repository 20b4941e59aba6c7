/* pattern: every block once a pass at awkward sizes and many seeds, order, mix, turns and changes while it walks. */
#include "engine/pattern.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 97, 127, 128, 129, 1000, 1009, 4096, 65537};
#define NSIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))
#define SEEDS 8

/* As many bytes in every direction. */
static void set(struct pattern *p, enum job_rw rw, unsigned mix, uint32_t bs, bool endless, const struct region *r,
                size_t n)
{
    struct pattern_spec s = {.rw = rw, .rwmixread = mix, .endless = endless};
    for (unsigned d = 0; d < DDIRS; d++)
        blocksize_one(&s.bs[d], bs);
    pattern_set(p, &s, r, n);
    ck_assert(!p->rare);
}

static struct pattern *walker(uint64_t seed, enum job_rw rw, unsigned mix, uint32_t bs, bool endless,
                              const struct region *r, size_t n)
{
    struct pattern *p = malloc(sizeof(*p));
    static struct walk walks[16];
    ck_assert_uint_le(n, sizeof(walks) / sizeof(walks[0]));
    memset(walks, 0, sizeof(walks));
    pattern_init(p, seed, walks);
    set(p, rw, mix, bs, endless, r, n);
    return p;
}

static bool next(struct pattern *p, enum ddir d, unsigned *ret_target, uint64_t *ret_at)
{
    struct place at;
    if (!pattern_next(p, d, &at))
        return false;
    if (at.len != p->bs)
        ck_abort_msg("%u bytes instead of %u", at.len, p->bs);
    *ret_target = at.target;
    *ret_at = at.offset;
    return true;
}

static void once_a_pass(uint64_t n, uint64_t seed, int passes)
{
    unsigned char *seen = malloc(n);
    struct perm p;
    perm_init(&p, n, seed);
    for (int pass = 1; pass <= passes; pass++) {
        memset(seen, 0, n);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t v = perm_next(&p);
            if (v >= n)
                ck_abort_msg("%lu of %lu", v, n);
            if (seen[v])
                ck_abort_msg("%lu twice in pass %d of %lu", v, pass, n);
            seen[v] = 1;
        }
    }
    free(seen);
}

START_TEST(a_permutation_takes_every_number_once)
{
    once_a_pass(sizes[_i % NSIZES], (uint64_t)_i, 3);
}
END_TEST

static const uint64_t large[] = {(1 << 20) - 1, 1 << 20, (1 << 20) + 1, 1048583};

START_TEST(a_large_permutation_too)
{
    once_a_pass(large[_i], 3, 1);
}
END_TEST

/* Random order: any tenth of a pass is spread evenly over the region, and neighbours are far apart. For two
 * independent uniform numbers the mean distance is n/3. */
START_TEST(a_permutation_is_scattered)
{
    static const uint64_t big[] = {100003, 65536, 131072, 262145};
    uint64_t n = big[_i % 4], tenth = n / 10, last = 0;
    struct perm p;
    perm_init(&p, n, (uint64_t)_i);
    unsigned rising = 0;
    for (int part = 0; part < 9; part++) {
        unsigned bin[16] = {0};
        double distance = 0;
        for (uint64_t i = 0; i < tenth; i++) {
            uint64_t v = perm_next(&p);
            bin[v * 16 / n]++;
            rising += v > last;
            distance += (double)(v > last ? v - last : last - v);
            last = v;
        }
        double want = (double)tenth / 16;
        for (int b = 0; b < 16; b++)
            ck_assert_msg(bin[b] > want * 0.7 && bin[b] < want * 1.3, "n %lu part %d bin %d: %u of %.0f", n, part, b,
                          bin[b], want);
        ck_assert_double_eq_tol(distance / (double)tenth / (double)n, 1.0 / 3, 0.02);
    }
    ck_assert_double_eq_tol(rising / (double)(9 * tenth), 0.5, 0.02);
}
END_TEST

START_TEST(passes_and_seeds_differ)
{
    struct perm a, b;
    perm_init(&a, 1000, 1);
    perm_init(&b, 1000, 2);
    uint64_t first[1000];
    unsigned same_seed = 0, same_pass = 0;
    for (int i = 0; i < 1000; i++) {
        first[i] = perm_next(&a);
        same_seed += perm_next(&b) == first[i];
    }
    for (int i = 0; i < 1000; i++)
        same_pass += perm_next(&a) == first[i];
    ck_assert_uint_lt(same_seed, 15); /* one on average */
    ck_assert_uint_lt(same_pass, 15);
}
END_TEST

START_TEST(a_random_job_covers_its_region_once_and_ends)
{
    uint64_t n = sizes[_i], bs = 512 * 3, begin = 1 << 20;
    struct region r = {begin, begin + n * bs + 511}; /* a last partial block is not used */
    struct pattern *p = walker(5, JOB_RANDRW, 50, bs, false, &r, 1);
    unsigned char *seen = calloc(n, 1);
    unsigned t;
    uint64_t at;
    for (uint64_t i = 0; i < n; i++) {
        ck_assert(next(p, pattern_ddir(p), &t, &at));
        ck_assert_uint_eq(t, 0);
        ck_assert_uint_eq((at - begin) % bs, 0);
        ck_assert_uint_le(at + bs, r.end);
        ck_assert_int_eq(seen[(at - begin) / bs]++, 0);
    }
    ck_assert(!next(p, DDIR_READ, &t, &at));
    ck_assert(!next(p, DDIR_WRITE, &t, &at));
    free(seen);
    free(p);
}
END_TEST

START_TEST(a_sequential_walk_wraps)
{
    struct region r = {8192, 8192 + 3 * 4096};
    struct pattern *p = walker(1, JOB_WRITE, 0, 4096, true, &r, 1);
    unsigned t;
    uint64_t at;
    for (uint64_t i = 0; i < 10; i++) {
        ck_assert_int_eq(pattern_ddir(p), DDIR_WRITE);
        ck_assert(next(p, DDIR_WRITE, &t, &at));
        ck_assert_uint_eq(at, 8192 + i % 3 * 4096);
    }
    free(p);
}
END_TEST

START_TEST(mixed_directions_walk_apart_and_share_the_bytes)
{
    struct region r = {0, 4 * 4096};
    struct pattern *p = walker(1, JOB_RW, 50, 4096, false, &r, 1);
    static const enum ddir order[] = {DDIR_READ, DDIR_READ, DDIR_WRITE, DDIR_READ};
    static const uint64_t want[] = {0, 4096, 0, 8192};
    unsigned t;
    uint64_t at;
    for (int i = 0; i < 4; i++) {
        ck_assert(next(p, order[i], &t, &at));
        ck_assert_uint_eq(at, want[i]);
    }
    ck_assert(!next(p, DDIR_WRITE, &t, &at));
    free(p);
}
END_TEST

START_TEST(the_mix_is_what_was_asked)
{
    static const unsigned mixes[] = {0, 1, 30, 50, 70, 99, 100};
    struct region r = {0, 1 << 20};
    struct pattern *p = walker(9, _i & 1 ? JOB_RANDRW : JOB_RW, mixes[_i / 2], 4096, true, &r, 1);
    unsigned reads = 0;
    for (int i = 0; i < 100000; i++)
        reads += pattern_ddir(p) == DDIR_READ;
    double slack = mixes[_i / 2] % 100 ? 0.8 : 1e-9; /* five standard deviations; 0 and 100 are exact */
    ck_assert_double_eq_tol(reads / 1000.0, mixes[_i / 2], slack);
    ck_assert_int_eq(pattern_both(p), mixes[_i / 2] % 100 != 0);
    free(p);
}
END_TEST

static const struct {
    enum job_rw rw;
    enum ddir ddir;
    bool writes;
} kinds[] = {
    {JOB_READ, DDIR_READ, false},         {JOB_WRITE, DDIR_WRITE, true}, {JOB_TRIM, DDIR_TRIM, false},
    {JOB_RANDREAD, DDIR_READ, false},     {JOB_RANDWRITE, DDIR_WRITE, true},
    {JOB_RANDTRIM, DDIR_TRIM, false},
};

START_TEST(pure_kinds_have_one_direction)
{
    struct region r = {0, 1 << 20};
    struct pattern *p = walker(9, kinds[_i].rw, 50, 4096, true, &r, 1);
    for (int i = 0; i < 100; i++)
        ck_assert_int_eq(pattern_ddir(p), kinds[_i].ddir);
    ck_assert_int_eq(pattern_writes(kinds[_i].rw), kinds[_i].writes);
    ck_assert(!pattern_both(p));
    free(p);
}
END_TEST

START_TEST(targets_take_turns_until_each_is_done)
{
    struct region r[3] = {{0, 2 * 512}, {0, 5 * 512}, {1024, 1024 + 512}};
    struct pattern *p = walker(3, JOB_RANDREAD, 0, 512, false, r, 3);
    static const unsigned want[] = {0, 1, 2, 0, 1, 1, 1, 1};
    unsigned t;
    uint64_t at;
    for (int i = 0; i < 8; i++) {
        ck_assert(next(p, DDIR_READ, &t, &at));
        ck_assert_uint_eq(t, want[i]);
    }
    ck_assert(!next(p, DDIR_READ, &t, &at));
    free(p);
}
END_TEST

START_TEST(a_new_block_size_goes_on_from_there)
{
    struct region r = {512, 512 + (1 << 20)};
    struct pattern *p = walker(3, JOB_READ, 0, 4096, false, &r, 1);
    unsigned t;
    uint64_t at, sum = 0;
    for (int i = 0; i < 5; i++, sum += 4096)
        ck_assert(next(p, DDIR_READ, &t, &at));
    ck_assert_uint_eq(at, 512 + 4 * 4096);
    set(p, JOB_READ, 0, 16384, false, &r, 1);
    ck_assert(next(p, DDIR_READ, &t, &at));
    ck_assert_uint_eq(at, 512 + 2 * 16384); /* 20 KiB are done: the next multiple */
    sum += 16384;
    set(p, JOB_RANDREAD, 0, 512, false, &r, 1);
    while (next(p, DDIR_READ, &t, &at))
        sum += 512;
    ck_assert_uint_eq(sum, 1 << 20); /* bytes before the changes count */
    free(p);
}
END_TEST

START_TEST(a_change_of_mix_keeps_the_order)
{
    struct region r = {0, 100 * 4096};
    struct pattern *p = walker(3, JOB_RANDREAD, 0, 4096, false, &r, 1);
    unsigned char seen[100] = {0};
    unsigned t;
    uint64_t at;
    for (int i = 0; i < 100; i++) {
        if (i == 40)
            set(p, JOB_RANDRW, 70, 4096, false, &r, 1);
        ck_assert(next(p, pattern_ddir(p), &t, &at));
        ck_assert_int_eq(seen[at / 4096]++, 0);
    }
    ck_assert(!next(p, DDIR_READ, &t, &at));
    free(p);
}
END_TEST

START_TEST(a_region_must_hold_a_block)
{
    struct region r = {4096, 4096 + 1000};
    ck_assert(pattern_fits(1000, &r));
    ck_assert(!pattern_fits(1001, &r));
    ck_assert(!pattern_fits(512, &(struct region){4096, 4096}));
}
END_TEST

START_TEST(huge_regions_need_no_memory)
{
    struct region r = {0, 1ull << 60}; /* 2^51 blocks of 512 */
    struct pattern *p = walker(3, JOB_RANDREAD, 0, 512, true, &r, 1);
    unsigned t;
    uint64_t at, top = 0, odd = 0;
    for (int i = 0; i < 1000; i++) {
        ck_assert(next(p, DDIR_READ, &t, &at));
        ck_assert_uint_lt(at, 1ull << 60);
        top += at >> 59;
        odd += at >> 9 & 1;
    }
    ck_assert(top > 400 && top < 600);
    ck_assert(odd > 400 && odd < 600);
    free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pattern");
    TCase *c = tcase_create("pattern");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, a_permutation_takes_every_number_once, 0, NSIZES * SEEDS);
    tcase_add_loop_test(c, a_large_permutation_too, 0, 4);
    tcase_add_loop_test(c, a_permutation_is_scattered, 0, 16);
    tcase_add_test(c, passes_and_seeds_differ);
    tcase_add_loop_test(c, a_random_job_covers_its_region_once_and_ends, 0, NSIZES);
    tcase_add_test(c, a_sequential_walk_wraps);
    tcase_add_test(c, mixed_directions_walk_apart_and_share_the_bytes);
    tcase_add_loop_test(c, the_mix_is_what_was_asked, 0, 14);
    tcase_add_loop_test(c, pure_kinds_have_one_direction, 0, 6);
    tcase_add_test(c, targets_take_turns_until_each_is_done);
    tcase_add_test(c, a_new_block_size_goes_on_from_there);
    tcase_add_test(c, a_change_of_mix_keeps_the_order);
    tcase_add_test(c, a_region_must_hold_a_block);
    tcase_add_test(c, huge_regions_need_no_memory);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
