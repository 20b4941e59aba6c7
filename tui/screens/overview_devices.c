/* overview_devices: the device table: who is busy, how fast, how long requests take.
 * Its order comes from overview_rows.c; totals are of leaves only and come with the frame. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/str.h"
#include "tui/screens/overview.h"
#include "tui/widgets/number.h"
#include "tui/widgets/sparkline.h"
#include "tui/widgets/table.h"

enum { SPARK_MOST = 60, WIDE_TABLE = 52, SPLIT_SPARK = 150, LONG_SPARK_TABLE = 100, LONG_SPARK = 24 };

static double both(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

static double value_iops(const struct frame_dev *d)
{
    return both(d->read_iops, d->write_iops);
}

static double value_bytes(const struct frame_dev *d)
{
    return both(d->read_bytes_per_s, d->write_bytes_per_s);
}

/* Of both directions, weighed by their requests. */
static double value_await(const struct frame_dev *d)
{
    if (isnan(d->read_await_ms) || isnan(d->write_await_ms))
        return both(d->read_await_ms, d->write_await_ms);
    double n = d->read_iops + d->write_iops;
    return n > 0 ? (d->read_await_ms * d->read_iops + d->write_await_ms * d->write_iops) / n : NAN;
}

static double value_request(const struct frame_dev *d)
{
    double n = value_iops(d);
    return n > 0 ? value_bytes(d) / n : NAN;
}

static const char *text_depth(char *dst, double v)
{
    return number_fixed(dst, v, 1);
}

static const char *text_whole(char *dst, double v)
{
    return number_fixed(dst, v, 0);
}

#define FIELD(f) offsetof(struct frame_dev, f)

/* One column: where its value comes from (a function or a field) and how it is written. */
static const struct column {
    struct table_column t;
    double (*value)(const struct frame_dev *d);
    size_t field;
    const char *(*text)(char *dst, double v);
} columns[] = {
    {{"NAME", 10, 16, 0, true}, NULL, 0, NULL},
    {{"MODEL", 20, 0, 20, true}, NULL, 0, NULL},
    {{"size", 6, 0, 19, false}, NULL, FIELD(size_bytes), number_bytes},
    {{"IOPS", 7, 0, 0, false}, value_iops, 0, number_count},
    {{"MB/s", 7, 0, 0, false}, value_bytes, 0, number_mb},
    {{"r/s", 6, 0, 1, false}, NULL, FIELD(read_iops), number_count},
    {{"w/s", 6, 0, 2, false}, NULL, FIELD(write_iops), number_count},
    {{"rMB/s", 6, 0, 3, false}, NULL, FIELD(read_bytes_per_s), number_mb},
    {{"wMB/s", 6, 0, 4, false}, NULL, FIELD(write_bytes_per_s), number_mb},
    {{"req size", 8, 0, 15, false}, value_request, 0, number_bytes},
    {{"await ms", 8, 0, 5, false}, value_await, 0, number_ms},
    {{"read ms", 7, 0, 13, false}, NULL, FIELD(read_await_ms), number_ms},
    {{"write ms", 8, 0, 14, false}, NULL, FIELD(write_await_ms), number_ms},
    {{"queue", 5, 0, 6, false}, NULL, FIELD(queue_depth), text_depth},
    {{"in flight", 9, 0, 16, false}, NULL, FIELD(inflight), text_whole},
    {{"busy", 4, 0, 8, false}, NULL, FIELD(busy_pct), number_pct},
    {{"°C", 3, 0, 9, false}, NULL, FIELD(temp_c), text_whole},
    {{"errors", 6, 0, 17, false}, NULL, FIELD(errors), text_whole},
    {{"read", 10, SPARK_MOST, 7, true}, NULL, 0, NULL},
    {{"write", 10, SPARK_MOST, 12, true}, NULL, 0, NULL},
};
enum {
    COL_NAME,
    COL_MODEL,
    COL_FIRST,
    COL_IOPS,
    COL_MBS,
    COL_READ_IOPS,
    COL_AWAIT = 10,
    COL_SPARK_READ = 18,
    COL_SPARK_WRITE,
    COLS
};
_Static_assert(sizeof columns / sizeof *columns == COLS, "columns and their numbers belong together");

