/* backend_options: what a job says to its ioengine alone, as values. fio calls them engine options. */
#ifndef ENGINE_BACKEND_OPTIONS_H
#define ENGINE_BACKEND_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/ddir.h"

enum { /* the options an engine understands: bits of backend.takes */
    BACKEND_HIPRI = 1,
    BACKEND_NOWAIT = 2,
    BACKEND_UNCACHED = 4,
    BACKEND_SQPOLL = 8,
    BACKEND_FORCE_ASYNC = 16,
    BACKEND_PRIO = 32,
    BACKEND_ZEROES = 64,
};

struct backend_options {
    bool hipri;           /* polls for completions: the device needs poll queues, the file O_DIRECT */
    bool nowait;          /* -EAGAIN where a request would have to wait before it starts */
    bool uncached;        /* buffered, and leaves nothing in the page cache */
    bool zeroes;          /* a write moves no data: the kernel zeroes the range */
    bool sqthread_poll;   /* a thread of the kernel looks for new requests */
    bool sqthread_pinned; /* that thread runs on one CPU: */
    unsigned sqthread_cpu;
    unsigned force_async; /* every N-th request is started by a helper thread of the kernel; 0 = none */
    unsigned prio_pct[DDIRS], prio_class[DDIRS], prio[DDIRS]; /* a share of the requests has a priority of its own */
};

/* The priority of the next request in a direction, as ioprio_set(2) has it; 0: the thread's own. Exactly the asked
 * share of them, evenly. */
struct backend_prio {
    uint16_t value[DDIRS];
    uint8_t pct[DDIRS], turn[DDIRS];
    bool on;
};
void backend_prio_init(struct backend_prio *p, const struct backend_options *o);

static inline uint16_t backend_prio_next(struct backend_prio *p, enum ddir d)
{
    unsigned turn = (unsigned)p->turn[d] + p->pct[d];
    p->turn[d] = (uint8_t)(turn % 100);
    return turn >= 100 ? p->value[d] : 0;
}

/* The flags of preadv2 and of an asynchronous request (RWF_…) that say the first three. */
uint32_t backend_rwf(const struct backend_options *o);

#endif
