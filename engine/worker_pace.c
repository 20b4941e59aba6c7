/* worker_pace: when a worker may start a request: rate, thinktime, startdelay, and how it sleeps until then.
 * Runs in the worker's thread, and only where one of them is asked for. */
#include "engine/worker_state.h"

/* The first pace: what came before began when it was intended, so that rlat goes on from clat. */
static void begin_responses(struct worker *w)
{
    for (size_t t = 0; t < w->nrows && !w->responds; t++)
        for (unsigned d = 0; d < DDIRS; d++)
            hist_seed(&w->counters[t].dir[d].rlat, &w->counters[t].dir[d].clat);
    w->responds = true;
}

static bool has_pace(const struct worker *w, const struct plan *p)
{
    return pacer_on(&w->pacer) || p->think.ns;
}

/* The schedule starts anew where a rate or the share of a direction changes; else it goes on. */
void worker_set_pace(struct worker *w, const struct plan *p)
{
    bool remix = w->plan && (w->plan->pattern.rw != p->pattern.rw ||
                             w->plan->pattern.rwmixread != p->pattern.rwmixread);
    if (pacer_set(&w->pacer, &p->pace) || remix)
        pacer_start(&w->pacer, w->now_ns);
    w->thought = (struct thought){.since_ns = w->now_ns};
    w->waits = has_pace(w, p) || w->now_ns < w->not_before_ns;
    if (pacer_on(&w->pacer))
        begin_responses(w);
}

void worker_begin_pace(struct worker *w)
{
    w->not_before_ns = 0;
    w->thought = (struct thought){.since_ns = w->now_ns};
    pacer_start(&w->pacer, w->now_ns);
}

static bool is_time_to_think(const struct worker *w)
{
    const struct plan_think *t = &w->plan->think;
    if (!t->ns || !w->thought.n)
        return false;
    return w->thought.n >= t->blocks || (t->iotime_ns && w->now_ns - w->thought.since_ns >= t->iotime_ns);
}

static void end_thought(struct worker *w)
{
    const struct plan_think *t = &w->plan->think;
    if (t->unpaced)
        pacer_skip(&w->pacer, w->now_ns - (w->thought.until_ns - t->ns));
    w->thought = (struct thought){.since_ns = w->now_ns};
}

/* True while a pause comes or lasts. It begins when the queue is empty. */
static bool thinks(struct worker *w)
{
    if (!w->thought.until_ns) {
        if (!is_time_to_think(w))
            return false;
        if (w->inflight + w->nstaged)
            return true;
        w->thought.until_ns = w->now_ns + w->plan->think.ns;
    }
    if (w->now_ns < w->thought.until_ns) {
        w->wake_ns = w->thought.until_ns;
        return true;
    }
    end_thought(w);
    return false;
}

/* With a rate, *d becomes the direction that is due and *ret_intended its time. If none may start, wake_ns says
 * when. The end of the data is not waited for. */
bool worker_may_start(struct worker *w, enum ddir *d, uint64_t *ret_intended)
{
    uint64_t due;
    if (pattern_ended(&w->pattern))
        return true;
    if (w->now_ns < w->not_before_ns) {
        w->wake_ns = w->not_before_ns;
        return false;
    }
    w->waits = has_pace(w, w->plan); /* startdelay is over */
    if (thinks(w))
        return false;
    if (pacer_on(&w->pacer)) {
        *d = pacer_choose(&w->pacer, *d, pattern_both(&w->pattern), w->now_ns, &due);
        if (due > w->now_ns) {
            uint64_t soonest = w->now_ns + w->nap_min_ns;
            w->wake_ns = due > soonest ? due : soonest;
            return false;
        }
        *ret_intended = pacer_take(&w->pacer, *d);
    }
    w->thought.n += w->plan->think.issue;
    return true;
}

/* ---- sleeping ---- */

/* To sleep and wake costs CPU time: a few microseconds, in a virtual machine twenty and more. Naps are kept
 * NAP_SHARE times as long as they cost, so that a high rate comes in small bunches instead of eating a core; a
 * rate with longer gaps is not touched. The bunching shows in rlat, as it should. */
#define NAP_SHARE 12u
#define NAP_MOST_NS (500 * NSEC_PER_USEC)

static void nap(struct worker *w, uint64_t t_ns)
{
    uint64_t before = worker_thread_cpu_ns();
    futex_wait(&w->bell, w->heard, t_ns);
    uint64_t min = (7 * w->nap_min_ns + NAP_SHARE * (worker_thread_cpu_ns() - before)) / 8;
    w->nap_min_ns = min < NAP_MOST_NS ? min : NAP_MOST_NS;
}

/* thinktime_spin: the first part of a pause. */
static void burn(struct worker *w)
{
    uint64_t until = w->thought.until_ns - w->plan->think.ns + w->plan->think.spin_ns;
    while (clock_now_ns() < until && atomic_load_explicit(&w->bell, memory_order_relaxed) == w->heard)
        cpu_relax();
}

void worker_rest_until(struct worker *w, uint64_t t_ns)
{
    if (w->thought.until_ns && w->plan->think.spin_ns && !w->clock)
        burn(w);
    if (likely(!w->clock))
        nap(w, t_ns);
    else if (t_ns > w->clock->mono_ns)
        clock_advance(w->clock, t_ns - w->clock->mono_ns);
    w->now_ns = worker_clock(w);
}

