/* graph: two histories mirrored at one axis, the first upwards, the second downwards.
 * Coloured by height, not by value: a scrolling graph then changes few cells. Knows no unit and no time. */
#ifndef TUI_WIDGETS_GRAPH_H
#define TUI_WIDGETS_GRAPH_H

#include <stddef.h>

#include "tui/canvas.h"

struct graph {
    const double *up, *down; /* n values each, oldest first, the last at the right edge; NAN = a gap */
    size_t n;
    double unit, down_unit; /* value of one row; down_unit 0 = the same */
    int up_rows;            /* rows above the axis; the axis has a row of its own, the rest hangs below */
    enum role up_role, down_role;
};

/* Values that w columns can show: two a column in braille, one otherwise. */
size_t graph_slots(const struct canvas *c, int w);

/* The axis is a line where something is known and blank in a gap. */
void graph_draw(struct canvas *c, struct rect r, const struct graph *g);

/* A round value of one row (1, 2, 2.5 or 5 times a power of ten) with which both maxima fit. At least `least`. */
double graph_unit(double up_max, int up_rows, double down_max, int down_rows, double least);

#endif
