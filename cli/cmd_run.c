/* cmd_run: `benchtop run`: a workload without a screen: follows it, says how it goes, writes the result.
 * Draws nothing but a progress line, and that only on a terminal. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cli/bench.h"
#include "cli/cmd.h"
#include "cli/jobs.h"
#include "cli/keeper.h"
#include "cli/output.h"
#include "cli/result.h"
#include "cli/result_json.h"
#include "cli/result_live.h"
#include "cli/result_dump.h"
#include "cli/result_log.h"
#include "cli/result_text.h"
#include "core/clock.h"
#include "results/frame_json.h"

#define PATIENCE_NS (2 * NSEC_PER_SEC) /* for requests in flight, once the run was asked to stop */

struct headless {
    const struct args *a;
    struct bench bench;
    struct machine whole; /* read right before the start and right after the end */
    struct output out;
    struct event_log events;
    struct strbuf notes; /* to be said when the jobs are taken */
    struct strbuf line;  /* of progress */
    int shown;          /* columns of it on the terminal now */
    bool progress, started, laid_out;
    int signal;        /* the first that asked to stop; 0 none */
    uint64_t leave_ns; /* when to leave what still hangs; 0: nobody asked to stop */
    struct err broken; /* the output cannot be written */
};

static bool is_live(const struct args *a)
{
    return a->format == FORMAT_NDJSON || a->format == FORMAT_CSV;
}

static void clear_progress(struct headless *h)
{
    if (h->shown)
        fprintf(stderr, "\r%*s\r", h->shown, "");
    h->shown = 0;
}

static int columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

/* Within one row: what wraps cannot be written over. */
static void show_progress(struct headless *h, const struct frame *f)
{
    if (!h->progress || !f->nload)
        return;
    progress_text(f, &h->line);
    int width = (int)h->line.len, most = columns() - 1;
    width = width > most ? most : width;
    fprintf(stderr, "\r%.*s%*s", width, h->line.s, h->shown > width ? h->shown - width : 0, "");
    fflush(stderr);
    h->shown = width;
}

/* What a person should know at once; the rest of the events is in the result. */
static void show_events(struct headless *h, const struct frame *f)
{
    for (size_t i = 0; i < f->nevents; i++) {
        const struct frame_event *e = &f->events[i];
        if (strcmp(e->kind, "warning") && strcmp(e->kind, "error"))
            continue;
        clear_progress(h);
        note("%s", e->text);
    }
}

static void write_live(struct headless *h, const struct frame *f)
{
    if (h->broken.code)
        return;
    if (h->a->format == FORMAT_NDJSON) {
        output_json(&h->out, frame_json(f), 0, &h->broken);
        return;
    }
    csv_rows(f, h->out.stream);
    output_flush(&h->out, &h->broken);
}

static void take_frame(struct headless *h, struct frame *f)
{
    event_log_add(&h->events, f);
    show_events(h, f);
    if (is_live(h->a))
        write_live(h, f);
    show_progress(h, f);
    frame_unref(f);
}

static void stop(struct headless *h)
{
    if (!h->leave_ns) {
        bench_order(&h->bench, ORDER_STOP);
        h->leave_ns = clock_now_ns() + PATIENCE_NS;
    }
}

/* The first signal stops the load; the second does not wait for it any longer. */
static void take_signals(struct headless *h)
{
    struct signalfd_siginfo si;
    while (read(h->bench.signal_fd, &si, sizeof(si)) == sizeof(si)) {
        if (h->signal)
            h->leave_ns = clock_now_ns();
        else
            h->signal = (int)si.ssi_signo;
        stop(h);
    }
}

/* The whole run begins where its layout ends: that is not part of the measured load. */
static void take_state(struct headless *h)
{
    uint64_t n;
    enum run_state s = run_state(h->bench.run);
    if (read(run_fd(h->bench.run), &n, sizeof(n)) < 0 && errno != EAGAIN)
        return;
    if (s == RUN_LAYOUT)
        h->laid_out = true;
    else if (h->laid_out && (s == RUN_RAMP || s == RUN_RUNNING)) {
        frame_unref(sampler_tick(h->whole.sampler));
        h->laid_out = false;
    }
}

static bool has_ended(const struct headless *h)
{
    enum run_state s = run_state(h->bench.run);
    bool never_began = h->leave_ns && !h->started;
    return s == RUN_DONE || s == RUN_REFUSED || never_began || (h->leave_ns && clock_now_ns() >= h->leave_ns);
}

static int poll_timeout(const struct headless *h)
{
    uint64_t now = clock_now_ns();
    if (!h->leave_ns)
        return -1;
    return h->leave_ns > now ? (int)((h->leave_ns - now) / NSEC_PER_MSEC) + 1 : 0;
}

static void step(struct headless *h)
{
    struct frame *f;
    struct pollfd p[] = {{.fd = run_fd(h->bench.run), .events = POLLIN},
                         {.fd = h->bench.signal_fd, .events = POLLIN},
                         {.fd = sampler_reader_fd(h->bench.frames), .events = POLLIN}};
    if (poll(p, sizeof(p) / sizeof(p[0]), poll_timeout(h)) < 0 && errno != EINTR)
        return;
    if (p[1].revents)
        take_signals(h);
    if (p[0].revents)
        take_state(h);
    while (p[2].revents && (f = sampler_read(h->bench.frames, NULL)))
        take_frame(h, f);
    if (h->broken.code)
        stop(h);
}

