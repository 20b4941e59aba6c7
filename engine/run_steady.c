/* run_steady: is a job in steady state? One value a second in a rolling window; spread about the mean, or the slope of
 * the least squares through them. Ends the job when it is. */
#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "engine/run_priv.h"

static size_t window(const struct job *j)
{
    return (size_t)(j->steady.dur_ns / NSEC_PER_SEC);
}

static bool wanted(const struct run_job *j)
{
    return j->first.steady.what != JOB_STEADY_NONE && window(&j->first);
}

uint64_t run_steady_next_ns(const struct run_job *j)
{
    if (!wanted(j) || j->steady.attained)
        return UINT64_MAX;
    uint64_t begin = j->first.steady.ramp_ns;
    return (j->steady.at_ns > begin ? j->steady.at_ns : begin) + (j->steady.began ? NSEC_PER_SEC : 0);
}

/* Oldest first. */
static void push(struct run_steady *s, size_t most, double iops, double bytes_per_s)
{
    if (s->n == most) {
        for (size_t i = 1; i < s->n; i++)
            s->second[i - 1] = s->second[i];
        s->n--;
    }
    s->second[s->n++] = (struct run_second){iops, bytes_per_s};
}

static double value(const struct run_steady *s, enum job_steady_what what, size_t i)
{
    return what == JOB_STEADY_IOPS || what == JOB_STEADY_IOPS_SLOPE ? s->second[i].iops : s->second[i].bytes_per_s;
}

double run_steady_measure(const struct run_steady *s, enum job_steady_what what, bool pct)
{
    double n = (double)s->n, sum = 0, most = 0, sxy = 0, sxx = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += value(s, what, i);
    double mean = sum / n;
    for (size_t i = 0; i < s->n; i++) {
        double x = (double)i - (n - 1) / 2, off = value(s, what, i) - mean;
        most = fmax(most, fabs(off));
        sxy += x * off;
        sxx += x * x;
    }
    bool slope = what == JOB_STEADY_IOPS_SLOPE || what == JOB_STEADY_BW_SLOPE;
    double measure = slope ? (sxx > 0 ? sxy / sxx : 0) : most;
    return pct ? measure * 100 / mean : measure;
}

static bool is_steady(const struct run_job *j)
{
    const struct job_steady *w = &j->first.steady;
    double m = run_steady_measure(&j->steady, w->what, w->pct);
    return j->steady.n == window(&j->first) && fabs(m) < w->limit; /* NAN is not */
}

static void second_over(struct run *r, struct run_job *j, uint64_t at)
{
    struct run_steady *s = &j->steady;
    uint64_t ios, bytes;
    double dt = (double)(at - s->at_ns) / NSEC_PER_SEC;
    run_marks_done(j, &ios, &bytes);
    run_exclusive(r); /* results read it */
    if (!s->second)
        s->second = calloc(window(&j->first), sizeof(*s->second));
    if (s->began && s->second)
        push(s, window(&j->first), (double)(ios - s->ios) / dt, (double)(bytes - s->bytes) / dt);
    s->began = true;
    s->at_ns = at;
    s->ios = ios;
    s->bytes = bytes;
    pthread_mutex_unlock(&r->lock);
}

void run_steady_tick(struct run *r, struct run_job *j, uint64_t now)
{
    uint64_t at = clock_measured_ns(&j->clock, now);
    if (!j->clock.measuring || j->clock.stop_ns || at < run_steady_next_ns(j))
        return;
    second_over(r, j, at);
    if (!is_steady(j))
        return;
    run_exclusive(r);
    j->steady.attained = true;
    pthread_mutex_unlock(&r->lock);
    run_note(r, "state", "%s: steady state", j->cur.name);
    j->ends = true;
    job_end_load(r, j, now);
}

void run_steady_clear(struct run_job *j)
{
    free(j->steady.second);
    j->steady = (struct run_steady){0};
}
