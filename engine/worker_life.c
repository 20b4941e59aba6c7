/* worker_life: a worker's thread from its start to its end: name, CPUs, ring, and what it cost.
 * The loop between is in worker.c. */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "core/str.h"
#include "engine/rng.h"
#include "engine/run_task.h"
#include "engine/worker_state.h"

#define TIMER_SLACK_NS 1000ul /* the default of 50 us is too late for a paced request */

void worker_failed(struct worker *w)
{
    atomic_store_explicit(&w->failed, true, memory_order_release);
}

void worker_set_state(struct worker *w, enum worker_state s)
{
    if (atomic_load_explicit(&w->state, memory_order_relaxed) == (uint32_t)s)
        return;
    atomic_store_explicit(&w->state, (uint32_t)s, memory_order_release);
    futex_wake(&w->state);
}

uint64_t worker_thread_cpu_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

static uint64_t tv_ns(struct timeval tv)
{
    return (uint64_t)tv.tv_sec * NSEC_PER_SEC + (uint64_t)tv.tv_usec * 1000;
}

static struct worker_usage usage_now(void)
{
    struct rusage ru;
    getrusage(RUSAGE_THREAD, &ru);
    return (struct worker_usage){tv_ns(ru.ru_utime),       tv_ns(ru.ru_stime),       (uint64_t)ru.ru_nvcsw,
                                 (uint64_t)ru.ru_nivcsw,   (uint64_t)ru.ru_minflt,   (uint64_t)ru.ru_majflt};
}

void worker_usage_begin(struct worker *w)
{
    w->usage_base = usage_now();
    publish(w->cpu_base_ns, worker_thread_cpu_ns());
}

/* A ring with room for more than the job's depth, or without, where the machine has no more. */
static int first_ring(struct worker *w)
{
    void *ring;
    unsigned depth = w->plan->ring;
    int r = worker_open_ring(w, depth, &ring, &w->err);
    if ((r == -EAGAIN || r == -ENOMEM) && w->plan->depth < depth) {
        depth = w->plan->depth;
        r = worker_open_ring(w, depth, &ring, &w->err);
    }
    if (r == 0)
        worker_use_ring(w, ring, depth);
    return r;
}

static void name_thread(const struct worker *w)
{
    char name[16] = "bt-w0";
    str_format(name, sizeof(name), "bt-w%u", w->clone);
    pthread_setname_np(pthread_self(), name);
}

static int prepare(struct worker *w)
{
    struct plan *p = w->plan;
    name_thread(w);
    prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
    publish(w->tid, gettid());
    int r = seat_take(&w->seat, &w->err);
    if (r == 0)
        r = first_ring(w);
    if (r < 0) {
        worker_failed(w);
        return r;
    }
    w->err = (struct err){0};
    if (pattern_writes(p->pattern.rw))
        buffer_fill(&p->pool->buffer, &p->data, rng_mix(w->clone + 1));
    data_init(&w->data, clock_real_ns(NULL) ^ rng_mix(w->clone + 1)); /* no run writes what an earlier one wrote */
    pattern_init(&w->pattern, p->seed, w->walk);
    pacer_seed(&w->pacer, p->seed);
    w->sync_target = -1;
    w->hold = HOLD_GATE;
    w->plan = NULL;
    worker_adopt(w, p);
    worker_set_state(w, WORKER_READY);
    return 0;
}

/* They end with the ring and with this thread. */
static void count_helpers(struct worker *w)
{
    struct task_table t = {0};
    if (!w->be->helped || (w->hold & HOLD_STOP))
        return;
    task_table_read(&t);
    w->helpers_ns = t.nameless ? 0 : task_table_ns(&t, gettid());
    task_table_fini(&t);
}

static void end(struct worker *w)
{
    bool went = !(w->hold & HOLD_GATE);
    if (went && w->plan->end_fsync && pattern_writes(w->plan->pattern.rw) && !(w->hold & HOLD_FAIL))
        worker_sync_all(w);
    struct worker_usage u = usage_now(), *b = &w->usage_base;
    if (went)
        w->usage = (struct worker_usage){u.user_ns - b->user_ns, u.system_ns - b->system_ns, u.nvcsw - b->nvcsw,
                                         u.nivcsw - b->nivcsw,   u.minflt - b->minflt,       u.majflt - b->majflt};
}

void *worker_main(void *worker)
{
    struct worker *w = worker;
    if (prepare(w) == 0) {
        worker_loop(w);
        end(w);
        if (w->checks)
            worker_read_back(w);
        count_helpers(w);
    }
    if (w->ring)
        w->be->close(w->ring);
    worker_set_state(w, WORKER_ENDED);
    return NULL;
}
