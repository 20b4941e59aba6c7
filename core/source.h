/* source: everything that can be measured, as a row of hooks. A tick asks every source for its part of a
 * frame. Does not say when (sampler.h) nor what a frame holds (frame.h).
 *
 * Rules for a source
 * - It keeps its own previous counters and stamps its own read time: it writes rates, and only between two
 *   stamped samples. The first sample is a baseline: rows with NAN rates.
 * - Unknown is NAN or a `have` bit, never 0. A missing file is unknown, never an error.
 * - sample() never blocks. What can hang or is slow goes into poll(), which the sampler calls on a helper
 *   thread every period_ns; sample() then copies the last values and says how old they are. poll() must not
 *   hold a lock that sample() takes while it reads the device. */
#ifndef CORE_SOURCE_H
#define CORE_SOURCE_H

#include <stdint.h>

#include "core/err.h"

struct clock;
struct frame;
struct sysroot;

struct source_env {
    struct sysroot *root;
    const struct clock *clock; /* NULL = live */
};

struct source {
    const char *name;  /* "cpu": the word of `list sources` */
    const char *blurb; /* one sentence for people */
    uint64_t period_ns;/* of poll(); 0 where there is none */
    /* 0, or -ENOENT ("not on this machine", shown as such), or -errno with a sentence. */
    int (*open)(const struct source_env *env, void **ret_state, struct err *err);
    void (*poll)(void *state);                      /* may block; NULL for most */
    void (*sample)(void *state, struct frame *frame);
    void (*close)(void *state);                     /* NULL-safe; never while poll() runs */
};

#endif
