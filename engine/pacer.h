/* pacer: when each request was meant to start, of a job with a rate.
 * Does not sleep (the worker does) and does not look at the clock.
 *
 * An absolute schedule, open loop: request k of a direction is due at start + k * period, whenever the ones
 * before it were really issued. After a stall what is overdue goes out back to back, and its latency from the
 * due time shows the stall. Each direction has a schedule of its own, as in fio: rate_iops=500 with a mix gives
 * 500 reads and 500 writes a second. */
#ifndef ENGINE_PACER_H
#define ENGINE_PACER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/counters.h"

struct pacer {
    uint64_t period_ns;   /* between two starts of one direction; with its fraction; both 0 = no rate */
    uint32_t period_frac; /* 2^-32 ns, so that no rate drifts */
    struct pacer_dir {
        uint64_t due_ns;
        uint32_t frac;
    } dir[DDIRS];
};

/* The rate of one direction: rate_iops requests and rate bytes a second in blocks of bs; 0 = unlimited. Of two
 * given rates the slower one holds. True when the period changed: then the schedule must be started anew. */
bool pacer_set(struct pacer *p, uint64_t rate_iops, uint64_t rate, uint64_t bs);

void pacer_start(struct pacer *p, uint64_t now_ns); /* the first request of each direction is due now */

static inline bool pacer_on(const struct pacer *p)
{
    return p->period_ns | p->period_frac;
}

/* The direction to issue next, for a mix that drew d: d, unless it is ahead of its schedule and the other one
 * is due earlier. Its due time goes to *ret_due_ns; past now_ns it must be waited for. */
enum ddir pacer_choose(const struct pacer *p, enum ddir d, bool both, uint64_t now_ns, uint64_t *ret_due_ns);

/* Takes the next request of direction d: its intended start; the one after it is due a period later. */
static inline uint64_t pacer_take(struct pacer *p, enum ddir d)
{
    struct pacer_dir *s = &p->dir[d];
    uint64_t due = s->due_ns;
    s->due_ns = due + p->period_ns + __builtin_add_overflow(s->frac, p->period_frac, &s->frac);
    return due;
}

#endif
