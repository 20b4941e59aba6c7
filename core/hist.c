/* hist: merging, subtracting and reading log-linear histograms.
 * Does not record (hist.h does, inline) and never writes to the histogram of another thread. */
#include "core/hist.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The buckets that can hold something: [lo, hi), empty when nothing was recorded. */
struct span {
    unsigned lo, hi;
};

static struct span span_of(uint64_t min, uint64_t max)
{
    if (min > max)
        return (struct span){0, 0};
    return (struct span){hist_index(min), hist_index(max) + 1};
}

static uint64_t load(const uint64_t *p)
{
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}

uint64_t hist_lower(unsigned index)
{
    if (index < 2 * HIST_SUB)
        return index;
    unsigned shift = (index >> HIST_BITS) - 1;
    return (uint64_t)(HIST_SUB + (index & (HIST_SUB - 1))) << shift;
}

/* Size of the bucket, in values. */
static uint64_t width(unsigned index)
{
    return index < 2 * HIST_SUB ? 1 : 1ull << ((index >> HIST_BITS) - 1);
}

uint64_t hist_upper(unsigned index)
{
    return hist_lower(index) + (width(index) - 1);
}

uint64_t hist_mid(unsigned index)
{
    return hist_lower(index) + width(index) / 2;
}

void hist_init(struct hist *h)
{
    memset(h, 0, sizeof *h);
    hist_init_lazy(h);
}

void hist_seed(struct hist *empty, const struct hist *src)
{
    struct span sp = span_of(src->min, src->max);
    for (unsigned i = sp.lo; i < sp.hi; i++)
        __atomic_store_n(&empty->count[i], src->count[i], __ATOMIC_RELAXED);
    __atomic_store_n(&empty->sum, src->sum, __ATOMIC_RELAXED);
    __atomic_store_n(&empty->max, src->max, __ATOMIC_RELEASE);
    __atomic_store_n(&empty->min, src->min, __ATOMIC_RELEASE); /* last: until then it is empty */
}

void hist_merge_both(struct hist *dst, struct hist *also, const struct hist *src)
{
    uint64_t min = load(&src->min), max = load(&src->max), sum = load(&src->sum);
    struct span sp = span_of(min, max);
    struct hist *to[] = {dst, also};
    for (unsigned i = sp.lo; i < sp.hi; i++) {
        uint64_t n = load(&src->count[i]);
        dst->count[i] += n;
        also->count[i] += n;
    }
    for (unsigned i = 0; i < 2; i++) {
        to[i]->sum += sum;
        to[i]->min = min < to[i]->min ? min : to[i]->min;
        to[i]->max = max > to[i]->max ? max : to[i]->max;
    }
}

void hist_clear(struct hist *h)
{
    struct span sp = span_of(h->min, h->max);
    memset(&h->count[sp.lo], 0, (sp.hi - sp.lo) * sizeof h->count[0]);
    h->sum = h->max = 0;
    hist_init_lazy(h);
}

/* The writer stores the bucket first, then min and max. So min and max are read first: whatever lies between
 * them has its bucket already, and no bucket outside them is taken. */
void hist_snapshot(struct hist *dst, const struct hist *src)
{
    hist_init(dst);
    hist_merge(dst, src);
}

void hist_merge(struct hist *dst, const struct hist *src)
{
    uint64_t min = load(&src->min), max = load(&src->max);
    struct span sp = span_of(min, max);
    dst->sum += load(&src->sum);
    for (unsigned i = sp.lo; i < sp.hi; i++)
        dst->count[i] += load(&src->count[i]);
    if (min < dst->min)
        dst->min = min;
    if (max > dst->max)
        dst->max = max;
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

void hist_sub(struct hist *dst, const struct hist *before)
{
    struct span sp = span_of(dst->min, dst->max);
    unsigned first = HIST_BUCKETS, last = 0;
    for (unsigned i = sp.lo; i < sp.hi; i++) {
        dst->count[i] = less(dst->count[i], before->count[i]);
        if (dst->count[i] == 0)
            continue;
        first = first < i ? first : i;
        last = i;
    }
    dst->sum = less(dst->sum, before->sum);
    if (first == HIST_BUCKETS) {
        dst->sum = 0;
        dst->min = UINT64_MAX;
        dst->max = 0;
        return;
    }
    if (hist_lower(first) > dst->min)
        dst->min = hist_lower(first);
    if (hist_upper(last) < dst->max)
        dst->max = hist_upper(last);
}

uint64_t hist_n(const struct hist *h)
{
    struct span sp = span_of(h->min, h->max);
    uint64_t n = 0;
    for (unsigned i = sp.lo; i < sp.hi; i++)
        n += h->count[i];
    return n;
}

/* Kept within [min, max]: a snapshot may hold a record's bucket but not yet its sum. */
static double mean_of(const struct hist *h, uint64_t n)
{
    return fmin(fmax((double)h->sum / (double)n, (double)h->min), (double)h->max);
}

double hist_mean(const struct hist *h)
{
    uint64_t n = hist_n(h);
    return n ? mean_of(h, n) : NAN;
}

/* The value that stands for a bucket: its middle, but nothing that cannot have been recorded. */
static double value_of(const struct hist *h, unsigned index)
{
    uint64_t v = hist_mid(index);
    return (double)(v < h->min ? h->min : v > h->max ? h->max : v);
}

double hist_stddev(const struct hist *h)
{
    uint64_t n = hist_n(h);
    if (n < 2)
        return n ? 0 : NAN;
    struct span sp = span_of(h->min, h->max);
    double mean = mean_of(h, n), sum = 0;
    for (unsigned i = sp.lo; i < sp.hi; i++) {
        if (h->count[i] == 0)
            continue;
        double d = value_of(h, i) - mean;
        sum += d * d * (double)h->count[i];
    }
    return sqrt(sum / (double)(n - 1));
}

/* ceil(pct/100*n) with room for the rounding of pct: 99.9 % of 1000 is 999, not 1000. */
static uint64_t rank_of(double pct, uint64_t n)
{
    long double x = (long double)pct * (long double)n / 100;
    uint64_t r = (uint64_t)ceill(x - x * 1e-14L);
    return r < 1 ? 1 : r > n ? n : r;
}

void hist_percentiles(const struct hist *h, const double *pct, size_t n, double *ret)
{
    struct span sp = span_of(h->min, h->max);
    uint64_t total = hist_n(h), seen = 0;
    size_t k = 0;
    uint64_t rank = n ? rank_of(pct[0], total) : 0;
    for (unsigned i = sp.lo; total && i < sp.hi && k < n; i++) {
        seen += h->count[i];
        while (k < n && seen >= rank) {
            ret[k++] = value_of(h, i);
            rank = k < n ? rank_of(pct[k], total) : 0;
        }
    }
    while (k < n)
        ret[k++] = NAN;
}

double hist_percentile(const struct hist *h, double pct)
{
    double v;
    hist_percentiles(h, &pct, 1, &v);
    return v;
}

size_t hist_nonempty(const struct hist *h)
{
    struct span sp = span_of(h->min, h->max);
    size_t n = 0;
    for (unsigned i = sp.lo; i < sp.hi; i++)
        n += h->count[i] != 0;
    return n;
}

size_t hist_bins(const struct hist *h, struct hist_bin *bin, size_t cap)
{
    struct span sp = span_of(h->min, h->max);
    size_t n = 0;
    for (unsigned i = sp.lo; i < sp.hi && n < cap; i++)
        if (h->count[i])
            bin[n++] = (struct hist_bin){.index = i, .count = h->count[i]};
    return n;
}
