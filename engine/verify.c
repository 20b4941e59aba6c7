/* verify: generations, the read-back and the counts of one worker.
 * Two bytes an interval, in a mapping of which only what is written costs memory. */
#include "engine/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/str.h"
#include "core/units.h"

void verify_count_fini(struct verify_count *n)
{
    if (n->dump && atomic_fetch_sub(&n->dump->holders, 1) == 1)
        free(n->dump);
    *n = (struct verify_count){0};
}

void verify_count_add(struct verify_count *dst, const struct verify_count *src)
{
    uint64_t failures = __atomic_load_n(&src->failures, __ATOMIC_ACQUIRE);
    if (!dst->failures && failures) {
        memcpy(dst->path, src->path, sizeof(dst->path));
        dst->first = src->first;
        dst->dump = src->dump;
        if (dst->dump)
            atomic_fetch_add(&dst->dump->holders, 1);
    }
    dst->failures += failures;
    dst->checked += counter_get(&src->checked);
    dst->bytes += counter_get(&src->bytes);
}

/* ---- what was written ---- */

static uint64_t cells(const struct verify *v, size_t target)
{
    const struct region *r = &v->region[target];
    return (r->end - r->begin + v->grid - 1) / v->grid;
}

static uint16_t *cell_at(const struct verify *v, const struct verify_piece *p)
{
    return &v->written[p->target][(p->offset - v->region[p->target].begin) / v->grid];
}

