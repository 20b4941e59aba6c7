/* diskstats: the lines of /proc/diskstats as numbers, whatever kernel wrote them, and the difference of two
 * readings. Reads no file and knows no device but by its name. */
#ifndef MONITORS_DISKSTATS_H
#define MONITORS_DISKSTATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/blocktree.h"
#include "core/frame.h"

/* Documentation/admin-guide/iostats.rst, in the order of the columns behind the name. */
enum disk_field {
    DISK_READS,
    DISK_READ_MERGES,
    DISK_READ_SECTORS, /* of 512 bytes, whatever the logical block is */
    DISK_READ_MS,
    DISK_WRITES,
    DISK_WRITE_MERGES,
    DISK_WRITE_SECTORS,
    DISK_WRITE_MS,
    DISK_INFLIGHT, /* a gauge; 2^31 and more is an old kernel's negative: unknown */
    DISK_IO_TICKS,
    DISK_QUEUE_MS,
    DISK_DISCARDS,
    DISK_DISCARD_MERGES,
    DISK_DISCARD_SECTORS,
    DISK_DISCARD_MS,
    DISK_FLUSHES,
    DISK_FLUSH_MS,
    DISK_FIELDS,
};

/* Numbers of which some are unknown: bit i of `have` speaks for v[i]. */
struct disk_counts {
    uint64_t v[DISK_FIELDS];
    uint32_t have;
};
static inline bool disk_has(const struct disk_counts *c, enum disk_field f)
{
    return c->have >> f & 1;
}

struct disk_line {
    char name[BLOCK_NAME];
    unsigned major, minor;
    struct disk_counts counts;
};

struct diskstats {
    struct disk_line *line; /* in the file's order, each device once (the first of equal names) */
    size_t n, cap;
};

/* Takes every line with a name and at least 14 columns, or the 7 that partitions had before 2.6.25; columns
 * beyond the known ones are ignored (kernels and containers differ: node_exporter#1721, lxcfs#590).
 * Reuses d's memory. `text` is cut into lines in place. 0 or -ENOMEM. */
int diskstats_parse(struct diskstats *d, char *text);
void diskstats_fini(struct diskstats *d); /* zeroed is fine */

/* now - before for each field known in both. Columns of milliseconds are 32 bit in every kernel and wrap;
 * all others only grow: one that fell means that these are counters of another device, and the result is
 * false with *ret untouched. A gauge has no difference. */
bool disk_counts_delta(const struct disk_counts *before, const struct disk_counts *now, struct disk_counts *ret);

/* Sum of paths, for a multipath head that does not count: as a device that carried it all. io_ticks is the
 * largest, because paths are busy at the same time. */
void disk_counts_add(struct disk_counts *sum, const struct disk_counts *path);

bool disk_counts_all_zero(const struct disk_counts *c);
bool disk_counts_any_io(const struct disk_counts *c); /* a request of any kind completed */

/* Rates of a row from a delta over dt_ns (> 0); what the delta does not have stays as it is. */
void disk_counts_rates(const struct disk_counts *delta, uint64_t dt_ns, struct frame_dev *row);

#endif
