/* perm: the numbers 0 … n-1, each exactly once a pass, in a random order that needs no memory.
 * Knows nothing of bytes or targets (pattern.h does).
 *
 * A counter of just enough bits goes through a chain of steps each of which is a bijection on words of that many
 * bits (xor with a key, multiplication by an odd number, xor with itself shifted right); results that are not
 * below n are skipped. Fewer than half are, since 2^bits < 2n. No division, no table, no bitmap. */
#ifndef ENGINE_PERM_H
#define ENGINE_PERM_H

#include <stdint.h>

#define PERM_ROUNDS 3

struct perm {
    uint64_t n, mask, next; /* next: the counter; mask = 2^bits - 1 */
    uint64_t key, mul[PERM_ROUNDS];
    uint64_t seed, pass;
    unsigned shift;
};

void perm_init(struct perm *p, uint64_t n, uint64_t seed); /* n > 0 */
void perm_restart(struct perm *p); /* the next pass, in another order; perm_next calls it */

static inline uint64_t perm_at(const struct perm *p, uint64_t x)
{
    x ^= p->key;
    for (unsigned i = 0; i < PERM_ROUNDS; i++) {
        x = (x * p->mul[i]) & p->mask;
        x ^= x >> p->shift;
    }
    return x;
}

/* Where number x < n lies in the order of this pass, without moving the counter: also a bijection of 0 … n-1. */
static inline uint64_t perm_place(const struct perm *p, uint64_t x)
{
    do {
        x = perm_at(p, x);
    } while (x >= p->n);
    return x;
}

static inline uint64_t perm_next(struct perm *p)
{
    uint64_t x;
    do {
        if (__builtin_expect(p->next > p->mask, 0))
            perm_restart(p);
        x = perm_at(p, p->next++);
    } while (x >= p->n);
    return x;
}

#endif
