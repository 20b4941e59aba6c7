/* run_log: takes the entries on the conductor's thread: what a clone has done now less what it had done before.
 * Whole histograms are compared, so that the most of an interval and its distribution are its own. */
#include <stdlib.h>

#include "core/clock.h"
#include "engine/run_priv.h"

static uint64_t every_ns(const struct job *j, enum run_log_kind k)
{
    if (k == RUN_LOG_HIST)
        return job_logs_hist(j) ? j->log.hist_ms * NSEC_PER_MSEC : 0;
    return job_logs_mean(j) ? j->log.avg_ms * NSEC_PER_MSEC : 0;
}

static void sum_row(const struct run_job *j, unsigned index, struct counters *ret)
{
    const struct run_row *row = &j->row[index];
    counters_clear(ret);
    for (size_t t = 0; t < row->nrows; t++) {
        if (row->ended)
            counters_add(ret, &row->ended[t]);
        for (size_t i = 0; i < j->nclones; i++)
            if (j->clone[i].index == index)
                counters_add(ret, worker_counters(j->clone[i].w, row->row0 + t));
    }
}

static struct run_log_entry *new_entry(struct run_log *log)
{
    if (log->n == log->cap) {
        size_t cap = log->cap ? 2 * log->cap : 64;
        struct run_log_entry *more = realloc(log->entry, cap * sizeof(*more));
        if (!more)
            return NULL;
        log->entry = more;
        log->cap = cap;
    }
    return &log->entry[log->n++];
}

static void add_entry(struct run_log *log, const struct run_log_entry *about, const struct dir_counters *d, bool bins)
{
    struct run_log_entry *e = d->ios && hist_n(&d->clat) ? new_entry(log) : NULL;
    if (!e)
        return;
    *e = *about;
    e->ios = d->ios;
    e->bytes = d->bytes;
    e->mean_ns = hist_mean(&d->clat);
    e->max_ns = (double)d->clat.max;
    size_t n = bins ? hist_nonempty(&d->clat) : 0;
    e->bin = n ? malloc(n * sizeof(*e->bin)) : NULL;
    e->nbins = e->bin ? hist_bins(&d->clat, e->bin, n) : 0;
}

/* `now` is a scratch; the counters so far become the row's `before`. */
static void log_row(struct run_row *row, enum run_log_kind k, struct run_log_entry *about, struct counters *now,
                    struct counters *delta)
{
    counters_clear(delta);
    counters_add(delta, now);
    counters_sub(delta, row->log_before[k]);
    for (enum ddir d = 0; d < DDIRS; d++) {
        about->dir = d;
        add_entry(&row->log[k], about, &delta->dir[d], k == RUN_LOG_HIST);
    }
    counters_clear(row->log_before[k]);
    counters_add(row->log_before[k], now);
}

static void log_all(struct run *r, struct run_job *j, enum run_log_kind k, uint64_t at, struct counters *scratch)
{
    struct run_log_entry about = {
        .at_ns = at + j->clock.ramp_ns, .real_ns = clock_real_ns(NULL), .ns = at > j->logged_ns[k] ? at - j->logged_ns[k] : 0};
    for (unsigned i = 0; i < j->nrows; i++) {
        struct run_row *row = &j->row[i];
        struct counters *before = row->log_before[k] ? row->log_before[k] : counters_map(1);
        if (!before)
            continue;
        sum_row(j, i, &scratch[0]);
        run_exclusive(r); /* readers of the log */
        row->log_before[k] = before;
        log_row(row, k, &about, &scratch[0], &scratch[1]);
        pthread_mutex_unlock(&r->lock);
    }
    j->logged_ns[k] = at;
}

/* What is left at the end is no mean where it is short: the rate of a few requests. A histogram takes all, also what
 * came back when the time was over. */
static bool due(const struct run_job *j, enum run_log_kind k, uint64_t since, bool last)
{
    uint64_t every = every_ns(&j->first, k);
    if (!every || !j->clock.measuring)
        return false;
    if (last && k == RUN_LOG_HIST)
        return true;
    return since && (since >= every || (last && (!j->logged_ns[k] || since >= every / 2)));
}

void run_log_tick(struct run *r, struct run_job *j, uint64_t now, bool last)
{
    uint64_t at = clock_measured_ns(&j->clock, now);
    for (enum run_log_kind k = 0; k < RUN_LOGS; k++) {
        uint64_t since = at > j->logged_ns[k] ? at - j->logged_ns[k] : 0;
        if (!due(j, k, since, last))
            continue;
        struct counters *scratch = counters_map(2);
        if (scratch)
            log_all(r, j, k, at, scratch);
        counters_unmap(scratch, 2);
    }
}

uint64_t run_log_next_ns(const struct run_job *j)
{
    uint64_t next = UINT64_MAX;
    for (enum run_log_kind k = 0; k < RUN_LOGS; k++) {
        uint64_t every = every_ns(&j->first, k);
        if (every && j->logged_ns[k] + every < next)
            next = j->logged_ns[k] + every;
    }
    return next;
}

/* What the result leaves out: the same reading, since the clones go on. */
static void sum_bases(const struct run_row *row, struct counters *ret)
{
    for (size_t t = 0; row->base && t < row->nrows; t++)
        counters_add(ret, &row->base[t]);
}

/* The ramp is not logged. Under run_exclusive. */
void run_log_begin(struct run_job *j)
{
    for (enum run_log_kind k = 0; k < RUN_LOGS; k++)
        for (unsigned i = 0; every_ns(&j->first, k) && i < j->nrows; i++) {
            struct run_row *row = &j->row[i];
            row->log_before[k] = counters_map(1);
            if (row->log_before[k])
                sum_bases(row, row->log_before[k]);
        }
}

void run_log_clear(struct run_row *row)
{
    for (enum run_log_kind k = 0; k < RUN_LOGS; k++) {
        for (size_t i = 0; i < row->log[k].n; i++)
            free(row->log[k].entry[i].bin);
        free(row->log[k].entry);
        counters_unmap(row->log_before[k], 1);
    }
}

void run_log_each(struct run *r, size_t job, unsigned clone, enum run_log_kind k,
                  void (*fn)(const struct run_log_entry *e, void *arg), void *arg)
{
    struct job_view *v = calloc(1, sizeof(*v));
    if (!v)
        return;
    run_reader_enter(r, job, 1, v);
    const struct run_job *j = &r->job[job];
    for (size_t i = 0; clone < v->nrows && i < j->row[clone].log[k].n; i++)
        fn(&j->row[clone].log[k].entry[i], arg);
    run_reader_leave(r);
    free(v);
}
