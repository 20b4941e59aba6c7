/* sync, psync, pvsync: one request at a time, done while submit waits: the lowest cost where depth 1 is enough.
 * They differ in the system call alone. Keeps nothing in flight. */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "engine/backends/blocking.h"

/* ---- psync ---- */

struct psync {
    struct in_place one; /* first: in_place_reap */
    bool zeroes;
};

static int psync_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    struct psync *s = calloc(1, sizeof(*s));
    if (!s)
        return err_set(err, -ENOMEM, "no memory for the ioengine");
    s->zeroes = cfg->opt.zeroes;
    *ret_state = s;
    return 0;
}

static int psync_submit(void *state, struct io *const *ios, unsigned n)
{
    const struct psync *s = state;
    if (!in_place_take(state, ios, n))
        return 0;
    ios[0]->res = s->zeroes && ios[0]->ddir == DDIR_WRITE ? blocking_zero(ios[0]) : blocking_do(ios[0]);
    return 1;
}

extern const struct backend backend_psync;
const struct backend backend_psync = {
    .name = "psync",
    .blurb = "pread and pwrite, one request at a time",
    .sync = true,
    .takes = BACKEND_ZEROES,
    .open = psync_open,
    .submit = psync_submit,
    .reap = in_place_reap,
    .close = free,
};

/* ---- pvsync ---- */

static int32_t vectored(const struct io *io)
{
    struct iovec v = {io->buf, io->len};
    long call = io->ddir == DDIR_READ ? SYS_preadv : SYS_pwritev, r;
    do
        r = syscall(call, io->fd, &v, 1, io->offset, 0);
    while (r < 0 && (errno == EINTR || errno == EAGAIN));
    return r < 0 ? -errno : (int32_t)r;
}

static int pvsync_submit(void *state, struct io *const *ios, unsigned n)
{
    if (!in_place_take(state, ios, n))
        return 0;
    ios[0]->res = ios[0]->ddir <= DDIR_WRITE ? vectored(ios[0]) : blocking_do(ios[0]);
    return 1;
}

extern const struct backend backend_pvsync;
const struct backend backend_pvsync = {
    .name = "pvsync",
    .blurb = "preadv and pwritev, one request at a time",
    .sync = true,
    .open = psync_open,
    .submit = pvsync_submit,
    .reap = in_place_reap,
    .close = free,
};

/* ---- sync: read and write move the position of an open file, which clones and versions of a job would share: so
 * each has opened its own ---- */

struct seek {
    struct in_place one; /* first: in_place_reap */
    struct own {
        int of, fd;  /* opened anew from `of`; 0 = not yet */
        uint64_t at; /* its position */
    } own[BLOCKING_FILES];
};

static void own_close(struct own *o)
{
    if (o->fd > 0)
        close(o->fd);
    *o = (struct own){0};
}

static void sync_renew(void *state, bool random)
{
    struct seek *s = state;
    for (size_t i = 0; i < BLOCKING_FILES; i++)
        own_close(&s->own[i]);
}

static void sync_close(void *state)
{
    sync_renew(state, false);
    free(state);
}

static int sync_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    struct seek *s = calloc(1, sizeof(*s));
    if (!s)
        return err_set(err, -ENOMEM, "no memory for the ioengine");
    *ret_state = s;
    return 0;
}

static int32_t own_open(struct own *o, int fd)
{
    own_close(o);
    int got = blocking_reopen(fd);
    if (got < 0)
        return got;
    *o = (struct own){.of = fd, .fd = got};
    return 0;
}

static int32_t seek_and_do(struct own *o, const struct io *io)
{
    if (o->at != io->offset && syscall(SYS_lseek, o->fd, io->offset, SEEK_SET) < 0)
        return -errno;
    o->at = io->offset;
    long call = io->ddir == DDIR_READ ? SYS_read : SYS_write, r;
    do
        r = syscall(call, o->fd, io->buf, (size_t)io->len);
    while (r < 0 && (errno == EINTR || errno == EAGAIN));
    if (r < 0)
        return -errno;
    o->at += (uint64_t)r;
    return (int32_t)r;
}

static int32_t sync_do(struct seek *s, const struct io *io)
{
    struct own *o = &s->own[io->target % BLOCKING_FILES];
    if (o->fd <= 0 || o->of != io->fd) {
        int32_t r = own_open(o, io->fd);
        if (r < 0)
            return r;
    }
    return seek_and_do(o, io);
}

static int sync_submit(void *state, struct io *const *ios, unsigned n)
{
    if (!in_place_take(state, ios, n))
        return 0;
    ios[0]->res = ios[0]->ddir <= DDIR_WRITE ? sync_do(state, ios[0]) : blocking_do(ios[0]);
    return 1;
}

extern const struct backend backend_sync;
const struct backend backend_sync = {
    .name = "sync",
    .blurb = "lseek, read and write, one request at a time",
    .sync = true,
    .open = sync_open,
    .submit = sync_submit,
    .reap = in_place_reap,
    .renew = sync_renew,
    .close = sync_close,
};
