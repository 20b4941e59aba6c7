/* pattern_draw, pattern_turn: mixed sizes, sequential shares, jumps, runs, distributions, limits, windows and the
 * choice of the target; and changes from plain to rare walks and back. */
#include "engine/pattern.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 200000
#define N(a) (int)(sizeof(a) / sizeof((a)[0]))
#define K 1024u

static struct walk walks[16];

static struct pattern_spec spec_of(enum job_rw rw, uint32_t bs)
{
    struct pattern_spec s = {.rw = rw, .rwmixread = 50};
    for (unsigned d = 0; d < DDIRS; d++)
        blocksize_one(&s.bs[d], bs);
    return s;
}

static struct pattern *walker(const struct pattern_spec *s, const struct region *r, size_t n)
{
    static struct pattern p;
    memset(walks, 0, sizeof(walks));
    pattern_init(&p, 7, walks);
    pattern_set(&p, s, r, n);
    return &p;
}

static uint64_t at_of(struct pattern *p, enum ddir d)
{
    struct place at;
    ck_assert(pattern_next(p, d, &at));
    return at.offset;
}

static void within(unsigned seen, unsigned of, double p)
{
    ck_assert_double_eq_tol(seen / (double)of, p, 5 * sqrt(p * (1 - p) / of) + 1e-9);
}

/* ---- sizes ---- */

START_TEST(mixed_sizes_cover_each_byte_once)
{
    struct pattern_spec s = spec_of(JOB_RANDREAD, 4 * K);
    struct region r = {1 << 20, (1 << 20) + (4 << 20) + 512};
    static unsigned char seen[1024];
    struct place at;
    uint64_t sum = 0;
    memset(seen, 0, sizeof(seen));
    ck_assert_int_eq(blocksize_parse_split("4k/10:64k/50:32k/40", s.bs, NULL), 0);
    struct pattern *p = walker(&s, &r, 1);
    ck_assert(p->rare && p->covers);
    while (pattern_next(p, DDIR_READ, &at)) {
        ck_assert_uint_le(at.offset + at.len, r.end);
        for (uint64_t b = (at.offset - r.begin) / 4096; b < (at.offset - r.begin + at.len) / 4096; b++)
            ck_assert_int_eq(seen[b]++, 0);
        sum += at.len;
    }
    ck_assert_uint_eq(sum, 4 << 20);
    ck_assert(pattern_ended(p));
}
END_TEST

START_TEST(each_direction_has_its_size)
{
    struct pattern_spec s = spec_of(_i ? JOB_RANDRW : JOB_RW, 4 * K);
    struct region r = {0, 1 << 20};
    struct place at;
    uint64_t sum = 0;
    unsigned seen[256] = {0};
    blocksize_one(&s.bs[DDIR_WRITE], 16 * K);
    struct pattern *p = walker(&s, &r, 1);
    ck_assert_uint_eq(pattern_largest(&s), 16 * K);
    ck_assert_uint_eq(pattern_smallest(&s), 4 * K);
    for (int i = 0; i < 64; i++) {
        ck_assert(pattern_next(p, DDIR_WRITE, &at));
        ck_assert_uint_eq(at.len, 16 * K);
        ck_assert_uint_eq(at.offset % (16 * K), 0);
        ck_assert_int_eq(seen[at.offset / (16 * K)]++, 0);
        sum += at.len;
        if (!pattern_next(p, DDIR_READ, &at))
            break;
        ck_assert_uint_eq(at.len, 4 * K);
        sum += at.len;
    }
    ck_assert(sum >= 1 << 20 && sum <= (1 << 20) + 12 * K); /* the last one need not fit, as in fio */
    ck_assert(pattern_ended(p));
}
END_TEST

START_TEST(a_sequential_walk_takes_what_fits)
{
    struct pattern_spec s = spec_of(JOB_READ, 4 * K);
    struct region r = {512, 512 + 100 * K};
    struct place at;
    uint64_t want = 512, sum = 0;
    ck_assert_int_eq(blocksize_parse_range("4k-64k", false, s.bs, NULL), 0);
    struct pattern *p = walker(&s, &r, 1);
    while (pattern_next(p, DDIR_READ, &at)) {
        ck_assert_uint_eq(at.offset, want);
        ck_assert(at.len % (4 * K) == 0 && at.len);
        want += at.len;
        sum += at.len;
    }
    ck_assert_uint_eq(sum, 100 * K);
    s.endless = true;
    pattern_set(p, &s, &r, 1);
    ck_assert_uint_eq(at_of(p, DDIR_READ), 512); /* and round again */
}
END_TEST

