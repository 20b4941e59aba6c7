/* cover: which size a chunk has, and the walk.
 * How they fit together is in the header. */
#include "engine/cover.h"

#include <math.h>
#include <string.h>

#define GOLDEN 0x9e3779b97f4a7c15ull /* 2^64 over the golden ratio */

/* Largest sizes of a range in one chunk: the more, the fewer pieces are remainders; but chunks must be many. */
#define RANGE_LEAST 4u
#define RANGE_MOST 64u
#define RANGE_CHUNKS 256u

static uint64_t chunk_of(const struct cover *c, const struct cover_mix *m)
{
    uint64_t fit = c->units / m->most / RANGE_CHUNKS;
    if (m->n || m->most == 1)
        return m->most;
    return m->most * (fit < RANGE_LEAST ? RANGE_LEAST : fit > RANGE_MOST ? RANGE_MOST : fit);
}

/* Of chunks with pieces of a size, ceil(chunk / size) requests come: so many times fewer chunks have it. */
static void weigh(struct cover_mix *m, const struct blocksize *b)
{
    double weight[BLOCKSIZE_SPLITS], sum = 0, part = 0;
    for (unsigned i = 0; i < b->n; i++) {
        m->pieces[i] = b->size[i] / m->unit;
        weight[i] = blocksize_share(b, i) / (double)((m->most + m->pieces[i] - 1) / m->pieces[i]);
        sum += weight[i];
    }
    for (unsigned i = 0; i < b->n; i++) {
        part += weight[i];
        m->below[i] = (uint64_t)(part / sum * 0x1p32 + 0.5);
    }
    m->n = b->n;
}

void cover_mix(struct cover_mix *m, const struct blocksize *b)
{
    memset(m, 0, sizeof(*m));
    m->unit = b->min;
    m->most = b->max / b->min;
    if (b->n)
        weigh(m, b);
}

void cover_init(struct cover *c, const struct cover_mix *m, uint64_t bytes, uint64_t seed)
{
    c->units = bytes / m->unit;
    c->chunk = chunk_of(c, m);
    c->start = rng_mix(seed + 1);
    perm_init(&c->perm, c->units, seed);
}

/* Of a range each size comes as often, so a chunk has it in proportion to the size: the inverse of k (k + 1). */
static uint32_t range_size(const struct cover_mix *m, uint32_t x)
{
    double all = (double)m->most * (m->most + 1.0);
    uint32_t k = (uint32_t)((1 + sqrt(1 + 4 * (double)x * 0x1p-32 * all)) / 2);
    return k < m->most ? k : m->most;
}

static uint32_t piece_size(const struct cover *c, const struct cover_mix *m, uint64_t chunk)
{
    uint32_t x = (uint32_t)((c->start + chunk * GOLDEN) >> 32);
    unsigned i = 0;
    if (!m->n)
        return range_size(m, x);
    while (i + 1 < m->n && x >= m->below[i])
        i++;
    return m->pieces[i];
}

void cover_next(struct cover *c, const struct cover_mix *m, uint64_t *ret_at, uint32_t *ret_len)
{
    for (;;) {
        uint64_t u = perm_next(&c->perm), chunk = u / c->chunk, in = u % c->chunk;
        uint32_t size = piece_size(c, m, chunk);
        if (in % size)
            continue;
        uint64_t left = c->chunk - in, behind = c->units - u;
        left = left < behind ? left : behind;
        *ret_at = u * m->unit;
        *ret_len = (uint32_t)(size < left ? size : left) * m->unit;
        return;
    }
}
