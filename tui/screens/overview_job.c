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

/* "randrw 70/30", by the newest version of the job, which the frames may not have yet. */
static void pattern_text(const struct overview *o, const struct frame_load *l, char *dst, size_t n)
{
    const struct job_field *rw = job_field_find("rw");
    bool mixed = overview_does(l, FRAME_READ) && overview_does(l, FRAME_WRITE);
    unsigned reads = l->rwmixread;
    char word[32];
    str_copy(word, sizeof word, l->rw);
    if (o->have_job && rw) {
        job_get(&o->job, rw, word, sizeof word);
        mixed = job_reads(&o->job) && job_writes(&o->job);
        reads = o->job.rwmixread;
    }
    if (mixed)
        str_format(dst, n, "%s %u/%u", word, reads, 100 - reads);
    else
        str_copy(dst, n, word);
}

static void draw_what(const struct overview *o, struct canvas *c, struct rect row)
{
    const struct frame_load *l = overview_load(o);
    char pattern[48], line[256];
    if (!l) {
        table_text(c, row, dim, o->frame ? "no load" : NUMBER_NONE);
        return;
    }
    pattern_text(o, l, pattern, sizeof pattern);
    bool null = strcmp(l->ioengine, "null") == 0; /* has no file and no cache */
    bool many = o->frame->nload > 1;
    const char *file = null ? "" : row.w >= 50 ? l->filename : base_name(l->filename);
    str_format(line, sizeof line, "%s%s%s%s%s %s%s", many ? l->name : "", many ? ": " : "", pattern,
               file[0] ? " " : "", file, l->ioengine, l->direct || null ? "" : " buffered");
    table_text(c, row, text_style, line);
}