/* A narrow table has sums where a wide one has a column for each direction. */
static bool left_out(size_t i, int w)
{
    if (w < WIDE_TABLE)
        return i > COL_MBS && strcmp(columns[i].t.head, "await ms") != 0;
    return i == COL_IOPS || i == COL_MBS || (i == COL_SPARK_WRITE && w < SPLIT_SPARK);
}

/* Names are whole where the numbers leave them room. */
static int name_width(int wish, int w)
{
    int most = w < WIDE_TABLE ? w - 25 : w < LONG_SPARK_TABLE ? 15 : 24, least = columns[COL_NAME].t.width;
    return wish < least ? least : wish > most ? (most > least ? most : least) : wish;
}

static void fit_columns(const struct overview *o, struct table *t, struct table_column *col, struct rect area)
{
    for (size_t i = 0; i < COLS; i++) {
        col[i] = columns[i].t;
        if (left_out(i, area.w))
            col[i].width = 0;
    }
    col[COL_NAME].width = name_width(o->wish_name, area.w);
    if (area.w >= LONG_SPARK_TABLE)
        col[COL_SPARK_READ].width = LONG_SPARK;
    if (area.w >= SPLIT_SPARK)
        col[COL_SPARK_WRITE].width = LONG_SPARK;
    table_fit(t, col, COLS, area);
}

static void draw_heads(struct canvas *c, const struct table *t, int y)
{
    const struct style st = {.role = ROLE_TITLE};
    table_heads(c, t, y, st);
    struct rect read = table_room(t, COL_SPARK_READ, y), write = table_room(t, COL_SPARK_WRITE, y);
    char head[40];
    snprintf(head, sizeof head, write.w ? "read %d s" : "last %d s", read.w);
    canvas_fill(c, read, st, ' ');
    table_text(c, read, st, head);
    snprintf(head, sizeof head, "write %d s", write.w);
    canvas_fill(c, write, st, ' ');
    if (write.w)
        table_text(c, write, st, head);
}

/* "├ " in front of a member or partition, indented by its depth. */
static void name_text(const struct overview *o, size_t row, bool last, char *dst, size_t n)
{
    int depth = o->flat ? 0 : o->row[row].depth;
    str_format(dst, n, "%*s%s%s", depth > 1 ? (depth - 1) * 2 : 0, "", depth ? last ? "└ " : "├ " : "",
               o->row[row].name);
}

static void draw_name(const struct overview *o, struct canvas *c, const struct table *t, int y, size_t row,
                      bool last)
{
    bool selected = overview_rows_selected(o) == (int)row;
    bool quiet = o->row[row].class != CLASS_BUSY || o->frame->devs[row].hidden;
    struct style st = {.role = selected ? ROLE_SELECTED : quiet ? ROLE_DIM : ROLE_TEXT, .bold = selected};
    struct rect r = table_room(t, COL_NAME, y);
    char name[96];
    name_text(o, row, last, name, sizeof name);
    if (selected)
        canvas_text(c, r, r.x, y, st, "▸");
    table_text(c, (struct rect){r.x + 1, y, r.w - 1, 1}, st, name);
}

enum spark { SPARK_BOTH, SPARK_READ, SPARK_WRITE };

static void spark_values(const struct overview *o, const struct overview_history *h, enum spark which, double *v,
                         size_t n)
{
    double w[SPARK_MOST];
    overview_history_seconds(o, which == SPARK_WRITE ? h->write : h->read, v, n);
    if (which != SPARK_BOTH)
        return;
    overview_history_seconds(o, h->write, w, n);
    for (size_t i = 0; i < n; i++)
        v[i] = both(v[i], w[i]);
}

/* What never did I/O has no history: it was idle since it was first seen. */
static void draw_idle(const struct overview *o, struct canvas *c, struct rect r, size_t row)
{
    double v[SPARK_MOST];
    uint64_t seen_s = (o->frame->mono_ns - o->row[row].seen_ns) / 1000000000u;
    size_t n = r.w < SPARK_MOST ? (size_t)r.w : SPARK_MOST;
    for (size_t i = 0; i < n; i++)
        v[i] = n - 1 - i < seen_s && isfinite(o->frame->devs[row].read_iops) ? 0 : NAN;
    sparkline_draw(c, r, ROLE_READ, v, n, 1);
}