START_TEST(sizes_by_order)
{
    struct pattern_spec s = spec_of(JOB_RANDREAD, 4 * K);
    struct region r = {0, 64 << 20};
    struct place at;
    unsigned small = 0;
    uint64_t next = 1;
    s.endless = s.bs_by_order = true;
    s.sequential_pct[DDIR_READ] = 30;
    blocksize_one(&s.bs[DDIR_WRITE], 16 * K);
    struct pattern *p = walker(&s, &r, 1);
    for (int i = 0; i < DRAWS; i++) {
        pattern_next(p, DDIR_READ, &at);
        if (at.len == 4 * K && at.offset != next && i)
            ck_abort_msg("a request of the sequential size at %lu, not %lu", at.offset, next);
        small += at.len == 4 * K;
        next = at.offset + at.len;
    }
    within(small, DRAWS, 0.3);
}
END_TEST

/* ---- order ---- */

static const unsigned shares[] = {0, 1, 25, 70, 99, 100};

START_TEST(a_share_is_random)
{
    struct pattern_spec s = spec_of(JOB_RANDREAD, 4 * K);
    struct region r = {0, 1ull << 40};
    unsigned jumps = 0;
    uint64_t last = 0;
    s.endless = true;
    s.sequential_pct[DDIR_READ] = 100 - shares[_i];
    struct pattern *p = walker(&s, &r, 1);
    for (int i = 0; i < DRAWS; i++) {
        struct place at;
        pattern_next(p, DDIR_READ, &at);
        jumps += at.offset != last;
        last = at.offset + at.len;
    }
    within(jumps, DRAWS, shares[_i] / 100.0);
}
END_TEST

START_TEST(jumps_leave_holes_and_go_backward)
{
    struct pattern_spec s = spec_of(JOB_READ, 4 * K);
    struct region r = {4 * K, 36 * K}; /* eight blocks */
    static const uint64_t holes[] = {4, 12, 20, 28, 4, 12, 20, 28}, back[] = {32, 28, 24, 20, 16, 12, 8, 4};
    s.jump = 4 * K;
    struct pattern *p = walker(&s, &r, 1);
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq(at_of(p, DDIR_READ), holes[i] * K);
    ck_assert(pattern_ended(p));
    s.jump = -8 * (int64_t)K;
    p = walker(&s, &r, 1);
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq(at_of(p, DDIR_READ), back[i] * K);
    ck_assert(pattern_ended(p));
    s.endless = true;
    pattern_set(p, &s, &r, 1);
    ck_assert_uint_eq(at_of(p, DDIR_READ), 32 * K);
}
END_TEST

START_TEST(runs_go_on_or_stay)
{
    struct pattern_spec s = spec_of(JOB_RANDREAD, 4 * K);
    struct region r = {0, 1ull << 40};
    s.endless = true;
    s.run = 8;
    s.identical = _i;
    struct pattern *p = walker(&s, &r, 1);
    uint64_t last = 0, first = 0;
    for (int i = 0; i < 800; i++) {
        uint64_t at = at_of(p, DDIR_READ);
        if (i % 8 == 0)
            ck_assert(i == 0 || (at != last + 4 * K && at != first));
        else
            ck_assert_uint_eq(at, _i ? first : last + 4 * K);
        first = i % 8 ? first : at;
        last = at;
    }
}
END_TEST

START_TEST(blocks_with_replacement)
{
    struct pattern_spec s = spec_of(JOB_RANDREAD, 4 * K);
    struct region r = {0, 1000 * 4 * K};
    static unsigned seen[1000];
    unsigned empty = 0, n = 0;
    struct place at;
    memset(seen, 0, sizeof(seen));
    s.again = true;
    struct pattern *p = walker(&s, &r, 1);
    for (; pattern_next(p, DDIR_READ, &at); n++)
        seen[at.offset / (4 * K)]++;
    for (int i = 0; i < 1000; i++)
        empty += !seen[i];
    ck_assert_uint_eq(n, 1000);
    ck_assert(empty > 310 && empty < 430); /* 1/e of them */
}
END_TEST

