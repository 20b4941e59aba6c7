/* overview_graph: throughput of the selected device over time, reads above the axis, writes below, in one scale.
 * Without a selection: the job's device, the load itself, or all disks. */
#include <math.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/str.h"
#include "tui/screens/overview.h"
#include "tui/widgets/graph.h"
#include "tui/widgets/number.h"

#define SLOTS 1024
#define LEAST_UNIT 1e6 /* bytes/s a row: below 1 MB/s an idle disk's noise would look like a load */

struct subject { /* what is drawn */
    const char *name;
    const struct overview_history *history; /* NULL = none yet */
    double read, write;                     /* now */
};

static struct subject load_subject(const struct overview *o)
{
    struct subject s = {"load", &o->load, 0, 0};
    for (size_t i = 0; i < o->frame->nload; i++) {
        s.read += o->frame->load[i].dir[FRAME_READ].bytes_per_s;
        s.write += o->frame->load[i].dir[FRAME_WRITE].bytes_per_s;
    }
    return s;
}

static struct subject subject_of(const struct overview *o)
{
    if (!o->frame)
        return (struct subject){"throughput", NULL, NAN, NAN};
    int row = overview_rows_selected(o);
    if (row >= 0) {
        const struct frame_dev *d = &o->frame->devs[row];
        int h = o->row[row].history;
        return (struct subject){d->name, h >= 0 ? &o->history[h] : NULL, d->read_bytes_per_s,
                                d->write_bytes_per_s};
    }
    if (o->frame->nload)
        return load_subject(o);
    const struct frame_totals *t = &o->frame->totals;
    return (struct subject){"all disks", &o->total, t->read_bytes_per_s, t->write_bytes_per_s};
}

static double largest(const double *v, size_t n)
{
    double max = NAN;
    for (size_t i = 0; i < n; i++)
        max = fmax(max, v[i]);
    return max;
}

/* Most rows go to the direction the job works in; both keep the same scale. By the job and not by the data, so
 * that the axis stays where it is. */
static int rows_above(const struct overview *o, int rows)
{
    const struct frame_load *l = overview_load(o);
    bool reads = l && overview_does(l, FRAME_READ), writes = l && overview_does(l, FRAME_WRITE);
    if (reads == writes)
        return (rows + 1) / 2;
    int less = rows / 4 > 0 ? rows / 4 : 1;
    return reads ? rows - less : less;
}

static void draw_scale(struct canvas *c, struct rect r, const struct graph *g)
{
    const struct style dim = {.role = ROLE_DIM};
    char text[UNITS_TEXT];
    int down_rows = r.h - g->up_rows - 1;
    snprintf(text, sizeof text, "%g ", g->unit * g->up_rows / 1e6);
    if (g->up_rows > 0)
        canvas_text(c, r, r.x, r.y, dim, text);
    snprintf(text, sizeof text, "%g ", g->unit * down_rows / 1e6);
    if (down_rows > 0)
        canvas_text(c, r, r.x, r.y + r.h - 1, dim, text);
}

static void age_text(char *dst, size_t n, unsigned s)
{
    if (s >= 3600)
        str_format(dst, n, "-%u:%02u h", s / 3600, s / 60 % 60);
    else if (s >= 60 && s % 60 == 0)
        str_format(dst, n, "-%u min", s / 60);
    else
        str_format(dst, n, "-%u s", s);
}

/* Ages along the axis, at round times that are at least ten columns apart. */
static void draw_times(const struct overview *o, struct canvas *c, struct rect r, int axis_y)
{
    static const unsigned round_s[] = {10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200};
    const struct style dim = {.role = ROLE_DIM};
    unsigned cell_s = (unsigned)(overview_zoom_ns(o) / NSEC_PER_SEC * graph_slots(c, 1)), step = cell_s * 10;
    for (size_t i = sizeof round_s / sizeof *round_s; i-- > 0;)
        step = round_s[i] >= cell_s * 10 ? round_s[i] : step;
    for (unsigned age = step;; age += step) {
        char text[24];
        int x = r.x + r.w - 1 - (int)(age / cell_s);
        age_text(text, sizeof text, age);
        if (x - canvas_width(text) / 2 < r.x + 3)
            break;
        canvas_text(c, r, x - canvas_width(text) / 2, axis_y, dim, text);
    }
    canvas_text(c, r, r.x, axis_y, dim, "0 ");
}

static void draw_graph(const struct overview *o, struct canvas *c, struct rect in, const double *up,
                       const double *down, size_t n)
{
    struct graph g = {.up = up, .down = down, .n = n, .up_role = ROLE_READ, .down_role = ROLE_WRITE};
    g.up_rows = rows_above(o, in.h - 1);
    g.unit = graph_unit(largest(up, n), g.up_rows, largest(down, n), in.h - 1 - g.up_rows, LEAST_UNIT);
    graph_draw(c, in, &g);
    draw_times(o, c, in, in.y + g.up_rows);
    draw_scale(c, in, &g);
}

static size_t read_slots(const struct overview *o, const struct canvas *c, int w, const struct subject *s,
                         double *up, double *down)
{
    size_t n = graph_slots(c, w);
    n = n > SLOTS ? SLOTS : n;
    for (size_t i = 0; i < n; i++)
        up[i] = down[i] = NAN;
    if (s->history) {
        overview_history_slots(o, s->history->read, c->charset == CHARSET_BRAILLE, up, n);
        overview_history_slots(o, s->history->write, c->charset == CHARSET_BRAILLE, down, n);
    }
    return n;
}

void overview_draw_graph(const struct overview *o, struct canvas *c, struct rect r)
{
    double up[SLOTS], down[SLOTS];
    char now[64], peak[64], zoom[16], a[UNITS_TEXT], b[UNITS_TEXT];
    struct subject s = subject_of(o);
    size_t n = read_slots(o, c, r.w - 2, &s, up, down);
    const struct key_row *in_key = key_for(ACT_ZOOM_IN), *out_key = key_for(ACT_ZOOM_OUT);
    str_format(now, sizeof now, "r %6s  w %6s MB/s", number_mb(a, s.read), number_mb(b, s.write));
    str_format(peak, sizeof peak, "peak r %s w %s", number_mb(a, fmax(s.read, largest(up, n))),
               number_mb(b, fmax(s.write, largest(down, n))));
    str_format(zoom, sizeof zoom, "%s %s zoom", out_key ? out_key->name : "", in_key ? in_key->name : "");
    const struct style text = {.role = ROLE_TEXT}, dim = {.role = ROLE_DIM};
    const struct label label[] = {{SIDE_TOP_LEFT, s.name, {.role = ROLE_TITLE, .bold = true}, -1},
                                  {SIDE_TOP_RIGHT, now, text, -1},
                                  {SIDE_BOTTOM_LEFT, zoom, dim, 0},
                                  {SIDE_BOTTOM_RIGHT, peak, dim, -1},
                                  {.text = NULL}};
    struct rect in = canvas_box(c, r, label);
    if (in.h > 0)
        draw_graph(o, c, in, up, down, n);
}
