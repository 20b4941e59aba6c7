/* target_layout: completes the files of a job before its start, and drops their page cache.
 * What is to be completed target.c has decided; writing it is layout.c's. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "engine/layout.h"
#include "engine/target_fit.h"

void target_unlink(const struct target *t)
{
    struct stat st;
    if (lstat(t->path, &st) == 0 && S_ISREG(st.st_mode) && st.st_ino == t->inode && major(st.st_dev) == t->major &&
        minor(st.st_dev) == t->minor)
        unlink(t->path);
}

uint64_t target_promised(const struct target *t, const struct target_peers *peers)
{
    uint64_t most = 0;
    for (size_t i = 0; peers && i < peers->n; i++)
        for (size_t k = 0; k < peers->sets[i]->n; k++) {
            const struct target *p = &peers->sets[i]->t[k];
            if (p->layout_fd >= 0 && !p->grows && target_same(t, p) && p->layout_end > most)
                most = p->layout_end;
        }
    return most;
}

/* Another job of the run may have laid out the same file meanwhile. */
static void look_again(struct target *t)
{
    if (t->layout_fd >= 0)
        t->layout_from = layout_first_hole(t->layout_fd, t->layout_from, t->layout_end);
}

/* A file that was made is taken away; one that was extended gets its old length back. */
static void undo_layout(struct target *t, uint64_t size_before, int why)
{
    if (t->created)
        target_unlink(t);
    else if (why != -ECANCELED && target_file_size(t->layout_fd) > size_before)
        (void)!ftruncate(t->layout_fd, (off_t)size_before);
}

static int layout_one(struct target *t, struct layout_progress *p, struct err *err)
{
    if (t->layout_fd < 0)
        return 0;
    uint64_t size_before = target_file_size(t->layout_fd);
    int rc = 0;
    if (t->grows)
        rc = target_reserve(t, err);
    else if (t->layout_from < t->layout_end)
        rc = layout_write(t->layout_fd, t->path, t->layout_from, t->layout_end, p, err);
    if (rc < 0) {
        undo_layout(t, size_before, rc);
        return rc;
    }
    t->layout_from = t->layout_end;
    close(t->layout_fd);
    t->layout_fd = -1;
    return 0;
}

int targets_layout(struct targets *t, _Atomic bool *stop, void (*progress)(double pct, void *arg), void *arg,
                   struct err *err)
{
    struct layout_progress p = {.stop = stop, .tell = progress, .arg = arg, .unsynced = t->unsynced};
    for (size_t i = 0; i < t->n; i++) {
        look_again(&t->t[i]);
        p.total += t->t[i].layout_fd >= 0 ? t->t[i].layout_end - t->t[i].layout_from : 0;
    }
    int rc = 0;
    for (size_t i = 0; i < t->n && rc == 0; i++)
        rc = layout_one(&t->t[i], &p, err);
    return rc;
}

void targets_invalidate(const struct targets *t)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct target *x = &t->t[i];
        if (x->is_null)
            continue;
        off_t from = (off_t)x->begin, bytes = (off_t)(x->end - x->begin);
        /* Dirty pages would stay: they are written first. */
        sync_file_range(x->fd, from, bytes,
                        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
        posix_fadvise(x->fd, from, bytes, POSIX_FADV_DONTNEED);
    }
}
