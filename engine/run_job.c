/* run_job: one job of a run: its clones, its clock, its ramp, its end, its stalls.
 * Runs on the conductor and never blocks; knows no orders. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/str.h"
#include "engine/run_priv.h"

#define STALL_NS NSEC_PER_SEC

static uint64_t running_ns(const struct job_clock *c, uint64_t now)
{
    if (!c->gate_ns)
        return 0;
    if (c->end_ns && c->end_ns < now)
        now = c->end_ns;
    if (c->paused_since && c->paused_since < now)
        now = c->paused_since;
    uint64_t since = now > c->gate_ns ? now - c->gate_ns : 0;
    return since > c->paused_ns ? since - c->paused_ns : 0;
}

uint64_t clock_measured_ns(const struct job_clock *c, uint64_t now)
{
    if (!c->measuring)
        return 0;
    if (!c->end_ns && c->stop_ns && c->stop_ns < now)
        now = c->stop_ns; /* it only drains */
    if (c->load_ns && c->load_ns < now)
        now = c->load_ns;
    uint64_t ns = running_ns(c, now);
    return ns > c->ramp_ns ? ns - c->ramp_ns : 0;
}

void job_set_state(struct run *r, struct run_job *j, enum frame_load_state s)
{
    pthread_mutex_lock(&r->lock);
    j->state = s;
    pthread_mutex_unlock(&r->lock);
}

int job_add_clone(struct run *r, struct run_job *j, unsigned index, struct err *err)
{
    struct clone c = {.index = index, .since = j->version};
    if (j->nclones == RUN_CLONES)
        return err_set(err, -EBUSY, "too many clones are still ending");
    int rc = worker_new(&j->cur, index, &j->set->t, &c.w, err);
    if (rc < 0)
        return rc;
    pthread_mutex_lock(&r->lock);
    j->clone[j->nclones++] = c;
    pthread_mutex_unlock(&r->lock);
    run_row_open(r, j, index, clock_now_ns());
    return 0;
}

void job_stop(struct run *r, struct run_job *j, uint64_t now)
{
    if (r->active && !j->nclones && j->phase == PHASE_WAITS) { /* it does not begin any more */
        j->phase = PHASE_OVER;
        job_set_state(r, j, LOAD_DONE);
    }
    if (j->clock.stop_ns || !j->nclones)
        return;
    run_read_tasks(r); /* helpers end with their workers */
    pthread_mutex_lock(&r->lock);
    j->clock.stop_ns = now;
    j->state = LOAD_STOPPING;
    pthread_mutex_unlock(&r->lock);
    for (size_t i = 0; i < j->nclones; i++)
        worker_stop(j->clone[i].w);
}

void job_pause(struct run *r, struct run_job *j, bool pause, uint64_t now)
{
    struct job_clock *c = &j->clock;
    if (!c->gate_ns || c->stop_ns || c->end_ns || pause == (c->paused_since != 0))
        return;
    pthread_mutex_lock(&r->lock);
    if (pause)
        c->paused_since = now;
    else {
        c->paused_ns += now - c->paused_since;
        c->paused_since = 0;
    }
    j->state = pause ? LOAD_PAUSED : c->measuring ? LOAD_RUNNING : LOAD_RAMP;
    j->flow_ns = now;
    pthread_mutex_unlock(&r->lock);
    for (size_t i = 0; i < j->nclones; i++)
        worker_pause(j->clone[i].w, pause);
    run_note(r, "state", "%s: %s", j->cur.name, pause ? "paused" : "resumed");
}

/* The first error of a job ends it; the other jobs go on. */
void job_fail(struct run *r, struct run_job *j, const struct err *e)
{
    pthread_mutex_lock(&r->lock);
    bool first = !j->failed;
    j->failed = true;
    if (first)
        j->error = *e;
    pthread_mutex_unlock(&r->lock);
    if (!first)
        return;
    run_keep_error(r, e);
    run_note_error(r, j, e);
}

