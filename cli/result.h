/* result: what a run gave, for whoever writes it down: jobs, the machine over the whole run, events.
 * Formats nothing. */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/frame.h"
#include "engine/run.h"

struct event_log { /* every event of a run, oldest first; texts are its own */
    struct frame_event *event;
    size_t n, cap;
};
void event_log_add(struct event_log *log, const struct frame *f);
void event_log_fini(struct event_log *log);

struct result {
    struct run_job_result **job; /* one row a clone of a job, or a group */
    size_t njobs;
    const struct frame *whole;   /* the machine from start to end; NULL unknown */
    const struct event_log *events;
    uint64_t real_ns;            /* when it ended */
    bool aborted;
};

/* Takes the results of all jobs, as fio: a row for each clone; one that says group_reporting joins the row before it
 * in its group. The other members are the caller's. 0 or -ENOMEM. */
int result_take(struct result *r, struct run *run);
void result_fini(struct result *r); /* frees the rows alone */

/* Adds job b to group a: sums, the longest runtime, the first error. `b` loses its targets to `a`. */
int result_merge(struct run_job_result *a, struct run_job_result *b);

/* usr_cpu and sys_cpu of fio: percent of the time that the clones ran; NAN unknown. */
void result_cpu(const struct run_job_result *j, double *ret_user_pct, double *ret_system_pct);

/* The device of a frame that a target lies on; NULL unknown. */
const struct frame_dev *result_device(const struct frame *whole, const struct run_target_result *t);
/* Is the device one that some target lies on? */
bool result_uses(const struct result *r, const struct frame_dev *d);

#endif