static void draw_rates(const struct overview *o, struct canvas *c, struct rect row, enum frame_ddir d)
{
    static const char *const word[] = {"read", "write", "trim"};
    const struct frame_load *l = overview_load(o);
    char iops[UNITS_TEXT], mb[UNITS_TEXT], mean[UNITS_TEXT], line[128];
    if (!l)
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

static void draw_trim(const struct overview *o, struct canvas *c, struct rect row)
{
    draw_rates(o, c, row, FRAME_TRIM);
}

static double total(const struct frame_load *l, bool bytes)
{
    double sum = 0;
    for (int d = 0; d < FRAME_DDIRS; d++)
        sum += (double)(bytes ? l->dir[d].total_bytes : l->dir[d].total_ios);
    return sum;
}

/* "34 %", or "34 % +33 %": the second is what the kernel's threads cost that work for it. */
static void cpu_text(const struct frame_load *l, char *dst, size_t n)
{
    char own[UNITS_TEXT], helpers[UNITS_TEXT];
    number_pct(own, l->cpu_pct);
    if (l->helpers_pct >= 0.5)
        str_format(dst, n, "%s +%s", own, number_pct(helpers, l->helpers_pct));
    else
        str_copy(dst, n, own);
}

static void draw_totals(const struct overview *o, struct canvas *c, struct rect row)
{
    const struct frame_load *l = overview_load(o);
    char ios[UNITS_TEXT], bytes[UNITS_TEXT], flight[UNITS_TEXT], cpu[2 * UNITS_TEXT], line[160];
    if (!l)
        return;
    cpu_text(l, cpu, sizeof cpu);
    str_format(line, sizeof line, "in flight %-4s cpu %-5s %s ios  %s", number_fixed(flight, l->inflight, 0),
               cpu, number_count(ios, total(l, false)),
               number_bytes(bytes, total(l, true)));
    table_text(c, row, text_style, line);
}

static void draw_others(const struct overview *o, struct canvas *c, struct rect row)
{
    char line[96], iops[UNITS_TEXT], mb[UNITS_TEXT];
    struct overview_sum sum = overview_load_sum(o);
    str_format(line, sizeof line, "%zu jobs %7s/s %7s MB/s", o->frame->nload, number_count(iops, sum.iops),
               number_mb(mb, sum.bytes_per_s));
    canvas_text(c, row, row.x, row.y, text_style, line);
}

/* "▸2 RUN       reader: randread 4k ×8  scratch" for every job, where there is room. */
static void draw_list(const struct overview *o, struct canvas *c, struct rect in)
{
    size_t n = o->frame && o->frame->nload > 1 ? o->frame->nload : 0;
    size_t first = o->job_at >= (size_t)in.h ? o->job_at - (size_t)in.h + 1 : 0;
    for (size_t i = first; i < n && in.h > 0; i++) {
        const struct frame_load *l = &o->frame->load[i];
        struct overview_state s = overview_load_state(l, true);
        struct rect row = layout_cut_top(&in, 1);
        char bs[UNITS_TEXT], line[128];
        units_exact_bytes(l->bs, bs);
        str_format(line, sizeof line, "%s: %s %s ×%u  %s", l->name, l->rw, bs, l->iodepth * l->numjobs,
                   base_name(l->filename));
        canvas_printf(c, row, row.x, row.y, i == o->job_at ? text_style : dim, "%s%zu", i == o->job_at ? "▸" : " ",
                      i + 1);
        canvas_text(c, row, row.x + 4, row.y, s.style, s.text);
        table_text(c, (struct rect){row.x + 18, row.y, row.w - 18, 1}, text_style, line);
    }
}

/* The first error in words, and how many there were. Returns the lines it takes, 0 without an error. */
static int draw_error(const struct overview *o, struct canvas *c, struct rect r)
{
    const struct frame_load *l = overview_load(o);
    if (!l || (!l->errors && !l->error[0]))
        return 0;
    char line[ERR_TEXT + 48];
    str_format(line, sizeof line, "%llu error%s: %s", (unsigned long long)l->errors, l->errors == 1 ? "" : "s",
               l->error[0] ? l->error : NUMBER_NONE);
    return table_wrap(c, r, (struct style){.role = ROLE_ERROR}, l->errors ? line : l->error);
}

static void draw_progress(const struct overview *o, struct canvas *c, struct rect row)
{
    const struct frame_load *l = overview_load(o);
    char pct[UNITS_TEXT];
    if (!l || draw_error(o, c, row) > 0)
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

static bool applies_always(const struct overview *o)
{
    return true;
}

static bool applies_read(const struct overview *o)
{
    const struct frame_load *l = overview_load(o);
    return !l || overview_does(l, FRAME_READ);
}

static bool applies_write(const struct overview *o)
{
    const struct frame_load *l = overview_load(o);
    return l && overview_does(l, FRAME_WRITE);
}

static bool applies_trim(const struct overview *o)
{
    const struct frame_load *l = overview_load(o);
    return l && overview_does(l, FRAME_TRIM);
}

static bool applies_others(const struct overview *o)
{
    return o->frame && o->frame->nload > 1;
}

/* In the order they are drawn; rank 0 is the last to go when the box is low. By the job, not by its numbers, so
 * that lines stay where they are. Rows without draw are lines of knobs. */
static const struct line {
    int rank;
    void (*draw)(const struct overview *o, struct canvas *c, struct rect row);
    bool (*applies)(const struct overview *o);
} lines[] = {
    {2, draw_what, applies_always},     {0, NULL, applies_always},        {3, NULL, applies_always},
    {3, NULL, applies_always},          {5, draw_read, applies_read},     {5, draw_write, applies_write},
    {5, draw_trim, applies_trim},       {6, draw_totals, applies_always}, {4, draw_others, applies_others},
    {1, draw_progress, applies_always},
};
enum { LINES = sizeof lines / sizeof *lines, RANKS = 7 };

/* The lines that fit, by rank; *ret_knobs of them are knobs. */
static void choose_lines(const struct overview *o, struct rect in, bool shown[LINES], int *ret_knobs)
{
    int n = 0, wanted = overview_knobs(o, NULL, in);
    *ret_knobs = 0;
    for (int rank = 0; rank < RANKS; rank++)
        for (int i = 0; i < LINES && n < in.h; i++) {
            if (lines[i].rank != rank || !lines[i].applies(o) || (!lines[i].draw && *ret_knobs == wanted))
                continue;
            *ret_knobs += !lines[i].draw;
            shown[i] = true;
            n++;
        }
}

/* Why a load failed matters more than its knobs: all of the sentence, beside two other lines. */
static int failure_lines(const struct overview *o, struct rect in)
{
    const struct frame_load *l = overview_load(o);
    int wants = l && l->state == LOAD_FAILED ? draw_error(o, NULL, in) : 0, most = in.h - 2;
    return wants < most ? wants : most;
}

static void draw_lines(const struct overview *o, struct canvas *c, struct rect in)
{
    bool shown[LINES] = {false};
    int knobs, error = failure_lines(o, in);
    choose_lines(o, (struct rect){in.x, in.y, in.w, in.h - (error > 1 ? error - 1 : 0)}, shown, &knobs);
    for (int i = 0; i < LINES; i++) {
        if (shown[i] && lines[i].draw == draw_progress && error > 1)
            draw_progress(o, c, layout_cut_top(&in, error));
        else if (shown[i] && lines[i].draw)
            lines[i].draw(o, c, layout_cut_top(&in, 1));
        else if (shown[i] && knobs > 0) {
            overview_knobs(o, c, layout_cut_top(&in, knobs));
            knobs = 0;
        }
    }
    if (!layout_empty(in))
        draw_list(o, c, in);
}

/* What can be asked for now, with its key. */
static size_t control_labels(const struct overview *o, struct label *label, char text[2][24])
{
    static const struct {
        enum action a, b;
        const char *word_a, *word_b;
    } ask[] = {
        [LOAD_READY] = {ACT_START, ACT_NONE, "start", ""},
        [LOAD_LAYOUT] = {ACT_STOP, ACT_NONE, "stop", ""},
        [LOAD_RAMP] = {ACT_STOP, ACT_PAUSE, "stop", "pause"},
        [LOAD_RUNNING] = {ACT_STOP, ACT_PAUSE, "stop", "pause"},
        [LOAD_PAUSED] = {ACT_STOP, ACT_PAUSE, "stop", "go on"},
        [LOAD_STALLED] = {ACT_STOP, ACT_PAUSE, "stop", "pause"},
        [LOAD_STOPPING] = {ACT_NONE, ACT_NONE, "", ""},
        [LOAD_DONE] = {ACT_START, ACT_NONE, "start again", ""},
        [LOAD_FAILED] = {ACT_START, ACT_NONE, "start again", ""},
    };
    const struct frame_load *l = overview_load(o);
    size_t n = 0;
    if (!l)
        return 0;
    if (ask[l->state].a != ACT_NONE)
        label[n++] = (struct label){SIDE_BOTTOM_LEFT,
                                    overview_key(text[0], 24, ask[l->state].a, ask[l->state].word_a), dim, 0};
    if (ask[l->state].b != ACT_NONE)
        label[n++] = (struct label){SIDE_BOTTOM_LEFT,
                                    overview_key(text[1], 24, ask[l->state].b, ask[l->state].word_b), dim, 0};
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
