/* blocking: requests done in place by plain system calls.
 * They go through syscall(), because libc's pread and pwrite pay for thread cancellation at every call. */
#include "engine/backends/blocking.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/str.h"

_Static_assert(sizeof(long) == 8, "offsets go to pread64 in one register");

#define RETRY(call)                                                                                                 \
    ({                                                                                                              \
        long r_;                                                                                                    \
        do                                                                                                          \
            r_ = (call);                                                                                            \
        while (r_ < 0 && (errno == EINTR || errno == EAGAIN));                                                      \
        r_ < 0 ? -errno : (int32_t)r_;                                                                              \
    })

int32_t blocking_read(const struct io *io)
{
    return RETRY(syscall(SYS_pread64, io->fd, io->buf, (size_t)io->len, io->offset));
}

int32_t blocking_write(const struct io *io)
{
    return RETRY(syscall(SYS_pwrite64, io->fd, io->buf, (size_t)io->len, io->offset));
}

int32_t blocking_trim(const struct io *io)
{
    uint64_t range[2] = {io->offset, io->len};
    int32_t res;
    if (io->is_block)
        res = RETRY(ioctl(io->fd, BLKDISCARD, range));
    else
        res = RETRY(fallocate(io->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)range[0], (off_t)range[1]));
    return res < 0 ? res : (int32_t)io->len;
}

int32_t blocking_sync(const struct io *io)
{
    return RETRY(syscall(io->data_only ? SYS_fdatasync : SYS_fsync, io->fd));
}

int32_t blocking_zero(const struct io *io)
{
    int how = FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE;
    int32_t res = RETRY(fallocate(io->fd, how, (off_t)io->offset, (off_t)io->len));
    return res < 0 ? res : (int32_t)io->len;
}

int32_t blocking_do(const struct io *io)
{
    static int32_t (*const how[])(const struct io *) = {
        [DDIR_READ] = blocking_read,
        [DDIR_WRITE] = blocking_write,
        [DDIR_TRIM] = blocking_trim,
        [DDIR_SYNC] = blocking_sync,
    };
    if (io->ddir == DDIR_READ)
        return blocking_read(io);
    return how[io->ddir](io);
}

int blocking_reopen(int fd)
{
    char self[64];
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0)
        return -errno;
    str_format(self, sizeof(self), "/proc/self/fd/%d", fd);
    int got = open(self, (flags & (O_ACCMODE | O_DIRECT | O_SYNC)) | O_CLOEXEC);
    return got < 0 ? -errno : got;
}

int early_init(struct early *e, unsigned depth)
{
    *e = (struct early){.io = calloc(depth, sizeof(*e->io))};
    return e->io ? 0 : -ENOMEM;
}

void early_fini(struct early *e)
{
    free(e->io);
    *e = (struct early){0};
}

unsigned early_take(struct early *e, struct io **done, unsigned max)
{
    unsigned got = e->n < max ? e->n : max;
    if (!got)
        return 0;
    memcpy(done, e->io, got * sizeof(*done));
    e->n -= got;
    memmove(e->io, e->io + got, e->n * sizeof(*done));
    return got;
}

int in_place_reap(void *state, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
    struct in_place *s = state;
    if (!max || !s->done)
        return 0;
    done[0] = s->done;
    s->done = NULL;
    return 1;
}
