/* libaio: the kernel's native asynchronous I/O: truly asynchronous for direct I/O, in place for buffered I/O.
 * fsync and trim are done in place: not every kernel or filesystem takes them here. */
#include <errno.h>
#include <libaio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/backends/blocking.h"

/* The completion ring as the kernel maps it (fs/aio.c, struct aio_ring): read here without a system call when
 * its magic and feature words are those we know. */
struct ring {
    unsigned id, nr, head, tail;
    unsigned magic, compat_features, incompat_features, header_length;
    struct io_event events[];
};
#ifndef IOCB_FLAG_IOPRIO
#define IOCB_FLAG_IOPRIO (1 << 1) /* linux/aio_abi.h, whose names are libaio.h's too */
#endif
#define RING_MAGIC 0xa10a10a1u

struct aio {
    io_context_t ctx;
    struct ring *ring;      /* NULL: ask the kernel instead */
    unsigned depth;
    unsigned inflight;      /* in the kernel or in early */
    struct early early;     /* finished during submit: done in place, or refused by the kernel */
    struct iocb *cb;        /* one a slot */
    bool zeroes;
    int flags;              /* RWF_… of every request */
    struct backend_prio prio;
    struct iocb **batch;
    struct io_event *event;
};

static int open_failed(int code, unsigned depth, struct err *err)
{
    if (code == -EAGAIN)
        return err_set(err, code,
                       "libaio: the machine's limit (sysctl fs.aio-max-nr) has no room for %u more: raise it, "
                       "lower iodepth or numjobs, or use ioengine=io_uring", depth);
    if (code == -ENOSYS)
        return err_set(err, code, "libaio: this kernel has no native AIO: use ioengine=io_uring or psync");
    return err_set(err, code, "libaio: io_setup for %u requests failed: use ioengine=io_uring or psync", depth);
}

static void aio_close(void *state)
{
    struct aio *s = state;
    if (s->ctx)
        io_destroy(s->ctx);
    early_fini(&s->early);
    free(s->cb);
    free(s->batch);
    free(s->event);
    free(s);
}

static struct ring *usable_ring(io_context_t ctx)
{
    struct ring *r = (struct ring *)ctx;
    return r->magic == RING_MAGIC && r->incompat_features == 0 ? r : NULL;
}

static int aio_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    struct aio *s = calloc(1, sizeof(*s));
    if (!s)
        return err_set(err, -ENOMEM, "libaio: no memory");
    s->depth = cfg->depth;
    s->cb = calloc(cfg->depth, sizeof(*s->cb));
    s->batch = calloc(cfg->depth, sizeof(*s->batch));
    s->event = calloc(cfg->depth, sizeof(*s->event));
    int r = early_init(&s->early, cfg->depth);
    if (r == 0)
        r = s->cb && s->batch && s->event ? io_setup((int)cfg->depth, &s->ctx) : -ENOMEM;
    if (r < 0) {
        s->ctx = NULL;
        aio_close(s);
        return open_failed(r, cfg->depth, err);
    }
    s->ring = usable_ring(s->ctx);
    s->zeroes = cfg->opt.zeroes;
    s->flags = (int)backend_rwf(&cfg->opt);
    backend_prio_init(&s->prio, &cfg->opt);
    *ret_state = s;
    return 0;
}

static void finish_early(struct aio *s, struct io *io, int32_t res)
{
    early_put(&s->early, io, res);
    s->inflight++;
}

static void set_prio(struct aio *s, struct iocb *cb, enum ddir d)
{
    uint16_t prio = backend_prio_next(&s->prio, d);
    cb->aio_reqprio = (short)prio;
    cb->u.c.flags = prio ? IOCB_FLAG_IOPRIO : 0;
}

static struct iocb *prepare(struct aio *s, struct io *io)
{
    struct iocb *cb = &s->cb[io->slot];
    cb->data = io;
    cb->key = 0;
    cb->aio_rw_flags = s->flags;
    cb->aio_lio_opcode = io->ddir == DDIR_READ ? IO_CMD_PREAD : IO_CMD_PWRITE;
    cb->aio_reqprio = 0;
    cb->aio_fildes = io->fd;
    cb->u.c.buf = io->buf;
    cb->u.c.nbytes = io->len;
    cb->u.c.offset = (long long)io->offset;
    cb->u.c.flags = 0;
    cb->u.c.resfd = 0;
    if (s->prio.on)
        set_prio(s, cb, (enum ddir)io->ddir);
    return cb;
}

