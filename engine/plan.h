/* plan: one version of a worker's orders and the pool of requests it needs, prepared outside the hot path.
 * Immutable once posted. Starts nothing and does no I/O. */
#ifndef ENGINE_PLAN_H
#define ENGINE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "engine/backend.h"
#include "engine/buffer.h"
#include "engine/job.h"
#include "engine/pacer.h"
#include "engine/pattern.h"
#include "engine/target.h"
#include "engine/tolerance.h"

#define PLAN_ROOM 256u /* rings and pools hold at least this many, so that most changes of depth drain nothing, */
#define PLAN_ROOM_ALL 4096u /* but all clones of a job together no more than this */

struct pool { /* requests and their memory; the worker's, once it has taken a plan with it */
    struct pool *next;
    uint64_t gen;          /* rises with each new pool of a worker */
    unsigned slots;
    struct buffer buffer;
    struct io *io;         /* one a slot; io[i].slot == i */
    struct io **free;      /* stack of those at rest */
    struct io **staged;    /* filled, not taken by the backend yet */
    struct io **done;      /* where the backend puts finished ones */
};

struct plan {
    enum buffer_memory memory;
    struct plan *next;     /* in the list of retired ones */
    uint64_t version;
    unsigned depth;        /* most in flight */
    unsigned ring;         /* requests the backend's ring should hold */
    struct pattern_spec pattern;
    uint64_t seed;         /* of the clone */
    uint64_t mean_bs;      /* of the first direction it does */
    uint32_t most_bs;      /* the largest request */
    struct pacer_spec pace;
    struct plan_think {
        uint64_t ns, spin_ns, iotime_ns;
        uint64_t blocks; /* UINT64_MAX: by time */
        bool issue, unpaced; /* unpaced: the schedule stands still meanwhile */
    } think;
    uint64_t start_ns;     /* of this clone: after the first of the job */
    struct job_batch batch;
    bool batched;          /* something is said of completions */
    unsigned fsync, fdatasync;
    bool end_fsync;
    bool fill;             /* a full filesystem is the end of the data */
    bool registerfiles, fixedbufs;
    struct tolerance tolerance;
    struct target_slice slice; /* of the clone: names, for sentences, and rows */
    size_t ntargets;
    struct plan_target {
        int fd;
        bool is_block;
        uint8_t row; /* of the worker's counters */
    } *target;
    struct region *region;
    struct data_spec data; /* what is written */
    struct pool *pool;
};

struct pool *pool_new(enum buffer_memory memory, unsigned slots, uint64_t bs, uint64_t gen);
void pool_free(struct pool *p);

/* The plan of a version for one clone. `pool` is the newest one so far (NULL: none yet): the plan keeps it where it is
 * large enough; else *ret->pool is a new one (its gen differs) that belongs to the caller. The area to write from is
 * mapped where the version writes, filled too when `fill`. 0 or -errno with a sentence. */
int plan_new(const struct job *j, unsigned clone, const struct targets *t, uint64_t version, const struct backend *be,
             struct pool *pool, bool fill, struct plan **ret, struct err *err);
void plan_free(struct plan *p); /* not its pool */

#endif
