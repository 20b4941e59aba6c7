/* buffer: the memory of a worker's requests: an area to read into and one to write from, page-aligned so that
 * direct I/O takes them. Anonymous mappings: pages that are never touched cost nothing.
 *
 * The area to write from is never read into, so what is written is always what the job asked for (data.h). All
 * writes share it, each takes a window that moves on by a page; or each request has a part of its own, which nobody
 * changes while it is in flight: a filesystem or an array that computes checksums may read it more than once. Some
 * parts more than there are slots go round, so that a few in flight do not write the same data over and over. */
#ifndef ENGINE_BUFFER_H
#define ENGINE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/buffer_memory.h"
#include "engine/data.h"

#define BUFFER_ALIGN 4096u
#define BUFFER_WINDOWS 64u
#define BUFFER_SPARE_BYTES (256u << 10)

#define BUFFER_HUGE_PAGE (2ul << 20)

struct buffer {
    enum buffer_memory memory;
    unsigned char *read, *write; /* write: NULL until mapped */
    size_t stride;               /* bytes of one slot: the block size, rounded up to pages */
    unsigned slots;
    unsigned windows;            /* of what is shared; 0: each slot writes from a part of its own */
    unsigned spare;              /* parts more than slots */
    unsigned *part;              /* those of nobody in a ring, then the slots' own */
};

/* Maps slots * bs to read into; touches nothing. 0 or -ENOMEM. */
int buffer_init(struct buffer *b, enum buffer_memory memory, unsigned slots, uint64_t bs);
/* Maps the area to write from, unless it is there. 0 or -ENOMEM. */
int buffer_map_write(struct buffer *b, const struct data_spec *data);
/* Fills what is shared. The thread that calls this decides which memory node it lies on. */
void buffer_fill(struct buffer *b, const struct data_spec *data, uint64_t seed);
void buffer_fini(struct buffer *b);

size_t buffer_write_bytes(const struct buffer *b); /* of the area to write from */

static inline void *buffer_of(const struct buffer *b, unsigned slot)
{
    return b->read + slot * b->stride;
}

/* The data of the next write, where it is shared: a window of stride bytes; *turn counts the writes. */
static inline void *buffer_data(const struct buffer *b, unsigned *turn)
{
    return b->write + (*turn)++ % b->windows * BUFFER_ALIGN;
}

/* The part of a slot, where each has its own: for its next write it takes the one that rested longest. */
static inline void *buffer_own(const struct buffer *b, unsigned slot, unsigned *turn)
{
    unsigned *own = &b->part[b->spare + slot];
    if (b->spare) {
        unsigned *oldest = &b->part[(*turn)++ % b->spare], mine = *own;
        *own = *oldest;
        *oldest = mine;
    }
    return b->write + *own * b->stride;
}

#endif
