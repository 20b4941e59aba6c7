/* canvas: a grid of cells: put, box, clip, dump. Knows no terminal and no frame; colours are roles. */
#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"
#include "tui/theme.h"

struct rect {
    int x, y, w, h;
};

struct cell {
    uint32_t ch;   /* one code point; 0 = right half of a wide one */
    uint8_t role;  /* enum role */
    uint8_t level; /* 0-100 of a gradient role */
    uint8_t bold, reverse;
};

enum canvas_charset { CHARSET_BRAILLE, CHARSET_BLOCKS, CHARSET_ASCII };

struct canvas {
    int w, h;
    enum canvas_charset charset; /* widgets choose their glyphs by it; ASCII: boxes are + - | too */
    struct cell *cell;           /* w*h, row by row */
};

int canvas_init(struct canvas *c, int w, int h); /* 0 or -ENOMEM; w,h >= 1; blank */
void canvas_fini(struct canvas *c);
int canvas_resize(struct canvas *c, int w, int h); /* blank again */
void canvas_clear(struct canvas *c);

struct style {
    enum role role;
    int level; /* 0-100 */
    bool bold, reverse;
};

/* Everything is clipped to `clip` and to the canvas; coordinates are absolute. Control bytes and broken UTF-8
 * become '?'; widths are by column (wcwidth); a wide character that would be cut is left out. With the ASCII
 * charset what is not ASCII is replaced by its nearest (… by '~', µ by 'u', ▸ by '>', else '?'). */
int canvas_text(struct canvas *c, struct rect clip, int x, int y, struct style st, const char *utf8); /* next x */
int canvas_printf(struct canvas *c, struct rect clip, int x, int y, struct style st, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/* Right-aligned: the text ends before column x_end. */
void canvas_text_right(struct canvas *c, struct rect clip, int x_end, int y, struct style st, const char *utf8);
void canvas_put(struct canvas *c, struct rect clip, int x, int y, struct style st, uint32_t ch);
void canvas_fill(struct canvas *c, struct rect r, struct style st, uint32_t ch);

int canvas_width(const char *utf8); /* columns */

/* A box with rounded corners (ASCII: + - |) and labels set into its borders, "┤like this├". Returns the inside
 * (blanked). The labels of an edge get their room in the order of the array; one that finds too little is left
 * out. On either side they stand in that order from left to right. A rect too small for a border draws nothing and
 * has no inside. */
enum canvas_side { SIDE_TOP_LEFT, SIDE_TOP_RIGHT, SIDE_BOTTOM_LEFT, SIDE_BOTTOM_RIGHT };
struct label {
    enum canvas_side side;
    const char *text;    /* NULL ends an array */
    struct style style;
    int hot;             /* byte offset of the letter drawn as ROLE_KEY; -1 none */
};
struct rect canvas_box(struct canvas *c, struct rect r, const struct label *labels);

/* Rows separated by newlines, trailing blanks cut. */
void canvas_dump_text(const struct canvas *c, struct strbuf *out);
/* The second plane of golden tests: one letter a cell for its role (t d T k b s g w e r W l c m q), '.' blank. */
void canvas_dump_roles(const struct canvas *c, struct strbuf *out);
/* With SGR escapes: colours 16777216, 256, 16, 8 or 0 (attributes alone). */
void canvas_dump_ansi(const struct canvas *c, const struct theme *t, int colours, struct strbuf *out);
void canvas_dump_svg(const struct canvas *c, const struct theme *t, struct strbuf *out);

#endif
