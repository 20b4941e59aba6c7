/* guard_mounts: is a device, or anything that overlaps it, mounted (in any mount namespace), swapped to, under a
 * live filesystem, or under this very system? Knows nothing of stacks (guard_use.c). */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/mounts.h"
#include "core/str.h"
#include "engine/guard_internal.h"

/* A source is followed only below /dev: elsewhere a stat may wait for a dead server. */
static int find_source(const struct guard_use *u, const char *source)
{
    struct stat st;
    if (!str_starts(source, "/dev/"))
        return BLOCK_NONE;
    if (sysroot_is_live(u->world->root) && stat(source, &st) == 0 && S_ISBLK(st.st_mode))
        return guard_use_find(u, st.st_rdev);
    int i = blocktree_by_name(&u->tree, source + strlen("/dev/"));
    return i != BLOCK_NONE && u->in[i] ? i : BLOCK_NONE;
}

/* bcachefs names all its members: "/dev/sda:/dev/sdb". */
static int find_any_source(const struct guard_use *u, const struct mount_row *row)
{
    int i = find_source(u, row->source);
    if (i != BLOCK_NONE || strcmp(row->fstype, "bcachefs") != 0)
        return i;
    char *rest = NULL, *list = strdup(row->source);
    for (char *s = list ? strtok_r(list, ":", &rest) : NULL; s && i == BLOCK_NONE; s = strtok_r(NULL, ":", &rest))
        i = find_source(u, s);
    free(list);
    return i;
}

static int check_rows(const struct guard_use *u, const struct mounts *m, const char *pid, struct err *err)
{
    char who[GUARD_LABEL];
    for (size_t k = 0; k < m->n; k++) {
        const struct mount_row *row = &m->row[k];
        int i = guard_use_find(u, makedev(row->major, row->minor));
        if (i == BLOCK_NONE)
            i = find_any_source(u, row);
        if (i == BLOCK_NONE)
            continue;
        guard_use_relation(u, i, who);
        return err_set(err, -EBUSY, GUARD_NO "%s is mounted on %s (%s)%s%s%s", u->label, who, row->target,
                       row->fstype, *pid ? ", as process " : "", pid, *pid ? " sees it" : "");
    }
    return 0;
}

/* Read errors of a process that ended meanwhile: it has no mounts any more. */
static bool is_gone(int rc)
{
    return rc == -ENOENT || rc == -ESRCH || rc == -EINVAL;
}

static int check_table(const struct guard_use *u, const char *pid, struct err *err)
{
    char path[GUARD_PATH];
    struct mounts m;
    struct err why = {0};
    snprintf(path, sizeof path, "%s/%s/mountinfo", u->world->proc, *pid ? pid : "self");
    int rc = mounts_read(path, &m, &why);
    if (rc < 0)
        return *pid && is_gone(rc) ? 0 : err_set(err, -EPERM, GUARD_NO "%s", u->label, why.text);
    rc = check_rows(u, &m, pid, err);
    mounts_fini(&m);
    return rc;
}

/* What decides what a process sees mounted: its namespace, and its root (a chroot hides the mounts outside). */
struct view {
    char ns[64];
    dev_t root_dev;
    ino_t root_ino;
};
struct views {
    struct view *seen;
    size_t n;
};

static bool read_view(const struct guard_use *u, const char *pid, struct view *ret)
{
    char path[GUARD_PATH];
    struct statx sx;
    snprintf(path, sizeof path, "%s/%s/ns/mnt", u->world->proc, pid);
    ssize_t len = readlink(path, ret->ns, sizeof ret->ns - 1);
    if (len < 0)
        return false;
    ret->ns[len] = '\0';
    snprintf(path, sizeof path, "%s/%s/root", u->world->proc, pid);
    if (statx(AT_FDCWD, path, AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_INO, &sx) < 0)
        return false;
    ret->root_dev = makedev(sx.stx_dev_major, sx.stx_dev_minor);
    ret->root_ino = sx.stx_ino;
    return true;
}

/* True when this process has a table that was not looked at yet; also when that cannot be told. */
static bool is_new(const struct guard_use *u, struct views *views, const char *pid)
{
    struct view v;
    if (!read_view(u, pid, &v))
        return true;
    for (size_t i = 0; i < views->n; i++)
        if (strcmp(views->seen[i].ns, v.ns) == 0 && views->seen[i].root_dev == v.root_dev &&
            views->seen[i].root_ino == v.root_ino)
            return false;
    struct view *grown = reallocarray(views->seen, views->n + 1, sizeof *views->seen);
    if (grown) {
        views->seen = grown;
        views->seen[views->n++] = v;
    }
    return true;
}

