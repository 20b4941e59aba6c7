/* overlap: a dense list of ranges; one that goes is replaced by the last.
 * Allocates at its init alone. */
#include "engine/overlap.h"

#include <errno.h>
#include <stdlib.h>

int overlap_init(struct overlap *o, unsigned slots)
{
    *o = (struct overlap){.slots = slots};
    o->range = calloc(slots, sizeof(*o->range));
    o->place = calloc(slots, sizeof(*o->place));
    if (o->range && o->place)
        return 0;
    overlap_fini(o);
    return -ENOMEM;
}

void overlap_fini(struct overlap *o)
{
    free(o->range);
    free(o->place);
    *o = (struct overlap){0};
}

bool overlap_conflicts(const struct overlap *o, uint32_t target, uint64_t begin, uint64_t len, bool changes)
{
    for (unsigned i = 0; i < o->n; i++) {
        const struct overlap_range *r = &o->range[i];
        if (r->begin < begin + len && begin < r->end && r->target == target && (changes || r->changes))
            return true;
    }
    return false;
}

void overlap_add(struct overlap *o, unsigned slot, uint32_t target, uint64_t begin, uint64_t len, bool changes)
{
    o->range[o->n] = (struct overlap_range){begin, begin + len, target, (uint16_t)slot, changes};
    o->place[slot] = ++o->n;
}

void overlap_remove(struct overlap *o, unsigned slot)
{
    if (!o->place[slot])
        return;
    unsigned i = o->place[slot] - 1;
    o->place[slot] = 0;
    o->range[i] = o->range[--o->n];
    if (i < o->n)
        o->place[o->range[i].slot] = i + 1;
}
