/* run_start: from prepared jobs to running workers: lay out, make them, open the gate; now or when their time comes.
 * Runs on the conductor, where it may block; ends nothing. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/thread.h"
#include "engine/run_priv.h"

/* A new start: counters, clocks and retunes begin at nothing; knobs stay where they were turned. */
static void begin_job(struct run_job *j)
{
    for (size_t t = 0; t < j->ntargets; t++)
        counters_clear(&j->retired[t]);
    counters_unmap(j->base, j->ntargets + 2);
    j->base = NULL;
    run_rows_clear(j);
    j->first = j->cur;
    j->version = j->ntunes = j->napplied = 0;
    j->set->last = 0;
    j->state = LOAD_READY;
    j->phase = PHASE_WAITS;
    j->ready_ns = 0;
    j->ends = j->followed = false;
    j->clock = (struct job_clock){0};
    j->failed = j->said_verify = false;
    j->error = j->tolerated = (struct err){0};
    j->stalled_ns = j->progress_ns = 0;
    j->used = j->used_base = (struct task_usage){0};
    j->helper_ns = j->helper_base_ns = j->helper_retired_ns = j->helper_read_ns = 0;
    j->helpers_pct = strcmp(j->cur.ioengine, "io_uring") ? 0 : NAN;
}

static void begin(struct run *r)
{
    task_table_fini(&r->tasks);
    r->tasks_ns = 0;
    r->at_next = 0;
    run_exclusive(r);
    r->error = (struct err){0};
    r->refused = false;
    for (size_t i = 0; i < r->njobs; i++)
        begin_job(&r->job[i]);
    r->serial++;
    pthread_mutex_unlock(&r->lock);
}

struct laying {
    struct run *r;
    struct run_job *j;
};

static void laid(double pct, void *arg)
{
    struct laying *l = arg;
    pthread_mutex_lock(&l->r->lock);
    l->j->layout_pct = pct;
    pthread_mutex_unlock(&l->r->lock);
}

bool job_unlaid(const struct run_job *j)
{
    for (size_t i = 0; i < j->set->t.n; i++)
        if (j->set->t.t[i].layout_fd >= 0)
            return true;
    return false;
}

static int lay_out(struct run *r, struct err *err)
{
    for (size_t i = 0; i < r->njobs; i++) {
        struct run_job *j = &r->job[i];
        struct laying l = {r, j};
        struct err e = {0};
        if (!job_unlaid(j))
            continue;
        laid(0, &l);
        job_set_state(r, j, LOAD_LAYOUT);
        run_set_state(r, RUN_LAYOUT);
        run_note(r, "state", "%s: laying out %s", j->cur.name, job_where(&j->cur));
        int rc = targets_layout(&j->set->t, &r->cancel, laid, &l, &e);
        job_set_state(r, j, LOAD_READY);
        if (rc < 0)
            return run_whose(r, j, &e, err);
    }
    return 0;
}

static int before_start(struct run *r, struct run_job *j, struct err *err)
{
    if (j->cur.prep.read) {
        run_note(r, "state", "%s: reading %s into the page cache", j->cur.name, job_where(&j->cur));
        return targets_pre_read(&j->set->t, &r->cancel, err);
    }
    if (j->cur.invalidate)
        targets_invalidate(&j->set->t);
    return 0;
}

static int add_workers(struct run *r, struct err *err)
{
    struct err e = {0};
    for (size_t i = 0; i < r->njobs; i++) {
        struct run_job *j = &r->job[i];
        if (j->phase != PHASE_BEGINS)
            continue;
        if (j->cur.prep.only)
            continue;
        int got = before_start(r, j, &e);
        if (got < 0)
            return run_whose(r, j, &e, err);
        for (unsigned k = 0; k < j->cur.numjobs; k++) {
            int rc = job_add_clone(r, j, k, &e);
            if (rc < 0)
                return run_whose(r, j, &e, err);
        }
    }
    return 0;
}

