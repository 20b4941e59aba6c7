/* worker: the hot loop: fill, submit, reap, record; all accounting is here. Orders are in worker_orders.c, start
 * and end of the thread in worker_life.c, what others call in worker_calls.c. Allocates, locks and prints nothing. */
#include "engine/worker.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/worker_state.h"

#define TICK_NS (20 * NSEC_PER_MSEC) /* the longest wait for a completion without a look at the orders */
#define SPIN_NS (20 * NSEC_PER_USEC) /* the longest look at the ring before sleeping */
#define SPIN_MISSES 7u               /* at the worst one wait in 2^7 begins with a look */

/* ---- failing ---- */

static const char *const verbs[] = {[DDIR_READ] = "read", [DDIR_WRITE] = "write", [DDIR_TRIM] = "trim"};

/* The first failure is the one that is told; true for it. */
static bool fail(struct worker *w)
{
    w->hold |= HOLD_FAIL;
    return !atomic_load_explicit(&w->failed, memory_order_relaxed);
}

static const char *why(const struct io *io)
{
    if (io->res < 0)
        return strerrordesc_np(-io->res);
    return io->ddir == DDIR_READ ? "short read at end" : "nothing was done";
}

static void say_io(const struct worker *w, const struct io *io, int code, struct err *ret)
{
    const char *path = w->plan->slice.t[io->target].path;
    if (io->ddir == DDIR_SYNC)
        err_set(ret, code, "%s of %s: %s", io->data_only ? "fdatasync" : "fsync", path, why(io));
    else
        err_set(ret, code, "%s at offset %llu of %s: %s", verbs[io->ddir], (unsigned long long)io->offset, path,
                why(io));
}

static void fail_io(struct worker *w, const struct io *io)
{
    int code = io->res < 0 ? io->res : -EIO;
    if (tolerates(&w->plan->tolerance, (enum ddir)io->ddir, code)) {
        if (!w->tolerated.code)
            say_io(w, io, code, &w->tolerated);
        return;
    }
    if (!fail(w))
        return;
    say_io(w, io, code, &w->err);
    worker_failed(w);
}

static void fail_engine(struct worker *w, int code)
{
    w->broken = true;
    if (!fail(w))
        return;
    err_set(&w->err, code, "%s stopped working: %s", w->be->name, strerrordesc_np(-code));
    worker_failed(w);
}

/* ---- recording ---- */

static void record_sync(struct worker *w, const struct io *io)
{
    struct counters *c = &w->counters[io->row];
    if (io->res < 0) {
        counter_add(&c->dir[DDIR_WRITE].errors, 1);
        fail_io(w, io);
        return;
    }
    counter_add(&c->syncs, 1);
    hist_record(&c->sync_lat, w->now_ns - io->start_ns, 1);
}

static inline void record(struct worker *w, const struct io *io)
{
    if (unlikely(io->ddir == DDIR_SYNC)) {
        record_sync(w, io);
        return;
    }
    struct dir_counters *d = &w->counters[io->row].dir[io->ddir];
    if (unlikely(io->res <= 0)) {
        if (w->plan->fill && (io->res == -ENOSPC || io->res == -EDQUOT)) {
            w->hold |= HOLD_DONE;
            return;
        }
        counter_add(&d->errors, 1);
        fail_io(w, io);
        return;
    }
    counter_add(&d->ios, 1);
    counter_add(&d->bytes, (uint32_t)io->res);
    hist_record(&d->clat, w->now_ns - io->start_ns, 1);
    if (w->responds)
        hist_record(&d->rlat, w->now_ns - (io->intended_ns ? io->intended_ns : io->start_ns), 1);
    if (unlikely((uint32_t)io->res < io->len))
        counter_add(&d->short_ios, 1);
}

/* ---- filling and submitting ---- */

static inline struct io *stage(struct worker *w, enum ddir d, unsigned target, uint64_t offset, uint32_t len)
{
    struct io *io = w->pool->free[--w->nfree];
    io->ddir = (uint8_t)d;
    const struct plan_target *t = &w->plan->target[target];
    io->target = target;
    io->row = t->row;
    io->fd = t->fd;
    io->is_block = t->is_block;
    io->offset = offset;
    io->len = len;
    io->intended_ns = 0;
    w->pool->staged[w->nstaged++] = io;
    return io;
}

static void stage_sync(struct worker *w, unsigned target, bool data_only)
{
    stage(w, DDIR_SYNC, target, 0, 0)->data_only = data_only;
}

/* Where both are due, the one that does more. */
static void count_to_sync(struct worker *w, unsigned target)
{
    unsigned n = ++w->since_sync[target];
    bool all = w->fsync && n % w->fsync == 0, data = w->fdatasync && n % w->fdatasync == 0;
    if (all || data) {
        w->sync_target = (int)target;
        w->sync_data = !all;
    }
}

