/* counters: what one worker did on one target. Cumulative, written by the worker alone (relaxed atomics),
 * never reset: readers snapshot and subtract. Lives in anonymous mappings whose untouched pages cost nothing. */
#ifndef ENGINE_COUNTERS_H
#define ENGINE_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "core/hist.h"
#include "engine/ddir.h"

struct dir_counters {
    uint64_t ios, bytes;      /* completed */
    uint64_t short_ios, errors;
    struct hist clat;         /* ns, stamp before submit to stamp after reap; one record an I/O that succeeded */
    struct hist rlat;         /* ns, from the intended start. A worker that was never paced has none: it would equal
                                 clat, and is taken from there by counters_add. In a sum it is always whole */
};

struct counters {
    struct dir_counters dir[DDIRS];
    uint64_t syncs;           /* fsync, fdatasync */
    struct hist sync_lat;
};

/* n of them, zero, in one anonymous mapping. NULL when there is no memory. */
struct counters *counters_map(size_t n);
void counters_unmap(struct counters *c, size_t n);

void counters_clear(struct counters *c); /* private: back to nothing, touching only what was used */

/* dst (private) += a snapshot of src (live). Directions without I/O are skipped. */
void counters_add(struct counters *dst, const struct counters *src);
/* The same, but what is added agrees with itself though src goes on: ios is the number of records. bs is the size
 * of its requests now; scratch is overwritten. */
void counters_add_settled(struct counters *dst, const struct counters *src, uint64_t bs, struct counters *scratch);
/* dst -= before, an earlier sum of the same. */
void counters_sub(struct counters *dst, const struct counters *before);

static inline void counter_add(uint64_t *c, uint64_t n) /* owner only */
{
    __atomic_store_n(c, *c + n, __ATOMIC_RELAXED);
}
static inline uint64_t counter_get(const uint64_t *c)
{
    return __atomic_load_n(c, __ATOMIC_RELAXED);
}

#endif
