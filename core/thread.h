/* thread: starting a named thread that takes no signals, and waiting on a condition until a monotonic time.
 * Does not know what a thread is for. */
#ifndef CORE_THREAD_H
#define CORE_THREAD_H

#include <pthread.h>
#include <stdint.h>

/* All signals stay blocked in the new thread: they are the main thread's. name is cut at 15 bytes. 0 or -errno. */
int thread_start(pthread_t *ret, const char *name, void *(*fn)(void *arg), void *arg);

uint64_t thread_cpu_ns(void); /* CPU time of the calling thread */

/* A condition whose waits go by CLOCK_MONOTONIC. */
void thread_cond_init(pthread_cond_t *cond);
/* 0 when woken (perhaps for nothing), -ETIMEDOUT once the live monotonic clock has reached t_ns. */
int thread_cond_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t t_ns);

#endif
