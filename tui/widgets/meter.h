/* meter: a horizontal bar in one row, to an eighth of a cell. */
#ifndef TUI_WIDGETS_METER_H
#define TUI_WIDGETS_METER_H

#include "tui/canvas.h"

/* Fills part/full of the first row of r. What is above 0 shows at least an eighth; NAN shows nothing. The level of
 * the style is kept: the caller says what the colour means. */
void meter_draw(struct canvas *c, struct rect r, struct style st, double part, double full);

/* The same on a dim line, for progress. */
void meter_progress(struct canvas *c, struct rect r, struct style st, double part, double full);

#endif
