/* overlap: the ranges of the requests of one worker that are in flight, so that none is issued that another one,
 * of which at least one changes the data, might overtake. Knows no requests; a slot is a number below `slots`. */
#ifndef ENGINE_OVERLAP_H
#define ENGINE_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

struct overlap {
    struct overlap_range {
        uint64_t begin, end;
        uint32_t target;
        uint16_t slot;
        bool changes;
    } * range;       /* n, without order: as many as are in flight are looked at */
    uint32_t *place; /* of a slot, + 1; 0: not in flight */
    unsigned n, slots;
};

int overlap_init(struct overlap *o, unsigned slots); /* 0 or -ENOMEM */
void overlap_fini(struct overlap *o);

/* Does one in flight share a byte with this one, and is one of both a write or a trim? */
bool overlap_conflicts(const struct overlap *o, uint32_t target, uint64_t begin, uint64_t len, bool changes);
void overlap_add(struct overlap *o, unsigned slot, uint32_t target, uint64_t begin, uint64_t len, bool changes);
void overlap_remove(struct overlap *o, unsigned slot); /* nothing when it is not there */

#endif
