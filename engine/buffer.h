/* buffer: the memory of a worker's requests: an area to read into and one to write from, page-aligned so that
 * direct I/O takes them. Anonymous mappings: pages that are never touched cost nothing.
 *
 * The area to write from is never read into, so what is written is always random data that does not compress.
 * All writes share it: each takes a window that moves on by a page. */
#ifndef ENGINE_BUFFER_H
#define ENGINE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#define BUFFER_ALIGN 4096u
#define BUFFER_WINDOWS 64u

struct buffer {
    unsigned char *read, *write; /* write: NULL until mapped */
    size_t stride;               /* bytes of one slot: the block size, rounded up to pages */
    unsigned slots;
};

/* Maps slots * bs to read into; touches nothing. 0 or -ENOMEM. */
int buffer_init(struct buffer *b, unsigned slots, uint64_t bs);
/* Maps the area to write from, unless it is there. 0 or -ENOMEM. */
int buffer_map_write(struct buffer *b);
/* Fills it with random data. The thread that calls this decides which memory node it lies on. */
void buffer_fill(struct buffer *b, uint64_t seed);
void buffer_fini(struct buffer *b);

size_t buffer_write_bytes(const struct buffer *b); /* of the area to write from */

static inline void *buffer_of(const struct buffer *b, unsigned slot)
{
    return b->read + slot * b->stride;
}

/* The data of the next write: a window of stride bytes; *turn counts the writes. */
static inline void *buffer_data(const struct buffer *b, unsigned *turn)
{
    return b->write + (*turn)++ % BUFFER_WINDOWS * BUFFER_ALIGN;
}

#endif
