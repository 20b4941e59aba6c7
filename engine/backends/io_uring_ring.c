/* io_uring_ring: the ring from set-up to its end, and what the kernel is told of in advance.
 * Moves no request; io_uring.c does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/backends/io_uring.h"

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
void uring_close(void *state)
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

int uring_open(const struct backend_config *cfg, void **ret_state, struct err *err)
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

void uring_reach(void *state, const struct backend_reach *r)
{
    register_areas(state, r);
    register_files(state, r);
}
