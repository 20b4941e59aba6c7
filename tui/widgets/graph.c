/* graph: the mirrored graph in braille, blocks or ASCII.
 * The caller resamples; one value is one slot here. */
#include "tui/widgets/graph.h"

#include <math.h>

#include "tui/widgets/fill.h"

size_t graph_slots(const struct canvas *c, int w)
{
    if (w < 0)
        return 0;
    return c->charset == CHARSET_BRAILLE ? (size_t)w * 2 : (size_t)w;
}

double graph_unit(double up_max, int up_rows, double down_max, int down_rows, double least)
{
    static const double round_steps[] = {1, 2, 2.5, 5, 10};
    double need = least;
    if (up_rows > 0)
        need = fmax(need, up_max / up_rows);
    if (down_rows > 0)
        need = fmax(need, down_max / down_rows);
    if (!(need > 0) || !isfinite(need))
        return 1;
    double power = pow(10, floor(log10(need)));
    for (size_t i = 0; i < sizeof round_steps / sizeof *round_steps; i++)
        if (need <= round_steps[i] * power * (1 + 1e-9))
            return round_steps[i] * power;
    return 10 * power;
}

/* How many of `steps` parts of row number `row` (0 = beside the axis) a value fills. */
static int row_steps(double v, double unit, int row, int steps)
{
    if (isnan(v) || v <= 0)
        return 0;
    double n = (v / unit - row) * steps;
    if (row == 0 && n < 1)
        return 1; /* a little is not nothing */
    return n >= steps ? steps : n <= 0 ? 0 : (int)(n + 0.5);
}

static double value_at(const double *v, size_t n, long i)
{
    return i >= 0 && (size_t)i < n ? v[i] : NAN;
}

static uint32_t cell_glyph(enum canvas_charset cs, const double *v, const struct graph *g, long slot, int row)
{
    bool up = v == g->up;
    double unit = up || !(g->down_unit > 0) ? g->unit : g->down_unit;
    double a = value_at(v, g->n, slot);
    if (cs == CHARSET_BRAILLE) {
        int l = row_steps(a, unit, row, 4);
        int r = row_steps(value_at(v, g->n, slot + 1), unit, row, 4);
        return up ? fill_braille_rise(l, r) : fill_braille_hang(l, r);
    }
    int n = row_steps(a, unit, row, 8);
    return up ? fill_rise(cs, n) : fill_hang(cs, n);
}

static void draw_axis(struct canvas *c, struct rect r, const struct graph *g, int x, long slot, int per_cell)
{
    bool known = false;
    for (int i = 0; i < per_cell; i++)
        known |= !isnan(value_at(g->up, g->n, slot + i)) || !isnan(value_at(g->down, g->n, slot + i));
    if (known)
        canvas_put(c, r, x, r.y + g->up_rows, (struct style){.role = ROLE_DIM}, fill_line(c->charset));
}

/* One column of cells of one direction; rows counted away from the axis. */
static void draw_column(struct canvas *c, struct rect r, const struct graph *g, bool up, int x, long slot)
{
    int rows = up ? g->up_rows : r.h - g->up_rows - 1, top = rows > 1 ? rows - 1 : 1;
    for (int row = 0; row < rows; row++) {
        uint32_t ch = cell_glyph(c->charset, up ? g->up : g->down, g, slot, row);
        if (ch == ' ')
            continue;
        struct style st = {.role = up ? g->up_role : g->down_role, .level = row * 100 / top};
        canvas_put(c, r, x, up ? r.y + g->up_rows - 1 - row : r.y + g->up_rows + 1 + row, st, ch);
    }
}

void graph_draw(struct canvas *c, struct rect r, const struct graph *g)
{
    int per_cell = c->charset == CHARSET_BRAILLE ? 2 : 1;
    for (int x = 0; x < r.w; x++) {
        long slot = (long)g->n - (long)(r.w - x) * per_cell;
        draw_column(c, r, g, true, r.x + x, slot);
        draw_axis(c, r, g, r.x + x, slot, per_cell);
        draw_column(c, r, g, false, r.x + x, slot);
    }
}
