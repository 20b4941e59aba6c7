/* guard_device: the steps from a block device's inode to a descriptor that claims it: look, ask for consent,
 * claim, and look once more while the claim holds. The single reasons stand in guard_use.c and its neighbours. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "core/str.h"
#include "engine/guard_internal.h"

#ifndef BLKGETDISKSEQ /* Linux 5.15 */
#define BLKGETDISKSEQ _IOR(0x12, 128, __u64)
#endif

/* udev and its like open a device for a moment after each change: that is waited out. */
#define PATIENCE_TRIES 10
#define PATIENCE_NS 100000000

struct identity {
    dev_t dev;
    uint64_t size, diskseq; /* diskseq 0 = the kernel has none */
};

/* One request on its way through the steps. */
struct request {
    const struct guard_world *world;
    const struct guard_policy *policy;
    const char *path;        /* as the user wrote it */
    char label[GUARD_LABEL]; /* and with the kernel's name where that differs */
    int path_fd, read_fd;
    struct stat st;     /* of the node */
    struct identity is; /* of the device behind read_fd, which pins it */
};

static void wait_a_little(void)
{
    struct timespec ts = {.tv_nsec = PATIENCE_NS};
    nanosleep(&ts, NULL);
}

static int identify(int fd, struct identity *ret)
{
    struct stat st;
    struct identity is = {0};
    if (fstat(fd, &st) < 0)
        return -errno;
    if (!S_ISBLK(st.st_mode))
        return -ENOTBLK;
    is.dev = st.st_rdev;
    if (ioctl(fd, BLKGETSIZE64, &is.size) < 0)
        return -errno;
    if (ioctl(fd, BLKGETDISKSEQ, &is.diskseq) < 0)
        is.diskseq = 0;
    *ret = is;
    return 0;
}

static void make_label(struct request *r)
{
    char link[GUARD_PATH];
    int rc = sysroot_link(r->world->root, link, sizeof link, "sys/dev/block/%u:%u", major(r->st.st_rdev),
                          minor(r->st.st_rdev));
    const char *slash = rc == 0 ? strrchr(link, '/') : NULL, *name = slash ? slash + 1 : "";
    if (*name && (!str_starts(r->path, "/dev/") || strcmp(r->path + strlen("/dev/"), name) != 0))
        snprintf(r->label, sizeof r->label, "%.160s (%.64s)", r->path, name);
    else
        str_copy(r->label, sizeof r->label, r->path);
}

/* ---- consent ---- */

static bool is_named(const struct guard_policy *policy, const char *signature)
{
    for (size_t i = 0; i < policy->noverwrite; i++)
        if (strcasecmp(policy->overwrite[i], signature) == 0)
            return true;
    return false;
}

static int deny_content(const struct request *r, const struct guard_signatures *s, bool allowed, struct err *err)
{
    struct strbuf what = {0}, options = {0};
    for (size_t i = 0; i < s->n; i++) {
        bool data = strcmp(s->name[i], "data") == 0;
        strbuf_printf(&what, "%s%s", i ? " and " : "", data ? "data of an unknown kind" : s->name[i]);
        if (!is_named(r->policy, s->name[i]))
            strbuf_printf(&options, "%s--overwrite=%s", options.len ? " " : "", s->name[i]);
    }
    int rc = err_set(err, -EPERM, GUARD_NO "it holds %s; %s%s%s%s would allow it and destroy that", r->label,
                     what.s ? what.s : "something", allowed ? "" : "--allow-write=", allowed ? "" : r->path,
                     !allowed && options.len ? " " : "", options.s ? options.s : "");
    strbuf_fini(&what);
    strbuf_fini(&options);
    return rc;
}

static int check_consent(const struct request *r, const struct guard_use *u, struct err *err)
{
    struct guard_signatures s;
    bool allowed = guard_is_allowed(r->policy, &r->st), all = true;
    int rc = guard_signatures_find(u, r->read_fd, r->is.size, &s, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < s.n; i++)
        all = all && is_named(r->policy, s.name[i]);
    if (allowed && all)
        return 0;
    if (s.n > 0)
        return deny_content(r, &s, allowed, err);
    return err_set(err, -EPERM, GUARD_NO "it is a block device; --allow-write=%s would allow it", r->label,
                   r->path);
}

/* ---- looking ---- */

static int check_openers(const struct guard_use *u, struct err *err)
{
    char opener[GUARD_LABEL], who[GUARD_LABEL] = "the file behind it";
    size_t which = 0;
    int rc, tries = 0;
    while ((rc = guard_openers_find(u->world, u->id, u->nid, true, opener, &which)) > 0 &&
           ++tries < PATIENCE_TRIES)
        wait_a_little();
    if (rc < 0)
        return err_set(err, rc,
                       GUARD_NO "who else has it open cannot be told without root's view of all processes",
                       u->label);
    if (rc == 0)
        return 0;
    if (u->id[which].is_block)
        guard_use_relation(u, guard_use_find(u, u->id[which].dev), who);
    return err_set(err, -EBUSY, GUARD_NO "%s is open in %s", u->label, who, opener);
}

