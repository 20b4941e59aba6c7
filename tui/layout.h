/* layout: pure geometry: shares a length among parts, cuts rectangles. Knows no box and no cell: what is shown
 * where is each screen's own table of parts. */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/canvas.h"

#define LAYOUT_PARTS 16

/* One part of a row or a column, in its order on the screen. */
struct layout_part {
    int min;    /* less than this and the part is left out; 0: there is no such part */
    int want;   /* what it can use well */
    int weight; /* share of what remains after every wish; 0 = none */
    int rank;   /* the highest is left out first; rank 0 is never left out */
};

/* Shares `total` among n (at most LAYOUT_PARTS) parts; ret_size[i] = 0 for a part left out. Parts are left out
 * until the minima fit; then they grow one cell each in turn up to their wishes; what remains goes by weight. The
 * sum never exceeds total; a part of rank 0 that does not fit gets what there is. Returns how many are shown. */
size_t layout_split(int total, const struct layout_part *part, size_t n, int *ret_size);

/* Cut a slice off a rectangle and return it; never more than there is. */
struct rect layout_cut_top(struct rect *r, int h);
struct rect layout_cut_bottom(struct rect *r, int h);
struct rect layout_cut_left(struct rect *r, int w);
struct rect layout_cut_right(struct rect *r, int w);

bool layout_empty(struct rect r); /* no cell in it */

#endif
