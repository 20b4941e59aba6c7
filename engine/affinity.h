/* affinity: lists of CPUs ("0-3,8") and pinning the calling thread to one.
 * Knows no topology; CPU numbers are the kernel's and may have gaps. */
#ifndef ENGINE_AFFINITY_H
#define ENGINE_AFFINITY_H

#include <sched.h>
#include <stddef.h>

#include "core/err.h"

#define AFFINITY_MAX_CPUS 8192

struct affinity { /* empty (all zero): any CPU */
    cpu_set_t *set; /* of CPU_ALLOC; owned */
    size_t size;    /* bytes of it */
    unsigned n;     /* CPUs it can hold */
};

/* Parses a list of numbers and ranges, in any order; "" is empty. 0, or -EINVAL with a sentence that names the
 * text and what is wrong. Does not ask whether the CPUs are there. */
int affinity_parse(const char *text, struct affinity *ret, struct err *err);
/* The same without a sentence: 0, -EINVAL or -ENOMEM. */
int affinity_list(const char *text, struct affinity *ret);
void affinity_fini(struct affinity *a);

/* Pins the calling thread. 0, or -EINVAL with a sentence that names a CPU that is missing, offline or not
 * allowed here (cpuset); then the thread is where it was. An empty list changes nothing. */
int affinity_pin(const struct affinity *a, struct err *err);

/* The same question without a change. */
int affinity_check(const struct affinity *a, struct err *err);

#endif
