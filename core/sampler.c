/* sampler: asks every source for its part of a frame at absolute deadlines and hands the frame to readers.
 * It knows no source, and waits neither for poll() nor for a reader. */
#include "core/sampler.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/clock.h"
#include "core/frame_queue.h"
#include "core/poller.h"
#include "core/str.h"
#include "core/thread.h"

#define LATE_INTERVALS 5 /* a tick later than this marks a discontinuity */
#define JUMP_NS ((int64_t)NSEC_PER_SEC)
#define POLLER_PATIENCE_NS (100 * NSEC_PER_MSEC)

struct row {
    const struct source *source;
    void *state;
    int code;              /* 0, or why open() failed */
    bool ours;             /* we opened it, we close it */
    bool stuck;            /* its poll() never came back: neither poll again nor close */
    char *why;             /* sentence of the failure, NULL = none */
    struct poller *poller; /* while the thread runs */
};

struct sampler_reader {
    struct frame_queue *queue;
    struct sampler_reader *next;
};

/* What one tick must know of the tick before. */
struct before {
    bool have;
    uint64_t mono_ns;           /* as stamped, perhaps by a fake clock */
    int64_t real_off, boot_off; /* CLOCK_REALTIME and CLOCK_BOOTTIME less CLOCK_MONOTONIC */
};

struct sampler {
    struct source_env env;
    struct frame_pool *pool;
    struct row *row;
    size_t nrow;
    double (*self_ns)(void *arg);
    void *self_arg;

    /* Only the thread that ticks */
    struct before before;
    uint64_t ticks, missed;
    double cpu_ns;        /* of the console's threads at the last tick; NAN = no baseline */
    uint64_t cpu_mono_ns; /* live time of that reading */
    pthread_t cpu_thread;

    pthread_t thread;
    bool running;

    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    bool stop, retimed;
    uint64_t interval_ns;
    struct sampler_reader *readers;
};

struct sampler *sampler_new(const struct source_env *env)
{
    struct sampler *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->env = *env;
    s->pool = frame_pool_new();
    s->cpu_ns = NAN;
    pthread_mutex_init(&s->lock, NULL);
    thread_cond_init(&s->changed);
    return s;
}

