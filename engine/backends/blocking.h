/* blocking: requests done in place, in the thread that asks: what every kernel can do, for the backends that
 * have no better way for it; and what such backends share. */
#ifndef ENGINE_BACKENDS_BLOCKING_H
#define ENGINE_BACKENDS_BLOCKING_H

#include <stdint.h>

#include "engine/backend.h"

/* Each does the request and returns bytes done (a sync: 0) or -errno: the res of the request. */
int32_t blocking_read(const struct io *io);
int32_t blocking_write(const struct io *io);
int32_t blocking_trim(const struct io *io); /* block device: discard; file: a hole, its size unchanged */
int32_t blocking_sync(const struct io *io);
int32_t blocking_zero(const struct io *io); /* in the place of a write: the range reads as zeroes; no data is moved */

int32_t blocking_do(const struct io *io); /* the one of the four that io->ddir names */

/* What an engine keeps of a descriptor, it keeps for so many: target % BLOCKING_FILES. More of them take turns. */
#define BLOCKING_FILES 256u

/* A descriptor of the same file with a position of its own and the same right to write: or -errno. */
int blocking_reopen(int fd);

/* ---- for an asynchronous backend: requests that were finished during submit, not yet collected ---- */

struct early {
    struct io **io;
    unsigned n;
};

int early_init(struct early *e, unsigned depth); /* room for depth requests: 0 or -ENOMEM */
void early_fini(struct early *e);

static inline void early_put(struct early *e, struct io *io, int32_t res)
{
    io->res = res;
    e->io[e->n++] = io;
}

/* Takes up to max of them, the oldest first; returns how many. */
unsigned early_take(struct early *e, struct io **done, unsigned max);

/* ---- for a synchronous backend: the one request that is done in submit ---- */

struct in_place {
    struct io *done; /* finished, not yet collected */
};

/* True when there is a request to do now: it is *io. The backend does it and sets its res. */
static inline bool in_place_take(struct in_place *s, struct io *const *ios, unsigned n)
{
    if (!n || s->done)
        return false;
    s->done = ios[0];
    return true;
}

/* The reap hook of all of them; state begins with a struct in_place. Nothing is ever in flight here: what is not
 * finished now will not be after a wait. */
int in_place_reap(void *state, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns);

#endif
