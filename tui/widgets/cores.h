/* cores: the load of every thread, the threads of one core side by side, core after core, package by package.
 * From meters with numbers through pairs of bars down to one cell a thread. Knows no frame. */
#ifndef TUI_WIDGETS_CORES_H
#define TUI_WIDGETS_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/canvas.h"

struct core_thread {
    unsigned id;
    bool online;     /* off-line: a dim dot */
    double busy_pct; /* NAN = unknown */
};

struct core { /* in the order they are drawn */
    int package;
    size_t first, n; /* its threads in the array */
};

struct cores {
    const struct core *core;
    size_t ncores;
    const struct core_thread *thread;
};

enum cores_style {
    CORES_METERS, /* "  3 ████▌  57% █▏  14%": a number for each thread */
    CORES_BARS,   /* "▇▂ ▅▁ …": a blank between cores */
    CORES_STRIP,  /* "▇▂▅▁…": one cell a thread and nothing between */
};

struct cores_plan {
    enum cores_style style;
    int cell_w;     /* columns of one core, with the blank behind it; 0 in a strip */
    int bar_h;      /* rows of one bar */
    int rows;       /* rows taken */
    size_t threads; /* threads that fit; fewer than there are: "+N more" */
};

/* The richest style whose cores all fit into w x h; the strip when none does. */
struct cores_plan cores_plan(const struct cores *k, int w, int h);

void cores_draw(struct canvas *c, struct rect r, const struct cores *k, const struct cores_plan *p);

#endif
