/* cores: three ways to draw the load of all threads, siblings always adjacent.
 * Which threads are siblings is the caller's knowledge. */
#include "tui/widgets/cores.h"

#include <math.h>
#include <stdio.h>

#include "tui/widgets/fill.h"
#include "tui/widgets/meter.h"

enum { PACKAGE_W = 3, ID_W = 4, PCT_W = 5, METER_LEAST = 3, METER_MOST = 8 };

static size_t most_threads(const struct cores *k)
{
    size_t most = 1;
    for (size_t i = 0; i < k->ncores; i++)
        most = k->core[i].n > most ? k->core[i].n : most;
    return most;
}

static bool new_package(const struct cores *k, size_t i)
{
    return i == 0 || k->core[i].package != k->core[i - 1].package;
}

/* Rows that all cores take with `per_row` of them in one; every package begins a row. */
static int rows_of(const struct cores *k, int per_row)
{
    int rows = 0, in_row = 0;
    for (size_t i = 0; i < k->ncores; i++) {
        if (new_package(k, i) || in_row == per_row) {
            rows++;
            in_row = 0;
        }
        in_row++;
    }
    return rows;
}

static bool plan_meters(const struct cores *k, int w, int h, struct cores_plan *ret)
{
    int threads = (int)most_threads(k);
    int least = ID_W + threads * (METER_LEAST + PCT_W + 1) + 1,
        most = least + threads * (METER_MOST - METER_LEAST);
    for (int columns = w / most > 0 ? w / most : 1; columns <= w / least; columns++) {
        int rows = rows_of(k, columns);
        if (rows > h)
            continue;
        int cell = w / columns < most ? w / columns : most;
        *ret = (struct cores_plan){CORES_METERS, cell, 1, rows, 0};
        return true;
    }
    return false;
}

static bool plan_bars(const struct cores *k, int w, int h, struct cores_plan *ret)
{
    int cell = (int)most_threads(k) + 1, per_row = (w - PACKAGE_W) / cell;
    int rows = per_row > 0 ? rows_of(k, per_row) : h + 1;
    if (rows > h)
        return false;
    int bar_h = rows > 0 ? h / rows : 1;
    bar_h = bar_h > 3 ? 3 : bar_h;
    *ret = (struct cores_plan){CORES_BARS, cell, bar_h, rows * bar_h, 0};
    return true;
}

static size_t all_threads(const struct cores *k)
{
    size_t n = 0;
    for (size_t i = 0; i < k->ncores; i++)
        n += k->core[i].n;
    return n;
}

/* A core is not torn apart at the end of a row. Returns the rows taken; *ret_fit = threads within h rows. */
static int strip_rows(const struct cores *k, int w, int h, size_t *ret_fit)
{
    int x = 0, rows = k->ncores ? 1 : 0;
    *ret_fit = 0;
    for (size_t i = 0; i < k->ncores; i++) {
        if (x > 0 && x + (int)k->core[i].n > w) {
            rows++;
            x = 0;
        }
        x += (int)k->core[i].n;
        if (rows > h)
            return h;
        *ret_fit += k->core[i].n;
    }
    return rows;
}

struct cores_plan cores_plan(const struct cores *k, int w, int h)
{
    struct cores_plan p = {CORES_STRIP, 0, 1, 0, 0};
    if (w <= 0 || h <= 0)
        return p;
    if (plan_meters(k, w, h, &p) || plan_bars(k, w, h, &p)) {
        p.threads = all_threads(k);
        return p;
    }
    p.rows = strip_rows(k, w, h, &p.threads);
    return p;
}

static struct style load_style(double pct)
{
    return (struct style){.role = ROLE_CPU, .level = fill_steps(pct, 100, 8) * 100 / 8};
}

