/* canvas: a grid of cells: put, text, fill, box with labels in its borders.
 * Knows no terminal, no frame and no colour. Dumps are in canvas_dump.c. */
#include "tui/canvas.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/glyph.h"

static const struct style border_style = {.role = ROLE_BORDER};
static const struct style plain = {.role = ROLE_TEXT};

int canvas_init(struct canvas *c, int w, int h)
{
    *c = (struct canvas){0};
    return canvas_resize(c, w, h);
}

void canvas_fini(struct canvas *c)
{
    free(c->cell);
    c->cell = NULL;
    c->w = c->h = 0;
}

int canvas_resize(struct canvas *c, int w, int h)
{
    w = w < 1 ? 1 : w;
    h = h < 1 ? 1 : h;
    if (!c->cell || (size_t)w * (size_t)h != (size_t)c->w * (size_t)c->h) {
        struct cell *cell = realloc(c->cell, (size_t)w * (size_t)h * sizeof *cell);
        if (!cell)
            return -ENOMEM;
        c->cell = cell;
    }
    c->w = w;
    c->h = h;
    canvas_clear(c);
    return 0;
}

void canvas_clear(struct canvas *c)
{
    for (size_t i = 0, n = (size_t)c->w * (size_t)c->h; i < n; i++)
        c->cell[i] = (struct cell){.ch = ' '};
}

static struct cell cell_of(struct style st, uint32_t ch)
{
    int level = st.level < 0 ? 0 : st.level > 100 ? 100 : st.level;
    return (struct cell){
        .ch = ch, .role = (uint8_t)st.role, .level = (uint8_t)level, .bold = st.bold, .reverse = st.reverse};
}

static struct rect intersect(struct rect a, struct rect b)
{
    int x = a.x > b.x ? a.x : b.x, y = a.y > b.y ? a.y : b.y;
    int x2 = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
    int y2 = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
    return (struct rect){x, y, x2 > x ? x2 - x : 0, y2 > y ? y2 - y : 0};
}

static struct rect on_canvas(const struct canvas *c, struct rect clip)
{
    return intersect(clip, (struct rect){0, 0, c->w, c->h});
}

static bool inside(const struct rect *r, int x, int y)
{
    return x >= r->x && y >= r->y && x < r->x + r->w && y < r->y + r->h;
}

/* Half of a wide character cannot stay behind: its other half becomes a blank. */
static void write_cell(struct canvas *c, int x, int y, struct cell cell)
{
    struct cell *row = c->cell + (size_t)y * (size_t)c->w;
    if (row[x].ch == 0 && cell.ch != 0 && x > 0)
        row[x - 1].ch = ' ';
    if (x + 1 < c->w && row[x + 1].ch == 0)
        row[x + 1].ch = ' ';
    row[x] = cell;
}

static void put_wide(struct canvas *c, const struct rect *in, int x, int y, struct style st, uint32_t ch)
{
    bool left = inside(in, x, y), right = inside(in, x + 1, y);
    if (left) /* cut: a blank where its one column would be */
        write_cell(c, x, y, cell_of(st, ' '));
    if (right)
        write_cell(c, x + 1, y, cell_of(st, ' '));
    if (!left || !right)
        return;
    struct cell *pair = c->cell + (size_t)y * (size_t)c->w + (size_t)x;
    pair[0].ch = ch;
    pair[1].ch = 0;
}

/* Columns the character takes, drawn or clipped away; `in` lies on the canvas. A wide one keeps its two columns in
 * ASCII as well, so that canvas_width() holds for both. */
static int put(struct canvas *c, const struct rect *in, int x, int y, struct style st, uint32_t ch)
{
    int w = glyph_width(ch);
    bool ascii = c->charset == CHARSET_ASCII;
    if (w == 2 && ascii)
        return put(c, in, x, y, st, '?') + put(c, in, x + 1, y, st, '?');
    if (w == 2)
        put_wide(c, in, x, y, st, ch);
    else if (w == 1 && inside(in, x, y))
        write_cell(c, x, y, cell_of(st, ascii ? glyph_ascii(ch) : ch));
    return w;
}

void canvas_put(struct canvas *c, struct rect clip, int x, int y, struct style st, uint32_t ch)
{
    struct rect in = on_canvas(c, clip);
    put(c, &in, x, y, st, glyph_clean(ch));
}

int canvas_text(struct canvas *c, struct rect clip, int x, int y, struct style st, const char *utf8)
{
    struct rect in = on_canvas(c, clip);
    while (*utf8)
        x += put(c, &in, x, y, st, glyph_next(&utf8));
    return x;
}

