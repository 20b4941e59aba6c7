/* run_conduct: the thread that conducts a run: orders, the schedule, ticks, and the state that all see.
 * What an order does to one job is in run_start.c, run_tune.c and run_job.c. */
#include <errno.h>
#include <string.h>

#include "core/clock.h"
#include "core/str.h"
#include "core/thread.h"
#include "core/units.h"
#include "engine/run_priv.h"

#define TICK_NS (50 * NSEC_PER_MSEC)
#define TICK_SOON_NS (5 * NSEC_PER_MSEC) /* at the start of a job */
#define TICK_PART 16                     /* of what a job has run: a short one's end is seen soon, too */
#define TICK_FAST_NS (1 * NSEC_PER_MSEC) /* while workers end or take a new version */
#define FAST_FOR_NS NSEC_PER_SEC         /* what takes longer hangs: no hurry any more */
#define TASKS_NS (500 * NSEC_PER_MSEC)

static bool any_clones(const struct run *r)
{
    for (size_t i = 0; i < r->njobs; i++)
        if (r->job[i].nclones)
            return true;
    return false;
}

static void each_job(struct run *r, const struct order *o, void (*fn)(struct run *, struct run_job *, uint64_t))
{
    uint64_t now = clock_now_ns();
    for (size_t i = 0; i < r->njobs; i++)
        if (o->job == ORDER_ALL_JOBS || (size_t)o->job == i)
            fn(r, &r->job[i], now);
}

static void pause_one(struct run *r, struct run_job *j, uint64_t now)
{
    job_pause(r, j, true, now);
}

/* While a writer paused, somebody else may have begun to use its targets. */
static void resume_one(struct run *r, struct run_job *j, uint64_t now)
{
    struct err e = {0};
    bool paused = j->clock.paused_since && !j->clock.stop_ns && j->set;
    if (paused && targets_check_again(&j->set->t, &j->cur, &e) < 0)
        run_note_error(r, j, &e);
    else
        job_pause(r, j, false, now);
}

static const struct order everyone = {.kind = ORDER_STOP, .job = ORDER_ALL_JOBS};

/* Jobs that never passed the gate end with the run. */
static void end_unstarted(struct run *r, bool refused)
{
    pthread_mutex_lock(&r->lock);
    for (size_t i = 0; i < r->njobs; i++)
        if (!r->job[i].clock.gate_ns && !r->job[i].failed)
            r->job[i].state = refused ? LOAD_FAILED : LOAD_DONE;
    pthread_mutex_unlock(&r->lock);
}

/* A start that came to nothing: workers that wait at the gate end; a stop is no error. */
static void give_up(struct run *r, const struct err *err)
{
    pthread_mutex_lock(&r->lock);
    r->refused = err->code != -ECANCELED;
    r->active = true; /* until the workers have gone */
    pthread_mutex_unlock(&r->lock);
    each_job(r, &everyone, job_stop);
    if (err->code == -ECANCELED) {
        run_note(r, "state", "%s", err->text);
        return;
    }
    run_keep_error(r, err);
    run_note(r, "error", "%s", err->text);
}

static void prepare(struct run *r)
{
    struct err err = {0};
    run_set_state(r, RUN_PREPARING);
    int rc = run_prepare(r, &err);
    if (rc < 0) {
        run_keep_error(r, &err);
        run_note(r, "error", "%s", err.text);
        end_unstarted(r, true);
    }
    run_set_state(r, rc < 0 ? RUN_REFUSED : RUN_READY);
}

/* What all see, from what the jobs do. */
static enum run_state overall(const struct run *r)
{
    size_t stopping = 0, paused = 0, ramp = 0, n = 0;
    for (size_t i = 0; i < r->njobs; i++) {
        const struct run_job *j = &r->job[i];
        if (!j->nclones)
            continue;
        n++;
        stopping += j->clock.stop_ns != 0;
        paused += j->clock.paused_since != 0;
        ramp += !j->clock.measuring;
    }
    if (!n && run_waits(r))
        return RUN_RUNNING;
    if (!n)
        return r->refused ? RUN_REFUSED : RUN_DONE;
    return stopping == n ? RUN_STOPPING : paused == n ? RUN_PAUSED : ramp == n ? RUN_RAMP : RUN_RUNNING;
}

/* Asked twice, it runs already: a key pressed before the screen could show that is no error. */
static void start(struct run *r)
{
    struct err err = {0};
    if (any_clones(r) || r->active) {
        if (overall(r) == RUN_STOPPING)
            run_note(r, "error", "the run has not ended yet");
        return;
    }
    run_set_state(r, RUN_PREPARING);
    if (run_start(r, &err) < 0)
        give_up(r, &err);
    each_job(r, &everyone, job_tick);
}

static void obey(struct run *r, const struct order *o)
{
    switch (o->kind) {
    case ORDER_START:
        start(r);
        break;
    case ORDER_STOP:
    case ORDER_QUIT:
        each_job(r, o, job_stop);
        break;
    case ORDER_PAUSE:
        each_job(r, o, pause_one);
        break;
    case ORDER_RESUME:
        each_job(r, o, resume_one);
        break;
    case ORDER_RETUNE:
        run_retune(r, o, clock_now_ns());
        break;
    default:
        break;
    }
}

static bool take_order(struct run *r, struct order *ret)
{
    pthread_mutex_lock(&r->lock);
    bool have = r->norders > 0;
    if (have) {
        *ret = r->order[0];
        memmove(r->order, r->order + 1, --r->norders * sizeof(r->order[0]));
    }
    pthread_mutex_unlock(&r->lock);
    return have;
}

