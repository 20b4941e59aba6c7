/* pattern: walks over the blocks of targets.
 * The draw of a direction is inline, in the header. */
#include "engine/pattern.h"

#include <string.h>

static const struct {
    bool random, mixed;
    enum ddir ddir;
} kinds[] = {
    [JOB_READ] = {false, false, DDIR_READ},
    [JOB_WRITE] = {false, false, DDIR_WRITE},
    [JOB_TRIM] = {false, false, DDIR_TRIM},
    [JOB_RANDREAD] = {true, false, DDIR_READ},
    [JOB_RANDWRITE] = {true, false, DDIR_WRITE},
    [JOB_RANDTRIM] = {true, false, DDIR_TRIM},
    [JOB_RW] = {false, true, DDIR_READ},
    [JOB_RANDRW] = {true, true, DDIR_READ},
};

bool pattern_writes(enum job_rw rw)
{
    return kinds[rw].mixed || kinds[rw].ddir == DDIR_WRITE;
}

void pattern_init(struct pattern *p, uint64_t seed, struct walk *walk)
{
    memset(p, 0, sizeof(*p));
    p->walk = walk;
    p->seed = seed;
    rng_seed(&p->rng, seed);
}

/* The place of a sequential walk in blocks of the new size: the next that was not begun. */
static void move_on(struct walk *w, uint64_t old_bs, uint64_t bs)
{
    for (unsigned d = 0; d < DDIRS; d++) {
        uint64_t block = (w->pos[d] * old_bs + bs - 1) / bs;
        w->pos[d] = block < w->blocks ? block : 0;
    }
}

static void set_walk(struct pattern *p, size_t i, const struct pattern_spec *spec, const struct region *r)
{
    struct walk *w = &p->walk[i];
    uint64_t blocks = (r->end - r->begin) / spec->bs;
    bool same = w->blocks == blocks && p->bs == spec->bs;
    w->begin = r->begin;
    w->blocks = blocks;
    w->limit = spec->endless ? UINT64_MAX : blocks * spec->bs;
    if (same)
        return;
    move_on(w, p->bs, spec->bs);
    perm_init(&w->perm, blocks, rng_next(&p->rng));
}

void pattern_set(struct pattern *p, const struct pattern_spec *spec, const struct region *region, size_t n)
{
    for (size_t i = 0; i < n; i++)
        set_walk(p, i, spec, &region[i]);
    p->n = n;
    if (p->turn >= n)
        p->turn = 0;
    p->bs = spec->bs;
    p->random = kinds[spec->rw].random;
    p->mixed = kinds[spec->rw].mixed;
    p->ddir = kinds[spec->rw].ddir;
    p->read_below = (((uint64_t)spec->rwmixread << 32) + 50) / 100;
}

static bool exhausted(const struct pattern *p, const struct walk *w)
{
    return w->issued + p->bs > w->limit;
}

/* Passes over targets that had their bytes; false when all have. */
static bool find_turn(struct pattern *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (!exhausted(p, &p->walk[p->turn]))
            return true;
        p->turn = p->turn + 1 < p->n ? p->turn + 1 : 0;
    }
    return false;
}

bool pattern_ended(struct pattern *p)
{
    return exhausted(p, &p->walk[p->turn]) && !find_turn(p);
}

static uint64_t next_block(struct pattern *p, struct walk *w, enum ddir d)
{
    if (p->random)
        return perm_next(&w->perm);
    uint64_t block = w->pos[d];
    w->pos[d] = block + 1 < w->blocks ? block + 1 : 0;
    return block;
}

bool pattern_next(struct pattern *p, enum ddir d, unsigned *ret_target, uint64_t *ret_offset)
{
    if (__builtin_expect(exhausted(p, &p->walk[p->turn]), 0) && !find_turn(p))
        return false;
    struct walk *w = &p->walk[p->turn];
    *ret_target = (unsigned)p->turn;
    *ret_offset = w->begin + next_block(p, w, d) * p->bs;
    w->issued += p->bs;
    p->turn = p->turn + 1 < p->n ? p->turn + 1 : 0;
    return true;
}
