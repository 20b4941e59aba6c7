/* cpuinfo: the clock of each CPU and the name of the processor, from cpufreq and /proc/cpuinfo. Both can be
 * slow (some kernels wake every CPU for them), so they are read in poll() and copied out. No load here. */
#ifndef MONITORS_CPUINFO_H
#define MONITORS_CPUINFO_H

#include <stddef.h>

#include "core/sysroot.h"

struct cpuinfo;

struct cpuinfo *cpuinfo_new(const struct sysroot *root); /* NULL: out of memory */
void cpuinfo_free(struct cpuinfo *c);                    /* NULL is fine */

/* May block. Clocks by CPU number: cpufreq/scaling_cur_freq, where missing "cpu MHz" of /proc/cpuinfo. */
void cpuinfo_poll(struct cpuinfo *c);

/* The last poll's clocks into mhz[0..n), NAN where unknown. Does not block. */
void cpuinfo_mhz(struct cpuinfo *c, double *mhz, size_t n);

/* The processor's name ("" unknown), read once from /proc/cpuinfo. */
void cpuinfo_model(const struct sysroot *root, char *dst, size_t n);

#endif
