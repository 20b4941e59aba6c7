/* dist: skewed choices among the blocks 0 … n-1: zipf, pareto and normal, exact for any n and without tables.
 * Knows nothing of bytes, targets or coverage: blocks are drawn with replacement. Zones are zones.h's.
 *
 * zipf:THETA     block of rank k (1 … n) with a chance in proportion to k^-THETA, by rejection-inversion
 *                (W. Hörmann, G. Derflinger: Rejection-inversion to generate variates from monotone discrete
 *                distributions, ACM TOMACS 6(3), 1996). No sum over the ranks is ever cut short (axboe/fio#1991).
 * pareto:H       block k (0 … n-1) with chance F(k+1) - F(k), F(k) = (k/n)^(log(1-H)/log(H)), 0 < H < 1: a share H
 *                of the blocks takes 1-H of the requests (0.2: 80 % of them go to 20 % of the blocks).
 * normal:DEV     around the centre, with the deviation that fio's sum of thirteen random numbers has: n/12 and DEV
 *                percent of n spread evenly; what lies beyond an end comes in at the other one.
 *
 * Ranks of zipf and pareto are scattered over the region by a permutation, as fio scatters them with a hash: hot
 * blocks are not neighbours. Rank 1 lies at the centre where one is given, else at a place drawn from the seed. */
#ifndef ENGINE_DIST_H
#define ENGINE_DIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "engine/perm.h"
#include "engine/rng.h"

enum dist_kind { DIST_RANDOM, DIST_ZIPF, DIST_PARETO, DIST_NORMAL, DIST_ZONED, DIST_ZONED_ABS, DIST_KINDS };

struct dist_spec {
    enum dist_kind kind;
    double param;  /* theta, h, deviation in percent */
    double center; /* 0 … 1; negative: none given */
};

/* "zipf:1.2:0.5", "normal", "zoned:…": the kind and, but for zones, its numbers (left out: 1.1, 0.2, 0, no centre).
 * *ret_rest is what stands behind the kind's colon ("" when nothing does). 0 or -EINVAL with a sentence that begins
 * with `word`. */
int dist_parse(const char *word, const char *text, struct dist_spec *ret, const char **ret_rest, struct err *err);

struct dist {
    struct dist_spec spec;
    uint64_t n;
    bool scattered;
    struct perm perm;             /* ranks to blocks */
    uint64_t shift;               /* added to a block, so that rank 1 lies at the centre */
    double power;                 /* pareto: of the uniform number; zipf: 1 - theta */
    double top, width, shortcut;  /* zipf: H(n + 1/2), what u ranges over below it, where no test is needed */
    double mean, deviation;       /* normal, blocks */
};

/* zipf, pareto or normal over n > 0 blocks. `scatter`: as above; false: rank k is block k-1 (choices of targets). */
void dist_init(struct dist *d, const struct dist_spec *spec, uint64_t n, bool scatter, uint64_t seed);
uint64_t dist_rank(const struct dist *d, struct rng *r); /* 0 = the hottest; for normal the block itself */
uint64_t dist_next(const struct dist *d, struct rng *r); /* the block */

#endif