int canvas_printf(struct canvas *c, struct rect clip, int x, int y, struct style st, const char *fmt, ...)
{
    char buf[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    return canvas_text(c, clip, x, y, st, buf);
}

void canvas_text_right(struct canvas *c, struct rect clip, int x_end, int y, struct style st, const char *utf8)
{
    canvas_text(c, clip, x_end - canvas_width(utf8), y, st, utf8);
}

/* Through write_cell() at the ends, where half a wide character may stand; between them nothing needs care. */
static void fill_row(struct canvas *c, int x, int y, int w, struct cell cell)
{
    struct cell *row = c->cell + (size_t)y * (size_t)c->w + (size_t)x;
    if (w <= 0)
        return;
    write_cell(c, x, y, cell);
    write_cell(c, x + w - 1, y, cell);
    for (int i = 1; i < w - 1; i++)
        row[i] = cell;
}

void canvas_fill(struct canvas *c, struct rect r, struct style st, uint32_t ch)
{
    struct rect in = on_canvas(c, r);
    uint32_t clean = glyph_clean(ch);
    bool ascii = c->charset == CHARSET_ASCII, narrow = glyph_width(clean) == 1;
    struct cell cell = cell_of(st, ascii ? glyph_ascii(clean) : clean);
    for (int y = in.y; y < in.y + in.h; y++) {
        if (narrow)
            fill_row(c, in.x, y, in.w, cell);
        for (int x = in.x; !narrow && x < in.x + in.w; x += ascii ? 1 : 2)
            put(c, &in, x, y, st, clean);
    }
}

int canvas_width(const char *utf8)
{
    int w = 0;
    while (*utf8)
        w += glyph_width(glyph_next(&utf8));
    return w;
}

static void draw_border(struct canvas *c, struct rect r)
{
    int right = r.x + r.w - 1, bottom = r.y + r.h - 1;
    for (int x = r.x + 1; x < right; x++) {
        canvas_put(c, r, x, r.y, border_style, 0x2500);
        canvas_put(c, r, x, bottom, border_style, 0x2500);
    }
    for (int y = r.y + 1; y < bottom; y++) {
        canvas_put(c, r, r.x, y, border_style, 0x2502);
        canvas_put(c, r, right, y, border_style, 0x2502);
    }
    canvas_put(c, r, r.x, r.y, border_style, 0x256d);
    canvas_put(c, r, right, r.y, border_style, 0x256e);
    canvas_put(c, r, r.x, bottom, border_style, 0x2570);
    canvas_put(c, r, right, bottom, border_style, 0x256f);
}

static int draw_label(struct canvas *c, struct rect r, int x, int y, const struct label *l)
{
    bool ascii = c->charset == CHARSET_ASCII;
    canvas_put(c, r, x++, y, border_style, ascii ? '|' : 0x2524);
    const char *start = l->text, *p = l->text;
    struct rect in = on_canvas(c, r);
    while (*p) {
        bool hot = l->hot >= 0 && p - start == l->hot;
        struct style st = hot ? (struct style){.role = ROLE_KEY, .bold = true} : l->style;
        x += put(c, &in, x, y, st, glyph_next(&p));
    }
    canvas_put(c, r, x++, y, border_style, ascii ? '|' : 0x251c);
    return x;
}

static bool at_top(enum canvas_side s)
{
    return s == SIDE_TOP_LEFT || s == SIDE_TOP_RIGHT;
}

static bool at_left(enum canvas_side s)
{
    return s == SIDE_TOP_LEFT || s == SIDE_BOTTOM_LEFT;
}

/* The labels of one edge share its room in the order of the array. At the top a dash stands between neighbours. */
static void draw_edge(struct canvas *c, struct rect r, const struct label *labels, bool top)
{
    enum { MOST = 32 };
    bool fits[MOST] = {false};
    int gap = top ? 1 : 0, room = r.w - 4, right = 0;
    for (int i = 0; i < MOST && labels[i].text; i++) {
        int need = canvas_width(labels[i].text) + 2;
        if (at_top(labels[i].side) != top || !labels[i].text[0] || need > room)
            continue;
        fits[i] = true;
        room -= need + gap;
        right += at_left(labels[i].side) ? 0 : need + gap;
    }
    int y = top ? r.y : r.y + r.h - 1, left_x = r.x + 2, right_x = r.x + r.w - 2 - right + gap;
    for (int i = 0; i < MOST && labels[i].text; i++) {
        int *x = at_left(labels[i].side) ? &left_x : &right_x;
        if (fits[i])
            *x = draw_label(c, r, *x, y, &labels[i]) + gap;
    }
}

struct rect canvas_box(struct canvas *c, struct rect r, const struct label *labels)
{
    if (r.w < 2 || r.h < 2)
        return (struct rect){r.x, r.y, 0, 0};
    draw_border(c, r);
    if (labels) {
        draw_edge(c, r, labels, true);
        draw_edge(c, r, labels, false);
    }
    struct rect in = {r.x + 1, r.y + 1, r.w - 2, r.h - 2};
    canvas_fill(c, in, plain, ' ');
    return in;
}
