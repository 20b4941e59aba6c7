/* rng: fast pseudo-random numbers for offsets, mixes and data that does not compress.
 * Not for secrets. One generator a thread; the same seed gives the same run. */
#ifndef ENGINE_RNG_H
#define ENGINE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
    uint64_t state;
};

/* A bijection of 64-bit words in which every input bit reaches every output bit (the finalizer of SplitMix64,
 * Steele, Lea and Flood 2014). Good for turning small numbers (a clone, a pass) into seeds. */
static inline uint64_t rng_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

static inline void rng_seed(struct rng *r, uint64_t seed)
{
    r->state = rng_mix(seed + 0x9e3779b97f4a7c15ull);
}

static inline uint64_t rng_next(struct rng *r)
{
    return rng_mix(r->state += 0x9e3779b97f4a7c15ull);
}

/* A number below n (n > 0), without a division; the bias is below n / 2^64. */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)rng_next(r) * n) >> 64);
}

/* A number in [0, 1) whose small values are as dense as a double allows: the first draw gives steps of 2^-53, and
 * where it comes out below 2^-11 a second one fills in the bits that are missing. */
static inline double rng_unit(struct rng *r)
{
    uint64_t hi = rng_next(r) >> 11;
    double unit = (double)hi * 0x1p-53;
    if (__builtin_expect(hi >> 42 == 0, 0))
        unit += (double)(rng_next(r) >> 11) * 0x1p-106;
    return unit;
}

/* Fills n bytes with data that no compressor shrinks. */
void rng_fill(struct rng *r, void *dst, size_t n);

#endif