/* The kernel is out of request slots for a moment though the ring is not full. */
static void back_off(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

/* Hands over the whole batch, in as few calls as the kernel lets us. A request that it refuses (a bad
 * descriptor, a misaligned buffer) ends with that error and the rest goes on. Returns how many are off our
 * hands, or -errno. */
static int hand_over(struct aio *s, unsigned n)
{
    unsigned at = 0;
    while (at < n) {
        int r = io_submit(s->ctx, (long)(n - at), s->batch + at);
        if (r > 0) {
            at += (unsigned)r;
            s->inflight += (unsigned)r;
        } else if (r == -EAGAIN || r == 0) {
            if (s->inflight)
                break;
            back_off();
        } else if (r == -ENOSYS) {
            return r;
        } else if (r != -EINTR) {
            finish_early(s, s->batch[at++]->data, r);
        }
    }
    return (int)at;
}

static bool is_native(const struct aio *s, const struct io *io)
{
    return io->ddir == DDIR_READ || (io->ddir == DDIR_WRITE && !s->zeroes);
}

static int32_t do_early(const struct io *io)
{
    return io->ddir == DDIR_WRITE ? blocking_zero(io) : blocking_do(io);
}

static int aio_submit(void *state, struct io *const *ios, unsigned n)
{
    struct aio *s = state;
    unsigned taken = 0, room = s->depth - s->inflight;
    if (n > room)
        n = room;
    while (taken < n) {
        unsigned batch = 0;
        while (taken + batch < n && is_native(s, ios[taken + batch])) {
            s->batch[batch] = prepare(s, ios[taken + batch]);
            batch++;
        }
        int r = hand_over(s, batch);
        if (r < 0)
            return r;
        taken += (unsigned)r;
        if ((unsigned)r < batch)
            break;
        /* One at a time: the time that a second waits for the first is none of its own. */
        if (taken < n && s->early.n)
            break;
        if (taken < n) {
            finish_early(s, ios[taken], do_early(ios[taken]));
            taken++;
        }
    }
    return (int)taken;
}

static void take_event(const struct io_event *e, struct io **done)
{
    struct io *io = e->data;
    io->res = (int32_t)e->res;
    *done = io;
}

/* The kernel fills events and then moves tail; we read events and then move head. */
static unsigned take_ring(struct ring *r, struct io **done, unsigned max)
{
    unsigned head = __atomic_load_n(&r->head, __ATOMIC_RELAXED), nr = r->nr, got = 0;
    unsigned tail = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
    while (got < max && head != tail) {
        take_event(&r->events[head], &done[got++]);
        head = head + 1 < nr ? head + 1 : 0;
    }
    if (got)
        __atomic_store_n(&r->head, head, __ATOMIC_RELEASE);
    return got;
}

static int take_kernel(struct aio *s, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
    struct timespec ts = {
        .tv_sec = (time_t)(timeout_ns / NSEC_PER_SEC),
        .tv_nsec = (long)(timeout_ns % NSEC_PER_SEC),
    };
    int r = io_getevents(s->ctx, (long)min, (long)max, s->event, &ts);
    if (r == -EINTR || r == -EAGAIN)
        return 0;
    for (int i = 0; i < r; i++)
        take_event(&s->event[i], &done[i]);
    return r;
}

static int aio_reap(void *state, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
    struct aio *s = state;
    if (max > s->depth)
        max = s->depth;
    if (min > max)
        min = max;
    unsigned got = early_take(&s->early, done, max);
    if (s->ring)
        got += take_ring(s->ring, done + got, max - got);
    if (got < min || (!s->ring && got < max)) {
        unsigned need = got < min && timeout_ns ? min - got : 0;
        int r = take_kernel(s, done + got, need, max - got, need ? timeout_ns : 0);
        if (r < 0)
            return r;
        got += (unsigned)r;
    }
    s->inflight -= got;
    return (int)got;
}

extern const struct backend backend_libaio;
const struct backend backend_libaio = {
    .name = "libaio",
    .blurb = "the kernel's native asynchronous I/O; needs direct=1 to be asynchronous",
    .takes = BACKEND_NOWAIT | BACKEND_PRIO | BACKEND_ZEROES,
    .open = aio_open,
    .submit = aio_submit,
    .reap = aio_reap,
    .close = aio_close,
};
