/* keeper: forks the console, waits for its death in any form, then puts the terminal back and hands on the code.
 * Does nothing while the child is well. */
#include "cli/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "core/clock.h"
#include "tui/term.h"

/* Between two looks at the child, and while it is on its way out; how long an ordinary exit may take, and one of
 * which the child has said that it leaves threads behind; how long it may leave a signal unread. */
enum { TICK_MS = 200, END_TICK_MS = 20, EXIT_MS = 150, LEFT_MS = 40, GRACE_MS = 500 };
enum { KILLED = 128, NO_CODE = -1 };

/* One page that both processes see. */
struct shared {
    volatile sig_atomic_t screen_taken;
    volatile sig_atomic_t code; /* of keeper_leave(), NO_CODE before */
};

/* Both set once before the fork, NULL and -1 without a keeper. A process has one keeper, as it has one parent. */
static struct shared *shared;
static int leaving = -1; /* eventfd: the child leaves now */

struct keeper {
    pid_t pid;
    int tty, signals; /* -1: none */
    struct termios saved;
    sigset_t mask_before;
    int asked; /* the first signal that asked the child to end */
    uint64_t asked_ns;
    uint64_t exiting_ns; /* since when it is seen on its way out; 0 = it is not */
};

static const int watched[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGCHLD, SIGCONT, SIGTSTP};

void keeper_screen(bool taken)
{
    if (shared)
        shared->screen_taken = taken;
}

void keeper_leave(int code)
{
    uint64_t one = 1;
    if (shared)
        shared->code = code;
    if (leaving >= 0)
        (void)!write(leaving, &one, sizeof one);
    _exit(code);
}

/* A descriptor of its own: non-blocking for us alone, so that a stopped terminal cannot hold the keeper. */
static void open_tty(struct keeper *k)
{
    k->tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (k->tty >= 0 && tcgetattr(k->tty, &k->saved) != 0) {
        close(k->tty);
        k->tty = -1;
    }
}

static bool is_ignored(int sig)
{
    struct sigaction now;
    return sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* What was ignored stays so (nohup, a job that a script started with &), but for SIGCHLD, which we live by.
 * SIGTTOU is blocked too: the last tcsetattr() must not stop us. */
static void watch_signals(struct keeper *k)
{
    sigset_t set;
    sigemptyset(&set);
    signal(SIGCHLD, SIG_DFL);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        if (!is_ignored(watched[i]))
            sigaddset(&set, watched[i]);
    k->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    sigaddset(&set, SIGTTOU);
    sigprocmask(SIG_BLOCK, &set, &k->mask_before);
}

static void run_child(struct keeper *k, pid_t keeper, int (*child)(void *arg), void *arg)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigprocmask(SIG_SETMASK, &k->mask_before, NULL);
    if (getppid() != keeper) /* killed before we could ask */
        _exit(KILLED + SIGTERM);
    close(k->signals);
    if (k->tty >= 0)
        close(k->tty);
    exit(child(arg));
}

/* One line of /proc/PID/NAME that begins with `prefix` ("" = the first); false when there is none. */
static bool read_proc(pid_t pid, const char *name, const char *prefix, char *dst, size_t n)
{
    char path[64];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    FILE *f = fopen(path, "re");
    while (f && !found && fgets(dst, (int)n, f))
        found = strncmp(dst, prefix, strlen(prefix)) == 0;
    if (f)
        fclose(f);
    return found;
}

struct glimpse {
    char state;   /* of the first thread; '?' when it cannot be read */
    bool exiting; /* it is on its way out, or gone */
    int status;   /* the wait status the kernel shows */
};

static struct glimpse look_at(const struct keeper *k)
{
    enum { PF_EXITING = 4 }; /* linux/sched.h; shown in /proc/PID/stat since there is one */
    struct glimpse look = {.state = '?'};
    unsigned flags = 0;
    char line[1024];
    if (!read_proc(k->pid, "stat", "", line, sizeof line))
        return look;
    const char *end = strrchr(line, ')'), *last = strrchr(line, ' '); /* the name may hold anything */
    if (!end || !last || sscanf(end, ") %c %*d %*d %*d %*d %*d %u", &look.state, &flags) != 2)
        return look;
    look.exiting = look.state == 'Z' || look.state == 'X' || (flags & PF_EXITING);
    look.status = atoi(last);
    return look;
}

static bool is_pending(const struct keeper *k, int sig)
{
    char line[256];
    if (!read_proc(k->pid, "status", "ShdPnd:", line, sizeof line))
        return false;
    return strtoull(line + strlen("ShdPnd:"), NULL, 16) >> (sig - 1) & 1;
}

/* As the child did: stopped, unless no shell is there to continue us. */
static void stop_too(void)
{
    sigset_t tstp;
    sigemptyset(&tstp);
    sigaddset(&tstp, SIGTSTP);
    signal(SIGTSTP, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &tstp, NULL);
    raise(SIGTSTP);
    sigprocmask(SIG_BLOCK, &tstp, NULL);
}

static void pass_on(struct keeper *k, int sig)
{
    bool waits = is_pending(k, sig); /* it was not heard yet */
    kill(k->pid, sig);
    if (sig == SIGCONT || sig == SIGTSTP || (k->asked && waits))
        return;
    k->asked = sig;
    k->asked_ns = clock_now_ns();
}

