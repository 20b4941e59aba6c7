/* io_uring: submit and wait in one system call; truly asynchronous where the file or device can be.
 * A request that the kernel cannot start without waiting is done by its own helper threads (iou-wrk). */
#include <errno.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "engine/backends/io_uring.h"

#ifndef BLOCK_URING_CMD_DISCARD /* Linux 6.12: a discard that does not block the submitter */
#define BLOCK_URING_CMD_DISCARD _IO(0x12, 0)
#endif

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
