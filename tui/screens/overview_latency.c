/* overview_latency: the latency of the load itself: percentiles of the last interval and since the start, and
 * bars. Device latency is in the device table: that one knows no queue above the device. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/str.h"
#include "tui/layout.h"
#include "tui/screens/overview.h"
#include "tui/widgets/number.h"

/* A value has 7 columns. Two panels stand above each other from STACK_H on, side by side from BESIDE_W on; a panel
 * of SPLIT_W has the bars of the interval beside those since the start. */
enum { COLUMN_W = 7, STACK_H = 24, BESIDE_W = 72, SPLIT_W = 64, LONG_WORDS_W = 49, BOTH_H = 9 };

static const char *const direction[FRAME_DDIRS] = {"read", "write", "trim"};

struct panel {
    const struct overview *o;
    struct rect in;
    enum frame_ddir shown[2]; /* their summaries; the bars are of the first */
    int nshown, ncolumns;
    bool split;
};

/* The bars of a load that ended or rests are of all of it: its last interval is empty. */
static bool bars_since(const struct overview *o)
{
    const struct frame_load *l = overview_load(o);
    return o->since || (l && (l->state == LOAD_DONE || l->state == LOAD_FAILED || l->state == LOAD_PAUSED));
}

static int value_end(const struct panel *p, int i)
{
    return p->in.x + p->in.w - 1 - (p->ncolumns - 1 - i) * COLUMN_W;
}

/* p50, p99, p99.9 and max; a narrow panel has no p99.9. */
static double value_of(const struct panel *p, const struct frame_lat *l, int i)
{
    const double four[] = {l->p50, l->p99, l->p999, l->max}, three[] = {l->p50, l->p99, l->max};
    return p->ncolumns == 4 ? four[i] : three[i];
}

/* The headings of the summary lines stand in the border above them. */
static void draw_heads(const struct panel *p, struct canvas *c, struct rect r)
{
    static const char *const four[] = {" p50 ", " p99 ", " p99.9 ", " max "}, *const three[] = {" p50 ", " p99 ",
                                                                                                " max "};
    for (int i = 0; i < p->ncolumns; i++)
        canvas_text_right(c, r, value_end(p, i) + 1, r.y, (struct style){.role = ROLE_DIM},
                          p->ncolumns == 4 ? four[i] : three[i]);
}

static void draw_values(const struct panel *p, struct canvas *c, int y, const char *word,
                        const struct frame_lat *l)
{
    struct rect row = {p->in.x, y, p->in.w, 1};
    canvas_text(c, row, row.x, y, (struct style){.role = ROLE_DIM}, word);
    for (int i = 0; i < p->ncolumns; i++) {
        char text[UNITS_TEXT];
        double v = l ? value_of(p, l, i) : NAN;
        canvas_text_right(c, row, value_end(p, i), y, (struct style){.role = isnan(v) ? ROLE_DIM : ROLE_TEXT},
                          number_ns(text, v, c->charset == CHARSET_ASCII));
    }
}

static void summary_word(const struct panel *p, enum frame_ddir d, bool since, char *dst, size_t n)
{
    bool lengthy = p->in.w >= LONG_WORDS_W;
    const char *span = lengthy ? since ? "since start" : "last interval" : since ? "all" : "now";
    if (p->nshown == 1)
        str_copy(dst, n, span);
    else if (lengthy)
        str_format(dst, n, "%-5s %s", direction[d], span);
    else
        str_format(dst, n, "%c %s", direction[d][0], span);
}

/* Two lines a direction; returns the rows taken. */
static int draw_summary(const struct panel *p, struct canvas *c)
{
    const struct frame_load *l = overview_load(p->o);
    int y = p->in.y, end = p->in.y + p->in.h;
    for (int i = 0; i < p->nshown; i++) {
        const struct frame_dir *d = l ? &l->dir[p->shown[i]] : NULL;
        for (int since = 0; since < 2 && y < end; since++, y++) {
            char word[32];
            summary_word(p, p->shown[i], since, word, sizeof word);
            draw_values(p, c, y, word, !d ? NULL : since ? &d->clat_total : &d->clat);
        }
    }
    return y - p->in.y;
}

