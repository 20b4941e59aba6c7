/* screen: a full view as a row of hooks: frames in, cells out, actions to orders.
 * update() may compute; draw() may not: it takes const state, so that a redraw costs nothing but drawing. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include <stdbool.h>

#include "core/frame.h"
#include "core/order.h"
#include "engine/job.h"
#include "tui/canvas.h"
#include "tui/keys.h"

struct screen_env { /* what a screen may ask; NULL hooks: no load (shot, replay) */
    size_t njobs;
    void (*job)(void *arg, size_t i, struct job *ret); /* newest version of a job */
    void *arg;
    uint64_t interval_ns;
    const char *label; /* "REPLAY …", "" live */
};

struct screen {
    const char *name, *blurb; /* "overview" */
    int (*open)(const struct screen_env *env, void **ret_state); /* 0 or -ENOMEM */
    /* True when the action was meant for it; *ret_order may be set (ORDER_NONE before). */
    bool (*act)(void *state, enum action a, struct order *ret_order);
    void (*update)(void *state, const struct frame *frame); /* does not keep the frame without frame_ref */
    void (*draw)(const void *state, struct canvas *c, struct rect r); /* any size from 1x1 */
    void (*close)(void *state);
};

extern const struct screen *const screens[]; /* NULL-terminated; the table in tui/screens.c */
const struct screen *screen_find(const char *name);

#endif
