/* overview_latency: the histogram of the load itself and its percentiles, of the last interval and since the start.
 * Device latency is in the device table: that one knows no queue above the device. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/str.h"
#include "tui/layout.h"
#include "tui/screens/overview.h"
#include "tui/widgets/bars.h"
#include "tui/widgets/number.h"

/* Buckets 1, 2, 4 … 512 ns, 1, 2, 4 … µs and so on: powers of two with round names, ten a thousand. Bucket i holds
 * what is below bound i and not below bound i - 1; the last has no bound. */
enum { BUCKETS = 42, FIRST_COLOUR = 10, PANEL_W = 33, PANEL_H = 7, COLUMN_W = 7 };

static double bound_ns(int i)
{
    return ldexp(pow(1000, i / 10), i % 10);
}

static int bucket_of(double ns)
{
    int i = 0;
    while (i < BUCKETS - 1 && ns >= bound_ns(i))
        i++;
    return i;
}

static uint64_t fill(const struct hist_sparse *h, uint64_t count[BUCKETS])
{
    uint64_t sum = 0;
    memset(count, 0, BUCKETS * sizeof *count);
    for (size_t i = 0; i < h->n; i++) {
        count[bucket_of((double)hist_mid(h->bin[i].index))] += h->bin[i].count;
        sum += h->bin[i].count;
    }
    return sum;
}

/* The first bucket shown in `rows`: everything if it fits, else from the 5th percentile on; the first and the last
 * row then hold the rest. Taken from all since the start, so that rows do not move with every tick. */
static int first_bucket(const uint64_t count[BUCKETS], uint64_t sum, int rows)
{
    int low = -1, high = 0, fifth = -1;
    uint64_t seen = 0;
    for (int i = 0; i < BUCKETS; i++) {
        seen += count[i];
        if (count[i]) {
            low = low < 0 ? i : low;
            high = i;
        }
        if (fifth < 0 && sum && seen * 20 >= sum)
            fifth = i;
    }
    if (low < 0)
        return -1;
    if (high - low < rows) /* some air above, if there is */
        return low + rows > BUCKETS ? BUCKETS - rows : low;
    return fifth + rows > high + 1 ? high + 1 - rows : fifth;
}

static void bar_label(char *dst, size_t n, int bucket, bool last, bool ascii)
{
    static const char *const unit[2][5] = {{"ns", "µs", "ms", "s", "ks"}, {"ns", "us", "ms", "s", "ks"}};
    int b = last ? bucket - 1 : bucket;
    str_format(dst, n, "%s%.0f%s", last ? ascii ? ">" : "≥" : "<", ldexp(1, b % 10), unit[ascii][b / 10]);
}

/* Sums of the buckets that a row stands for: the first takes all below it, the last all above. */
static double row_share(const uint64_t count[BUCKETS], uint64_t sum, int bucket, bool first, bool last)
{
    uint64_t n = 0;
    for (int i = first ? 0 : bucket; i <= (last ? BUCKETS - 1 : bucket); i++)
        n += count[i];
    return sum ? (double)n / (double)sum : NAN;
}

static void draw_bars(struct canvas *c, struct rect r, const struct frame_dir *d, bool since)
{
    struct bar bar[BUCKETS];
    char label[BUCKETS][16];
    uint64_t count[BUCKETS], range[BUCKETS];
    int rows = r.h < BUCKETS ? r.h : BUCKETS, first;
    uint64_t sum = fill(since ? &d->clat_total_hist : &d->clat_hist, count), all = fill(&d->clat_total_hist, range);
    if (!all) { /* only an interval: a replay may have no more */
        memcpy(range, count, sizeof range);
        all = sum;
    }
    first = first_bucket(range, all, rows);
    if (first < 0 || rows <= 0)
        return;
    bool over = row_share(range, all, first + rows - 1, false, true) > row_share(range, all, first + rows - 1, false, false);
    for (int i = 0; i < rows; i++) {
        bool last = i == rows - 1 && over && i > 0;
        bar_label(label[i], sizeof label[i], first + i, last, c->charset == CHARSET_ASCII);
        int level = (first + i - FIRST_COLOUR) * 100 / 30;
        bar[i] = (struct bar){label[i], row_share(count, sum, first + i, i == 0, last), {.role = ROLE_LATENCY, .level = level}};
    }
    bars_draw(c, r, bar, (size_t)rows);
}

