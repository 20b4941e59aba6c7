/* run: the face of a run: making one, posting orders, asking its state, leaving it.
 * Starts the conductor and shares its lock; what happens to jobs is in run_conduct.c and beyond. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/str.h"
#include "core/thread.h"
#include "core/units.h"
#include "engine/run_priv.h"

void run_exclusive(struct run *r)
{
    pthread_mutex_lock(&r->lock);
    while (r->readers)
        pthread_cond_wait(&r->idle, &r->lock);
}

void run_set_state(struct run *r, enum run_state s)
{
    uint64_t one = 1;
    if (atomic_exchange(&r->state, s) != (int)s)
        (void)!write(r->fd, &one, sizeof(one));
}

void run_note(struct run *r, const char *kind, const char *fmt, ...)
{
    struct run_note n = {.time_ns = clock_real_ns(NULL)};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(n.text, sizeof(n.text), fmt, ap);
    va_end(ap);
    str_copy(n.kind, sizeof(n.kind), kind);
    pthread_mutex_lock(&r->lock);
    if (r->nnotes == RUN_EVENTS) {
        memmove(r->note, r->note + 1, (RUN_EVENTS - 1) * sizeof(r->note[0]));
        r->nnotes--;
        r->lost_notes++;
    }
    r->note[r->nnotes++] = n;
    pthread_mutex_unlock(&r->lock);
}

void run_note_error(struct run *r, const struct run_job *j, const struct err *err)
{
    run_note(r, "error", "%s: %s", j->first.name, err->text);
}

void run_keep_error(struct run *r, const struct err *err)
{
    pthread_mutex_lock(&r->lock);
    if (!r->error.code)
        r->error = *err;
    pthread_mutex_unlock(&r->lock);
}

/* Every scheduled change against the version before it, so that a slip of the pen is said before the start. */
static int check_schedule(const struct run_opts *o, size_t job, struct err *err)
{
    struct job v = o->jobs[job];
    for (size_t i = 0; i < o->nat; i++) {
        const struct run_at *at = &o->at[i];
        struct err e = {0};
        char when[UNITS_TEXT];
        if (at->job != ORDER_ALL_JOBS && (size_t)at->job != job)
            continue;
        units_exact_time(at->at_ns, when);
        int rc = job_retune(&v, at->words, &v, &e);
        if (rc < 0)
            return err_set(err, rc, "at=%s %s: %s", when, at->words, e.text);
        if (i && o->at[i - 1].at_ns > at->at_ns)
            return err_set(err, -EINVAL, "at=%s: stands behind a later time", when);
    }
    return 0;
}

static void destroy(struct run *r)
{
    for (size_t i = 0; r->job && i < r->njobs; i++)
        run_release(&r->job[i]);
    counters_unmap(r->scratch, 1);
    task_table_fini(&r->tasks);
    if (r->fd >= 0)
        close(r->fd);
    pthread_cond_destroy(&r->wake);
    pthread_cond_destroy(&r->idle);
    pthread_mutex_destroy(&r->lock);
    free(r->job);
    free(r->at);
    free(r->view);
    free(r);
}

static struct run *build(const struct run_opts *o)
{
    struct run *r = calloc(1, sizeof(*r));
    if (!r)
        return NULL;
    pthread_mutex_init(&r->lock, NULL);
    thread_cond_init(&r->wake);
    thread_cond_init(&r->idle);
    r->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    r->policy = o->policy;
    r->job = calloc(o->njobs, sizeof(*r->job));
    r->view = calloc(o->njobs, sizeof(*r->view));
    r->at = calloc(o->nat + 1, sizeof(*r->at));
    r->scratch = counters_map(1);
    if (r->fd < 0 || !r->job || !r->view || !r->at || !r->scratch) {
        destroy(r);
        return NULL;
    }
    r->njobs = o->njobs;
    r->nat = o->nat;
    for (size_t i = 0; i < o->nat; i++)
        r->at[i] = o->at[i];
    for (size_t i = 0, clones = 0; i < o->njobs; i++) {
        r->job[i].cur = o->jobs[i];
        r->job[i].cur.seat.first_clone = (unsigned)clones;
        r->job[i].first = r->job[i].cur;
        clones += o->jobs[i].numjobs;
    }
    return r;
}