static void draw_spark(const struct overview *o, struct canvas *c, struct rect r, size_t row, enum spark which)
{
    double v[SPARK_MOST];
    size_t n = r.w < SPARK_MOST ? (size_t)r.w : SPARK_MOST;
    if (r.w <= 0)
        return;
    if (o->row[row].history < 0) {
        draw_idle(o, c, r, row);
        return;
    }
    spark_values(o, &o->history[o->row[row].history], which, v, n);
    sparkline_draw(c, r, which == SPARK_WRITE ? ROLE_WRITE : ROLE_READ, v, n, 0);
}

static void draw_sparks(const struct overview *o, struct canvas *c, const struct table *t, int y, size_t row)
{
    struct rect read = table_room(t, COL_SPARK_READ, y), write = table_room(t, COL_SPARK_WRITE, y);
    draw_spark(o, c, read, row, write.w ? SPARK_READ : SPARK_BOTH);
    draw_spark(o, c, write, row, SPARK_WRITE);
}

/* A state in words instead of numbers that would all be unknown. */
static bool state_words(const struct overview *o, size_t row, char *dst, size_t n, struct style *st)
{
    const struct frame_dev *d = &o->frame->devs[row];
    char t[16];
    *st = (struct style){.role = ROLE_WARN};
    if (d->state == FRAME_DEV_GONE)
        return str_format(dst, n, "GONE %s", overview_time(t, o->row[row].gone_ns));
    if (d->stats == FRAME_NO && isnan(d->read_iops)) {
        st->role = ROLE_DIM;
        return str_copy(dst, n, "stats off");
    }
    return false;
}

static void draw_numbers(const struct frame_dev *d, struct canvas *c, const struct table *t, int y)
{
    char text[UNITS_TEXT];
    for (size_t i = COL_FIRST; i < COLS; i++) {
        if (!t->w[i] || !columns[i].text)
            continue;
        double v = columns[i].value ? columns[i].value(d) : *(const double *)((const char *)d + columns[i].field);
        struct style st = {.role = v > 0 ? ROLE_TEXT : ROLE_DIM};
        if (columns[i].field == FIELD(temp_c) && v > 0)
            st = (struct style){.role = ROLE_TEMP, .level = (int)fmin(fmax((v - 30) * 2, 0), 100)};
        table_cell(c, t, i, y, st, columns[i].text(text, v));
    }
    if (d->state == FRAME_DEV_STALLED) /* requests wait and none completes */
        table_cell(c, t, COL_AWAIT, y, (struct style){.role = ROLE_ERROR, .bold = true}, "STALLED");
}

/* Its model, or what a stacked device is known by: the name a volume was given, the file of a loop. */
static const char *what_it_is(const struct frame_dev *d)
{
    const char *const word[] = {d->model, d->label, d->backing_file};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (word[i] && word[i][0])
            return word[i];
    return "";
}

static void draw_row(const struct overview *o, struct canvas *c, const struct table *t, int y, size_t row,
                     bool last)
{
    const struct frame_dev *d = &o->frame->devs[row];
    char words[40];
    struct style st;
    draw_name(o, c, t, y, row, last);
    table_cell(c, t, COL_MODEL, y, (struct style){.role = ROLE_DIM}, what_it_is(d));
    if (state_words(o, row, words, sizeof words, &st))
        table_text(c, table_span(t, COL_FIRST, COL_SPARK_READ - 1, y), st, words);
    else
        draw_numbers(d, c, t, y);
    draw_sparks(o, c, t, y, row);
}

static bool last_of_its_parent(const struct overview *o, const uint16_t *row, size_t n, size_t i)
{
    for (size_t k = i + 1; k < n; k++)
        if (o->row[row[k]].parent == o->row[row[i]].parent)
            return false;
    return true;
}

