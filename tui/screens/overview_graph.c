/* overview_graph: throughput of the selected device over time, reads above the axis, writes below.
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
    const struct overview_history *history; /* NULL = it never did I/O */
    double read, write;                     /* now */
    uint64_t idle_ns;                       /* without history: for how long that is known */
};

static struct subject device_subject(const struct overview *o, int row)
{
    const struct frame_dev *d = &o->frame->devs[row];
    int h = o->row[row].history;
    uint64_t seen_ns = isnan(d->read_iops) ? 0 : o->frame->mono_ns - o->row[row].seen_ns;
    return (struct subject){d->name, h >= 0 ? &o->history[h] : NULL, d->read_bytes_per_s, d->write_bytes_per_s,
                            seen_ns};
}

static struct subject subject_of(const struct overview *o)
{
    const struct frame *f = o->frame;
    if (!f)
        return (struct subject){"throughput", NULL, NAN, NAN, 0};
    int row = overview_rows_selected(o);
    if (row >= 0)
        return device_subject(o, row);
    if (f->nload)
        return (struct subject){"load", &o->load, overview_load_bytes(f, FRAME_READ),
                                overview_load_bytes(f, FRAME_WRITE), 0};
    return (struct subject){"all disks", &o->total, f->totals.read_bytes_per_s, f->totals.write_bytes_per_s, 0};
}

static double largest(const double *v, size_t n)
{
    double max = NAN;
    for (size_t i = 0; i < n; i++)
        max = fmax(max, v[i]);
    return max;
}

/* Do all jobs work in one direction? 1 = reads, -1 = writes, 0 = both or no job. By the jobs and not by the data,
 * so that the axis stays where it is. */
static int one_way(const struct overview *o)
{
    bool reads = false, writes = false;
    for (size_t i = 0; o->frame && i < o->frame->nload; i++) {
        reads |= overview_does(&o->frame->load[i], FRAME_READ);
        writes |= overview_does(&o->frame->load[i], FRAME_WRITE);
    }
    return (int)reads - (int)writes;
}

static int rows_above(int way, int rows)
{
    int less = rows / 4 > 0 ? rows / 4 : 1;
    return way == 0 ? (rows + 1) / 2 : way > 0 ? rows - less : less;
}

/* Both directions of a mixed load in one scale. What else is written beside a load of reads has its own, or it
 * would press that load flat. */
static void set_scale(struct graph *g, int way, int down_rows)
{
    double up = largest(g->up, g->n), down = largest(g->down, g->n);
    g->unit = graph_unit(up, g->up_rows, way ? NAN : down, down_rows, LEAST_UNIT);
    g->down_unit = way ? graph_unit(NAN, 0, down, down_rows, LEAST_UNIT) : g->unit;
}

static void draw_scale(struct canvas *c, struct rect r, const struct graph *g)
{
    const struct style dim = {.role = ROLE_DIM};
    char text[UNITS_TEXT];
    int down_rows = r.h - g->up_rows - 1;
    snprintf(text, sizeof text, "%g ", g->unit * g->up_rows / 1e6);
    if (g->up_rows > 0)
        canvas_text(c, r, r.x, r.y, dim, text);
    snprintf(text, sizeof text, "%g ", g->down_unit * down_rows / 1e6);
    if (down_rows > 0)
        canvas_text(c, r, r.x, r.y + r.h - 1, dim, text);
}

/* One axis, one unit: that of its step. */
static void age_text(char *dst, size_t n, unsigned s, unsigned step)
{
    if (step >= 3600)
        str_format(dst, n, "-%u h", s / 3600);
    else if (step >= 60)
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
        age_text(text, sizeof text, age, step);
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
    int way = one_way(o);
    g.up_rows = rows_above(way, in.h - 1);
    set_scale(&g, way, in.h - 1 - g.up_rows);
    graph_draw(c, in, &g);
    draw_times(o, c, in, in.y + g.up_rows);
    draw_scale(c, in, &g);
}

static size_t read_slots(const struct overview *o, const struct canvas *c, int w, const struct subject *s,
                         double *up, double *down)
{
    size_t n = graph_slots(c, w);
    n = n > SLOTS ? SLOTS : n;
    uint64_t idle = s->idle_ns / overview_zoom_ns(o);
    for (size_t i = 0; i < n; i++)
        up[i] = down[i] = n - 1 - i < idle ? 0 : NAN;
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
    if (r.w < canvas_width(s.name) + canvas_width(now) + 10) /* the unit of the scale at least */
        str_copy(now, sizeof now, "MB/s");
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
