/* topology: which logical CPUs there are, which are online and which share a core, with a memory: the
 * kernel forgets the topology of a CPU the moment it goes offline. Measures no load. */
#ifndef MONITORS_TOPOLOGY_H
#define MONITORS_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/frame.h"
#include "core/str.h"
#include "core/sysroot.h"
#include "monitors/cpulist.h"

struct topology_cpu {
    bool exists;             /* has a row: listed as present, or was online once */
    int package, die, core;  /* -1 unknown; core is unique within (package, die) only */
    struct cpulist siblings; /* of the same core, itself too; empty = unknown */
};

struct topology {
    struct topology_cpu *cpu; /* indexed by CPU number */
    size_t n;
    struct cpulist online;
    char smt_control[24];
    enum frame_tri smt_active;
    int threads_per_core; /* largest set of siblings seen; -1 unknown, also while SMT is off and none was seen */
    size_t most_online, most_seen; /* private: largest sibling sets, now and ever */
    bool read_once;
    struct strbuf text;
};

/* A tick: the online list and the SMT words; the rest only when the online list changed. `lines` are the CPUs
 * that have a line in /proc/stat: a CPU is online when it has one and sysfs does not say otherwise; empty =
 * /proc/stat was not readable. Missing files leave things unknown. 0 or -ENOMEM. */
int topology_update(struct topology *t, const struct sysroot *root, const struct cpulist *lines);
void topology_fini(struct topology *t); /* zeroed is fine */

#endif
