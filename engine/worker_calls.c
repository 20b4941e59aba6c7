/* worker_calls: what others ask of a worker: make, order, watch and free it.
 * Runs in the callers' threads and never waits for the worker but in worker_wait and worker_free. */
#include "engine/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "engine/job_engine.h"
#include "engine/worker_state.h"

/* ---- freeing ---- */

static void free_plans(struct plan *p)
{
    while (p) {
        struct plan *next = p->next;
        plan_free(p);
        p = next;
    }
}

/* Pools older than the one in use; gen 0 keeps none. The newest may still wait to be taken. */
static void free_pools(struct worker *w, uint64_t in_use)
{
    for (struct pool **at = &w->pools; *at;) {
        struct pool *p = *at;
        if (in_use && p->gen >= in_use) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        pool_free(p);
    }
}

/* Of versions that are gone. */
static void free_old(struct worker *w)
{
    free_plans(atomic_exchange_explicit(&w->retired, NULL, memory_order_acquire));
    uint64_t in_use = atomic_load_explicit(&w->pool_gen, memory_order_acquire);
    if (in_use)
        free_pools(w, in_use);
}

static void destroy(struct worker *w)
{
    plan_free(atomic_load(&w->posted));
    plan_free(w->pending);
    plan_free(w->plan);
    free_plans(atomic_load(&w->retired));
    free_pools(w, 0);
    counters_unmap(w->counters, w->nrows);
    worker_checks_free(w->checks);
    free(w->since_sync);
    free(w->walk);
    seat_fini(&w->seat);
    free(w);
}

void worker_free(struct worker *w)
{
    if (!w)
        return;
    if (worker_state(w) != WORKER_ENDED) {
        pthread_detach(w->thread);
        return;
    }
    pthread_join(w->thread, NULL);
    destroy(w);
}

/* ---- making ---- */

static int make_plan(struct worker *w, const struct job *j, const struct targets *t, uint64_t version, bool fill,
                     struct plan **ret, struct err *err)
{
    int r = plan_new(j, w->clone, t, version, w->be, w->pools, fill, ret, err);
    if (r == 0 && (*ret)->pool != w->pools) {
        (*ret)->pool->next = w->pools;
        w->pools = (*ret)->pool;
    }
    return r;
}

/* Signals are for the main thread: a worker starts with all of them blocked. */
static int start_thread(struct worker *w, struct err *err)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int r = pthread_create(&w->thread, NULL, worker_main, w);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return r ? err_set(err, -r, "no thread for job clone %u: lower numjobs", w->clone) : 0;
}

static int set_up_checks(struct worker *w, const struct job *j, struct err *err)
{
    uint64_t run = rng_mix(clock_real_ns(NULL) ^ rng_mix(w->clone + 1) ^ (uint64_t)(uintptr_t)w);
    return worker_checks_new(j, w->plan, JOB_MAX_DEPTH + 1, run, &w->checks, err);
}

static int set_up(struct worker *w, const struct job *j, const struct targets *t, struct err *err)
{
    int r = seat_of(j, w->clone, &w->seat, err);
    if (r < 0)
        return r;
    struct target_slice s = targets_of(t, w->clone);
    w->ntargets = s.n;
    w->row0 = s.row0;
    w->nrows = s.nrows;
    w->counters = counters_map(s.nrows);
    w->since_sync = calloc(s.n, sizeof(*w->since_sync));
    w->walk = calloc(s.n, sizeof(*w->walk));
    if (!w->counters || !w->since_sync || !w->walk)
        return err_set(err, -ENOMEM, "no memory for the counters of %zu targets: lower numjobs", s.n);
    r = make_plan(w, j, t, 0, false, &w->plan, err); /* the thread fills what it will write, near its CPU */
    if (r == 0 && (verify_on(j) || j->content.serialize_overlap))
        r = set_up_checks(w, j, err);
    return r < 0 ? r : start_thread(w, err);
}

int worker_new_on(const struct backend *be, const struct backend_config *cfg, const struct job *j, unsigned clone,
                  const struct targets *targets, struct worker **ret, struct err *err)
{
    struct worker *w = aligned_alloc(alignof(struct worker), sizeof(*w));
    if (!w)
        return err_set(err, -ENOMEM, "no memory for job clone %u: lower numjobs", clone);
    *w = (struct worker){.be = be, .cfg = *cfg, .clock = cfg->clock, .clone = clone};
    int r = set_up(w, j, targets, err);
    if (r < 0) {
        destroy(w);
        return r;
    }
    *ret = w;
    return 0;
}

int worker_new(const struct job *j, unsigned clone, const struct targets *targets, struct worker **ret,
               struct err *err)
{
    const struct backend *be = backend_find(j->ioengine);
    if (!be)
        return err_set(err, -EINVAL, "ioengine=%s: there is no such engine", j->ioengine);
    return worker_new_on(be, &(struct backend_config){.opt = job_engine_options(j)}, j, clone, targets, ret, err);
}

