/* pattern: which block of which target comes next, and in which direction.
 * Does no I/O and knows no time. Memory does not grow with the size of a target.
 *
 * Sequential: each direction walks each target from its beginning and wraps at the end of the region (as fio
 * does). Random: every block of a region once a pass, in a new order each pass; reads and writes share it. A
 * last partial block is not used. Several targets take turns. A walk that is not endless gives each target the
 * bytes of one pass, reads and writes together, and then ends. */
#ifndef ENGINE_PATTERN_H
#define ENGINE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/counters.h"
#include "engine/job.h"
#include "engine/perm.h"
#include "engine/rng.h"
#include "engine/target.h"

struct pattern_spec {
    enum job_rw rw;
    unsigned rwmixread; /* percent, of the mixed kinds */
    uint64_t bs;
    bool endless;       /* time_based */
};

struct region {
    uint64_t begin, end; /* bytes */
};

struct walk { /* of one target */
    uint64_t begin, blocks;
    uint64_t issued, limit; /* bytes */
    uint64_t pos[DDIRS];    /* next block of a sequential walk */
    struct perm perm;
};

struct pattern {
    uint64_t bs;
    bool random, mixed;
    enum ddir ddir;      /* of the kinds that are not mixed */
    uint64_t read_below; /* a 32-bit random number below it means read */
    size_t n, turn;
    uint64_t seed;
    struct rng rng;
    struct walk *walk; /* one a target; the caller's memory */
};

void pattern_init(struct pattern *p, uint64_t seed, struct walk *walk); /* walk: zeroed, one for each target */

/* Sets or changes what comes next; positions, bytes issued and, where the blocks stay the same, the random
 * order go on. With a new bs, offsets are multiples of it (from the beginning of the region) at once. Every
 * region must hold a block (pattern_fits). */
void pattern_set(struct pattern *p, const struct pattern_spec *spec, const struct region *region, size_t n);

static inline bool pattern_fits(uint64_t bs, const struct region *r)
{
    return r->end > r->begin && r->end - r->begin >= bs;
}

bool pattern_writes(enum job_rw rw); /* data is written (not: trimmed) */

/* The direction of the next request. */
static inline enum ddir pattern_ddir(struct pattern *p)
{
    if (!p->mixed)
        return p->ddir;
    return rng_next(&p->rng) >> 32 < p->read_below ? DDIR_READ : DDIR_WRITE;
}

/* True when the mix has a share for both directions. */
static inline bool pattern_both(const struct pattern *p)
{
    return p->mixed && p->read_below > 0 && p->read_below < 1ull << 32;
}

/* The next block in direction d: true, or false when every target has had its bytes. */
bool pattern_next(struct pattern *p, enum ddir d, unsigned *ret_target, uint64_t *ret_offset);
bool pattern_ended(struct pattern *p); /* the next one would be false */

#endif
