/* disks: every block device seen in this session, matched between two readings of its counters: same device or
 * another one under the same name, there or gone. Makes no rows; that is blkdev.c. */
#ifndef MONITORS_DISKS_H
#define MONITORS_DISKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/blocktree.h"
#include "monitors/devinfo.h"
#include "monitors/diskstats.h"

#define DISKS_GONE_MAX 64 /* rows kept of vanished devices; the oldest go first */

struct disk {
    char name[BLOCK_NAME], parent[BLOCK_NAME];
    unsigned major, minor;
    int64_t diskseq;
    enum block_kind kind;
    uint64_t size_bytes;
    bool hidden, leaf;
    int node;    /* in the tree; BLOCK_NONE when sysfs does not know it */
    bool listed; /* has a line in /proc/diskstats now */
    bool gone;
    uint64_t gone_ns;
    enum { DISK_NEW, DISK_HERE, DISK_GONE } told; /* what the events said last */

    struct disk_counts before, now;
    bool comparable;          /* before and now count the same device */
    struct disk_counts delta; /* of this interval, when have_delta */
    bool have_delta;
    bool by_paths;       /* a multipath head that does not count: the numbers are its paths' */
    uint64_t waiting_ns; /* requests in flight and none completed, for this long */
    struct devinfo_row info;
    bool was_off; /* queue/iostats at the tick before */
};

struct disks {
    struct disk *disk;
    size_t n, cap;
    int *order; /* indexes in the order of rows: the tree's, then what only diskstats knows, then the gone */
    size_t norder;
    uint64_t read_ns, dt_ns; /* dt_ns is 0 until there were two readings */
};

/* The lines of a new reading, taken at read_ns (monotonic). *ret_changed: a name came or went, so the tree has
 * to be read again and joined. 0 or -ENOMEM. */
int disks_count(struct disks *s, const struct diskstats *lines, uint64_t read_ns, bool *ret_changed);

/* What a newly read tree says: kinds, parents, who was replaced (diskseq), who is gone. 0 or -ENOMEM. */
int disks_join(struct disks *s, const struct blocktree *tree);

/* Deltas and waiting times of this interval; after count and join. */
void disks_subtract(struct disks *s);

/* A loop, ram disk or nbd that holds nothing and never did. */
bool disk_is_unused(const struct disk *d);

void disks_fini(struct disks *s); /* zeroed is fine */

#endif
