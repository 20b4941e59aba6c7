/* layout: makes the bytes of a file real: how far they are written, and writing the rest with incompressible data.
 * Opens nothing and knows no job; target.h decides what is laid out. */
#ifndef ENGINE_LAYOUT_H
#define ENGINE_LAYOUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"

/* The first byte in [from, end) that is a hole, an unwritten extent or beyond the end of the file; `end` when all is
 * real. Where the filesystem cannot tell, what lies below the end of the file counts as real. */
uint64_t layout_first_hole(int fd, uint64_t from, uint64_t end);

/* Bytes that the filesystem of fd has left for this user; UINT64_MAX when it does not say. */
uint64_t layout_free_bytes(int fd);

struct layout_progress {
    _Atomic bool *stop;                     /* may be NULL */
    void (*tell)(double pct, void *arg);    /* may be NULL; about ten times a second */
    void *arg;
    uint64_t done, total;                   /* bytes, over all files */
    uint64_t told_ns;
    bool unsynced;                          /* a file is not synced at its end */
};

/* Writes [from, end) of `fd` (open for writing) and syncs it. It writes in order and never beyond what is written, so
 * that the size of a file whose layout was killed says how far it came. `path` is for the sentence. 0, -ECANCELED,
 * -ENOSPC … */
int layout_write(int fd, const char *path, uint64_t from, uint64_t end, struct layout_progress *p, struct err *err);

#endif
