/* run_marks: looks at a running job from time to time: how many requests are in flight, and what was done since the
 * last sample, of each clone and of the whole job. Knows no single request and no latency. */
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "engine/run_priv.h"

#define SHORTEST_NS (RUN_SAMPLE_NS / 2) /* what is left at the end counts when it is at least so long */

void run_spread_add(struct run_spread *s, double v)
{
    double off = v - s->mean;
    s->min = s->n && s->min < v ? s->min : v;
    s->max = s->n && s->max > v ? s->max : v;
    s->n++;
    s->mean += off / (double)s->n;
    s->m2 += off * (v - s->mean);
}

double run_spread_dev(const struct run_spread *s)
{
    return s->n > 1 ? sqrt(s->m2 / (double)(s->n - 1)) : s->n ? 0 : NAN;
}

static void look(struct run_marks *m, unsigned inflight)
{
    unsigned place = 0;
    if (!inflight)
        return;
    while (place < RUN_DEPTHS - 1 && inflight >> (place + 1))
        place++;
    counter_add(&m->depth[place], 1);
}

void run_marks_look(struct run_job *j)
{
    if (!j->clock.measuring || j->clock.paused_since || j->clock.stop_ns)
        return;
    for (size_t i = 0; i < j->nclones; i++) {
        unsigned n = worker_inflight(j->clone[i].w);
        look(&j->row[j->clone[i].index].marks, n);
        look(&j->marks, n); /* of the clones one by one here, too, as depth is a word about each */
    }
}

struct done {
    uint64_t ios[DDIRS], bytes[DDIRS];
};

static void add_done(const struct counters *c, struct done *ret)
{
    for (unsigned d = 0; c && d < DDIRS; d++) {
        ret->ios[d] += counter_get(&c->dir[d].ios);
        ret->bytes[d] += counter_get(&c->dir[d].bytes);
    }
}

static void row_done(const struct run_job *j, unsigned index, struct done *ret)
{
    const struct run_row *row = &j->row[index];
    for (size_t t = 0; t < row->nrows; t++) {
        add_done(row->ended ? &row->ended[t] : NULL, ret);
        for (size_t i = 0; i < j->nclones; i++)
            if (j->clone[i].index == index)
                add_done(worker_counters(j->clone[i].w, row->row0 + t), ret);
    }
}

void run_marks_done(const struct run_job *j, uint64_t *ret_ios, uint64_t *ret_bytes)
{
    struct done all = {0};
    *ret_ios = *ret_bytes = 0;
    for (unsigned i = 0; i < j->nrows; i++)
        row_done(j, i, &all);
    for (unsigned d = 0; d < DDIRS; d++) {
        *ret_ios += all.ios[d];
        *ret_bytes += all.bytes[d];
    }
}

static void mark(struct run_marks *m, enum ddir d, double ios, double bytes, double s)
{
    run_spread_add(&m->iops[d], ios / s);
    run_spread_add(&m->bytes_per_s[d], bytes / s);
}

/* How long it worked since the last sample; 0: too short to say anything. */
static uint64_t worked_ns(const struct run_job *j, const struct run_row *row, uint64_t at, enum ddir d)
{
    uint64_t end = row->lives ? at : row->ended_ns, ns = end > j->sampled_ns ? end - j->sampled_ns : 0;
    return ns >= SHORTEST_NS || !row->marks.iops[d].n ? ns : 0;
}

/* A direction that did nothing so far has no samples; one that rests now has one of zero. */
static void sample_row(struct run_job *j, unsigned index, uint64_t at, struct done *ret_all, bool *used)
{
    struct run_row *row = &j->row[index];
    struct done now = {0};
    row_done(j, index, &now);
    for (enum ddir d = 0; d < DDIRS; d++) {
        uint64_t ios = now.ios[d] - row->ios[d], bytes = now.bytes[d] - row->bytes[d];
        uint64_t ns = worked_ns(j, row, at, d);
        if (now.ios[d] && ns)
            mark(&row->marks, d, (double)ios, (double)bytes, (double)ns / NSEC_PER_SEC);
        used[d] |= now.ios[d] != 0;
        ret_all->ios[d] += ios;
        ret_all->bytes[d] += bytes;
        row->ios[d] = now.ios[d];
        row->bytes[d] = now.bytes[d];
    }
}

void run_marks_begin(struct run_job *j)
{
    for (unsigned i = 0; i < j->nrows; i++) {
        struct done now = {0};
        row_done(j, i, &now);
        memcpy(j->row[i].ios, now.ios, sizeof(now.ios));
        memcpy(j->row[i].bytes, now.bytes, sizeof(now.bytes));
    }
}

uint64_t run_marks_next_ns(const struct run_job *j)
{
    return j->sampled_ns + RUN_SAMPLE_NS;
}

void run_marks_sample(struct run *r, struct run_job *j, uint64_t now, bool last)
{
    uint64_t at = clock_measured_ns(&j->clock, now), since = at - j->sampled_ns;
    bool used[DDIRS] = {false}, first = !j->sampled_ns;
    if (!j->clock.measuring || at <= j->sampled_ns ||
        (last ? !first && since < SHORTEST_NS : since < RUN_SAMPLE_NS))
        return;
    struct done all = {0};
    double s = (double)since / NSEC_PER_SEC;
    run_exclusive(r); /* results read the marks */
    for (unsigned i = 0; i < j->nrows; i++)
        sample_row(j, i, at, &all, used);
    for (enum ddir d = 0; d < DDIRS; d++)
        if (used[d])
            mark(&j->marks, d, (double)all.ios[d], (double)all.bytes[d], s);
    j->sampled_ns = at;
    pthread_mutex_unlock(&r->lock);
}
