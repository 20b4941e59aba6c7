/* diskstats: parses /proc/diskstats and subtracts.
 * What the differences mean per second is diskrates.c. */
#include "monitors/diskstats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

/* Printed as 32-bit numbers, also by 64-bit kernels. */
#define MS_FIELDS                                                                                                 \
    (1u << DISK_READ_MS | 1u << DISK_WRITE_MS | 1u << DISK_IO_TICKS | 1u << DISK_QUEUE_MS |                       \
     1u << DISK_DISCARD_MS | 1u << DISK_FLUSH_MS)
#define IMPOSSIBLE (UINT64_C(1) << 31) /* a negative of 32 bits; no interval has 24 days of waiting */

#define FULL_COLUMNS 11 /* behind the name, since 2.6.25 */
#define OLD_PARTITION_COLUMNS 4

static void set(struct disk_counts *c, enum disk_field f, uint64_t v)
{
    c->v[f] = v;
    c->have |= 1u << f;
}

static bool take_counts(const char *p, struct disk_counts *ret)
{
    static const enum disk_field old[] = {DISK_READS, DISK_READ_SECTORS, DISK_WRITES, DISK_WRITE_SECTORS};
    uint64_t v[DISK_FIELDS];
    struct disk_counts c = {0};
    size_t n = 0;
    while (n < DISK_FIELDS && str_next_u64(&p, &v[n]))
        n++;
    if (n != OLD_PARTITION_COLUMNS && n < FULL_COLUMNS)
        return false;
    for (size_t i = 0; i < n; i++)
        set(&c, n == OLD_PARTITION_COLUMNS ? old[i] : (enum disk_field)i, v[i]);
    if (c.v[DISK_INFLIGHT] >= IMPOSSIBLE)
        c.have &= ~(1u << DISK_INFLIGHT);
    *ret = c;
    return true;
}

static bool take_line(const char *p, struct disk_line *ret)
{
    struct disk_line l = {0};
    uint64_t major, minor;
    if (!str_next_u64(&p, &major) || !str_next_u64(&p, &minor) || !str_next_word(&p, l.name, sizeof l.name))
        return false;
    l.major = (unsigned)major;
    l.minor = (unsigned)minor;
    if (!take_counts(p, &l.counts))
        return false;
    *ret = l;
    return true;
}

static bool is_known(const struct diskstats *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++)
        if (strcmp(d->line[i].name, name) == 0)
            return true;
    return false;
}

static int put_line(struct diskstats *d, const struct disk_line *l)
{
    if (d->n == d->cap) {
        size_t cap = d->cap ? d->cap * 2 : 32;
        struct disk_line *grown = reallocarray(d->line, cap, sizeof *grown);
        if (!grown)
            return -ENOMEM;
        d->line = grown;
        d->cap = cap;
    }
    d->line[d->n++] = *l;
    return 0;
}

int diskstats_parse(struct diskstats *d, char *text)
{
    struct disk_line l;
    char *rest = text, *line;
    int rc = 0;
    d->n = 0;
    while (rc == 0 && (line = strsep(&rest, "\n")))
        if (take_line(line, &l) && !is_known(d, l.name))
            rc = put_line(d, &l);
    return rc;
}

void diskstats_fini(struct diskstats *d)
{
    free(d->line);
    *d = (struct diskstats){0};
}

bool disk_counts_delta(const struct disk_counts *before, const struct disk_counts *now, struct disk_counts *ret)
{
    struct disk_counts d = {.have = before->have & now->have & ~(1u << DISK_INFLIGHT)};
    for (unsigned i = 0; i < DISK_FIELDS; i++) {
        bool is_ms = MS_FIELDS >> i & 1;
        if (!(d.have >> i & 1))
            continue;
        if (!is_ms && now->v[i] < before->v[i])
            return false;
        d.v[i] = is_ms ? (uint32_t)(now->v[i] - before->v[i]) : now->v[i] - before->v[i];
        if (is_ms && d.v[i] >= IMPOSSIBLE)
            d.have &= ~(1u << i);
    }
    *ret = d;
    return true;
}

void disk_counts_add(struct disk_counts *sum, const struct disk_counts *path)
{
    for (unsigned i = 0; i < DISK_FIELDS; i++) {
        if (!disk_has(path, i))
            continue;
        if (i != DISK_IO_TICKS)
            sum->v[i] += path->v[i];
        else if (path->v[i] > sum->v[i])
            sum->v[i] = path->v[i];
    }
    sum->have |= path->have;
}

bool disk_counts_all_zero(const struct disk_counts *c)
{
    for (unsigned i = 0; i < DISK_FIELDS; i++)
        if (c->v[i])
            return false;
    return true;
}

bool disk_counts_any_io(const struct disk_counts *c)
{
    return c->v[DISK_READS] || c->v[DISK_WRITES] || c->v[DISK_DISCARDS] || c->v[DISK_FLUSHES];
}
