/* overview_act: what the keys mean here: orders to the load, and what is shown.
 * Carries nothing out: an order is a value. */
#include "tui/screens/overview.h"

#include <string.h>

#include "core/str.h"
#include "engine/backend.h"

/* Frames for which the state's own version of the job counts: the run takes an order only after act() returned. */
#define HOLD_FRAMES 2

static void read_job(struct overview *o)
{
    if (!o->env.job || o->job_at >= o->env.njobs)
        return;
    o->env.job(o->env.arg, o->job_at, &o->job);
    o->have_job = true;
}

void overview_job_update(struct overview *o)
{
    if (o->hold > 0)
        o->hold--;
    else
        read_job(o);
}

/* The words as an order; the screen shows them at once, the next frames tell what became of it. */
static void retune(struct overview *o, const char *words, struct order *ret)
{
    struct job next;
    *ret = (struct order){.kind = ORDER_RETUNE, .job = (int)o->job_at};
    str_copy(ret->text, sizeof ret->text, words);
    if (job_retune(&o->job, words, &next, NULL) == 0) {
        o->job = next;
        o->hold = HOLD_FRAMES;
    }
}

/* A key that does nothing says why. */
static void say_no_step(struct overview *o, const char *field, int dir)
{
    const struct backend *b = backend_find(o->job.ioengine);
    const struct job_field *rw = job_field_find("rw");
    char text[OVERVIEW_EVENT_TEXT], word[32];
    if (strcmp(field, "iodepth") == 0 && b && b->sync)
        str_format(text, sizeof text, "depth stays 1: %s takes one request at a time", b->name);
    else if (strcmp(field, "rwmixread") == 0 && !(job_reads(&o->job) && job_writes(&o->job)) && rw) {
        job_get(&o->job, rw, word, sizeof word);
        str_format(text, sizeof text, "mix is for rw and randrw; this job is %s", word);
    } else
        str_format(text, sizeof text, "%s is at its %s", field, dir > 0 ? "highest" : "lowest");
    overview_events_say(o, ROLE_WARN, text);
}

static void step(struct overview *o, const char *field, int dir, struct order *ret)
{
    char words[ORDER_TEXT];
    if (o->hold == 0)
        read_job(o);
    if (!o->have_job)
        return;
    if (job_step(&o->job, field, dir, words, sizeof words))
        retune(o, words, ret);
    else
        say_no_step(o, field, dir);
}

/* Sequential or random, never from reading to writing. */
static void next_pattern(struct overview *o, struct order *ret)
{
    static const enum job_rw other[] = {
        [JOB_READ] = JOB_RANDREAD,   [JOB_RANDREAD] = JOB_READ, [JOB_WRITE] = JOB_RANDWRITE,
        [JOB_RANDWRITE] = JOB_WRITE, [JOB_TRIM] = JOB_RANDTRIM, [JOB_RANDTRIM] = JOB_TRIM,
        [JOB_RW] = JOB_RANDRW,       [JOB_RANDRW] = JOB_RW,
        [JOB_TRIMWRITE] = JOB_RANDTRIMWRITE, [JOB_RANDTRIMWRITE] = JOB_TRIMWRITE,
    };
    const struct job_field *f = job_field_find("rw");
    char value[32], words[ORDER_TEXT];
    if (o->hold == 0)
        read_job(o);
    if (!o->have_job || !f)
        return;
    struct job next = o->job;
    next.rw = other[o->job.rw];
    next.rw_nr = 0; /* bytes for the one, requests for the other */
    job_get(&next, f, value, sizeof value);
    str_format(words, sizeof words, "rw=%s", value);
    retune(o, words, ret);
}

/* Along the knobs of this job, then to the next job's. */
static void choose_knob(struct overview *o, int dir)
{
    int jobs = o->env.njobs > 0 ? (int)o->env.njobs : 1, all = jobs * overview_nknobs;
    int at = (int)o->job_at * overview_nknobs + o->knob;
    do {
        at = (at + dir + all) % all;
        size_t job = (size_t)(at / overview_nknobs);
        if (job != o->job_at) {
            o->job_at = job;
            o->hold = 0;
            read_job(o);
        }
        o->knob = at % overview_nknobs;
    } while (!overview_knob_usable(o, o->knob));
}

