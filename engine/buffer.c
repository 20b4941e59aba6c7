/* buffer: mapping and filling.
 * Which slot is free is the pool's business (plan.h). */
#include "engine/buffer.h"

#include <errno.h>
#include <sys/mman.h>

#include "engine/rng.h"

static size_t read_len(const struct buffer *b)
{
    return b->slots * b->stride;
}

size_t buffer_write_bytes(const struct buffer *b)
{
    return b->stride + (BUFFER_WINDOWS - 1) * BUFFER_ALIGN;
}

/* Without MAP_NORESERVE a strict machine would want memory for slots that are never used. */
static unsigned char *map(size_t len)
{
    void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

int buffer_init(struct buffer *b, unsigned slots, uint64_t bs)
{
    *b = (struct buffer){
        .stride = (bs + BUFFER_ALIGN - 1) / BUFFER_ALIGN * BUFFER_ALIGN,
        .slots = slots,
    };
    b->read = map(read_len(b));
    return b->read ? 0 : -ENOMEM;
}

int buffer_map_write(struct buffer *b)
{
    if (!b->write)
        b->write = map(buffer_write_bytes(b));
    return b->write ? 0 : -ENOMEM;
}

void buffer_fill(struct buffer *b, uint64_t seed)
{
    struct rng r;
    rng_seed(&r, seed);
    rng_fill(&r, b->write, buffer_write_bytes(b));
}

void buffer_fini(struct buffer *b)
{
    if (b->read)
        munmap(b->read, read_len(b));
    if (b->write)
        munmap(b->write, buffer_write_bytes(b));
    *b = (struct buffer){0};
}