static int start(struct headless *h, struct err *err)
{
    jobs_say_notes(&h->notes);
    uint64_t interval_ns = h->a->status_interval_ns ? h->a->status_interval_ns : NSEC_PER_SEC;
    frame_unref(sampler_tick(h->whole.sampler));
    int rc = sampler_start(h->bench.machine.sampler, interval_ns, err);
    if (rc == 0)
        bench_order(&h->bench, ORDER_START);
    if (rc == 0 && h->a->format == FORMAT_CSV)
        csv_heading(h->out.stream);
    h->started = rc == 0;
    return rc;
}

static int write_result(struct headless *h, const struct frame *whole, struct err *err)
{
    struct result r = {
        .whole = whole, .events = &h->events, .real_ns = clock_real_ns(NULL), .aborted = h->signal != 0};
    if (is_live(h->a))
        return output_close(&h->out, err);
    if (result_take(&r, h->bench.run) < 0) {
        result_fini(&r);
        return err_set(err, -ENOMEM, "no memory for the result");
    }
    if (h->a->format == FORMAT_JSON)
        output_json(&h->out, result_json(&r), 2, err);
    else
        result_text(&r, h->out.stream);
    result_fini(&r);
    return err->code ? err->code : output_close(&h->out, err);
}

/* An error that came as an event has been said already. */
static bool was_said(const struct headless *h, const struct err *err)
{
    for (size_t i = 0; i < h->events.n; i++)
        if (!strcmp(h->events.event[i].kind, "error") && strstr(h->events.event[i].text, err->text))
            return true;
    return false;
}

static int exit_code(struct headless *h, struct err *err)
{
    if (err->code || h->broken.code)
        return complain(h->broken.code ? &h->broken : err, EXIT_FAILED);
    if (h->signal)
        return EXIT_SIGNAL + h->signal;
    if (!run_error(h->bench.run, err))
        return EXIT_DONE;
    return was_said(h, err) ? EXIT_FAILED : complain(err, EXIT_FAILED);
}

/* Beside a hung device nothing is read any more that could hang as well. */
static int finish(struct headless *h)
{
    struct err err = {0};
    bool hangs = run_state(h->bench.run) != RUN_DONE;
    struct frame *f, *whole = sampler_tick(h->whole.sampler);
    sampler_stop(h->bench.machine.sampler);
    while ((f = sampler_read(h->bench.frames, NULL)))
        take_frame(h, f);
    if (!hangs)
        take_frame(h, sampler_tick(h->bench.machine.sampler));
    clear_progress(h);
    write_result(h, whole, &err);
    if (!err.code && result_log_write(h->bench.run, &err) == 0)
        result_dump_write(h->bench.run, &err);
    frame_unref(whole);
    return exit_code(h, &err);
}

/* Up to the end of the load, or until it was refused. */
static int follow(struct headless *h)
{
    struct err err = {0};
    while (!has_ended(h)) {
        if (!h->started && run_state(h->bench.run) == RUN_READY && start(h, &err) < 0)
            return complain(&err, EXIT_FAILED);
        step(h);
    }
    if (run_state(h->bench.run) == RUN_REFUSED) {
        clear_progress(h);
        run_error(h->bench.run, &err);
        return complain(&err, EXIT_REFUSED);
    }
    return h->started ? finish(h) : EXIT_SIGNAL + h->signal;
}

/* Nothing to read has no end, and there is no key to stop it here. */
static int check_ends(const struct job *jobs, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(jobs[i].ioengine, "null") && !jobs[i].size.bytes && !jobs[i].runtime_ns)
            return err_set(err, -EINVAL, "size: ioengine=null needs one, like size=1g, or a runtime, like runtime=10s");
    return 0;
}

static int prepare(struct headless *h, struct err *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, 0};
    struct job *jobs = NULL;
    size_t n = 0;
    bool machine = h->a->format == FORMAT_NDJSON;
    int rc = jobs_build_quiet(h->a, NULL, &jobs, &n, &h->notes, err);
    if (rc == 0)
        rc = check_ends(jobs, n, err);
    if (rc == 0)
        rc = result_log_check(jobs, n, err);
    if (rc == 0)
        rc = output_open(&h->out, h->a->output, is_live(h->a), err);
    if (rc < 0) {
        free(jobs);
        return rc;
    }
    rc = bench_open(&h->bench, h->a, jobs, n, machine ? MACHINE_ALL : MACHINE_NONE, signals, err);
    return rc < 0 ? rc : machine_open(&h->whole, NULL, false, MACHINE_COUNTERS, err);
}

int cmd_run(const struct args *a)
{
    struct headless h = {.a = a, .bench = {.signal_fd = -1}};
    struct err err = {0};
    h.progress = isatty(STDERR_FILENO) && !(is_live(a) && !a->output && isatty(STDOUT_FILENO));
    int code = prepare(&h, &err) < 0 ? complain(&err, EXIT_REFUSED) : follow(&h);
    bool freed = bench_close(&h.bench, h.leave_ns ? 0 : PATIENCE_NS);
    if (!freed)
        keeper_leave(code); /* a thread hangs in the kernel and still uses what it needs */
    machine_close(&h.whole);
    output_drop(&h.out);
    event_log_fini(&h.events);
    strbuf_fini(&h.line);
    strbuf_fini(&h.notes);
    return code;
}
