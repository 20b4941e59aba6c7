/* result_log: names, lines and files of logs.
 * Measures nothing. */
#include "cli/result_log.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "core/clock.h"

#define FIO_BUCKETS 1856u /* fio's histogram ends there, at 17 s; what is longer is in the last */

enum log_value { LOG_BW, LOG_IOPS, LOG_CLAT, LOG_HIST };

static const struct log_type {
    const char *word, *ending;
    size_t at; /* of the file's name in struct job */
    enum run_log_kind kind;
    enum log_value value;
} types[] = {
    {"write_bw_log", "bw", offsetof(struct job, log.bw), RUN_LOG_MEAN, LOG_BW},
    {"write_iops_log", "iops", offsetof(struct job, log.iops), RUN_LOG_MEAN, LOG_IOPS},
    {"write_lat_log", "clat", offsetof(struct job, log.lat), RUN_LOG_MEAN, LOG_CLAT},
    {"write_lat_log", "lat", offsetof(struct job, log.lat), RUN_LOG_MEAN, LOG_CLAT},
    {"write_hist_log", "clat_hist", offsetof(struct job, log.hist), RUN_LOG_HIST, LOG_HIST},
};
enum { TYPES = sizeof(types) / sizeof(types[0]) };

/* number: of the clone among all of the run, from 1. False where it is too long. */
static bool name_of(const struct job *j, const struct log_type *t, unsigned number, char path[PATH_MAX])
{
    const char *given = (const char *)j + t->at, *prefix = *given ? given : j->name;
    if (j->log.per_job)
        return str_format(path, PATH_MAX, "%s_%s.%u.log", prefix, t->ending, number);
    return str_format(path, PATH_MAX, "%s_%s.log", prefix, t->ending);
}

/* ---- lines ---- */

struct writing {
    const struct job *j;
    const struct log_type *type;
    FILE *out;
};

static double value_of(const struct writing *w, const struct run_log_entry *e)
{
    double s = (double)e->ns / NSEC_PER_SEC;
    if (w->type->value == LOG_BW)
        return (double)e->bytes / 1024 / s;
    if (w->type->value == LOG_IOPS)
        return (double)e->ios / s;
    return w->j->log.max_value ? e->max_ns : e->mean_ns;
}

static uint64_t time_of(const struct writing *w, const struct run_log_entry *e)
{
    return (w->j->log.unix_epoch ? e->real_ns : e->at_ns) / NSEC_PER_MSEC;
}

/* An average has no block size, as in fio: 0. */
static void mean_line(const struct run_log_entry *e, void *arg)
{
    const struct writing *w = arg;
    fprintf(w->out, "%" PRIu64 ", %.0f, %u, 0, 0\n", time_of(w, e), value_of(w, e), (unsigned)e->dir);
}

static void hist_line(const struct run_log_entry *e, void *arg)
{
    const struct writing *w = arg;
    uint64_t count[FIO_BUCKETS] = {0};
    unsigned wide = 1u << w->j->log.hist_coarseness;
    for (size_t i = 0; i < e->nbins; i++)
        count[e->bin[i].index < FIO_BUCKETS ? e->bin[i].index : FIO_BUCKETS - 1] += e->bin[i].count;
    fprintf(w->out, "%" PRIu64 ", %u, %" PRIu64, time_of(w, e), (unsigned)e->dir, e->bytes / e->ios);
    for (unsigned i = 0; i < FIO_BUCKETS; i += wide) {
        uint64_t n = 0;
        for (unsigned k = i; k < i + wide; k++)
            n += count[k];
        fprintf(w->out, ", %" PRIu64, n);
    }
    fputc('\n', w->out);
}

/* ---- files ---- */

struct logs { /* open files; with per_job_logs=0 several clones write into one */
    struct file {
        char *path;
        struct output out; /* stays where it is while it is open */
    } **file;
    size_t n;
};

static int open_file(struct logs *l, const char *path, FILE **ret, struct err *err)
{
    for (size_t i = 0; i < l->n; i++)
        if (!strcmp(l->file[i]->path, path)) {
            *ret = l->file[i]->out.stream;
            return 0;
        }
    struct file **more = realloc(l->file, (l->n + 1) * sizeof(*more)), *f = calloc(1, sizeof(*f));
    l->file = more ? more : l->file;
    if (f)
        f->path = strdup(path);
    int rc = more && f && f->path ? output_open(&f->out, f->path, false, err)
                                  : err_set(err, -ENOMEM, "%s: no memory for the log", path);
    if (rc < 0) {
        if (f)
            free(f->path);
        free(f);
        return rc;
    }
    l->file[l->n++] = f;
    *ret = f->out.stream;
    return 0;
}

static int close_files(struct logs *l, bool keep, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; i < l->n; i++) {
        int one = 0;
        if (keep)
            one = output_close(&l->file[i]->out, rc ? NULL : err);
        else
            output_drop(&l->file[i]->out);
        rc = rc ? rc : one;
        free(l->file[i]->path);
        free(l->file[i]);
    }
    free(l->file);
    return rc;
}

static bool wanted(const struct job *j, const struct log_type *t)
{
    return job_is_set(j, t->word);
}

static int write_clone(struct run *run, size_t job, unsigned clone, unsigned number, struct logs *l, struct err *err)
{
    struct run_job_result *res = run_result_clone(run, job, clone);
    int rc = res ? 0 : err_set(err, -ENOMEM, "no memory for the logs");
    for (int t = 0; t < TYPES && rc == 0; t++) {
        char path[PATH_MAX];
        struct writing w = {.j = &res->job, .type = &types[t]};
        if (!wanted(w.j, w.type))
            continue;
        if (!name_of(w.j, w.type, number, path))
            rc = err_set(err, -ENAMETOOLONG, "%s: the name of the log is too long", w.type->word);
        if (rc == 0 && (rc = open_file(l, path, &w.out, err)) == 0)
            run_log_each(run, job, clone, w.type->kind, w.type->kind == RUN_LOG_HIST ? hist_line : mean_line, &w);
    }
    run_result_free(res);
    return rc;
}

int result_log_write(struct run *run, struct err *err)
{
    struct logs l = {0};
    unsigned number = 1;
    int rc = 0;
    for (size_t i = 0; i < run_njobs(run) && rc == 0; i++)
        for (unsigned k = 0, n = run_nclones(run, i); k < n && rc == 0; k++, number++)
            rc = write_clone(run, i, k, number, &l, err);
    int closed = close_files(&l, rc == 0, err);
    return rc < 0 ? rc : closed;
}

int result_log_check(const struct job *jobs, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++)
        for (int t = 0; t < TYPES; t++) {
            char path[PATH_MAX];
            struct output out;
            struct err why = {0};
            if (!wanted(&jobs[i], &types[t]))
                continue;
            if (!name_of(&jobs[i], &types[t], 1, path))
                return err_set(err, -ENAMETOOLONG, "%s: the name of the log is too long", types[t].word);
            int rc = output_open(&out, path, false, &why);
            if (rc < 0)
                return err_set(err, rc, "%s: %.400s", types[t].word, why.text);
            output_drop(&out);
        }
    return 0;
}

void result_log_note(const struct job *j, struct strbuf *notes)
{
    if (job_logs_mean(j) && !job_is_set(j, "log_avg_msec"))
        strbuf_printf(notes, "%s: logs hold averages of %" PRIu64 " ms, not single requests; log_avg_msec sets it\n",
                      j->name, j->log.avg_ms);
    if (job_is_set(j, "write_hist_log") && !j->log.hist_ms)
        strbuf_printf(notes, "%s: write_hist_log stays empty without log_hist_msec\n", j->name);
}