static void draw_values(struct canvas *c, struct rect row, const char *word, const struct frame_lat *l, bool shown)
{
    const double v[] = {l->p50, l->p99, l->p999, l->max};
    struct style st = {.role = shown ? ROLE_TEXT : ROLE_DIM};
    canvas_text(c, row, row.x, row.y, st, word);
    for (int i = 0; i < 4; i++) {
        char text[UNITS_TEXT];
        struct style value = {.role = isnan(v[i]) ? ROLE_DIM : ROLE_TEXT};
        canvas_text_right(c, row, row.x + row.w - (3 - i) * COLUMN_W, row.y, value,
                          number_ns(text, v[i], c->charset == CHARSET_ASCII));
    }
}

/* The headings of both summary lines stand in the border above them. */
static void draw_heads(struct canvas *c, struct rect r, int inside_w)
{
    static const char *const head[] = {" p50 ", " p99 ", " p99.9 ", " max "};
    for (int i = 0; i < 4; i++)
        canvas_text_right(c, r, r.x + 2 + inside_w - (3 - i) * COLUMN_W, r.y, (struct style){.role = ROLE_DIM}, head[i]);
}

static const struct frame_lat unknown = {.p50 = NAN, .p90 = NAN, .p99 = NAN, .p999 = NAN, .max = NAN, .mean = NAN, .min = NAN};

static void draw_panel(const struct overview *o, struct canvas *c, struct rect r, enum frame_ddir d)
{
    static const char *const title[FRAME_DDIRS] = {"read", "write", "trim"};
    const struct frame_load *l = overview_load(o);
    char shows[48], many[32] = "", key[64];
    str_format(key, sizeof key, "%s", o->since ? "bars since start" : "bars of last interval");
    overview_key(shows, sizeof shows, ACT_SINCE, key);
    if (l && o->frame->nload > 1)
        str_format(many, sizeof many, "job %zu", o->job_at + 1);
    const struct label label[] = {{SIDE_TOP_LEFT, title[d], {.role = ROLE_TITLE, .bold = true}, -1},
                                  {SIDE_BOTTOM_LEFT, shows, {.role = ROLE_DIM}, 0},
                                  {SIDE_BOTTOM_RIGHT, many, {.role = ROLE_DIM}, -1},
                                  {.text = NULL}};
    struct rect in = canvas_box(c, r, label);
    draw_heads(c, r, in.w);
    const struct frame_dir *dir = l ? &l->dir[d] : NULL;
    struct rect now = layout_cut_top(&in, 1), start = layout_cut_top(&in, 1);
    if (!layout_empty(now))
        draw_values(c, now, "now", dir ? &dir->clat : &unknown, !o->since);
    if (!layout_empty(start))
        draw_values(c, start, "all", dir ? &dir->clat_total : &unknown, o->since);
    if (dir && !layout_empty(in))
        draw_bars(c, in, dir, o->since);
}

/* Both directions of a mixed job where there is room, side by side or one above the other; else one of them. */
void overview_draw_latency(const struct overview *o, struct canvas *c, struct rect r)
{
    enum frame_ddir does[FRAME_DDIRS];
    int n = 0;
    const struct frame_load *l = overview_load(o);
    for (int d = 0; d < FRAME_DDIRS && l; d++)
        if (overview_does(l, (enum frame_ddir)d))
            does[n++] = (enum frame_ddir)d;
    if (n == 0)
        does[n++] = FRAME_READ;
    struct rect second = {0};
    if (n > 1 && r.w >= 2 * PANEL_W)
        second = layout_cut_right(&r, r.w / 2);
    else if (n > 1 && r.h >= 2 * PANEL_H)
        second = layout_cut_bottom(&r, r.h / 2);
    if (!layout_empty(second)) {
        draw_panel(o, c, r, does[0]);
        draw_panel(o, c, second, does[1]);
    } else {
        draw_panel(o, c, r, does[n > 1 && o->other_direction]);
    }
}
