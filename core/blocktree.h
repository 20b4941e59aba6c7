/* blocktree: the block devices of a machine and how they stand on each other: disks, partitions, stacks
 * (dm, md, bcache), loops, multipath heads and paths. Read from sysfs below a sysroot, and nothing else:
 * no device is opened. Used by the monitors, the guard and the layers. */
#ifndef CORE_BLOCKTREE_H
#define CORE_BLOCKTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sysroot.h"

#define BLOCK_NAME 64
#define BLOCK_NONE (-1)

enum block_kind {
    BLOCK_DISK, /* sd, vd, xvd, mmcblk … */
    BLOCK_PARTITION,
    BLOCK_DM,
    BLOCK_MD,
    BLOCK_LOOP,
    BLOCK_NVME,      /* namespace or multipath head */
    BLOCK_NVME_PATH, /* hidden path of a head */
    BLOCK_ZRAM,
    BLOCK_RAM,
    BLOCK_NBD,
    BLOCK_ROM,
    BLOCK_BCACHE,
    BLOCK_OTHER,
};
const char *block_kind_name(enum block_kind k); /* the contract's words */
/* What a kernel name alone tells (a device that diskstats names and sysfs does not); never a partition. */
enum block_kind block_kind_of_name(const char *name);
/* nvme<S>c<C>n<N>, the hidden path of the multipath head nvme<S>n<N>? */
bool block_nvme_path(const char *name, unsigned *ret_subsystem, unsigned *ret_namespace);

#define BLOCK_NO_START UINT64_MAX
struct block_node {
    char name[BLOCK_NAME];     /* kernel name with '/', as in diskstats */
    char sysname[BLOCK_NAME];  /* as in sysfs, '!' for '/' */
    enum block_kind kind;
    unsigned major, minor;     /* 0:0 when it has no dev file */
    bool have_dev, hidden, read_only, removable;
    int64_t diskseq;           /* -1 unknown */
    uint64_t size_bytes;       /* 0 unknown or empty */
    uint64_t start_bytes;      /* of a partition on its disk; BLOCK_NO_START */
    int parent;                /* index: a partition's disk, a path's head; BLOCK_NONE */
    int *members; size_t nmembers; /* indexes: slaves/, and a loop's backing block device */
    int *holders; size_t nholders; /* inverse of members */
    char *backing_file;        /* loop: text of loop/backing_file, NULL = none. May end in " (deleted)" */
    char dm_name[128], dm_uuid[160]; /* "" unless dm */
};

struct blocktree {
    struct block_node *node; /* whole disks in name order, each followed by its partitions */
    size_t n;
};

/* Reads sys/block (plain folders and links alike; sys/dev/block may be missing). A missing sys/block is an
 * empty tree. A node that vanishes while it is read is left out. 0 or -errno. `mounts` of loops: a backing file
 * that is itself a block device under /dev is resolved by name below the tree, not by opening it. */
int blocktree_read(const struct sysroot *root, struct blocktree *ret, struct err *err);
void blocktree_fini(struct blocktree *t); /* zeroed tree is fine */

int blocktree_by_name(const struct blocktree *t, const char *name); /* index or BLOCK_NONE */
int blocktree_by_dev(const struct blocktree *t, unsigned major, unsigned minor);

/* Does node `i` stand in the totals? Real storage only: not hidden, no partition, no members, no backing
 * file, not zram, ram, rom or nbd-less loops; of a multipath head and its paths, the head. */
bool blocktree_is_leaf(const struct blocktree *t, int i);

/* Everything whose bytes overlap node i's: the node, its whole disk (only when i is a partition), its
 * partitions (of a partition: its siblings that share bytes with it), and recursively all holders (and loops backed by) any of those. Calls fn for each once. */
void blocktree_overlap(const struct blocktree *t, int i, void (*fn)(int node, void *arg), void *arg);

#endif
