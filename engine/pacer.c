/* pacer: periods, gaps and the choice between two schedules.
 * Taking a request is inline, in the header. */
#include "engine/pacer.h"

#include <math.h>

#include "core/clock.h"

typedef unsigned __int128 fixed; /* ns, 2^-32 */

static fixed period(uint64_t units, uint64_t per_second)
{
    return per_second ? ((fixed)units * NSEC_PER_SEC << 32) / per_second : 0;
}

void pacer_seed(struct pacer *p, uint64_t seed)
{
    rng_seed(&p->rng, seed);
}

static bool set_dir(struct pacer_dir *s, uint64_t iops, uint64_t bytes, uint64_t bs)
{
    fixed by_ios = period(1, iops), by_bytes = period(bs, bytes);
    fixed longer = by_ios > by_bytes ? by_ios : by_bytes;
    uint64_t ns = (uint64_t)(longer >> 32);
    uint32_t frac = (uint32_t)longer;
    if (ns == s->period_ns && frac == s->period_frac)
        return false;
    s->period_ns = ns;
    s->period_frac = frac;
    return true;
}

bool pacer_set(struct pacer *p, const struct pacer_spec *spec)
{
    bool changed = p->poisson != spec->poisson;
    p->poisson = spec->poisson;
    p->on = false;
    for (unsigned d = 0; d < DDIRS; d++) {
        changed |= set_dir(&p->dir[d], spec->iops[d], spec->bytes[d], spec->bs[d]);
        p->on |= p->dir[d].period_ns | p->dir[d].period_frac;
    }
    return changed;
}

void pacer_start(struct pacer *p, uint64_t now_ns)
{
    for (unsigned d = 0; d < DDIRS; d++) {
        struct pacer_dir *s = &p->dir[d];
        s->frac = 0;
        s->due_ns = s->period_ns | s->period_frac ? now_ns : 0;
    }
}

void pacer_skip(struct pacer *p, uint64_t ns)
{
    for (unsigned d = 0; d < DDIRS; d++)
        if (p->dir[d].period_ns | p->dir[d].period_frac)
            p->dir[d].due_ns += ns;
}

/* By inversion, of a number in (0, 1]. */
uint64_t pacer_gap(struct pacer *p, enum ddir d)
{
    const struct pacer_dir *s = &p->dir[d];
    double u = (double)((rng_next(&p->rng) >> 11) + 1) * 0x1p-53;
    return (uint64_t)(-log(u) * ((double)s->period_ns + (double)s->period_frac * 0x1p-32) + 0.5);
}

enum ddir pacer_choose(const struct pacer *p, enum ddir d, bool both, uint64_t now_ns, uint64_t *ret_due_ns)
{
    if (both && p->dir[d].due_ns > now_ns) {
        enum ddir other = d == DDIR_READ ? DDIR_WRITE : DDIR_READ;
        if (p->dir[other].due_ns < p->dir[d].due_ns)
            d = other;
    }
    *ret_due_ns = p->dir[d].due_ns;
    return d;
}