int run_new(const struct run_opts *opts, struct run **ret, struct err *err)
{
    if (!opts->njobs)
        return err_set(err, -EINVAL, "a run needs a job");
    for (size_t i = 0; i < opts->njobs; i++) {
        int rc = check_schedule(opts, i, err);
        if (rc < 0)
            return rc;
    }
    struct run *r = build(opts);
    if (!r)
        return err_set(err, -ENOMEM, "no memory for the run");
    int rc = run_order_plan(r, opts->jobs, err);
    if (rc < 0) {
        destroy(r);
        return rc;
    }
    rc = thread_start(&r->thread, "conductor", run_conduct, r);
    if (rc < 0) {
        destroy(r);
        return err_set(err, rc, "no thread for the run: %s", strerror(-rc));
    }
    *ret = r;
    return 0;
}

void run_post(struct run *r, const struct order *o)
{
    bool all = o->job == ORDER_ALL_JOBS || r->njobs == 1, full;
    pthread_mutex_lock(&r->lock);
    full = r->norders == RUN_ORDERS;
    if (!full)
        r->order[r->norders++] = *o;
    if (o->kind == ORDER_STOP && all)
        atomic_store(&r->cancel, true);
    if (o->kind == ORDER_START && !full)
        atomic_store(&r->cancel, false);
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&r->lock);
    if (full)
        run_note(r, "error", "too many orders wait; the last one is not done");
}

enum run_state run_state(const struct run *r)
{
    return (enum run_state)atomic_load(&r->state);
}

bool run_error(const struct run *r, struct err *err)
{
    struct run *m = (struct run *)r; /* to lock it */
    pthread_mutex_lock(&m->lock);
    bool have = r->error.code != 0;
    if (have && err)
        *err = r->error;
    pthread_mutex_unlock(&m->lock);
    return have;
}

int run_fd(const struct run *r)
{
    return r->fd;
}

void run_job(const struct run *r, size_t job, struct job *ret)
{
    struct run *m = (struct run *)r;
    pthread_mutex_lock(&m->lock);
    *ret = r->job[job].cur;
    pthread_mutex_unlock(&m->lock);
}

size_t run_njobs(const struct run *r)
{
    return r->njobs;
}

size_t run_stuck(const struct run *r)
{
    struct run *m = (struct run *)r;
    size_t n = 0;
    pthread_mutex_lock(&m->lock);
    for (size_t i = 0; i < r->njobs; i++)
        if (r->job[i].clock.stop_ns)
            n += r->job[i].nclones;
    pthread_mutex_unlock(&m->lock);
    return n;
}

/* The conductor has gone; what it could not end is left behind with all that it uses. */
static bool leave_stuck(struct run *r)
{
    size_t stuck = 0;
    for (size_t i = 0; i < r->njobs; i++)
        for (size_t k = 0; k < r->job[i].nclones; k++, stuck++)
            worker_free(r->job[i].clone[k].w);
    return stuck > 0;
}

bool run_free(struct run *r, uint64_t wait_ns)
{
    if (!r)
        return true;
    pthread_mutex_lock(&r->lock);
    r->quit = true;
    r->quit_ns = clock_now_ns() + wait_ns;
    atomic_store(&r->cancel, true);
    pthread_cond_signal(&r->wake);
    /* A little more than the conductor gives its workers. */
    while (!r->gone && thread_cond_wait_until(&r->idle, &r->lock, r->quit_ns + 50 * NSEC_PER_MSEC) == 0)
        ;
    bool gone = r->gone;
    pthread_mutex_unlock(&r->lock);
    if (!gone) {
        pthread_detach(r->thread);
        return false;
    }
    pthread_join(r->thread, NULL);
    if (leave_stuck(r))
        return false;
    destroy(r);
    return true;
}
