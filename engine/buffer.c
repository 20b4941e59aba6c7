/* buffer: mapping and filling.
 * Which slot is free is the pool's business (plan.h). */
#include "engine/buffer.h"

#include <errno.h>
#include <linux/mman.h> /* MAP_HUGE_2MB */
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

/* Without MAP_NORESERVE a strict machine would want memory for slots that are never used. Huge pages are reserved: a
 * pool that has none left would show as a fault in the middle of the run. */
static const int map_flags[] = {
    [BUFFER_PRIVATE] = MAP_PRIVATE | MAP_NORESERVE,
    [BUFFER_SHARED] = MAP_SHARED | MAP_NORESERVE,
    [BUFFER_HUGE] = MAP_PRIVATE | MAP_HUGETLB | MAP_HUGE_2MB,
};

static size_t map_len(enum buffer_memory m, size_t len)
{
    return m == BUFFER_HUGE ? (len + BUFFER_HUGE_PAGE - 1) / BUFFER_HUGE_PAGE * BUFFER_HUGE_PAGE : len;
}

static unsigned char *map(enum buffer_memory m, size_t len)
{
    void *p = mmap(NULL, map_len(m, len), PROT_READ | PROT_WRITE, MAP_ANONYMOUS | map_flags[m], -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

int buffer_init(struct buffer *b, enum buffer_memory memory, unsigned slots, uint64_t bs)
{
    *b = (struct buffer){
        .memory = memory,
        .stride = (bs + BUFFER_ALIGN - 1) / BUFFER_ALIGN * BUFFER_ALIGN,
        .slots = slots,
    };
    b->read = map(b->memory, read_len(b));
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
    b->write = map(b->memory, buffer_write_bytes(b));
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
        munmap(b->read, map_len(b->memory, read_len(b)));
    if (b->write)
        munmap(b->write, map_len(b->memory, buffer_write_bytes(b)));
    free(b->part);
    *b = (struct buffer){0};
}
