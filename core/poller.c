/* poller: a helper thread that calls one source's poll() every period.
 * It does not sample, and nobody who samples waits for it. */
#include "core/poller.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/str.h"
#include "core/thread.h"

struct poller {
    const struct source *source;
    void *state;
    pthread_t thread;
    uint64_t cpu_ns; /* atomic */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stop, done;
    bool abandoned; /* the thread frees this itself, whenever its poll() returns */
};

static void poller_free(struct poller *p)
{
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static void poll_until_stopped(struct poller *p)
{
    uint64_t period = p->source->period_ns ? p->source->period_ns : NSEC_PER_SEC;
    while (!p->stop) {
        uint64_t next = clock_now_ns() + period;
        pthread_mutex_unlock(&p->lock);
        p->source->poll(p->state);
        __atomic_store_n(&p->cpu_ns, thread_cpu_ns(), __ATOMIC_RELAXED);
        pthread_mutex_lock(&p->lock);
        while (!p->stop && clock_now_ns() < next)
            thread_cond_wait_until(&p->changed, &p->lock, next);
    }
}

static void *run(void *arg)
{
    struct poller *p = arg;
    pthread_mutex_lock(&p->lock);
    poll_until_stopped(p);
    p->done = true;
    bool abandoned = p->abandoned;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    if (abandoned)
        poller_free(p);
    return NULL;
}

struct poller *poller_start(const struct source *source, void *state)
{
    struct poller *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->source = source;
    p->state = state;
    pthread_mutex_init(&p->lock, NULL);
    thread_cond_init(&p->changed);
    char name[64];
    str_format(name, sizeof name, "poll/%s", source->name);
    if (thread_start(&p->thread, name, run, p) < 0) {
        poller_free(p);
        return NULL;
    }
    return p;
}

uint64_t poller_cpu_ns(const struct poller *p)
{
    return __atomic_load_n(&p->cpu_ns, __ATOMIC_RELAXED);
}

void poller_ask_stop(struct poller *p)
{
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

bool poller_join(struct poller *p, uint64_t deadline_ns)
{
    pthread_t thread = p->thread;
    pthread_mutex_lock(&p->lock);
    while (!p->done && clock_now_ns() < deadline_ns)
        thread_cond_wait_until(&p->changed, &p->lock, deadline_ns);
    bool done = p->done;
    p->abandoned = !done;
    pthread_mutex_unlock(&p->lock);
    if (!done) {
        pthread_detach(thread);
        return false;
    }
    pthread_join(thread, NULL);
    poller_free(p);
    return true;
}
