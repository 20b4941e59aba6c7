/* perm: the keys of a pass.
 * The permutation itself is inline, in the header. */
#include "engine/perm.h"

#include "engine/rng.h"

void perm_init(struct perm *p, uint64_t n, uint64_t seed)
{
    unsigned bits = n > 2 ? 64 - (unsigned)__builtin_clzll(n - 1) : 1;
    *p = (struct perm){
        .n = n,
        .mask = bits < 64 ? (1ull << bits) - 1 : UINT64_MAX,
        .seed = seed,
        .shift = (bits + 1) / 2,
    };
    perm_restart(p);
}

void perm_restart(struct perm *p)
{
    struct rng r;
    rng_seed(&r, p->seed + rng_mix(p->pass++));
    p->key = rng_next(&r) & p->mask;
    for (unsigned i = 0; i < PERM_ROUNDS; i++)
        p->mul[i] = rng_next(&r) | 1;
    p->next = 0;
}
