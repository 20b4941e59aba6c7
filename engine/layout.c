/* layout: finds holes and unwritten extents, and writes files full of data that no device can compress.
 * Opens nothing and knows no job. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/units.h"
#include "engine/layout.h"

#define CHUNK (4ull << 20)
#define ALIGN 4096ull
#define EXTENTS 128

struct extents {
    struct fiemap map;
    struct fiemap_extent extent[EXTENTS];
};

/* The first unwritten extent (fallocate) in [from, end): it reads as zeros without touching the device. */
static uint64_t first_unwritten(int fd, uint64_t from, uint64_t end)
{
    struct extents *e = calloc(1, sizeof(*e));
    uint64_t at = from, found = end;
    while (e && at < end) {
        e->map = (struct fiemap){.fm_start = at, .fm_length = end - at, .fm_extent_count = EXTENTS};
        if (ioctl(fd, FS_IOC_FIEMAP, &e->map) < 0 || !e->map.fm_mapped_extents)
            break;
        uint64_t next = at;
        for (unsigned i = 0; i < e->map.fm_mapped_extents && found == end; i++) {
            const struct fiemap_extent *x = &e->extent[i];
            next = x->fe_logical + x->fe_length;
            if ((x->fe_flags & FIEMAP_EXTENT_UNWRITTEN) && x->fe_logical < end)
                found = x->fe_logical > from ? x->fe_logical : from;
            if (x->fe_flags & FIEMAP_EXTENT_LAST)
                next = end;
        }
        if (found < end || next <= at)
            break;
        at = next;
    }
    free(e);
    return found;
}

uint64_t layout_first_hole(int fd, uint64_t from, uint64_t end)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return end;
    uint64_t size = (uint64_t)st.st_size, stop = end < size ? end : size;
    if (from >= stop)
        return from < end ? from : end;
    off_t hole = lseek(fd, (off_t)from, SEEK_HOLE); /* the end of the file counts as one */
    uint64_t first = hole < 0 ? stop : (uint64_t)hole;
    first = first < stop ? first : stop;
    return first_unwritten(fd, from, first);
}

uint64_t layout_free_bytes(int fd)
{
    struct statvfs vfs;
    if (fstatvfs(fd, &vfs) < 0 || !vfs.f_frsize)
        return UINT64_MAX;
    return (uint64_t)vfs.f_bavail * vfs.f_frsize;
}

static void fill(uint64_t *word, size_t bytes, uint64_t seed)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15ull + 0xd1b54a32d192ed03ull; /* never 0 for the seeds of one file */
    x = x ? x : 1;
    for (size_t i = 0; i < bytes / sizeof(*word); i++) {
        x ^= x << 13; /* xorshift64 (Marsaglia 2003) */
        x ^= x >> 7;
        x ^= x << 17;
        word[i] = x * 0x2545f4914f6cdd1dull;
    }
}

static void set_direct(int fd, bool on)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0)
        (void)!fcntl(fd, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT);
}

/* All of a piece; falls back to the page cache where direct I/O is refused. */
static int write_piece(int fd, const char *buf, uint64_t at, uint64_t bytes)
{
    uint64_t done = 0;
    while (done < bytes) {
        ssize_t n = pwrite(fd, buf + done, bytes - done, (off_t)(at + done));
        if (n > 0)
            done += (uint64_t)n;
        if (n > 0 && !(n % 512))
            continue;
        if (n == 0)
            return -EIO;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno != EINVAL || !(fcntl(fd, F_GETFL) & O_DIRECT)))
            return -errno;
        set_direct(fd, false);
    }
    return 0;
}

static void tell(struct layout_progress *p, uint64_t bytes)
{
    uint64_t now = clock_now_ns();
    p->done += bytes;
    if (!p->tell || (p->told_ns && now - p->told_ns < 100 * NSEC_PER_MSEC && p->done < p->total))
        return;
    p->told_ns = now;
    p->tell(p->total ? 100.0 * (double)p->done / (double)p->total : 100.0, p->arg);
}

static int failed(const char *path, int rc, uint64_t at, struct err *err)
{
    char done[UNITS_TEXT];
    if (rc == -ECANCELED)
        return err_set(err, rc, "%s: layout was stopped", path);
    units_exact_bytes(at, done);
    return err_set(err, rc, "%s: layout failed after %s: %s", path, done, strerror(-rc));
}

static int write_all(int fd, uint64_t from, uint64_t end, char *buf, struct layout_progress *p, uint64_t *ret_at)
{
    uint64_t seed = (uint64_t)(uintptr_t)buf ^ clock_now_ns();
    int rc = 0;
    for (*ret_at = from; *ret_at < end && rc == 0;) {
        uint64_t at = *ret_at, room = CHUNK - at % CHUNK, bytes = end - at < room ? end - at : room;
        if (p->stop && atomic_load(p->stop))
            return -ECANCELED;
        if (bytes % ALIGN)
            set_direct(fd, false);
        fill((uint64_t *)(void *)buf, (bytes + 7) & ~7ull, seed + at);
        rc = write_piece(fd, buf, at, bytes);
        if (rc == 0) {
            *ret_at = at + bytes;
            sync_file_range(fd, (off_t)at, (off_t)bytes, SYNC_FILE_RANGE_WRITE); /* keeps the last sync short */
            tell(p, bytes);
        }
    }
    return rc;
}

int layout_write(int fd, const char *path, uint64_t from, uint64_t end, struct layout_progress *p, struct err *err)
{
    void *buf;
    uint64_t at = from;
    if (posix_memalign(&buf, ALIGN, CHUNK))
        return err_set(err, -ENOMEM, "%s: no memory for its layout", path);
    set_direct(fd, true); /* EINVAL where the filesystem cannot: then it is written through the page cache */
    int rc = write_all(fd, from / ALIGN * ALIGN, end, buf, p, &at);
    free(buf);
    if (rc == 0 && !p->unsynced && fdatasync(fd) < 0)
        rc = -errno;
    return rc < 0 ? failed(path, rc, at, err) : 0;
}
