/* result_live: running numbers from a frame: rows for spreadsheets, one line for a terminal.
 * Knows no result. */
#include "cli/result_live.h"

#include <inttypes.h>
#include <math.h>

#include "core/clock.h"
#include "core/units.h"

static const char *const dir_names[FRAME_DDIRS] = {
    [FRAME_READ] = "read", [FRAME_WRITE] = "write", [FRAME_TRIM] = "trim"};

void csv_heading(FILE *out)
{
    fputs("time_s,job,state,dir,iops,bytes_per_s,p50_ns,p99_ns,p999_ns,max_ns\n", out);
}

static void cell(double v, FILE *out)
{
    fputc(',', out);
    if (!isnan(v))
        fprintf(out, "%.10g", v);
}

static void quoted(const char *s, FILE *out)
{
    fputc('"', out);
    for (; *s; s++)
        fprintf(out, *s == '"' ? "\"%c" : "%c", *s);
    fputc('"', out);
}

void csv_rows(const struct frame *f, FILE *out)
{
    for (size_t i = 0; i < f->nload; i++) {
        const struct frame_load *l = &f->load[i];
        for (int d = 0; d < FRAME_DDIRS; d++) {
            const struct frame_dir *v = &l->dir[d];
            if (!v->total_ios)
                continue;
            fprintf(out, "%.3f,", (double)f->time_ns / NSEC_PER_SEC);
            quoted(l->name, out);
            fprintf(out, ",%s,%s", frame_load_state_name(l->state), dir_names[d]);
            const double cells[] = {v->iops, v->bytes_per_s, v->clat.p50, v->clat.p99, v->clat.p999, v->clat.max};
            for (size_t c = 0; c < sizeof(cells) / sizeof(cells[0]); c++)
                cell(cells[c], out);
            fputc('\n', out);
        }
    }
}

static void put_clock(struct strbuf *b, double s)
{
    if (isnan(s))
        strbuf_printf(b, "--");
    else
        strbuf_printf(b, "%u:%02u", (unsigned)s / 60, (unsigned)s % 60);
}

static void put_dir(struct strbuf *b, const char *name, const struct frame_dir *d)
{
    char iops[UNITS_TEXT], bytes[UNITS_TEXT], p99[UNITS_TEXT];
    units_human_count(d->iops, iops);
    units_human_count(d->bytes_per_s, bytes);
    units_human_ns(d->clat.p99, 1, p99);
    strbuf_printf(b, "  %s %s IOPS %sB/s p99 %s", name, iops, bytes, p99);
}

static void put_load(struct strbuf *b, const struct frame_load *l)
{
    strbuf_printf(b, "%s %s ", l->name, frame_load_state_name(l->state));
    if (l->state == LOAD_LAYOUT) {
        strbuf_printf(b, "%.0f %%", l->layout_pct);
        return;
    }
    put_clock(b, l->elapsed_s);
    strbuf_printf(b, "/");
    put_clock(b, l->runtime_s);
    for (int d = 0; d < FRAME_DDIRS; d++)
        if (l->dir[d].total_ios)
            put_dir(b, dir_names[d], &l->dir[d]);
    if (l->errors)
        strbuf_printf(b, "  errors %" PRIu64, l->errors);
}

void progress_text(const struct frame *f, struct strbuf *ret)
{
    strbuf_reset(ret);
    for (size_t i = 0; i < f->nload; i++) {
        if (i)
            strbuf_printf(ret, "; ");
        put_load(ret, &f->load[i]);
    }
}
