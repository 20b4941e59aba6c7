/* bars: rows of a histogram.
 * Chooses no buckets and no colours. */
#include "tui/widgets/bars.h"

#include <math.h>

#include "tui/widgets/meter.h"
#include "tui/widgets/number.h"

static void draw_row(struct canvas *c, struct rect row, const struct bar *bar, double full)
{
    const struct style dim = {.role = ROLE_DIM}, text = {.role = ROLE_TEXT};
    char share[UNITS_TEXT] = "";
    canvas_text_right(c, row, row.x + BARS_LABEL, row.y, dim, bar->label);
    int end = row.x + row.w;
    if (!(bar->share <= 0))
        canvas_text_right(c, row, end, row.y, isnan(bar->share) ? dim : text, number_share(share, bar->share));
    int x = row.x + BARS_LABEL + 1;
    struct rect room = {x, row.y, end - BARS_SHARE - 1 - x, 1};
    if (room.w > 0)
        meter_draw(c, room, bar->style, bar->share, full);
}

void bars_draw(struct canvas *c, struct rect r, const struct bar *bar, size_t n)
{
    double full = 0;
    for (size_t i = 0; i < n; i++)
        full = fmax(full, bar[i].share);
    for (size_t i = 0; i < n && (int)i < r.h; i++)
        draw_row(c, (struct rect){r.x, r.y + (int)i, r.w, 1}, &bar[i], full);
}
