/* io_uring: submit and wait in one system call; truly asynchronous where the file or device can be.
 * A request that the kernel cannot start without waiting is done by its own helper threads (iou-wrk). */
#include <errno.h>
#include <liburing.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/backends/blocking.h"

#ifndef BLOCK_URING_CMD_DISCARD /* Linux 6.12: a discard that does not block the submitter */
#define BLOCK_URING_CMD_DISCARD _IO(0x12, 0)
#endif

struct uring {
    struct io_uring ring;
    unsigned depth;
    unsigned inflight;
    bool discard_in_place; /* the kernel does not know BLOCK_URING_CMD_DISCARD */
    bool polled;           /* completions come only to who asks for them */
    bool sqpoll;           /* a thread of the kernel takes what is queued */
    bool zeroes;           /* a write is a command to zero */
    bool special;          /* requests bear more than the plain ones: */
    uint32_t rw_flags;
    unsigned force_async, until_async;
    struct backend_prio prio;
    struct early early;    /* done in place, not yet collected */
    struct iovec area[2]; /* registered; iov_len 0: not */
    bool has_table;       /* of registered files, */
    unsigned nfiles;      /* with the targets below this */
};

/* Best first. Older kernels answer EINVAL to what they do not know, so flags are peeled off until one fits. */
static const unsigned flag_sets[] = {
    IORING_SETUP_CQSIZE | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
    IORING_SETUP_CQSIZE | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SINGLE_ISSUER,
    IORING_SETUP_CQSIZE | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_COOP_TASKRUN,
    IORING_SETUP_CQSIZE,
    0,
};

/* With a thread of the kernel that submits, what is for the submitting thread is not for us. */
static unsigned fitting(const struct uring *s, unsigned flags)
{
    unsigned ours = IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_DEFER_TASKRUN;
    flags = s->sqpoll ? (flags & ~ours) | IORING_SETUP_SQPOLL : flags;
    return s->polled ? flags | IORING_SETUP_IOPOLL : flags;
}

static int set_up(struct uring *s, const struct backend_options *o)
{
    int r = -EINVAL;
    for (size_t i = 0; i < sizeof(flag_sets) / sizeof(flag_sets[0]) && r == -EINVAL; i++) {
        struct io_uring_params p = {.flags = fitting(s, flag_sets[i]), .cq_entries = 2 * s->depth};
        p.sq_thread_cpu = o->sqthread_cpu;
        if (s->sqpoll && o->sqthread_pinned)
            p.flags |= IORING_SETUP_SQ_AFF;
        r = io_uring_queue_init_params(s->depth, &s->ring, &p);
    }
    return r;
}

static int open_failed(int code, unsigned depth, struct err *err)
{
    if (code == -EPERM || code == -EACCES)
        return err_set(err, code, "io_uring is disabled here (sysctl kernel.io_uring_disabled, or a sandbox): "
                                  "use ioengine=libaio");
    if (code == -ENOSYS)
        return err_set(err, code, "io_uring is not in this kernel: use ioengine=libaio");
    if (code == -ENOMEM)
        return err_set(err, code, "io_uring: no memory for a ring of %u (on old kernels ulimit -l): "
                                  "lower iodepth or numjobs, or use ioengine=libaio", depth);
    return err_set(err, code, "io_uring: a ring of %u was refused (%s): use ioengine=libaio", depth,
                   strerror(-code));
}

/* Registered files are let go before the ring, whose own end comes some time after the process: until then a device
 * would be in use. */
static void uring_close(void *state)
{
    struct uring *s = state;
    if (s->has_table)
        io_uring_unregister_files(&s->ring);
    io_uring_queue_exit(&s->ring);
    early_fini(&s->early);
    free(s);
}

static void take_options(struct uring *s, const struct backend_options *o)
{
    s->polled = o->hipri;
    s->sqpoll = o->sqthread_poll;
    s->zeroes = o->zeroes;
    s->rw_flags = backend_rwf(o) & ~(uint32_t)RWF_HIPRI; /* the ring polls, not the request */
    s->force_async = s->until_async = o->force_async;
    backend_prio_init(&s->prio, o);
    s->special = s->rw_flags || s->force_async || s->prio.on;
}

