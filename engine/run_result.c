/* run_result: the numbers of a job's measured part, as values that outlive the run.
 * Reads as a frame does; formats nothing. */
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/str.h"
#include "engine/run_priv.h"

static bool copy_steady(const struct run_job *j, struct run_job_result *res)
{
    struct run_steady *s = &res->steady;
    s->second = calloc(j->steady.n + 1, sizeof(*s->second));
    for (size_t i = 0; s->second && i < j->steady.n; i++)
        s->second[s->n++] = j->steady.second[i];
    s->attained = j->steady.attained;
    return s->second != NULL;
}

static bool copy_retunes(const struct run_job *j, struct run_job_result *res)
{
    res->retune = calloc(j->ntunes + 1, sizeof(*res->retune));
    for (size_t i = 0; res->retune && i < j->ntunes; i++)
        res->retune[res->nretunes++] = j->tune[i].said;
    return res->retune != NULL;
}

#define ALL_CLONES UINT32_MAX

static void sum(const struct run_job *j, const struct job_view *v, unsigned clone, size_t target,
                struct counters *ret)
{
    if (clone != ALL_CLONES) {
        run_row_sum(j, v, clone, target, ret);
        return;
    }
    run_sum_target(j, v->nclones, target, ret);
    if (v->base)
        counters_sub(ret, &v->base[target]);
}

static bool works_on(const struct run_job *j, unsigned clone, size_t target)
{
    return clone == ALL_CLONES || target - j->row[clone].row0 < j->row[clone].nrows;
}

static bool copy_targets(const struct run_job *j, const struct job_view *v, unsigned clone,
                         struct run_job_result *res)
{
    res->target = calloc(j->ntargets + 1, sizeof(*res->target));
    for (size_t t = 0; res->target && t < j->ntargets; t++) {
        if (!works_on(j, clone, t))
            continue;
        struct run_target_result *row = &res->target[res->ntargets++];
        counters_init(&row->sum);
        str_copy(row->path, sizeof(row->path), j->target[t].path);
        row->major = j->target[t].major;
        row->minor = j->target[t].minor;
        sum(j, v, clone, t, &row->sum);
        counters_add(&res->sum, &row->sum);
    }
    return res->target != NULL;
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0; /* a baseline is read to a clock tick */
}

static void copy_usage(const struct task_usage *u, const struct task_usage *base, struct run_job_result *res)
{
    res->user_ns = less(u->user_ns, base->user_ns);
    res->system_ns = less(u->system_ns, base->system_ns);
    res->ctx = less(u->ctx, base->ctx);
    res->minflt = less(u->minflt, base->minflt);
    res->majflt = less(u->majflt, base->majflt);
}

static uint64_t row_ns(const struct run_row *row, uint64_t measured_ns)
{
    return row->ran_ns + (row->lives ? less(measured_ns, row->since_ns) : 0);
}

static void copy_job(const struct run_job *j, const struct job_view *v, uint64_t now, struct run_job_result *res)
{
    res->have_usage = !v->nclones;
    copy_usage(&j->used, &j->used_base, res);
    res->helper_ns = less(j->helper_ns, j->helper_base_ns);
    res->runtime_ns = clock_measured_ns(&v->clock, now);
    for (unsigned i = 0; i < v->nrows; i++)
        res->clones_ns += row_ns(&j->row[i], res->runtime_ns);
    if (res->clones_ns < res->runtime_ns) /* the job's clock stops a moment after its last clone */
        res->clones_ns = res->runtime_ns;
    res->clones = v->nrows ? v->nrows : j->first.numjobs;
    res->marks = j->marks;
}

static void copy_clone(const struct run_job *j, const struct job_view *v, unsigned clone, uint64_t now,
                       struct run_job_result *res)
{
    const struct run_row *row = &j->row[clone];
    res->have_usage = !row->lives;
    copy_usage(&row->used, &row->used_base, res);
    res->helper_ns = less(row->helper_ns, row->helper_base_ns);
    if (v->helpers_shared)
        res->helper_ns = less(j->helper_ns, j->helper_base_ns) / v->nrows;
    res->runtime_ns = res->clones_ns = row_ns(row, clock_measured_ns(&v->clock, now));
    res->clones = 1;
    res->marks = row->marks;
}

/* What is still with the kernel. */
static void copy_flight(const struct run_job *j, const struct job_view *v, unsigned clone, struct run_job_result *res)
{
    for (size_t i = 0; i < v->nclones; i++)
        if (clone == ALL_CLONES || j->clone[i].index == clone)
            res->in_flight += worker_inflight(j->clone[i].w);
    res->stalled_ns = res->in_flight ? v->stalled_ns : 0;
}

static void copy_times(struct run_job_result *res)
{
    for (unsigned d = 0; d < DDIRS; d++) {
        bool did = res->sum.dir[d].ios || res->sum.dir[d].errors;
        res->dir_runtime_ns[d] = did ? res->runtime_ns : 0;
        res->errors += res->sum.dir[d].errors;
    }
    res->errors += res->verify.failures;
}

/* The ramp has not ended: nothing was measured yet. */
static void forget(struct run_job_result *res)
{
    counters_clear(&res->sum);
    for (size_t t = 0; t < res->ntargets; t++)
        counters_clear(&res->target[t].sum);
}

static bool fill(struct run *r, size_t job, unsigned clone, struct job_view *v, struct run_job_result *res)
{
    const struct run_job *j = &r->job[job];
    uint64_t now = clock_now_ns();
    counters_init(&res->sum);
    run_reader_enter(r, job, 1, v);
    bool began = clone == ALL_CLONES || (j->row && clone < v->nrows);
    bool ok = (!began || copy_targets(j, v, clone, res)) && copy_retunes(j, res) && copy_steady(j, res);
    if (clone == ALL_CLONES || !began)
        copy_job(j, v, now, res);
    else
        copy_clone(j, v, clone, now, res);
    copy_flight(j, v, clone, res);
    res->job = j->first;
    res->verifies = verify_on(&j->first);
    if (began)
        run_verify_sum(j, v, clone, &res->verify);
    res->group = v->group;
    if (!began)
        res->clones = 1;
    run_reader_leave(r);
    res->error = v->error.code ? v->error : v->tolerated;
    if (!v->clock.measuring)
        forget(res);
    copy_times(res);
    return ok;
}

static struct run_job_result *result_of(struct run *r, size_t job, unsigned clone)
{
    struct run_job_result *res = calloc(1, sizeof(*res));
    struct job_view *v = calloc(1, sizeof(*v));
    bool ok = res && v && fill(r, job, clone, v, res);
    free(v);
    if (ok)
        return res;
    run_result_free(res);
    return NULL;
}

struct run_job_result *run_result(struct run *r, size_t job)
{
    return result_of(r, job, ALL_CLONES);
}

struct run_job_result *run_result_clone(struct run *r, size_t job, unsigned clone)
{
    return result_of(r, job, clone);
}

unsigned run_nclones(const struct run *r, size_t job)
{
    struct run *m = (struct run *)r; /* to lock it */
    const struct run_job *j = &r->job[job];
    pthread_mutex_lock(&m->lock);
    unsigned n = j->nrows ? j->nrows : j->first.numjobs;
    pthread_mutex_unlock(&m->lock);
    return n;
}

void run_result_free(struct run_job_result *res)
{
    if (!res)
        return;
    verify_count_fini(&res->verify);
    free(res->target);
    free(res->retune);
    free(res->steady.second);
    free(res);
}
