/* pvsync2: preadv2 and pwritev2, one request at a time, with the flags that only these calls take.
 * Keeps nothing in flight. */
#include <errno.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "engine/backends/blocking.h"

struct pvsync2 {
    struct in_place one; /* first: in_place_reap */
    int flags;           /* RWF_… */
};

static int pvsync2_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    struct pvsync2 *s = calloc(1, sizeof(*s));
    if (!s)
        return err_set(err, -ENOMEM, "pvsync2: no memory");
    s->flags = (int)backend_rwf(&cfg->opt);
    *ret_state = s;
    return 0;
}

/* With nowait, EAGAIN is the answer: the request would have had to wait. */
static int32_t rw(const struct pvsync2 *s, const struct io *io)
{
    struct iovec v = {io->buf, io->len};
    long call = io->ddir == DDIR_READ ? SYS_preadv2 : SYS_pwritev2, r;
    do
        r = syscall(call, io->fd, &v, 1, io->offset, 0, s->flags);
    while (r < 0 && (errno == EINTR || (errno == EAGAIN && !(s->flags & RWF_NOWAIT))));
    return r < 0 ? -errno : (int32_t)r;
}

static int pvsync2_submit(void *state, struct io *const *ios, unsigned n)
{
    if (!in_place_take(state, ios, n))
        return 0;
    ios[0]->res = ios[0]->ddir <= DDIR_WRITE ? rw(state, ios[0]) : blocking_do(ios[0]);
    return 1;
}

extern const struct backend backend_pvsync2;
const struct backend backend_pvsync2 = {
    .name = "pvsync2",
    .blurb = "preadv2 and pwritev2, one request at a time: takes hipri, nowait and uncached",
    .sync = true,
    .takes = BACKEND_HIPRI | BACKEND_NOWAIT | BACKEND_UNCACHED,
    .open = pvsync2_open,
    .submit = pvsync2_submit,
    .reap = in_place_reap,
    .close = free,
};
