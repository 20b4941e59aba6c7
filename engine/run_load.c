/* run_load: the running jobs as a source: frame.load[] and the run's events, from counters that workers own.
 * Waits for nobody and changes no job. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "engine/run_priv.h"

#define SHORTEST_NS NSEC_PER_MSEC /* a rate over less is noise */

static struct frame_lat lat_between(struct frame *f, const struct hist *now, const struct hist *before,
                                    struct hist *scratch, struct hist_sparse *ret_bins)
{
    hist_clear(scratch);
    hist_merge(scratch, now);
    if (before)
        hist_sub(scratch, before);
    if (ret_bins)
        *ret_bins = frame_hist(f, scratch);
    return frame_lat_of(scratch);
}

struct interval {
    const struct counters *now, *before; /* before: NULL = no baseline yet */
    const struct counters *base;         /* NULL = the measured part began at zero */
    double dt_s;
    bool measuring;
};

static void fill_dir(struct frame *f, const struct interval *iv, enum ddir d, struct hist *scratch,
                     struct frame_dir *ret)
{
    const struct dir_counters *now = &iv->now->dir[d], *before = iv->before ? &iv->before->dir[d] : NULL;
    const struct dir_counters *base = iv->base ? &iv->base->dir[d] : NULL;
    ret->total_ios = now->ios;
    ret->total_bytes = now->bytes;
    if (before) {
        ret->iops = (double)(now->ios - before->ios) / iv->dt_s;
        ret->bytes_per_s = (double)(now->bytes - before->bytes) / iv->dt_s;
    }
    if (before && now->ios > before->ios) {
        ret->clat = lat_between(f, &now->clat, &before->clat, scratch, &ret->clat_hist);
        ret->rlat = lat_between(f, &now->rlat, &before->rlat, scratch, NULL);
        if (!ret->rlat.n)
            ret->rlat = ret->clat; /* nothing was paced: it began when it was intended */
    }
    if (iv->measuring && now->ios > (base ? base->ios : 0))
        ret->clat_total = lat_between(f, &now->clat, base ? &base->clat : NULL, scratch, &ret->clat_total_hist);
}

static void fill_dirs(struct frame *f, const struct interval *iv, struct counters *scratch, struct frame_dir *ret)
{
    for (enum ddir d = 0; d < DDIRS; d++)
        fill_dir(f, iv, d, &scratch->dir[d].clat, &ret[d]);
}

/* Sums what all clones did into j->now; the last element is the sum of the targets. */
static void collect(struct run_job *j, size_t nclones)
{
    counters_clear(&j->now[j->ntargets]);
    for (size_t t = 0; t < j->ntargets; t++) {
        counters_clear(&j->now[t]);
        run_sum_target(j, nclones, t, &j->now[t]);
        counters_add(&j->now[j->ntargets], &j->now[t]);
    }
}

/* Its device among those that sources before this one saw in the same tick; "" for what has none (NFS, btrfs). */
static const char *device_of(const struct frame *f, const struct run_target *t)
{
    for (size_t i = 0; t->major && i < f->ndevs; i++)
        if (f->devs[i].major == t->major && f->devs[i].minor == t->minor)
            return f->devs[i].name;
    return "";
}

static void fill_targets(struct frame *f, const struct run_job *j, const struct job_view *v,
                         const struct interval *whole, struct counters *scratch, struct frame_load *row)
{
    struct frame_target *t = frame_targets_new(f, j->ntargets);
    for (size_t i = 0; i < j->ntargets; i++) {
        struct interval iv = *whole;
        iv.now = &j->now[i];
        iv.before = whole->before ? &j->before[i] : NULL;
        iv.base = v->base ? &v->base[i] : NULL;
        t[i].name = frame_text(f, j->target[i].path);
        t[i].device = device_of(f, &j->target[i]);
        fill_dirs(f, &iv, scratch, t[i].dir);
    }
    row->targets = t;
    row->ntargets = j->ntargets;
}

static uint64_t errors_of(const struct counters *c)
{
    uint64_t n = 0;
    for (unsigned d = 0; d < DDIRS; d++)
        n += c->dir[d].errors;
    return n;
}

static void fill_words(struct frame *f, const struct job_view *v, struct frame_load *row)
{
    char rw[16];
    job_get_named(&v->job, "rw", rw, sizeof(rw));
    row->name = frame_text(f, v->job.name);
    row->rw = frame_text(f, rw);
    row->ioengine = frame_text(f, v->job.ioengine);
    row->filename = frame_text(f, job_where(&v->job));
    row->error = frame_text(f, v->error.text);
    row->bs = job_bs(&v->job);
    row->rate_iops = v->job.rate_iops[job_ddir(&v->job)];
    row->rate_bytes = v->job.rate[job_ddir(&v->job)];
    row->iodepth = v->job.iodepth;
    row->numjobs = v->job.numjobs;
    row->rwmixread = v->job.rwmixread;
    row->direct = v->job.direct;
    row->version = v->napplied;
}

