/* result_text: the same numbers as the JSON, in fewer words.
 * Computes nothing that the result does not hold. */
#include "cli/result_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/str.h"
#include "core/units.h"
#include "engine/job_pattern.h"

static const char *const dir_names[FRAME_DDIRS] = {
    [FRAME_READ] = "read", [FRAME_WRITE] = "write", [FRAME_TRIM] = "trim"};

static void job_line(const struct run_job_result *j, FILE *out)
{
    char rw[64], bs[1024], filename[JOB_PATH];
    job_get_named(&j->job, "rw", rw, sizeof(rw));
    job_sizes_text(&j->job, bs, sizeof(bs));
    str_copy(filename, sizeof(filename), j->job.filename);
    str_plain(filename);
    fprintf(out, "%s: %s %s, depth %u, %u job%s, %s%s%s%s, %.3f s\n", j->job.name, rw, bs, j->job.iodepth,
            j->job.numjobs, j->job.numjobs == 1 ? "" : "s", j->job.ioengine, j->job.direct ? ", direct" : "",
            filename[0] ? ", " : "", filename, (double)j->runtime_ns / NSEC_PER_SEC);
}

static void latency_line(const char *what, const struct hist *h, FILE *out)
{
    static const struct {
        const char *name;
        double pct;
    } row[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}, {"p99.9", 99.9}};
    char text[UNITS_TEXT];
    fprintf(out, "         %-6s", what);
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        units_human_ns(hist_percentile(h, row[i].pct), 1, text);
        fprintf(out, " %s %-8s", row[i].name, text);
    }
    units_human_ns((double)h->max, 1, text);
    fprintf(out, " max %-8s", text);
    units_human_ns(hist_mean(h), 1, text);
    fprintf(out, " mean %s\n", text);
}

static void dir_lines(const char *name, const struct dir_counters *d, uint64_t runtime_ns, FILE *out)
{
    char iops[UNITS_TEXT], rate[UNITS_TEXT], bytes[UNITS_TEXT];
    double s = runtime_ns ? (double)runtime_ns / NSEC_PER_SEC : NAN;
    units_human_count((double)d->ios / s, iops);
    units_human_count((double)d->bytes / s, rate);
    units_human_count((double)d->bytes, bytes);
    fprintf(out, "  %-6s %s IOPS, %sB/s (%" PRIu64 " requests, %sB", name, iops, rate, d->ios, bytes);
    fprintf(out, d->errors ? ", %" PRIu64 " failed)\n" : ")\n", d->errors);
    if (!hist_n(&d->clat))
        return;
    latency_line("clat", &d->clat, out);
    if (hist_n(&d->rlat) && d->rlat.sum != d->clat.sum)
        latency_line("rlat", &d->rlat, out); /* from the intended start: only where that is another time */
}

static void job_text(const struct run_job_result *j, FILE *out)
{
    double user, system;
    char text[UNITS_TEXT];
    job_line(j, out);
    for (int d = 0; d < DDIRS; d++)
        if (j->sum.dir[d].ios || j->sum.dir[d].errors)
            dir_lines(dir_names[d], &j->sum.dir[d], j->dir_runtime_ns[d], out);
    if (j->sum.syncs) {
        units_human_ns(hist_mean(&j->sum.sync_lat), 1, text);
        fprintf(out, "  sync   %" PRIu64 ", mean %s\n", j->sum.syncs, text);
    }
    result_cpu(j, &user, &system);
    if (!isnan(user))
        fprintf(out, "  cpu    user %.1f %%, system %.1f %%, %" PRIu64 " context switches\n", user, system,
                j->ctx);
    for (size_t i = 0; i < j->nretunes; i++)
        fprintf(out, "  %.3f s %s\n", (double)j->retune[i].at_ns / NSEC_PER_SEC, j->retune[i].words);
    if (j->error.code)
        fprintf(out, "  error  %s\n", j->error.text);
}

static void disk_line(const struct frame_dev *d, FILE *out)
{
    char r[UNITS_TEXT], w[UNITS_TEXT];
    units_human_count(d->read_iops, r);
    units_human_count(d->write_iops, w);
    fprintf(out, "disk %s: read %s/s, write %s/s", d->name, r, w);
    if (!isnan(d->queue_depth))
        fprintf(out, ", queue %.1f, busy %.1f %%", d->queue_depth, d->busy_pct);
    fputc('\n', out);
}

void result_text(const struct result *r, FILE *out)
{
    for (size_t i = 0; i < r->njobs; i++)
        job_text(r->job[i], out);
    for (size_t i = 0; r->whole && i < r->whole->ndevs; i++)
        if (result_uses(r, &r->whole->devs[i]))
            disk_line(&r->whole->devs[i], out);
    if (r->aborted)
        fputs("aborted: this is the part up to then\n", out);
}

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