START_TEST(offsets_keep_their_alignment)
{
    struct pattern_spec s = spec_of(JOB_RANDREAD, 16 * K);
    struct region r = {0, 18 * K};
    unsigned seen[3] = {0};
    s.endless = true;
    for (unsigned d = 0; d < DDIRS; d++)
        s.align[d] = K;
    struct pattern *p = walker(&s, &r, 1);
    for (int i = 0; i < 3000; i++) {
        uint64_t at = at_of(p, DDIR_READ);
        ck_assert(at % K == 0 && at <= 2 * K);
        seen[at / K]++;
    }
    for (int i = 0; i < 3; i++)
        within(seen[i], 3000, 1.0 / 3);
}
END_TEST

START_TEST(hot_blocks_are_hot)
{
    struct pattern_spec s = spec_of(JOB_RANDRW, 4 * K);
    struct region r = {0, 1ull << 30};
    uint64_t centre = (1ull << 30) / 4;
    unsigned hits = 0;
    struct place at;
    s.endless = true;
    s.dist = (struct dist_spec){DIST_ZIPF, 1.2, 0.25};
    struct pattern *p = walker(&s, &r, 1);
    double zeta = 0;
    for (int k = 1; k <= 1 << 18; k++)
        zeta += pow(k, -1.2);
    for (int i = 0; i < DRAWS; i++) {
        pattern_next(p, i & 1 ? DDIR_READ : DDIR_WRITE, &at);
        hits += at.offset == centre;
    }
    within(hits, DRAWS, 1 / zeta);
    s.dist.kind = DIST_ZONED;
    s.dist.param = 0;
    ck_assert_int_eq(zones_parse("90/10:10/90,50/50:50/50", false, s.zones, NULL), 0);
    p = walker(&s, &r, 1);
    unsigned below[2] = {0};
    for (int i = 0; i < DRAWS; i++) {
        pattern_next(p, i & 1 ? DDIR_WRITE : DDIR_READ, &at);
        below[i & 1] += at.offset < (1ull << 30) / 10;
    }
    within(below[0], DRAWS / 2, 0.9);
    within(below[1], DRAWS / 2, 0.1);
}
END_TEST

START_TEST(a_window_moves_on)
{
    struct pattern_spec s = spec_of(_i ? JOB_RANDREAD : JOB_READ, 4 * K);
    struct region r = {0, 100 * K};
    static const uint64_t want[] = {0, 4, 8, 12, 0, 4, 32, 36, 40, 44, 32, 36, 64, 68, 72, 76, 64, 68, 96, 96};
    s.endless = true;
    s.zone_range = 16 * K;
    s.zone_size = 24 * K;
    s.zone_skip = 16 * K;
    struct pattern *p = walker(&s, &r, 1);
    for (int i = 0; i < 24; i++) {
        uint64_t at = at_of(p, DDIR_READ), window = (uint64_t)i / 6 * 32 * K;
        if (_i == 0 && i < 20)
            ck_assert_uint_eq(at, want[i] * K);
        ck_assert(at >= window && at < window + 16 * K);
    }
    ck_assert_uint_lt(at_of(p, DDIR_READ), 16 * K); /* back at the beginning */
}
END_TEST

/* ---- how much ---- */

static const struct { uint64_t io_bytes, ios; unsigned loops; enum job_rw rw; unsigned want; } ends[] = {
    {0, 0, 1, JOB_READ, 256},       {0, 0, 3, JOB_RANDREAD, 768},    {256 * K, 0, 1, JOB_READ, 64},
    {3 << 20, 0, 1, JOB_RANDWRITE, 768}, {10 * K, 0, 1, JOB_READ, 3}, {0, 17, 1, JOB_RANDREAD, 17},
    {0, 1000, 1, JOB_READ, 256},    {1 << 20, 5, 1, JOB_RANDRW, 5},  {0, 0, 2, JOB_RW, 512},
};

START_TEST(the_end_is_where_it_was_asked)
{
    struct pattern_spec s = spec_of(ends[_i].rw, 4 * K);
    struct region r[2] = {{0, 512 * K}, {0, 512 * K}};
    struct place at;
    unsigned n = 0;
    s.io_bytes = ends[_i].io_bytes;
    s.ios = ends[_i].ios;
    s.loops = ends[_i].loops;
    struct pattern *p = walker(&s, r, 2);
    while (n < 2000 && !pattern_ended(p) && pattern_next(p, pattern_ddir(p), &at))
        n++;
    ck_assert_uint_eq(n, ends[_i].want);
    ck_assert(!pattern_next(p, pattern_ddir(p), &at));
    s.endless = true;
    pattern_set(p, &s, r, 2);
    ck_assert(!pattern_ended(p));
    ck_assert(pattern_next(p, pattern_ddir(p), &at));
}
END_TEST