static void draw_split(const struct panel *p, struct canvas *c, struct rect in, const struct frame_dir *d)
{
    struct rect head = layout_cut_top(&in, 1), left = layout_cut_left(&in, in.w / 2 - 1);
    layout_cut_left(&in, 2);
    canvas_text(c, head, left.x + 7, head.y, (struct style){.role = ROLE_DIM}, "last interval");
    canvas_text(c, head, in.x + 7, head.y, (struct style){.role = ROLE_DIM}, "since start");
    overview_draw_buckets(c, left, d, false);
    overview_draw_buckets(c, in, d, true);
}

static void draw_inside(struct panel *p, struct canvas *c)
{
    const struct frame_load *l = overview_load(p->o);
    struct rect in = p->in;
    layout_cut_top(&in, draw_summary(p, c));
    layout_cut_right(&in, 1);
    if (!l || layout_empty(in))
        return;
    if (p->split)
        draw_split(p, c, in, &l->dir[p->shown[0]]);
    else
        overview_draw_buckets(c, in, &l->dir[p->shown[0]], bars_since(p->o));
}

/* The title names the direction; a narrow box has no room for more beside the headings. */
static void panel_titles(const struct overview *o, enum frame_ddir d, bool roomy, char *title, char *below,
                         size_t n)
{
    char job[24] = "";
    if (o->frame && o->frame->nload > 1)
        str_format(job, sizeof job, " of job %zu", o->job_at + 1);
    str_format(title, n, "%s%s%s", roomy ? "latency, " : "", direction[d], roomy ? job : "");
    str_format(below, n, "%s%s", roomy ? "" : "latency", roomy ? "" : job);
}

static void draw_panel(const struct overview *o, struct canvas *c, struct rect r, const enum frame_ddir *d, int nd)
{
    char title[48], below[48], shows[48] = "";
    struct panel p = {.o = o, .shown = {d[0], d[nd - 1]}, .nshown = nd, .ncolumns = r.w >= 36 ? 4 : 3};
    p.split = r.w - 2 >= SPLIT_W && r.h >= 9;
    panel_titles(o, d[0], r.w >= 48, title, below, sizeof title);
    bool since = bars_since(o);
    const char *bars = since ? "bars: since start" : "bars: last interval";
    if (!p.split)
        overview_key(shows, sizeof shows, ACT_SINCE, r.w >= 40 ? bars : since ? "bars: all" : "bars: now");
    const struct label label[] = {{SIDE_TOP_LEFT, title, {.role = ROLE_TITLE, .bold = true}, -1},
                                  {SIDE_BOTTOM_RIGHT, below, {.role = ROLE_TEXT}, -1},
                                  {SIDE_BOTTOM_LEFT, shows, {.role = ROLE_DIM}, 0},
                                  {.text = NULL}};
    p.in = canvas_box(c, r, label);
    draw_heads(&p, c, r);
    draw_inside(&p, c);
}

/* What the job does; reads when nothing is known. */
static int directions(const struct overview *o, enum frame_ddir does[FRAME_DDIRS])
{
    const struct frame_load *l = overview_load(o);
    int n = 0;
    for (int d = 0; d < FRAME_DDIRS && l; d++)
        if (overview_does(l, (enum frame_ddir)d))
            does[n++] = (enum frame_ddir)d;
    if (n == 0)
        does[n++] = FRAME_READ;
    return n;
}

/* A mixed job has a panel for each direction where there is room, else the bars of one and the sums of both, or of
 * one alone. */
void overview_draw_latency(const struct overview *o, struct canvas *c, struct rect r)
{
    enum frame_ddir does[FRAME_DDIRS];
    int n = directions(o, does);
    struct rect second = {0};
    if (n > 1 && r.h >= STACK_H)
        second = layout_cut_bottom(&r, r.h / 2);
    else if (n > 1 && r.w >= BESIDE_W)
        second = layout_cut_right(&r, r.w / 2);
    if (!layout_empty(second)) {
        draw_panel(o, c, r, &does[0], 1);
        draw_panel(o, c, second, &does[1], 1);
        return;
    }
    if (n > 1 && o->other_direction) {
        enum frame_ddir first = does[0];
        does[0] = does[1];
        does[1] = first;
    }
    draw_panel(o, c, r, does, n > 1 && r.h - 2 >= BOTH_H && r.w >= 40 ? 2 : 1);
}
