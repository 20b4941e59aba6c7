/* pty: a program on a terminal of its own, for tests: type keys, wait for bytes, resize, hang up.
 * Header only, so that no test links another's. */
#ifndef TESTS_PTY_H
#define TESTS_PTY_H

#include <check.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "core/clock.h"

enum { PTY_WAIT_MS = 10000, PTY_BYTES = 1 << 20 };

struct pty {
    pid_t pid;
    int fd;
    size_t len, from;  /* bytes read so far; where pty_wait looks from */
    char *bytes;
    struct termios before;
};

/* Runs program(arg) on a new terminal of w x h and exits with what it returns. */
static inline void pty_start(struct pty *p, int w, int h, int (*program)(void *arg), void *arg)
{
    struct winsize ws = {.ws_row = (unsigned short)h, .ws_col = (unsigned short)w};
    int slave;
    *p = (struct pty){.bytes = calloc(1, PTY_BYTES)};
    ck_assert_int_eq(openpty(&p->fd, &slave, NULL, NULL, &ws), 0);
    ck_assert_int_eq(tcgetattr(slave, &p->before), 0);
    p->pid = fork();
    if (p->pid == 0) {
        close(p->fd);
        login_tty(slave);
        signal(SIGTERM, SIG_DFL); /* Check has handlers that end the whole group */
        signal(SIGINT, SIG_DFL);
        _exit(program(arg));
    }
    close(slave);
}

/* Takes what is there within ms; false when nothing comes any more. */
static inline bool pty_read(struct pty *p, int ms)
{
    struct pollfd in = {.fd = p->fd, .events = POLLIN};
    if (poll(&in, 1, ms) <= 0)
        return false;
    ssize_t n = read(p->fd, p->bytes + p->len, PTY_BYTES - 1 - p->len);
    if (n <= 0)
        return false;
    for (ssize_t i = 0; i < n; i++) /* a text that can be searched */
        if (!p->bytes[p->len + (size_t)i])
            p->bytes[p->len + (size_t)i] = '\n';
    p->len += (size_t)n;
    return true;
}

/* Waits for a text after the one waited for last; fails the test when it does not come. */
static inline void pty_wait(struct pty *p, const char *text)
{
    uint64_t end = clock_now_ns() + PTY_WAIT_MS * NSEC_PER_MSEC;
    for (;;) {
        char *hit = strstr(p->bytes + p->from, text);
        if (hit) {
            p->from = (size_t)(hit - p->bytes) + strlen(text);
            return;
        }
        ck_assert_msg(pty_read(p, 100) || (kill(p->pid, 0) == 0 && clock_now_ns() < end),
                      "\"%s\" did not come; there was: %s", text, p->bytes + p->from);
    }
}

static inline void pty_type(struct pty *p, const char *keys)
{
    ck_assert_int_eq(write(p->fd, keys, strlen(keys)), (ssize_t)strlen(keys));
}

static inline void pty_resize(struct pty *p, int w, int h)
{
    struct winsize ws = {.ws_row = (unsigned short)h, .ws_col = (unsigned short)w};
    ck_assert_int_eq(ioctl(p->fd, TIOCSWINSZ, &ws), 0);
}

static inline void pty_hang_up(struct pty *p)
{
    close(p->fd);
    p->fd = -1;
}

/* Its wait status; what it still writes is read meanwhile. */
static inline int pty_end(struct pty *p)
{
    int status = -1;
    uint64_t end = clock_now_ns() + PTY_WAIT_MS * NSEC_PER_MSEC;
    while (waitpid(p->pid, &status, WNOHANG) == 0) {
        if (clock_now_ns() > end) {
            kill(p->pid, SIGKILL);
            ck_abort_msg("it did not end; its last words: %s", p->bytes + p->from);
        }
        if (p->fd < 0 || !pty_read(p, 20))
            usleep(5000);
    }
    while (p->fd >= 0 && pty_read(p, 0))
        ;
    return status;
}

static inline void pty_free(struct pty *p)
{
    if (p->fd >= 0)
        close(p->fd);
    free(p->bytes);
}

#endif
