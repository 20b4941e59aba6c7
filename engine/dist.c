/* dist: the numbers behind zipf, pareto and normal.
 * Where the methods come from is in the header. */
#include "engine/dist.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- zipf ---- */

/* H(x), the integral of h(x) = x^-theta, for power = 1 - theta. Far from theta = 1 it is taken to be 0 at the end
 * where it is flat, so that far ranks, each a tiny part of it, are still told apart; near 1 that form cancels. */
#define NEAR_ONE 0.1

static double big_h(double power, double x)
{
    if (fabs(power) > NEAR_ONE)
        return pow(x, power) / power;
    return power == 0 ? log(x) : expm1(power * log(x)) / power;
}

static double big_h_inverse(double power, double u)
{
    if (fabs(power) > NEAR_ONE)
        return pow(u * power, 1 / power);
    return power == 0 ? exp(u) : exp(log1p(u * power) / power);
}

static double little_h(double power, double x)
{
    return pow(x, power - 1);
}

static void init_zipf(struct dist *d)
{
    d->power = 1 - d->spec.param;
    d->top = big_h(d->power, (double)d->n + 0.5);
    d->width = d->top - (big_h(d->power, 1.5) - 1);
    d->shortcut = 2 - big_h_inverse(d->power, big_h(d->power, 2.5) - little_h(d->power, 2));
}

/* u is even below the top; small random numbers, which are the densest, are the far ranks. */
static uint64_t zipf_rank(const struct dist *d, struct rng *r)
{
    for (;;) {
        double u = d->top - rng_unit(r) * d->width;
        double x = big_h_inverse(d->power, u), k = floor(x + 0.5);
        k = k < 1 ? 1 : k > (double)d->n ? (double)d->n : k;
        if (k - x <= d->shortcut || u >= big_h(d->power, k + 0.5) - little_h(d->power, k))
            return (uint64_t)k - 1;
    }
}

/* ---- pareto, normal ---- */

static uint64_t pareto_rank(const struct dist *d, struct rng *r)
{
    double x = (double)d->n * pow(rng_unit(r), d->power);
    return x < (double)d->n ? (uint64_t)x : d->n - 1;
}

/* By the polar method of Marsaglia. */
static double standard_normal(struct rng *r)
{
    double x, y, s;
    do {
        x = 2 * rng_unit(r) - 1;
        y = 2 * rng_unit(r) - 1;
        s = x * x + y * y;
    } while (s >= 1 || s == 0);
    return x * sqrt(-2 * log(s) / s);
}

static void init_normal(struct dist *d)
{
    double n = (double)d->n, dev = d->spec.param / 100;
    d->mean = n * (d->spec.center < 0 ? 0.5 : d->spec.center);
    d->deviation = n * sqrt(1.0 / 144 + dev * dev / 12);
}

static uint64_t normal_block(const struct dist *d, struct rng *r)
{
    double n = (double)d->n, x = fmod(d->mean + d->deviation * standard_normal(r), n);
    x = x < 0 ? x + n : x;
    return x < n ? (uint64_t)x : d->n - 1;
}

/* ---- all ---- */

static void scatter(struct dist *d, uint64_t seed)
{
    struct rng r;
    rng_seed(&r, seed);
    perm_init(&d->perm, d->n, rng_next(&r));
    double center = d->spec.center < 0 ? rng_unit(&r) : d->spec.center;
    uint64_t at = (uint64_t)((double)d->n * center), first = perm_place(&d->perm, 0);
    at = at < d->n ? at : d->n - 1;
    d->shift = at >= first ? at - first : d->n - (first - at);
}

void dist_init(struct dist *d, const struct dist_spec *spec, uint64_t n, bool scattered, uint64_t seed)
{
    *d = (struct dist){.spec = *spec, .n = n, .scattered = scattered && spec->kind != DIST_NORMAL};
    if (spec->kind == DIST_ZIPF)
        init_zipf(d);
    else if (spec->kind == DIST_PARETO)
        d->power = log(spec->param) / log1p(-spec->param);
    else
        init_normal(d);
    if (d->scattered)
        scatter(d, seed);
}

