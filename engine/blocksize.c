/* blocksize: drawing sizes, and reading bsrange and bssplit.
 * Limits against a target are target_fit.c's. */
#include "engine/blocksize.h"

#include <errno.h>
#include <string.h>

#include "core/str.h"
#include "core/units.h"

#define ONE (1ull << 32)

void blocksize_range(struct blocksize *b, uint32_t min, uint32_t max, bool unaligned)
{
    memset(b, 0, sizeof(*b));
    b->min = min;
    b->max = unaligned ? max : max / min * min;
    b->step = unaligned ? 1 : min;
}

void blocksize_one(struct blocksize *b, uint32_t size)
{
    blocksize_range(b, size, size, false);
}

uint32_t blocksize_draw(const struct blocksize *b, struct rng *r)
{
    if (b->min == b->max)
        return b->min;
    if (!b->n)
        return b->min + b->step * (uint32_t)rng_below(r, (b->max - b->min) / b->step + 1);
    uint64_t x = rng_next(r) >> 32;
    unsigned i = 0;
    while (i + 1 < b->n && x >= b->below[i])
        i++;
    return b->size[i];
}

uint32_t blocksize_fit(const struct blocksize *b, uint64_t room)
{
    if (room >= b->max || room < b->min)
        return room < b->min ? 0 : b->max;
    if (!b->n)
        return b->min + (uint32_t)(room - b->min) / b->step * b->step;
    unsigned i = b->n - 1;
    while (b->size[i] > room)
        i--;
    return b->size[i];
}

double blocksize_share(const struct blocksize *b, unsigned i)
{
    return (double)(b->below[i] - (i ? b->below[i - 1] : 0)) / (double)ONE;
}

double blocksize_mean(const struct blocksize *b)
{
    double sum = 0;
    if (!b->n)
        return ((double)b->min + (double)b->max) / 2;
    for (unsigned i = 0; i < b->n; i++)
        sum += blocksize_share(b, i) * b->size[i];
    return sum;
}

bool blocksize_multiple(const struct blocksize *b, uint32_t of)
{
    if (!b->n)
        return b->min % of == 0 && (b->min == b->max || b->step % of == 0);
    for (unsigned i = 0; i < b->n; i++)
        if (b->size[i] % of)
            return false;
    return true;
}

bool blocksize_same(const struct blocksize *a, const struct blocksize *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

/* ---- words ---- */

static bool parse_size(const char *text, uint32_t *ret)
{
    uint64_t v;
    const char *bad;
    if (units_parse_bytes(text, &v, &bad) < 0 || v < BLOCKSIZE_MIN || v > BLOCKSIZE_MAX)
        return false;
    *ret = (uint32_t)v;
    return true;
}

static int range_part(char *part, bool unaligned, struct blocksize *ret)
{
    uint32_t min, max;
    char *dash = strpbrk(part, "-:");
    if (!dash)
        return -EINVAL;
    *dash = '\0';
    if (!parse_size(part, &min) || !parse_size(dash + 1, &max) || min > max)
        return -EINVAL;
    blocksize_range(ret, min, max, unaligned);
    return 0;
}

struct share { /* of a split, as given */
    uint32_t size;
    int pct; /* -1: not given */
};

static int split_entry(char *entry, struct share *ret)
{
    char *slash = strchr(entry, '/');
    uint64_t pct = 0;
    const char *bad;
    if (slash)
        *slash++ = '\0';
    if (!parse_size(entry, &ret->size))
        return -EINVAL;
    ret->pct = -1;
    if (!slash || !*slash)
        return 0;
    if (str_u64(slash, &pct, &bad) < 0 || pct > 100)
        return -EINVAL;
    ret->pct = (int)pct;
    return 0;
}

static void insert(struct share *s, unsigned n, struct share x)
{
    for (; n && s[n - 1].size > x.size; n--)
        s[n] = s[n - 1];
    s[n] = x;
}

/* Shares to thresholds; what was not given divides the rest. Sizes with a share of 0 never come. */
static int split_table(const struct share *s, unsigned n, struct blocksize *ret)
{
    unsigned given = 0, open = 0;
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        s[i].pct < 0 ? open++ : (given += (unsigned)s[i].pct);
    if (given > 100 || (given < 100 && !open))
        return -EDOM;
    memset(ret, 0, sizeof(*ret));
    for (unsigned i = 0; i < n; i++) {
        double pct = s[i].pct < 0 ? (100.0 - given) / open : s[i].pct;
        if (pct <= 0)
            continue;
        sum += pct;
        ret->size[ret->n] = s[i].size;
        ret->below[ret->n++] = (uint64_t)(sum / 100 * (double)ONE + 0.5);
    }
    ret->below[ret->n - 1] = ONE;
    ret->min = ret->size[0];
    ret->max = ret->size[ret->n - 1];
    return 0;
}

static int split_part(char *part, bool unused, struct blocksize *ret)
{
    struct share s[BLOCKSIZE_SPLITS], x;
    unsigned n = 0;
    (void)unused;
    for (char *entry; (entry = strsep(&part, ":"));) {
        if (n == BLOCKSIZE_SPLITS || split_entry(entry, &x) < 0)
            return -EINVAL;
        insert(s, n++, x);
    }
    return split_table(s, n, ret);
}

static int parse_parts(const char *text, bool flag, int (*part)(char *, bool, struct blocksize *),
                       struct blocksize ret[DDIRS])
{
    char copy[1024], *rest = copy;
    struct blocksize b[DDIRS];
    unsigned d = 0;
    if (!str_copy(copy, sizeof(copy), text))
        return -EINVAL;
    for (char *p; (p = strsep(&rest, ","));) {
        int rc = d < DDIRS ? part(p, flag, &b[d]) : -EINVAL;
        if (rc < 0)
            return rc;
        d++;
    }
    for (; d < DDIRS; d++)
        b[d] = b[d - 1];
    memcpy(ret, b, sizeof(b));
    return 0;
}

int blocksize_parse_range(const char *text, bool unaligned, struct blocksize ret[DDIRS], struct err *err)
{
    if (parse_parts(text, unaligned, range_part, ret) == 0)
        return 0;
    return err_set(err, -EINVAL, "bsrange=%s: must be two sizes from 512 to 16m, like 4k-64k or 4k-64k,8k-16k", text);
}

int blocksize_parse_split(const char *text, struct blocksize ret[DDIRS], struct err *err)
{
    int rc = parse_parts(text, false, split_part, ret);
    if (rc == -EDOM)
        return err_set(err, -EINVAL, "bssplit=%s: the percentages must add up to 100", text);
    if (rc < 0)
        return err_set(err, -EINVAL, "bssplit=%s: must be up to %d sizes from 512 to 16m and percentages, like "
                       "4k/10:64k/50:32k/40", text, BLOCKSIZE_SPLITS);
    return 0;
}
