/* guard_cache: makes the kernel's pages of a device tell what is on it now. They may be of the past: a write to
 * a partition, or to what stands behind a loop, goes round the pages that a reader of the disk keeps alive.
 * Reads only. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/guard_internal.h"

#define CHUNK_BYTES (1u << 20)
#define ALIGN_BYTES 4096u
#define TRIES 5

/* Two ways to the same bytes. */
struct pair {
    int cached, direct;
    char *a, *b;
};

/* All of [at, at + n), which ends within the device. */
static int read_all(int fd, char *buf, size_t n, uint64_t at)
{
    for (size_t done = 0; done < n;) {
        ssize_t got = pread(fd, buf + done, n - done, (off_t)(at + done));
        if (got <= 0)
            return got < 0 ? -errno : -EIO;
        done += (size_t)got;
    }
    return 0;
}

/* 1 when both read the same, 0, or -errno. */
static int agree(const struct pair *p, uint64_t begin, uint64_t end)
{
    int rc = 1;
    for (uint64_t at = begin; at < end && rc > 0; at += CHUNK_BYTES) {
        size_t n = end - at < CHUNK_BYTES ? (size_t)(end - at) : CHUNK_BYTES;
        rc = read_all(p->cached, p->a, n, at);
        if (rc == 0)
            rc = read_all(p->direct, p->b, n, at);
        rc = rc < 0 ? rc : memcmp(p->a, p->b, n) == 0;
    }
    return rc;
}

/* A page that a reader holds just now is not dropped at once. */
static int drop_until_equal(const struct pair *p, uint64_t begin, uint64_t end)
{
    for (int i = 0; i < TRIES; i++) {
        posix_fadvise(p->cached, (off_t)begin, (off_t)(end - begin), POSIX_FADV_DONTNEED);
        int rc = agree(p, begin, end);
        if (rc != 0)
            return rc < 0 ? rc : 0;
    }
    return -EAGAIN;
}

/* What a table says need not fit the logical block of the device. */
static uint64_t round_up(int fd, uint64_t end)
{
    off_t size = lseek(fd, 0, SEEK_END);
    end += (ALIGN_BYTES - end % ALIGN_BYTES) % ALIGN_BYTES;
    return size >= 0 && end > (uint64_t)size ? (uint64_t)size : end;
}

int guard_cache_refresh(int fd, uint64_t begin, uint64_t end)
{
    struct pair p = {.cached = fd, .direct = guard_reopen(fd, O_RDONLY | O_DIRECT)};
    if (p.direct < 0)
        return p.direct;
    int rc = -ENOMEM;
    end = round_up(fd, end);
    if (posix_memalign((void **)&p.a, ALIGN_BYTES, 2 * CHUNK_BYTES) == 0) {
        p.b = p.a + CHUNK_BYTES;
        rc = drop_until_equal(&p, begin - begin % ALIGN_BYTES, end);
    }
    free(p.a);
    close(p.direct);
    return rc;
}
