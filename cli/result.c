/* result: collects the rows of a run, groups them, and knows what lies on which device.
 * Stops and frees no run. */
#include "cli/result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "core/mounts.h"
#include "core/str.h"

void event_log_add(struct event_log *log, const struct frame *f)
{
    for (size_t i = 0; i < f->nevents; i++) {
        if (log->n == log->cap) {
            size_t cap = log->cap ? 2 * log->cap : 16;
            struct frame_event *more = realloc(log->event, cap * sizeof(*more));
            if (!more)
                return;
            log->event = more;
            log->cap = cap;
        }
        const struct frame_event *e = &f->events[i];
        log->event[log->n++] = (struct frame_event){e->time_ns, strdup(e->kind), strdup(e->text)};
    }
}

void event_log_fini(struct event_log *log)
{
    for (size_t i = 0; i < log->n; i++) {
        free((char *)log->event[i].kind);
        free((char *)log->event[i].text);
    }
    free(log->event);
    *log = (struct event_log){0};
}

/* A filesystem without a device of its own (btrfs, overlay: 0:NN) says in mountinfo what it is on. */
static void resolve(struct run_target_result *t, const struct mounts *m)
{
    struct stat st;
    for (size_t i = 0; !t->major && i < m->n; i++) {
        const struct mount_row *row = &m->row[i];
        if (row->major != t->major || row->minor != t->minor || !row->source || !str_starts(row->source, "/dev/"))
            continue;
        if (stat(row->source, &st) == 0 && S_ISBLK(st.st_mode)) {
            t->major = major(st.st_rdev);
            t->minor = minor(st.st_rdev);
        }
    }
}

static void resolve_all(struct result *r)
{
    struct mounts m = {0};
    struct err why = {0};
    if (mounts_read("/proc/self/mountinfo", &m, &why) < 0)
        return;
    for (size_t i = 0; i < r->njobs; i++)
        for (size_t k = 0; k < r->job[i]->ntargets; k++)
            if (!r->job[i]->target[k].major && r->job[i]->target[k].minor)
                resolve(&r->job[i]->target[k], &m);
    mounts_fini(&m);
}

/* As fio sums the samples of a group: those of the parts were not taken at the same moments, so the least of the sum
 * is not less than the sum of the least, and the spread is that of independent parts. */
static void spread_merge(struct run_spread *a, const struct run_spread *b)
{
    double da = run_spread_dev(a), db = run_spread_dev(b);
    if (!a->n || !b->n) {
        *a = a->n ? *a : *b;
        return;
    }
    a->n += b->n;
    a->min += b->min;
    a->max += b->max;
    a->mean += b->mean;
    a->m2 = (da * da + db * db) * (double)(a->n - 1);
}

static void marks_merge(struct run_marks *a, const struct run_marks *b)
{
    for (int d = 0; d < DDIRS; d++) {
        spread_merge(&a->iops[d], &b->iops[d]);
        spread_merge(&a->bytes_per_s[d], &b->bytes_per_s[d]);
    }
    for (int i = 0; i < RUN_DEPTHS; i++)
        a->depth[i] += b->depth[i];
}

int result_merge(struct run_job_result *a, struct run_job_result *b)
{
    struct run_target_result *all = realloc(a->target, (a->ntargets + b->ntargets + 1) * sizeof(*all));
    if (!all)
        return -ENOMEM;
    a->target = all;
    if (b->ntargets)
        memcpy(&all[a->ntargets], b->target, b->ntargets * sizeof(*all));
    a->ntargets += b->ntargets;
    counters_add(&a->sum, &b->sum);
    for (int d = 0; d < DDIRS; d++)
        if (b->dir_runtime_ns[d] > a->dir_runtime_ns[d])
            a->dir_runtime_ns[d] = b->dir_runtime_ns[d];
    if (b->runtime_ns > a->runtime_ns)
        a->runtime_ns = b->runtime_ns;
    a->clones += b->clones;
    a->clones_ns += b->clones_ns;
    marks_merge(&a->marks, &b->marks);
    a->have_usage &= b->have_usage;
    a->user_ns += b->user_ns;
    a->system_ns += b->system_ns;
    a->ctx += b->ctx;
    a->minflt += b->minflt;
    a->majflt += b->majflt;
    a->helper_ns += b->helper_ns;
    a->errors += b->errors;
    a->in_flight += b->in_flight;
    if (b->stalled_ns > a->stalled_ns)
        a->stalled_ns = b->stalled_ns;
    a->verifies |= b->verifies;
    verify_count_add(&a->verify, &b->verify);
    if (!a->error.code)
        a->error = b->error;
    return 0;
}

/* As fio: a row that says group_reporting joins the one before it in the same group. */
static void group(struct result *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->njobs; i++) {
        struct run_job_result *j = r->job[i], *last = n ? r->job[n - 1] : NULL;
        if (last && j->job.group_reporting && last->group == j->group && result_merge(last, j) == 0)
            run_result_free(j);
        else
            r->job[n++] = j;
    }
    r->njobs = n;
}

/* One that reports as a group is asked for as a whole: that costs a sum less for each clone. */
static unsigned rows_of(struct run *run, size_t job)
{
    struct job j;
    run_job(run, job, &j);
    return j.group_reporting ? 1 : run_nclones(run, job);
}

static int take_rows(struct result *r, struct run *run, size_t job)
{
    unsigned n = rows_of(run, job);
    for (unsigned k = 0; k < n; k++) {
        struct run_job_result *row = n == 1 ? run_result(run, job) : run_result_clone(run, job, k);
        if (!row)
            return -ENOMEM;
        r->job[r->njobs++] = row;
    }
    return 0;
}

int result_take(struct result *r, struct run *run)
{
    size_t n = run_njobs(run), rows = 0;
    int rc = 0;
    for (size_t i = 0; i < n; i++)
        rows += rows_of(run, i);
    r->job = calloc(rows, sizeof(*r->job));
    r->njobs = 0;
    if (!r->job)
        return -ENOMEM;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = take_rows(r, run, i);
    if (rc < 0)
        return rc;
    resolve_all(r);
    group(r);
    return 0;
}

void result_fini(struct result *r)
{
    for (size_t i = 0; i < r->njobs; i++)
        run_result_free(r->job[i]);
    free(r->job);
    r->job = NULL;
    r->njobs = 0;
}

void result_cpu(const struct run_job_result *j, double *ret_user_pct, double *ret_system_pct)
{
    double ns = (double)j->clones_ns;
    bool known = j->have_usage && ns > 0;
    *ret_user_pct = known ? (double)j->user_ns * 100 / ns : NAN;
    *ret_system_pct = known ? (double)j->system_ns * 100 / ns : NAN;
}

const struct frame_dev *result_device(const struct frame *whole, const struct run_target_result *t)
{
    for (size_t i = 0; whole && t->major && i < whole->ndevs; i++)
        if (whole->devs[i].major == t->major && whole->devs[i].minor == t->minor)
            return &whole->devs[i];
    return whole && t->device[0] ? frame_find_dev(whole, t->device) : NULL;
}

bool result_uses(const struct result *r, const struct frame_dev *d)
{
    for (size_t i = 0; i < r->njobs; i++)
        for (size_t k = 0; k < r->job[i]->ntargets; k++)
            if (result_device(r->whole, &r->job[i]->target[k]) == d)
                return true;
    return false;
}