static void wrote(struct worker *w, struct io *io)
{
    const struct buffer *b = &w->pool->buffer;
    if (b->windows) {
        io->buf = buffer_data(b, &w->data_turn);
    } else {
        io->buf = buffer_own(b, io->slot, &w->data_turn);
        if (unlikely(w->checks && w->checks->verifies))
            worker_verify_write(w, io);
        else
            data_next(&w->data, &w->plan->data, io->offset, io->buf, io->len, b->stride);
    }
    if (unlikely(w->syncs))
        count_to_sync(w, io->target);
}

/* What was trimmed is written next, in the same slot: never before the trim is done. False where it is not to be. */
static bool rewrite(struct worker *w, struct io *io)
{
    if (io->ddir != DDIR_TRIM || io->res <= 0 || (w->hold & HOLD_ENDING & ~(unsigned)HOLD_DONE))
        return false;
    io->ddir = DDIR_WRITE;
    io->intended_ns = 0;
    w->pool->staged[w->nstaged++] = io;
    if (unlikely(w->checks))
        worker_may_overlap(w, io); /* it may: the trim kept others away */
    wrote(w, io);
    return true;
}

static inline void load(struct worker *w, struct io *io)
{
    if (io->ddir == DDIR_WRITE)
        wrote(w, io);
    else
        io->buf = buffer_of(&w->pool->buffer, io->slot);
}

static inline bool fill_one(struct worker *w)
{
    enum ddir d = pattern_ddir(&w->pattern);
    uint64_t intended = 0;
    struct place at;
    if (unlikely(w->waits) && !worker_may_start(w, &d, &intended))
        return false;
    if (unlikely(!pattern_next(&w->pattern, d, &at))) {
        w->hold |= HOLD_DONE;
        return false;
    }
    struct io *io = stage(w, d, at.target, at.offset, at.len);
    io->intended_ns = intended;
    if (unlikely(w->checks) && !worker_may_overlap(w, io))
        return false;
    load(w, io);
    return true;
}

/* iodepth_low: true while a queue that was full runs down to it. */
static bool runs_down(struct worker *w)
{
    unsigned n = w->inflight + w->nstaged;
    w->ebbs = n >= w->depth || (w->ebbs && n > w->plan->batch.low);
    return w->ebbs;
}

static void fill(struct worker *w)
{
    int r;
    if (unlikely(w->plan->batch.low) && runs_down(w))
        return;
    while (w->inflight + w->nstaged < w->depth && w->nfree) {
        if (unlikely(w->sync_target >= 0)) {
            stage_sync(w, (unsigned)w->sync_target, w->sync_data);
            w->sync_target = -1;
        } else if (unlikely(w->checks) && (r = worker_fill_checks(w))) {
            if (r < 0)
                break;
        } else if (!fill_one(w)) {
            break;
        }
    }
}

/* How many requests go to the kernel in one call. A device starts on the first while the rest are still handed
 * over, so what had to be waited for is handed over one by one: in blocks, a loop device at depth 8 took twice as
 * long. Where requests are done whenever one looks (page cache, zram) only the system call counts. */
#define PUSH_MOST 32

static unsigned push_most(const struct worker *w)
{
    if (unlikely(w->plan->batch.submit))
        return w->plan->batch.submit;
    return w->busy ? PUSH_MOST : 1;
}

static int submit_some(struct worker *w)
{
    unsigned done = 0, most = push_most(w);
    while (done < w->nstaged) {
        unsigned left = w->nstaged - done, want = left < most ? left : most;
        int n = w->be->submit(w->ring, w->pool->staged + done, want);
        if (unlikely(n < 0))
            return done ? (int)done : n; /* what was taken is in flight; the error comes again */
        done += (unsigned)n;
        if (unlikely((unsigned)n < want))
            break;
        if (w->be->flush && done < w->nstaged && (n = w->be->flush(w->ring)) < 0) /* the last goes with the reap */
            return n;
    }
    return (int)done;
}

static void push(struct worker *w)
{
    struct io **staged = w->pool->staged;
    if (!w->chained)
        w->now_ns = worker_clock(w);
    for (unsigned i = 0; i < w->nstaged; i++)
        staged[i]->start_ns = w->now_ns;
    publish(w->inflight_seen, w->inflight + w->nstaged); /* a sync submit may hang with the request in it */
    int n = submit_some(w);
    if (unlikely(n < 0)) {
        fail_engine(w, n);
        return;
    }
    w->inflight += (unsigned)n;
    w->nstaged -= (unsigned)n;
    if (unlikely(w->nstaged))
        memmove(staged, staged + n, w->nstaged * sizeof(*staged));
    publish(w->inflight_seen, w->inflight);
}

/* ---- reaping ---- */

