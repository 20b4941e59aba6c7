/* result_dist: classes and groups from the counters of a result.
 * Formats nothing. */
#include "cli/result_dist.h"

#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "engine/backend.h"

const char *const dist_latency_names[DIST_MS] = {"2",   "4",   "10",  "20",   "50",   "100",
                                                 "250", "500", "750", "1000", "2000", ">=2000"};
const char *const dist_depth_names[RUN_DEPTHS] = {"1", "2", "4", "8", "16", "32", ">=64"};

static const uint64_t limits[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};
enum { LIMITS = sizeof(limits) / sizeof(limits[0]) };

static double *class_of(struct dist_latency *l, uint64_t ns)
{
    for (size_t i = 0; i < DIST_NS; i++)
        if (ns < limits[i])
            return &l->ns[i];
    for (size_t i = 0; i < DIST_US; i++)
        if (ns < limits[i] * NSEC_PER_USEC)
            return &l->us[i];
    for (size_t i = 0; i < LIMITS; i++)
        if (ns < limits[i] * NSEC_PER_MSEC)
            return &l->ms[i];
    return &l->ms[DIST_MS - 1];
}

void dist_latency(const struct counters *sum, struct dist_latency *ret)
{
    struct dist_latency l = {{0}, {0}, {0}};
    double n = 0, *each = (double *)&l;
    for (int d = 0; d < DDIRS; d++)
        for (unsigned i = 0; i < HIST_BUCKETS; i++) {
            double count = (double)sum->dir[d].clat.count[i];
            if (count > 0)
                *class_of(&l, hist_mid(i)) += count;
            n += count;
        }
    for (size_t i = 0; i < sizeof(l) / sizeof(*each); i++)
        each[i] = n > 0 ? each[i] * 100 / n : NAN;
    *ret = l;
}

static bool deeper_than(const struct run_job_result *j, unsigned depth)
{
    const struct backend *be = backend_find(j->job.ioengine);
    if (be && be->sync)
        return false;
    for (size_t i = 0; i < j->nretunes; i++)
        if (strstr(j->retune[i].words, "iodepth"))
            return true;
    return j->job.iodepth > depth;
}

void dist_depth(const struct run_job_result *j, double ret[RUN_DEPTHS])
{
    double n = 0;
    for (int i = 0; i < RUN_DEPTHS; i++)
        n += (double)j->marks.depth[i];
    bool one = n <= 0 && !deeper_than(j, 1) && hist_n(&j->sum.dir[job_ddir(&j->job)].clat);
    for (int i = 0; i < RUN_DEPTHS; i++)
        ret[i] = n > 0 ? (double)j->marks.depth[i] * 100 / n : one ? (i ? 0 : 100) : NAN;
}

bool dist_calls_known(const struct run_job_result *j)
{
    return !deeper_than(j, 4);
}

static void add_row(const struct run_job_result *j, enum ddir d, struct dist_group *g)
{
    uint64_t ns = j->dir_runtime_ns[d];
    double rate = (double)j->sum.dir[d].bytes / ((double)ns / NSEC_PER_SEC);
    bool first = !g->longest_ns;
    g->bytes += (double)j->sum.dir[d].bytes;
    g->least_per_s = first || rate < g->least_per_s ? rate : g->least_per_s;
    g->most_per_s = first || rate > g->most_per_s ? rate : g->most_per_s;
    g->shortest_ns = first || ns < g->shortest_ns ? ns : g->shortest_ns;
    g->longest_ns = ns > g->longest_ns ? ns : g->longest_ns;
}

bool dist_group(const struct result *r, unsigned group, enum ddir d, struct dist_group *ret)
{
    struct dist_group g = {0};
    for (size_t i = 0; i < r->njobs; i++)
        if (r->job[i]->group == group && r->job[i]->dir_runtime_ns[d])
            add_row(r->job[i], d, &g);
    if (!g.longest_ns)
        return false;
    g.bytes_per_s = g.bytes / ((double)g.longest_ns / NSEC_PER_SEC);
    *ret = g;
    return true;
}
