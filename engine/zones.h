/* zones: hot and cold parts of a region, in random_distribution=zoned:ACCESS/SIZE:... and zoned_abs.
 * Knows one direction; blocks within a zone are drawn evenly and with replacement, so that the shares of the accesses
 * hold for as long as the job runs (fio's random map empties the hot zones first).
 *
 * ACCESS percent of the requests go to the next SIZE percent (zoned) or bytes (zoned_abs) of the region. */
#ifndef ENGINE_ZONES_H
#define ENGINE_ZONES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "engine/ddir.h"
#include "engine/rng.h"

#define ZONES_MAX 256

struct zones {
    unsigned n;
    bool absolute;
    struct zone {
        uint64_t end;   /* percent * 1000, or bytes, from the beginning of the region */
        uint32_t below; /* a random number below 2^32 - 1 that is below it, and not below the one before, means it */
    } zone[ZONES_MAX];
};

/* What stands behind "zoned:" or "zoned_abs:": up to three parts for read, write and trim, apart by commas; one that
 * is left out is as the part before. Sizes in percent that are left out divide the rest. 0 or -EINVAL with a
 * sentence; ret is untouched then. */
int zones_parse(const char *text, bool absolute, struct zones ret[DDIRS], struct err *err);

/* A block among n > 0 of `unit` bytes. */
uint64_t zones_draw(const struct zones *z, uint64_t n, uint64_t unit, struct rng *r);
uint64_t zones_bytes(const struct zones *z); /* what zoned_abs needs; 0 for zoned */

#endif
