/* run_result: the numbers of a job's measured part, as values that outlive the run.
 * Reads as a frame does; formats nothing. */
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/str.h"
#include "engine/run_priv.h"

static bool copy_retunes(const struct run_job *j, struct run_job_result *res)
{
    res->retune = calloc(j->ntunes + 1, sizeof(*res->retune));
    for (size_t i = 0; res->retune && i < j->ntunes; i++)
        res->retune[res->nretunes++] = j->tune[i].said;
    return res->retune != NULL;
}

static bool copy_targets(const struct run_job *j, const struct job_view *v, struct run_job_result *res)
{
    res->target = calloc(j->ntargets + 1, sizeof(*res->target));
    for (size_t t = 0; res->target && t < j->ntargets; t++) {
        struct run_target_result *row = &res->target[res->ntargets++];
        counters_init(&row->sum);
        str_copy(row->path, sizeof(row->path), j->target[t].path);
        row->major = j->target[t].major;
        row->minor = j->target[t].minor;
        run_sum_target(j, v->nclones, t, &row->sum);
        if (v->base)
            counters_sub(&row->sum, &v->base[t]);
        counters_add(&res->sum, &row->sum);
    }
    return res->target != NULL;
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0; /* a baseline is read to a clock tick */
}

static void copy_usage(const struct run_job *j, const struct job_view *v, struct run_job_result *res)
{
    res->have_usage = !v->nclones;
    res->user_ns = less(j->used.user_ns, j->used_base.user_ns);
    res->system_ns = less(j->used.system_ns, j->used_base.system_ns);
    res->ctx = less(j->used.ctx, j->used_base.ctx);
    res->helper_ns = less(j->helper_ns, j->helper_base_ns);
}

static void copy_times(const struct job_view *v, struct run_job_result *res)
{
    res->runtime_ns = clock_measured_ns(&v->clock, clock_now_ns());
    for (unsigned d = 0; d < DDIRS; d++) {
        bool did = res->sum.dir[d].ios || res->sum.dir[d].errors;
        res->dir_runtime_ns[d] = did ? res->runtime_ns : 0;
        res->errors += res->sum.dir[d].errors;
    }
}

/* The ramp has not ended: nothing was measured yet. */
static void forget(struct run_job_result *res)
{
    counters_clear(&res->sum);
    for (size_t t = 0; t < res->ntargets; t++)
        counters_clear(&res->target[t].sum);
}

struct run_job_result *run_result(struct run *r, size_t job)
{
    struct run_job_result *res = calloc(1, sizeof(*res));
    struct job_view *v = calloc(1, sizeof(*v));
    const struct run_job *j = &r->job[job];
    bool ok = res && v;
    if (ok) {
        counters_init(&res->sum);
        run_reader_enter(r, job, 1, v);
        ok = copy_targets(j, v, res) && copy_retunes(j, res);
        copy_usage(j, v, res);
        res->job = j->first;
        run_reader_leave(r);
        res->error = v->error;
        if (!v->clock.measuring)
            forget(res);
        copy_times(v, res);
    }
    free(v);
    if (ok)
        return res;
    run_result_free(res);
    return NULL;
}

void run_result_free(struct run_job_result *res)
{
    if (!res)
        return;
    free(res->target);
    free(res->retune);
    free(res);
}
