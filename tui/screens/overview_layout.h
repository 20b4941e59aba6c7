/* overview_layout: which boxes of the overview a terminal of w x h shows, and where: the ladder from 200x60 down
 * to 1x1. Depends on the size and one wish alone, so that nothing jumps between ticks. */
#ifndef TUI_SCREENS_OVERVIEW_LAYOUT_H
#define TUI_SCREENS_OVERVIEW_LAYOUT_H

#include "tui/canvas.h"

enum overview_box {
    BOX_DEVICES,
    BOX_GRAPH,
    BOX_LATENCY,
    BOX_CPU,
    BOX_JOB,
    BOX_BRIEF, /* one line instead of the boxes of the load */
    BOX_EVENTS,
    BOX_FOOTER,
    BOX_TINY, /* alone, where not even a table fits */
    BOXES
};

struct overview_layout {
    struct rect box[BOXES]; /* empty = not shown */
};

void overview_layout(struct rect r, int device_rows, struct overview_layout *ret);

#endif
