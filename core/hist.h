/* hist: a log-linear histogram of nanoseconds: record, merge, subtract, percentiles.
 * Written by one thread, read by any at any time (relaxed atomics); never reset while it is written.
 *
 * Layout: values below 2*HIST_SUB are exact; above, each octave has HIST_SUB linear buckets, so a bucket is
 * at most 1/64 of its lower bound wide and its middle is off by at most 1/128 (0.78 %). All of uint64_t is
 * covered: nothing is clamped. fio's clat bins have the same layout (stat.h, FIO_IO_U_PLAT_BITS 6), so
 * tools that read its json+ bins read ours. */
#ifndef CORE_HIST_H
#define CORE_HIST_H

#include <stddef.h>
#include <stdint.h>

#ifndef HIST_BITS /* tests build it again with tiny constants so that edges happen */
#define HIST_BITS 6
#endif
#define HIST_SUB (1u << HIST_BITS)
#define HIST_BUCKETS ((64 - HIST_BITS + 1) * HIST_SUB)

struct hist {
    uint64_t sum;             /* of all values, ns; wraps after 584 years of latency */
    uint64_t min, max;        /* valid while something was recorded; exact; after hist_sub: see there */
    uint64_t count[HIST_BUCKETS];
};

static inline unsigned hist_index(uint64_t v)
{
    if (v < 2 * HIST_SUB)
        return (unsigned)v;
    unsigned shift = 63 - HIST_BITS - (unsigned)__builtin_clzll(v);
    return (shift << HIST_BITS) + (unsigned)(v >> shift);
}

uint64_t hist_lower(unsigned index); /* smallest value of the bucket */
uint64_t hist_upper(unsigned index); /* largest value of the bucket */
uint64_t hist_mid(unsigned index);   /* the value reported for it */

void hist_init(struct hist *h); /* all zero, min = UINT64_MAX; zeroed memory needs only hist_init_lazy */
void hist_clear(struct hist *h); /* empty again; of one that was init'ed, and touches what it used alone */

/* For freshly mapped zero pages: sets min alone so that untouched bucket pages stay unbacked. */
static inline void hist_init_lazy(struct hist *h)
{
    h->min = UINT64_MAX;
}

/* Adds n times the value v. Owner thread only. */
static inline void hist_record(struct hist *h, uint64_t v, uint64_t n)
{
    uint64_t *c = &h->count[hist_index(v)];
    __atomic_store_n(c, *c + n, __ATOMIC_RELAXED);
    __atomic_store_n(&h->sum, h->sum + v * n, __ATOMIC_RELAXED);
    if (v < h->min)
        __atomic_store_n(&h->min, v, __ATOMIC_RELAXED);
    if (v > h->max)
        __atomic_store_n(&h->max, v, __ATOMIC_RELAXED);
}

/* An empty histogram becomes the copy of another. The owner of both calls it; a reader beside it sees nothing or
 * all of it, as with hist_record. */
void hist_seed(struct hist *empty, const struct hist *src);

/* A private copy of a histogram that another thread writes. Buckets are read one by one: the copy may miss
 * the newest records but is never torn within a bucket. */
void hist_snapshot(struct hist *dst, const struct hist *src);
void hist_merge(struct hist *dst, const struct hist *src); /* dst += src */
/* Both += src, from one reading of it. */
void hist_merge_both(struct hist *dst, struct hist *also, const struct hist *src);
/* dst -= before, where before is an earlier snapshot of the same histogram. min and max become the bounds of
 * the lowest and highest bucket left (within 1/64), tightened by the old exact ones. */
void hist_sub(struct hist *dst, const struct hist *before);

uint64_t hist_n(const struct hist *h);
double hist_mean(const struct hist *h);   /* sum / n; NAN when empty */
double hist_stddev(const struct hist *h); /* from bucket middles; NAN when empty */
/* Nearest-rank percentile: the middle of the bucket that holds the ceil(pct/100*n)-th smallest value, kept
 * within [min, max]. pct in (0, 100]. NAN when empty. */
double hist_percentile(const struct hist *h, double pct);
/* Several at once in one pass; pct[] ascending. */
void hist_percentiles(const struct hist *h, const double *pct, size_t n, double *ret);

/* The non-empty buckets alone: what a frame carries. */
struct hist_bin {
    uint32_t index;
    uint64_t count;
};
struct hist_sparse {
    size_t n;
    const struct hist_bin *bin; /* ascending index; owned by the frame */
};
size_t hist_nonempty(const struct hist *h);
/* Fills at most cap bins, ascending; returns how many were filled. */
size_t hist_bins(const struct hist *h, struct hist_bin *bin, size_t cap);

#endif