static void run_schedule(struct run *r)
{
    while (r->active && !r->refused && r->at_next < r->nat) {
        const struct run_at *at = &r->at[r->at_next];
        uint64_t now = clock_now_ns();
        if (!any_clones(r) || r->gate_ns + at->at_ns > now)
            return;
        struct order o = {.kind = ORDER_RETUNE, .job = at->job};
        str_copy(o.text, sizeof(o.text), at->words);
        r->at_next++;
        run_retune(r, &o, now);
    }
}

/* A change that was asked for and never came would be missed in silence; but whoever stops the run knows. */
static void miss_schedule(struct run *r, enum run_state s)
{
    char when[UNITS_TEXT];
    for (; s == RUN_DONE && !r->cancel && !r->error.code && r->at_next < r->nat; r->at_next++) {
        units_exact_time(r->at[r->at_next].at_ns, when);
        run_note(r, "warning", "at=%s %s: the run ended before", when, r->at[r->at_next].words);
    }
}

/* Jobs that waited for others. What cannot begin has failed, and the rest goes on. */
static void begin_ready(struct run *r)
{
    struct err err = {0};
    if (r->refused || atomic_load(&r->cancel) || run_begin_ready(r, &err) == 0)
        return;
    for (size_t i = 0; i < r->njobs; i++) {
        struct run_job *j = &r->job[i];
        if (j->phase != PHASE_BEGINS)
            continue;
        job_stop(r, j, clock_now_ns());
        j->phase = j->nclones ? PHASE_BEGINS : PHASE_OVER;
        pthread_mutex_lock(&r->lock);
        j->failed = err.code != -ECANCELED;
        j->error = j->failed ? err : j->error;
        j->state = j->failed ? LOAD_FAILED : LOAD_DONE;
        pthread_mutex_unlock(&r->lock);
    }
    if (err.code == -ECANCELED)
        return;
    run_keep_error(r, &err);
    run_note(r, "error", "%s", err.text);
}

static void tick(struct run *r)
{
    if (!r->active)
        return;
    uint64_t now = clock_now_ns();
    if (now - r->tasks_ns >= TASKS_NS)
        run_read_tasks(r);
    for (size_t i = 0; i < r->njobs; i++)
        job_tick(r, &r->job[i], clock_now_ns());
    run_follow_ends(r, now);
    begin_ready(r);
    enum run_state s = overall(r);
    if (s == RUN_DONE || s == RUN_REFUSED) {
        end_unstarted(r, s == RUN_REFUSED);
        miss_schedule(r, s);
        pthread_mutex_lock(&r->lock);
        r->active = false;
        pthread_mutex_unlock(&r->lock);
    }
    run_set_state(r, s);
}

static bool hurry(const struct run *r, const struct run_job *j, uint64_t now)
{
    const struct job_clock *c = &j->clock;
    if (!j->nclones)
        return false;
    if (c->stop_ns && now - c->stop_ns < FAST_FOR_NS)
        return true;
    if (j->ntunes == j->napplied)
        return false;
    return now - r->gate_ns - j->tune[j->ntunes - 1].said.at_ns < FAST_FOR_NS;
}

/* How long nobody need look at a job: what has its time is waited for exactly, orders wake us; left are stalls and
 * workers that end by themselves. */
static uint64_t patience_ns(const struct run *r, const struct run_job *j, uint64_t now)
{
    if (hurry(r, j, now))
        return TICK_FAST_NS;
    if (!j->nclones || !j->clock.gate_ns)
        return TICK_NS;
    uint64_t part = (now - j->clock.gate_ns) / TICK_PART;
    return part < TICK_SOON_NS ? TICK_SOON_NS : part > TICK_NS ? TICK_NS : part;
}

static uint64_t next_ns(const struct run *r)
{
    uint64_t now = clock_now_ns(), next = now + TICK_NS;
    if (!r->active)
        return UINT64_MAX;
    for (size_t i = 0; i < r->njobs; i++) {
        uint64_t at = job_next_ns(&r->job[i], now), look = now + patience_ns(r, &r->job[i], now);
        at = look < at ? look : at;
        at = run_begins_ns(&r->job[i]) < at ? run_begins_ns(&r->job[i]) : at;
        next = at < next ? at : next;
    }
    if (r->at_next < r->nat && r->gate_ns + r->at[r->at_next].at_ns < next)
        next = r->gate_ns + r->at[r->at_next].at_ns;
    return next;
}

static void wait_for_work(struct run *r)
{
    uint64_t next = next_ns(r);
    pthread_mutex_lock(&r->lock);
    while (!r->norders && !r->quit && next == UINT64_MAX)
        pthread_cond_wait(&r->wake, &r->lock);
    while (!r->norders && next != UINT64_MAX && thread_cond_wait_until(&r->wake, &r->lock, next) == 0 && !r->quit)
        ;
    pthread_mutex_unlock(&r->lock);
}

/* run_free was called: everything ends, or is left at the deadline. */
static bool leaving(struct run *r)
{
    pthread_mutex_lock(&r->lock);
    bool quit = r->quit;
    uint64_t deadline = r->quit_ns;
    pthread_mutex_unlock(&r->lock);
    if (!quit)
        return false;
    each_job(r, &everyone, job_stop);
    return !any_clones(r) || clock_now_ns() >= deadline;
}

void *run_conduct(void *arg)
{
    struct run *r = arg;
    struct order o;
    prepare(r);
    while (!leaving(r)) {
        while (take_order(r, &o))
            obey(r, &o);
        run_schedule(r);
        tick(r);
        wait_for_work(r);
    }
    pthread_mutex_lock(&r->lock);
    r->gone = true;
    pthread_cond_broadcast(&r->idle);
    pthread_mutex_unlock(&r->lock);
    return NULL;
}
