/* guard_internal: what the files of the guard tell each other. Only engine/guard*.c and the tests of the guard
 * include it. */
#ifndef ENGINE_GUARD_INTERNAL_H
#define ENGINE_GUARD_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "core/blocktree.h"
#include "core/err.h"
#include "core/sysroot.h"
#include "engine/guard.h"

#define GUARD_PATH 4096
#define GUARD_LABEL 256
#define GUARD_NO "%s is not written: " /* how every refusal of a device begins */

/* The machine that is asked: the live one, or the folders of a test. */
struct guard_world {
    const struct sysroot *root;
    const char *proc; /* "/proc" */
};

/* What a descriptor stands for: a device (st_rdev) or the inode of a regular file. */
struct guard_id {
    bool is_block;
    dev_t dev;
    ino_t ino;
};
bool guard_id_equal(const struct guard_id *a, const struct guard_id *b);

/* ---- guard_loops.c: what stands behind each attached loop device, as the kernel says it ---- */

struct guard_loop {
    int node;   /* in the tree */
    bool known; /* false: neither the device nor its backing file could be asked */
    struct guard_id backing;
};
struct guard_loops {
    struct guard_loop *loop;
    size_t n;
};
int guard_loops_read(const struct guard_world *w, const struct blocktree *tree, struct guard_loops *ret);
void guard_loops_fini(struct guard_loops *l);

/* ---- guard_use.c: who uses a block device, as far as /sys and /proc tell ---- */

struct guard_use {
    const struct guard_world *world;
    const char *label; /* of the target in sentences; borrowed */
    struct blocktree tree;
    struct guard_loops loops;
    int node;          /* the target */
    bool *below;       /* by node: the target is a loop on it (on a loop on it …) */
    bool *in;          /* by node: its bytes overlap the target's; target included */
    struct guard_id *id; /* of all of these, and the file behind a loop: what nobody may have open */
    size_t nid;
};

/* Takes a picture of the machine around device `dev`. -ENODEV when sysfs does not know it. */
int guard_use_read(const struct guard_world *w, dev_t dev, const char *label, struct guard_use *ret,
                   struct err *err);
/* Every reason that no option overrides. 0, or -EPERM / -EBUSY with a sentence. */
int guard_use_check(const struct guard_use *u, struct err *err);
void guard_use_fini(struct guard_use *u);

/* "it", "its partition sda1", "its disk sda", "dm-0 on top of it": node i as seen from the target. */
void guard_use_relation(const struct guard_use *u, int i, char dst[GUARD_LABEL]);
/* The node in `in` with this device number, or BLOCK_NONE. */
int guard_use_find(const struct guard_use *u, dev_t dev);

/* ---- guard_mounts.c: mounts of every namespace, swap and live filesystems over the overlapping nodes ---- */

int guard_mounts_check(const struct guard_use *u, struct err *err);
int guard_swaps_check(const struct guard_use *u, struct err *err);
int guard_filesystems_check(const struct guard_use *u, struct err *err);
int guard_system_check(const struct guard_use *u, struct err *err);

/* ---- guard_openers.c: other processes ---- */

/* Looks through every descriptor of every process but this one and its keeper. *ret_opener gets "qemu (pid 12)"
 * and *ret_which the index of the id. 0 nobody, 1 somebody; -EPERM when `strict` and something is hidden from us. */
int guard_openers_find(const struct guard_world *w, const struct guard_id *id, size_t n, bool strict,
                       char ret_opener[GUARD_LABEL], size_t *ret_which);

/* ---- guard_device.c, guard_file.c: the two kinds of targets; `path_fd` is O_PATH on the resolved inode ---- */

int guard_device_open(const struct guard_world *w, int path_fd, const char *path,
                      const struct guard_policy *policy, struct err *err);
/* Of n regular files; the machine is looked at once. */
int guard_files_open(const struct guard_world *w, const int *path_fd, const char *const *path, size_t n,
                     const struct guard_policy *policy, int *ret_fd, struct err *err);
/* The same for a descriptor that writes. */
int guard_device_check_again(const struct guard_world *w, int fd, const char *path, struct err *err);
int guard_files_check_again(const struct guard_world *w, const int *fd, const char *const *path, size_t n,
                            struct err *err);
/* Opens what path_fd stands for, never the name again. A descriptor or -errno. */
int guard_reopen(int path_fd, int flags);
/* Does a --allow-write name the inode `st`? */
bool guard_is_allowed(const struct guard_policy *policy, const struct stat *st);

/* ---- guard.c: what the bytes say (libblkid) ---- */

#define GUARD_SIGNATURES 32
struct guard_signatures {
    char name[GUARD_SIGNATURES][32]; /* libblkid's words: ext4, swap, gpt, crypto_LUKS …; or "data" */
    size_t n;
};
/* Every signature on the device behind `fd`, on the partitions the kernel has and on those a table names; else
 * "data" when the first or the last 4 MiB are not zero. 0 or -errno with a sentence (cannot tell). */
int guard_signatures_find(const struct guard_use *u, int fd, uint64_t size, struct guard_signatures *ret,
                          struct err *err);

/* ---- guard_cache.c ---- */

/* Rids [begin, end) of pages that differ from what the device behind `fd` holds. 0; -EAGAIN when it changes faster
 * than it can be looked at, or another -errno: what it holds cannot be told. */
int guard_cache_refresh(int fd, uint64_t begin, uint64_t end);

#endif
