/* target: the files and devices of a job: open, size, alignment, layout. Reading is the default; the only way
 * to a writing descriptor is guard.h. Does no measured I/O. */
#ifndef ENGINE_TARGET_H
#define ENGINE_TARGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "engine/guard.h"
#include "engine/job.h"
#include "engine/target_place.h"

#define TARGET_MAX 65536 /* files and devices of a job */
#define TARGET_ROWS 64   /* counted one by one; more of them together, by folder */

struct target {
    char *path;           /* the set's own */
    int fd;               /* for the I/O: direct or not as the job says; O_RDONLY unless the job writes */
    int claim_fd;         /* the guard's O_EXCL descriptor of a block device that is written; -1 */
    int passed_fd;        /* while it is opened: the guard let it pass; -1 */
    bool is_block, is_null, writable;
    unsigned major, minor;/* of the block device itself, or st_dev of the file */
    uint64_t begin, end;  /* the region of all clones together, bytes */
    struct target_place place; /* the region of each */
    size_t files, index;  /* it is file `index` of so many of a clone */
    size_t folders;       /* above it that are made if they are missing */
    unsigned owner;       /* 1 + the only clone that works on it; 0 = all do */
    unsigned logical_block; /* 512, 4096 …; 1 for buffered I/O */
    bool created;         /* this run made the file */
    int layout_fd;        /* file of ours that is not complete: the writing descriptor for its layout; -1 */
    uint64_t layout_from; /* file: bytes [layout_from, layout_end) are still to be written before the start; */
    uint64_t layout_end;  /* `end`, but for what is less than a logical block */
    uint64_t promised;    /* bytes of a file that an earlier job of the run lays out before any starts; 0 = none */
    bool sparse;          /* existing file with holes or unwritten extents: worth a warning */
    uint64_t inode;       /* of a file; with major and minor its identity */
    unsigned row;         /* where it is counted */
    bool grows;           /* a file that is only written, and was not laid out: it cannot be read */
    enum job_fallocate reserve; /* of such a one that this run made */
};

struct target_row { /* one file or device, or all files of a folder where there are too many for a row each */
    char *name;
    unsigned major, minor;
    size_t files;
};

struct targets {
    struct target *t;
    size_t n;
    size_t own;           /* so many in turn belong to each clone; 0 = all clones work on all of them */
    struct target_row *row;
    size_t nrows;
    bool unsynced;        /* create_fsync=0 */
};

/* What one clone works on: a part of the set, and the rows where that is counted. */
struct target_slice {
    const struct target *t;
    size_t n;
    unsigned row0, nrows;
};
struct target_slice targets_of(const struct targets *t, unsigned clone);

/* The region of one clone, bytes, multiples of the logical block where that matters. */
void target_region(const struct target *t, unsigned clone, uint64_t *ret_begin, uint64_t *ret_end);

/* Does a version have more clones than files, or than regions, were prepared for? */
bool targets_lack(const struct targets *t, const struct job *j);

/* With verify, clones that write the same blocks would see each other's as wrong, and so would jobs that run at the
 * same time. 0, or -EINVAL with a sentence. */
int targets_apart(const struct targets *t, const struct job *j, struct err *err);
int targets_apart_from(const struct targets *a, const struct job *ja, const struct targets *b, const struct job *jb,
                       struct err *err);

/* A set of n closed targets without names: 0 or -ENOMEM. targets_close frees it. */
int targets_alloc(struct targets *ret, size_t n);
/* Gives every target its row, by path and device. 0 or -ENOMEM. */
int targets_group(struct targets *t);

/* Other jobs of the same run: a device that one of them has claimed for writing is shared, not claimed again
 * (a second O_EXCL open fails even in the same process). NULL = none. */
struct target_peers {
    const struct targets *const *sets;
    size_t n;
};

/* Opens everything a job names: splits filename, checks kind, size, region, alignment (bs and offset against
 * the logical block with direct=1), space for the layout. ioengine=null opens nothing (size or 1 TiB of
 * nothing). A missing file with `size` is created empty (O_EXCL, marked ours), to be laid out; one of ours that
 * is too short or has holes is to be completed.
 * 0, or -errno with one sentence; then nothing is left behind. May block on a dead device. */
int targets_open(const struct job *j, const struct guard_policy *policy, struct targets *ret, struct err *err);
int targets_open_beside(const struct job *j, const struct guard_policy *policy, const struct target_peers *peers,
                        struct targets *ret, struct err *err);

/* Do open targets fit another version of their job (alignment, region, and writable where it writes)? 0 = as
 * they are; 1 = targets_retune must open them for writing; -EINVAL with a sentence. Opens nothing. */
int targets_fit(const struct targets *t, const struct job *j, struct err *err);

/* What a running job's targets must be for its new version: checks alignment again and, when the new version
 * writes and they are not writable, opens them anew through the guard. *ret is a set of its own (descriptors
 * dup'ed or new); the old one stays usable until targets_close. */
int targets_retune(const struct targets *old, const struct job *j, const struct guard_policy *policy,
                   struct targets *ret, struct err *err);
int targets_retune_beside(const struct targets *old, const struct job *j, const struct guard_policy *policy,
                          const struct target_peers *peers, struct targets *ret, struct err *err);

/* Before a job writes, or lays out, after a time without writing: what it will write passes the guard's questions
 * once more. 0, or -errno with a sentence. */
int targets_check_again(const struct targets *t, const struct job *j, struct err *err);

/* Writes the missing part of every file with incompressible data and syncs it. Calls progress (may be NULL)
 * about ten times a second; gives up with -ECANCELED when *stop becomes true. -ENOSPC and other failures, and
 * a cancel, remove a file that this run created. */
int targets_layout(struct targets *t, _Atomic bool *stop, void (*progress)(double pct, void *arg), void *arg,
                   struct err *err);

/* Tells the kernel whether requests come at random (fadvise_hint). */
void targets_advise(const struct targets *t, const struct job *j);

/* Reads the regions into the page cache; -ECANCELED when *stop becomes true. */
int targets_pre_read(const struct targets *t, _Atomic bool *stop, struct err *err);

/* Removes the files that this run made; returns how many others stay. */
size_t targets_unlink(struct targets *t);

/* Drops the page cache of the regions (invalidate=1), as fio does before a job. */
void targets_invalidate(const struct targets *t);

/* Idempotent; frees the set. Keeps the files, but for one that this run made and never began to lay out. */
void targets_close(struct targets *t);

#endif
