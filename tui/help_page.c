/* help_page: the page of keys, made from the table of keys.
 * Handles no key and has no text of its own but the border's. */
#include "tui/help_page.h"

#include <stdbool.h>
#include <string.h>

#include "tui/keys.h"

enum { NAME_W = 6, MARGIN = 1, WIDEST = 78 };

static const struct style text_style = {.role = ROLE_TEXT}, key_style = {.role = ROLE_KEY, .bold = true},
                          head_style = {.role = ROLE_TITLE, .bold = true};

static bool starts_group(size_t row)
{
    return row == 0 || strcmp(key_rows[row].group, key_rows[row - 1].group) != 0;
}

/* Each group has a heading, and a blank line before it unless it is the first. */
static int count_lines(void)
{
    int n = 0;
    for (size_t i = 0; i < key_nrows; i++)
        n += 1 + (starts_group(i) ? 1 + (i > 0) : 0);
    return n;
}

static struct rect frame_of(struct rect r)
{
    int w = r.w < WIDEST ? r.w : WIDEST, h = count_lines() + 2 < r.h ? count_lines() + 2 : r.h;
    return (struct rect){r.x + (r.w - w) / 2, r.y + (r.h - h) / 2, w, h};
}

int help_page_last_top(struct rect r)
{
    int inside = frame_of(r).h - 2;
    int over = count_lines() - (inside > 0 ? inside : 0);
    return over > 0 ? over : 0;
}

static void draw_lines(struct canvas *c, struct rect in, int top)
{
    int y = in.y - top, x = in.x + MARGIN;
    for (size_t i = 0; i < key_nrows; i++, y++) {
        if (starts_group(i)) {
            y += i > 0;
            canvas_text(c, in, x, y++, head_style, key_rows[i].group);
        }
        canvas_text(c, in, x, y, key_style, key_rows[i].name);
        canvas_text(c, in, x + NAME_W, y, text_style, key_rows[i].sentence);
    }
}

void help_page_draw(struct canvas *c, struct rect r, int top)
{
    struct rect frame = frame_of(r);
    bool scrolls = help_page_last_top(r) > 0;
    struct label labels[] = {
        {SIDE_TOP_LEFT, "keys", head_style, -1},
        {SIDE_BOTTOM_LEFT, "any key closes", text_style, -1},
        {SIDE_BOTTOM_RIGHT, scrolls ? "↑↓ scroll" : "", text_style, -1},
        {0},
    };
    canvas_fill(c, frame, text_style, ' ');
    draw_lines(c, canvas_box(c, frame, labels), top);
}
