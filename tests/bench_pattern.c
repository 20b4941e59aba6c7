/* bench_pattern: what a draw of each order costs, and checks that take too long for every run: coverage of more than
 * 2^32 blocks (about a minute) and chi-square of 10^8 draws.
 *
 * bench_pattern [speed|cover|chi]... ; all of them without a word. Exit 1 when a check fails. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "engine/pattern.h"

#define DRAWS 10000000

static struct walk walk;
static struct pattern pattern;

static void set(struct pattern_spec *s, uint64_t bytes)
{
    struct region r = {0, bytes};
    for (unsigned d = 0; d < DDIRS; d++)
        if (!s->bs[d].max)
            blocksize_one(&s->bs[d], 4096);
    s->endless = true;
    memset(&walk, 0, sizeof(walk));
    pattern_init(&pattern, 1, &walk);
    pattern_set(&pattern, s, &r, 1);
}

static double ns_a_draw(void)
{
    struct place at;
    uint64_t sum = 0, begin = clock_now_ns();
    for (int i = 0; i < DRAWS; i++) {
        pattern_next(&pattern, pattern_ddir(&pattern), &at);
        sum += at.offset;
    }
    double ns = (double)(clock_now_ns() - begin) / DRAWS;
    return sum == 1 ? 0 : ns; /* the sum must be computed */
}

static void split(struct pattern_spec *s)
{
    blocksize_parse_split("4k/10:64k/50:32k/40", s->bs, NULL);
}

static void speed(void)
{
    struct row {
        const char *name;
        struct pattern_spec s;
    } row[] = {
        {"sequential", {.rw = JOB_READ}},
        {"random, each block once", {.rw = JOB_RANDREAD}},
        {"random, with replacement", {.rw = JOB_RANDREAD, .again = true}},
        {"mixed sizes, each byte once", {.rw = JOB_RANDREAD}},
        {"half sequential", {.rw = JOB_RANDREAD, .sequential_pct = {50, 50, 50}}},
        {"zipf 1.2", {.rw = JOB_RANDREAD, .dist = {DIST_ZIPF, 1.2, -1}}},
        {"zipf 1.0", {.rw = JOB_RANDREAD, .dist = {DIST_ZIPF, 1.0, -1}}},
        {"pareto 0.2", {.rw = JOB_RANDREAD, .dist = {DIST_PARETO, 0.2, -1}}},
        {"normal", {.rw = JOB_RANDREAD, .dist = {DIST_NORMAL, 0, -1}}},
    };
    split(&row[3].s);
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        double best = INFINITY;
        set(&row[i].s, 1ull << 40);
        for (int k = 0; k < 3; k++)
            best = fmin(best, ns_a_draw());
        printf("%-28s %6.1f ns\n", row[i].name, best);
    }
}

/* A pass over n blocks, of which those from n - WINDOW on are looked at: each must come once. */
#define WINDOW (1u << 24)

static bool cover(uint64_t n)
{
    uint8_t *seen = calloc(1, WINDOW);
    struct perm p;
    uint64_t from = n - WINDOW, twice = 0, missed = 0;
    if (!seen)
        return false;
    perm_init(&p, n, 99);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t v = perm_next(&p);
        if (v >= from)
            twice += seen[v - from]++ != 0;
    }
    for (uint64_t i = 0; i < WINDOW; i++)
        missed += !seen[i];
    free(seen);
    printf("cover: of the last %u of %llu blocks %llu twice, %llu never\n", WINDOW, (unsigned long long)n,
           (unsigned long long)twice, (unsigned long long)missed);
    return !twice && !missed;
}

#define BINS 64 /* ranks, one a bin; all others in the last */

static bool chi(double theta, uint64_t n)
{
    struct dist d;
    struct rng r;
    uint64_t seen[BINS + 1] = {0}, draws = 10 * (uint64_t)DRAWS;
    double all = 0, sum = 0, rest = 1;
    dist_init(&d, &(struct dist_spec){DIST_ZIPF, theta, -1}, n, false, 1);
    rng_seed(&r, 4);
    for (uint64_t i = 0; i < draws; i++) {
        uint64_t k = dist_rank(&d, &r);
        seen[k < BINS ? k : BINS]++;
    }
    for (uint64_t k = n; k > 0; k--) /* from the small ones on, so that they are not lost */
        all += pow((double)k, -theta);
    for (int k = 0; k <= BINS; k++) {
        double p = k < BINS ? pow(k + 1, -theta) / all : rest, want = p * (double)draws;
        rest -= p;
        sum += ((double)seen[k] - want) * ((double)seen[k] - want) / want;
    }
    printf("chi: zipf %.2f over %llu: %.1f of %d degrees of freedom\n", theta, (unsigned long long)n, sum, BINS);
    return sum < 120; /* once in 30000 runs of a right generator */
}

int main(int argc, char **argv)
{
    bool good = true;
    for (int i = argc > 1 ? 1 : 0; i < argc; i++) {
        bool all = argc == 1;
        if (all || !strcmp(argv[i], "speed"))
            speed();
        if (all || !strcmp(argv[i], "cover"))
            good = cover((1ull << 32) + 15) && good;
        if (all || !strcmp(argv[i], "chi"))
            good = chi(0.9, 1 << 24) && chi(1.2, 1 << 24) && good;
    }
    return !good;
}
