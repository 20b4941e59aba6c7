/* target: opens the files and devices of a job, and opens them anew when a retune begins to write.
 * What a size, a region or a block size must be is in target_fit.c; making bytes real is in layout.c. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/str.h"
#include "core/units.h"
#include "engine/layout.h"
#include "engine/target.h"
#include "engine/target_fit.h"
#include "engine/target_names.h"
#include "engine/target_probe.h"

static int name_all(const struct job *j, struct targets *ret, struct err *err)
{
    struct target_names names;
    int rc = target_names_read(j, &names, err);
    if (rc < 0)
        return rc;
    if (targets_alloc(ret, names.n) < 0)
        rc = err_set(err, -ENOMEM, "no memory for %zu targets", names.n);
    ret->own = names.own;
    size_t files = names.own ? names.own : names.n;
    for (size_t i = 0; i < ret->n; i++) {
        struct target *t = &ret->t[i];
        t->path = names.name[i];
        names.name[i] = NULL;
        t->files = files;
        t->index = i % files;
        t->folders = names.folders;
        t->owner = names.own ? (unsigned)(i / files) + 1 : 0;
    }
    target_names_fini(&names);
    return rc;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void target_close(struct target *t)
{
    struct stat st;
    if (t->created && t->layout_fd >= 0 && fstat(t->layout_fd, &st) == 0 && st.st_size == 0)
        target_unlink(t);
    close_fd(&t->fd);
    close_fd(&t->claim_fd);
    close_fd(&t->layout_fd);
    close_fd(&t->passed_fd);
    free(t->path);
}

void targets_close(struct targets *t)
{
    for (size_t i = 0; i < t->n; i++)
        target_close(&t->t[i]);
    for (size_t i = 0; i < t->nrows; i++)
        free(t->row[i].name);
    free(t->t);
    free(t->row);
    *t = (struct targets){0};
}

static int reopen(int fd, int flags)
{
    char self[64];
    snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
    int got = open(self, flags | O_CLOEXEC);
    return got < 0 ? -errno : got;
}

/* The descriptor of the I/O, from any descriptor of the same file. */
static int open_for_io(struct target *t, const struct job *j, int from, bool write, struct err *err)
{
    static const int sync_flags[] = {[JOB_SYNC_NONE] = 0, [JOB_SYNC] = O_SYNC, [JOB_DSYNC] = O_DSYNC};
    int how = write ? O_RDWR | sync_flags[j->sync] : O_RDONLY;
    int rc = reopen(from, how | (j->direct ? O_DIRECT : 0) | O_NONBLOCK);
    if (rc == -EINVAL && j->direct)
        return err_set(err, rc, "filename=%s: direct=1 is not possible on its filesystem; use direct=0", t->path);
    if (rc < 0)
        return err_set(err, rc, "filename=%s: cannot be opened for %s: %s", t->path, write ? "writing" : "reading",
                       strerror(-rc));
    fcntl(rc, F_SETFL, fcntl(rc, F_GETFL) & ~O_NONBLOCK);
    t->fd = rc;
    t->writable = write;
    return target_hint(t, j, err);
}

static int open_for_writing(struct target *t, const struct job *j, const struct guard_policy *policy,
                            const struct target_peers *peers, struct err *err)
{
    int fd = target_claim(t, policy, peers, err);
    if (fd < 0)
        return fd;
    int rc = open_for_io(t, j, fd, true, err);
    if (t->is_block && rc == 0)
        t->claim_fd = fd;
    else
        close(fd);
    return rc;
}

static void identify(struct target *t, const struct stat *st)
{
    dev_t dev = S_ISBLK(st->st_mode) ? st->st_rdev : st->st_dev;
    t->is_block = S_ISBLK(st->st_mode);
    t->major = major(dev);
    t->minor = minor(dev);
    t->inode = t->is_block ? 0 : st->st_ino;
}

/* A file of ours that is too short or has holes: it is completed before the start. */
static int plan_layout(struct target *t, const struct job *j, const struct guard_policy *policy, struct err *err)
{
    bool readonly = j->readonly || policy->readonly;
    if (t->grows)
        return 0;
    uint64_t end = t->layout_end, first = layout_first_hole(t->fd, 0, end);
    t->sparse = first < end && !guard_is_ours(t->fd);
    if (first >= end || t->sparse || (readonly && target_file_size(t->fd) >= end))
        return 0;
    if (readonly)
        return err_set(err, -EROFS, "filename=%s: is not complete, and readonly lets nothing be written", t->path);
    int fd = guard_open_write(t->path, policy, err);
    if (fd < 0)
        return fd;
    t->layout_fd = fd;
    t->layout_from = first;
    return 0;
}

static int open_file(struct target *t, const struct job *j, const struct guard_policy *policy, int path_fd,
                     const struct target_peers *peers, struct err *err)
{
    int rc = job_writes(j) ? open_for_writing(t, j, policy, peers, err) : open_for_io(t, j, path_fd, false, err);
    if (rc < 0 || (rc = target_set_region(t, j, err)) < 0)
        return rc;
    return plan_layout(t, j, policy, err);
}

