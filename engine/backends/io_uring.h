/* io_uring: what the parts of the backend share: io_uring_ring.c (the ring: set-up, what is registered, its end) and
 * io_uring.c (requests). For these two files alone. */
#ifndef ENGINE_BACKENDS_IO_URING_H
#define ENGINE_BACKENDS_IO_URING_H

#include <liburing.h>

#include "engine/backends/blocking.h"

struct uring {
    struct io_uring ring;
    unsigned depth;
    unsigned inflight;
    bool discard_in_place; /* the kernel does not know BLOCK_URING_CMD_DISCARD */
    bool polled;           /* completions come only to who asks for them */
    bool sqpoll;           /* a thread of the kernel takes what is queued */
    bool zeroes;           /* a write is a command to zero */
    bool special;          /* requests bear more than the plain ones: */
    uint32_t rw_flags;
    unsigned force_async, until_async;
    struct backend_prio prio;
    struct early early;    /* done in place, not yet collected */
    struct iovec area[2]; /* registered; iov_len 0: not */
    bool has_table;       /* of registered files, */
    unsigned nfiles;      /* with the targets below this */
};

int uring_open(const struct backend_config *cfg, void **ret_state, struct err *err);
void uring_close(void *state);
void uring_reach(void *state, const struct backend_reach *r);

#endif
