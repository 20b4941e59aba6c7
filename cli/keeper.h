/* keeper: the small process that the shell waits for. The console, or a run, is its child. It owns what must
 * happen after any death: the terminal back in order and the exit code. It knows nothing of loads and screens. */
#ifndef CLI_KEEPER_H
#define CLI_KEEPER_H

#include <stdbool.h>

/* Forks and runs child(arg) in the new process, with the signal mask of the caller; its return value is the exit
 * code. Call it while there is only one thread. Returns in the keeper alone: the child's code, or 128 + the signal
 * that killed it, with a line on stderr.
 *
 * TERM, HUP, INT and QUIT are passed on, but INT and QUIT of the terminal's keys, which reach the child anyway. A
 * child that has left such a signal unread for 0.7 s cannot answer (its terminal takes no bytes, say) and is
 * killed. When the child stops, the keeper stops; what continues the keeper continues the child. When the keeper
 * is killed, the child gets SIGTERM.
 *
 * The child counts as dead when it is reaped, or when its first thread is a zombie or has been exiting for a while:
 * a thread may hang in the kernel for as long as its I/O does, and nobody waits for that. */
int keeper_run(int (*child)(void *arg), void *arg);

/* For the child, around term_open() and term_close(): whether the terminal needs rescue if it dies now. No effect
 * without a keeper. */
void keeper_screen(bool taken);

/* For the child: ends it at once with this code, whatever its other threads are doing or hanging in. Buffered
 * output is not written. */
void keeper_leave(int code) __attribute__((noreturn));

#endif
