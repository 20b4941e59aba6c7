/* ui: the loop: keys, frames and signals in; screens drawn, orders out.
 * Reads no /proc, touches no device and takes no lock while drawing, so it answers while a device hangs. */
#include "tui/ui.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "core/clock.h"
#include "tui/help_page.h"
#include "tui/term.h"

enum { IN_KEYS, IN_SIGNALS, IN_FRAMES, IN_WAKE, IN_COUNT };
#define DEBOUNCE_NS (50 * NSEC_PER_MSEC)

struct ui {
    const struct ui_opts *o;
    struct term *term;
    struct canvas canvas;
    const struct screen *screen;
    void *state;
    bool help, dirty, quitting, leave;
    bool away;  /* another program has the terminal */
    bool woken; /* by ^Z and fg: the SIGCONT that comes with it is no news */
    int help_top;
    int signal;            /* that ended us */
    uint64_t resize_at_ns; /* when to lay out again; 0 = no resize waits */
    char notice[160];      /* of the terminal, until the first key */
};

static const struct style notice_style = {.role = ROLE_WARN};

static struct rect whole(const struct ui *u)
{
    return (struct rect){0, 0, u->canvas.w, u->canvas.h};
}

static const char *last_line(const struct ui *u)
{
    return u->quitting ? "stopping … q leaves at once" : u->notice;
}

static void draw(struct ui *u)
{
    int w, h;
    u->dirty = false;
    term_size(u->term, &w, &h);
    if ((w != u->canvas.w || h != u->canvas.h) && canvas_resize(&u->canvas, w, h) != 0)
        return; /* no memory now: the old picture stays, the next frame tries again */
    canvas_clear(&u->canvas);
    u->screen->draw(u->state, &u->canvas, whole(u));
    if (u->help)
        help_page_draw(&u->canvas, whole(u), u->help_top);
    if (*last_line(u)) {
        struct rect r = {0, h - 1, w, 1};
        canvas_fill(&u->canvas, r, notice_style, ' ');
        canvas_text(&u->canvas, r, w > 20 ? 1 : 0, h - 1, notice_style, last_line(u));
    }
    term_draw(u->term, &u->canvas);
}

/* The screen is taken once more, alternate screen and all: whoever had it meanwhile may have left it. */
static void take_again(struct ui *u)
{
    term_suspend(u->term);
    term_resume(u->term);
    u->dirty = true;
}

/* A shell may have taken the terminal back without stopping us (its job, the keeper, was stopped alone): nothing
 * is drawn over it, no key is taken from it, and all is drawn anew afterwards. */
static bool has_terminal(struct ui *u)
{
    pid_t owner = tcgetpgrp(STDIN_FILENO);
    bool away = owner > 0 && owner != getpgrp();
    if (u->away && !away)
        take_again(u);
    u->away = away;
    if (away)
        u->dirty = false; /* until the next frame */
    return !away;
}

static void send_order(struct ui *u, const struct order *order)
{
    if (order->kind != ORDER_NONE && !u->o->order(u->o->arg, order))
        u->leave = true;
}

static void quit(struct ui *u)
{
    u->quitting = true;
    send_order(u, &(struct order){.kind = ORDER_QUIT, .job = ORDER_ALL_JOBS});
}

static enum canvas_charset next_charset(const struct ui *u)
{
    if (term_charset(u->term) == CHARSET_ASCII) /* the terminal takes nothing else */
        return CHARSET_ASCII;
    return u->canvas.charset == CHARSET_ASCII ? CHARSET_BRAILLE : u->canvas.charset + 1;
}

/* What the loop itself carries out; true when it did. */
static bool act_self(struct ui *u, enum action a)
{
    switch (a) {
    case ACT_QUIT:
        quit(u);
        return true;
    case ACT_HELP:
        u->help = true;
        u->help_top = 0;
        return true;
    case ACT_REDRAW:
        term_redraw(u->term);
        return true;
    case ACT_CHARSET:
        u->canvas.charset = next_charset(u);
        return true;
    default:
        return false;
    }
}

static void act(struct ui *u, enum action a)
{
    struct order order = {.kind = ORDER_NONE, .job = ORDER_ALL_JOBS};
    if (act_self(u, a))
        return;
    if (u->screen->act(u->state, a, &order)) {
        send_order(u, &order);
        return;
    }
    if (a == ACT_START || a == ACT_STOP) {
        order.kind = a == ACT_START ? ORDER_START : ORDER_STOP;
        send_order(u, &order);
    }
}

/* An open help page takes every key: arrows move what does not fit, the rest closes it. */
static void help_key(struct ui *u, int key)
{
    int last = help_page_last_top(whole(u)), step = key == KEY_CODE_DOWN ? 1 : key == KEY_CODE_UP ? -1 : 0;
    if (!step || !last) {
        u->help = false;
        return;
    }
    u->help_top += step;
    u->help_top = u->help_top < 0 ? 0 : u->help_top > last ? last : u->help_top;
}

static void take_key(struct ui *u, int key)
{
    enum action a = key_action(key);
    u->notice[0] = 0;
    u->dirty = true;
    if (u->help && a != ACT_REDRAW && !(a == ACT_QUIT && u->quitting))
        help_key(u, key);
    else if (a != ACT_NONE)
        act(u, a);
}

static void take_keys(struct ui *u)
{
    bool gone = false;
    for (int key; !u->leave && (key = term_key(u->term, &gone)) >= 0;)
        take_key(u, key);
    if (gone) {
        u->signal = SIGHUP;
        u->leave = true;
    }
}

