/* run_sum: what a reader does: takes a view of the jobs, then sums their counters without a lock.
 * Makes no rates and no frames. */
#include <string.h>

#include "engine/run_priv.h"

void counters_init(struct counters *c)
{
    for (unsigned d = 0; d < DDIRS; d++) {
        hist_init_lazy(&c->dir[d].clat);
        hist_init_lazy(&c->dir[d].rlat);
    }
    hist_init_lazy(&c->sync_lat);
}

static void look(const struct run_job *j, struct job_view *v)
{
    *v = (struct job_view){
        .job = j->cur,
        .error = j->error,
        .tolerated = j->tolerated,
        .state = j->state,
        .clock = j->clock,
        .nclones = j->nclones,
        .napplied = j->napplied,
        .group = j->group,
        .nrows = j->nrows,
        .helpers_shared = j->helpers_shared,
        .base = j->base,
        .layout_pct = j->layout_pct,
        .helpers_pct = j->helpers_pct,
        .stalled_ns = j->stalled_ns,
        .retired_cpu_ns = j->used.user_ns + j->used.system_ns,
        .failed = j->failed,
    };
}

uint64_t run_reader_enter(struct run *r, size_t first, size_t n, struct job_view *view)
{
    pthread_mutex_lock(&r->lock);
    r->readers++;
    for (size_t i = 0; i < n; i++)
        look(&r->job[first + i], &view[i]);
    uint64_t serial = r->serial;
    pthread_mutex_unlock(&r->lock);
    return serial;
}

void run_reader_leave(struct run *r)
{
    pthread_mutex_lock(&r->lock);
    if (--r->readers == 0)
        pthread_cond_broadcast(&r->idle);
    pthread_mutex_unlock(&r->lock);
}

void run_sum_target(const struct run_job *j, size_t nclones, size_t target, struct counters *ret)
{
    counters_add(ret, &j->retired[target]);
    for (size_t i = 0; i < nclones; i++) {
        const struct counters *c = worker_counters(j->clone[i].w, target);
        if (c)
            counters_add(ret, c);
    }
}
