/* worker_orders: what a worker does when its bell rang and when nothing is in flight: take a new version, pause,
 * sleep, stop. Runs in the worker's thread, outside the loop's fast path; does no I/O. */
#include "engine/worker_state.h"

/* ---- versions ---- */

int worker_open_ring(const struct worker *w, unsigned depth, void **ret, struct err *err)
{
    struct backend_config cfg = w->cfg;
    cfg.depth = depth;
    return w->be->open(&cfg, ret, err);
}

void worker_use_ring(struct worker *w, void *ring, unsigned depth)
{
    if (w->ring)
        w->be->close(w->ring);
    w->ring = ring;
    publish(w->ring_depth, depth);
}

/* The pool at rest: slots that the ring can hold, the lowest on top, so that few buffers are touched. */
static void use_pool(struct worker *w, struct pool *p)
{
    unsigned depth = atomic_load_explicit(&w->ring_depth, memory_order_relaxed);
    unsigned n = p->slots < depth ? p->slots : depth;
    for (unsigned i = 0; i < n; i++)
        p->free[i] = &p->io[n - 1 - i];
    w->nfree = n;
    w->pool = p;
    atomic_store_explicit(&w->pool_gen, p->gen, memory_order_release);
}

static bool needs_drain(const struct worker *w, const struct plan *p)
{
    return p->pool != w->pool || p->depth > atomic_load_explicit(&w->ring_depth, memory_order_relaxed);
}

/* Nothing is in flight. A ring that cannot grow (worker_retune tried it before) keeps its depth. */
static void swap_pool(struct worker *w, const struct plan *p)
{
    void *ring;
    if (p->depth > atomic_load_explicit(&w->ring_depth, memory_order_relaxed) &&
        worker_open_ring(w, p->depth, &ring, NULL) == 0)
        worker_use_ring(w, ring, p->depth);
    use_pool(w, p->pool);
}

static void retire(struct worker *w, struct plan *p)
{
    if (!p)
        return;
    p->next = atomic_load_explicit(&w->retired, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&w->retired, &p->next, p, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

/* The buffers of the lowest slots: those that are used, and as many more as are not worth saving, since what is told
 * to the kernel is pinned. */
#define REACH_BYTES (4ull << 20)

static size_t reached_slots(const struct worker *w)
{
    size_t stride = w->pool->buffer.stride, n = REACH_BYTES / stride;
    n = n > w->depth ? n : w->depth;
    return n < w->pool->slots ? n : w->pool->slots;
}

static size_t written_bytes(const struct worker *w)
{
    const struct buffer *b = &w->pool->buffer;
    if (!b->write)
        return 0;
    return b->windows ? buffer_write_bytes(b) : (b->spare + reached_slots(w)) * b->stride;
}

/* Memory only while nothing is in flight: a kernel that is to forget it waits for what still uses it. */
static void tell_reach(struct worker *w)
{
    const struct buffer *b = &w->pool->buffer;
    unsigned n = w->plan->ntargets < BACKEND_REACH_FDS ? (unsigned)w->plan->ntargets : BACKEND_REACH_FDS;
    int fd[BACKEND_REACH_FDS];
    if (!w->be->reach)
        return;
    if (!w->inflight && w->plan->fixedbufs) {
        w->reach.area[0] = (struct backend_area){b->read, reached_slots(w) * b->stride};
        w->reach.area[1] = (struct backend_area){b->write, written_bytes(w)};
    }
    for (unsigned i = 0; i < n; i++)
        fd[i] = w->plan->target[i].fd;
    w->reach.fd = fd;
    w->reach.nfds = w->plan->registerfiles ? n : 0;
    w->be->reach(w->ring, &w->reach);
}

void worker_adopt(struct worker *w, struct plan *p)
{
    w->now_ns = worker_clock(w);
    if (needs_drain(w, p))
        swap_pool(w, p);
    worker_set_pace(w, p);
    pattern_set(&w->pattern, &p->pattern, p->region, p->ntargets);
    w->depth = p->depth;
    w->chained = p->depth == 1;
    w->rewrites = p->pattern.rw == JOB_TRIMWRITE || p->pattern.rw == JOB_RANDTRIMWRITE;
    w->fsync = p->fsync;
    w->fdatasync = p->fdatasync;
    w->syncs = p->fsync || p->fdatasync;
    for (unsigned i = 0; i < w->nstaged; i++)
        w->pool->staged[i]->fd = p->target[w->pool->staged[i]->target].fd;
    if (w->be->renew)
        w->be->renew(w->ring, w->pattern.random);
    retire(w, w->plan);
    w->plan = p;
    tell_reach(w);
    publish(w->version_ns, w->now_ns);
    atomic_store_explicit(&w->version, p->version, memory_order_release);
}

/* ---- orders ---- */

/* From now on requests may start: after the gate, after a pause. */
static void begin(struct worker *w, unsigned lifted)
{
    w->hold &= ~lifted;
    w->now_ns = worker_clock(w);
    worker_begin_pace(w);
    publish(w->progress_ns, w->now_ns);
}

static void open_gate(struct worker *w)
{
    worker_usage_begin(w);
    begin(w, HOLD_GATE);
    if (w->plan->start_ns) {
        w->not_before_ns = w->now_ns + w->plan->start_ns;
        pacer_start(&w->pacer, w->not_before_ns);
        w->waits = true;
    }
}

static void take_posted(struct worker *w)
{
    struct plan *p = atomic_exchange_explicit(&w->posted, NULL, memory_order_acq_rel);
    if (!p)
        return;
    retire(w, w->pending);
    w->pending = NULL;
    w->hold &= ~HOLD_DRAIN;
    if (!needs_drain(w, p)) {
        worker_adopt(w, p);
        return;
    }
    w->pending = p;
    w->hold |= HOLD_DRAIN;
}

void worker_obey(struct worker *w)
{
    w->heard = atomic_load_explicit(&w->bell, memory_order_acquire);
    take_posted(w);
    if ((w->hold & HOLD_GATE) && atomic_load(&w->go))
        open_gate(w);
    if (atomic_load(&w->paused))
        w->hold |= HOLD_PAUSE;
    else if (w->hold & HOLD_PAUSE)
        begin(w, HOLD_PAUSE);
    if (atomic_load(&w->stop))
        w->hold |= HOLD_STOP;
    if (atomic_load(&w->finish) && !(w->checks && atomic_load(&w->checks->reading_back)))
        w->hold |= HOLD_DONE;
    if (!(w->hold & (HOLD_GATE | HOLD_PAUSE)))
        worker_set_state(w, WORKER_RUNNING);
}

/* Nothing is in flight. False when there is nothing more to do. */
bool worker_rest(struct worker *w)
{
    if (w->nstaged && !w->broken)
        return true;
    if (w->hold & HOLD_ENDING)
        return false;
    if (w->pending) {
        struct plan *p = w->pending;
        w->pending = NULL;
        w->hold &= ~HOLD_DRAIN;
        worker_adopt(w, p);
    } else if (w->hold) {
        worker_set_state(w, w->hold & HOLD_GATE ? WORKER_READY : WORKER_PAUSED);
        futex_wait(&w->bell, w->heard, UINT64_MAX);
    } else if (w->wake_ns) {
        worker_rest_until(w, w->wake_ns);
    }
    return true;
}