static int check_users(const struct request *r, const struct guard_use *u, struct err *err)
{
    int rc = guard_use_check(u, err);
    if (rc == 0 && u->tree.node[u->node].size_bytes != r->is.size)
        rc = err_set(err, -EPERM, GUARD_NO "its size changes while it is looked at", r->label);
    if (rc == 0)
        rc = check_openers(u, err);
    return rc;
}

static int check_all(const struct request *r, const struct guard_use *u, struct err *err)
{
    int rc = check_users(r, u, err);
    return rc == 0 ? check_consent(r, u, err) : rc;
}

static int with_use(const struct request *r,
                    int (*check)(const struct request *, const struct guard_use *, struct err *), struct err *err)
{
    struct guard_use u;
    int rc = guard_use_read(r->world, r->st.st_rdev, r->label, &u, err);
    if (rc < 0)
        return rc;
    rc = check(r, &u, err);
    guard_use_fini(&u);
    return rc;
}

/* What /sys and /proc tell without touching the device: it may be dead, or not ours to open. */
static int check_from_afar(const struct request *r, const struct guard_use *u, struct err *err)
{
    return guard_use_check(u, err);
}

/* ---- the claim ---- */

/* The advisory lock that udev and its like honour: they leave the device alone while we hold it. */
static int lock(const struct request *r, int fd, struct err *err)
{
    for (int tries = 0; tries < PATIENCE_TRIES; tries++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return 0;
        if (errno != EWOULDBLOCK)
            break;
        wait_a_little();
    }
    return err_set(err, -EBUSY, GUARD_NO "another program has locked it", r->label);
}

static int check_same(const struct request *r, int fd, struct err *err)
{
    struct identity now;
    int rc = identify(fd, &now);
    if (rc < 0)
        return err_set(err, rc, GUARD_NO "%s", r->label, strerror(-rc));
    if (now.dev != r->is.dev || now.size != r->is.size || now.diskseq != r->is.diskseq)
        return err_set(err, -EPERM, GUARD_NO "another device has taken its place", r->label);
    return 0;
}

static int claim(const struct request *r, struct err *err)
{
    int fd = guard_reopen(r->path_fd, O_RDWR | O_EXCL);
    if (fd == -EBUSY)
        return err_set(err, fd,
                       GUARD_NO "the kernel says that it is in use (mounted somewhere, swap, a journal, part "
                                "of a filesystem or an array)",
                       r->label);
    if (fd < 0)
        return err_set(err, fd, GUARD_NO "%s", r->label, strerror(-fd));
    int rc = check_same(r, fd, err);
    if (rc == 0)
        rc = lock(r, fd, err);
    if (rc == 0)
        rc = with_use(r, check_all, err);
    if (rc == 0)
        return fd;
    close(fd);
    return rc;
}

static int open_request(struct request *r, struct err *err)
{
    int rc = identify(r->read_fd, &r->is);
    if (rc < 0)
        return err_set(err, rc, GUARD_NO "%s", r->label, strerror(-rc));
    rc = with_use(r, check_all, err);
    /* Pages that do not come to rest: something in the kernel keeps them, and the claim can say so. */
    return rc < 0 && rc != -EAGAIN ? rc : claim(r, err);
}

int guard_device_open(const struct guard_world *w, int path_fd, const char *path,
                      const struct guard_policy *policy, struct err *err)
{
    struct request r = {.world = w, .policy = policy, .path = path, .path_fd = path_fd};
    if (fstat(path_fd, &r.st) < 0)
        return err_set(err, -errno, GUARD_NO "%s", path, strerror(errno));
    make_label(&r);
    int rc = with_use(&r, check_from_afar, err);
    if (rc < 0)
        return rc;
    r.read_fd = guard_reopen(path_fd, O_RDONLY | O_NONBLOCK);
    if (r.read_fd < 0)
        return err_set(err, r.read_fd, GUARD_NO "%s", r.label, strerror(-r.read_fd));
    rc = open_request(&r, err);
    close(r.read_fd);
    return rc;
}

int guard_device_check_again(const struct guard_world *w, int fd, const char *path, struct err *err)
{
    struct request r = {.world = w, .path = path, .path_fd = fd, .read_fd = fd};
    int rc = identify(fd, &r.is);
    r.st.st_rdev = r.is.dev;
    if (rc < 0)
        return err_set(err, rc, GUARD_NO "%s", path, strerror(-rc));
    make_label(&r);
    return with_use(&r, check_users, err);
}
