/* help_page: the page of keys, made from the table of keys.
 * Handles no key and has no text of its own but the border's. */
#include "tui/help_page.h"

#include <stdbool.h>
#include <string.h>

#include "core/str.h"
#include "tui/keys.h"
#include "tui/widgets/table.h"

enum { NAME_W = 6, MARGIN = 1, WIDEST = 78, SENTENCE_LEAST = 16 };

static const struct style text_style = {.role = ROLE_TEXT}, key_style = {.role = ROLE_KEY, .bold = true},
                          head_style = {.role = ROLE_TITLE, .bold = true};

static bool starts_group(size_t row)
{
    return row == 0 || strcmp(key_rows[row].group, key_rows[row - 1].group) != 0;
}

/* The sentence over as many lines as it needs in w columns, or one word where those would be too many. Draws it
 * from line y on when c is set. Returns the lines. */
static int draw_sentence(struct canvas *c, struct rect in, int x, int y, int w, const struct key_row *row)
{
    const char *text = w < SENTENCE_LEAST ? row->word : row->sentence;
    int lines = 0;
    do {
        char line[256];
        size_t n = w < SENTENCE_LEAST ? strlen(text) : table_line(text, w);
        str_format(line, sizeof line, "%.*s", (int)n, text);
        if (c)
            canvas_text(c, in, x, y + lines, text_style, line);
        text += n;
        text += strspn(text, " ");
        lines++;
    } while (*text);
    return lines;
}

/* Each group has a heading, and a blank line before it unless it is the first. Draws it when c is set, `top` lines
 * of it above the rectangle. Returns all lines. */
static int draw_lines(struct canvas *c, struct rect in, int top)
{
    int y = in.y - top, x = in.x + MARGIN;
    for (size_t i = 0; i < key_nrows; i++) {
        if (starts_group(i)) {
            y += i > 0;
            if (c)
                canvas_text(c, in, x, y, head_style, key_rows[i].group);
            y++;
        }
        if (c)
            canvas_text(c, in, x, y, key_style, key_rows[i].name);
        y += draw_sentence(c, in, x + NAME_W, y, in.w - MARGIN - NAME_W, &key_rows[i]);
    }
    return y + top - in.y;
}

static int count_lines(int w)
{
    return draw_lines(NULL, (struct rect){0, 0, w - 2, 0}, 0);
}

static struct rect frame_of(struct rect r)
{
    int w = r.w < WIDEST ? r.w : WIDEST, wish = count_lines(w) + 2, h = wish < r.h ? wish : r.h;
    return (struct rect){r.x + (r.w - w) / 2, r.y + (r.h - h) / 2, w, h};
}

int help_page_last_top(struct rect r)
{
    struct rect frame = frame_of(r);
    int over = count_lines(frame.w) - (frame.h > 2 ? frame.h - 2 : 0);
    return over > 0 ? over : 0;
}

void help_page_draw(struct canvas *c, struct rect r, int top)
{
    struct rect frame = frame_of(r);
    int last = help_page_last_top(r);
    bool scrolls = last > 0;
    struct label labels[] = {
        {SIDE_TOP_LEFT, "keys", head_style, -1},
        {SIDE_BOTTOM_LEFT, "any key closes", text_style, -1},
        {SIDE_BOTTOM_RIGHT, scrolls ? "↑↓ scroll" : "", text_style, -1},
        {0},
    };
    canvas_fill(c, frame, text_style, ' ');
    draw_lines(c, canvas_box(c, frame, labels), top < last ? top : last);
}
