/* guard_file: may an existing regular file be written? Ours, or named by the user, and nobody else's store.
 * Makes no file: a new one needs no guard. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/mounts.h"
#include "core/str.h"
#include "engine/guard_internal.h"

struct file {
    const struct guard_world *world;
    const char *path;
    struct stat st;
    struct guard_id id;
    bool ours;
};

/* Files there are switches of the kernel or of the firmware, not storage. */
static bool is_pseudo(int fd)
{
    static const unsigned long magics[] = {
        PROC_SUPER_MAGIC, SYSFS_MAGIC,      CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, DEBUGFS_MAGIC,
        TRACEFS_MAGIC,    SECURITYFS_MAGIC, BPF_FS_MAGIC,       EFIVARFS_MAGIC,      SELINUX_MAGIC,
        SMACK_MAGIC,      PSTOREFS_MAGIC,   0x62656570, /* configfs; not in the header */
    };
    struct statfs fs;
    if (fstatfs(fd, &fs) < 0)
        return true;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if ((unsigned long)fs.f_type == magics[i])
            return true;
    return false;
}

/* A mistyped device name makes a file in memory below /dev: "dd of=/dev/sdd1x" has filled many a machine. */
static bool is_in_dev(const struct file *f, int fd)
{
    char link[64], name[GUARD_PATH];
    struct stat dev, top;
    if (stat("/dev", &dev) < 0 || stat("/", &top) < 0)
        return false;
    if (dev.st_dev != top.st_dev)
        return f->st.st_dev == dev.st_dev;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t len = readlink(link, name, sizeof name - 1);
    name[len < 0 ? 0 : len] = '\0';
    return str_starts(name, "/dev/");
}

static int check_place(const struct file *f, int fd, struct err *err)
{
    if (is_pseudo(fd))
        return err_set(err, -EPERM, GUARD_NO "it is no storage but a file of the kernel", f->path);
    if (is_in_dev(f, fd))
        return err_set(err, -EPERM, GUARD_NO "it is a regular file in /dev (a mistyped device name?)", f->path);
    if (f->st.st_nlink == 0)
        return err_set(err, -ENOENT, GUARD_NO "it was removed meanwhile", f->path);
    return 0;
}

static int check_swap(const struct file *f, size_t n, struct err *err)
{
    char path[GUARD_PATH];
    struct mounts m;
    struct stat st;
    struct err why = {0};
    int rc;
    snprintf(path, sizeof path, "%s/swaps", f->world->proc);
    if ((rc = mounts_read_swaps(path, &m, &why)) < 0)
        return rc == -ENOENT ? 0 : err_set(err, -EPERM, GUARD_NO "%s", f->path, why.text);
    for (size_t i = 0; i < m.n && rc == 0; i++)
        for (size_t k = 0; k < n && rc == 0 && stat(m.row[i].source, &st) == 0; k++)
            if (st.st_dev == f[k].st.st_dev && st.st_ino == f[k].st.st_ino)
                rc = err_set(err, -EBUSY, GUARD_NO "it is active swap", f[k].path);
    mounts_fini(&m);
    return rc;
}

/* A file of our own cannot stand behind a loop that nobody here can look at; of another we cannot tell. */
static int check_loop(const struct file *f, const struct guard_loop *l, const char *name, struct err *err)
{
    if (l->known && guard_id_equal(&l->backing, &f->id))
        return err_set(err, -EBUSY, GUARD_NO "it is the backing file of %s", f->path, name);
    if (!l->known && !f->ours)
        return err_set(err, -EPERM, GUARD_NO "%s is in use and its backing store cannot be looked at", f->path,
                       name);
    return 0;
}

static int check_loops(const struct file *f, size_t n, struct err *err)
{
    struct blocktree tree;
    struct guard_loops loops = {0};
    int rc = blocktree_read(f->world->root, &tree, err);
    if (rc < 0)
        return rc;
    rc = guard_loops_read(f->world, &tree, &loops);
    if (rc < 0)
        rc = err_set(err, rc, GUARD_NO "the loop devices cannot be listed: %s", f->path, strerror(-rc));
    for (size_t i = 0; i < loops.n; i++)
        for (size_t k = 0; k < n && rc == 0; k++)
            rc = check_loop(&f[k], &loops.loop[i], tree.node[loops.loop[i].node].name, err);
    guard_loops_fini(&loops);
    blocktree_fini(&tree);
    return rc;
}

