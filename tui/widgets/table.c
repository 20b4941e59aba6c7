/* table: where columns stand and how a cell's text sits in its column.
 * Knows no values and no sort order. */
#include "tui/widgets/table.h"

#include <stdbool.h>
#include <string.h>

#include "core/str.h"

static int needed(const struct table *t)
{
    int w = 0;
    for (size_t i = 0; i < t->n; i++)
        w += t->w[i] ? t->w[i] + (w > 0) : 0;
    return w;
}

static void leave_out(struct table *t)
{
    while (needed(t) > t->area.w) {
        size_t worst = t->n;
        for (size_t i = 0; i < t->n; i++)
            if (t->w[i] && t->column[i].rank > 0 && (worst == t->n || t->column[i].rank >= t->column[worst].rank))
                worst = i;
        if (worst == t->n)
            return;
        t->w[worst] = 0;
    }
}

/* One column each in turn. */
static void grow(struct table *t)
{
    int left = t->area.w - needed(t);
    for (bool grew = true; grew && left > 0;) {
        grew = false;
        for (size_t i = 0; i < t->n && left > 0; i++) {
            if (t->w[i] == 0 || t->w[i] >= t->column[i].most)
                continue;
            t->w[i]++;
            left--;
            grew = true;
        }
    }
}

void table_fit(struct table *t, const struct table_column *column, size_t n, struct rect area)
{
    *t = (struct table){.column = column, .n = n < TABLE_COLUMNS ? n : TABLE_COLUMNS, .area = area};
    for (size_t i = 0; i < t->n; i++)
        t->w[i] = column[i].width;
    leave_out(t);
    grow(t);
    int x = area.x;
    for (size_t i = 0; i < t->n; i++) {
        t->x[i] = x;
        x += t->w[i] ? t->w[i] + 1 : 0;
    }
}

struct rect table_room(const struct table *t, size_t column, int y)
{
    return (struct rect){t->x[column], y, t->w[column], 1};
}

struct rect table_span(const struct table *t, size_t from, size_t to, int y)
{
    while (from < to && !t->w[from])
        from++;
    while (to > from && !t->w[to])
        to--;
    return (struct rect){t->x[from], y, t->x[to] + t->w[to] - t->x[from], 1};
}

void table_text(struct canvas *c, struct rect r, struct style st, const char *text)
{
    if (canvas_width(text) <= r.w) {
        canvas_text(c, r, r.x, r.y, st, text);
        return;
    }
    struct rect cut = {r.x, r.y, r.w - 1, 1};
    canvas_text(c, cut, r.x, r.y, st, text);
    canvas_text(c, r, r.x + r.w - 1, r.y, st, "…");
}

void table_cell(struct canvas *c, const struct table *t, size_t column, int y, struct style st, const char *text)
{
    struct rect r = table_room(t, column, y);
    int w = canvas_width(text);
    if (r.w == 0)
        return;
    if (t->column[column].left || w > r.w)
        table_text(c, r, st, text);
    else
        canvas_text_right(c, r, r.x + r.w, y, st, text);
}

void table_heads(struct canvas *c, const struct table *t, int y, struct style st)
{
    for (size_t i = 0; i < t->n; i++)
        table_cell(c, t, i, y, st, t->column[i].head);
}

size_t table_line(const char *text, int w)
{
    size_t fits = 0, n = 0, len = strlen(text);
    char part[512];
    for (size_t end = 1; end <= len && end < sizeof part; end++) {
        if (end < len && ((unsigned char)text[end] & 0xc0) == 0x80) /* inside a character */
            continue;
        memcpy(part, text, end);
        part[end] = '\0';
        if (canvas_width(part) > w)
            break;
        fits = end;
        if (end == len || text[end] == ' ')
            n = end;
    }
    return n ? n : fits ? fits : len;
}

int table_wrap(struct canvas *c, struct rect r, struct style st, const char *text)
{
    int lines = 0;
    while (*text && r.w > 0) {
        char line[512];
        size_t n = table_line(text, r.w);
        bool last = c && lines == r.h - 1;
        str_format(line, sizeof line, "%.*s", last ? (int)strlen(text) : (int)n, text);
        if (c && lines < r.h)
            table_text(c, (struct rect){r.x, r.y + lines, r.w, 1}, st, line);
        text += n;
        text += strspn(text, " ");
        lines++;
    }
    return lines;
}
