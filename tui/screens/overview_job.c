/* overview_job: what the load is, its knobs, how far it is and what went wrong.
 * Lines have ranks: a low box shows the most important ones, always in the same order. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/str.h"
#include "tui/layout.h"
#include "tui/screens/overview.h"
#include "tui/widgets/meter.h"
#include "tui/widgets/number.h"
#include "tui/widgets/table.h"

static const struct style text_style = {.role = ROLE_TEXT}, dim = {.role = ROLE_DIM};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void draw_what(const struct overview *o, struct canvas *c, struct rect row)
{
    const struct frame_load *l = overview_load(o);
    char mix[16] = "", line[256];
    if (!l) {
        table_text(c, row, dim, o->frame ? "no load" : NUMBER_NONE);
        return;
    }
    if (overview_does(l, FRAME_READ) && overview_does(l, FRAME_WRITE))
        str_format(mix, sizeof mix, " %u/%u", l->rwmixread, 100 - l->rwmixread);
    const char *name = row.w >= 50 ? l->filename : base_name(l->filename);
    str_format(line, sizeof line, "%s%s %s %s%s", l->rw, mix, name, l->ioengine, l->direct ? "" : " buffered");
    table_text(c, row, text_style, line);
}

static void draw_rates(const struct overview *o, struct canvas *c, struct rect row, enum frame_ddir d)
{
    static const char *const word[] = {"read", "write", "trim"};
    const struct frame_load *l = overview_load(o);
    char iops[UNITS_TEXT], mb[UNITS_TEXT], mean[UNITS_TEXT], line[128];
    if (!l || !overview_does(l, d))
        return;
    const struct frame_dir *dir = &l->dir[d];
    str_format(line, sizeof line, "%-5s %7s/s %7s MB/s  mean %s", word[d], number_count(iops, dir->iops),
               number_mb(mb, dir->bytes_per_s), number_ns(mean, dir->clat.mean, c->charset == CHARSET_ASCII));
    canvas_text(c, row, row.x, row.y, text_style, line);
}

static void draw_read(const struct overview *o, struct canvas *c, struct rect row)
{
    draw_rates(o, c, row, FRAME_READ);
}

static void draw_write(const struct overview *o, struct canvas *c, struct rect row)
{
    draw_rates(o, c, row, FRAME_WRITE);
}

static double total(const struct frame_load *l, bool bytes)
{
    double sum = 0;
    for (int d = 0; d < FRAME_DDIRS; d++)
        sum += (double)(bytes ? l->dir[d].total_bytes : l->dir[d].total_ios);
    return sum;
}

static void draw_totals(const struct overview *o, struct canvas *c, struct rect row)
{
    const struct frame_load *l = overview_load(o);
    char ios[UNITS_TEXT], bytes[UNITS_TEXT], flight[UNITS_TEXT], cpu[UNITS_TEXT], line[160];
    if (!l)
        return;
    str_format(line, sizeof line, "in flight %-4s  workers cpu %-5s all %s ios %sB", number_fixed(flight, l->inflight, 0),
               number_pct(cpu, l->cpu_pct), number_count(ios, total(l, false)), number_bytes(bytes, total(l, true)));
    canvas_text(c, row, row.x, row.y, text_style, line);
}

static void draw_knobs_1(const struct overview *o, struct canvas *c, struct rect row)
{
    row.h = 1;
    overview_knobs(o, c, row);
}

/* The lines below the first: the same flow, moved up by one and cut. */
static void draw_knobs_2(const struct overview *o, struct canvas *c, struct rect row)
{
    struct rect both = {row.x, row.y - 1, row.w, 2};
    overview_knobs(o, c, both);
}

static void draw_others(const struct overview *o, struct canvas *c, struct rect row)
{
    char line[64], iops[UNITS_TEXT];
    if (!o->frame || o->frame->nload < 2)
        return;
    double sum = overview_load_sum(o).iops;
    str_format(line, sizeof line, "+%zu jobs, together %s/s", o->frame->nload - 1, number_count(iops, sum));
    canvas_text(c, row, row.x, row.y, text_style, line);
}

/* The first error in words, and how many there were. */
static bool draw_error(const struct overview *o, struct canvas *c, struct rect row)
{
    const struct frame_load *l = overview_load(o);
    if (!l || (!l->errors && !l->error[0]))
        return false;
    char line[ERR_TEXT + 48];
    str_format(line, sizeof line, "%llu error%s: %s", (unsigned long long)l->errors, l->errors == 1 ? "" : "s",
               l->error[0] ? l->error : NUMBER_NONE);
    table_text(c, row, (struct style){.role = ROLE_ERROR}, l->errors ? line : l->error);
    return true;
}