static int map_cells(struct verify *v, struct err *err)
{
    char text[UNITS_TEXT];
    double bytes = 0, most = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 4;
    for (size_t t = 0; t < v->ntargets; t++)
        bytes += (double)cells(v, t) * sizeof(uint16_t);
    units_human_bytes(bytes, text);
    if (bytes > most)
        return err_set(err, -ENOMEM,
                       "verify needs %s to remember what was written, more than a quarter of the memory: "
                       "lower size or raise verify_interval",
                       text);
    for (size_t t = 0; t < v->ntargets; t++) {
        void *p = mmap(NULL, cells(v, t) * sizeof(uint16_t), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            return err_set(err, -ENOMEM, "no memory to remember what was written");
        v->written[t] = p;
    }
    return 0;
}

bool verify_fits(const struct verify *v, const struct verify_piece *p)
{
    return (p->offset - v->region[p->target].begin) % v->grid == 0 && p->len % v->grid == 0;
}

void verify_write(struct verify *v, const struct verify_piece *p, void *buf)
{
    uint16_t *cell = cell_at(v, p);
    unsigned char *b = buf;
    v->writes = true;
    v->spec.interval = v->grid;
    for (uint32_t at = 0; at < p->len; at += v->grid, cell++) {
        *cell = *cell == VERIFY_GENERATIONS ? 1 : (uint16_t)(*cell + 1);
        verify_make(&v->spec, v->run, *cell, p->offset + at, b + at);
    }
}

/* Intervals of which a part is touched, too. */
void verify_forget(struct verify *v, const struct verify_piece *p)
{
    uint64_t begin = v->region[p->target].begin, end = p->offset + p->len;
    v->writes = true;
    for (uint64_t c = (p->offset - begin) / v->grid; begin + c * v->grid < end; c++)
        v->written[p->target][c] = 0;
}

/* ---- the backlog ---- */

void verify_wrote(struct verify *v, const struct verify_piece *p)
{
    if (!v->backlog_size)
        return;
    v->backlog[(v->backlog_at + v->backlog_n) % v->backlog_size] = *p;
    if (v->backlog_n < v->backlog_size)
        v->backlog_n++;
    else
        v->backlog_at = (v->backlog_at + 1) % v->backlog_size;
    if (++v->backlog_new < v->backlog_size)
        return;
    v->backlog_new = 0;
    v->backlog_left = v->backlog_batch;
}

static bool take_backlog(struct verify *v, struct verify_piece *ret)
{
    if (!v->backlog_n)
        return false;
    *ret = v->backlog[v->backlog_at];
    v->backlog_at = (v->backlog_at + 1) % v->backlog_size;
    v->backlog_n--;
    return true;
}

bool verify_due(struct verify *v, struct verify_piece *ret)
{
    if (!v->backlog_left)
        return false;
    v->backlog_left--;
    if (take_backlog(v, ret))
        return true;
    v->backlog_left = 0;
    return false;
}

/* ---- reading back ---- */

void verify_rewind(struct verify *v)
{
    v->target = 0;
    v->cell = 0;
}

static bool next_written(struct verify *v)
{
    for (; v->target < v->ntargets; v->target++, v->cell = 0)
        for (uint64_t n = cells(v, v->target); v->cell < n; v->cell++)
            if (v->written[v->target][v->cell])
                return true;
    return false;
}

bool verify_next(struct verify *v, uint32_t most, struct verify_piece *ret)
{
    if (v->backlog_size)
        return take_backlog(v, ret);
    if (!next_written(v))
        return false;
    uint64_t first = v->cell, n = cells(v, v->target), interval = v->grid;
    while (v->cell < n && v->written[v->target][v->cell] && (v->cell - first + 1) * interval <= most)
        v->cell++;
    *ret = (struct verify_piece){v->region[v->target].begin + first * interval, (uint32_t)v->target,
                                 (uint32_t)((v->cell - first) * interval)};
    return true;
}

static struct verify_dump *dump(const struct verify *v, const struct verify_finding *f, const void *p)
{
    struct verify_dump *d = malloc(sizeof(*d) + 2 * f->len);
    if (!d)
        return NULL;
    atomic_init(&d->holders, 1);
    d->len = f->len;
    memcpy(d->byte, p, f->len);
    memcpy(d->byte + f->len, v->scratch, f->len);
    return d;
}

static void fail(struct verify *v, const struct verify_finding *f, const void *p, const char *path)
{
    if (!v->count.failures) {
        v->count.first = *f;
        str_copy(v->count.path, sizeof(v->count.path), path);
        v->count.dump = v->dumps ? dump(v, f, p) : NULL;
    }
    __atomic_store_n(&v->count.failures, v->count.failures + 1, __ATOMIC_RELEASE);
}

static void learn(struct verify *v, uint64_t offset, const void *p, size_t n)
{
    uint32_t len = v->spec.any_interval && !v->writes ? verify_learn(&v->spec, offset, p, n) : 0;
    if (len && len <= v->scratch_len)
        v->spec.interval = len;
}

/* Not one that could have been written: what is not all written by what went before need not be there. */
static bool counts(const struct verify *v, const struct verify_finding *f)
{
    return v->strict || f->fault != VERIFY_NOT_WRITTEN;
}

/* One interval; false when something was wrong. */
static bool check_one(struct verify *v, uint64_t offset, uint16_t generation, const void *p, const char *path)
{
    struct verify_finding f;
    v->known.run = v->writes ? v->run : 0;
    v->known.generation = generation;
    bool good = verify_check(&v->spec, &v->known, offset, p, v->scratch, &f);
    if (!good && !counts(v, &f))
        return true;
    counter_add(&v->count.checked, 1);
    counter_add(&v->count.bytes, v->spec.interval);
    if (!good)
        fail(v, &f, p, path);
    return good;
}

bool verify_read(struct verify *v, const struct verify_piece *p, const void *buf, const char *path)
{
    const unsigned char *b = buf;
    bool good = true;
    for (uint32_t at = 0; at < p->len;) {
        uint16_t generation = 0;
        if (v->writes) {
            generation = v->written[p->target][(p->offset + at - v->region[p->target].begin) / v->grid];
        } else {
            learn(v, p->offset + at, b + at, p->len - at);
            if (v->spec.interval > p->len - at)
                break;
        }
        if (generation || !v->writes)
            good &= check_one(v, p->offset + at, generation, b + at, path);
        at += v->spec.interval;
    }
    return good;
}

/* ---- beginning and end ---- */

static int make_backlog(struct verify *v, const struct job_content *c, struct err *err)
{
    v->backlog_size = c->verify_backlog;
    v->backlog_batch = c->verify_backlog_batch ? c->verify_backlog_batch : c->verify_backlog;
    v->backlog = calloc(v->backlog_size + 1, sizeof(*v->backlog));
    return v->backlog ? 0 : err_set(err, -ENOMEM, "no memory for verify_backlog=%u: lower it", c->verify_backlog);
}

static int set_spec(struct verify *v, const struct job *j, const struct data_spec *data, struct err *err)
{
    const struct job_content *c = &j->content;
    v->spec = (struct verify_spec){(enum verify_kind)c->verify, !job_is_set(j, "verify_interval"),
                                   (uint32_t)c->verify_interval, (uint32_t)c->verify_offset, *data};
    if (!*c->verify_pattern)
        return 0;
    v->spec.data = (struct data_spec){.plain = true};
    return filler_parse("verify_pattern", c->verify_pattern, true, &v->spec.data.filler, err);
}

/* Random writes that need not reach every block leave some as they were. */
static bool covers(const struct job *j)
{
    return !j->content.verify_only || !(j->norandommap || *j->random_distribution != 'r' || j->io_size.bytes ||
                                        j->io_size.pct || j->number_ios || j->time_based);
}

int verify_init(struct verify *v, const struct job *j, const struct data_spec *data, const struct region *region,
                size_t ntargets, uint32_t most, uint64_t run, struct err *err)
{
    memset(v, 0, sizeof(*v));
    int rc = set_spec(v, j, data, err);
    if (rc < 0)
        return rc;
    v->grid = v->spec.interval;
    v->run = run ? run : 1;
    v->writes = job_writes(j);
    v->strict = covers(j);
    v->fatal = j->content.verify_fatal;
    v->dumps = j->content.verify_dump;
    v->ntargets = ntargets;
    v->scratch_len = most > v->spec.interval ? most : v->spec.interval;
    v->scratch = malloc(v->scratch_len);
    v->region = malloc(ntargets * sizeof(*region));
    v->written = calloc(ntargets, sizeof(*v->written));
    if (!v->region || !v->written || !v->scratch)
        return err_set(err, -ENOMEM, "no memory for verify");
    memcpy(v->region, region, ntargets * sizeof(*region));
    rc = map_cells(v, err);
    return rc < 0 ? rc : make_backlog(v, &j->content, err);
}

void verify_fini(struct verify *v)
{
    for (size_t t = 0; v->written && t < v->ntargets; t++)
        if (v->written[t])
            munmap(v->written[t], cells(v, t) * sizeof(uint16_t));
    free(v->written);
    free(v->region);
    free(v->scratch);
    free(v->backlog);
    verify_count_fini(&v->count);
    memset(v, 0, sizeof(*v));
}
