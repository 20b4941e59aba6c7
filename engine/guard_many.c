/* guard_many: many regular files at a time through the guard: the machine is asked once for all of them.
 * What is asked is in guard_file.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/guard_internal.h"

static int enter_files(const int *fd, const char *const *path, size_t n, struct sysroot **ret_root,
                       struct err *err)
{
    struct stat st;
    for (size_t i = 0; i < n; i++)
        if (fstat(fd[i], &st) < 0 || !S_ISREG(st.st_mode))
            return err_set(err, -EPERM, GUARD_NO "it is no regular file", path[i]);
    return sysroot_open(NULL, ret_root, err);
}

int guard_check_files_again(const int *fd, const char *const *path, size_t n, struct err *err)
{
    struct sysroot *root;
    int rc = n ? enter_files(fd, path, n, &root, err) : 0;
    if (rc < 0 || !n)
        return rc;
    rc = guard_files_check_again(&(struct guard_world){.root = root, .proc = "/proc"}, fd, path, n, err);
    sysroot_close(root);
    return rc;
}

static int open_paths(const char *const *path, size_t n, int *fd, size_t *ret_open, struct err *err)
{
    for (*ret_open = 0; *ret_open < n; ++*ret_open) {
        size_t i = *ret_open;
        fd[i] = open(path[i], O_PATH | O_CLOEXEC);
        if (fd[i] < 0)
            return err_set(err, -errno, GUARD_NO "%s", path[i], strerror(errno));
    }
    return 0;
}

int guard_open_files(const char *const *path, size_t n, const struct guard_policy *policy, int *ret_fd,
                     struct err *err)
{
    struct sysroot *root;
    size_t open = 0;
    if (!n)
        return 0;
    if (policy->readonly)
        return err_set(err, -EPERM, GUARD_NO "--readonly forbids every write", path[0]);
    int *fd = calloc(n, sizeof(*fd)), rc = fd ? 0 : err_set(err, -ENOMEM, "no memory for %zu files", n);
    if (rc == 0)
        rc = open_paths(path, n, fd, &open, err);
    if (rc == 0 && (rc = enter_files(fd, path, n, &root, err)) == 0) {
        struct guard_world world = {.root = root, .proc = "/proc"};
        rc = guard_files_open(&world, fd, path, n, policy, ret_fd, err);
        sysroot_close(root);
    }
    while (open-- > 0)
        close(fd[open]);
    free(fd);
    return rc;
}