static int uring_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    struct uring *s = calloc(1, sizeof(*s));
    int r = s ? early_init(&s->early, cfg->depth) : -ENOMEM;
    if (r == 0) {
        s->depth = cfg->depth;
        take_options(s, &cfg->opt);
        r = set_up(s, &cfg->opt);
    }
    if (r < 0) {
        if (s)
            early_fini(&s->early);
        free(s);
        return open_failed(r, cfg->depth, err);
    }
    if (!(s->ring.features & IORING_FEAT_EXT_ARG)) {
        uring_close(s);
        return err_set(err, -ENOSYS, "io_uring of this kernel (before 5.11) cannot wait with a limit: "
                                     "use ioengine=libaio");
    }
    io_uring_register_ring_fd(&s->ring); /* saves a descriptor look-up a call; works without */
    *ret_state = s;
    return 0;
}

/* ---- registered buffers and files: each saves the kernel a look-up a request. Where they are refused (ulimit -l,
 * an old kernel) requests name their memory and descriptor themselves. ---- */

static bool same_areas(const struct uring *s, const struct backend_reach *r)
{
    for (int i = 0; i < 2; i++)
        if (s->area[i].iov_base != r->area[i].base || (r->area[i].base && s->area[i].iov_len != r->area[i].len))
            return false;
    return true;
}

static void register_areas(struct uring *s, const struct backend_reach *r)
{
    struct iovec area[2] = {{r->area[0].base, r->area[0].len}, {r->area[1].base, r->area[1].len}};
    if (same_areas(s, r))
        return;
    if (s->area[0].iov_base)
        io_uring_unregister_buffers(&s->ring);
    memset(s->area, 0, sizeof(s->area));
    if (area[0].iov_base && io_uring_register_buffers(&s->ring, area, area[1].iov_base ? 2 : 1) == 0)
        memcpy(s->area, area, sizeof(area));
}

static void register_files(struct uring *s, const struct backend_reach *r)
{
    int fds[BACKEND_REACH_FDS], rc;
    for (unsigned i = 0; i < BACKEND_REACH_FDS; i++)
        fds[i] = i < r->nfds ? r->fd[i] : -1;
    if (!s->has_table && !r->nfds)
        return;
    if (s->has_table)
        rc = io_uring_register_files_update(&s->ring, 0, fds, BACKEND_REACH_FDS);
    else
        rc = io_uring_register_files(&s->ring, fds, BACKEND_REACH_FDS);
    if (rc < 0 && s->has_table)
        io_uring_unregister_files(&s->ring);
    s->has_table = rc >= 0;
    s->nfiles = rc >= 0 ? r->nfds : 0;
}

static void uring_reach(void *state, const struct backend_reach *r)
{
    register_areas(state, r);
    register_files(state, r);
}

/* The registered area that holds the buffer; -1: none. */
static int area_of(const struct uring *s, const struct io *io)
{
    for (int i = 0; i < 2; i++) {
        uintptr_t from = (uintptr_t)io->buf - (uintptr_t)s->area[i].iov_base;
        if (s->area[i].iov_base && from < s->area[i].iov_len && s->area[i].iov_len - from >= io->len)
            return i;
    }
    return -1;
}

static void prepare_trim(struct io_uring_sqe *sqe, const struct io *io)
{
    if (!io->is_block) {
        io_uring_prep_fallocate(sqe, io->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)io->offset,
                                (off_t)io->len);
        return;
    }
    io_uring_prep_nop(sqe);
    sqe->opcode = IORING_OP_URING_CMD;
    sqe->fd = io->fd;
    sqe->off = 0;
    sqe->cmd_op = BLOCK_URING_CMD_DISCARD;
    sqe->addr = io->offset;
    sqe->addr3 = io->len;
}

