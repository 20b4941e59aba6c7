/* thread: starting a named thread that takes no signals, and waiting on a condition until a monotonic time.
 * Does not know what a thread is for. */
#include "core/thread.h"

#include <signal.h>
#include <time.h>

#include "core/clock.h"
#include "core/str.h"

int thread_start(pthread_t *ret, const char *name, void *(*fn)(void *arg), void *arg)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(ret, NULL, fn, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc != 0)
        return -rc;
    char cut[16];
    str_copy(cut, sizeof cut, name);
    pthread_setname_np(*ret, cut);
    return 0;
}

uint64_t thread_cpu_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

void thread_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
}

int thread_cond_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t t_ns)
{
    struct timespec ts = {
        .tv_sec = (time_t)(t_ns / NSEC_PER_SEC),
        .tv_nsec = (long)(t_ns % NSEC_PER_SEC),
    };
    return -pthread_cond_timedwait(cond, lock, &ts);
}
