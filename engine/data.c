/* data: seeds to bytes, and which seed comes next.
 * Random bytes come eight at a time (rng.h); nothing is drawn byte by byte. */
#include "engine/data.h"

#include <string.h>

#define SECTOR 512u

/* ---- bytes ---- */

/* A compressor pays for what cannot be compressed, too: zlib about 5 bytes for each run, and a table of codes for
 * a block of which half is taken off here, since a whole file that is compressed at once needs it but rarely. */
uint64_t data_random_bytes(uint64_t bs, uint64_t chunk, unsigned pct)
{
    if (pct == 0 || pct >= 100)
        return pct ? 0 : chunk;
    double share = (100 - (double)pct) / 100, random = share * (double)chunk;
    double runs = bs > chunk ? (double)bs / (double)chunk : 1;
    double table = share * (double)(bs > chunk ? bs : chunk) / 28;
    double less = 5 + (table < 50 ? table : 50) / runs;
    double n = less < random / 2 ? random - less : random / 2;
    return n < 1 ? 1 : (uint64_t)(n + 0.5);
}

void data_fill(const struct data_spec *s, uint64_t seed, uint64_t offset, void *p, size_t n)
{
    struct rng r;
    unsigned char *b = p;
    if (s->plain) {
        filler_fill(&s->filler, p, n, offset);
        return;
    }
    rng_seed(&r, seed);
    if (!s->compress_pct) {
        rng_fill(&r, p, n);
        return;
    }
    size_t chunk = s->chunk < n ? s->chunk : n, most = data_random_bytes(n, chunk, s->compress_pct);
    for (size_t at = 0; at < n; at += chunk) {
        size_t len = n - at < chunk ? n - at : chunk, random = len < most ? len : most;
        rng_fill(&r, b + at, random);
        filler_fill(&s->filler, b + at + random, len - random, offset);
    }
}

/* ---- which ---- */

void data_init(struct data *d, uint64_t seed)
{
    *d = (struct data){.seed = rng_mix(seed)};
    rng_seed(&d->rng, d->seed);
}

/* Owed, not drawn: the share is right for any number of writes. */
static bool is_duplicate(struct data *d, unsigned pct)
{
    d->due += pct;
    if (d->due < 100 || !d->unique)
        return false;
    d->due -= 100;
    return true;
}

static uint64_t next_seed(struct data *d, const struct data_spec *s)
{
    if (s->dedupe_pct && is_duplicate(d, s->dedupe_pct)) {
        if (s->dedupe == DATA_REPEAT)
            return d->seed + d->last;
        uint64_t known = d->unique < s->set_blocks ? d->unique : s->set_blocks;
        return d->seed + rng_below(&d->rng, known);
    }
    d->last = d->unique++;
    return d->seed + d->last;
}

/* One word a sector, never zero. */
static void scramble(uint64_t word, unsigned char *p, size_t n)
{
    for (size_t at = 0; at + sizeof(word) <= n; at += SECTOR) {
        uint64_t v = (word + at * 0x9e3779b97f4a7c15ull) | 1;
        memcpy(p + at, &v, sizeof(v));
    }
}

static bool is_fresh(const void *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof(v));
    return !v;
}

void data_next(struct data *d, const struct data_spec *s, uint64_t offset, void *p, size_t n, size_t room)
{
    if (s->how == DATA_MADE) {
        data_fill(s, next_seed(d, s), offset, p, n);
        return;
    }
    if (is_fresh(p))
        data_fill(s, rng_mix(d->seed ^ d->unique), offset, p, room);
    scramble(rng_mix(d->seed + d->unique++), p, n);
}

/* ---- from a job ---- */

static enum data_how how_of(const struct job_content *j, const struct data_spec *s)
{
    if (s->compress_pct || s->dedupe_pct || (j->refill_buffers && !s->plain))
        return DATA_MADE;
    return j->scramble_buffers && !s->plain ? DATA_SCRAMBLED : DATA_SHARED;
}

static void plan_dedupe(const struct job_content *j, uint64_t blocks, struct data_spec *s)
{
    uint64_t set = (uint64_t)((unsigned __int128)blocks * j->dedupe_set_pct / 100);
    s->dedupe_pct = j->dedupe_pct;
    s->dedupe = (enum data_dedupe)j->dedupe_mode;
    s->set_blocks = set ? set : 1;
}

int data_plan(const struct job_content *j, uint64_t blocks, struct data_spec *ret, struct err *err)
{
    struct data_spec s = {0};
    int rc = j->pattern[0] ? filler_parse("buffer_pattern", j->pattern, false, &s.filler, err) : 0;
    if (rc < 0)
        return rc;
    plan_dedupe(j, blocks, &s);
    s.compress_pct = j->compress_pct;
    s.chunk = j->compress_chunk ? j->compress_chunk : UINT64_MAX;
    s.plain = !s.compress_pct && !s.dedupe_pct && (s.filler.len || j->zero_buffers);
    s.how = how_of(j, &s);
    s.once = s.plain && s.how == DATA_SHARED;
    *ret = s;
    return 0;
}
