/* guard_openers: which other process has a device or file open, by the descriptors below /proc.
 * Mappings without a descriptor and users inside the kernel are not seen here. */
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

#include "core/str.h"
#include "engine/guard_internal.h"

#define INITIAL_PID_NAMESPACE 0xEFFFFFFCu /* the inode that the kernel fixes (include/linux/proc_ns.h) */

struct search {
    const char *proc;
    const struct guard_id *id;
    size_t n;
    bool strict;
    pid_t keeper; /* our parent, when it runs this program; else 0 */
};

/* May a wait on a dead server be avoided, it is: no attribute is fetched anew. */
static bool read_id(int dir_fd, const char *name, struct guard_id *ret)
{
    struct statx sx;
    if (statx(dir_fd, name, AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &sx) < 0)
        return false;
    ret->is_block = S_ISBLK(sx.stx_mode);
    ret->dev = ret->is_block ? makedev(sx.stx_rdev_major, sx.stx_rdev_minor)
                             : makedev(sx.stx_dev_major, sx.stx_dev_minor);
    ret->ino = sx.stx_ino;
    return ret->is_block || S_ISREG(sx.stx_mode);
}

static bool find_id(const struct search *s, const struct guard_id *found, size_t *ret_which)
{
    for (size_t i = 0; i < s->n; i++)
        if (guard_id_equal(&s->id[i], found)) {
            *ret_which = i;
            return true;
        }
    return false;
}

/* 1 found, 0 not, -errno; *ret_seen counts the descriptors looked at. */
static int search_fds(const struct search *s, const char *path, size_t *ret_which, size_t *ret_seen)
{
    DIR *d = opendir(path);
    struct guard_id id;
    struct dirent *e;
    int found = 0;
    *ret_seen = 0;
    if (!d)
        return -errno;
    while (!found && (e = readdir(d))) {
        if (!isdigit((unsigned char)*e->d_name))
            continue;
        ++*ret_seen;
        found = read_id(dirfd(d), e->d_name, &id) && find_id(s, &id, ret_which);
    }
    closedir(d);
    return found;
}

/* A killed program whose thread hangs in the kernel shows its descriptors only under that thread. */
static int search_threads(const struct search *s, const char *pid, size_t *ret_which)
{
    char path[GUARD_PATH];
    size_t seen;
    struct dirent *e;
    int rc = 0;
    snprintf(path, sizeof path, "%s/%s/task", s->proc, pid);
    DIR *d = opendir(path);
    if (!d)
        return -errno;
    while (rc <= 0 && (e = readdir(d))) {
        if (!isdigit((unsigned char)*e->d_name) || strcmp(e->d_name, pid) == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s/task/%s/fd", s->proc, pid, e->d_name);
        rc = search_fds(s, path, ret_which, &seen);
    }
    closedir(d);
    return rc;
}

static int search_process(const struct search *s, const char *pid, size_t *ret_which)
{
    char path[GUARD_PATH];
    size_t seen;
    pid_t number = (pid_t)atoi(pid);
    if (number == getpid() || (s->keeper && number == s->keeper))
        return 0;
    snprintf(path, sizeof path, "%s/%s/fd", s->proc, pid);
    int rc = search_fds(s, path, ret_which, &seen);
    if (rc == 0 && seen == 0)
        rc = search_threads(s, pid, ret_which);
    if (rc == -ENOENT || rc == -ESRCH)
        return 0; /* ended meanwhile */
    return rc < 0 && !s->strict ? 0 : rc;
}

static void name_process(const struct search *s, const char *pid, char dst[GUARD_LABEL])
{
    char path[GUARD_PATH], comm[64] = "?";
    snprintf(path, sizeof path, "%s/%s/comm", s->proc, pid);
    FILE *f = fopen(path, "re");
    if (f) {
        if (!fgets(comm, sizeof comm, f))
            str_copy(comm, sizeof comm, "?");
        fclose(f);
    }
    snprintf(dst, GUARD_LABEL, "%s (process %s)", str_trim(comm), pid);
}

/* The keeper waits for us and opens nothing; another parent is a stranger like any other. */
static pid_t find_keeper(const char *proc)
{
    char path[GUARD_PATH];
    struct stat own, parent;
    pid_t pid = getppid();
    snprintf(path, sizeof path, "%s/%d/exe", proc, (int)pid);
    if (stat("/proc/self/exe", &own) < 0 || stat(path, &parent) < 0)
        return 0;
    return own.st_dev == parent.st_dev && own.st_ino == parent.st_ino ? pid : 0;
}

/* In a PID namespace of a container the processes outside are invisible. */
static bool sees_all(const struct guard_world *w)
{
    struct stat st;
    if (!sysroot_is_live(w->root))
        return true;
    return stat("/proc/self/ns/pid", &st) == 0 && st.st_ino == INITIAL_PID_NAMESPACE;
}

int guard_openers_find(const struct guard_world *w, const struct guard_id *id, size_t n, bool strict,
                       char ret_opener[GUARD_LABEL], size_t *ret_which)
{
    struct search s = {.proc = w->proc, .id = id, .n = n, .strict = strict, .keeper = find_keeper(w->proc)};
    struct dirent *e;
    int rc = strict && !sees_all(w) ? -EPERM : 0;
    DIR *d = rc == 0 ? opendir(w->proc) : NULL;
    if (!d)
        return strict ? -EPERM : 0;
    while (rc == 0 && (e = readdir(d)))
        if (isdigit((unsigned char)*e->d_name) && (rc = search_process(&s, e->d_name, ret_which)) > 0)
            name_process(&s, e->d_name, ret_opener);
    closedir(d);
    return rc < 0 ? -EPERM : rc;
}
