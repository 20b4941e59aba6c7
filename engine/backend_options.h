/* backend_options: what a job says to its ioengine alone, as values. fio calls them engine options. */
#ifndef ENGINE_BACKEND_OPTIONS_H
#define ENGINE_BACKEND_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { /* the options an engine understands: bits of backend.takes */
    BACKEND_HIPRI = 1,
    BACKEND_NOWAIT = 2,
    BACKEND_UNCACHED = 4,
    BACKEND_SQPOLL = 8,
    BACKEND_FORCE_ASYNC = 16,
};

struct backend_options {
    bool hipri;           /* polls for completions: the device needs poll queues, the file O_DIRECT */
    bool nowait;          /* -EAGAIN where a request would have to wait before it starts */
    bool uncached;        /* buffered, and leaves nothing in the page cache */
    bool sqthread_poll;   /* a thread of the kernel looks for new requests */
    unsigned sqthread_cpu; /* the CPU of that thread + 1; 0 = any */
    unsigned force_async; /* every N-th request is started by a helper thread of the kernel; 0 = none */
};

/* The flags of preadv2 and of an asynchronous request (RWF_…) that say the first three. */
uint32_t backend_rwf(const struct backend_options *o);

#endif
