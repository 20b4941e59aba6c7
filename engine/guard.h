/* guard: may we write here? The only door to a descriptor that can write or trim. Deny by default: whatever
 * it cannot tell is a refusal. Reads devices, never writes to one; over libblkid (the only file that does).
 *
 * The list of what fooled other tools, and the order of the checks, is in docs/guard.md. */
#ifndef ENGINE_GUARD_H
#define ENGINE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

struct guard_policy {
    const char *const *allow_write; /* --allow-write=PATH, each names one target */
    size_t nallow_write;
    const char *const *overwrite;   /* --overwrite=SIGNATURE or "data" */
    size_t noverwrite;
    bool readonly;                  /* --readonly: every writer is refused */
};

/* Opens `path` for writing, after all checks. For a block device: O_RDWR|O_EXCL, kept open for the whole run
 * as the claim; others reopen it through /proc/self/fd/N with their own flags. For a regular file that exists:
 * ours (user.benchtop) or named by allow_write, and nobody else's backing store (loop, swap, image in use).
 * A file that does not exist is made by target.h, which needs no guard: O_CREAT|O_EXCL.
 * Returns a descriptor >= 0, or -EPERM / -EBUSY / -errno with a sentence that names the reason and, where
 * there is one, the option that would allow it. Nothing on the device has changed. May block on a dead device. */
int guard_open_write(const char *path, const struct guard_policy *policy, struct err *err);

/* Asks once more about a descriptor of guard_open_write (or one reopened from it) that has not written for a while:
 * a loop may stand on it by now, or another program have it open. Consent and content are not asked again. 0, or
 * -EPERM / -EBUSY / -errno with a sentence. `path` is for the sentence. */
int guard_check_again(int fd, const char *path, struct err *err);

/* Both for many regular files at a time: the machine is asked once for all of them. fd[] are descriptors of the caller
 * on success, none is left open on failure. */
int guard_open_files(const char *const *path, size_t n, const struct guard_policy *policy, int *ret_fd,
                     struct err *err);
int guard_check_files_again(const int *fd, const char *const *path, size_t n, struct err *err);

/* Marks a file as made by benchtop (user.benchtop). 0, or -ENOTSUP where the filesystem cannot. */
int guard_mark_ours(int fd);
bool guard_is_ours(int fd);

#endif
