/* sampler: asks the sources for a frame at absolute deadlines and hands frames to readers.
 * It never waits for a worker, a device or a reader. */
#ifndef CORE_SAMPLER_H
#define CORE_SAMPLER_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/frame.h"
#include "core/source.h"

struct sampler;
struct sampler_reader;

struct sampler *sampler_new(const struct source_env *env);
/* Also joins the thread; a helper stuck in poll() is left behind, detached, and its state is leaked. */
void sampler_free(struct sampler *s);

/* Opens a row of the table. -ENOENT (not on this machine) is remembered for sampler_sources and returned. */
int sampler_add(struct sampler *s, const struct source *source, struct err *err);
/* A source that is open already; the sampler never closes it. Before sampler_start. */
int sampler_attach(struct sampler *s, const struct source *source, void *state);

/* What became of each row: fills at most cap, returns how many there are. Texts live as long as the sampler. */
struct sampler_status {
    const struct source *source;
    int code;        /* 0 open, -ENOENT not on this machine, else it failed */
    const char *why; /* sentence, "" = none */
};
size_t sampler_sources(const struct sampler *s, struct sampler_status *ret, size_t cap);

/* CPU time of the console's other threads (that draw, that write), for frame.self: called at each tick, in the
 * sampler's thread. Before sampler_start. */
void sampler_set_self(struct sampler *s, double (*cpu_ns)(void *arg), void *arg);

/* One tick by hand, in the caller's thread (frame, shot, tests): the frame, one reference. With poll hooks
 * run inline first. Not while the thread runs. */
struct frame *sampler_tick(struct sampler *s);

/* The thread: first tick at once, then every interval_ns at absolute deadlines; late ticks are skipped and
 * counted as missed. */
int sampler_start(struct sampler *s, uint64_t interval_ns, struct err *err);
void sampler_set_interval(struct sampler *s, uint64_t interval_ns);
void sampler_stop(struct sampler *s); /* joins; idempotent */

/* A reader has a queue of `depth` frames; when it is full the oldest is dropped and counted. Readers live as
 * long as the sampler. NULL when there is no memory or descriptor to be had. */
struct sampler_reader *sampler_subscribe(struct sampler *s, size_t depth);
int sampler_reader_fd(const struct sampler_reader *r); /* eventfd, readable while frames wait */
/* Oldest waiting frame (caller unrefs) or NULL; *ret_lost (may be NULL) += frames dropped since last call. */
struct frame *sampler_read(struct sampler_reader *r, uint64_t *ret_lost);

#endif
