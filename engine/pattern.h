/* pattern: which bytes of which target come next, and in which direction.
 * Does no I/O and knows no time. Memory does not grow with the size of a target.
 *
 * Sequential: each direction walks each target from its beginning and wraps at the end of the region (as fio
 * does). Random: every block of a region once a pass, in a new order each pass; reads and writes share it. A
 * last partial block is not used. Several targets take turns. A walk that is not endless gives each target the
 * bytes of one pass (times loops), reads and writes together, and then ends.
 *
 * What is rare (mixed sizes, skewed orders, jumps, limits on the whole …) costs the plain walk one branch and is in
 * pattern_draw.c and pattern_turn.c:
 * - Mixed sizes at random: every byte once a pass (cover.h), where all sizes are multiples of the smallest; else
 *   blocks of the smallest are drawn with replacement, like everything that is drawn from a distribution.
 * - Directions with sizes of their own have orders of their own.
 * - What does not fit behind a place becomes the largest size that does. A sequential walk wraps when none does.
 * - A sequential part of a random walk goes on behind the request before it, as in fio. */
#ifndef ENGINE_PATTERN_H
#define ENGINE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/blocksize.h"
#include "engine/counters.h"
#include "engine/cover.h"
#include "engine/dist.h"
#include "engine/job.h"
#include "engine/perm.h"
#include "engine/rng.h"
#include "engine/target.h"
#include "engine/zones.h"

struct service_spec { /* which target is next */
    enum service_kind { SERVICE_ROUNDROBIN, SERVICE_SEQUENTIAL, SERVICE_RANDOM, SERVICE_SKEWED } kind;
    unsigned each;          /* requests before another one; 0 = 1 */
    struct dist_spec dist;  /* of SERVICE_SKEWED */
};

/* "roundrobin", "sequential", "random:8", "zipf:1.2". 0 or -EINVAL with a sentence. */
int service_parse(const char *text, struct service_spec *ret, struct err *err);

struct pattern_spec { /* a member that is 0 is off or as usual, but for bs */
    enum job_rw rw;
    unsigned rwmixread;  /* percent, of the mixed kinds */
    bool endless;        /* time_based */
    struct blocksize bs[DDIRS];
    bool bs_by_order;    /* bs_is_seq_rand: the size for reads is for sequential requests, that for writes for others */
    unsigned sequential_pct[DDIRS]; /* of a random kind */
    uint64_t align[DDIRS];          /* of random offsets; 0: the smallest size */
    int64_t jump;        /* bytes between two requests of a sequential kind; negative: it goes backward */
    unsigned run;        /* requests of a random kind from one offset on (0 = 1), … */
    bool identical;      /* … or all at that offset */
    bool again;          /* random blocks are drawn with replacement */
    struct dist_spec dist;
    struct zones zones[DDIRS];
    uint64_t io_bytes, ios; /* the end of it all, unless endless; 0 = the bytes of each target */
    unsigned loops;         /* passes; 0 = 1 */
    struct service_spec service;
    uint64_t zone_range, zone_size, zone_skip; /* strided: a window, the bytes done in it, the bytes to the next */
};

struct region {
    uint64_t begin, end; /* bytes */
};

struct walk { /* of one target */
    uint64_t begin, blocks;
    uint64_t issued, limit; /* bytes */
    uint64_t pos[DDIRS];    /* behind the last sequential request, bytes from the beginning; wraps at once when plain */
    struct perm perm;
    /* Of rare walks. */
    uint64_t bytes;         /* of the region */
    bool moved[DDIRS];      /* pos is behind a request */
    unsigned left[DDIRS];   /* requests of a run still to come */
    uint64_t last[DDIRS];   /* offset of the request before */
    uint64_t window, window_done;
    struct cover cover[DDIRS];
    struct dist dist;
};

struct place {
    unsigned target;
    uint32_t len;
    uint64_t offset;
};

struct pattern {
    uint32_t bs;         /* of plain walks */
    bool rare;
    bool random, mixed;
    enum ddir ddir;      /* of the kinds that are not mixed */
    uint64_t read_below; /* a 32-bit random number below it means read */
    size_t n, turn;
    uint64_t seed;
    struct rng rng;
    struct walk *walk; /* one a target; the caller's memory */
    /* Of rare walks. */
    struct pattern_spec spec;
    bool covers, shared;       /* cover: every byte once; shared: all directions walk cover[0] */
    struct cover_mix mix[DDIRS];
    uint64_t issued, ios;      /* of all targets */
    uint64_t limit_bytes, limit_ios;
    uint64_t turn_left;        /* requests, or bytes of SERVICE_SEQUENTIAL, until another target comes */
    struct dist service;
    size_t service_n;
};

void pattern_init(struct pattern *p, uint64_t seed, struct walk *walk); /* walk: zeroed, one for each target */

/* Sets or changes what comes next; positions, bytes issued and, where the blocks stay the same, the random
 * order go on. With a new bs, offsets are multiples of it (from the beginning of the region) at once. Every
 * region must hold a block of each direction (pattern_fits). spec is copied. */
void pattern_set(struct pattern *p, const struct pattern_spec *spec, const struct region *region, size_t n);

static inline bool pattern_fits(uint64_t bs, const struct region *r)
{
    return r->end > r->begin && r->end - r->begin >= bs;
}

bool pattern_writes(enum job_rw rw);     /* data is written (not: trimmed) */
bool pattern_uses(const struct pattern_spec *s, enum ddir d); /* do sizes of direction d occur? */
uint32_t pattern_largest(const struct pattern_spec *s);       /* request */
uint32_t pattern_smallest(const struct pattern_spec *s);
uint32_t pattern_needs(const struct pattern_spec *s);         /* a region must hold this much */

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

/* The next request of direction d: true, or false when every target has had its bytes. */
bool pattern_next(struct pattern *p, enum ddir d, struct place *ret);
bool pattern_ended(struct pattern *p); /* the next one would be false */

/* ---- between pattern.c, pattern_draw.c and pattern_turn.c ---- */

bool pattern_plain(const struct pattern_spec *s);
void pattern_set_rare(struct pattern *p, const struct pattern_spec *old); /* p->spec is new; old: NULL at first */
bool pattern_next_rare(struct pattern *p, enum ddir d, struct place *ret);
bool pattern_find_turn(struct pattern *p);   /* passes over targets that had their bytes; false when all have */
bool pattern_choose(struct pattern *p);      /* the target of the next request of a rare walk; false at the end */
bool pattern_rare_ended(struct pattern *p);
void pattern_took(struct pattern *p, uint32_t len);
void pattern_set_turns(struct pattern *p);

static inline bool pattern_exhausted(const struct pattern *p, const struct walk *w)
{
    return w->issued + p->bs > w->limit; /* bs: the smallest, of a rare walk */
}

#endif
