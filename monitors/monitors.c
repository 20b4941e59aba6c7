/* monitors: the list of sources; a new monitor is a file of its own and one line here.
 * Opens and samples nothing; that is the sampler's. */
#include "monitors/monitors.h"

#include <stddef.h>

#include "monitors/blkdev.h"
#include "monitors/cpu.h"
#include "monitors/memory.h"
#include "monitors/sensors.h"

const struct source *const monitors[] = {
    &cpu_source,     /* hosts, smt, cpus */
    &blkdev_source,  /* devs, totals */
    &memory_source,  /* memory */
    &sensors_source, /* sensors, and temperatures in cpus and devs */
    NULL,
};