static void take_error(struct run *r, struct run_job *j, struct worker *w)
{
    struct err e = {0};
    if (!j->tolerated.code && worker_tolerated(w, &e)) {
        pthread_mutex_lock(&r->lock);
        j->tolerated = e;
        pthread_mutex_unlock(&r->lock);
    }
    if (worker_error(w, &e) < 0)
        job_fail(r, j, &e);
}

/* Moves an ended clone into the retired sum: its numbers are in exactly one place at any time. */
static void retire(struct run *r, struct run_job *j, size_t i)
{
    struct worker *w = j->clone[i].w;
    struct worker_usage u = {0};
    uint64_t progress = worker_progress_ns(w);
    worker_usage(w, &u);
    take_error(r, j, w);
    j->ends |= !j->clone[i].leaves && !j->clock.stop_ns;
    run_exclusive(r);
    for (size_t t = 0; t < j->ntargets; t++)
        if (worker_counters(w, t))
            counters_add(&j->retired[t], worker_counters(w, t));
    j->used.user_ns += u.user_ns;
    j->used.system_ns += u.system_ns;
    j->used.ctx += u.nvcsw + u.nivcsw;
    j->used.minflt += u.minflt;
    j->used.majflt += u.majflt;
    j->row[j->clone[i].index].helper_ns += run_retire_helpers(r, j, w);
    j->progress_ns = progress > j->progress_ns ? progress : j->progress_ns;
    run_row_close(j, &j->clone[i]);
    j->clone[i] = j->clone[--j->nclones];
    pthread_mutex_unlock(&r->lock);
    run_book_helpers(r, j);
    worker_free(w);
}

static bool sum_base(struct run *r, struct run_job *j, struct counters *base, struct task_usage *used)
{
    if (!run_row_bases(r, j, &base[j->ntargets + 1]))
        return false;
    for (unsigned i = 0; i < j->nrows; i++)
        for (size_t t = 0; t < j->row[i].nrows; t++)
            counters_add(&base[j->row[i].row0 + t], &j->row[i].base[t]);
    for (size_t t = 0; t < j->ntargets; t++)
        counters_add(&base[j->ntargets], &base[t]);
    *used = j->used;
    for (size_t i = 0; i < j->nclones; i++)
        task_usage_add(worker_tid(j->clone[i].w), used);
    return true;
}

/* The ramp is over: what was done so far is taken off from now on. */
static void begin_measured(struct run *r, struct run_job *j)
{
    struct task_usage used;
    struct counters *base = counters_map(j->ntargets + 2); /* the last one for scratch */
    uint64_t now = clock_now_ns();
    if (!base)
        return; /* tried again at the next tick */
    run_read_tasks(r);
    if (!sum_base(r, j, base, &used)) {
        counters_unmap(base, j->ntargets + 2);
        return;
    }
    run_exclusive(r);
    run_marks_begin(j);
    run_log_begin(j);
    j->base = base;
    j->used_base = used;
    j->helper_base_ns = j->helper_ns;
    j->clock.ramp_ns = running_ns(&j->clock, now);
    j->clock.measuring = true;
    if (j->state == LOAD_RAMP)
        j->state = LOAD_RUNNING;
    pthread_mutex_unlock(&r->lock);
    run_note(r, "state", "%s: ramp is over, measuring", j->cur.name);
}

/* Files that this run made; the descriptors are closed later. */
static void unlink_made(struct run *r, struct run_job *j)
{
    size_t kept = 0;
    for (struct target_set *s = j->set; s && j->cur.prep.unlink; s = s->older)
        kept = targets_unlink(&s->t); /* the oldest counts: it made them */
    if (j->cur.prep.unlink)
        r->prepared = false; /* the next start makes them anew */
    if (kept)
        run_note(r, "warning", "%s: unlink: %zu files that existed before are kept", j->cur.name, kept);
}

