/* pacer: when each request was meant to start, of a job with a rate.
 * Does not sleep (the worker does) and does not look at the clock.
 *
 * An absolute schedule, open loop: request k of a direction is due at start + k * period, whenever the ones
 * before it were really issued. After a stall what is overdue goes out back to back, and its latency from the
 * due time shows the stall. With rate_process=poisson the gaps are drawn from the exponential distribution with the
 * period as its mean, so that the asked rate is kept in the long run.
 * Each direction has a rate and a schedule of its own, as in fio: rate_iops=500 with a mix gives 500 reads and 500
 * writes a second, and a direction without a rate is never late and never early: it goes whenever it is its turn. */
#ifndef ENGINE_PACER_H
#define ENGINE_PACER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/ddir.h"
#include "engine/rng.h"

struct pacer_spec {
    uint64_t iops[DDIRS];  /* requests a second; 0 = unlimited */
    uint64_t bytes[DDIRS]; /* bytes a second; 0 = unlimited */
    uint64_t bs[DDIRS];    /* mean size of a request: turns bytes into requests */
    bool poisson;
};

struct pacer {
    bool on, poisson;
    struct rng rng; /* of the gaps */
    struct pacer_dir {
        uint64_t due_ns;
        uint64_t period_ns;   /* between two starts, with its fraction; both 0 = no rate */
        uint32_t period_frac; /* 2^-32 ns, so that no rate drifts */
        uint32_t frac;
    } dir[DDIRS];
};

void pacer_seed(struct pacer *p, uint64_t seed); /* once, before its first gap */

/* Of two rates of one direction the slower one holds. True when a period changed: then the schedule must be started
 * anew. */
bool pacer_set(struct pacer *p, const struct pacer_spec *s);

void pacer_start(struct pacer *p, uint64_t now_ns); /* the first request of each direction is due now */

/* All schedules move on by so much: a time in which nothing was meant to start. */
void pacer_skip(struct pacer *p, uint64_t ns);

static inline bool pacer_on(const struct pacer *p)
{
    return p->on;
}

/* The direction to issue next, for a mix that drew d: d, unless it is ahead of its schedule and the other one
 * is due earlier. Its due time goes to *ret_due_ns; past now_ns it must be waited for. */
enum ddir pacer_choose(const struct pacer *p, enum ddir d, bool both, uint64_t now_ns, uint64_t *ret_due_ns);

uint64_t pacer_gap(struct pacer *p, enum ddir d); /* of a Poisson process, ns */

/* Takes the next request of direction d: its intended start (0: it has none, the direction has no rate); the one after
 * it is due a period later. */
static inline uint64_t pacer_take(struct pacer *p, enum ddir d)
{
    struct pacer_dir *s = &p->dir[d];
    uint64_t due = s->due_ns;
    if (!(s->period_ns | s->period_frac))
        return 0;
    if (p->poisson)
        s->due_ns = due + pacer_gap(p, d);
    else
        s->due_ns = due + s->period_ns + __builtin_add_overflow(s->frac, s->period_frac, &s->frac);
    return due;
}

#endif
