/* series: a ring of time buckets, each the mean by time of what was added to it.
 * Does not know what it holds nor how it is drawn. */
#include "core/series.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

int series_init(struct series *s, size_t cap, uint64_t bucket_ns)
{
    *s = (struct series){.cap = cap, .bucket_ns = bucket_ns};
    s->mean = malloc((cap ? cap : 1) * sizeof *s->mean);
    return s->mean ? 0 : -ENOMEM;
}

void series_fini(struct series *s)
{
    free(s->mean);
    *s = (struct series){0};
}

/* A value holds up to its time, so a bucket is open on the left: (k * width, (k + 1) * width]. A tick that
 * falls on an edge thus ends the old bucket and does not begin an empty one. */
static uint64_t bucket_of(const struct series *s, uint64_t t_ns)
{
    return t_ns ? (t_ns - 1) / s->bucket_ns : 0;
}

static void open_bucket(struct series *s, uint64_t number)
{
    s->mean[number % s->cap] = NAN;
    s->newest = number;
    s->weight = 0;
    if (s->used < s->cap)
        s->used++;
}

/* Makes `number` the newest bucket; those skipped are gaps. */
static void advance(struct series *s, uint64_t number)
{
    if (s->used > 0 && number <= s->newest)
        return;
    if (s->used == 0 || number - s->newest > s->cap) {
        s->used = 0;
        open_bucket(s, number);
        return;
    }
    while (s->newest < number)
        open_bucket(s, s->newest + 1);
}

static void put(struct series *s, double ns, double value)
{
    double *m = &s->mean[s->newest % s->cap];
    if (isnan(*m) || s->weight <= 0) {
        *m = value;
        s->weight = ns;
        return;
    }
    s->weight += ns;
    *m += (value - *m) * ns / s->weight;
}

void series_add(struct series *s, uint64_t t_ns, uint64_t dt_ns, double value)
{
    uint64_t last = bucket_of(s, t_ns);
    if (s->cap == 0 || (s->used > 0 && last < s->newest))
        return;
    uint64_t from = dt_ns < t_ns ? t_ns - dt_ns : 0;
    uint64_t k = dt_ns ? from / s->bucket_ns : last;
    if (last - k >= s->cap) /* what is older falls out of the ring anyway */
        k = last - s->cap + 1;
    if (s->used > 0 && k < s->newest)
        k = s->newest;
    for (; k <= last && !isnan(value); k++) {
        uint64_t lo = k * s->bucket_ns, hi = lo + s->bucket_ns;
        lo = lo > from ? lo : from;
        hi = hi < t_ns ? hi : t_ns;
        advance(s, k);
        put(s, hi > lo ? (double)(hi - lo) : 0, value);
    }
    advance(s, last);
}

double series_at(const struct series *s, uint64_t t_ns, size_t back)
{
    uint64_t number = bucket_of(s, t_ns);
    if (back > number)
        return NAN;
    number -= back;
    if (s->used == 0 || number > s->newest || s->newest - number >= s->used)
        return NAN;
    return s->mean[number % s->cap];
}

double series_max(const struct series *s, uint64_t t_ns, size_t n)
{
    double max = NAN;
    for (size_t back = 0; back < n; back++)
        max = fmax(max, series_at(s, t_ns, back)); /* fmax passes over NAN */
    return max;
}
