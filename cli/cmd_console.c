/* cmd_console: `benchtop`: the screen over a workload: builds the session, hands it to the loop, ends it.
 * Draws nothing and knows no key. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/bench.h"
#include "cli/cmd.h"
#include "cli/jobs.h"
#include "cli/keeper.h"
#include "cli/result_dump.h"
#include "cli/result_log.h"
#include "cli/scratch.h"
#include "core/clock.h"
#include "core/units.h"
#include "tui/ui.h"

#define DEFAULT_INTERVAL_NS (500 * NSEC_PER_MSEC)
#define DEFAULT_RUNTIME_NS (600 * NSEC_PER_SEC)
/* Targets that open slower than this are shown while they open. */
#define READY_NS NSEC_PER_SEC
/* The shell shall have its prompt within a second of a signal, whatever hangs; the keeper needs some of it. */
#define PATIENCE_NS (300 * NSEC_PER_MSEC)

struct console {
    const struct args *a;
    struct bench bench;
    struct theme theme;
    clockid_t own_clock; /* CPU time of this thread, which draws */
    bool quitting;       /* the load was told to stop; leave when it has */
};

static bool load_is_active(const struct console *c)
{
    enum run_state s = run_state(c->bench.run);
    return s != RUN_PREPARING && s != RUN_READY && s != RUN_DONE && s != RUN_REFUSED;
}

/* The second asking leaves at once, whatever hangs. */
static bool quit(struct console *c)
{
    if (c->quitting || !load_is_active(c))
        return false;
    c->quitting = true;
    bench_order(&c->bench, ORDER_STOP);
    return true;
}

static bool carry(void *arg, const struct order *o)
{
    struct console *c = arg;
    uint64_t ns;
    if (o->kind == ORDER_QUIT)
        return quit(c);
    if (o->kind != ORDER_INTERVAL)
        run_post(c->bench.run, o);
    else if (units_parse_time_ns(o->text, &ns, NULL) == 0)
        sampler_set_interval(c->bench.machine.sampler, ns);
    return true;
}

static bool wake(void *arg)
{
    struct console *c = arg;
    uint64_t n;
    (void)!read(run_fd(c->bench.run), &n, sizeof(n));
    return !c->quitting || load_is_active(c);
}

static void newest_job(void *arg, size_t i, struct job *ret)
{
    run_job(((struct console *)arg)->bench.run, i, ret);
}

static double own_cpu_ns(void *arg)
{
    struct console *c = arg;
    struct timespec ts;
    if (clock_gettime(c->own_clock, &ts) < 0)
        return 0;
    return (double)ts.tv_sec * NSEC_PER_SEC + (double)ts.tv_nsec;
}

/* A job for looking at has no end of its own: ten minutes, unless it says when. */
static void set_runtime(struct job *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!jobs[i].runtime_ns) {
            jobs[i].runtime_ns = DEFAULT_RUNTIME_NS;
            jobs[i].time_based = true;
        }
}

static int build_jobs(const struct args *a, struct job **ret, size_t *ret_n, struct err *err)
{
    struct job base;
    bool own = !jobs_have_target(a);
    int rc = own ? scratch_job(&base, err) : 0;
    if (rc == 0)
        rc = jobs_build(a, own ? &base : NULL, ret, ret_n, err);
    if (rc == 0)
        rc = result_log_check(*ret, *ret_n, err);
    if (rc == 0)
        set_runtime(*ret, *ret_n);
    return rc;
}

/* All that can be wrong with the command line is said before the screen is taken. */
static int prepare(struct console *c, struct err *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH, 0};
    struct job *jobs = NULL;
    size_t n = 0;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return err_set(err, -ENOTTY, "the console needs a terminal; without one: benchtop run, frame or shot");
    int rc = theme_load(c->a->theme, &c->theme, err);
    if (rc == 0)
        rc = build_jobs(c->a, &jobs, &n, err);
    if (rc == 0)
        rc = bench_open(&c->bench, c->a, jobs, n, MACHINE_ALL, signals, err);
    if (rc == 0 && bench_wait_ready(&c->bench, READY_NS) && run_state(c->bench.run) == RUN_REFUSED) {
        run_error(c->bench.run, err);
        return err->code;
    }
    return rc;
}

static int show(struct console *c, uint64_t interval_ns, int *ret_signal, struct err *err)
{
    struct ui_opts o = {
        .frames = c->bench.frames,
        .env = {.njobs = c->bench.njobs, .job = newest_job, .arg = c, .interval_ns = interval_ns, .label = ""},
        .theme = &c->theme,
        .order = carry,
        .arg = c,
        .wake_fd = run_fd(c->bench.run),
        .wake = wake,
        .signal_fd = c->bench.signal_fd,
    };
    if (pthread_getcpuclockid(pthread_self(), &c->own_clock) == 0)
        sampler_set_self(c->bench.machine.sampler, own_cpu_ns, c);
    int rc = sampler_start(c->bench.machine.sampler, interval_ns, err);
    if (rc == 0 && c->a->run_now)
        bench_order(&c->bench, ORDER_START);
    if (rc < 0)
        return rc;
    keeper_screen(true);
    rc = ui_run(&o, ret_signal, err);
    keeper_screen(false);
    return rc;
}

static int run_console(struct console *c)
{
    struct err err = {0};
    int sig = 0;
    uint64_t interval_ns = c->a->interval_ns ? c->a->interval_ns : DEFAULT_INTERVAL_NS;
    if (prepare(c, &err) < 0 || show(c, interval_ns, &sig, &err) < 0)
        return complain(&err, EXIT_REFUSED);
    if (!load_is_active(c) &&
        (result_log_write(c->bench.run, &err) < 0 || result_dump_write(c->bench.run, &err) < 0))
        return complain(&err, EXIT_FAILED);
    return sig ? EXIT_SIGNAL + sig : EXIT_DONE;
}

int cmd_console(const struct args *a)
{
    struct console c = {.a = a, .bench = {.signal_fd = -1}};
    int code = run_console(&c);
    /* After q the load has ended, or nobody wants to wait for it. */
    if (!bench_close(&c.bench, c.quitting && code == EXIT_DONE ? 0 : PATIENCE_NS))
        keeper_leave(code);
    return code;
}