static void draw_progress(const struct overview *o, struct canvas *c, struct rect row)
{
    const struct frame_load *l = overview_load(o);
    char pct[UNITS_TEXT];
    if (!l || draw_error(o, c, row))
        return;
    bool layout = l->state == LOAD_LAYOUT;
    double part = layout ? l->layout_pct : l->elapsed_s / l->runtime_s * 100;
    if (isnan(part)) {
        canvas_text(c, row, row.x, row.y, dim, isnan(l->runtime_s) ? "errors 0, until its data ends" : "errors 0");
        return;
    }
    struct rect bar = {row.x, row.y, row.w - (layout ? 12 : 15), 1};
    struct style st = {.role = layout ? ROLE_WARN : ROLE_GOOD};
    if (bar.w > 0)
        meter_progress(c, bar, st, part, 100);
    char line[48];
    str_format(line, sizeof line, layout ? "layout %s" : "%s errors 0", number_pct(pct, floor(part)));
    canvas_text_right(c, row, row.x + row.w, row.y, text_style, line);
}

/* In the order they are drawn; `from` = the least height (in lines) of a box that shows it. */
static const struct {
    int from;
    void (*draw)(const struct overview *o, struct canvas *c, struct rect row);
} lines[] = {{3, draw_what},  {1, draw_knobs_1}, {4, draw_knobs_2}, {6, draw_read},
             {6, draw_write}, {7, draw_totals},  {8, draw_others},  {2, draw_progress}};
enum { LINES = sizeof lines / sizeof *lines, KNOBS_2 = 2 };

static void draw_lines(const struct overview *o, struct canvas *c, struct rect in)
{
    bool one_line = overview_knobs(o, NULL, in) == 1;
    int h = in.h + one_line;
    for (int i = 0; i < LINES && in.h > 0; i++)
        if (h >= lines[i].from && !(i == KNOBS_2 && one_line))
            lines[i].draw(o, c, layout_cut_top(&in, 1));
}

/* What can be asked for now, with its key. */
static size_t control_labels(const struct overview *o, struct label *label, char text[2][24])
{
    static const struct {
        enum action a, b;
        const char *word_a, *word_b;
    } ask[] = {
        [LOAD_READY] = {ACT_START, ACT_NONE, "start", ""},     [LOAD_LAYOUT] = {ACT_STOP, ACT_NONE, "stop", ""},
        [LOAD_RAMP] = {ACT_STOP, ACT_PAUSE, "stop", "pause"},  [LOAD_RUNNING] = {ACT_STOP, ACT_PAUSE, "stop", "pause"},
        [LOAD_PAUSED] = {ACT_STOP, ACT_PAUSE, "stop", "go on"}, [LOAD_STALLED] = {ACT_STOP, ACT_PAUSE, "stop", "pause"},
        [LOAD_STOPPING] = {ACT_NONE, ACT_NONE, "", ""},        [LOAD_DONE] = {ACT_START, ACT_NONE, "start again", ""},
        [LOAD_FAILED] = {ACT_START, ACT_NONE, "start again", ""},
    };
    const struct frame_load *l = overview_load(o);
    size_t n = 0;
    if (!l)
        return 0;
    if (ask[l->state].a != ACT_NONE)
        label[n++] = (struct label){SIDE_BOTTOM_LEFT, overview_key(text[0], 24, ask[l->state].a, ask[l->state].word_a), dim, 0};
    if (ask[l->state].b != ACT_NONE)
        label[n++] = (struct label){SIDE_BOTTOM_LEFT, overview_key(text[1], 24, ask[l->state].b, ask[l->state].word_b), dim, 0};
    return n;
}

static void time_text(const struct frame_load *l, char *dst, size_t n)
{
    char a[UNITS_TEXT], b[UNITS_TEXT];
    str_copy(dst, n, "");
    if (!l)
        return;
    number_clock(a, l->elapsed_s);
    if (isnan(l->runtime_s))
        str_copy(dst, n, a);
    else
        str_format(dst, n, "%s/%s", a, number_clock(b, l->runtime_s));
}

void overview_draw_job(const struct overview *o, struct canvas *c, struct rect r)
{
    const struct frame_load *l = overview_load(o);
    char title[JOB_NAME + 32] = "job", time[64], control[2][24];
    struct overview_state s = overview_state(o, l && (l->state == LOAD_STALLED || l->state == LOAD_LAYOUT));
    struct label label[8];
    size_t n = 0;
    if (l && o->frame->nload > 1)
        str_format(title, sizeof title, "job %zu of %zu", o->job_at + 1, o->frame->nload);
    time_text(l, time, sizeof time);
    label[n++] = (struct label){SIDE_TOP_LEFT, title, {.role = ROLE_TITLE, .bold = true}, -1};
    label[n++] = (struct label){SIDE_TOP_RIGHT, s.text, s.style, -1};
    label[n++] = (struct label){SIDE_BOTTOM_RIGHT, time, text_style, -1};
    n += control_labels(o, label + n, control);
    label[n] = (struct label){.text = NULL};
    struct rect in = canvas_box(c, r, label);
    if (!layout_empty(in))
        draw_lines(o, c, in);
}
