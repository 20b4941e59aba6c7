/* worker_state: what the parts of a worker share: worker.c, worker_orders.c and worker_life.c (its thread) and
 * worker_calls.c (its callers). For these files alone; everybody else uses worker.h. */
#ifndef ENGINE_WORKER_STATE_H
#define ENGINE_WORKER_STATE_H

#include <linux/futex.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/clock.h"
#include "engine/backend.h"
#include "engine/pacer.h"
#include "engine/pattern.h"
#include "engine/seat.h"
#include "engine/overlap.h"
#include "engine/plan.h"
#include "engine/verify.h"
#include "engine/worker.h"

enum hold { /* why nothing new is issued; bits */
    HOLD_GATE = 1,   /* worker_go has not come */
    HOLD_PAUSE = 2,
    HOLD_DRAIN = 4,  /* a new version waits for an empty pool */
    HOLD_STOP = 8,
    HOLD_DONE = 16,  /* every target had its bytes */
    HOLD_FAIL = 32,
    HOLD_ENDING = HOLD_STOP | HOLD_DONE | HOLD_FAIL,
};

struct worker_checks { /* of a worker that verifies or keeps overlapping requests apart */
    struct overlap overlap;
    struct io *parked;      /* drawn, and waits for one in flight that it overlaps; in no list */
    bool verifies, reads_back;
    _Atomic bool reading_back;            /* the writing is over */
    uint64_t checking[JOB_MAX_DEPTH / 64 + 1]; /* slots that read back: not of the load, not counted */
    struct verify verify;
};

struct worker {
    /* Orders: written by callers. The bell counts them and is what a resting worker sleeps on. */
    alignas(64) _Atomic uint32_t bell;
    _Atomic bool go, stop, finish, paused;
    _Atomic(struct plan *) posted;

    /* Published by the thread. */
    alignas(64) _Atomic uint32_t state; /* enum worker_state; waiters sleep on it */
    _Atomic uint32_t inflight_seen, ring_depth;
    _Atomic int tid;
    _Atomic uint64_t progress_ns, version, version_ns, pool_gen, cpu_base_ns;
    _Atomic(struct plan *) retired; /* for the next caller to free */
    _Atomic bool failed;            /* err is set */
    struct err err;
    struct err tolerated; /* the first that it went on after; read once it has ended */
    struct worker_usage usage; /* set before WORKER_ENDED */
    uint64_t helpers_ns;       /* set before WORKER_ENDED */

    /* The thread's own. */
    alignas(64) unsigned hold;
    uint32_t heard;            /* the bell when orders were last read */
    unsigned depth, inflight, nstaged, nfree;
    bool busy; /* the last look found finished requests at once: it is the worker that is waited for */
    unsigned spin_skip, spin_misses; /* waits until the next look; looks in a row that were in vain */
    struct pool *pool;
    void *ring;                /* state of the backend */
    struct backend_reach reach; /* what the ring was told of */
    const struct backend *be;
    uint64_t now_ns;           /* the last stamp */
    uint64_t wake_ns;          /* when the next request may start; 0 = not known to wait */
    uint64_t not_before_ns;    /* of this clone's startdelay */
    struct thought {           /* of thinktime */
        uint64_t until_ns;     /* a pause; 0 = none */
        uint64_t since_ns, n;  /* when the last one ended, and requests since */
    } thought;
    bool ebbs;                 /* iodepth_low: the queue was full and is not low yet */
    uint64_t nap_min_ns;       /* shorter naps are not worth what they cost */
    bool responds;             /* paced now or before: rlat is recorded */
    bool waits;                /* paced or thinking: a start has a time */
    bool chained;              /* depth 1: the end of one request is the start of the next */
    bool broken;               /* the backend itself failed: nothing more comes from it */
    int sync_target;           /* a sync is due there; -1 */
    unsigned data_turn;
    struct worker_checks *checks; /* NULL: neither */
    struct data data;          /* what is written next, where it is not shared */
    bool rewrites;             /* what was trimmed is written next */
    unsigned fsync, fdatasync; /* every so many writes of a target; 0 = never */
    bool syncs, sync_data;     /* one of the two is set; the sync that is due is of data alone */
    struct counters *counters; /* one a row */
    struct clock *clock;       /* fake one of a test; NULL */
    struct plan *plan, *pending;
    struct pacer pacer;
    struct worker_usage usage_base; /* at go */
    unsigned *since_sync; /* writes, one a target */
    struct pattern pattern;