int guard_mounts_check(const struct guard_use *u, struct err *err)
{
    struct views views = {0};
    struct dirent *e;
    int rc = check_table(u, "", err);
    if (rc < 0)
        return rc;
    is_new(u, &views, "self");
    DIR *d = opendir(u->world->proc);
    if (!d)
        return err_set(err, -EPERM, GUARD_NO "%s: %s", u->label, u->world->proc, strerror(errno));
    while (rc == 0 && (e = readdir(d)))
        if (isdigit((unsigned char)*e->d_name) && is_new(u, &views, e->d_name))
            rc = check_table(u, e->d_name, err);
    closedir(d);
    free(views.seen);
    return rc;
}

/* A swap file needs no look here: its filesystem is mounted. */
static int check_swap(const struct guard_use *u, const char *source, struct err *err)
{
    char who[GUARD_LABEL];
    int i = find_source(u, source);
    if (i == BLOCK_NONE)
        return 0;
    guard_use_relation(u, i, who);
    return err_set(err, -EBUSY, GUARD_NO "%s is active swap", u->label, who);
}

int guard_swaps_check(const struct guard_use *u, struct err *err)
{
    char path[GUARD_PATH];
    struct mounts m;
    struct err why = {0};
    snprintf(path, sizeof path, "%s/swaps", u->world->proc);
    int rc = mounts_read_swaps(path, &m, &why);
    if (rc < 0) /* a kernel without swap has no such file */
        return rc == -ENOENT ? 0 : err_set(err, -EPERM, GUARD_NO "%s", u->label, why.text);
    for (size_t i = 0; i < m.n && rc == 0; i++)
        rc = check_swap(u, m.row[i].source, err);
    mounts_fini(&m);
    return rc;
}

static int check_folder(const struct guard_use *u, const char *folder, const char *fs, struct err *err)
{
    char who[GUARD_LABEL], **names = NULL;
    size_t n = 0;
    int hit = BLOCK_NONE, rc = sysroot_list(u->world->root, &names, &n, "%s", folder);
    if (rc < 0)
        return rc == -ENOENT || rc == -ENOTDIR
                   ? 0
                   : err_set(err, -EPERM, GUARD_NO "%s: %s", u->label, folder, strerror(-rc));
    for (size_t k = 0; k < n && hit == BLOCK_NONE; k++)
        for (int i = 0; i < (int)u->tree.n && hit == BLOCK_NONE; i++)
            if (u->in[i] && strcmp(u->tree.node[i].sysname, names[k]) == 0)
                hit = i;
    sysroot_free_names(names, n);
    if (hit == BLOCK_NONE)
        return 0;
    guard_use_relation(u, hit, who);
    return err_set(err, -EBUSY,
                   GUARD_NO "%s belongs to a live %s filesystem (in another mount namespace, or unmounted "
                            "lazily)",
                   u->label, who, fs);
}

/* btrfs lists all its devices here, while mountinfo shows only the first, under an anonymous number. */
static int check_btrfs(const struct guard_use *u, struct err *err)
{
    char folder[GUARD_LABEL], **names = NULL;
    size_t n = 0;
    int rc = sysroot_list(u->world->root, &names, &n, "sys/fs/btrfs");
    if (rc < 0)
        return rc == -ENOENT ? 0 : err_set(err, -EPERM, GUARD_NO "sys/fs/btrfs: %s", u->label, strerror(-rc));
    for (size_t i = 0; i < n && rc == 0; i++) {
        snprintf(folder, sizeof folder, "sys/fs/btrfs/%s/devices", names[i]);
        rc = check_folder(u, folder, "btrfs", err);
    }
    sysroot_free_names(names, n);
    return rc;
}

int guard_filesystems_check(const struct guard_use *u, struct err *err)
{
    static const char *const kinds[] = {"ext4", "xfs", "f2fs"};
    char folder[64];
    int rc = check_btrfs(u, err);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && rc == 0; i++) {
        snprintf(folder, sizeof folder, "sys/fs/%s", kinds[i]);
        rc = check_folder(u, folder, kinds[i], err);
    }
    return rc;
}

/* The mounts above should have said so; this asks the files themselves. */
int guard_system_check(const struct guard_use *u, struct err *err)
{
    static const char *const places[] = {"/", "/usr", "/boot", "/etc", "/var", "/proc/self/exe"};
    struct stat st;
    for (size_t i = 0; sysroot_is_live(u->world->root) && i < sizeof places / sizeof *places; i++)
        if (fstatat(AT_FDCWD, places[i], &st, AT_NO_AUTOMOUNT) == 0 && guard_use_find(u, st.st_dev) != BLOCK_NONE)
            return err_set(err, -EBUSY, GUARD_NO "it holds %s of this system", u->label, places[i]);
    return 0;
}
