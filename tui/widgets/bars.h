/* bars: horizontal bars under each other, each with a label before it and a share behind it: a histogram. */
#ifndef TUI_WIDGETS_BARS_H
#define TUI_WIDGETS_BARS_H

#include <stddef.h>

#include "tui/canvas.h"

struct bar {
    const char *label;
    double share;       /* 0-1 of everything; NAN: unknown; 0: the row stays, its bar is empty */
    struct style style; /* by bucket, so that a tail is seen before it is long */
};

#define BARS_LABEL 6 /* columns of a label */
#define BARS_SHARE 6 /* columns of a share */

/* One row each from the top of r; what does not fit is left out. The longest bar is the largest share. */
void bars_draw(struct canvas *c, struct rect r, const struct bar *bar, size_t n);

#endif
