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
            true,        job_reads(j) && job_writes(j), j->bs, j->rate_iops, j->rate, j->iodepth, j->numjobs,
            j->rwmixread};
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
        str_format(dst, n, "%s/s", number_count(t, (double)v->rate_iops));
    else if (v->rate)
        str_format(dst, n, "%s MB/s", number_mb(t, (double)v->rate));
    else
        str_copy(dst, n, "max");
}

/* Behind the rate: clones times rate, the whole of it. */
static void total_text(const struct knob_values *v, int knob, char *dst, size_t n)
{
    char t[UNITS_TEXT];
    dst[0] = '\0';
    if (knob == RATE && v->rate_iops)
        str_format(dst, n, " ×%u=%s/s", v->numjobs, number_count(t, (double)v->rate_iops * v->numjobs));
    else if (knob == RATE && v->rate)
        str_format(dst, n, " ×%u=%s", v->numjobs, number_mb(t, (double)v->rate * v->numjobs));
}

/* Returns the column behind it. */
static int draw_knob(const struct overview *o, struct canvas *c, struct rect row, int x, int knob)
{
    struct knob_values v = values_of(o);
    char value[40], total[40];
    bool chosen = o->knob == knob;
    struct style word = {.role = ROLE_DIM};
    struct style st = {.role = chosen ? ROLE_SELECTED : ROLE_TEXT, .bold = true, .reverse = chosen};
    value_text(&v, knob, value, sizeof value);
    total_text(&v, knob, total, sizeof total);
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
    int line[KNOBS], column[KNOBS], lines = place(r.w, line, column);
    int first = line[o->knob] >= r.h ? line[o->knob] - r.h + 1 : 0, behind = 0;
    for (int k = 0; k < KNOBS && c; k++) {
        struct rect row = {r.x, r.y + line[k] - first, r.w, 1};
        if (line[k] < first || line[k] >= first + r.h || !overview_knob_usable(o, k))
            continue;
        int x = r.x + column[k];
        x = column[k] > 0 && behind >= x ? behind + 1 : x; /* a long value moves its neighbour */
        behind = draw_knob(o, c, row, x, k);
    }
    return lines;
}
