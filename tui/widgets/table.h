/* table: columns of a fixed width that stay where they are; the least important leave when room gets short. */
#ifndef TUI_WIDGETS_TABLE_H
#define TUI_WIDGETS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/canvas.h"

#define TABLE_COLUMNS 32

struct table_column {
    const char *head;
    int width; /* columns of its text; a blank stands between two */
    int most;  /* may grow up to this when there is room; 0 = no */
    int rank;  /* the highest leaves first; rank 0 stays */
    bool left; /* left-aligned; numbers are right-aligned */
};

struct table {
    const struct table_column *column;
    size_t n;
    struct rect area;
    int x[TABLE_COLUMNS], w[TABLE_COLUMNS]; /* w 0 = left out */
};

/* Which columns fit into area.w and where; growing columns share what remains. */
void table_fit(struct table *t, const struct table_column *column, size_t n, struct rect area);

/* Headings into row y; cells into row y. A text that is too long is cut with an ellipsis. */
void table_heads(struct canvas *c, const struct table *t, int y, struct style st);
void table_cell(struct canvas *c, const struct table *t, size_t column, int y, struct style st, const char *text);
struct rect table_room(const struct table *t, size_t column, int y); /* where a cell is; w 0 when left out */
/* From the beginning of one column to the end of another (the nearest shown ones within). */
struct rect table_span(const struct table *t, size_t from, size_t to, int y);

/* Text at the left of r, cut with an ellipsis when it is wider. */
void table_text(struct canvas *c, struct rect r, struct style st, const char *text);

/* Bytes of the text that go into a line of w columns: up to a blank, at least one character. */
size_t table_line(const char *text, int w);

/* The text over lines of r.w columns, broken at blanks; draws r.h of them when c is set. Returns how many it takes. */
int table_wrap(struct canvas *c, struct rect r, struct style st, const char *text);

#endif
