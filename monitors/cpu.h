/* cpu: load, clock and topology of every logical CPU, and the names of this machine, as a source.
 * Temperatures are added by the sensors source. */
#ifndef MONITORS_CPU_H
#define MONITORS_CPU_H

#include "core/source.h"

/* Fills hosts, smt, cpus and cpu_total. Offline CPUs keep a row without rates; a CPU's first interval after it
 * appeared or came back has none either. cpu_total is the sum over the CPUs that were online throughout: the
 * kernel's own "cpu" line jumps when CPUs go and come. */
extern const struct source cpu_source;

#endif