static uint64_t patience(const struct worker *w)
{
    if (likely(!w->wake_ns))
        return TICK_NS;
    uint64_t left = w->wake_ns > w->now_ns ? w->wake_ns - w->now_ns : 0;
    return left < TICK_NS ? left : TICK_NS;
}

/* Is a look worth it? Not with one in flight: that would be polling. Not while the next start has a time. */
static bool looks(struct worker *w)
{
    if (w->inflight < 2 || w->wake_ns)
        return false;
    if (unlikely(w->spin_skip)) {
        w->spin_skip--;
        return false;
    }
    return true;
}

/* To sleep and to be woken costs more than a short look at the ring, most of all in a virtual machine, where an
 * idle CPU is given back to the host: where requests end every few microseconds that was most of the time. So the
 * worker looks for SPIN_NS before it sleeps. Where that is in vain (a slow device) it does so at ever fewer waits. */
static int spin(struct worker *w)
{
    uint64_t until = worker_clock(w) + SPIN_NS;
    int n;
    do {
        cpu_relax();
        n = w->be->reap(w->ring, w->pool->done, 0, w->inflight, 0);
    } while (n == 0 && worker_clock(w) < until);
    if (n)
        w->spin_misses = 0;
    else if (w->spin_misses < SPIN_MISSES)
        w->spin_misses++;
    w->spin_skip = (1u << w->spin_misses) - 1;
    return n;
}

static int look(struct worker *w)
{
    int n = w->be->reap(w->ring, w->pool->done, 0, w->inflight, 0);
    w->busy = n > 0;
    return n || w->clock ? n : spin(w); /* a test's clock does not move by itself */
}

static int reap_batch(struct worker *w)
{
    const struct job_batch *b = &w->plan->batch;
    unsigned max = b->complete_max && b->complete_max < w->inflight ? b->complete_max : w->inflight;
    unsigned min = b->complete_min < max ? b->complete_min : max;
    return w->be->reap(w->ring, w->pool->done, min, max, min ? patience(w) : 0);
}

static int reap(struct worker *w)
{
    int n = 0;
    w->busy = false;
    if (unlikely(w->plan->batched))
        return reap_batch(w);
    if (looks(w))
        n = look(w);
    return n ? n : w->be->reap(w->ring, w->pool->done, 1, w->inflight, patience(w));
}

static void collect(struct worker *w)
{
    struct io **done = w->pool->done;
    int n = reap(w);
    w->now_ns = worker_clock(w);
    if (unlikely(n <= 0)) {
        if (n < 0)
            fail_engine(w, n);
        return;
    }
    publish(w->progress_ns, w->now_ns);
    for (int i = 0; i < n; i++) {
        if (likely(!w->checks))
            record(w, done[i]);
        else
            worker_checked(w, done[i]);
        if (unlikely(w->rewrites) && rewrite(w, done[i]))
            continue;
        w->pool->free[w->nfree++] = done[i];
    }
    w->inflight -= (unsigned)n;
    publish(w->inflight_seen, w->inflight);
    if (unlikely(w->waits) && !w->plan->think.issue)
        w->thought.n += (unsigned)n;
}

void worker_loop(struct worker *w)
{
    for (;;) {
        if (unlikely(atomic_load_explicit(&w->bell, memory_order_acquire) != w->heard))
            worker_obey(w);
        w->wake_ns = 0;
        if (likely(!w->hold))
            fill(w);
        else if (unlikely(w->checks))
            worker_unpark(w); /* it was drawn before */
        if (likely(w->nstaged && !w->broken))
            push(w);
        if (unlikely(w->broken))
            return;
        if (likely(w->inflight))
            collect(w);
        else if (!worker_rest(w))
            return;
    }
}

void worker_sync_all(struct worker *w)
{
    for (unsigned t = 0; t < w->plan->ntargets && !w->broken; t++) {
        stage_sync(w, t, false);
        while ((w->nstaged || w->inflight) && !w->broken) {
            if (w->nstaged)
                push(w);
            if (w->inflight)
                collect(w);
        }
    }
}

/* ---- for those that check ---- */

struct io *worker_stage(struct worker *w, enum ddir d, uint32_t target, uint64_t offset, uint32_t len)
{
    return stage(w, d, target, offset, len);
}

void worker_load(struct worker *w, struct io *io)
{
    load(w, io);
}

void worker_record(struct worker *w, const struct io *io)
{
    record(w, io);
}

void worker_fail_io(struct worker *w, const struct io *io)
{
    fail_io(w, io);
}

void worker_fail(struct worker *w, int code, const char *fmt, ...)
{
    va_list ap;
    if (!fail(w))
        return;
    va_start(ap, fmt);
    w->err.code = code;
    vsnprintf(w->err.text, sizeof(w->err.text), fmt, ap);
    va_end(ap);
    worker_failed(w);
}
