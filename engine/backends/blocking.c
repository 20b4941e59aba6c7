/* blocking: requests done in place by plain system calls.
 * They go through syscall(), because libc's pread and pwrite pay for thread cancellation at every call. */
#include "engine/backends/blocking.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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
    return RETRY(syscall(SYS_fsync, io->fd));
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
