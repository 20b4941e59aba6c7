/* cpulist: a set of CPU numbers, and the kernel's text for one ("0-1,4-5,8").
 * CPU numbers have gaps. It does not know what the CPUs do. */
#ifndef MONITORS_CPULIST_H
#define MONITORS_CPULIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPULIST_CPUS 8192 /* the largest NR_CPUS a kernel can be built with */

/* A plain value: zeroed is empty, copied by assignment. */
struct cpulist {
    uint64_t word[CPULIST_CPUS / 64];
};

/* The text of a list file, blanks around it allowed; an empty one is the empty set. 0, or -EINVAL when
 * something else stands there, or -ERANGE for a number past CPULIST_CPUS; *ret is untouched on failure. */
int cpulist_parse(const char *text, struct cpulist *ret);

void cpulist_add(struct cpulist *s, unsigned cpu); /* numbers past CPULIST_CPUS are ignored */
bool cpulist_has(const struct cpulist *s, unsigned cpu);
bool cpulist_equal(const struct cpulist *a, const struct cpulist *b);
size_t cpulist_count(const struct cpulist *s);
int cpulist_next(const struct cpulist *s, int after); /* the next greater number, -1 at the end; begin with -1 */

#endif
