/* run_min: rate_min and rate_iops_min: what each clone must have done in each rate_cycle.
 * Looks at the counters from outside; a clone that is too slow fails its job. */
#include <errno.h>

#include "core/units.h"
#include "engine/pattern.h"
#include "engine/run_priv.h"

static const char *const done[] = {[DDIR_READ] = "reads", [DDIR_WRITE] = "writes", [DDIR_TRIM] = "trims"};

static bool asked(const struct job *j)
{
    for (unsigned d = 0; d < DDIRS; d++)
        if (j->rate_min[d] || j->rate_iops_min[d])
            return true;
    return false;
}

static struct clone_pace pace_now(const struct run_job *j, const struct worker *w, uint64_t now)
{
    struct clone_pace p = {.at_ns = now};
    for (size_t t = 0; t < j->ntargets; t++) {
        const struct counters *c = worker_counters(w, t);
        for (unsigned d = 0; c && d < DDIRS; d++) {
            p.ios[d] += counter_get(&c->dir[d].ios);
            p.bytes[d] += counter_get(&c->dir[d].bytes);
        }
    }
    return p;
}

/* A direction that the job does not do is not asked. */
static bool does(const struct job *j, unsigned d)
{
    return d == DDIR_READ ? job_reads(j) : d == DDIR_TRIM ? job_trims(j) : pattern_writes(j->rw);
}

/* 0, or -ETIMEDOUT with the sentence. */
static int judge(const struct job *j, const struct clone *c, const struct clone_pace *p, struct err *err)
{
    double s = (double)(p->at_ns - c->pace.at_ns) / 1e9;
    for (unsigned d = 0; d < DDIRS; d++) {
        double ios = (double)(p->ios[d] - c->pace.ios[d]) / s, bytes = (double)(p->bytes[d] - c->pace.bytes[d]) / s;
        char want[UNITS_TEXT];
        if (!does(j, d))
            continue;
        if (ios < (double)j->rate_iops_min[d])
            return err_set(err, -ETIMEDOUT, "rate_iops_min=%lu: clone %u did %.1f %s a second in the last %.1f s",
                           (unsigned long)j->rate_iops_min[d], c->index, ios, done[d], s);
        units_exact_bytes(j->rate_min[d], want);
        if (bytes < (double)j->rate_min[d])
            return err_set(err, -ETIMEDOUT, "rate_min=%s: clone %u did %.1f kB of %s a second in the last %.1f s", want,
                           c->index, bytes / 1e3, done[d], s);
    }
    return 0;
}

static void look_at(struct run *r, struct run_job *j, struct clone *c, uint64_t now)
{
    struct err e = {0};
    struct clone_pace p = pace_now(j, c->w, now);
    if (c->pace.at_ns && judge(&j->cur, c, &p, &e) < 0)
        job_fail(r, j, &e);
    c->pace = p;
}

void run_min_tick(struct run *r, struct run_job *j, uint64_t now)
{
    uint64_t spread = j->first.startdelay_ns[1] - j->first.startdelay_ns[0]; /* the last clone begins so much later */
    bool begun = j->clock.gate_ns && now >= j->clock.gate_ns + spread;
    bool counts = begun && j->clock.measuring && !j->clock.stop_ns && !j->clock.load_ns && !j->clock.paused_since;
    if (!asked(&j->cur))
        return;
    for (size_t i = 0; i < j->nclones; i++) {
        struct clone *c = &j->clone[i];
        if (!counts || worker_state(c->w) != WORKER_RUNNING)
            c->pace.at_ns = 0;
        else if (!c->pace.at_ns || now - c->pace.at_ns >= j->cur.rate_cycle_ms * NSEC_PER_MSEC)
            look_at(r, j, c, now);
    }
}
