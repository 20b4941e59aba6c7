/* overview_knobs: the knobs of the chosen job between ◂ and ▸, each in its place, the chosen one reversed.
 * Turning them is overview_act.c; what a step is, job_step says. */
#include <math.h>
#include <string.h>

#include "core/str.h"
#include "tui/screens/overview.h"
#include "tui/widgets/number.h"

const struct overview_knob overview_knob_table[] = {
    {"iodepth", "depth"}, {"bs", "bs"}, {"numjobs", "jobs"}, {"rate_iops", "rate"}, {"rwmixread", "mix"},
};
const int overview_nknobs = sizeof overview_knob_table / sizeof *overview_knob_table;
enum { DEPTH, BS, JOBS, RATE, MIX, KNOBS };
_Static_assert(sizeof overview_knob_table / sizeof *overview_knob_table == KNOBS, "in the order of the table");

struct knob_values { /* of the newest version of the job, else of the frame */
    bool known, mixed;
    uint64_t bs, rate_iops, rate;
    unsigned iodepth, numjobs, rwmixread;
};

static struct knob_values values_of(const struct overview *o)
{
    const struct frame_load *l = overview_load(o);
    const struct job *j = &o->job;
    if (o->have_job)
        return (struct knob_values){
            true,        job_reads(j) && job_writes(j), job_bs(j), j->rate_iops[job_ddir(j)],
            j->rate[job_ddir(j)], j->iodepth, j->numjobs, j->rwmixread};
    if (l)
        return (struct knob_values){true,          overview_does(l, FRAME_READ) && overview_does(l, FRAME_WRITE),
                                    l->bs,         l->rate_iops,
                                    l->rate_bytes, l->iodepth,
                                    l->numjobs,    l->rwmixread};
    return (struct knob_values){0};
}

bool overview_knob_usable(const struct overview *o, int knob)
{
    return knob != MIX || values_of(o).mixed;
}

/* 20k and not 20.0k: rates are turned in round steps. */
static const char *rate_text(char *dst, double v)
{
    char *end = strstr(number_count(dst, v), ".0");
    if (end)
        memmove(end, end + 2, strlen(end + 2) + 1);
    return dst;
}

/* The value with its unit; a rate is what one clone may do in one direction. */
static void value_text(const struct knob_values *v, int knob, char *dst, size_t n)
{
    char t[UNITS_TEXT];
    str_copy(dst, n, NUMBER_NONE);
    if (!v->known)
        return;
    if (knob == DEPTH)
        str_format(dst, n, "%u", v->iodepth);
    else if (knob == BS) {
        units_exact_bytes(v->bs, t);
        str_copy(dst, n, t);
    } else if (knob == JOBS)
        str_format(dst, n, "%u", v->numjobs);
    else if (knob == MIX)
        str_format(dst, n, "%u%%", v->rwmixread);
    else if (v->rate_iops)
        str_format(dst, n, "%s/s", rate_text(t, (double)v->rate_iops));
    else if (v->rate)
        str_format(dst, n, "%s MB/s", number_mb(t, (double)v->rate));
    else
        str_copy(dst, n, "max");
}

/* Behind the rate the whole of it, when that is more: all clones, and both directions of a mixed job. In short
 * where there is no room for how it comes about. */
static void total_text(const struct knob_values *v, int knob, int room, char *dst, size_t n)
{
    char t[UNITS_TEXT], sum[UNITS_TEXT + 8], times[16] = "";
    double all = (double)v->numjobs * (v->mixed ? 2 : 1);
    dst[0] = '\0';
    if (knob != RATE || all <= 1 || !(v->rate_iops || v->rate))
        return;
    if (v->rate_iops)
        str_format(sum, sizeof sum, "=%s/s", rate_text(t, (double)v->rate_iops * all));
    else
        str_format(sum, sizeof sum, "=%s", number_mb(t, (double)v->rate * all));
    if (v->numjobs > 1)
        str_format(times, sizeof times, " ×%u", v->numjobs);
    str_format(dst, n, "%s%s%s", times, v->mixed ? " r+w" : "", sum);
    if (canvas_width(dst) > room)
        str_format(dst, n, " %s", sum);
    if (canvas_width(dst) > room)
        dst[0] = '\0';
}

static int knob_width(const struct overview *o, int knob)
{
    struct knob_values v = values_of(o);
    char value[40];
    value_text(&v, knob, value, sizeof value);
    return canvas_width(overview_knob_table[knob].word) + 3 + canvas_width(value);
}

/* Ends before column `end`, which is the next one's. Returns the column behind it. */
static int draw_knob(const struct overview *o, struct canvas *c, struct rect row, int x, int end, int knob)
{
    struct knob_values v = values_of(o);
    char value[40], total[48];
    bool chosen = o->knob == knob;
    struct style word = {.role = ROLE_DIM};
    struct style st = {.role = chosen ? ROLE_SELECTED : ROLE_TEXT, .bold = true, .reverse = chosen};
    value_text(&v, knob, value, sizeof value);
    total_text(&v, knob, end - x - knob_width(o, knob), total, sizeof total);
    x = canvas_text(c, row, x, row.y, word, overview_knob_table[knob].word);
    x = canvas_printf(c, row, x + 1, row.y, st, "◂%s▸", value);
    return canvas_text(c, row, x, row.y, (struct style){.role = ROLE_TEXT}, total);
}

/* Line and column of each knob in lines of w columns; returns the lines. */
static int place(int w, int *line, int *column)
{
    static const int width[] = {[DEPTH] = 11, [BS] = 9, [JOBS] = 9, [RATE] = 22, [MIX] = 9};
    int x = 0, y = 0;
    for (int k = 0; k < overview_nknobs; k++) {
        if (x > 0 && x + width[k] > w) {
            x = 0;
            y++;
        }
        line[k] = y;
        column[k] = x;
        x += width[k] + 1;
    }
    return y + 1;
}

int overview_knobs(const struct overview *o, struct canvas *c, struct rect r)
{
    if (o->frame && !values_of(o).known) /* there is no load to turn them of */
        return 0;
    int line[KNOBS], column[KNOBS], lines = place(r.w, line, column);
    int first = line[o->knob] >= r.h ? line[o->knob] - r.h + 1 : 0, behind = 0;
    for (int k = 0; k < KNOBS && c; k++) {
        struct rect row = {r.x, r.y + line[k] - first, r.w, 1};
        if (line[k] < first || line[k] >= first + r.h || !overview_knob_usable(o, k))
            continue;
        int x = r.x + column[k];
        x = column[k] > 0 && behind >= x ? behind + 1 : x; /* a long value moves its neighbour */
        int end = r.x + r.w;
        for (int later = k + 1; later < KNOBS; later++)
            if (line[later] == line[k] && overview_knob_usable(o, later))
                end -= 1 + knob_width(o, later);
        behind = draw_knob(o, c, row, x, end, k);
    }
    return lines;
}
