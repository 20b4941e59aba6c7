/* sparkline: one row of bars, one a value, oldest at the left. Draws plain values; knows no frame and no time. */
#ifndef TUI_WIDGETS_SPARKLINE_H
#define TUI_WIDGETS_SPARKLINE_H

#include <stddef.h>

#include "tui/canvas.h"

/* Draws v[0..n) right-aligned in the first row of r, `full` is a whole cell (not above 0: the largest value). NAN
 * is a blank, 0 the lowest bar and dim, so that a gap is not an idle time. */
void sparkline_draw(struct canvas *c, struct rect r, enum role role, const double *v, size_t n, double full);

#endif
