/* blkdev: every block device with its rates, as a source.
 * Reads counters only; no device is opened. */
#ifndef MONITORS_BLKDEV_H
#define MONITORS_BLKDEV_H

#include "core/source.h"

/* Fills devs (the tree's order: a disk, its partitions, the next disk; then devices sysfs does not know; then
 * those that vanished in this session, state "gone") and totals (leaves only). Unused loops, ram disks and
 * nbds have no row. The head of an NVMe multipath device that does not count shows the sum of its paths. */
extern const struct source blkdev_source;

#endif