/* A bar of one column and h rows, from below. */
static void draw_bar(struct canvas *c, struct rect r, int x, int y, int h, const struct core_thread *t)
{
    const struct style dim = {.role = ROLE_DIM};
    if (!t->online || isnan(t->busy_pct)) {
        canvas_put(c, r, x, y + h - 1, dim, t->online ? '-' : fill_dot(c->charset));
        return;
    }
    int eighths = fill_steps(t->busy_pct, 100, 8 * h);
    struct style st = eighths > 0 ? load_style(t->busy_pct) : dim;
    eighths = eighths > 0 ? eighths : 1;
    for (int row = 0; row < h && eighths > 0; row++, eighths -= 8)
        canvas_put(c, r, x, y + h - 1 - row, st, fill_rise(c->charset, eighths));
}

static void draw_meter(struct canvas *c, struct rect room, const struct core_thread *t)
{
    const struct style dim = {.role = ROLE_DIM}, text = {.role = ROLE_TEXT};
    struct rect bar = {room.x, room.y, room.w - PCT_W, 1};
    if (!t->online) {
        canvas_put(c, room, room.x, room.y, dim, fill_dot(c->charset));
        canvas_text_right(c, room, room.x + room.w, room.y, dim, "off");
        return;
    }
    char pct[16] = "--";
    if (!isnan(t->busy_pct))
        snprintf(pct, sizeof pct, "%.0f%%", fmin(t->busy_pct, 100));
    meter_draw(c, bar, load_style(t->busy_pct), t->busy_pct, 100);
    canvas_text_right(c, room, room.x + room.w, room.y, t->busy_pct > 0 ? text : dim, pct);
}

static void draw_meters(struct canvas *c, struct rect r, const struct cores *k, size_t i, int x, int y, int cell_w)
{
    const struct core *core = &k->core[i];
    int threads = (int)most_threads(k), each = (cell_w - ID_W - 1) / threads;
    char id[16];
    snprintf(id, sizeof id, "%u", k->thread[core->first].id);
    canvas_text_right(c, r, x + ID_W - 1, y, (struct style){.role = ROLE_DIM}, id);
    for (size_t t = 0; t < core->n; t++)
        draw_meter(c, (struct rect){x + ID_W + (int)t * each, y, each - 1, 1}, &k->thread[core->first + t]);
}

static void draw_grid(struct canvas *c, struct rect r, const struct cores *k, const struct cores_plan *p)
{
    int indent = p->style == CORES_BARS ? PACKAGE_W : 0, per_row = (r.w - indent) / p->cell_w;
    int in_row = 0, y = r.y - p->bar_h;
    for (size_t i = 0; i < k->ncores; i++, in_row++) {
        if (new_package(k, i) || in_row == per_row) {
            y += p->bar_h;
            in_row = 0;
        }
        if (indent && new_package(k, i) && k->core[i].package >= 0)
            canvas_printf(c, r, r.x, y + p->bar_h - 1, (struct style){.role = ROLE_DIM}, "%2d",
                          k->core[i].package);
        int x = r.x + indent + in_row * p->cell_w;
        if (p->style == CORES_METERS)
            draw_meters(c, r, k, i, x, y, p->cell_w);
        for (size_t t = 0; t < k->core[i].n && p->style == CORES_BARS; t++)
            draw_bar(c, r, x + (int)t, y, p->bar_h, &k->thread[k->core[i].first + t]);
    }
}

static void draw_strip(struct canvas *c, struct rect r, const struct cores *k)
{
    int x = r.x, y = r.y;
    for (size_t i = 0; i < k->ncores; i++) {
        const struct core *core = &k->core[i];
        if (x > r.x && x + (int)core->n > r.x + r.w) {
            x = r.x;
            y++;
        }
        for (size_t t = 0; t < core->n; t++)
            draw_bar(c, r, x++, y, 1, &k->thread[core->first + t]);
    }
}

void cores_draw(struct canvas *c, struct rect r, const struct cores *k, const struct cores_plan *p)
{
    if (p->style == CORES_STRIP)
        draw_strip(c, r, k);
    else
        draw_grid(c, r, k, p);
}
