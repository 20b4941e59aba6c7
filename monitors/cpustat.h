/* cpustat: the cpu lines of /proc/stat as numbers, and what two readings of them mean in percent.
 * Reads no file and knows no topology. */
#ifndef MONITORS_CPUSTAT_H
#define MONITORS_CPUSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/frame.h"
#include "monitors/cpulist.h"

/* The order of the columns; old kernels have only the first eight. */
enum cpu_field {
    CPU_USER, /* contains CPU_GUEST */
    CPU_NICE, /* contains CPU_GUEST_NICE */
    CPU_SYSTEM,
    CPU_IDLE,
    CPU_IOWAIT,
    CPU_IRQ,
    CPU_SOFTIRQ,
    CPU_STEAL,
    CPU_GUEST,
    CPU_GUEST_NICE,
    CPU_FIELDS,
};

struct cpu_times { /* in USER_HZ ticks; only their ratios are ever used */
    uint64_t f[CPU_FIELDS];
};

struct cpustat {
    struct cpulist online; /* CPUs that have a line: the online ones, by number, with gaps */
    struct cpu_times *cpu; /* indexed by CPU number, valid where `online` says so */
    size_t n;
    bool have_all;
    struct cpu_times all; /* the "cpu" line: the sum over all possible CPUs */
};

/* Takes every line that begins with "cpu"; reuses s's memory. 0 or -ENOMEM. */
int cpustat_parse(struct cpustat *s, const char *text);
void cpustat_fini(struct cpustat *s); /* zeroed is fine */

/* now - before, each field for itself; one that stepped back counts as 0 (iowait and idle do that on a
 * healthy machine: sysstat#14, sysstat#433). */
struct cpu_times cpu_times_delta(const struct cpu_times *before, const struct cpu_times *now);
void cpu_times_add(struct cpu_times *sum, const struct cpu_times *t);

/* Fills the percentages of a row from a delta. user and nice are without guest, as mpstat shows them; guest
 * has both guests, so that all parts add up to 100. Leaves the row as it is when no time has passed. */
void cpu_times_percent(const struct cpu_times *delta, struct frame_cpu *row);

#endif