static void prepare_rw(const struct uring *s, struct io_uring_sqe *sqe, const struct io *io)
{
    int area = area_of(s, io);
    bool read = io->ddir == DDIR_READ;
    if (area >= 0) {
        io_uring_prep_rw(read ? IORING_OP_READ_FIXED : IORING_OP_WRITE_FIXED, sqe, io->fd, io->buf, io->len,
                         io->offset);
        sqe->buf_index = (uint16_t)area;
    } else {
        io_uring_prep_rw(read ? IORING_OP_READ : IORING_OP_WRITE, sqe, io->fd, io->buf, io->len, io->offset);
    }
}

static bool is_zero(const struct uring *s, const struct io *io)
{
    return s->zeroes && io->ddir == DDIR_WRITE;
}

static void prepare_special(struct uring *s, struct io_uring_sqe *sqe, enum ddir d)
{
    sqe->rw_flags = (int)s->rw_flags;
    if (s->prio.on)
        sqe->ioprio = backend_prio_next(&s->prio, d);
    if (s->force_async && --s->until_async == 0) {
        s->until_async = s->force_async;
        sqe->flags |= IOSQE_ASYNC;
    }
}

static void prepare(struct uring *s, struct io_uring_sqe *sqe, struct io *io)
{
    if (is_zero(s, io))
        io_uring_prep_fallocate(sqe, io->fd, FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE, (off_t)io->offset,
                                (off_t)io->len);
    else if (io->ddir <= DDIR_WRITE)
        prepare_rw(s, sqe, io);
    else if (io->ddir == DDIR_TRIM)
        prepare_trim(sqe, io);
    else
        io_uring_prep_fsync(sqe, io->fd, io->data_only ? IORING_FSYNC_DATASYNC : 0);
    if (io->target < s->nfiles && io->ddir <= DDIR_WRITE) {
        sqe->fd = io->target;
        sqe->flags |= IOSQE_FIXED_FILE;
    }
    if (s->special && io->ddir <= DDIR_WRITE && !is_zero(s, io))
        prepare_special(s, sqe, (enum ddir)io->ddir);
    io_uring_sqe_set_data(sqe, io);
}

/* What the ring does not take. */
static bool is_early(const struct uring *s, const struct io *io)
{
    if (io->ddir <= DDIR_WRITE && !is_zero(s, io))
        return false;
    return s->polled || (io->ddir == DDIR_TRIM && io->is_block && s->discard_in_place);
}

/* Only queues: the kernel hears of it in reap, which enters once for both. */
static int uring_submit(void *state, struct io *const *ios, unsigned n)
{
    struct uring *s = state;
    unsigned taken = 0;
    for (; taken < n && s->inflight < s->depth; taken++) {
        struct io *io = ios[taken];
        if (is_early(s, io)) {
            if (s->early.n)
                break; /* one at a time: the time that a second waits for the first is none of its own */
            early_put(&s->early, io, is_zero(s, io) ? blocking_zero(io) : blocking_do(io));
        } else {
            struct io_uring_sqe *sqe = io_uring_get_sqe(&s->ring);
            if (!sqe)
                break;
            prepare(s, sqe, io);
        }
        s->inflight++;
    }
    return (int)taken;
}

static bool again(struct uring *s, struct io *io)
{
    struct io_uring_sqe *sqe = io_uring_get_sqe(&s->ring);
    if (sqe)
        prepare(s, sqe, io);
    return sqe;
}

/* True when the request is finished; false when it goes round once more. */
static bool finished(struct uring *s, struct io *io, int32_t res)
{
    if (res == -EINTR || (res == -EAGAIN && !(s->rw_flags & RWF_NOWAIT))) {
        if (again(s, io))
            return false;
    } else if (res >= 0 && (io->ddir == DDIR_TRIM || is_zero(s, io))) {
        res = (int32_t)io->len;
    } else if (io->ddir == DDIR_TRIM && io->is_block && (res == -EINVAL || res == -EOPNOTSUPP || res == -ENOTTY)) {
        s->discard_in_place = true;
        res = blocking_trim(io);
    }
    io->res = res;
    return true;
}

