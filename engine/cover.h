/* cover: every byte of a region once a pass, at random, in pieces of mixed sizes, without a map.
 * Knows one direction of one region; sizes are multiples of the smallest.
 *
 * The region is cut into chunks, and each chunk into pieces of one size. Which size a chunk has follows from its
 * number by a sequence that fills 0 … 1 evenly (multiples of the golden ratio), so that the share of each size among
 * the requests is right to within a chunk or two, not only on average. A permutation goes through the blocks of the
 * smallest size; one at which no piece begins is passed over. That costs a few ns a block, so a large request takes
 * longer to find, in proportion to its bytes. The last piece of a chunk, and of the region, is what is left. */
#ifndef ENGINE_COVER_H
#define ENGINE_COVER_H

#include <stdint.h>

#include "engine/blocksize.h"
#include "engine/perm.h"

struct cover_mix { /* of a direction */
    uint32_t unit;                    /* bytes: the smallest size */
    uint32_t most;                    /* the largest, in units */
    unsigned n;                       /* weighted sizes; 0: a range */
    uint32_t pieces[BLOCKSIZE_SPLITS];/* size in units */
    uint64_t below[BLOCKSIZE_SPLITS]; /* of the sequence, 32 bits: shares of the chunks */
};

struct cover { /* of a region */
    struct perm perm;
    uint64_t units, chunk;            /* of the region, of a chunk, in blocks of the smallest size */
    uint64_t start;                   /* of the sequence */
};

void cover_mix(struct cover_mix *m, const struct blocksize *b); /* every size is a multiple of b->min */
void cover_init(struct cover *c, const struct cover_mix *m, uint64_t bytes, uint64_t seed); /* bytes >= m->unit */
void cover_next(struct cover *c, const struct cover_mix *m, uint64_t *ret_at, uint32_t *ret_len); /* at: bytes from
                                                                                                    the beginning */

#endif
