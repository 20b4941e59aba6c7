/* frame_queue: a bounded queue of frames between two threads, with a descriptor to poll.
 * Does not know who makes frames. */
#include "core/frame_queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct frame_queue {
    pthread_mutex_t lock;
    int fd;
    size_t depth, head, n; /* head: the oldest */
    uint64_t lost;
    struct frame *frame[];
};

struct frame_queue *frame_queue_new(size_t depth)
{
    depth = depth ? depth : 1;
    struct frame_queue *q = calloc(1, sizeof *q + depth * sizeof q->frame[0]);
    if (!q)
        return NULL;
    q->depth = depth;
    q->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (q->fd < 0) {
        free(q);
        return NULL;
    }
    pthread_mutex_init(&q->lock, NULL);
    return q;
}

static struct frame *pop(struct frame_queue *q)
{
    struct frame *f = q->frame[q->head];
    q->head = (q->head + 1) % q->depth;
    q->n--;
    return f;
}

void frame_queue_free(struct frame_queue *q)
{
    if (!q)
        return;
    while (q->n > 0)
        frame_unref(pop(q));
    close(q->fd);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

int frame_queue_fd(const struct frame_queue *q)
{
    return q->fd;
}

/* The counter of the eventfd is 1 while frames wait, else 0; changed under the lock, so it never disagrees. */
static void set_readable(struct frame_queue *q, bool readable)
{
    uint64_t one = 1;
    ssize_t done = readable ? write(q->fd, &one, sizeof one) : read(q->fd, &one, sizeof one);
    (void)done; /* cannot fail: the counter is 0 or 1 */
}

void frame_queue_put(struct frame_queue *q, const struct frame *f)
{
    struct frame *dropped = NULL;
    pthread_mutex_lock(&q->lock);
    if (q->n == q->depth) {
        dropped = pop(q);
        q->lost++;
    } else if (q->n == 0) {
        set_readable(q, true);
    }
    q->frame[(q->head + q->n++) % q->depth] = frame_ref(f);
    pthread_mutex_unlock(&q->lock);
    frame_unref(dropped);
}

struct frame *frame_queue_take(struct frame_queue *q, uint64_t *ret_lost)
{
    struct frame *f = NULL;
    pthread_mutex_lock(&q->lock);
    if (ret_lost) {
        *ret_lost += q->lost;
        q->lost = 0;
    }
    if (q->n > 0) {
        f = pop(q);
        if (q->n == 0)
            set_readable(q, false);
    }
    pthread_mutex_unlock(&q->lock);
    return f;
}
