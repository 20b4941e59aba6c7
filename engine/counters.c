/* counters: mapping, summing and subtracting what workers did.
 * Never writes to the counters of a live worker. */
#include "engine/counters.h"

#include <stdbool.h>
#include <sys/mman.h>

#define SETTLE_TRIES 200

static void init_mins(struct counters *c)
{
    for (unsigned d = 0; d < DDIRS; d++) {
        hist_init_lazy(&c->dir[d].clat);
        hist_init_lazy(&c->dir[d].rlat);
    }
    hist_init_lazy(&c->sync_lat);
}

struct counters *counters_map(size_t n)
{
    void *p = mmap(NULL, n * sizeof(struct counters), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    struct counters *c = p;
    for (size_t i = 0; i < n; i++)
        init_mins(&c[i]);
    return c;
}

void counters_unmap(struct counters *c, size_t n)
{
    if (c)
        munmap(c, n * sizeof(*c));
}

/* A request counts in ios or in errors as soon as it ends, so a direction without either has nothing else. */
static bool idle(const struct dir_counters *d)
{
    return !counter_get(&d->ios) && !counter_get(&d->errors);
}

static bool empty(const struct hist *h)
{
    return __atomic_load_n(&h->min, __ATOMIC_ACQUIRE) == UINT64_MAX;
}

static void add_dir(struct dir_counters *dst, const struct dir_counters *src)
{
    dst->ios += counter_get(&src->ios);
    dst->bytes += counter_get(&src->bytes);
    dst->short_ios += counter_get(&src->short_ios);
    dst->errors += counter_get(&src->errors);
    if (empty(&src->rlat)) {
        hist_merge_both(&dst->clat, &dst->rlat, &src->clat);
        return;
    }
    hist_merge(&dst->clat, &src->clat);
    hist_merge(&dst->rlat, &src->rlat);
}

void counters_add(struct counters *dst, const struct counters *src)
{
    for (unsigned d = 0; d < DDIRS; d++)
        if (!idle(&src->dir[d]))
            add_dir(&dst->dir[d], &src->dir[d]);
    uint64_t syncs = counter_get(&src->syncs);
    if (!syncs)
        return;
    dst->syncs += syncs;
    hist_merge(&dst->sync_lat, &src->sync_lat);
}

static void clear_dir(struct dir_counters *d)
{
    if (!d->ios && !d->errors)
        return;
    d->ios = d->bytes = d->short_ios = d->errors = 0;
    hist_clear(&d->clat);
    hist_clear(&d->rlat);
}

void counters_clear(struct counters *c)
{
    for (unsigned d = 0; d < DDIRS; d++)
        clear_dir(&c->dir[d]);
    if (c->syncs)
        hist_clear(&c->sync_lat);
    c->syncs = 0;
}

static bool agrees(const struct dir_counters *d)
{
    return hist_n(&d->clat) == d->ios && hist_n(&d->rlat) == d->ios;
}

static bool consistent(const struct counters *c)
{
    for (unsigned d = 0; d < DDIRS; d++)
        if (!agrees(&c->dir[d]))
            return false;
    return true;
}

/* What a worker too fast to be caught between two requests leaves apart is a few of the same size. */
static void settle(struct counters *c, uint64_t bs)
{
    for (unsigned i = 0; i < DDIRS; i++) {
        struct dir_counters *d = &c->dir[i];
        uint64_t n = hist_n(&d->clat);
        d->bytes += (n - d->ios) * bs;
        d->ios = n;
    }
}

void counters_add_settled(struct counters *dst, const struct counters *src, uint64_t bs, struct counters *scratch)
{
    for (unsigned tries = 0; tries < SETTLE_TRIES; tries++) {
        counters_clear(scratch);
        counters_add(scratch, src);
        if (consistent(scratch))
            break;
    }
    settle(scratch, bs);
    counters_add(dst, scratch);
}

static void sub_dir(struct dir_counters *dst, const struct dir_counters *before)
{
    dst->ios -= before->ios;
    dst->bytes -= before->bytes;
    dst->short_ios -= before->short_ios;
    dst->errors -= before->errors;
    hist_sub(&dst->clat, &before->clat);
    hist_sub(&dst->rlat, &before->rlat);
}

void counters_sub(struct counters *dst, const struct counters *before)
{
    for (unsigned d = 0; d < DDIRS; d++)
        sub_dir(&dst->dir[d], &before->dir[d]);
    dst->syncs -= before->syncs;
    hist_sub(&dst->sync_lat, &before->sync_lat);
}
