/* sparkline: a row of bars.
 * Keeps no history and chooses no time axis. */
#include "tui/widgets/sparkline.h"

#include <math.h>

#include "tui/widgets/fill.h"

static double largest(const double *v, size_t n)
{
    double max = 0;
    for (size_t i = 0; i < n; i++)
        max = fmax(max, v[i]);
    return max;
}

void sparkline_draw(struct canvas *c, struct rect r, enum role role, const double *v, size_t n, double full)
{
    if (!(full > 0))
        full = largest(v, n);
    size_t skip = n > (size_t)(r.w > 0 ? r.w : 0) ? n - (size_t)r.w : 0;
    int x = r.x + r.w - (int)(n - skip);
    for (size_t i = skip; i < n; i++, x++) {
        int steps = fill_steps(v[i], full, 8);
        struct style st = {.role = steps ? role : ROLE_DIM, .level = steps * 100 / 8};
        if (!isnan(v[i]))
            canvas_put(c, r, x, r.y, st, fill_rise(c->charset, steps ? steps : 1));
    }
}