static unsigned take(struct uring *s, struct io **done, unsigned max)
{
    struct io_uring_cqe *cqe;
    unsigned head, seen = 0, got = early_take(&s->early, done, max);
    io_uring_for_each_cqe(&s->ring, head, cqe)
    {
        if (got == max)
            break;
        struct io *io = io_uring_cqe_get_data(cqe);
        seen++;
        if (finished(s, io, cqe->res))
            done[got++] = io;
    }
    io_uring_cq_advance(&s->ring, seen);
    s->inflight -= got;
    return got;
}

/* One system call: what was queued goes in, and we wait for `need` completions. Benign outcomes are 0. */
static int enter(struct uring *s, unsigned need, uint64_t timeout_ns)
{
    struct __kernel_timespec ts = {
        .tv_sec = (long long)(timeout_ns / NSEC_PER_SEC),
        .tv_nsec = (long long)(timeout_ns % NSEC_PER_SEC),
    };
    struct io_uring_cqe *cqe;
    int r;
    if (need && timeout_ns)
        r = io_uring_submit_and_wait_timeout(&s->ring, &cqe, need, &ts, NULL);
    else
        r = io_uring_submit_and_get_events(&s->ring);
    if (r == -EAGAIN || r == -EBUSY) /* no memory, or completions must be collected first */
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    else if (r < 0 && r != -ETIME && r != -EINTR)
        return r;
    return 0;
}

/* True when the kernel has completions that it posts only once it is entered. */
static bool work_waits(const struct uring *s)
{
    unsigned flags = __atomic_load_n(s->ring.sq.kflags, __ATOMIC_RELAXED);
    if (s->polled)
        return true;
    if (s->sqpoll)
        return flags & IORING_SQ_CQ_OVERFLOW;
    return (flags & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) || !(s->ring.flags & IORING_SETUP_TASKRUN_FLAG);
}

static int uring_flush(void *state)
{
    struct uring *s = state;
    if (!s->sqpoll)
        return enter(s, 0, 0);
    int r = io_uring_submit(&s->ring); /* wakes the thread that looks, if it sleeps */
    return r < 0 && r != -EINTR && r != -EAGAIN && r != -EBUSY ? r : 0;
}

/* Until the kernel has all that was queued: it stopped early, a request goes round again, or its own thread has not
 * come by yet. */
static int empty_queue(struct uring *s)
{
    int r = 0;
    while (r == 0 && io_uring_sq_ready(&s->ring)) {
        r = uring_flush(s);
        if (s->sqpoll && io_uring_sq_ready(&s->ring))
            sched_yield();
    }
    return r;
}

static int uring_reap(void *state, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
    struct uring *s = state;
    unsigned ready = s->early.n + io_uring_cq_ready(&s->ring);
    int r = 0;
    if (min > max)
        min = max;
    if (ready < min || (!ready && work_waits(s)) || (!s->sqpoll && io_uring_sq_ready(&s->ring)))
        r = enter(s, ready < min ? min - s->early.n : 0, timeout_ns);
    unsigned got = r == 0 ? take(s, done, max) : 0;
    if (r == 0)
        r = empty_queue(s);
    return r < 0 ? r : (int)got;
}

extern const struct backend backend_io_uring;
const struct backend backend_io_uring = {
    .name = "io_uring",
    .blurb = "submission and completion rings shared with the kernel, one system call for both",
    .open = uring_open,
    .helped = true,
    .takes = BACKEND_HIPRI | BACKEND_NOWAIT | BACKEND_UNCACHED | BACKEND_SQPOLL | BACKEND_FORCE_ASYNC |
             BACKEND_PRIO | BACKEND_ZEROES,
    .reach = uring_reach,
    .submit = uring_submit,
    .flush = uring_flush,
    .reap = uring_reap,
    .close = uring_close,
};
