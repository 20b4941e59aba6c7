/* meter: one horizontal bar.
 * Writes no number beside it. */
#include "tui/widgets/meter.h"

#include "tui/widgets/fill.h"

void meter_draw(struct canvas *c, struct rect r, struct style st, double part, double full)
{
    int eighths = fill_steps(part, full, r.w * 8);
    for (int x = 0; x < r.w && eighths > 0; x++, eighths -= 8)
        canvas_put(c, r, r.x + x, r.y, st, fill_run(c->charset, eighths));
}

void meter_progress(struct canvas *c, struct rect r, struct style st, double part, double full)
{
    canvas_fill(c, (struct rect){r.x, r.y, r.w, 1}, (struct style){.role = ROLE_DIM}, fill_line(c->charset));
    meter_draw(c, r, st, part, full);
}
