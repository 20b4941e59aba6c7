/* pacer: periods and the choice between two schedules.
 * Taking a request is inline, in the header. */
#include "engine/pacer.h"

#include "core/clock.h"

typedef unsigned __int128 fixed; /* ns, 2^-32 */

static fixed period(uint64_t units, uint64_t per_second)
{
    return per_second ? ((fixed)units * NSEC_PER_SEC << 32) / per_second : 0;
}

bool pacer_set(struct pacer *p, uint64_t rate_iops, uint64_t rate, uint64_t bs)
{
    fixed by_ios = period(1, rate_iops), by_bytes = period(bs, rate);
    fixed longer = by_ios > by_bytes ? by_ios : by_bytes;
    uint64_t ns = (uint64_t)(longer >> 32);
    uint32_t frac = (uint32_t)longer;
    if (ns == p->period_ns && frac == p->period_frac)
        return false;
    p->period_ns = ns;
    p->period_frac = frac;
    return true;
}

void pacer_start(struct pacer *p, uint64_t now_ns)
{
    for (unsigned d = 0; d < DDIRS; d++)
        p->dir[d] = (struct pacer_dir){.due_ns = now_ns};
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