static bool at_rest(enum frame_load_state s)
{
    return s == LOAD_READY || s == LOAD_DONE || s == LOAD_FAILED;
}

/* Orders go to all jobs: one that has ended, or waits for others, stands for those that run. */
static enum frame_load_state load_state(const struct overview *o)
{
    const struct frame_load *l = overview_load(o);
    enum frame_load_state s = l ? l->state : LOAD_READY;
    for (size_t i = 0; l && at_rest(s) && i < o->frame->nload; i++)
        if (!at_rest(o->frame->load[i].state))
            s = o->frame->load[i].state;
    return s;
}

static void control(struct overview *o, enum action a, struct order *ret)
{
    enum frame_load_state s = load_state(o);
    bool ended = at_rest(s);
    ret->job = ORDER_ALL_JOBS;
    if (a == ACT_START) {
        o->failed = 0; /* should it fail again, that is said again */
        ret->kind = ended ? ORDER_START : s == LOAD_PAUSED ? ORDER_RESUME : ORDER_NONE;
    } else if (a == ACT_STOP)
        ret->kind = ended || s == LOAD_STOPPING ? ORDER_NONE : ORDER_STOP;
    else if (s == LOAD_PAUSED)
        ret->kind = ORDER_RESUME;
    else
        ret->kind = ended || s == LOAD_STOPPING || s == LOAD_LAYOUT ? ORDER_NONE : ORDER_PAUSE;
}

/* The histogram: of the interval, since the start; in a mixed job then the same of the other direction. */
static void next_histogram(struct overview *o)
{
    o->since = !o->since;
    if (!o->since)
        o->other_direction = !o->other_direction;
}

static const struct {
    enum action action;
    const char *field;
    int dir;
} steps[] = {
    {ACT_DEPTH_UP, "iodepth", 1},   {ACT_DEPTH_DOWN, "iodepth", -1},  {ACT_BS_UP, "bs", 1},
    {ACT_BS_DOWN, "bs", -1},        {ACT_MIX_UP, "rwmixread", 1},     {ACT_MIX_DOWN, "rwmixread", -1},
    {ACT_RATE_UP, "rate_iops", 1},  {ACT_RATE_DOWN, "rate_iops", -1}, {ACT_JOBS_UP, "numjobs", 1},
    {ACT_JOBS_DOWN, "numjobs", -1},
};

static bool act_on_load(struct overview *o, enum action a, struct order *ret)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i].action == a) {
            step(o, steps[i].field, steps[i].dir, ret);
            return true;
        }
    switch (a) {
    case ACT_START:
    case ACT_STOP:
    case ACT_PAUSE:
        if (o->env.njobs > 0)
            control(o, a, ret);
        return true;
    case ACT_PATTERN:
        next_pattern(o, ret);
        return true;
    case ACT_KNOB_UP:
    case ACT_KNOB_DOWN:
        step(o, overview_knob_table[o->knob].field, a == ACT_KNOB_UP ? 1 : -1, ret);
        return true;
    default:
        return false;
    }
}

static bool act_on_view(struct overview *o, enum action a)
{
    switch (a) {
    case ACT_KNOB_PREV:
    case ACT_KNOB_NEXT:
        choose_knob(o, a == ACT_KNOB_NEXT ? 1 : -1);
        return true;
    case ACT_DEVICE_UP:
    case ACT_DEVICE_DOWN:
        overview_rows_select(o, a == ACT_DEVICE_DOWN ? 1 : -1);
        return true;
    case ACT_ZOOM_IN:
    case ACT_ZOOM_OUT:
        overview_zoom(o, a == ACT_ZOOM_OUT ? 1 : -1);
        return true;
    case ACT_TREE:
        o->flat = !o->flat;
        overview_rows_sort(o);
        return true;
    case ACT_SORT:
        o->sort = (o->sort + 1) % SORTS;
        overview_rows_sort(o);
        return true;
    case ACT_SINCE:
        next_histogram(o);
        return true;
    default:
        return false;
    }
}

bool overview_act(void *state, enum action a, struct order *ret_order)
{
    struct overview *o = state;
    return act_on_load(o, a, ret_order) || act_on_view(o, a);
}
