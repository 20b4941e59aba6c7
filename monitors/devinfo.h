/* devinfo: what a device says about itself: model, serial, scheduler and whether it counts its I/O. Reading
 * such attributes can hang on a dying drive, so poll() reads and devinfo_get copies. It counts nothing. */
#ifndef MONITORS_DEVINFO_H
#define MONITORS_DEVINFO_H

#include <stdbool.h>
#include <stdint.h>

#include "core/blocktree.h"
#include "core/frame.h"
#include "core/sysroot.h"

struct devinfo_row {
    char name[BLOCK_NAME]; /* a whole disk, as in diskstats */
    int64_t diskseq;       /* of the device that was read, -1 unknown */
    char model[96];        /* these three are "" where unknown: many kinds of device have none */
    char serial[96];
    char scheduler[32];
    int rotational;         /* -1 unknown */
    enum frame_tri iostats; /* queue/iostats: does the kernel count at all? */
};

struct devinfo;

struct devinfo *devinfo_new(const struct sysroot *root); /* NULL: out of memory */
void devinfo_free(struct devinfo *d);                    /* NULL is fine */

/* May block. Model and serial are asked once per device, the rest each time. */
void devinfo_poll(struct devinfo *d);

/* Grows with every poll, so that a reader copies only when there is something new. */
uint64_t devinfo_version(struct devinfo *d);

/* The last poll's row of a disk; false (and *ret says "unknown") when there is none or when it was read from
 * an earlier device of the same name. */
bool devinfo_get(struct devinfo *d, const char *name, int64_t diskseq, struct devinfo_row *ret);

#endif