static int add_row(struct sampler *s, struct row row)
{
    if (s->running)
        return -EBUSY;
    struct row *grown = realloc(s->row, (s->nrow + 1) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    s->row = grown;
    s->row[s->nrow++] = row;
    return 0;
}

int sampler_add(struct sampler *s, const struct source *source, struct err *err)
{
    struct err ignored;
    err = err ? err : &ignored;
    *err = (struct err){0};
    struct row row = {.source = source, .ours = true};
    row.code = source->open(&s->env, &row.state, err);
    if (row.code < 0 && err->text[0])
        row.why = strdup(err->text);
    int rc = add_row(s, row);
    if (rc == 0)
        return row.code;
    if (row.code == 0 && source->close)
        source->close(row.state);
    free(row.why);
    return err_set(err, rc, "%s: a source cannot be added now", source->name);
}

int sampler_attach(struct sampler *s, const struct source *source, void *state)
{
    return add_row(s, (struct row){.source = source, .state = state});
}

size_t sampler_sources(const struct sampler *s, struct sampler_status *ret, size_t cap)
{
    for (size_t i = 0; i < s->nrow && i < cap; i++)
        ret[i] = (struct sampler_status){
            .source = s->row[i].source,
            .code = s->row[i].code,
            .why = s->row[i].why ? s->row[i].why : "",
        };
    return s->nrow;
}

void sampler_set_self(struct sampler *s, double (*cpu_ns)(void *arg), void *arg)
{
    s->self_ns = cpu_ns;
    s->self_arg = arg;
}

static int64_t offset_ns(uint64_t a, uint64_t b)
{
    return (int64_t)(a - b);
}

static bool jumped(int64_t now, int64_t before)
{
    return now - before > JUMP_NS || before - now > JUMP_NS;
}

static void stamp(struct sampler *s, struct frame *f)
{
    struct before now = {.have = true, .mono_ns = clock_mono_ns(s->env.clock)};
    f->time_ns = clock_real_ns(s->env.clock);
    now.real_off = offset_ns(f->time_ns, now.mono_ns);
    if (!s->env.clock) {
        struct timespec ts;
        clock_gettime(CLOCK_BOOTTIME, &ts);
        now.boot_off = offset_ns((uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec, now.mono_ns);
    }
    const struct before *b = &s->before;
    f->mono_ns = now.mono_ns;
    if (b->have) {
        f->dt_ns = now.mono_ns > b->mono_ns ? now.mono_ns - b->mono_ns : 0;
        f->discontinuity = jumped(now.real_off, b->real_off) || jumped(now.boot_off, b->boot_off);
    }
    s->before = now;
}

/* CPU time of the console's threads: this one, the pollers and those the callback knows. */
static double console_cpu_ns(const struct sampler *s)
{
    double ns = (double)thread_cpu_ns();
    for (size_t i = 0; i < s->nrow; i++)
        if (s->row[i].poller)
            ns += (double)poller_cpu_ns(s->row[i].poller);
    return ns + (s->self_ns ? s->self_ns(s->self_arg) : 0);
}

static double self_cpu_pct(struct sampler *s)
{
    double ns = console_cpu_ns(s), pct = NAN;
    uint64_t now = clock_now_ns();
    if (pthread_equal(s->cpu_thread, pthread_self()) && ns >= s->cpu_ns && now > s->cpu_mono_ns)
        pct = 100 * (ns - s->cpu_ns) / (double)(now - s->cpu_mono_ns);
    s->cpu_thread = pthread_self();
    s->cpu_ns = ns;
    s->cpu_mono_ns = now;
    return pct;
}

static struct frame *sample_all(struct sampler *s)
{
    struct frame *f = frame_begin(s->pool);
    stamp(s, f);
    uint64_t start = clock_now_ns();
    for (size_t i = 0; i < s->nrow; i++)
        if (s->row[i].code == 0)
            s->row[i].source->sample(s->row[i].state, f);
    f->seq = f->self.frames = ++s->ticks;
    f->self.missed = s->missed;
    f->self.cpu_pct = s->env.clock ? NAN : self_cpu_pct(s); /* in faked time nobody worked */
    f->self.sample_us = (double)(clock_now_ns() - start) / NSEC_PER_USEC;
    return f;
}

static void publish(struct sampler *s, const struct frame *f)
{
    pthread_mutex_lock(&s->lock);
    for (struct sampler_reader *r = s->readers; r; r = r->next)
        frame_queue_put(r->queue, f);
    pthread_mutex_unlock(&s->lock);
}

struct frame *sampler_tick(struct sampler *s)
{
    for (size_t i = 0; i < s->nrow; i++) {
        const struct row *row = &s->row[i];
        if (row->code == 0 && row->source->poll && !row->stuck)
            row->source->poll(row->state);
    }
    struct frame *f = sample_all(s);
    publish(s, f);
    return f;
}

/* Sleeps until the deadline after *deadline_ns and moves it there, over ticks that can no longer be in time.
 * False when it is time to stop. *ret_late: so many were skipped. Called with the lock held. */
static bool wait_for_tick(struct sampler *s, uint64_t *deadline_ns, uint64_t *ret_late)
{
    for (*ret_late = 0; !s->stop;) {
        uint64_t next = *deadline_ns + s->interval_ns, now = clock_now_ns();
        if (now < next) {
            thread_cond_wait_until(&s->changed, &s->lock, next);
            continue;
        }
        if (s->retimed) /* a shorter interval makes a tick due, none was missed */
            next = now;
        s->retimed = false;
        *ret_late = (now - next) / s->interval_ns;
        *deadline_ns = next + *ret_late * s->interval_ns;
        return true;
    }
    return false;
}

static void *run(void *arg)
{
    struct sampler *s = arg;
    uint64_t deadline = clock_now_ns(), late = 0;
    bool go = true;
    while (go) {
        struct frame *f = sample_all(s);
        f->discontinuity |= late >= LATE_INTERVALS;
        publish(s, f);
        frame_unref(f);
        pthread_mutex_lock(&s->lock);
        go = wait_for_tick(s, &deadline, &late);
        pthread_mutex_unlock(&s->lock);
        s->missed += late;
    }
    return NULL;
}

static void start_pollers(struct sampler *s)
{
    for (size_t i = 0; i < s->nrow; i++) {
        struct row *row = &s->row[i];
        if (row->code == 0 && row->source->poll && !row->stuck)
            row->poller = poller_start(row->source, row->state);
    }
}

static void stop_pollers(struct sampler *s)
{
    for (size_t i = 0; i < s->nrow; i++)
        if (s->row[i].poller)
            poller_ask_stop(s->row[i].poller);
    uint64_t deadline = clock_now_ns() + POLLER_PATIENCE_NS;
    for (size_t i = 0; i < s->nrow; i++) {
        struct row *row = &s->row[i];
        if (row->poller)
            row->stuck = !poller_join(row->poller, deadline);
        row->poller = NULL;
    }
}

int sampler_start(struct sampler *s, uint64_t interval_ns, struct err *err)
{
    if (s->running)
        return err_set(err, -EBUSY, "the sampler runs already");
    if (interval_ns == 0)
        return err_set(err, -EINVAL, "interval=0: must be longer than 0");
    s->interval_ns = interval_ns;
    s->stop = s->retimed = false;
    start_pollers(s);
    int rc = thread_start(&s->thread, "sampler", run, s);
    if (rc < 0) {
        stop_pollers(s);
        return err_set(err, rc, "cannot start the sampler's thread");
    }
    s->running = true;
    return 0;
}

void sampler_set_interval(struct sampler *s, uint64_t interval_ns)
{
    if (interval_ns == 0)
        return;
    pthread_mutex_lock(&s->lock);
    s->interval_ns = interval_ns;
    s->retimed = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

void sampler_stop(struct sampler *s)
{
    if (!s->running)
        return;
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    stop_pollers(s);
    s->running = false;
}

static void close_rows(struct sampler *s)
{
    for (size_t i = s->nrow; i-- > 0;) {
        struct row *row = &s->row[i];
        if (row->ours && row->code == 0 && !row->stuck && row->source->close)
            row->source->close(row->state);
        free(row->why);
    }
    free(s->row);
}

void sampler_free(struct sampler *s)
{
    if (!s)
        return;
    sampler_stop(s);
    close_rows(s);
    while (s->readers) {
        struct sampler_reader *r = s->readers;
        s->readers = r->next;
        frame_queue_free(r->queue);
        free(r);
    }
    frame_pool_free(s->pool);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

struct sampler_reader *sampler_subscribe(struct sampler *s, size_t depth)
{
    struct sampler_reader *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->queue = frame_queue_new(depth);
    if (!r->queue) {
        free(r);
        return NULL;
    }
    pthread_mutex_lock(&s->lock);
    r->next = s->readers;
    s->readers = r;
    pthread_mutex_unlock(&s->lock);
    return r;
}

int sampler_reader_fd(const struct sampler_reader *r)
{
    return frame_queue_fd(r->queue);
}

struct frame *sampler_read(struct sampler_reader *r, uint64_t *ret_lost)
{
    return frame_queue_take(r->queue, ret_lost);
}
