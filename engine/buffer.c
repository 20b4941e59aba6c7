/* buffer: mapping and filling.
 * Which slot is free is the pool's business (plan.h). */
#include "engine/buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

static size_t read_len(const struct buffer *b)
{
    return b->slots * b->stride;
}

size_t buffer_write_bytes(const struct buffer *b)
{
    return b->windows ? b->stride + (b->windows - 1) * BUFFER_ALIGN : (b->slots + b->spare) * b->stride;
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

static int make_parts(struct buffer *b, size_t spare)
{
    free(b->part);
    b->spare = (unsigned)(spare < BUFFER_WINDOWS ? spare : BUFFER_WINDOWS);
    b->part = calloc(b->slots + b->spare, sizeof(*b->part));
    for (unsigned i = 0; b->part && i < b->slots + b->spare; i++)
        b->part[i] = i;
    return b->part ? 0 : -ENOMEM;
}

int buffer_map_write(struct buffer *b, const struct data_spec *data)
{
    if (b->write)
        return 0;
    if (data->how == DATA_SHARED)
        b->windows = data->once ? 1 : BUFFER_WINDOWS;
    else if (make_parts(b, data->how == DATA_SCRAMBLED ? BUFFER_SPARE_BYTES / b->stride : 0) < 0)
        return -ENOMEM;
    b->write = map(buffer_write_bytes(b));
    return b->write ? 0 : -ENOMEM;
}

void buffer_fill(struct buffer *b, const struct data_spec *data, uint64_t seed)
{
    if (b->windows)
        data_fill(data, seed, 0, b->write, buffer_write_bytes(b));
}

void buffer_fini(struct buffer *b)
{
    if (b->read)
        munmap(b->read, read_len(b));
    if (b->write)
        munmap(b->write, buffer_write_bytes(b));
    free(b->part);
    *b = (struct buffer){0};
}
