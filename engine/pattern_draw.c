/* pattern_draw: the next offset and length of walks that are not plain.
 * Which target it is in is pattern_turn.c's. Runs in the hot loop, but never for a plain walk. */
#include "engine/pattern.h"

#include <string.h>

struct span { /* bytes from the beginning of the region */
    uint64_t from, end;
};

/* ---- what is prepared ---- */

static const struct blocksize *size_of(const struct pattern *p, enum ddir d, bool random)
{
    if (p->spec.bs_by_order)
        d = random ? DDIR_WRITE : DDIR_READ;
    return &p->spec.bs[d];
}

/* Random offsets of direction d are multiples of it. */
static uint64_t unit_of(const struct pattern *p, enum ddir d)
{
    return p->spec.align[d] ? p->spec.align[d] : size_of(p, d, true)->min;
}

/* Can every byte come once? Not where sizes do not add up, and not in windows or from a distribution. */
static bool can_cover(const struct pattern *p)
{
    const struct pattern_spec *s = &p->spec;
    if (!p->random || s->again || s->dist.kind != DIST_RANDOM || s->zone_range)
        return false;
    for (unsigned d = 0; d < DDIRS; d++) {
        const struct blocksize *b = size_of(p, d, true);
        if (s->align[d] || !blocksize_multiple(b, b->min))
            return false;
    }
    return true;
}

static bool all_same(const struct pattern *p)
{
    return blocksize_same(size_of(p, DDIR_READ, true), size_of(p, DDIR_WRITE, true));
}

static void set_cover(struct pattern *p, bool same_sizes)
{
    p->shared = all_same(p) && p->mixed;
    for (unsigned d = 0; d < DDIRS; d++) {
        if (!same_sizes)
            cover_mix(&p->mix[d], size_of(p, d, true));
        for (size_t i = 0; i < p->n; i++) {
            struct walk *w = &p->walk[i];
            if ((!same_sizes || w->cover[d].units != w->bytes / p->mix[d].unit) && w->bytes >= p->mix[d].unit)
                cover_init(&w->cover[d], &p->mix[d], w->bytes, rng_next(&p->rng));
        }
    }
}

static bool skewed(const struct pattern *p)
{
    return p->spec.dist.kind == DIST_ZIPF || p->spec.dist.kind == DIST_PARETO || p->spec.dist.kind == DIST_NORMAL;
}

/* The blocks of a distribution: the same ones for every direction. */
static uint64_t dist_unit(const struct pattern *p)
{
    uint64_t unit = p->bs;
    for (unsigned d = 0; d < DDIRS; d++)
        if (pattern_uses(&p->spec, d) && p->spec.align[d] > unit)
            unit = p->spec.align[d];
    return unit;
}

static bool same_dist(const struct dist_spec *a, const struct dist_spec *b)
{
    return a->kind == b->kind && a->param == b->param && a->center == b->center;
}

/* The hot blocks of a target stay where they are while the distribution and the number of blocks do. */
static void set_dist(struct pattern *p)
{
    for (size_t i = 0; i < p->n; i++) {
        struct walk *w = &p->walk[i];
        uint64_t n = w->bytes / dist_unit(p);
        n = n ? n : 1;
        if (!same_dist(&w->dist.spec, &p->spec.dist) || w->dist.n != n)
            dist_init(&w->dist, &p->spec.dist, n, true, rng_mix(p->seed + i));
    }
}

void pattern_set_rare(struct pattern *p, const struct pattern_spec *old)
{
    bool same = old && old->bs_by_order == p->spec.bs_by_order && !memcmp(old->bs, p->spec.bs, sizeof(old->bs)) &&
                p->covers;
    p->covers = can_cover(p);
    if (p->covers)
        set_cover(p, same);
    if (skewed(p))
        set_dist(p);
    pattern_set_turns(p);
}

/* ---- where it may be ---- */

/* A window of zonemode=strided: after zone_size bytes it moves on, behind the end back to the beginning. */
static struct span span_of(struct pattern *p, struct walk *w)
{
    const struct pattern_spec *s = &p->spec;
    if (!s->zone_range)
        return (struct span){0, w->bytes};
    if (w->window_done >= s->zone_size) {
        w->window_done = 0;
        w->window += s->zone_range + s->zone_skip;
        memset(w->moved, 0, sizeof(w->moved));
    }
    if (w->window + p->bs > w->bytes)
        w->window = 0;
    uint64_t end = w->window + s->zone_range;
    return (struct span){w->window, end < w->bytes ? end : w->bytes};
}

/* ---- how long it is ---- */

static uint32_t draw_len(struct pattern *p, enum ddir d, bool random, uint64_t room)
{
    const struct blocksize *b = size_of(p, d, random);
    uint32_t len = blocksize_draw(b, &p->rng);
    return len <= room ? len : blocksize_fit(b, room);
}

