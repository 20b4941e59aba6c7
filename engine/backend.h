/* backend: how requests reach the kernel. A backend only moves requests: it counts nothing, reads no clock
 * and knows no job. All hooks run in the worker's own thread. */
#ifndef ENGINE_BACKEND_H
#define ENGINE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/err.h"
#include "engine/backend_options.h"
#include "engine/counters.h"

struct io { /* one request, owned by the worker; the backend may keep a pointer while it is in flight */
    uint64_t offset;
    void *buf;
    uint32_t len;
    int32_t res;        /* after reap: bytes done, or -errno */
    int fd;
    uint8_t ddir;       /* enum ddir, DDIR_SYNC = fsync */
    uint8_t row;        /* worker's: where it is counted */
    uint16_t slot;      /* below depth, unique among those in flight */
    bool is_block;      /* of the target: how a trim is done */
    bool data_only;     /* of a sync: fdatasync */
    uint32_t target;    /* index; that of backend_reach.fd too */
    uint64_t start_ns;  /* worker's: stamp before submit */
    uint64_t intended_ns; /* worker's: when the pacer wanted it; 0 = not paced */
};

#define BACKEND_REACH_FDS 64u /* what is more than this stays untold */

struct backend_reach { /* what requests will use from now on */
    struct backend_area {
        void *base; /* NULL: none */
        size_t len;
    } area[2];      /* to read into, to write from: a buffer lies in one of them, or in neither. The memory stays
                       mapped until another area is told, or close */
    const int *fd;  /* by target; of this call alone */
    unsigned nfds;
};

struct backend_config {
    unsigned depth;             /* most requests ever in flight */
    const uint64_t *script_ns;  /* null only, for tests: latency of the i-th request, repeated; NULL = none */
    size_t nscript;
    struct backend_options opt;
    struct clock *clock;        /* null only, for tests: a fake clock that its waits move; NULL = the live one */
};

struct backend {
    const char *name, *blurb;   /* blurb: one sentence for `list backends` and help */
    bool sync;                  /* submit does the I/O: depth is 1 */
    bool cached;                /* goes through the page cache whatever the descriptor says: no direct=1 */
    bool helped;                /* threads of the kernel may work for it (iou-wrk, iou-sqp) */
    unsigned takes;             /* BACKEND_…: the options that it understands */
    /* 0, or -errno with a sentence that says what to use instead (io_uring disabled, aio-max-nr reached …). */
    int (*open)(const struct backend_config *cfg, void **ret_state, struct err *err);
    /* What requests use has changed: may be told to the kernel in advance, so that it need not look it up for each of
     * them. Only a hint; nothing is in flight when an area changes. NULL: not of use. */
    void (*reach)(void *state, const struct backend_reach *r);
    /* Hands over up to n requests in order; returns how many were taken (0: full, reap first) or -errno when
     * the engine itself is broken. An error of one request is its res at reap. EAGAIN/EINTR are handled here. */
    int (*submit)(void *state, struct io *const *ios, unsigned n);
    /* Hands over now what submit only queued, without waiting: 0 or -errno. NULL: submit itself does that. */
    int (*flush)(void *state);
    /* Collects between min and max finished requests; waits at most timeout_ns for min (0 = do not wait:
     * without a system call where there is nothing to hand over and the kernel says that nothing is done).
     * Returns how many (fewer than min after the timeout or a signal) or -errno. When it returns, the kernel has
     * all that submit took: the descriptors of those requests may be closed. */
    int (*reap)(void *state, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns);
    /* Another version of the job begins, its order random or not; nothing is in flight, and what was kept of
     * descriptors (a mapping, a position) is stale. NULL: nothing is kept. */
    void (*renew)(void *state, bool random);
    void (*close)(void *state); /* nothing in flight, or the process is leaving */
};

extern const struct backend *const backends[]; /* NULL-terminated; the table in backends.c */
const struct backend *backend_find(const char *name);
/* An engine of fio's that is not here: what to use instead, a clause without a full stop. NULL: no such engine. */
const char *backend_instead(const char *name);

#endif
