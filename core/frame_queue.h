/* frame_queue: a bounded queue of frames between two threads, with a descriptor to poll.
 * When it is full the oldest frame is dropped and counted: a slow reader never holds up the writer. */
#ifndef CORE_FRAME_QUEUE_H
#define CORE_FRAME_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "core/frame.h"

struct frame_queue;

struct frame_queue *frame_queue_new(size_t depth); /* NULL when out of memory or descriptors; depth 0 = 1 */
void frame_queue_free(struct frame_queue *q);      /* drops what waits in it */
int frame_queue_fd(const struct frame_queue *q);   /* eventfd, readable while frames wait; not to be read */
void frame_queue_put(struct frame_queue *q, const struct frame *f); /* takes a reference of its own */
/* Oldest waiting frame (caller unrefs) or NULL; *ret_lost (may be NULL) += frames dropped since last call. */
struct frame *frame_queue_take(struct frame_queue *q, uint64_t *ret_lost);

#endif