uint64_t dist_rank(const struct dist *d, struct rng *r)
{
    if (d->spec.kind == DIST_ZIPF)
        return zipf_rank(d, r);
    return d->spec.kind == DIST_PARETO ? pareto_rank(d, r) : normal_block(d, r);
}

uint64_t dist_next(const struct dist *d, struct rng *r)
{
    uint64_t rank = dist_rank(d, r);
    if (!d->scattered)
        return rank;
    uint64_t block = perm_place(&d->perm, rank), room = d->n - d->shift;
    return block < room ? block + d->shift : block - room;
}

/* ---- words ---- */

static const struct {
    const char *name, *takes;
    double def, above, below; /* the number lies between them; `least` may be reached */
    bool least;
} kinds[DIST_KINDS] = {
    [DIST_RANDOM] = {"random", NULL, 0, 0, 0, false},
    [DIST_ZIPF] = {"zipf", "theta must be above 0 and at most 100, like zipf:1.2", 1.1, 0, 100.0000001, false},
    [DIST_PARETO] = {"pareto", "h must be above 0 and below 1, like pareto:0.2", 0.2, 0, 1, false},
    [DIST_NORMAL] = {"normal", "the deviation must be 0 to 100 percent, like normal:10", 0, 0, 100, true},
    [DIST_ZONED] = {"zoned", NULL, 0, 0, 0, false},
    [DIST_ZONED_ABS] = {"zoned_abs", NULL, 0, 0, 0, false},
};

static bool parse_center(const char *text, double *ret)
{
    char *end;
    *ret = strtod(text, &end);
    return end != text && !*end && *ret >= 0 && *ret <= 1;
}

static int parse_numbers(const char *word, const char *text, const char *rest, struct dist_spec *s, struct err *err)
{
    double above = kinds[s->kind].above;
    char *end = (char *)rest;
    if (*rest) {
        s->param = strtod(rest, &end);
        if (end == rest || (*end && *end != ':') || !(s->param < kinds[s->kind].below) ||
            !(kinds[s->kind].least ? s->param >= above : s->param > above))
            return err_set(err, -EINVAL, "%s=%s: %s", word, text, kinds[s->kind].takes);
    }
    if (*end == ':' && !parse_center(end + 1, &s->center))
        return err_set(err, -EINVAL, "%s=%s: the centre must be 0 to 1, like %s:%g:0.5", word, text,
                       kinds[s->kind].name, s->param);
    return 0;
}

static bool find_kind(const char *text, size_t n, enum dist_kind *ret)
{
    for (unsigned k = 0; k < DIST_KINDS; k++)
        if (strlen(kinds[k].name) == n && !strncmp(text, kinds[k].name, n))
            return *ret = (enum dist_kind)k, true;
    return n == 5 && !strncmp(text, "gauss", n) ? *ret = DIST_NORMAL, true : false;
}

int dist_parse(const char *word, const char *text, struct dist_spec *ret, const char **ret_rest, struct err *err)
{
    size_t n = strcspn(text, ":");
    const char *rest = text[n] ? text + n + 1 : text + n;
    struct dist_spec s = {.center = -1};
    if (!find_kind(text, n, &s.kind))
        return err_set(err, -EINVAL, "%s=%s: must be random, zipf, pareto, normal, zoned or zoned_abs", word, text);
    s.param = kinds[s.kind].def;
    if (s.kind == DIST_RANDOM && *rest)
        return err_set(err, -EINVAL, "%s=%s: random takes no numbers", word, text);
    int rc = kinds[s.kind].takes ? parse_numbers(word, text, rest, &s, err) : 0;
    if (rc < 0)
        return rc;
    *ret = s;
    *ret_rest = rest;
    return 0;
}
