/* pattern: walks over the blocks of targets: the plain ones, and what changes while they walk.
 * The draw of a direction is inline, in the header; what is rare is in pattern_draw.c. */
#include "engine/pattern.h"

#include <string.h>

static const struct {
    bool random, mixed;
    enum ddir ddir;
    bool writes;
} kinds[] = {
    [JOB_READ] = {false, false, DDIR_READ, false},
    [JOB_WRITE] = {false, false, DDIR_WRITE, true},
    [JOB_TRIM] = {false, false, DDIR_TRIM, false},
    [JOB_RANDREAD] = {true, false, DDIR_READ, false},
    [JOB_RANDWRITE] = {true, false, DDIR_WRITE, true},
    [JOB_RANDTRIM] = {true, false, DDIR_TRIM, false},
    [JOB_RW] = {false, true, DDIR_READ, true},
    [JOB_RANDRW] = {true, true, DDIR_READ, true},
    [JOB_TRIMWRITE] = {false, false, DDIR_TRIM, true}, /* the worker writes what it has trimmed */
    [JOB_RANDTRIMWRITE] = {true, false, DDIR_TRIM, true},
};

bool pattern_writes(enum job_rw rw)
{
    return kinds[rw].writes;
}

bool pattern_uses(const struct pattern_spec *s, enum ddir d)
{
    if (s->bs_by_order) {
        bool sequential = !kinds[s->rw].random || s->run > 1;
        for (unsigned i = 0; i < DDIRS; i++)
            sequential = sequential || s->sequential_pct[i];
        return d == DDIR_READ ? sequential : d == DDIR_WRITE && kinds[s->rw].random;
    }
    return kinds[s->rw].mixed ? d != DDIR_TRIM : d == kinds[s->rw].ddir;
}

uint32_t pattern_largest(const struct pattern_spec *s)
{
    uint32_t most = 0;
    for (unsigned d = 0; d < DDIRS; d++)
        if (pattern_uses(s, d) && s->bs[d].max > most)
            most = s->bs[d].max;
    return most;
}

uint32_t pattern_smallest(const struct pattern_spec *s)
{
    uint32_t least = UINT32_MAX;
    for (unsigned d = 0; d < DDIRS; d++)
        if (pattern_uses(s, d) && s->bs[d].min < least)
            least = s->bs[d].min;
    return least;
}

uint32_t pattern_needs(const struct pattern_spec *s)
{
    uint32_t most = 0;
    for (unsigned d = 0; d < DDIRS; d++)
        if (pattern_uses(s, d) && s->bs[d].min > most)
            most = s->bs[d].min;
    return most;
}

static bool plain_order(const struct pattern_spec *s)
{
    if (!kinds[s->rw].random)
        return !s->jump;
    for (unsigned d = 0; d < DDIRS; d++)
        if (pattern_uses(s, d) && (s->sequential_pct[d] || s->align[d]))
            return false;
    return s->run <= 1 && !s->again && s->dist.kind == DIST_RANDOM;
}

bool pattern_plain(const struct pattern_spec *s)
{
    return plain_order(s) && !s->bs_by_order && pattern_smallest(s) == pattern_largest(s) && !s->io_bytes && !s->ios &&
           !s->zone_range && s->service.kind == SERVICE_ROUNDROBIN && s->service.each <= 1;
}

void pattern_init(struct pattern *p, uint64_t seed, struct walk *walk)
{
    memset(p, 0, sizeof(*p));
    p->walk = walk;
    p->seed = seed;
    rng_seed(&p->rng, seed);
}

/* The place of a sequential walk in blocks of the new size: the next that was not begun. */
static void move_on(struct walk *w, const struct pattern *p)
{
    for (unsigned d = 0; d < DDIRS; d++) {
        uint64_t bs = p->rare ? p->spec.bs[d].min : p->bs;
        w->pos[d] = (w->pos[d] + bs - 1) / bs * bs;
        if (w->pos[d] + bs > w->bytes)
            w->pos[d] = 0;
    }
}

static uint64_t limit_of(const struct pattern *p, uint64_t pass)
{
    uint64_t limit, loops = p->spec.loops ? p->spec.loops : 1;
    return p->spec.endless || __builtin_mul_overflow(pass, loops, &limit) ? UINT64_MAX : limit;
}

static void set_walk(struct pattern *p, size_t i, uint32_t old_bs, const struct region *r)
{
    struct walk *w = &p->walk[i];
    uint64_t bytes = r->end - r->begin, blocks = bytes / p->bs;
    bool same = w->blocks == blocks && old_bs == p->bs && w->bytes == bytes;
    w->begin = r->begin;
    w->blocks = blocks;
    w->bytes = bytes;
    w->limit = limit_of(p, blocks * p->bs);
    move_on(w, p);
    if (!same)
        perm_init(&w->perm, blocks, rng_next(&p->rng));
}

void pattern_set(struct pattern *p, const struct pattern_spec *spec, const struct region *region, size_t n)
{
    struct pattern_spec old = p->spec;
    uint32_t old_bs = p->bs;
    bool was_rare = p->rare;
    p->spec = *spec;
    p->rare = !pattern_plain(spec);
    p->bs = pattern_smallest(spec);
    for (size_t i = 0; i < n; i++)
        set_walk(p, i, old_bs, &region[i]);
    p->n = n;
    if (p->turn >= n)
        p->turn = 0;
    p->random = kinds[spec->rw].random;
    p->mixed = kinds[spec->rw].mixed;
    p->ddir = kinds[spec->rw].ddir;
    p->read_below = (((uint64_t)spec->rwmixread << 32) + 50) / 100;
    if (p->rare)
        pattern_set_rare(p, was_rare ? &old : NULL);
}

bool pattern_ended(struct pattern *p)
{
    if (__builtin_expect(p->rare, 0))
        return pattern_rare_ended(p);
    return pattern_exhausted(p, &p->walk[p->turn]) && !pattern_find_turn(p);
}

static uint64_t next_offset(struct pattern *p, struct walk *w, enum ddir d)
{
    if (p->random)
        return perm_next(&w->perm) * p->bs;
    uint64_t at = w->pos[d], next = at + p->bs;
    w->pos[d] = next < w->blocks * p->bs ? next : 0;
    return at;
}

bool pattern_next(struct pattern *p, enum ddir d, struct place *ret)
{
    if (__builtin_expect(p->rare, 0))
        return pattern_next_rare(p, d, ret);
    if (__builtin_expect(pattern_exhausted(p, &p->walk[p->turn]), 0) && !pattern_find_turn(p))
        return false;
    struct walk *w = &p->walk[p->turn];
    ret->target = (unsigned)p->turn;
    ret->len = p->bs;
    ret->offset = w->begin + next_offset(p, w, d);
    w->issued += p->bs;
    p->turn = p->turn + 1 < p->n ? p->turn + 1 : 0;
    return true;
}
