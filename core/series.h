/* series: a fixed ring of doubles, one a time bucket, with NAN for "no value".
 * Buckets are aligned to the time axis, not to ticks; it does not know what it holds. Bucket k is the time
 * (k * bucket_ns, (k + 1) * bucket_ns]: a tick on an edge ends a bucket and does not begin an empty one. */
#ifndef CORE_SERIES_H
#define CORE_SERIES_H

#include <stddef.h>
#include <stdint.h>

struct series {
    size_t cap;         /* buckets kept */
    uint64_t bucket_ns; /* width of a bucket on the time axis */
    uint64_t newest;    /* number k of the newest bucket; valid while used > 0 */
    size_t used;
    double *mean;   /* ring of means, slot = number % cap; NAN = no value */
    double weight;  /* ns that went into the newest bucket so far */
};

int series_init(struct series *s, size_t cap, uint64_t bucket_ns); /* 0 or -ENOMEM */
void series_fini(struct series *s);

/* Adds a value that held for dt_ns up to t_ns (monotonic). Within a bucket values are averaged by time. A
 * skipped bucket stays NAN (a gap); NAN itself leaves a gap. Time that steps back is ignored. */
void series_add(struct series *s, uint64_t t_ns, uint64_t dt_ns, double value);

/* The bucket `back` steps before the one that holds t_ns (0 = that one); NAN where there is no value. */
double series_at(const struct series *s, uint64_t t_ns, size_t back);

/* Largest value in the last n buckets up to t_ns; NAN when there is none. */
double series_max(const struct series *s, uint64_t t_ns, size_t n);

#endif
