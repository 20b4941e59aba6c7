/* canvas_dump: a canvas as text, as role letters, with SGR escapes or as SVG, for golden tests and `shot`.
 * The escapes and colour values themselves come from theme.c. */
#include <string.h>

#include "tui/canvas.h"
#include "tui/glyph.h"

static const char role_letter[ROLES + 1] = "tdTkbsgwerWlcmq";

static const struct cell *row_of(const struct canvas *c, int y)
{
    return c->cell + (size_t)y * (size_t)c->w;
}

/* A blank that shows its background is not blank. */
static bool blank(const struct cell *cell)
{
    return cell->ch == ' ' && !cell->reverse && cell->role != ROLE_SELECTED;
}

static int used_width(const struct canvas *c, int y, bool (*is_blank)(const struct cell *))
{
    int w = c->w;
    while (w > 0 && is_blank(row_of(c, y) + w - 1))
        w--;
    return w;
}

static bool space(const struct cell *cell)
{
    return cell->ch == ' ';
}

static void put_glyph(const struct cell *cell, struct strbuf *out)
{
    char utf8[4];
    if (cell->ch)
        strbuf_put(out, utf8, glyph_encode(cell->ch, utf8));
}

void canvas_dump_text(const struct canvas *c, struct strbuf *out)
{
    for (int y = 0; y < c->h; y++) {
        int w = used_width(c, y, space);
        for (int x = 0; x < w; x++)
            put_glyph(row_of(c, y) + x, out);
        strbuf_put(out, "\n", 1);
    }
}

void canvas_dump_roles(const struct canvas *c, struct strbuf *out)
{
    for (int y = 0; y < c->h; y++) {
        for (int x = 0; x < c->w; x++) {
            const struct cell *cell = row_of(c, y) + x;
            strbuf_put(out, blank(cell) ? "." : &role_letter[cell->role % ROLES], 1);
        }
        strbuf_put(out, "\n", 1);
    }
}

/* How a cell looks in all: its role's look, then its own bold and reverse. */
static struct look look_of(const struct theme *t, const struct cell *cell, int colours)
{
    struct look l = theme_look(t, (enum role)(cell->role % ROLES), cell->level, colours);
    l.bold |= cell->bold;
    l.reverse ^= cell->reverse;
    return l;
}

static bool same_look(const struct look *a, const struct look *b)
{
    return a->fg == b->fg && a->bg == b->bg && a->bold == b->bold && a->dim == b->dim &&
           a->underline == b->underline && a->reverse == b->reverse;
}

static bool looks_blank(const struct look *l)
{
    return l->bg < 0 && !l->reverse && !l->underline;
}

/* First column behind the cells from x on that look alike. Right halves belong to their left one. */
static int run_end(const struct canvas *c, const struct theme *t, int colours, int x, int y)
{
    struct look first = look_of(t, row_of(c, y) + x, colours);
    for (x++; x < c->w; x++) {
        struct look l = look_of(t, row_of(c, y) + x, colours);
        if (row_of(c, y)[x].ch && !same_look(&first, &l))
            break;
    }
    return x;
}

void canvas_dump_ansi(const struct canvas *c, const struct theme *t, int colours, struct strbuf *out)
{
    for (int y = 0; y < c->h; y++) {
        for (int x = 0, end; x < c->w; x = end) {
            struct look l = look_of(t, row_of(c, y) + x, colours);
            char sgr[THEME_SGR];
            end = run_end(c, t, colours, x, y);
            int w = used_width(c, y, space);
            if (end == c->w && looks_blank(&l) && x >= w)
                break;
            strbuf_put(out, sgr, (size_t)theme_sgr(&l, colours, sgr));
            for (int i = x; i < (end == c->w && looks_blank(&l) ? w : end); i++)
                put_glyph(row_of(c, y) + i, out);
        }
        strbuf_printf(out, "%s\n", theme_sgr_reset);
    }
}

enum { CELL_W = 9, CELL_H = 18, BASELINE = 14, DIRECT = 1 << 24 };

static void svg_glyph(const struct cell *cell, struct strbuf *out)
{
    if (cell->ch == '&')
        strbuf_printf(out, "&amp;");
    else if (cell->ch == '<')
        strbuf_printf(out, "&lt;");
    else
        put_glyph(cell, out);
}

static void svg_run(const struct canvas *c, const struct theme *t, int x, int end, int y, struct strbuf *out)
{
    struct look l = look_of(t, row_of(c, y) + x, DIRECT);
    char fg[8], bg[8];
    theme_hex(l.reverse ? l.bg : l.fg, l.reverse, fg);
    theme_hex(l.reverse ? l.fg : l.bg, !l.reverse, bg);
    if (!looks_blank(&l))
        strbuf_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", x * CELL_W,
                      y * CELL_H, (end - x) * CELL_W, CELL_H, bg);
    int from = x;
    while (from < end && row_of(c, y)[from].ch == ' ')
        from++;
    if (from == end)
        return;
    strbuf_printf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"%s\"%s%s>", from * CELL_W,
                  y * CELL_H + BASELINE, (end - from) * CELL_W, fg, l.bold ? " font-weight=\"bold\"" : "",
                  l.dim ? " opacity=\"0.6\"" : "");
    for (int i = from; i < end; i++)
        svg_glyph(row_of(c, y) + i, out);
    strbuf_printf(out, "</text>\n");
}

void canvas_dump_svg(const struct canvas *c, const struct theme *t, struct strbuf *out)
{
    struct look l = theme_look(t, ROLE_TEXT, 0, DIRECT);
    char bg[8];
    theme_hex(l.bg, true, bg);
    strbuf_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" xml:space=\"preserve\" "
        "font-family=\"monospace\" font-size=\"15\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
        c->w * CELL_W, c->h * CELL_H, bg);
    for (int y = 0; y < c->h; y++)
        for (int x = 0, end; x < c->w; x = end) {
            end = run_end(c, t, DIRECT, x, y);
            svg_run(c, t, x, end, y, out);
        }
    strbuf_printf(out, "</svg>\n");
}
