/* bench_console: what the console itself costs: runs it on a terminal of 200x60 at 10 Hz beside a load and prints
 * one row: parts of a core, bytes to the terminal, first frame, key to paint. Judges nothing.
 * bench_console LABEL BENCHTOP [option of benchtop]... */
#include <dirent.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/str.h"

enum { W = 200, H = 60, SETTLE_MS = 2000, MEASURE_MS = 10000, KEYS = 40, WAIT_MS = 5000, TAIL = 8192, ARGS = 64 };

struct console {
    pid_t keeper; /* our child; the console is its child */
    int fd;
    uint64_t bytes;
    char tail[2 * TAIL]; /* what came last, as text */
    size_t len;
};

struct cost { /* CPU time so far, ns */
    uint64_t draw, sample, conduct;
};

static void start(struct console *c, char **argv)
{
    struct winsize ws = {.ws_row = H, .ws_col = W};
    c->keeper = forkpty(&c->fd, NULL, NULL, &ws);
    if (c->keeper == 0) {
        setenv("TERM", "xterm-256color", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        execv(argv[0], argv);
        _exit(127);
    }
}

static void keep(struct console *c, const char *bytes, size_t n)
{
    if (c->len + n >= sizeof c->tail) {
        size_t stays = c->len < TAIL / 2 ? c->len : TAIL / 2;
        memmove(c->tail, c->tail + c->len - stays, stays);
        c->len = stays;
    }
    memcpy(c->tail + c->len, bytes, n);
    c->len += n;
    c->tail[c->len] = '\0';
}

/* Plays the terminal until the deadline or until `text` has come (NULL: none); false when it did not, or when the
 * console has gone. */
static bool play(struct console *c, uint64_t deadline, const char *text)
{
    char bytes[TAIL];
    c->len = 0;
    for (;;) {
        uint64_t now = clock_now_ns();
        struct pollfd in = {.fd = c->fd, .events = POLLIN};
        if (now >= deadline)
            return !text;
        if (poll(&in, 1, (int)((deadline - now) / NSEC_PER_MSEC) + 1) <= 0)
            continue;
        ssize_t n = read(c->fd, bytes, sizeof bytes);
        if (n <= 0)
            return false;
        c->bytes += (uint64_t)n;
        keep(c, bytes, (size_t)n);
        if (text && memmem(c->tail, c->len, text, strlen(text)))
            return true;
    }
}

static uint64_t in_ms(unsigned ms)
{
    return clock_now_ns() + ms * NSEC_PER_MSEC;
}

static bool read_task(char *dst, size_t n, pid_t pid, int tid, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)pid, tid, name);
    FILE *f = fopen(path, "r");
    size_t got = f ? fread(dst, 1, n - 1, f) : 0;
    dst[got] = '\0';
    if (f)
        fclose(f);
    return got > 0;
}

static pid_t child_of(pid_t pid)
{
    char text[64];
    return read_task(text, sizeof text, pid, (int)pid, "children") ? (pid_t)atoi(text) : 0;
}

static void add_thread(struct cost *cost, pid_t pid, int tid)
{
    char name[32], text[128];
    if (!read_task(name, sizeof name, pid, tid, "comm") || !read_task(text, sizeof text, pid, tid, "schedstat"))
        return;
    uint64_t ns = strtoull(text, NULL, 10);
    if (tid == (int)pid)
        cost->draw += ns;
    else if (str_starts(name, "sampler") || str_starts(name, "poll/"))
        cost->sample += ns;
    else if (str_starts(name, "conductor"))
        cost->conduct += ns;
}

/* The workers' time is the load and not the console's. */
static struct cost read_cost(pid_t pid)
{
    char path[64];
    struct cost cost = {0};
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            add_thread(&cost, pid, atoi(e->d_name));
    if (dir)
        closedir(dir);
    return cost;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The help page opens and closes at all phases of a tick; its last words are "any key closes". */
static double key_p95_ms(struct console *c)
{
    double ms[KEYS];
    for (int i = 0; i < KEYS; i++) {
        play(c, in_ms(137), NULL);
        uint64_t t = clock_now_ns();
        if (write(c->fd, "?", 1) != 1 || !play(c, in_ms(WAIT_MS), "closes"))
            return -1;
        ms[i] = (double)(clock_now_ns() - t) / 1e6;
        if (write(c->fd, "?", 1) != 1)
            return -1;
    }
    qsort(ms, KEYS, sizeof *ms, by_size);
    return ms[KEYS * 95 / 100];
}

static int measure(struct console *c, const char *label, char **argv)
{
    uint64_t t0 = clock_now_ns();
    start(c, argv);
    if (!play(c, in_ms(WAIT_MS), "quit")) { /* the last word of the last line */
        printf("%-28s no result: %s\n", label, c->tail);
        return 1;
    }
    double first_ms = (double)(clock_now_ns() - t0) / 1e6;
    play(c, in_ms(SETTLE_MS), NULL);
    pid_t pid = child_of(c->keeper);
    struct cost a = read_cost(pid);
    uint64_t t = clock_now_ns(), bytes = c->bytes;
    play(c, in_ms(MEASURE_MS), NULL);
    struct cost b = read_cost(pid);
    double ns = (double)(clock_now_ns() - t), kb = (double)(c->bytes - bytes) / 1e3 / (ns / 1e9);
    double draw = (double)(b.draw - a.draw) / ns, sample = (double)(b.sample - a.sample) / ns;
    printf("%-28s draws %.4f, samples %.4f (sum %.4f), conducts %.4f of a core; %.1f kB/s; first frame %.0f ms; "
           "key to paint p95 %.1f ms\n",
           label, draw, sample, draw + sample, (double)(b.conduct - a.conduct) / ns, kb, first_ms, key_p95_ms(c));
    return 0;
}

static void end(struct console *c)
{
    if (write(c->fd, "q", 1) == 1)
        play(c, in_ms(WAIT_MS), "\0337"); /* never comes: until it has gone */
    kill(c->keeper, SIGTERM);
    waitpid(c->keeper, NULL, 0);
    close(c->fd);
}

int main(int argc, char **argv)
{
    char *args[ARGS] = {argc > 2 ? argv[2] : NULL, "--run", "--interval=100ms"};
    static struct console c;
    if (argc < 3 || argc > ARGS - 2) {
        fprintf(stderr, "bench_console LABEL BENCHTOP [option]...\n");
        return 2;
    }
    memcpy(args + 3, argv + 3, (size_t)(argc - 3) * sizeof *argv);
    int code = measure(&c, argv[1], args);
    end(&c);
    return code;
}