static void draw_rows(const struct overview *o, struct canvas *c, struct rect in, const uint16_t *row, size_t n)
{
    struct table t;
    struct table_column col[COLS];
    fit_columns(o, &t, col, in);
    draw_heads(c, &t, in.y);
    for (size_t i = 0; i < n; i++)
        draw_row(o, c, &t, in.y + 1 + (int)i, row[i], last_of_its_parent(o, row, n, i));
    if (!o->frame)
        table_cell(c, &t, COL_NAME, in.y + 1, (struct style){.role = ROLE_DIM}, " " NUMBER_NONE);
}

/* "r 143.9k w 64.7k · 588.6 MB/s" of all leaves. */
static void totals_text(const struct overview *o, char *dst, size_t n)
{
    struct frame_totals t = FRAME_TOTALS_UNKNOWN;
    char r[UNITS_TEXT], w[UNITS_TEXT], mb[UNITS_TEXT];
    if (o->frame)
        t = o->frame->totals;
    str_format(dst, n, "all disks: r %s w %s /s · %s MB/s", number_count(r, t.read_iops),
               number_count(w, t.write_iops), number_mb(mb, both(t.read_bytes_per_s, t.write_bytes_per_s)));
}

/* Labels of the top border by importance; what does not fit leaves from the end. The clock stays at the right. */
static size_t title_labels(const struct overview *o, int w, struct label *label, char text[][64])
{
    struct overview_state s = overview_state(o, true);
    const char *host = o->frame && o->frame->nhosts ? o->frame->hosts[0].name : "";
    char clock[16];
    str_copy(text[0], 64, "benchtop");
    str_copy(text[1], 64, o->env.label && o->env.label[0] ? o->env.label : host);
    str_copy(text[2], 64, s.text);
    str_format(text[3], 64, "%g s", round((double)o->env.interval_ns / 1e7) / 100);
    str_copy(text[4], 64, overview_time(clock, o->frame ? o->frame->time_ns : 0));
    static const int leaves[] = {1, 3, 0, 4, 2};
    int used = 4 + 10 + 1;
    for (int i = 0; i < 5; i++)
        used += text[i][0] ? canvas_width(text[i]) + 3 : 0;
    for (int i = 0; i < 5 && used > w; i++) {
        used -= text[leaves[i]][0] ? canvas_width(text[leaves[i]]) + 3 : 0;
        text[leaves[i]][0] = '\0';
    }
    for (int i = 0; i < 5; i++)
        label[i] =
            (struct label){SIDE_TOP_RIGHT, text[i], {.role = i == 0 ? ROLE_TITLE : ROLE_TEXT, .bold = i == 0}, -1};
    label[2].style = s.style;
    return 5;
}

void overview_draw_devices(const struct overview *o, struct canvas *c, struct rect r)
{
    static const char *const sorts[SORTS] = {"MB/s", "IOPS", "await", "name"};
    const struct style dim = {.role = ROLE_DIM}, text = {.role = ROLE_TEXT};
    char title[5][64], tree[32], sort[32], word[32], more[32] = "", totals[96];
    struct label label[12] = {{SIDE_TOP_LEFT, "devices", {.role = ROLE_TITLE, .bold = true}, -1}};
    uint16_t row[OVERVIEW_ROWS];
    size_t n = 1 + title_labels(o, r.w, label + 1, title);
    size_t shown = o->frame && r.h > 3 ? overview_rows_visible(o, (size_t)r.h - 3, row) : 0;
    if (overview_rows_listed(o) > shown)
        str_format(more, sizeof more, "+%zu more", overview_rows_listed(o) - shown);
    totals_text(o, totals, sizeof totals);
    str_format(word, sizeof word, "sort: %s", sorts[o->sort]);
    overview_key(sort, sizeof sort, ACT_SORT, word);
    overview_key(tree, sizeof tree, ACT_TREE, o->flat ? "list" : "tree");
    label[n++] = (struct label){SIDE_BOTTOM_RIGHT, totals, text, -1};
    label[n++] = (struct label){SIDE_BOTTOM_LEFT, sort, dim, 0};
    label[n++] = (struct label){SIDE_BOTTOM_LEFT, tree, dim, 0};
    label[n++] = (struct label){SIDE_BOTTOM_LEFT, more, text, -1};
    draw_rows(o, c, canvas_box(c, r, label), row, shown);
}