/* ---- sequential ---- */

static bool sequential(struct pattern *p, struct walk *w, enum ddir d, struct span in, struct place *ret)
{
    int64_t jump = p->random ? 0 : p->spec.jump;
    uint64_t at = w->moved[d] ? w->pos[d] + (uint64_t)jump : in.from + w->pos[d];
    uint32_t least = size_of(p, d, false)->min;
    if (p->spec.zone_range && !w->moved[d])
        at = in.from;
    bool begins = jump < 0 && !w->moved[d];
    if (begins || at < in.from || at > in.end || in.end - at < least) {
        if (p->random && w->moved[d])
            return false; /* the end: a random one comes instead */
        at = jump < 0 && in.end - in.from >= least ? in.end - least : in.from;
    }
    ret->len = draw_len(p, d, false, in.end - at);
    ret->offset = at;
    return ret->len > 0;
}

/* ---- random ---- */

/* How many places there are from which a smallest block fits. */
static uint64_t places(const struct pattern *p, enum ddir d, struct span in)
{
    uint64_t unit = unit_of(p, d), least = size_of(p, d, true)->min, bytes = in.end - in.from;
    return bytes < least ? 0 : (bytes - least) / unit + 1;
}

static uint64_t draw_block(struct pattern *p, struct walk *w, enum ddir d, uint64_t n)
{
    if (p->spec.dist.kind == DIST_ZONED || p->spec.dist.kind == DIST_ZONED_ABS)
        return zones_draw(&p->spec.zones[d], n, unit_of(p, d), &p->rng);
    return skewed(p) ? dist_next(&w->dist, &p->rng) : rng_below(&p->rng, n);
}

static bool drawn(struct pattern *p, struct walk *w, enum ddir d, struct span in, struct place *ret)
{
    uint64_t n = places(p, d, in), unit = skewed(p) ? dist_unit(p) : unit_of(p, d), block;
    if (!n)
        return false;
    do {
        block = draw_block(p, w, d, n);
        ret->offset = in.from + block * unit;
    } while (skewed(p) && in.end - in.from - size_of(p, d, true)->min < block * unit);
    ret->len = draw_len(p, d, true, in.end - ret->offset);
    return ret->len > 0;
}

static bool at_random(struct pattern *p, struct walk *w, enum ddir d, struct span in, struct place *ret)
{
    unsigned c = p->shared ? 0 : d;
    if (!p->covers)
        return drawn(p, w, d, in, ret);
    cover_next(&w->cover[c], &p->mix[c], &ret->offset, &ret->len);
    return true;
}

/* ---- one after the other ---- */

/* The next one of a run: behind the one before, or where that was. */
static bool in_run(struct pattern *p, struct walk *w, enum ddir d, struct span in, struct place *ret)
{
    if (!w->left[d] || !w->moved[d])
        return false;
    w->left[d]--;
    if (!p->spec.identical)
        return sequential(p, w, d, in, ret);
    ret->offset = w->last[d];
    ret->len = draw_len(p, d, false, in.end > ret->offset ? in.end - ret->offset : 0);
    return ret->len > 0;
}

static bool find_place(struct pattern *p, struct walk *w, enum ddir d, struct span in, struct place *ret)
{
    if (!p->random)
        return sequential(p, w, d, in, ret);
    if (in_run(p, w, d, in, ret))
        return true;
    w->left[d] = p->spec.run > 1 ? p->spec.run - 1 : 0;
    unsigned pct = p->spec.sequential_pct[d];
    if (pct && rng_below(&p->rng, 100) < pct && sequential(p, w, d, in, ret))
        return true;
    return at_random(p, w, d, in, ret);
}

/* The last request before a limit may have to be a smaller one. */
static void keep_limit(const struct pattern *p, const struct walk *w, enum ddir d, struct place *ret)
{
    uint64_t left = w->limit - w->issued;
    uint32_t fits;
    if (ret->len > left && (fits = blocksize_fit(&p->spec.bs[d], left)))
        ret->len = fits;
}

bool pattern_next_rare(struct pattern *p, enum ddir d, struct place *ret)
{
    if (!pattern_choose(p))
        return false;
    struct walk *w = &p->walk[p->turn];
    if (!find_place(p, w, d, span_of(p, w), ret))
        return false;
    keep_limit(p, w, d, ret);
    w->last[d] = ret->offset;
    w->pos[d] = ret->offset + ret->len;
    w->moved[d] = true;
    w->window_done += ret->len;
    ret->target = (unsigned)p->turn;
    ret->offset += w->begin;
    pattern_took(p, ret->len);
    return true;
}