/* 1 = all stand at the gate, 0 = not yet, or the error of one that could not. */
static int at_gate(struct run *r, struct err *err)
{
    for (size_t i = 0; i < r->njobs; i++)
        for (size_t k = 0; r->job[i].phase == PHASE_BEGINS && k < r->job[i].nclones; k++) {
            struct worker *w = r->job[i].clone[k].w;
            struct err e = {0};
            enum worker_state s = worker_state(w);
            if (s == WORKER_ENDED && worker_error(w, &e) != 0)
                return run_whose(r, &r->job[i], &e, err);
            if (s == WORKER_STARTING)
                return 0;
        }
    return 1;
}

static int wait_at_gate(struct run *r, struct err *err)
{
    int rc;
    while ((rc = at_gate(r, err)) == 0) {
        if (atomic_load(&r->cancel))
            return err_set(err, -ECANCELED, "stopped before the start");
        pthread_mutex_lock(&r->lock);
        thread_cond_wait_until(&r->wake, &r->lock, clock_now_ns() + NSEC_PER_MSEC);
        pthread_mutex_unlock(&r->lock);
    }
    return rc < 0 ? rc : 0;
}

static void open_gate(struct run *r)
{
    uint64_t now = clock_now_ns();
    pthread_mutex_lock(&r->lock);
    r->gate_ns = r->active ? r->gate_ns : now;
    for (size_t i = 0; i < r->njobs; i++) {
        struct run_job *j = &r->job[i];
        if (j->phase != PHASE_BEGINS)
            continue;
        j->clock.gate_ns = j->flow_ns = now;
        j->clock.measuring = !j->cur.ramp_time_ns;
        j->state = j->cur.ramp_time_ns ? LOAD_RAMP : LOAD_RUNNING;
    }
    r->active = true;
    pthread_mutex_unlock(&r->lock);
    for (size_t i = 0; i < r->njobs; i++) {
        struct run_job *j = &r->job[i];
        for (size_t k = 0; j->phase == PHASE_BEGINS && k < j->nclones; k++)
            worker_go(j->clone[k].w);
        if (j->phase == PHASE_BEGINS)
            run_note(r, "state", "%s: started", j->cur.name);
        j->phase = j->phase == PHASE_BEGINS ? PHASE_RUNS : j->phase;
    }
}

/* Prepared, or stopped, a while ago: somebody else may have begun to use the targets. */
static int ask_again(struct run *r, struct err *err)
{
    struct err e = {0};
    for (size_t i = 0; i < r->njobs; i++)
        if (targets_check_again(&r->job[i].set->t, &r->job[i].cur, &e) < 0)
            return run_whose(r, &r->job[i], &e, err);
    return 0;
}

static bool choose(struct run *r)
{
    bool any = false;
    for (size_t i = 0; i < r->njobs; i++)
        if (run_may_begin(r, i)) {
            r->job[i].phase = PHASE_BEGINS;
            any = true;
        }
    return any;
}

static int begin_chosen(struct run *r, struct err *err)
{
    int rc = add_workers(r, err);
    if (rc == 0)
        rc = wait_at_gate(r, err);
    if (rc == 0)
        open_gate(r);
    return rc;
}

int run_start(struct run *r, struct err *err)
{
    int rc = r->prepared ? ask_again(r, err) : run_prepare(r, err);
    if (rc < 0)
        return rc;
    begin(r);
    rc = lay_out(r, err);
    if (rc < 0) {
        r->prepared = false; /* files may have gone: the next start opens them anew */
        return rc;
    }
    choose(r);
    return begin_chosen(r, err);
}

/* It has waited for others: the targets are asked once more, and it is as it was turned meanwhile. */
static int choose_again(struct run *r, struct err *err)
{
    struct err e = {0};
    for (size_t i = 0; i < r->njobs; i++) {
        struct run_job *j = &r->job[i];
        if (j->phase != PHASE_BEGINS)
            continue;
        if (targets_check_again(&j->set->t, &j->cur, &e) < 0)
            return run_whose(r, j, &e, err);
        pthread_mutex_lock(&r->lock);
        j->first = j->cur;
        pthread_mutex_unlock(&r->lock);
    }
    return 0;
}

int run_begin_ready(struct run *r, struct err *err)
{
    if (!choose(r))
        return 0;
    int rc = choose_again(r, err);
    return rc < 0 ? rc : begin_chosen(r, err);
}
