/* blocksize: how large the next request is: one size, an even mix of a range (bsrange) or weighted sizes (bssplit).
 * Knows one direction and nothing of offsets (cover.h, pattern.h).
 *
 * A range gives the multiples of its smallest size, each as often (fio gives the largest up to twice that), or with
 * `unaligned` every number of bytes in it. */
#ifndef ENGINE_BLOCKSIZE_H
#define ENGINE_BLOCKSIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "engine/ddir.h"
#include "engine/rng.h"

#define BLOCKSIZE_MIN 512u
#define BLOCKSIZE_MAX (16u << 20)
#define BLOCKSIZE_SPLITS 64

struct blocksize {
    uint32_t min, max;
    uint32_t step;                    /* of a range: sizes are multiples of it; 0: max - min is in bytes */
    unsigned n;                       /* weighted sizes, the smallest first; 0: an even range */
    uint32_t size[BLOCKSIZE_SPLITS];
    uint64_t below[BLOCKSIZE_SPLITS]; /* a 32-bit random number below it, and not below the one before, means it */
};

void blocksize_one(struct blocksize *b, uint32_t size);
void blocksize_range(struct blocksize *b, uint32_t min, uint32_t max, bool unaligned);

/* "4k-64k" and "4k/10:64k/50:32k/" (empty shares divide the rest), each with up to three parts for read, write and
 * trim, apart by commas; what is left out is as in the part before. 0 or -EINVAL with a sentence that begins with the
 * word; ret is untouched then. */
int blocksize_parse_range(const char *text, bool unaligned, struct blocksize ret[DDIRS], struct err *err);
int blocksize_parse_split(const char *text, struct blocksize ret[DDIRS], struct err *err);

static inline bool blocksize_mixed(const struct blocksize *b)
{
    return b->min != b->max;
}

uint32_t blocksize_draw(const struct blocksize *b, struct rng *r);
uint32_t blocksize_fit(const struct blocksize *b, uint64_t room); /* the largest that fits in; 0 = none */
double blocksize_share(const struct blocksize *b, unsigned i);     /* of weighted size i, 0 … 1 */
double blocksize_mean(const struct blocksize *b);
bool blocksize_multiple(const struct blocksize *b, uint32_t of);   /* is every size a multiple of it? */
bool blocksize_same(const struct blocksize *a, const struct blocksize *b);

#endif
