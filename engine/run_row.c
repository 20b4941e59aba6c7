/* run_row: what each clone of a job did: its counters, its CPU time and its time, also after it has ended.
 * A row outlives its worker; the conductor writes it, results read it. */
#include <string.h>

#include "core/clock.h"
#include "engine/run_priv.h"

void run_row_open(struct run *r, struct run_job *j, unsigned index, uint64_t now)
{
    struct run_row *row = &j->row[index];
    struct target_slice s = targets_of(&j->set->t, index);
    pthread_mutex_lock(&r->lock);
    row->row0 = s.row0;
    row->nrows = s.nrows;
    row->lives = true;
    row->since_ns = clock_measured_ns(&j->clock, now);
    j->nrows = index + 1 > j->nrows ? index + 1 : j->nrows;
    pthread_mutex_unlock(&r->lock);
}

static bool another_lives(const struct run_job *j, const struct clone *c)
{
    for (size_t i = 0; i < j->nclones; i++)
        if (&j->clone[i] != c && j->clone[i].index == c->index)
            return true;
    return false;
}

/* The first to end leaves its counters as they are, a later one adds to them. */
static void take_counters(struct run_row *row, struct worker *w)
{
    struct counters *all = worker_take_counters(w);
    if (!row->ended) {
        row->ended = all;
        return;
    }
    for (size_t t = 0; t < row->nrows; t++)
        counters_add(&row->ended[t], &all[t]);
    counters_unmap(all, row->nrows);
}

void run_row_close(struct run_job *j, const struct clone *c)
{
    struct run_row *row = &j->row[c->index];
    struct worker_usage u = {0};
    uint64_t measured = clock_measured_ns(&j->clock, worker_progress_ns(c->w));
    worker_usage(c->w, &u);
    take_counters(row, c->w);
    if (worker_verify(c->w))
        verify_count_add(&row->verify, worker_verify(c->w));
    row->used.user_ns += u.user_ns;
    row->used.system_ns += u.system_ns;
    row->used.ctx += u.nvcsw + u.nivcsw;
    row->used.minflt += u.minflt;
    row->used.majflt += u.majflt;
    row->ended_ns = measured;
    row->ran_ns += measured > row->since_ns ? measured - row->since_ns : 0;
    row->lives = another_lives(j, c);
}

/* In itself consistent though the clone goes on. */
static void sum_settled(const struct run_job *j, unsigned index, size_t target, struct counters *scratch,
                        struct counters *ret)
{
    const struct run_row *row = &j->row[index];
    if (row->ended)
        counters_add(ret, &row->ended[target - row->row0]);
    for (size_t i = 0; i < j->nclones; i++)
        if (j->clone[i].index == index)
            counters_add_settled(ret, worker_counters(j->clone[i].w, target), job_bs(&j->cur), scratch);
}

static void usage_base(struct run *r, struct run_job *j, unsigned index)
{
    struct run_row *row = &j->row[index];
    row->used_base = row->used;
    row->helper_base_ns = row->helper_ns;
    for (size_t i = 0; i < j->nclones; i++)
        if (j->clone[i].index == index) {
            task_usage_add(worker_tid(j->clone[i].w), &row->used_base);
            row->helper_base_ns += task_table_ns(&r->tasks, worker_tid(j->clone[i].w));
        }
}

bool run_row_bases(struct run *r, struct run_job *j, struct counters *scratch)
{
    for (unsigned i = 0; i < j->nrows; i++) {
        struct run_row *row = &j->row[i];
        if (!row->base && !(row->base = counters_map(row->nrows)))
            return false;
        for (size_t t = 0; t < row->nrows; t++) {
            counters_clear(&row->base[t]);
            sum_settled(j, i, row->row0 + t, scratch, &row->base[t]);
        }
        usage_base(r, j, i);
    }
    return true;
}

void run_rows_clear(struct run_job *j)
{
    for (unsigned i = 0; i < j->nrows; i++) {
        run_log_clear(&j->row[i]);
        counters_unmap(j->row[i].ended, j->row[i].nrows);
        counters_unmap(j->row[i].base, j->row[i].nrows);
        verify_count_fini(&j->row[i].verify);
        j->row[i] = (struct run_row){0};
    }
    j->nrows = 0;
    j->marks = (struct run_marks){0};
    j->sampled_ns = 0;
    run_steady_clear(j);
    memset(j->logged_ns, 0, sizeof(j->logged_ns));
}

void run_row_sum(const struct run_job *j, const struct job_view *v, unsigned index, size_t target,
                 struct counters *ret)
{
    const struct run_row *row = &j->row[index];
    if (target - row->row0 >= row->nrows)
        return;
    if (row->ended)
        counters_add(ret, &row->ended[target - row->row0]);
    for (size_t i = 0; i < v->nclones; i++)
        if (j->clone[i].index == index)
            counters_add(ret, worker_counters(j->clone[i].w, target));
    if (v->clock.measuring && row->base)
        counters_sub(ret, &row->base[target - row->row0]);
}