    /* Callers' own, or set before the thread starts. */
    alignas(64) pthread_t thread;
    unsigned clone;
    size_t ntargets;
    unsigned row0, nrows; /* of the job's rows: those of its targets */
    struct walk *walk;
    struct seat seat;
    struct backend_config cfg;
    struct pool *pools; /* all of them, newest first */
};

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define publish(word, value) atomic_store_explicit(&(word), (value), memory_order_relaxed)

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

static inline uint64_t worker_clock(const struct worker *w)
{
    return likely(!w->clock) ? clock_now_ns() : w->clock->mono_ns;
}

/* worker_life.c */
void *worker_main(void *worker); /* the thread */
void worker_set_state(struct worker *w, enum worker_state s);
void worker_failed(struct worker *w); /* w->err is written */
void worker_usage_begin(struct worker *w);
uint64_t worker_thread_cpu_ns(void); /* of the calling thread */

/* worker.c */
void worker_loop(struct worker *w);     /* returns with nothing in flight, or broken */
void worker_sync_all(struct worker *w); /* end_fsync */
struct io *worker_stage(struct worker *w, enum ddir d, uint32_t target, uint64_t offset, uint32_t len);
void worker_load(struct worker *w, struct io *io); /* gives it its memory, and what it writes */
void worker_record(struct worker *w, const struct io *io);
void worker_fail_io(struct worker *w, const struct io *io);
void worker_fail(struct worker *w, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* worker_verify.c: for w->checks */
int worker_checks_new(const struct job *j, const struct plan *p, unsigned slots, uint64_t run,
                      struct worker_checks **ret, struct err *err);
void worker_checks_free(struct worker_checks *c);
bool worker_may_overlap(struct worker *w, struct io *io); /* the last one staged: false: it is parked */
bool worker_unpark(struct worker *w);      /* none is parked any more */
int worker_fill_checks(struct worker *w);  /* 1: staged one of its own, 0: go on with the load, -1: wait */
void worker_verify_write(struct worker *w, struct io *io);
void worker_checked(struct worker *w, struct io *io); /* it is done: records it and looks at it */
void worker_tell_verify(struct worker *w);
void worker_read_back(struct worker *w);   /* the load has ended */

/* worker_pace.c */
bool worker_may_start(struct worker *w, enum ddir *d, uint64_t *ret_intended);
void worker_set_pace(struct worker *w, const struct plan *p);
void worker_begin_pace(struct worker *w); /* from now on requests may start */
void worker_rest_until(struct worker *w, uint64_t t_ns); /* or the next order */

/* worker_orders.c */
int worker_open_ring(const struct worker *w, unsigned depth, void **ret, struct err *err);
void worker_use_ring(struct worker *w, void *ring, unsigned depth);
void worker_adopt(struct worker *w, struct plan *p);
void worker_obey(struct worker *w); /* reads the orders */
bool worker_rest(struct worker *w); /* nothing is in flight; false when there is nothing more to do */

/* Sleeps while *word is `seen`, at most until the monotonic time deadline_ns (UINT64_MAX: no limit). */
static inline void futex_wait(_Atomic uint32_t *word, uint32_t seen, uint64_t deadline_ns)
{
    struct timespec ts = {
        .tv_sec = (time_t)(deadline_ns / NSEC_PER_SEC),
        .tv_nsec = (long)(deadline_ns % NSEC_PER_SEC),
    };
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, seen, deadline_ns == UINT64_MAX ? NULL : &ts, NULL,
            FUTEX_BITSET_MATCH_ANY);
}

static inline void futex_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

#endif
