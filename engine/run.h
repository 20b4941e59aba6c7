/* run: jobs from start to end: prepare, lay out, start, retune, pause, stop, sum, and be a source of frames.
 * Everything that can block (opening targets, the guard, layout, waiting for workers) happens on its own
 * thread, the conductor; every function here but run_free returns at once. */
#ifndef ENGINE_RUN_H
#define ENGINE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/order.h"
#include "core/source.h"
#include "engine/counters.h"
#include "engine/guard.h"
#include "engine/job.h"
#include "engine/verify.h"
#include "engine/run_log.h"

struct run;

struct run_at { /* a scheduled retune */
    uint64_t at_ns;        /* after the start of the load (ramp included, layout not) */
    int job;               /* ORDER_ALL_JOBS */
    char words[ORDER_TEXT];
};

struct run_opts {
    const struct job *jobs; /* checked by job_check; copied */
    size_t njobs;
    const struct run_at *at; /* ascending; copied; each checked against the version before it */
    size_t nat;
    struct guard_policy policy; /* its texts must outlive the run */
};

enum run_state {
    RUN_PREPARING, /* opening targets */
    RUN_READY,     /* prepared, waits for ORDER_START */
    RUN_LAYOUT, RUN_RAMP, RUN_RUNNING, RUN_PAUSED, RUN_STOPPING,
    RUN_DONE,      /* ended, results are final */
    RUN_REFUSED,   /* wrong usage, or layout failed: exit 2, run_error has the sentence */
};

/* Starts the conductor, which prepares at once. */
int run_new(const struct run_opts *opts, struct run **ret, struct err *err);

/* START STOP PAUSE RESUME RETUNE. A refused retune or start becomes an event of kind "error" in the next
 * frame (and run_error for the start). */
void run_post(struct run *r, const struct order *o);

enum run_state run_state(const struct run *r);
bool run_error(const struct run *r, struct err *err); /* true when there is one: of the refusal, or the first I/O error */
int run_fd(const struct run *r); /* eventfd: readable when the state changed; the reader reads it */

/* The newest version of a job, as it is meant to run now (for knobs). */
void run_job(const struct run *r, size_t job, struct job *ret);
size_t run_njobs(const struct run *r);

/* Of a stopped run: workers that did not end (hung in the kernel). */
size_t run_stuck(const struct run *r);

/* The load as a source: frame.load[] and the run's events. State is the run itself (sampler_attach). */
extern const struct source load_source;

/* Results of the measured part (after ramp_time), summed over clones, retired ones too. Valid in any state after
 * the start; final in RUN_DONE. */
struct run_retune {
    uint64_t at_ns;      /* after the start of the load, when it was ordered */
    uint64_t applied_ns; /* when the last worker took it; 0 = not yet */
    char words[ORDER_TEXT];
};
struct run_target_result {
    char path[JOB_PATH];
    char device[64];     /* major:minor is resolved by the caller; "" */
    unsigned major, minor;
    struct counters sum;
};
/* Samples one RUN_SAMPLE_NS apart, of what was done between them; over the measured part. */
#define RUN_SAMPLE_NS 500000000ull
struct run_spread {
    uint64_t n;
    double min, max, mean, m2; /* m2: sum of squared differences from the mean (Welford) */
};
void run_spread_add(struct run_spread *s, double v);
double run_spread_dev(const struct run_spread *s); /* of a sample; 0 of one value, NAN of none */

#define RUN_DEPTHS 7 /* in flight: 1, 2-3, 4-7, 8-15, 16-31, 32-63, 64 and more */
struct run_marks { /* what was seen of the load at points in time, never of single requests */
    struct run_spread iops[DDIRS], bytes_per_s[DDIRS];
    uint64_t depth[RUN_DEPTHS]; /* looks at the requests in flight that found some */
};

struct run_second {
    double iops, bytes_per_s;
};
struct run_steady { /* the last seconds that steadystate judged, all clones and directions together */
    bool attained;
    struct run_second *second; /* the result's own */
    size_t n;
    bool began;                /* private, as all below */
    uint64_t at_ns, ios, bytes;
};
/* Spread about the mean or slope, as `what` says; pct: in percent of the mean. NAN of no seconds. */
double run_steady_measure(const struct run_steady *s, enum job_steady_what what, bool pct);

struct run_job_result {
    struct job job;               /* as it started */
    unsigned group;               /* its reporting group: stonewall and new_group begin one */
    unsigned clones;              /* that this is the sum of */
    uint64_t clones_ns;           /* the measured time of all of them together */
    struct run_marks marks;
    struct run_steady steady;
    struct counters sum;
    struct run_target_result *target; size_t ntargets;
    struct run_retune *retune; size_t nretunes;
    uint64_t runtime_ns;          /* of the measured part */
    uint64_t dir_runtime_ns[DDIRS]; /* 0 for a direction that did nothing */
    bool have_usage;              /* false when a worker hangs */
    uint64_t user_ns, system_ns, ctx, minflt, majflt;
    uint64_t helper_ns;           /* CPU of iou-wrk / iou-sqp threads */
    uint64_t errors;
    unsigned in_flight;           /* requests that never came back; of a load that goes on: now */
    uint64_t stalled_ns;          /* how long nothing had completed; 0 = it flows */
    struct err error;             /* that ended it, else the first that it went on after */
    bool verifies;
    struct verify_count verify;   /* what was checked, over the whole run */
};
/* A malloc'ed result of all its clones, or of one alone; free with run_result_free. NULL without memory. A clone
 * that a change of numjobs removed and another brought back is one: what it did before and after. */
struct run_job_result *run_result(struct run *r, size_t job);
struct run_job_result *run_result_clone(struct run *r, size_t job, unsigned clone);
/* The log of a clone, oldest first; fn must be brief: a running job waits for it. */
void run_log_each(struct run *r, size_t job, unsigned clone, enum run_log_kind k,
                  void (*fn)(const struct run_log_entry *e, void *arg), void *arg);
unsigned run_nclones(const struct run *r, size_t job); /* as many as it ever had; before the start: as it would have */
void run_result_free(struct run_job_result *res);

/* Stops if need be, waits at most wait_ns for the workers; true when everything was freed, false when
 * something hangs in the kernel and was left behind. */
bool run_free(struct run *r, uint64_t wait_ns);

#endif