/* ---- orders ---- */

static void ring_bell(struct worker *w)
{
    atomic_fetch_add_explicit(&w->bell, 1, memory_order_release);
    futex_wake(&w->bell);
}

void worker_go(struct worker *w)
{
    atomic_store(&w->go, true);
    ring_bell(w);
}

void worker_finish(struct worker *w)
{
    atomic_store(&w->finish, true);
    ring_bell(w);
}

void worker_pause(struct worker *w, bool paused)
{
    atomic_store(&w->paused, paused);
    ring_bell(w);
}

void worker_stop(struct worker *w)
{
    atomic_store(&w->stop, true);
    ring_bell(w);
}

/* A ring of the new depth is opened and closed here once, so that a machine that has no room for it says so to
 * the caller, while the worker goes on. */
static int try_ring(struct worker *w, const struct plan *p, struct err *err)
{
    if (p->depth <= atomic_load_explicit(&w->ring_depth, memory_order_relaxed))
        return 0;
    void *ring;
    int r = worker_open_ring(w, p->depth, &ring, err);
    if (r == 0)
        w->be->close(ring);
    return r;
}

int worker_retune(struct worker *w, const struct job *j, const struct targets *targets, uint64_t version,
                  struct err *err)
{
    struct plan *p;
    if (worker_state(w) == WORKER_ENDED)
        return 0;
    if (targets_of(targets, w->clone).n != w->ntargets)
        return err_set(err, -EINVAL, "filename cannot change while the job runs: stop it first");
    free_old(w);
    int r = make_plan(w, j, targets, version, true, &p, err);
    if (r < 0)
        return r;
    r = try_ring(w, p, err);
    if (r < 0) {
        plan_free(p);
        return r;
    }
    plan_free(atomic_exchange_explicit(&w->posted, p, memory_order_acq_rel));
    ring_bell(w);
    return 0;
}

/* ---- watching ---- */

bool worker_reads_back(const struct worker *w)
{
    return w->checks && atomic_load_explicit(&w->checks->reading_back, memory_order_acquire);
}

const struct verify_count *worker_verify(const struct worker *w)
{
    return w->checks && w->checks->verifies ? &w->checks->verify.count : NULL;
}

enum worker_state worker_state(const struct worker *w)
{
    return (enum worker_state)atomic_load_explicit(&w->state, memory_order_acquire);
}

bool worker_wait(struct worker *w, uint64_t deadline_ns)
{
    for (;;) {
        uint32_t s = atomic_load_explicit(&w->state, memory_order_acquire);
        if (s == WORKER_ENDED)
            return true;
        if (clock_now_ns() >= deadline_ns)
            return false;
        futex_wait(&w->state, s, deadline_ns);
    }
}

uint64_t worker_version(const struct worker *w)
{
    return atomic_load_explicit(&w->version, memory_order_acquire);
}

uint64_t worker_version_ns(const struct worker *w)
{
    return atomic_load_explicit(&w->version_ns, memory_order_relaxed);
}

const struct counters *worker_counters(const struct worker *w, size_t row)
{
    return row - w->row0 < w->nrows ? &w->counters[row - w->row0] : NULL;
}

struct counters *worker_take_counters(struct worker *w)
{
    struct counters *c = w->counters;
    w->counters = NULL;
    return c;
}

unsigned worker_inflight(const struct worker *w)
{
    return atomic_load_explicit(&w->inflight_seen, memory_order_relaxed);
}

uint64_t worker_progress_ns(const struct worker *w)
{
    return atomic_load_explicit(&w->progress_ns, memory_order_relaxed);
}

pid_t worker_tid(const struct worker *w)
{
    return atomic_load_explicit(&w->tid, memory_order_relaxed);
}

int worker_error(const struct worker *w, struct err *err)
{
    if (!atomic_load_explicit(&w->failed, memory_order_acquire))
        return 0;
    if (err)
        *err = w->err;
    return w->err.code;
}

bool worker_tolerated(const struct worker *w, struct err *ret)
{
    if (!w->tolerated.code)
        return false;
    *ret = w->tolerated;
    return true;
}

bool worker_usage(const struct worker *w, struct worker_usage *ret)
{
    if (worker_state(w) != WORKER_ENDED)
        return false;
    *ret = w->usage;
    return true;
}

uint64_t worker_helpers_ns(const struct worker *w)
{
    return worker_state(w) == WORKER_ENDED ? w->helpers_ns : 0;
}

uint64_t worker_cpu_ns(const struct worker *w)
{
    clockid_t id;
    struct timespec ts;
    uint64_t base = atomic_load_explicit(&w->cpu_base_ns, memory_order_relaxed);
    if (worker_state(w) == WORKER_ENDED)
        return w->usage.user_ns + w->usage.system_ns;
    if (!base || pthread_getcpuclockid(w->thread, &id) || clock_gettime(id, &ts) < 0)
        return 0;
    return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec - base;
}