static void take_signal(struct keeper *k, const struct signalfd_siginfo *info)
{
    int sig = (int)info->ssi_signo;
    bool of_a_key = info->ssi_code == SI_KERNEL; /* then the whole process group has it */
    if (sig == SIGCONT && look_at(k).state != 'T')
        return;
    if (sig == SIGCHLD || (of_a_key && (sig == SIGINT || sig == SIGQUIT || sig == SIGTSTP)))
        return;
    pass_on(k, sig);
}

static void take_signals(struct keeper *k)
{
    struct signalfd_siginfo info;
    while (read(k->signals, &info, sizeof info) == (ssize_t)sizeof info)
        take_signal(k, &info);
}

static void kill_when_deaf(struct keeper *k)
{
    if (!k->asked || clock_now_ns() - k->asked_ns < GRACE_MS * NSEC_PER_MSEC)
        return;
    if (is_pending(k, k->asked) && look_at(k).state != 'T')
        kill(k->pid, SIGKILL);
}

/* On its way out for longer than an ordinary exit takes. Either it is a zombie that a thread in the kernel keeps
 * from being reaped, or its first thread itself waits in there, for what libaio has in flight. */
static bool hangs_in_exit(struct keeper *k, int *ret_status)
{
    uint64_t now = clock_now_ns();
    struct glimpse look = look_at(k);
    if (!look.exiting)
        k->exiting_ns = 0;
    else if (!k->exiting_ns)
        k->exiting_ns = now;
    *ret_status = look.status;
    uint64_t ordinary_ms = shared->code == NO_CODE ? EXIT_MS : LEFT_MS;
    return k->exiting_ns && now - k->exiting_ns >= ordinary_ms * NSEC_PER_MSEC;
}

static bool takes_bytes(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    return poll(&p, 1, 0) > 0 && (p.revents & POLLOUT);
}

/* Only in the foreground: in the background the terminal is another program's. */
static bool rescue_terminal(const struct keeper *k)
{
    if (!shared->screen_taken || k->tty < 0 || tcgetpgrp(k->tty) != getpgrp())
        return false;
    tcsetattr(k->tty, TCSANOW, &k->saved);
    if (!takes_bytes(k->tty))
        tcflush(k->tty, TCOFLUSH);
    return write(k->tty, term_rescue, strlen(term_rescue)) > 0;
}

/* The child has stopped, by `sig`: so do we, and the shell has its prompt. */
static void follow(struct keeper *k, int sig)
{
    if (sig == SIGSTOP) /* it could not put the terminal back itself, as it does for ^Z */
        rescue_terminal(k);
    stop_too();
}

/* True with the wait status when the child is dead: reaped, or *ret_hangs. */
static bool is_dead(struct keeper *k, int *ret_status, bool *ret_hangs)
{
    int status = 0;
    pid_t got = waitpid(k->pid, &status, WNOHANG | WUNTRACED);
    if (got == k->pid && WIFSTOPPED(status)) {
        follow(k, WSTOPSIG(status));
        return false;
    }
    if (got == k->pid || (got < 0 && errno == ECHILD)) {
        *ret_status = status;
        return true;
    }
    if (!hangs_in_exit(k, &status))
        return false;
    *ret_status = status ? status : SIGKILL;
    *ret_hangs = true;
    return true;
}

/* On stderr, unless that would block. */
__attribute__((format(printf, 1, 2))) static void say(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (takes_bytes(STDERR_FILENO))
        vfprintf(stderr, fmt, ap);
    va_end(ap);
}

static int finish(struct keeper *k, int status, bool hangs)
{
    bool rescued = rescue_terminal(k);
    if (hangs)
        say("benchtop: a thread still hangs in the kernel; it ends with its I/O\n");
    if (shared->code != NO_CODE)
        return shared->code;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    say("benchtop: killed by signal %d (%s)%s\n", WTERMSIG(status), strsignal(WTERMSIG(status)),
        rescued ? "; the terminal is restored" : "");
    return KILLED + WTERMSIG(status);
}

static int keep(struct keeper *k)
{
    int status = 0;
    bool hangs = false;
    while (!is_dead(k, &status, &hangs)) {
        bool ends = k->asked || k->exiting_ns || shared->code != NO_CODE;
        struct pollfd in[] = {{.fd = k->signals, .events = POLLIN}, {.fd = ends ? -1 : leaving, .events = POLLIN}};
        poll(in, 2, ends ? END_TICK_MS : TICK_MS);
        take_signals(k);
        kill_when_deaf(k);
    }
    return finish(k, status, hangs);
}

int keeper_run(int (*child)(void *arg), void *arg)
{
    struct keeper k = {.tty = -1};
    pid_t self = getpid();
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        shared = NULL;
        return child(arg);
    }
    shared->code = NO_CODE;
    leaving = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    open_tty(&k);
    watch_signals(&k);
    fflush(NULL);
    k.pid = fork();
    if (k.pid == 0)
        run_child(&k, self, child, arg);
    int code = k.pid < 0 ? KILLED - 1 : keep(&k);
    if (k.pid < 0)
        say("benchtop: cannot fork: %s\n", strerror(errno));
    sigprocmask(SIG_SETMASK, &k.mask_before, NULL);
    close(k.signals);
    if (k.tty >= 0)
        close(k.tty);
    if (leaving >= 0)
        close(leaving);
    munmap(shared, sizeof *shared);
    shared = NULL;
    leaving = -1;
    return code;
}
