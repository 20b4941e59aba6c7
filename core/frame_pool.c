/* frame_pool: the memory of frames: an arena for each, kept when the frame is recycled, and reference counts.
 * What stands in a frame: frame.c. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/frame.h"
#include "core/str.h"

#define CHUNK_BYTES (32 * 1024 - 64) /* with the allocator's and our own head below 32 KiB */
#define ALIGN 16

struct chunk {
    struct chunk *next;
    size_t cap, used;
    _Alignas(ALIGN) char bytes[];
};

struct frame_arena {
    struct frame_pool *pool;
    struct frame_arena *next_free;
    unsigned refs;       /* atomic */
    struct chunk *chunk; /* newest first; one alone once the frame has seen its size */
    size_t event_cap, gauge_cap;
    struct frame frame;
};

/* Lives until its owner has freed it and its last frame came home. */
struct frame_pool {
    pthread_mutex_t lock;
    struct frame_arena *free;
    size_t live; /* frames out there */
    bool closed;
};

static void *must(void *p)
{
    if (!p)
        abort();
    return p;
}

static void chunk_new(struct frame_arena *a, size_t cap)
{
    struct chunk *c = must(malloc(sizeof *c + cap));
    *c = (struct chunk){.next = a->chunk, .cap = cap};
    a->chunk = c;
}

static size_t chunks_free(struct frame_arena *a)
{
    size_t total = 0;
    while (a->chunk) {
        struct chunk *c = a->chunk;
        a->chunk = c->next;
        total += c->cap;
        free(c);
    }
    return total;
}

/* Empty again. A frame that needed several chunks gets one of their size, so that a steady state needs no
 * malloc at all. */
static void arena_reset(struct frame_arena *a)
{
    if (a->chunk->next)
        chunk_new(a, chunks_free(a));
    a->chunk->used = 0;
    a->event_cap = a->gauge_cap = 0;
}

void *frame_alloc(struct frame *f, size_t bytes)
{
    struct frame_arena *a = f->arena;
    size_t need = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (need < bytes)
        abort();
    if (a->chunk->cap - a->chunk->used < need)
        chunk_new(a, need > CHUNK_BYTES ? need : CHUNK_BYTES);
    void *p = a->chunk->bytes + a->chunk->used;
    a->chunk->used += need;
    return memset(p, 0, need);
}

const char *frame_text(struct frame *f, const char *s)
{
    if (!s || !*s)
        return "";
    size_t n = strlen(s) + 1;
    return memcpy(frame_alloc(f, n), s, n);
}

/* The array of n rows, with room for one more. */
static void *grown(struct frame *f, const void *rows, size_t n, size_t *cap, size_t size)
{
    if (n < *cap)
        return (void *)rows;
    *cap = *cap ? *cap * 2 : 8;
    void *p = frame_alloc(f, *cap * size);
    return n ? memcpy(p, rows, n * size) : p;
}

void frame_event(struct frame *f, uint64_t time_ns, const char *kind, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct frame_event *rows = grown(f, f->events, f->nevents, &f->arena->event_cap, sizeof *rows);
    rows[f->nevents++] = (struct frame_event){
        .time_ns = time_ns,
        .kind = frame_text(f, kind),
        .text = frame_text(f, text),
    };
    f->events = rows;
}

void frame_gauge(struct frame *f, const char *source, const char *name, const char *unit, double value)
{
    struct frame_gauge *rows = grown(f, f->gauges, f->ngauges, &f->arena->gauge_cap, sizeof *rows);
    rows[f->ngauges++] = (struct frame_gauge){
        .source = frame_text(f, source),
        .name = frame_text(f, name),
        .unit = frame_text(f, unit),
        .value = value,
    };
    f->gauges = rows;
}

struct frame_pool *frame_pool_new(void)
{
    struct frame_pool *p = must(calloc(1, sizeof *p));
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

static void arena_free(struct frame_arena *a)
{
    chunks_free(a);
    free(a);
}

static void pool_destroy(struct frame_pool *p)
{
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void frame_pool_free(struct frame_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    struct frame_arena *a = p->free;
    p->free = NULL;
    p->closed = true;
    bool last = p->live == 0;
    pthread_mutex_unlock(&p->lock);
    while (a) {
        struct frame_arena *next = a->next_free;
        arena_free(a);
        a = next;
    }
    if (last)
        pool_destroy(p);
}

static struct frame_arena *arena_new(struct frame_pool *p)
{
    struct frame_arena *a = must(calloc(1, sizeof *a));
    a->pool = p;
    a->frame.arena = a;
    chunk_new(a, CHUNK_BYTES);
    return a;
}

struct frame *frame_begin(struct frame_pool *p)
{
    pthread_mutex_lock(&p->lock);
    struct frame_arena *a = p->free;
    if (a)
        p->free = a->next_free;
    p->live++;
    pthread_mutex_unlock(&p->lock);
    if (!a)
        a = arena_new(p);
    arena_reset(a);
    __atomic_store_n(&a->refs, 1, __ATOMIC_RELAXED);
    frame_clear(&a->frame);
    return &a->frame;
}

struct frame *frame_ref(const struct frame *f)
{
    __atomic_add_fetch(&f->arena->refs, 1, __ATOMIC_RELAXED);
    return &f->arena->frame;
}

void frame_unref(const struct frame *f)
{
    if (!f || __atomic_sub_fetch(&f->arena->refs, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    struct frame_arena *a = f->arena;
    struct frame_pool *p = a->pool;
    pthread_mutex_lock(&p->lock);
    bool closed = p->closed, last = --p->live == 0;
    if (!closed) {
        a->next_free = p->free;
        p->free = a;
    }
    pthread_mutex_unlock(&p->lock);
    if (closed) {
        arena_free(a);
        if (last)
            pool_destroy(p);
    }
}
