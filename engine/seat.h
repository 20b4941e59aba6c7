/* seat: where a worker runs and with what priority: CPUs, memory nodes, nice, I/O priority.
 * Of one thread: nothing else of the process or the machine is changed. */
#ifndef ENGINE_SEAT_H
#define ENGINE_SEAT_H

#include <stdbool.h>

#include "core/err.h"
#include "engine/affinity.h"
#include "engine/job.h"

#define SEAT_NODES 1024u

struct seat {
    struct affinity cpus;  /* empty: any */
    int memory_mode;       /* MPOL_…; -1 = untouched */
    unsigned long nodes[SEAT_NODES / (8 * sizeof(unsigned long))];
    int nice;
    bool has_nice;
    int ioprio;            /* as ioprio_set(2) has it; -1 = untouched */
};

/* The place of clone `clone` of a job. 0, or -errno with a sentence that names the option and what is wrong: a CPU or a
 * node that is not there, two options that speak of the same. Changes nothing. */
int seat_of(const struct job *j, unsigned clone, struct seat *ret, struct err *err);
void seat_fini(struct seat *p);

/* Makes it true for the calling thread. 0, or -errno with a sentence (a missing privilege). */
int seat_take(const struct seat *p, struct err *err);

#endif
