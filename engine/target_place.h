/* target_place: where in a target each clone works: size, filesize, offset, offset_increment, in bytes or shares,
 * as fio reckons them. Looks at no file; what a region must fit is target_fit.c's. */
#ifndef ENGINE_TARGET_PLACE_H
#define ENGINE_TARGET_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/job.h"

struct target_place {
    uint64_t offset, step; /* of clone 0; from clone to clone */
    uint64_t align;        /* begin is rounded up to it; 0 = not */
    uint64_t bytes;        /* from begin on; UINT64_MAX: up to `bound` */
    uint64_t bound;        /* the end is never beyond it */
    uint64_t unit;         /* the length is a multiple of it; 0 = any */
};

/* Of file number `index` of `files` of a clone, which holds `has` bytes (0: it is not there yet); `append`: from
 * its end on. 0, or -EINVAL: beyond what a file can be. */
int target_place_of(const struct job *j, size_t files, size_t index, uint64_t has, bool append,
                    struct target_place *ret);

/* May be empty (*ret_end <= *ret_begin) where the offset lies behind the end. */
void target_place_region(const struct target_place *p, unsigned clone, uint64_t *ret_begin, uint64_t *ret_end);

#endif
