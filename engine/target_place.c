/* target_place: arithmetic of regions. */
#include "engine/target_place.h"

#include <errno.h>

#include "engine/job_pattern.h"
#include "engine/pattern.h"
#include "engine/rng.h"

static uint64_t share_of(uint64_t bytes, uint64_t pct)
{
    return (uint64_t)((unsigned __int128)bytes * pct / 100);
}

static uint64_t smallest_bs(const struct job *j)
{
    struct pattern_spec s;
    uint64_t bs = job_pattern(j, &s, NULL) < 0 ? 0 : pattern_smallest(&s);
    return bs ? bs : 1;
}

/* The same in every run, so that files are found as they were made. */
static uint64_t chosen_size(const struct job *j, size_t index, uint64_t bs)
{
    uint64_t low = j->filesize[0], high = j->filesize[1];
    if (low == high)
        return low;
    uint64_t size = low + rng_mix(index + 1) % (high - low + 1);
    uint64_t whole = size - size % bs;
    return whole < low || !whole ? size : whole;
}

/* Of `size`; the first files take what is left over, a block each. 0 = none is given. */
static uint64_t share_of_size(const struct job *j, size_t files, size_t index, uint64_t bs)
{
    uint64_t each = j->size.bytes / files;
    return each + ((j->size.bytes - each * files) / bs > index ? bs : 0);
}

int target_place_of(const struct job *j, size_t files, size_t index, uint64_t has, bool append,
                    struct target_place *ret)
{
    uint64_t bs = smallest_bs(j), size = share_of_size(j, files, index, bs), last;
    bool own_size = j->filesize[0] != 0;
    struct target_place p = {.bytes = UINT64_MAX, .bound = has};
    if (own_size)
        p.bound = chosen_size(j, index, bs);
    uint64_t base = has ? has : own_size ? p.bound : size;
    p.offset = append ? has : j->offset.pct ? share_of(base, j->offset.pct) : j->offset.bytes;
    p.step = append                    ? 0
             : j->offset_increment.pct ? share_of(base, j->offset_increment.pct)
                                       : j->offset_increment.bytes;
    if (j->offset.pct && !append)
        p.align = j->offset_align ? j->offset_align : bs;
    if (append) {
        p.bytes = own_size ? p.bound : size;
        p.bound = UINT64_MAX;
    } else if (j->size.pct) {
        p.bytes = share_of(p.bound, j->size.pct);
        p.unit = bs;
    } else if (size && !own_size) {
        p.bytes = size;
        p.bound = UINT64_MAX;
    }
    if (__builtin_mul_overflow(p.step, (uint64_t)JOB_MAX_CLONES, &last) || last > INT64_MAX ||
        p.offset > INT64_MAX || (p.bound == UINT64_MAX && p.bytes > INT64_MAX - p.offset))
        return -EINVAL;
    *ret = p;
    return 0;
}

void target_place_region(const struct target_place *p, unsigned clone, uint64_t *ret_begin, uint64_t *ret_end)
{
    uint64_t begin = p->offset + clone * p->step, end = p->bound;
    if (p->align)
        begin = (begin + p->align - 1) / p->align * p->align;
    if (p->bytes != UINT64_MAX &&
        (p->bound == UINT64_MAX || p->bytes < p->bound - (begin < p->bound ? begin : p->bound)))
        end = begin + p->bytes;
    if (p->unit && end > begin)
        end -= (end - begin) % p->unit;
    *ret_begin = begin;
    *ret_end = end;
}