START_TEST(loops_cover_each_time)
{
    struct pattern_spec s = spec_of(JOB_RANDREAD, 4 * K);
    struct region r = {0, 97 * 4 * K};
    unsigned seen[97] = {0};
    struct place at;
    s.loops = 3;
    struct pattern *p = walker(&s, &r, 1);
    while (pattern_next(p, DDIR_READ, &at))
        seen[at.offset / (4 * K)]++;
    for (int i = 0; i < 97; i++)
        ck_assert_uint_eq(seen[i], 3);
}
END_TEST

/* ---- which target ---- */

START_TEST(targets_are_served_as_asked)
{
    struct region r[3] = {{0, 8 * 4 * K}, {0, 8 * 4 * K}, {0, 8 * 4 * K}};
    static const struct { const char *text; const char *turns; } rows[] = {
        {"roundrobin:2", "001122001122001122001122"},
        {"sequential", "000000001111111122222222"},
    };
    struct pattern_spec s = spec_of(JOB_READ, 4 * K);
    struct place at;
    ck_assert_int_eq(service_parse(rows[_i].text, &s.service, NULL), 0);
    struct pattern *p = walker(&s, r, 3);
    for (const char *t = rows[_i].turns; *t; t++) {
        ck_assert(pattern_next(p, DDIR_READ, &at));
        ck_assert_uint_eq(at.target, *t - '0');
    }
    ck_assert(!pattern_next(p, DDIR_READ, &at));
}
END_TEST

START_TEST(sequential_service_goes_round)
{
    struct region r[2] = {{0, 8 * 4 * K}, {0, 4 * 4 * K}};
    struct pattern_spec s = spec_of(JOB_READ, 4 * K);
    struct place at;
    s.endless = true;
    s.service.kind = SERVICE_SEQUENTIAL;
    struct pattern *p = walker(&s, r, 2);
    for (int i = 0; i < 48; i++) {
        pattern_next(p, DDIR_READ, &at);
        ck_assert_uint_eq(at.target, i % 12 >= 8);
    }
}
END_TEST

START_TEST(targets_are_drawn)
{
    static const struct { const char *text; double share[3]; } rows[] = {
        {"random", {1.0 / 3, 1.0 / 3, 1.0 / 3}},
        {"zipf:1", {6.0 / 11, 3.0 / 11, 2.0 / 11}},
        {"pareto:0.5", {1.0 / 3, 1.0 / 3, 1.0 / 3}},
    };
    struct region r[3] = {{0, 4ull << 30}, {0, 4ull << 30}, {0, 4ull << 30}};
    struct pattern_spec s = spec_of(JOB_READ, 4 * K);
    struct place at;
    unsigned seen[3] = {0};
    struct err e = {0};
    ck_assert_msg(service_parse(rows[_i].text, &s.service, &e) == 0, "%s", e.text);
    struct pattern *p = walker(&s, r, 3);
    for (int i = 0; i < DRAWS; i++) {
        pattern_next(p, DDIR_READ, &at);
        seen[at.target]++;
    }
    for (int i = 0; i < 3; i++)
        within(seen[i], DRAWS, rows[_i].share[i]);
}
END_TEST

START_TEST(a_skewed_choice_ends_with_all_the_bytes)
{
    struct region r[3] = {{0, 80 * K}, {0, 80 * K}, {0, 80 * K}};
    struct pattern_spec s = spec_of(JOB_READ, 4 * K);
    struct place at;
    unsigned n = 0;
    ck_assert_int_eq(service_parse("zipf", &s.service, NULL), 0);
    struct pattern *p = walker(&s, r, 3);
    while (pattern_next(p, DDIR_READ, &at) && n < 1000)
        n++;
    ck_assert_uint_eq(n, 60);
}
END_TEST

/* ---- changes ---- */