static int open_block(struct target *t, const struct job *j, const struct guard_policy *policy, int path_fd,
                      const struct target_peers *peers, struct err *err)
{
    int rc = job_writes(j) ? open_for_writing(t, j, policy, peers, err) : open_for_io(t, j, path_fd, false, err);
    return rc < 0 ? rc : target_set_region(t, j, err);
}

static int open_existing(struct target *t, const struct job *j, const struct guard_policy *policy, int path_fd,
                         const struct target_peers *peers, struct err *err)
{
    struct stat st;
    if (fstat(path_fd, &st) < 0)
        return err_set(err, -errno, "filename=%s: %s", t->path, strerror(errno));
    identify(t, &st);
    t->promised = target_promised(t, peers);
    if (S_ISBLK(st.st_mode))
        return open_block(t, j, policy, path_fd, peers, err);
    if (S_ISREG(st.st_mode))
        return open_file(t, j, policy, path_fd, peers, err);
    if (S_ISDIR(st.st_mode))
        return err_set(err, -EISDIR, "filename=%s: is a directory; name a file in it", t->path);
    const char *kind = S_ISCHR(st.st_mode) ? "character device" : S_ISFIFO(st.st_mode) ? "pipe" : "socket";
    return err_set(err, -EINVAL, "filename=%s: is a %s; name a file or a block device", t->path, kind);
}

/* A mistyped device name would make a file in memory below /dev. */
static bool is_in_dev(const char *dir, const struct stat *folder)
{
    struct stat dev, top;
    if (stat("/dev", &dev) < 0 || stat("/", &top) < 0)
        return false;
    if (dev.st_dev != top.st_dev)
        return folder->st_dev == dev.st_dev;
    return !strcmp(dir, "/dev") || str_starts(dir, "/dev/");
}

/* Why a file that does not exist cannot be made; 0 = it can. */
static int check_makeable(const struct target *t, const struct job *j, const struct guard_policy *policy,
                          struct err *err)
{
    char copy[JOB_PATH];
    struct stat folder;
    str_copy(copy, sizeof(copy), t->path);
    const char *dir = dirname(copy);
    if (stat(dir, &folder) < 0)
        return err_set(err, -errno, "filename=%s: the folder %s %s", t->path, dir,
                       errno == ENOENT ? "does not exist" : strerror(errno));
    if (!S_ISDIR(folder.st_mode))
        return err_set(err, -ENOTDIR, "filename=%s: %s is not a folder", t->path, dir);
    if (is_in_dev(dir, &folder))
        return err_set(err, -ENOENT, "filename=%s: no such device", t->path);
    if (!j->allow_file_create)
        return err_set(err, -ENOENT, "filename=%s: does not exist, and allow_file_create=0 lets it not be made",
                       t->path);
    if (!j->size.bytes && !j->filesize[0] && !j->prep.fill)
        return err_set(err, -ENOENT, "filename=%s: does not exist; give a size, like size=1g, to have it made",
                       t->path);
    if (j->readonly || policy->readonly)
        return err_set(err, -EROFS, "filename=%s: does not exist, and readonly lets nothing be made", t->path);
    return 0;
}

/* The last `n` folders of a path; what cannot be made is told when the file is. */
static void make_folders(const char *path, size_t n)
{
    char folder[JOB_PATH];
    size_t left = 0;
    for (const char *p = path; (p = strchr(p, '/')); p++)
        left++;
    for (const char *p = path; (p = strchr(p, '/')); p++)
        if (left-- <= n && str_format(folder, sizeof(folder), "%.*s", (int)(p - path), path))
            mkdir(folder, 0755);
}

static int create(struct target *t, const struct job *j, const struct guard_policy *policy, struct err *err)
{
    struct stat st;
    if (t->folders && j->allow_file_create && !j->readonly && !policy->readonly)
        make_folders(t->path, t->folders);
    int rc = check_makeable(t, j, policy, err);
    if (rc < 0)
        return rc;
    int fd = open(t->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0 && errno == EEXIST)
        return err_set(err, -EEXIST, "filename=%s: is a link to nothing", t->path);
    if (fd < 0)
        return err_set(err, -errno, "filename=%s: cannot be made: %s%s", t->path, strerror(errno),
                       errno == EMFILE ? "; raise ulimit -n or lower nrfiles" : "");
    t->layout_fd = fd;
    t->created = true;
    if (fstat(fd, &st) < 0)
        return err_set(err, -errno, "filename=%s: %s", t->path, strerror(errno));
    identify(t, &st);
    t->reserve = j->prep.fill || j->prep.append ? JOB_FALLOCATE_NONE : j->prep.fallocate;
    guard_mark_ours(fd); /* without attributes the file is kept but never extended or overwritten */
    if ((rc = open_for_io(t, j, fd, job_writes(j), err)) < 0 || (rc = target_set_region(t, j, err)) < 0)
        return rc;
    return 0;
}

