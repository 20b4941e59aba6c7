/* target_guard: the targets of a job before the guard: one by one, or all files of a set at once.
 * Decides nothing itself: guard.h does. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "engine/target_fit.h"

bool target_same(const struct target *a, const struct target *b)
{
    return !a->is_null && !b->is_null && a->is_block == b->is_block && a->major == b->major &&
           a->minor == b->minor && (a->is_block || a->inode == b->inode);
}

/* The guard's descriptor: a peer's claim of the same device, or a new one. */
int target_claim(struct target *t, const struct guard_policy *policy, const struct target_peers *peers,
                 struct err *err)
{
    for (size_t i = 0; peers && t->is_block && i < peers->n; i++)
        for (size_t k = 0; k < peers->sets[i]->n; k++) {
            const struct target *p = &peers->sets[i]->t[k];
            if (!target_same(t, p) || p->claim_fd < 0)
                continue;
            int fd = fcntl(p->claim_fd, F_DUPFD_CLOEXEC, 3);
            return fd < 0 ? err_set(err, -errno, "filename=%s: %s", t->path, strerror(errno)) : fd;
        }
    int fd = t->passed_fd;
    t->passed_fd = -1;
    if (fd < 0)
        fd = guard_open_write(t->path, policy, err);
    if (fd < 0)
        return fd;
    struct stat st;
    dev_t dev = makedev(t->major, t->minor);
    if (fstat(fd, &st) == 0 && (t->is_block ? st.st_rdev == dev : st.st_dev == dev && st.st_ino == t->inode))
        return fd;
    close(fd);
    return err_set(err, -EBUSY, "filename=%s: became something else while it was opened", t->path);
}

/* Files of a set, as the guard takes them. */
struct files {
    const char **path;
    int *fd;
    size_t *index; /* in the set */
    size_t n;
};

static void files_fini(struct files *f)
{
    free(f->path);
    free(f->fd);
    free(f->index);
}

static int files_init(struct files *f, size_t most, struct err *err)
{
    *f = (struct files){calloc(most, sizeof(*f->path)), calloc(most, sizeof(*f->fd)),
                        calloc(most, sizeof(*f->index)), 0};
    if (f->path && f->fd && f->index)
        return 0;
    files_fini(f);
    return err_set(err, -ENOMEM, "no memory for the targets");
}

int targets_pass_files(struct targets *ts, const struct guard_policy *policy, struct err *err)
{
    struct files f;
    struct stat st;
    int rc = files_init(&f, ts->n + 1, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < ts->n; i++)
        if (!ts->t[i].is_null && stat(ts->t[i].path, &st) == 0 && S_ISREG(st.st_mode)) {
            f.path[f.n] = ts->t[i].path;
            f.index[f.n++] = i;
        }
    rc = guard_open_files(f.path, f.n, policy, f.fd, err);
    for (size_t i = 0; i < f.n && rc == 0; i++)
        ts->t[f.index[i]].passed_fd = f.fd[i];
    files_fini(&f);
    return rc;
}

static int check_again(const struct target *t, const struct job *j, struct files *f, struct err *err)
{
    bool writes = t->writable && job_writes(j);
    if (t->claim_fd >= 0 && writes)
        return guard_check_again(t->claim_fd, t->path, err);
    if (!writes && t->layout_fd < 0)
        return 0;
    f->path[f->n] = t->path;
    f->fd[f->n++] = writes ? t->fd : t->layout_fd;
    return 0;
}

int targets_check_again(const struct targets *t, const struct job *j, struct err *err)
{
    struct files f;
    int rc = files_init(&f, t->n + 1, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < t->n && rc == 0; i++)
        if (!t->t[i].is_null)
            rc = check_again(&t->t[i], j, &f, err);
    if (rc == 0)
        rc = guard_check_files_again(f.fd, f.path, f.n, err);
    files_fini(&f);
    return rc;
}
