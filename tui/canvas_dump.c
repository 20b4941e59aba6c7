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