static int open_one(struct target *t, const struct job *j, const struct guard_policy *policy,
                    const struct target_peers *peers, struct err *err)
{
    if (!strcmp(j->ioengine, "null")) {
        t->is_null = true;
        return target_set_region(t, j, err);
    }
    int fd = open(t->path, O_PATH | O_CLOEXEC); /* touches no device, waits for no pipe */
    if (fd < 0 && errno == ENOENT)
        return create(t, j, policy, err);
    if (fd < 0)
        return err_set(err, -errno, "filename=%s: cannot be opened: %s", t->path, strerror(errno));
    int rc = open_existing(t, j, policy, fd, peers, err);
    close(fd);
    return rc;
}

static int refuse_twice(const struct targets *ts, size_t i, struct err *err)
{
    for (size_t k = 0; k < i; k++)
        if (target_same(&ts->t[i], &ts->t[k]) || (ts->t[i].is_null && !strcmp(ts->t[i].path, ts->t[k].path)))
            return err_set(err, -EINVAL, "filename=%s: is the same as %s; name each target once", ts->t[i].path,
                           ts->t[k].path);
    return 0;
}

int targets_open_beside(const struct job *j, const struct guard_policy *policy, const struct target_peers *peers,
                        struct targets *ret, struct err *err)
{
    int rc = name_all(j, ret, err);
    if (rc == 0 && job_writes(j) && strcmp(j->ioengine, "null"))
        rc = targets_pass_files(ret, policy, err);
    for (size_t i = 0; i < ret->n && rc == 0; i++) {
        rc = open_one(&ret->t[i], j, policy, peers, err);
        if (rc == 0 && (*j->filename || *j->opendir)) /* made names differ */
            rc = refuse_twice(ret, i, err);
    }
    if (rc == 0)
        rc = targets_check_space(ret, err);
    if (rc == 0)
        rc = targets_probe(ret, j, err);
    if (rc == 0 && targets_group(ret) < 0)
        rc = err_set(err, -ENOMEM, "no memory for %zu targets", ret->n);
    ret->unsynced = !j->prep.sync;
    if (rc == 0)
        targets_advise(ret, j);
    if (rc < 0)
        targets_close(ret);
    return rc;
}

int targets_open(const struct job *j, const struct guard_policy *policy, struct targets *ret, struct err *err)
{
    return targets_open_beside(j, policy, NULL, ret, err);
}

static int dup_fd(int fd)
{
    return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static int copy_closed(const struct target *old, struct target *ret, struct err *err)
{
    *ret = *old;
    ret->fd = ret->claim_fd = ret->layout_fd = ret->passed_fd = -1;
    ret->created = false; /* the first set stands for the file */
    ret->path = strdup(old->path);
    return ret->path ? 0 : err_set(err, -ENOMEM, "no memory for the targets");
}

static int retune_one(const struct target *old, const struct job *j, const struct guard_policy *policy,
                      const struct target_peers *peers, struct target *ret, struct err *err)
{
    if (old->is_null)
        return 0;
    if (job_writes(j) && !old->writable)
        return open_for_writing(ret, j, policy, peers, err);
    ret->fd = dup_fd(old->fd);
    ret->claim_fd = dup_fd(old->claim_fd);
    if (ret->fd < 0 || (ret->claim_fd < 0) != (old->claim_fd < 0))
        return err_set(err, -errno, "filename=%s: %s", old->path, strerror(errno));
    return 0;
}

int targets_retune_beside(const struct targets *old, const struct job *j, const struct guard_policy *policy,
                          const struct target_peers *peers, struct targets *ret, struct err *err)
{
    int rc = targets_fit(old, j, err);
    bool needs_pass = rc > 0;
    if (rc < 0)
        return rc;
    rc = 0;
    if (targets_alloc(ret, old->n) < 0)
        return err_set(err, -ENOMEM, "no memory for the targets");
    ret->own = old->own;
    for (size_t i = 0; i < old->n && rc == 0; i++)
        rc = copy_closed(&old->t[i], &ret->t[i], err);
    if (rc == 0 && needs_pass)
        rc = targets_pass_files(ret, policy, err);
    for (size_t i = 0; i < old->n && rc == 0; i++)
        rc = retune_one(&old->t[i], j, policy, peers, &ret->t[i], err);
    if (rc == 0 && targets_group(ret) < 0)
        rc = err_set(err, -ENOMEM, "no memory for the targets");
    if (rc == 0)
        targets_advise(ret, j);
    if (rc < 0)
        targets_close(ret);
    return rc;
}

int targets_retune(const struct targets *old, const struct job *j, const struct guard_policy *policy,
                   struct targets *ret, struct err *err)
{
    return targets_retune_beside(old, j, policy, NULL, ret, err);
}