static int check_openers(const struct file *f, size_t n, struct err *err)
{
    char opener[GUARD_LABEL];
    size_t which;
    int rc = 0;
    struct guard_id *id = calloc(n, sizeof(*id));
    if (!id)
        return err_set(err, -ENOMEM, GUARD_NO "no memory to look for those who have it open", f->path);
    for (size_t i = 0; i < n; i++)
        id[i] = f[i].id;
    if (guard_openers_find(f->world, id, n, false, opener, &which) > 0)
        rc = err_set(err, -EBUSY, GUARD_NO "it is open in %s", f[which].path, opener);
    free(id);
    return rc;
}

static int check_consent(const struct file *f, const struct guard_policy *policy, struct err *err)
{
    if (f->ours)
        return 0;
    if (f->st.st_nlink > 1)
        return err_set(err, -EPERM, GUARD_NO "it was not made by benchtop and has %ju names (hard links)", f->path,
                       (uintmax_t)f->st.st_nlink);
    if (guard_is_allowed(policy, &f->st))
        return 0;
    return err_set(err, -EPERM, GUARD_NO "it exists and was not made by benchtop; --allow-write=%s would allow it",
                   f->path, f->path);
}

static void identify(struct file *f, int fd)
{
    f->id = (struct guard_id){.dev = f->st.st_dev, .ino = f->st.st_ino};
    f->ours = guard_is_ours(fd);
}

static int read_file(int path_fd, struct file *f, struct err *err)
{
    int fd = guard_reopen(path_fd, O_RDONLY | O_NONBLOCK);
    if (fd < 0)
        return err_set(err, fd, GUARD_NO "%s", f->path, strerror(-fd));
    int rc = fstat(fd, &f->st) == 0 ? 0 : err_set(err, -errno, GUARD_NO "%s", f->path, strerror(errno));
    identify(f, fd);
    if (rc == 0)
        rc = check_place(f, fd, err);
    close(fd);
    return rc;
}

/* Whoever consents, and whoever made it. */
static int check_users(const struct file *f, size_t n, struct err *err)
{
    static int (*const checks[])(const struct file *, size_t, struct err *) = {check_swap, check_loops,
                                                                             check_openers};
    int rc = 0;
    for (size_t i = 0; i < sizeof checks / sizeof *checks && rc == 0; i++)
        rc = checks[i](f, n, err);
    return rc;
}

int guard_files_check_again(const struct guard_world *w, const int *fd, const char *const *path, size_t n,
                            struct err *err)
{
    struct file *f = calloc(n, sizeof(*f));
    int rc = f ? 0 : err_set(err, -ENOMEM, GUARD_NO "no memory to look at it", path[0]);
    for (size_t i = 0; i < n && rc == 0; i++) {
        f[i] = (struct file){.world = w, .path = path[i]};
        if (fstat(fd[i], &f[i].st) < 0)
            rc = err_set(err, -errno, GUARD_NO "%s", path[i], strerror(errno));
        else
            identify(&f[i], fd[i]);
    }
    if (rc == 0)
        rc = check_users(f, n, err);
    free(f);
    return rc;
}

/* All are open, or none is. */
static int reopen_all(const struct file *f, const int *path_fd, size_t n, int *ret_fd, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        ret_fd[i] = guard_reopen(path_fd[i], O_RDWR);
        if (ret_fd[i] >= 0)
            continue;
        int rc = err_set(err, ret_fd[i], GUARD_NO "%s", f[i].path, strerror(-ret_fd[i]));
        while (i-- > 0)
            close(ret_fd[i]);
        return rc;
    }
    return 0;
}

int guard_files_open(const struct guard_world *w, const int *path_fd, const char *const *path, size_t n,
                     const struct guard_policy *policy, int *ret_fd, struct err *err)
{
    struct file *f = calloc(n, sizeof(*f));
    int rc = f ? 0 : err_set(err, -ENOMEM, GUARD_NO "no memory to look at it", path[0]);
    for (size_t i = 0; i < n && rc == 0; i++) {
        f[i] = (struct file){.world = w, .path = path[i]};
        rc = read_file(path_fd[i], &f[i], err);
    }
    if (rc == 0)
        rc = check_users(f, n, err);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = check_consent(&f[i], policy, err);
    if (rc == 0)
        rc = reopen_all(f, path_fd, n, ret_fd, err);
    free(f);
    return rc;
}
