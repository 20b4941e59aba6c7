/* bench: builds the parts in the order in which they need each other.
 * Decides nothing about what is shown. */
#include "cli/bench.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { FRAMES_WAITING = 64 }; /* a reader may sleep through that many ticks */

static int open_signals(struct bench *b, const int *signals, struct err *err)
{
    sigset_t set;
    sigemptyset(&set);
    for (; *signals; signals++)
        sigaddset(&set, *signals);
    sigprocmask(SIG_BLOCK, &set, NULL);
    b->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return b->signal_fd >= 0 ? 0 : err_set(err, -errno, "signals cannot be read: %s", strerror(errno));
}

static int start_run(struct bench *b, const struct args *a, struct err *err)
{
    struct run_opts o = {
        .jobs = b->jobs,
        .njobs = b->njobs,
        .at = a->at,
        .nat = a->nat,
        .policy = {.allow_write = a->allow_write.word,
                   .nallow_write = a->allow_write.n,
                   .overwrite = a->overwrite.word,
                   .noverwrite = a->overwrite.n},
    };
    for (size_t i = 0; i < b->njobs; i++)
        o.policy.readonly |= b->jobs[i].readonly;
    return run_new(&o, &b->run, err);
}

static int attach_load(struct bench *b, struct err *err)
{
    int rc = sampler_attach(b->machine.sampler, &load_source, b->run);
    b->frames = rc == 0 ? sampler_subscribe(b->machine.sampler, FRAMES_WAITING) : NULL;
    return b->frames ? 0 : err_set(err, -ENOMEM, "no memory for the sampler");
}

int bench_open(struct bench *b, const struct args *a, struct job *jobs, size_t njobs, enum machine_sources which,
               const int *signals, struct err *err)
{
    *b = (struct bench){.jobs = jobs, .njobs = njobs, .signal_fd = -1};
    int rc = open_signals(b, signals, err);
    if (rc == 0)
        rc = machine_open(&b->machine, NULL, false, which, err);
    if (rc == 0)
        rc = start_run(b, a, err);
    return rc == 0 ? attach_load(b, err) : rc;
}

bool bench_close(struct bench *b, uint64_t wait_ns)
{
    machine_close(&b->machine); /* first: its sampler reads the run */
    bool freed = !b->run || run_free(b->run, wait_ns);
    if (b->signal_fd >= 0)
        close(b->signal_fd);
    free(b->jobs);
    *b = (struct bench){.signal_fd = -1};
    return freed;
}

bool bench_wait_ready(struct bench *b, uint64_t timeout_ns)
{
    uint64_t until = clock_now_ns() + timeout_ns, now;
    while (run_state(b->run) == RUN_PREPARING && (now = clock_now_ns()) < until) {
        struct pollfd p[2] = {{.fd = run_fd(b->run), .events = POLLIN}, {.fd = b->signal_fd, .events = POLLIN}};
        if (poll(p, 2, (int)((until - now) / NSEC_PER_MSEC) + 1) > 0 && p[1].revents)
            break;
        uint64_t n;
        if (p[0].revents && read(p[0].fd, &n, sizeof(n)) < 0 && errno != EAGAIN)
            break;
    }
    return run_state(b->run) != RUN_PREPARING;
}

void bench_order(struct bench *b, enum order_kind kind)
{
    struct order o = {.kind = kind, .job = ORDER_ALL_JOBS};
    run_post(b->run, &o);
}
