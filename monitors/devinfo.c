/* devinfo: reads the attributes of every disk below sys/block in poll() and keeps the last values.
 * Every attribute is optional: zram, dm, md and loops have no device behind them. */
#include "monitors/devinfo.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

struct table {
    struct devinfo_row *row;
    size_t n;
};

struct devinfo {
    const struct sysroot *root;
    pthread_mutex_t lock; /* guards what follows; never held while reading */
    struct table rows;    /* replaced by poll() as a whole, which alone writes it */
    uint64_t version;
};

struct devinfo *devinfo_new(const struct sysroot *root)
{
    struct devinfo *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->root = root;
    pthread_mutex_init(&d->lock, NULL);
    return d;
}

void devinfo_free(struct devinfo *d)
{
    if (!d)
        return;
    pthread_mutex_destroy(&d->lock);
    free(d->rows.row);
    free(d);
}

static struct devinfo_row unknown_row(const char *name)
{
    struct devinfo_row r = {.diskseq = -1, .rotational = -1, .iostats = FRAME_UNKNOWN};
    str_copy(r.name, sizeof r.name, name);
    return r;
}

static const struct devinfo_row *find(const struct table *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->row[i].name, name) == 0)
            return &t->row[i];
    return NULL;
}

/* The first of some files that says something. */
static void read_first(const struct sysroot *root, const char *sysname, const char *const files[], char *dst,
                       size_t n)
{
    dst[0] = '\0';
    for (size_t i = 0; files[i] && !dst[0]; i++)
        sysroot_text(root, dst, n, "sys/block/%s/%s", sysname, files[i]);
}

/* SCSI keeps its serial in page 80h of the vital product data: 4 bytes of head, then text. */
static void read_vpd_serial(const struct sysroot *root, const char *sysname, char *dst, size_t n)
{
    struct strbuf page = {0};
    if (sysroot_read(root, &page, "sys/block/%s/device/vpd_pg80", sysname) == 0 && page.len > 4)
        str_copy(dst, n, str_trim(page.s + 4));
    strbuf_fini(&page);
}

static void read_identity(const struct sysroot *root, const char *sysname, struct devinfo_row *r)
{
    static const char *const models[] = {"device/model", "device/name", NULL};
    static const char *const serials[] = {"device/serial", "serial", NULL};
    read_first(root, sysname, models, r->model, sizeof r->model);
    read_first(root, sysname, serials, r->serial, sizeof r->serial);
    if (!r->serial[0])
        read_vpd_serial(root, sysname, r->serial, sizeof r->serial);
}

/* "[none] mq-deadline" -> "none"; a file without brackets is its own word. */
static void read_scheduler(const struct sysroot *root, const char *sysname, struct devinfo_row *r)
{
    char text[256];
    if (sysroot_text(root, text, sizeof text, "sys/block/%s/queue/scheduler", sysname) < 0)
        return;
    char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
    if (close)
        *close = '\0';
    str_copy(r->scheduler, sizeof r->scheduler, close ? open + 1 : text);
}

static void read_queue(const struct sysroot *root, const char *sysname, struct devinfo_row *r)
{
    uint64_t v;
    read_scheduler(root, sysname, r);
    if (sysroot_u64(root, &v, "sys/block/%s/queue/rotational", sysname) == 0)
        r->rotational = v != 0;
    if (sysroot_u64(root, &v, "sys/block/%s/queue/iostats", sysname) == 0)
        r->iostats = v ? FRAME_YES : FRAME_NO;
}

static struct devinfo_row read_row(const struct devinfo *d, const char *sysname)
{
    struct devinfo_row r = unknown_row(sysname);
    for (char *p = r.name; (p = strchr(p, '!'));)
        *p = '/';
    if (sysroot_i64(d->root, &r.diskseq, "sys/block/%s/diskseq", sysname) < 0)
        r.diskseq = -1;
    const struct devinfo_row *before = find(&d->rows, r.name);
    if (before && r.diskseq >= 0 && before->diskseq == r.diskseq) {
        str_copy(r.model, sizeof r.model, before->model);
        str_copy(r.serial, sizeof r.serial, before->serial);
    } else {
        read_identity(d->root, sysname, &r);
    }
    read_queue(d->root, sysname, &r);
    return r;
}

void devinfo_poll(struct devinfo *d)
{
    struct table t = {0};
    char **names = NULL;
    size_t n;
    if (sysroot_list(d->root, &names, &n, "sys/block") < 0)
        n = 0;
    t.row = n ? calloc(n, sizeof *t.row) : NULL;
    for (size_t i = 0; t.row && i < n; i++)
        t.row[t.n++] = read_row(d, names[i]);
    sysroot_free_names(names, n);
    pthread_mutex_lock(&d->lock);
    struct table old = d->rows;
    d->rows = t;
    d->version++;
    pthread_mutex_unlock(&d->lock);
    free(old.row);
}

uint64_t devinfo_version(struct devinfo *d)
{
    pthread_mutex_lock(&d->lock);
    uint64_t v = d->version;
    pthread_mutex_unlock(&d->lock);
    return v;
}

bool devinfo_get(struct devinfo *d, const char *name, int64_t diskseq, struct devinfo_row *ret)
{
    *ret = unknown_row(name);
    pthread_mutex_lock(&d->lock);
    const struct devinfo_row *r = find(&d->rows, name);
    bool same = r && (r->diskseq == diskseq || r->diskseq < 0 || diskseq < 0);
    if (same)
        *ret = *r;
    pthread_mutex_unlock(&d->lock);
    return same;
}
