/* job_seat: what a job says about where its clones run, and with what priority, as it was given.
 * Only values; seat.h makes them true. */
#ifndef ENGINE_JOB_SEAT_H
#define ENGINE_JOB_SEAT_H

#include <stdbool.h>

#define JOB_NODES 128

enum job_cpus_policy { JOB_CPUS_SHARED, JOB_CPUS_SPLIT };

struct job_seat {
    enum job_cpus_policy cpus_policy;
    char numa_cpus[JOB_NODES];    /* nodes, "0-1" or "all"; "" = any */
    char numa_memory[JOB_NODES];  /* "bind:0-1"; "" = as the machine does */
    unsigned prio, prio_class;    /* of ioprio_set(2) */
    int nice;
    unsigned first_clone;         /* clones of the jobs before it in the run: not a word of fio's, the run sets it */
};

#endif
