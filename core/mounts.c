/* mounts: rows of a mountinfo or swaps file, parsed by libmount (escapes, optional fields, empty sources).
 * Looks at no mount point and no source: both can hang. */
#include "core/mounts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <libmount/libmount.h>

static char *copy(const char *s)
{
    return strdup(s ? s : "");
}

static void row_fini(struct mount_row *r)
{
    free(r->source);
    free(r->target);
    free(r->fstype);
    free(r->options);
}

static int row_init(struct mount_row *r, struct libmnt_fs *fs)
{
    dev_t dev = mnt_fs_get_devno(fs);
    *r = (struct mount_row){
        .major = major(dev),
        .minor = minor(dev),
        .source = copy(mnt_fs_get_source(fs)),
        .target = copy(mnt_fs_get_target(fs)),
        .fstype = copy(mnt_fs_get_fstype(fs)),
        .options = copy(mnt_fs_get_options(fs)),
    };
    if (r->source && r->target && r->fstype && r->options)
        return 0;
    row_fini(r);
    return -ENOMEM;
}

static int fill(struct libmnt_table *tb, struct libmnt_iter *itr, struct mounts *ret)
{
    struct mounts m = {0};
    struct libmnt_fs *fs;
    int n = mnt_table_get_nents(tb), rc = 0;
    m.row = calloc(n > 0 ? (size_t)n : 1, sizeof *m.row);
    if (!m.row)
        return -ENOMEM;
    while (rc == 0 && m.n < (size_t)n && mnt_table_next_fs(tb, itr, &fs) == 0) {
        rc = row_init(&m.row[m.n], fs);
        m.n += rc == 0;
    }
    if (rc == 0)
        *ret = m;
    else
        mounts_fini(&m);
    return rc;
}

/* A line that cannot be parsed may be the very mount that matters: give up instead of leaving it out. */
static int give_up(struct libmnt_table *tb, const char *file, int line)
{
    (void)tb, (void)file, (void)line;
    return -EBADMSG;
}

static int read_table(const char *path, int (*parse)(struct libmnt_table *, const char *), struct mounts *ret,
                      struct err *err)
{
    struct libmnt_table *tb = mnt_new_table();
    struct libmnt_iter *itr = mnt_new_iter(MNT_ITER_FORWARD);
    int rc = -ENOMEM;
    if (tb && itr) {
        mnt_table_set_parser_errcb(tb, give_up);
        rc = parse(tb, path);
        rc = rc > 0 ? -EBADMSG : rc;
    }
    if (rc == 0)
        rc = fill(tb, itr, ret);
    mnt_free_iter(itr);
    mnt_unref_table(tb);
    return rc == 0 ? 0 : err_set(err, rc, "%s cannot be read: %s", path, strerror(-rc));
}

int mounts_read(const char *path, struct mounts *ret, struct err *err)
{
    return read_table(path, mnt_table_parse_file, ret, err);
}

int mounts_read_swaps(const char *path, struct mounts *ret, struct err *err)
{
    return read_table(path, mnt_table_parse_swaps, ret, err);
}

void mounts_fini(struct mounts *m)
{
    for (size_t i = 0; i < m->n; i++)
        row_fini(&m->row[i]);
    free(m->row);
    *m = (struct mounts){0};
}