static void end_by(struct ui *u, int sig)
{
    u->leave = true;
    if (sig == SIGINT && u->quitting) { /* the second asking: no more polite than a second q */
        quit(u);
        return;
    }
    u->signal = sig;
}

/* The whole process stops, workers too; the keeper, which sees it, stops as well and the shell has its prompt.
 * SIGTSTP with its default action and not SIGSTOP, because the kernel leaves it out where no shell could ever wake
 * us. curses has put a handler of its own there. */
static void suspend(struct ui *u)
{
    struct sigaction was, stop = {.sa_handler = SIG_DFL};
    sigset_t tstp;
    term_suspend(u->term);
    sigemptyset(&tstp);
    sigaddset(&tstp, SIGTSTP);
    sigaction(SIGTSTP, &stop, &was);
    pthread_sigmask(SIG_UNBLOCK, &tstp, NULL);
    raise(SIGTSTP);
    pthread_sigmask(SIG_BLOCK, &tstp, NULL);
    sigaction(SIGTSTP, &was, NULL);
    term_resume(u->term);
    u->woken = true;
    u->dirty = true;
}

static void take_signal(struct ui *u, int sig)
{
    switch (sig) {
    case SIGTSTP:
        suspend(u);
        break;
    case SIGCONT: /* after a stop by anybody */
        if (!u->woken)
            take_again(u);
        u->woken = false;
        break;
    case SIGWINCH:
        if (!u->resize_at_ns)
            u->resize_at_ns = clock_now_ns() + DEBOUNCE_NS;
        break;
    default:
        end_by(u, sig);
    }
}

static void take_signals(struct ui *u)
{
    struct signalfd_siginfo info;
    while (!u->leave && read(u->o->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        take_signal(u, (int)info.ssi_signo);
        struct pollfd more = {.fd = u->o->signal_fd, .events = POLLIN};
        if (poll(&more, 1, 0) <= 0)
            break;
    }
}

static void take_frames(struct ui *u)
{
    struct frame *f;
    while ((f = sampler_read(u->o->frames, NULL))) {
        u->screen->update(u->state, f);
        frame_unref(f);
        u->dirty = true;
    }
}

static void take_wake(struct ui *u)
{
    uint64_t n;
    if (read(u->o->wake_fd, &n, sizeof n) < 0 && errno != EAGAIN && errno != EINTR)
        return;
    if (u->o->wake && !u->o->wake(u->o->arg))
        u->leave = true;
    u->dirty = true;
}

static void resize_when_due(struct ui *u)
{
    if (!u->resize_at_ns || clock_now_ns() < u->resize_at_ns)
        return;
    u->resize_at_ns = 0;
    term_resized(u->term);
    u->dirty = true;
}

static int timeout_ms(const struct ui *u)
{
    if (!u->resize_at_ns)
        return -1;
    uint64_t now = clock_now_ns();
    return now >= u->resize_at_ns ? 0 : (int)((u->resize_at_ns - now) / NSEC_PER_MSEC) + 1;
}

/* A terminal that takes no bytes (a stalled ssh) is not drawn to, so that signals are still answered: we wait for
 * room instead. */
static void wait_and_take(struct ui *u)
{
    struct pollfd in[IN_COUNT + 1] = {
        [IN_KEYS] = {.fd = u->away ? -1 : STDIN_FILENO, .events = POLLIN},
        [IN_SIGNALS] = {.fd = u->o->signal_fd, .events = POLLIN},
        [IN_FRAMES] = {.fd = u->o->frames ? sampler_reader_fd(u->o->frames) : -1, .events = POLLIN},
        [IN_WAKE] = {.fd = u->o->wake_fd, .events = POLLIN},
        [IN_COUNT] = {.fd = u->dirty ? STDOUT_FILENO : -1, .events = POLLOUT},
    };
    if (poll(in, IN_COUNT + 1, timeout_ms(u)) < 0)
        return;
    if (in[IN_SIGNALS].revents)
        take_signals(u);
    if (!u->leave && in[IN_KEYS].revents && has_terminal(u))
        take_keys(u);
    if (!u->leave && in[IN_WAKE].revents)
        take_wake(u);
    if (!u->leave && in[IN_FRAMES].revents)
        take_frames(u);
    resize_when_due(u);
}

static int start(struct ui *u, struct err *err)
{
    u->screen = screens[0];
    int code = term_open(u->o->theme, &u->term, u->notice, sizeof u->notice, err);
    if (code)
        return code;
    int w, h;
    term_size(u->term, &w, &h);
    code = canvas_init(&u->canvas, w, h);
    u->canvas.charset = term_charset(u->term);
    if (!code)
        code = u->screen->open(&u->o->env, &u->state);
    return code ? err_set(err, code, "no memory for the screen") : 0;
}

int ui_run(const struct ui_opts *o, int *ret_signal, struct err *err)
{
    struct ui u = {.o = o, .dirty = true};
    int code = start(&u, err);
    while (!code && !u.leave) {
        if (u.dirty && has_terminal(&u) && term_ready(u.term))
            draw(&u);
        wait_and_take(&u);
    }
    if (u.state)
        u.screen->close(u.state);
    canvas_fini(&u.canvas);
    term_close(u.term);
    if (!code)
        *ret_signal = u.signal;
    return code;
}