static void finish(struct run *r, struct run_job *j, uint64_t now)
{
    unlink_made(r, j);
    uint64_t end = j->progress_ns > j->clock.stop_ns ? j->progress_ns : j->clock.stop_ns;
    if (!end || end > now)
        end = now;
    run_exclusive(r);
    j->clock.end_ns = end;
    j->state = j->failed ? LOAD_FAILED : LOAD_DONE;
    j->stalled_ns = 0;
    pthread_mutex_unlock(&r->lock);
    run_marks_sample(r, j, now, true);
    run_log_tick(r, j, now, true);
    run_note(r, "state", "%s: %s", j->cur.name, j->failed ? "failed" : "done");
    if (j->tolerated.code)
        run_note(r, "warning", "%.63s: went on after errors; the first: %.400s", j->cur.name, j->tolerated.text);
    if (!j->clock.measuring && !j->failed && !j->clock.stop_ns)
        run_note(r, "warning", "%s: its data ended within ramp_time: nothing was measured", j->cur.name);
}

static void watch_flow(struct run *r, struct run_job *j, uint64_t now)
{
    uint64_t flow = j->flow_ns;
    unsigned inflight = 0;
    for (size_t i = 0; i < j->nclones; i++) {
        uint64_t p = worker_progress_ns(j->clone[i].w);
        flow = p > flow ? p : flow;
        inflight += worker_inflight(j->clone[i].w);
    }
    uint64_t since = flow < now && inflight ? now - flow : 0, before = j->stalled_ns;
    pthread_mutex_lock(&r->lock);
    j->flow_ns = inflight ? flow : now;
    j->stalled_ns = since >= STALL_NS ? since : 0;
    pthread_mutex_unlock(&r->lock);
    if (j->stalled_ns && !before)
        run_note(r, "stall", "%s: stalled: nothing completed for %.1f s, %u in flight", j->cur.name,
                 (double)since / 1e9, inflight);
    else if (!j->stalled_ns && before)
        run_note(r, "stall", "%s: flows again after %.1f s", j->cur.name, (double)before / 1e9);
}

void job_tick(struct run *r, struct run_job *j, uint64_t now)
{
    struct job_clock *c = &j->clock;
    bool made = j->cur.prep.only && c->gate_ns && !c->end_ns; /* there is nothing more to do */
    if (!j->nclones && !made)
        return;
    watch_flow(r, j, now);
    job_verify_tick(r, j, now);
    run_marks_look(j);
    run_marks_sample(r, j, now, false);
    run_log_tick(r, j, now, false);
    run_steady_tick(r, j, now);
    run_min_tick(r, j, now);
    if (c->gate_ns && !c->measuring && !c->stop_ns && running_ns(c, now) >= j->cur.ramp_time_ns)
        begin_measured(r, j);
    if (c->gate_ns && j->cur.runtime_ns && c->measuring && !c->load_ns && clock_measured_ns(c, now) >= j->cur.runtime_ns) {
        j->ends = true;
        job_end_load(r, j, now);
    }
    for (size_t i = j->nclones; i-- > 0;)
        if (worker_state(j->clone[i].w) == WORKER_ENDED)
            retire(r, j, i);
    if (j->failed)
        job_stop(r, j, now);
    if (j->ntunes > j->napplied)
        job_tuned(r, j, now);
    if (!j->nclones)
        j->phase = PHASE_OVER;
    if (!j->nclones && c->gate_ns)
        finish(r, j, clock_now_ns());
}

uint64_t job_next_ns(const struct run_job *j, uint64_t now)
{
    const struct job_clock *c = &j->clock;
    if (!j->nclones || !c->gate_ns || c->stop_ns || c->load_ns || c->paused_since)
        return UINT64_MAX;
    uint64_t at = c->measuring ? clock_measured_ns(c, now) : running_ns(c, now);
    uint64_t goal = c->measuring ? j->cur.runtime_ns : j->cur.ramp_time_ns, mark = run_marks_next_ns(j), log = run_log_next_ns(j);
    uint64_t steady = run_steady_next_ns(j);
    mark = log < mark ? log : mark;
    mark = steady < mark ? steady : mark;
    if (c->measuring && (!goal || mark < goal))
        goal = mark;
    if (!goal)
        return UINT64_MAX;
    return at >= goal ? now : now + (goal - at);
}
