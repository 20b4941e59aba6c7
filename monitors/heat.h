/* heat: which disk and which CPU a temperature belongs to.
 * Reads links and names, never a sensor. */
#ifndef MONITORS_HEAT_H
#define MONITORS_HEAT_H

#include <stddef.h>

#include "core/blocktree.h"
#include "core/frame.h"
#include "core/sysroot.h"
#include "monitors/readings.h"

struct heat_disk {
    char name[BLOCK_NAME];
    double temp_c;
};
struct heat_core {
    int package; /* -1: of which package is not known */
    int core;    /* core_id within the package; -1: the package as a whole */
    double temp_c;
};
struct heat {
    struct heat_disk *disk;
    size_t ndisks;
    struct heat_core *core;
    size_t ncores;
};

/* An NVMe controller has one temperature for all its namespaces; of a multipath device the path and the head
 * both get it. coretemp's "Core N" is a core_id within the chip's package. May block. 0 or -ENOMEM. */
int heat_find(const struct sysroot *root, const struct readings *s, struct heat *ret);
void heat_fini(struct heat *h); /* zeroed is fine */

/* Sets temp_c in the rows of disks and CPUs, the hottest where several fit; cpu_total gets the hottest package,
 * or core where no package has one. */
void heat_apply(const struct heat *h, struct frame *f);

#endif
