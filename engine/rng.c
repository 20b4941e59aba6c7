/* rng: filling memory with random bytes.
 * The generator itself is inline, in the header. */
#include "engine/rng.h"

#include <string.h>

void rng_fill(struct rng *r, void *dst, size_t n)
{
    unsigned char *p = dst;
    for (; n >= sizeof(uint64_t); p += sizeof(uint64_t), n -= sizeof(uint64_t)) {
        uint64_t v = rng_next(r);
        memcpy(p, &v, sizeof(v));
    }
    if (n) {
        uint64_t v = rng_next(r);
        memcpy(p, &v, n);
    }
}
