/* guard: the door itself, and what the bytes of a device say (the only file over libblkid).
 * Who uses a device is asked in guard_use.c; the order of the steps is in guard_device.c and guard_file.c. */
#include "engine/guard.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/str.h"
#include "engine/guard_internal.h"

#define SECTOR_BYTES 512
#define EDGE_BYTES (4ull << 20) /* looked at on both ends of a device without a signature */
#define CHUNK_BYTES (256u << 10)
#define OWN_XATTR "user.benchtop"

/* ---- signatures ---- */

static int add_signature(struct guard_signatures *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcasecmp(s->name[i], name) == 0)
            return 0;
    if (s->n == GUARD_SIGNATURES || !str_copy(s->name[s->n], sizeof s->name[0], name))
        return -E2BIG;
    s->n++;
    return 0;
}

static int add_value(blkid_probe pr, const char *key, struct guard_signatures *s, bool *ret_named)
{
    const char *value;
    if (blkid_probe_lookup_value(pr, key, &value, NULL) != 0)
        return 0;
    *ret_named = true;
    return add_signature(s, value);
}

/* Until nothing more is found: a device may hold several, and the first is not the dearest. */
static int probe_all(blkid_probe pr, struct guard_signatures *s)
{
    int rc;
    while ((rc = blkid_do_probe(pr)) == 0) {
        bool named = false;
        rc = add_value(pr, "TYPE", s, &named);
        if (rc == 0)
            rc = add_value(pr, "PTTYPE", s, &named);
        if (rc == 0 && !named)
            rc = add_signature(s, "data");
        if (rc < 0)
            return rc;
    }
    return rc < 0 ? -EIO : 0;
}

/* Ambivalent is not nothing: libblkid saw two things and would not choose. */
static int probe_safe(blkid_probe pr, struct guard_signatures *s)
{
    blkid_reset_probe(pr);
    int rc = blkid_do_safeprobe(pr);
    if (rc == -2 && s->n == 0)
        return add_signature(s, "data");
    return rc == -1 ? -EIO : 0;
}

/* Both ends of a region, where all known signatures are; of an image there is but one view. */
static int refresh(int fd, uint64_t begin, uint64_t size)
{
    struct stat st;
    uint64_t edge = size < EDGE_BYTES ? size : EDGE_BYTES;
    if (fstat(fd, &st) < 0)
        return -errno;
    if (!S_ISBLK(st.st_mode))
        return 0;
    int rc = guard_cache_refresh(fd, begin, begin + edge);
    return rc < 0 || edge == size ? rc : guard_cache_refresh(fd, begin + size - edge, begin + size);
}

static int probe_region(int fd, uint64_t begin, uint64_t size, struct guard_signatures *s)
{
    int rc = refresh(fd, begin, size);
    if (rc < 0)
        return rc;
    blkid_probe pr = blkid_new_probe();
    rc = pr ? -EIO : -ENOMEM;
    if (pr && blkid_probe_set_device(pr, fd, (blkid_loff_t)begin, (blkid_loff_t)size) == 0) {
        blkid_probe_enable_superblocks(pr, 1);
        blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_BADCSUM);
        blkid_probe_enable_partitions(pr, 1);
        blkid_probe_set_partitions_flags(pr, BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
        rc = probe_all(pr, s);
        rc = rc == 0 ? probe_safe(pr, s) : rc;
    }
    blkid_free_probe(pr);
    return rc;
}

/* A partition that ends behind the device is looked at as far as it goes. */
static int probe_part(int fd, uint64_t begin, uint64_t length, uint64_t size, struct guard_signatures *s)
{
    if (begin >= size || length == 0)
        return 0;
    return probe_region(fd, begin, length < size - begin ? length : size - begin, s);
}

/* A kernel that cannot read the table shows no partitions; their filesystems are there all the same. */
static int probe_table(int fd, uint64_t size, struct guard_signatures *s)
{
    blkid_probe pr = blkid_new_probe();
    int rc = pr ? -EIO : -ENOMEM;
    if (pr && blkid_probe_set_device(pr, fd, 0, (blkid_loff_t)size) == 0) {
        blkid_probe_enable_partitions(pr, 1);
        blkid_probe_set_partitions_flags(pr, BLKID_PARTS_FORCE_GPT);
        blkid_partlist list = blkid_probe_get_partitions(pr);
        int n = list ? blkid_partlist_numof_partitions(list) : 0;
        rc = 0;
        for (int i = 0; i < n && rc == 0; i++) {
            blkid_partition p = blkid_partlist_get_partition(list, i);
            rc = probe_part(fd, (uint64_t)blkid_partition_get_start(p) * SECTOR_BYTES,
                            (uint64_t)blkid_partition_get_size(p) * SECTOR_BYTES, size, s);
        }
    }
    blkid_free_probe(pr);
    return rc;
}

static int probe_kernel_partitions(const struct guard_use *u, int fd, uint64_t size, struct guard_signatures *s)
{
    const struct block_node *disk = &u->tree.node[u->node];
    int rc = 0;
    for (size_t i = 0; i < u->tree.n && rc == 0; i++) {
        const struct block_node *p = &u->tree.node[i];
        uint64_t start;
        if (p->parent != u->node || p->kind != BLOCK_PARTITION)
            continue;
        rc = sysroot_u64(u->world->root, &start, "sys/block/%s/%s/start", disk->sysname, p->sysname);
        if (rc == 0)
            rc = probe_part(fd, start * SECTOR_BYTES, p->size_bytes, size, s);
    }
    return rc;
}