/* Whatever changes, requests stay in the region and multiples of the smallest size, and sequential ones go on. */
START_TEST(changes_keep_the_place)
{
    struct pattern_spec plain = spec_of(JOB_READ, 4 * K), rare = spec_of(JOB_READ, 4 * K);
    struct region r = {512, 512 + 64 * K};
    plain.endless = rare.endless = true;
    ck_assert_int_eq(blocksize_parse_split("4k/50:8k/50", rare.bs, NULL), 0);
    struct pattern *p = walker(&plain, &r, 1);
    struct place at;
    uint64_t want = 0;
    for (int i = 0; i < 4000; i++) {
        if (i % 7 == 0)
            pattern_set(p, i % 2 ? &rare : &plain, &r, 1);
        ck_assert(pattern_next(p, DDIR_READ, &at));
        ck_assert_uint_eq(at.offset, 512 + want);
        want = at.offset - 512 + at.len;
        want = want < 64 * K ? want : 0;
    }
}
END_TEST

START_TEST(any_change_stays_inside)
{
    struct region r[2] = {{512, 512 + 1000 * K}, {0, 100 * K + 77}};
    struct pattern_spec s = spec_of(JOB_READ, 4 * K);
    struct rng g;
    rng_seed(&g, (uint64_t)_i);
    s.endless = true;
    struct pattern *p = walker(&s, r, 2);
    for (int i = 0; i < 300; i++) {
        static const char *const splits[] = {"4k", "512/50:4k/50", "3k/50:4k/30:16k/20", "8k/20:64k/80,4k,1k"};
        static const enum dist_kind kinds[] = {DIST_RANDOM, DIST_RANDOM, DIST_ZIPF, DIST_PARETO, DIST_NORMAL};
        s.rw = (enum job_rw)rng_below(&g, JOB_RANDTRIMWRITE + 1);
        ck_assert_int_eq(blocksize_parse_split(splits[rng_below(&g, 4)], s.bs, NULL), 0);
        s.dist = (struct dist_spec){kinds[rng_below(&g, 5)], 0.5, -1};
        s.again = rng_below(&g, 4) == 0;
        s.run = (unsigned)rng_below(&g, 4);
        s.identical = rng_below(&g, 2);
        s.jump = (int64_t)rng_below(&g, 3) * 8192 - 8192;
        for (unsigned d = 0; d < DDIRS; d++) {
            s.sequential_pct[d] = rng_below(&g, 3) ? 0 : 40;
            s.align[d] = rng_below(&g, 5) ? 0 : 2048;
        }
        pattern_set(p, &s, r, 2);
        for (int k = 0; k < 100; k++) {
            struct place at;
            enum ddir d = pattern_ddir(p);
            if (!pattern_next(p, d, &at))
                ck_abort_msg("an endless walk ended");
            const struct region *x = &r[at.target];
            if (at.offset < x->begin || at.offset + at.len > x->end || at.len < s.bs[d].min || at.len > s.bs[d].max)
                ck_abort_msg("%u bytes at %lu", at.len, at.offset);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pattern_draw");
    TCase *c = tcase_create("pattern_draw");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, mixed_sizes_cover_each_byte_once);
    tcase_add_loop_test(c, each_direction_has_its_size, 0, 2);
    tcase_add_test(c, a_sequential_walk_takes_what_fits);
    tcase_add_test(c, sizes_by_order);
    tcase_add_loop_test(c, a_share_is_random, 0, N(shares));
    tcase_add_test(c, jumps_leave_holes_and_go_backward);
    tcase_add_loop_test(c, runs_go_on_or_stay, 0, 2);
    tcase_add_test(c, blocks_with_replacement);
    tcase_add_test(c, offsets_keep_their_alignment);
    tcase_add_test(c, hot_blocks_are_hot);
    tcase_add_loop_test(c, a_window_moves_on, 0, 2);
    tcase_add_loop_test(c, the_end_is_where_it_was_asked, 0, N(ends));
    tcase_add_test(c, loops_cover_each_time);
    tcase_add_loop_test(c, targets_are_served_as_asked, 0, 2);
    tcase_add_test(c, sequential_service_goes_round);
    tcase_add_loop_test(c, targets_are_drawn, 0, 3);
    tcase_add_test(c, a_skewed_choice_ends_with_all_the_bytes);
    tcase_add_test(c, changes_keep_the_place);
    tcase_add_loop_test(c, any_change_stays_inside, 0, 20);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
