/* result_json_fio: fio's keys from what was sampled, looked at and recorded.
 * What was not looked at is null, never 0. */
#include "cli/result_json_fio.h"

#include <math.h>
#include <string.h>

#include "cli/result_dist.h"
#include "core/clock.h"
#include "core/str.h"

static void put_floor(struct json *o, const char *key, double v)
{
    json_put_num(o, key, isnan(v) ? NAN : floor(v));
}

static double bw_agg(const struct result *r, const struct run_job_result *j, enum ddir d)
{
    struct dist_group g;
    double mean = j->marks.bytes_per_s[d].mean;
    if (!j->marks.bytes_per_s[d].n || !dist_group(r, j->group, d, &g) || g.bytes_per_s <= 0)
        return NAN;
    return fmin(mean * 100 / g.bytes_per_s, 100);
}

void fio_put_spread(struct json *o, const struct result *r, const struct run_job_result *j, enum ddir d)
{
    const struct run_spread *bw = &j->marks.bytes_per_s[d], *iops = &j->marks.iops[d];
    double none = bw->n ? 0 : NAN;
    put_floor(o, "bw_min", bw->min / 1024 + none);
    put_floor(o, "bw_max", bw->max / 1024 + none);
    json_put_num(o, "bw_agg", bw_agg(r, j, d));
    json_put_num(o, "bw_mean", bw->mean / 1024 + none);
    json_put_num(o, "bw_dev", run_spread_dev(bw) / 1024);
    json_put_u64(o, "bw_samples", bw->n);
    put_floor(o, "iops_min", iops->min + none);
    put_floor(o, "iops_max", iops->max + none);
    json_put_num(o, "iops_mean", iops->mean + none);
    json_put_num(o, "iops_stddev", run_spread_dev(iops));
    json_put_u64(o, "iops_samples", iops->n);
}

static struct json *shares(const double *share, const char *const *name, size_t n)
{
    struct json *o = json_object();
    for (size_t i = 0; i < n; i++)
        json_put_num(o, name[i], share[i]);
    return o;
}

/* The first place holds calls with none, the second those with one to four. */
static struct json *calls(bool known)
{
    static const char *const names[] = {"0", "4", "8", "16", "32", "64", ">=64"};
    double share[] = {0, 100, 0, 0, 0, 0, 0};
    for (size_t i = 0; !known && i < sizeof(share) / sizeof(share[0]); i++)
        share[i] = NAN;
    return shares(share, names, sizeof(share) / sizeof(share[0]));
}

void fio_put_shares(struct json *o, const struct run_job_result *j)
{
    struct dist_latency l;
    double depth[RUN_DEPTHS];
    dist_depth(j, depth);
    dist_latency(&j->sum, &l);
    json_put(o, "iodepth_level", shares(depth, dist_depth_names, RUN_DEPTHS));
    json_put(o, "iodepth_submit", calls(dist_calls_known(j)));
    json_put(o, "iodepth_complete", calls(dist_calls_known(j)));
    json_put(o, "latency_ns", shares(l.ns, dist_latency_names, DIST_NS));
    json_put(o, "latency_us", shares(l.us, dist_latency_names, DIST_US));
    json_put(o, "latency_ms", shares(l.ms, dist_latency_names, DIST_MS));
    if (job_is_set(&j->job, "continue_on_error") || job_is_set(&j->job, "ignore_error")) {
        json_put_u64(o, "total_err", j->errors);
        json_put_i64(o, "first_error", j->error.code < 0 ? -j->error.code : j->error.code);
    }
    json_put_u64(o, "latency_depth", j->job.iodepth);
    json_put_u64(o, "latency_target", 0); /* none was searched for */
    json_put_num(o, "latency_percentile", 100);
    json_put_u64(o, "latency_window", 0);
}

struct json *fio_steady(const struct run_job_result *j)
{
    const struct run_steady *s = &j->steady;
    const struct job_steady *w = &j->job.steady;
    char text[64];
    if (w->what == JOB_STEADY_NONE)
        return NULL;
    struct json *o = json_object(), *data = json_object(), *iops = json_array(), *bw = json_array();
    double sum_iops = 0, sum_bw = 0, m = run_steady_measure(s, w->what, w->pct);
    bool is_bw = w->what == JOB_STEADY_BW || w->what == JOB_STEADY_BW_SLOPE;
    for (size_t i = 0; i < s->n; i++) {
        json_add_u64(iops, (uint64_t)llround(s->second[i].iops));
        json_add_u64(bw, (uint64_t)llround(s->second[i].bytes_per_s));
        sum_iops += s->second[i].iops;
        sum_bw += s->second[i].bytes_per_s;
    }
    job_get_named(&j->job, "steadystate", text, sizeof(text));
    json_put_text(o, "ss", text);
    json_put_u64(o, "duration", w->dur_ns / NSEC_PER_SEC);
    json_put_u64(o, "attained", s->attained);
    str_format(text, sizeof(text), "%f%s", m, w->pct ? "%" : "");
    json_put_text(o, "criterion", isnan(m) ? NULL : text);
    json_put_num(o, "max_deviation", run_steady_measure(s, is_bw ? JOB_STEADY_BW : JOB_STEADY_IOPS, false));
    json_put_num(o, "slope", run_steady_measure(s, is_bw ? JOB_STEADY_BW_SLOPE : JOB_STEADY_IOPS_SLOPE, false));
    json_put_num(data, "bw_mean", floor(sum_bw / (double)s->n));
    json_put_num(data, "iops_mean", sum_iops / (double)s->n);
    json_put(data, "iops", iops);
    json_put(data, "bw", bw);
    json_put(o, "data", data);
    return o;
}

/* Says every job the same? */
static bool shared(const struct result *r, const struct job_field *f, char *text, size_t n)
{
    char other[JOB_PATH];
    for (size_t i = 0; i < r->njobs; i++) {
        if (!job_is_set(&r->job[i]->job, f->name))
            return false;
        job_get(&r->job[i]->job, f, i ? other : text, i ? sizeof(other) : n);
        if (i && strcmp(text, other))
            return false;
    }
    return true;
}

void fio_put_global(struct json *o, const struct result *r)
{
    const struct job_field *f;
    struct json *all = json_object();
    char text[JOB_PATH];
    bool several = false;
    for (size_t i = 1; i < r->njobs; i++)
        several |= strcmp(r->job[0]->job.name, r->job[i]->job.name) != 0;
    for (size_t i = 0; several && (f = job_field(i)); i++)
        if (strcmp(f->name, "name") && shared(r, f, text, sizeof(text)))
            json_put_text(all, f->name, text);
    json_put(o, "global options", all);
}
