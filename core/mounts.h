/* mounts: what is mounted, and swap, over libmount (the only file that includes it).
 * Never stats or opens a mounted path: that can hang (NFS). */
#ifndef CORE_MOUNTS_H
#define CORE_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

struct mount_row {
    unsigned major, minor; /* st_dev of the filesystem (0:NN for btrfs, overlay, nfs …) */
    char *source, *target, *fstype, *options;
};
struct mounts {
    struct mount_row *row;
    size_t n;
};

/* Reads a mountinfo file ("/proc/self/mountinfo", "/proc/123/mountinfo", a fixture). 0 or -errno. */
int mounts_read(const char *path, struct mounts *ret, struct err *err);
void mounts_fini(struct mounts *m);

/* Sources of active swap ("/dev/sda2", "/swapfile") from a swaps file; same ownership: row[].source. */
int mounts_read_swaps(const char *path, struct mounts *ret, struct err *err);

#endif
