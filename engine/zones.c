/* zones: reading them and drawing a block.
 * Which distributions there are besides is dist.c's. */
#include "engine/zones.h"

#include <errno.h>
#include <string.h>

#include "core/str.h"
#include "core/units.h"

#define PERCENT 1000u /* so that a rest can be divided */

struct given {
    unsigned access, n;
    uint64_t size[ZONES_MAX];
    bool open[ZONES_MAX]; /* its size was left out */
    unsigned share[ZONES_MAX];
};

static int zone_entry(char *entry, bool absolute, struct given *g)
{
    uint64_t access, size = 0;
    const char *bad;
    char *slash = strchr(entry, '/');
    if (!slash)
        return -EINVAL;
    *slash++ = '\0';
    if (str_u64(entry, &access, &bad) < 0 || !access || access > 100)
        return -EINVAL;
    g->open[g->n] = !*slash && !absolute;
    int rc = g->open[g->n] ? 0 : absolute ? units_parse_bytes(slash, &size, &bad) : str_u64(slash, &size, &bad);
    if (rc < 0 || (!g->open[g->n] && !size) || (!absolute && size > 100))
        return -EINVAL;
    g->access += (unsigned)access;
    g->share[g->n] = (unsigned)access;
    g->size[g->n++] = absolute ? size : size * PERCENT;
    return 0;
}

static int zone_table(struct given *g, bool absolute, struct zones *ret)
{
    uint64_t sum = 0, end = 0;
    unsigned open = 0, access = 0;
    for (unsigned i = 0; i < g->n; i++) {
        open += g->open[i];
        if (__builtin_add_overflow(sum, g->size[i], &sum))
            return -ERANGE;
    }
    if (g->access != 100)
        return -EDOM;
    if (!absolute && (sum > 100 * PERCENT || (open && sum == 100 * PERCENT)))
        return -ERANGE;
    memset(ret, 0, sizeof(*ret));
    ret->absolute = absolute;
    for (unsigned i = 0; i < g->n; i++) {
        end += g->open[i] ? (100 * PERCENT - sum) / open : g->size[i];
        access += g->share[i];
        ret->zone[i] = (struct zone){end, (uint32_t)((uint64_t)access * UINT32_MAX / 100)};
    }
    ret->n = g->n;
    return 0;
}

static int zone_part(char *part, bool absolute, struct zones *ret)
{
    struct given g = {0};
    for (char *entry; (entry = strsep(&part, ":"));)
        if (g.n == ZONES_MAX || zone_entry(entry, absolute, &g) < 0)
            return -EINVAL;
    return zone_table(&g, absolute, ret);
}

static int all_parts(char *rest, bool absolute, struct zones z[DDIRS])
{
    unsigned d = 0;
    for (char *p; (p = strsep(&rest, ","));) {
        int rc = d < DDIRS ? zone_part(p, absolute, &z[d]) : -EINVAL;
        if (rc < 0)
            return rc;
        d++;
    }
    for (; d < DDIRS; d++)
        z[d] = z[d - 1];
    return 0;
}

int zones_parse(const char *text, bool absolute, struct zones ret[DDIRS], struct err *err)
{
    const char *word = absolute ? "zoned_abs" : "zoned";
    char copy[4096];
    struct zones z[DDIRS];
    int rc = str_copy(copy, sizeof(copy), text) ? all_parts(copy, absolute, z) : -EINVAL;
    if (rc == 0) {
        memcpy(ret, z, sizeof(z));
        return 0;
    }
    if (rc == -EDOM)
        return err_set(err, -EINVAL, "random_distribution=%s:%s: the accesses must add up to 100 percent", word, text);
    if (rc == -ERANGE)
        return err_set(err, -EINVAL, "random_distribution=%s:%s: the sizes add up to more than there can be", word,
                       text);
    return err_set(err, -EINVAL, "random_distribution=%s:%s: must be up to %d zones of percent of accesses/size, like "
                   "%s", word, text, ZONES_MAX, absolute ? "zoned_abs:60/20g:40/100g" : "zoned:60/10:30/20:10/70");
}

static uint64_t edge(const struct zones *z, unsigned i, uint64_t n, uint64_t unit)
{
    if (z->absolute)
        return z->zone[i].end / unit;
    return (uint64_t)((unsigned __int128)z->zone[i].end * n / (100 * PERCENT));
}

uint64_t zones_draw(const struct zones *z, uint64_t n, uint64_t unit, struct rng *r)
{
    uint64_t x = rng_below(r, UINT32_MAX);
    unsigned i = 0;
    while (i + 1 < z->n && x >= z->zone[i].below)
        i++;
    uint64_t from = i ? edge(z, i - 1, n, unit) : 0, end = edge(z, i, n, unit);
    end = end < n ? end : n;
    if (from >= end) /* smaller than a block: the one it lies in */
        return from < n ? from : n - 1;
    return from + rng_below(r, end - from);
}

uint64_t zones_bytes(const struct zones *z)
{
    return z->absolute && z->n ? z->zone[z->n - 1].end : 0;
}
