/* overview_small: the load in one line, and the lowest step of the ladder: three numbers.
 * Everything has its place, so that numbers do not walk. */
#include <math.h>

#include "core/str.h"
#include "tui/screens/overview.h"
#include "tui/widgets/number.h"

enum { ITEMS = 5, ITEM_TEXT = 48 };

static double either(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* Of the load; without one, of the disks. */
static struct overview_sum sum_of(const struct overview *o)
{
    struct overview_sum s = overview_load_sum(o);
    if (o->frame && o->frame->nload == 0) {
        const struct frame_totals *t = &o->frame->totals;
        s.iops = either(t->read_iops, t->write_iops);
        s.bytes_per_s = either(t->read_bytes_per_s, t->write_bytes_per_s);
    }
    return s;
}

struct item {
    char text[ITEM_TEXT];
    struct style style;
    int width; /* its place */
};

/* In a place of its own; where that is too narrow without the blanks, then without the unit. What does not fit
 * even so is left out: half a number is a wrong one. */
static void value_text(char *dst, int w, const char *value, const char *unit)
{
    str_format(dst, ITEM_TEXT, "%*s%s %s", 7 - canvas_width(value), "", value, unit);
    if (canvas_width(dst) > w)
        str_format(dst, ITEM_TEXT, "%s %s", value, unit);
    if (canvas_width(dst) > w)
        str_copy(dst, ITEM_TEXT, canvas_width(value) <= w ? value : "");
}

static void make_items(const struct overview *o, const struct canvas *c, int w, struct item item[ITEMS])
{
    struct overview_sum s = sum_of(o);
    struct overview_state state = overview_state(o, true);
    if (canvas_width(state.text) > w)
        state = overview_state(o, false);
    char mb[UNITS_TEXT], iops[UNITS_TEXT], p99[UNITS_TEXT], t[16];
    for (int i = 0; i < ITEMS; i++)
        item[i] = (struct item){.style = {.role = ROLE_TEXT, .bold = i < 3}};
    value_text(item[0].text, w, number_mb(mb, s.bytes_per_s), "MB/s");
    value_text(item[1].text, w, number_fixed(iops, s.iops / 1000, 1), "kIOPS");
    value_text(item[2].text, w, number_ns(p99, s.p99_ns, c->charset == CHARSET_ASCII), "p99");
    str_format(item[3].text, ITEM_TEXT, "%s", state.text);
    item[3].style = state.style;
    str_format(item[4].text, ITEM_TEXT, "%s", w < 8 ? "" : overview_time(t, o->frame ? o->frame->time_ns : 0));
    item[4].style = (struct style){.role = ROLE_DIM};
    static const int width[ITEMS] = {12, 13, 11, 13, 8};
    for (int i = 0; i < ITEMS; i++)
        item[i].width = width[i];
}

/* Side by side while they fit, then in the next line. */
void overview_draw_tiny(const struct overview *o, struct canvas *c, struct rect r)
{
    struct item item[ITEMS];
    make_items(o, c, r.w, item);
    canvas_fill(c, r, (struct style){.role = ROLE_TEXT}, ' ');
    int x = r.x, y = r.y;
    for (int i = 0; i < ITEMS; i++) {
        if (x > r.x && x + item[i].width > r.x + r.w) {
            x = r.x;
            y++;
        }
        canvas_text(c, r, x, y, item[i].style, item[i].text);
        x += item[i].width + 2;
    }
}

/* "RUN 00:42   randrw 4k ×32   588.6 MB/s  143.9 kIOPS  310µs p99" */
void overview_draw_brief(const struct overview *o, struct canvas *c, struct rect r)
{
    struct item item[ITEMS];
    const struct frame_load *l = overview_load(o);
    make_items(o, c, r.w, item);
    int x = r.x + r.w - 1;
    for (int i = 2; i >= 0; i--) {
        if (x - item[i].width < r.x)
            continue;
        canvas_text_right(c, r, x, r.y, item[i].style, item[i].text);
        x -= item[i].width + 1;
    }
    struct rect left = {r.x + 1, r.y, x - r.x - 1, 1};
    if (left.w >= canvas_width(item[3].text)) {
        canvas_text(c, left, left.x, r.y, item[3].style, item[3].text);
        left.x += 15;
        left.w -= 15;
    }
    char what[96], bs[UNITS_TEXT];
    if (!l)
        return;
    units_exact_bytes(l->bs, bs);
    str_format(what, sizeof what, "%s %s ×%u", l->rw, bs, l->iodepth * l->numjobs);
    if (left.w >= canvas_width(what))
        canvas_text(c, left, left.x, r.y, (struct style){.role = ROLE_TEXT}, what);
}