static void fill_state(const struct job_view *v, uint64_t now, struct frame_load *row)
{
    bool flows = v->state == LOAD_RUNNING || v->state == LOAD_RAMP;
    row->state = flows && v->stalled_ns ? LOAD_STALLED : v->state;
    row->stalled_s = (double)v->stalled_ns / 1e9;
    row->layout_pct = v->state == LOAD_LAYOUT ? v->layout_pct : NAN;
    row->elapsed_s = (double)clock_measured_ns(&v->clock, now) / 1e9;
    row->runtime_s = v->job.runtime_ns ? (double)v->job.runtime_ns / 1e9 : NAN;
}

static uint64_t cpu_of(const struct run_job *j, const struct job_view *v)
{
    uint64_t ns = v->retired_cpu_ns;
    for (size_t i = 0; i < v->nclones; i++)
        ns += worker_cpu_ns(j->clone[i].w);
    return ns;
}

/* The baseline of the first interval: the sample before, or the gate, where all was zero; but the gate only when
 * it opened between two samples, else a mean since the start would pose as an interval. */
static void baseline(struct run_job *j, const struct job_view *v, uint64_t serial)
{
    if (j->before_serial == serial)
        return;
    bool ticking = j->before_ns && j->before_ns < v->clock.gate_ns;
    for (size_t t = 0; t <= j->ntargets; t++)
        counters_clear(&j->before[t]);
    j->before_cpu_ns = 0;
    j->have_before = ticking && v->clock.gate_ns;
    if (v->clock.gate_ns) {
        j->before_serial = serial;
        j->before_ns = v->clock.gate_ns;
    }
}

static double inflight_of(const struct run_job *j, const struct job_view *v)
{
    double n = 0;
    for (size_t i = 0; i < v->nclones; i++)
        n += worker_inflight(j->clone[i].w);
    return n;
}

/* What was now is the baseline of the next interval. */
static void turn(struct run_job *j, const struct job_view *v, uint64_t stamp, uint64_t cpu)
{
    struct counters *swap = j->before;
    j->before = j->now;
    j->now = swap;
    j->before_ns = stamp;
    j->before_cpu_ns = cpu;
    j->have_before = v->clock.gate_ns != 0;
}

static void fill_load(struct run *r, struct run_job *j, const struct job_view *v, struct frame *f,
                      struct frame_load *row)
{
    fill_words(f, v, row);
    run_verify_gauge(j, v, f);
    uint64_t stamp = clock_now_ns();
    fill_state(v, stamp, row);
    if (!j->ntargets)
        return;
    baseline(j, v, r->view_serial);
    collect(j, v->nclones);
    uint64_t cpu = cpu_of(j, v), dt = stamp > j->before_ns ? stamp - j->before_ns : 0;
    bool have = j->have_before && dt >= SHORTEST_NS;
    struct interval iv = {
        .now = &j->now[j->ntargets],
        .before = have ? &j->before[j->ntargets] : NULL,
        .base = v->base ? &v->base[j->ntargets] : NULL,
        .dt_s = (double)dt / 1e9,
        .measuring = v->clock.measuring,
    };
    fill_targets(f, j, v, &iv, r->scratch, row);
    fill_dirs(f, &iv, r->scratch, row->dir);
    row->errors = errors_of(iv.now);
    row->inflight = inflight_of(j, v);
    if (have && cpu >= j->before_cpu_ns)
        row->cpu_pct = 100.0 * (double)(cpu - j->before_cpu_ns) / (double)dt;
    row->helpers_pct = v->clock.end_ns || !v->clock.gate_ns ? NAN : v->helpers_pct;
    if (have || !j->have_before)
        turn(j, v, stamp, cpu); /* else the interval goes on */
}

static void pass_notes(struct run *r, struct frame *f)
{
    struct run_note n;
    for (;;) {
        pthread_mutex_lock(&r->lock);
        size_t lost = r->lost_notes;
        bool have = r->nnotes > 0;
        r->lost_notes = 0;
        if (have) {
            n = r->note[0];
            memmove(r->note, r->note + 1, --r->nnotes * sizeof(n));
        }
        pthread_mutex_unlock(&r->lock);
        if (lost)
            frame_event(f, clock_real_ns(NULL), "warning", "%zu events were lost", lost);
        if (!have)
            return;
        frame_event(f, n.time_ns, n.kind, "%s", n.text);
    }
}

static void sample(void *state, struct frame *f)
{
    struct run *r = state;
    struct frame_load *row = frame_load_new(f, r->njobs);
    r->view_serial = run_reader_enter(r, 0, r->njobs, r->view);
    for (size_t i = 0; i < r->njobs; i++)
        fill_load(r, &r->job[i], &r->view[i], f, &row[i]);
    run_reader_leave(r);
    pass_notes(r, f);
}

const struct source load_source = {
    .name = "load",
    .blurb = "The running workload: rates, latency and state of every job.",
    .sample = sample,
};