/* 1 when a byte is not zero, 0, or -errno. */
static int has_data(int fd, uint64_t begin, uint64_t end)
{
    char *buf = malloc(CHUNK_BYTES);
    int rc = buf ? 0 : -ENOMEM;
    while (rc == 0 && begin < end) {
        size_t want = end - begin < CHUNK_BYTES ? (size_t)(end - begin) : CHUNK_BYTES;
        ssize_t got = pread(fd, buf, want, (off_t)begin);
        if (got <= 0)
            rc = got < 0 ? -errno : -EIO;
        else
            rc = buf[0] != 0 || memcmp(buf, buf + 1, (size_t)got - 1) != 0;
        begin += got > 0 ? (uint64_t)got : 0;
    }
    free(buf);
    return rc;
}

static int find_data(int fd, uint64_t size, struct guard_signatures *s)
{
    uint64_t edge = size < EDGE_BYTES ? size : EDGE_BYTES;
    int rc = has_data(fd, 0, edge);
    if (rc == 0)
        rc = has_data(fd, size - edge, size);
    return rc > 0 ? add_signature(s, "data") : rc;
}

int guard_signatures_find(const struct guard_use *u, int fd, uint64_t size, struct guard_signatures *ret,
                          struct err *err)
{
    struct guard_signatures s = {.n = 0};
    int rc = probe_region(fd, 0, size, &s);
    if (rc == 0)
        rc = probe_kernel_partitions(u, fd, size, &s);
    if (rc == 0)
        rc = probe_table(fd, size, &s);
    if (rc == 0 && s.n == 0)
        rc = find_data(fd, size, &s);
    if (rc < 0)
        return err_set(err, rc, GUARD_NO "what it holds cannot be told: %s", u->label, strerror(-rc));
    *ret = s;
    return 0;
}

/* ---- the door ---- */

int guard_reopen(int path_fd, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", path_fd);
    int fd = open(path, flags | O_CLOEXEC | O_NOCTTY);
    return fd < 0 ? -errno : fd;
}

bool guard_is_allowed(const struct guard_policy *policy, const struct stat *st)
{
    struct stat named;
    for (size_t i = 0; i < policy->nallow_write; i++)
        if (stat(policy->allow_write[i], &named) == 0 && named.st_dev == st->st_dev &&
            named.st_ino == st->st_ino && named.st_rdev == st->st_rdev &&
            (named.st_mode & S_IFMT) == (st->st_mode & S_IFMT))
            return true;
    return false;
}

static const char *odd_kind(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR:
        return "a folder";
    case S_IFCHR:
        return "a character device";
    case S_IFIFO:
        return "a pipe";
    case S_IFSOCK:
        return "a socket";
    default:
        return "neither a file nor a block device";
    }
}

static int enter(int fd, const char *path, struct sysroot **ret_root, bool *ret_is_block, struct err *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return err_set(err, -errno, GUARD_NO "%s", path, strerror(errno));
    if (!S_ISBLK(st.st_mode) && !S_ISREG(st.st_mode))
        return err_set(err, -EPERM, GUARD_NO "it is %s", path, odd_kind(st.st_mode));
    *ret_is_block = S_ISBLK(st.st_mode);
    return sysroot_open(NULL, ret_root, err);
}

static int open_kind(int path_fd, const char *path, const struct guard_policy *policy, struct err *err)
{
    struct sysroot *root;
    bool block;
    int rc = enter(path_fd, path, &root, &block, err);
    if (rc < 0)
        return rc;
    struct guard_world world = {.root = root, .proc = "/proc"};
    int fd;
    if (block)
        rc = guard_device_open(&world, path_fd, path, policy, err);
    else if ((rc = guard_files_open(&world, &path_fd, &path, 1, policy, &fd, err)) == 0)
        rc = fd;
    sysroot_close(root);
    return rc;
}

int guard_check_again(int fd, const char *path, struct err *err)
{
    struct sysroot *root;
    bool block;
    int rc = enter(fd, path, &root, &block, err);
    if (rc < 0)
        return rc;
    struct guard_world world = {.root = root, .proc = "/proc"};
    rc = block ? guard_device_check_again(&world, fd, path, err)
               : guard_files_check_again(&world, &fd, &path, 1, err);
    sysroot_close(root);
    return rc;
}

int guard_open_write(const char *path, const struct guard_policy *policy, struct err *err)
{
    if (policy->readonly)
        return err_set(err, -EPERM, GUARD_NO "--readonly forbids every write", path);
    /* A name is looked up once. O_PATH opens no device, so that no tape winds and no watchdog starts. */
    int path_fd = open(path, O_PATH | O_CLOEXEC);
    if (path_fd < 0)
        return err_set(err, -errno, GUARD_NO "%s", path, strerror(errno));
    int rc = open_kind(path_fd, path, policy, err);
    close(path_fd);
    return rc;
}

int guard_mark_ours(int fd)
{
    return fsetxattr(fd, OWN_XATTR, "1", 1, 0) == 0 ? 0 : -errno;
}

bool guard_is_ours(int fd)
{
    return fgetxattr(fd, OWN_XATTR, NULL, 0) >= 0;
}
