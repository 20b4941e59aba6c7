/* result_text: rows, groups and disks as lines. Lines of fio's begin as fio's do, so that what searches them finds them;
 * lines of ours stand between. Computes nothing that the result does not hold. */
#include "cli/result_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "cli/result_dist.h"
#include "core/clock.h"
#include "core/str.h"
#include "core/units.h"
#include "engine/job_pattern.h"

#define WIDTH 78 /* of lines with many values */

static const char *const dir_names[DDIRS] = {"read", "write", "trim"};

/* Three figures or four: "10.4k", "1066k", "40.7M". */
static void amount(double v, double base, char dst[UNITS_TEXT])
{
    static const char *const letters[] = {"", "k", "M", "G", "T", "P", "E"};
    size_t i = 0;
    for (; v >= 9999.5 && i + 1 < sizeof(letters) / sizeof(letters[0]); i++)
        v /= base;
    const char *letter = base == 1024 && i == 1 ? "K" : letters[i];
    int decimals = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
    str_format(dst, UNITS_TEXT, "%.*f%s%s", i ? decimals : v < 99.95 && v != floor(v) ? 2 : 0, v, letter,
               base == 1024 && i ? "i" : "");
}

/* "40.7Mi" and "42.7M" of the same number. */
static void sizes(double bytes, char kib[UNITS_TEXT], char kb[UNITS_TEXT])
{
    amount(bytes, 1024, kib);
    amount(bytes, 1000, kb);
}

/* ---- latency ---- */

static const struct {
    const char *name;
    double ns;
} scales[] = {{"nsec", 1}, {"usec", 1e3}, {"msec", 1e6}};

/* In the largest unit that keeps the small end apart. */
static int scale_of(double least, double most)
{
    return least > 2e6 && most > 1e8 ? 2 : least > 2e3 && most > 1e5 ? 1 : 0;
}

static void latency_line(const char *what, const struct hist *h, FILE *out)
{
    int s = scale_of(hist_mean(h), (double)h->max);
    double unit = scales[s].ns;
    fprintf(out, "    %4s (%s): min=%.0f, max=%.0f, avg=%.2f, stdev=%.2f\n", what, scales[s].name,
            floor((double)h->min / unit), (double)h->max / unit, hist_mean(h) / unit, hist_stddev(h) / unit);
}

static void percentile_lines(const char *what, const struct hist *h, const struct job *j, FILE *out)
{
    double pct[JOB_PERCENTILES], ns[JOB_PERCENTILES];
    size_t n = job_percentiles(j, pct);
    hist_percentiles(h, pct, n, ns);
    int s = n ? scale_of(ns[0], ns[n - 1]) : 0, width = 5;
    for (double v = n ? ns[n - 1] / scales[s].ns : 0; v >= 1e5; v /= 10)
        width++;
    size_t each = (size_t)(WIDTH - 6) / (size_t)(width + 12);
    fprintf(out, "    %s percentiles (%s):", what, scales[s].name);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s %5.2fth=[%*.0f]%s", i % each ? "" : "\n     |", pct[i], width, ceil(ns[i] / scales[s].ns),
                i + 1 < n ? "," : "");
    fputc('\n', out);
}

/* From the intended start: only where that is another time. */
static void response_lines(const struct dir_counters *d, const struct job *j, FILE *out)
{
    if (!hist_n(&d->rlat) || d->rlat.sum == d->clat.sum)
        return;
    latency_line("rlat", &d->rlat, out);
    percentile_lines("rlat", &d->rlat, j, out);
}

/* ---- a row ---- */

static void job_line(const struct result *r, const struct run_job_result *j, FILE *out)
{
    char text[64] = "";
    struct tm tm;
    time_t t = (time_t)(r->real_ns / NSEC_PER_SEC);
    if (localtime_r(&t, &tm))
        strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm);
    int code = j->error.code < 0 ? -j->error.code : j->error.code;
    fprintf(out, "%s: (groupid=%u, jobs=%u): err=%2d%s%s: %s\n", j->job.name, j->group, j->clones, code,
            code ? ": " : "", j->error.text, text);
}

static void words_line(const struct job *j, FILE *out)
{
    char rw[64], bs[1024], filename[JOB_PATH];
    job_get_named(j, "rw", rw, sizeof(rw));
    job_sizes_text(j, bs, sizeof(bs));
    str_copy(filename, sizeof(filename), j->filename);
    str_plain(filename);
    fprintf(out, "  job          : rw=%s, bs=%s, ioengine=%s, iodepth=%u, direct=%d%s%s\n", rw, bs, j->ioengine,
            j->iodepth, j->direct, filename[0] ? ", " : "", filename);
}

static void spread_lines(const struct result *r, const struct run_job_result *j, enum ddir d, FILE *out)
{
    const struct run_spread *bw = &j->marks.bytes_per_s[d], *iops = &j->marks.iops[d];
    struct dist_group g;
    if (!bw->n || !dist_group(r, j->group, d, &g))
        return;
    fprintf(out, "   bw (  KiB/s): min=%5.0f, max=%5.0f, per=%3.2f%%, avg=%5.02f, stdev=%5.02f, samples=%" PRIu64 "\n",
            bw->min / 1024, bw->max / 1024, fmin(bw->mean * 100 / g.bytes_per_s, 100), bw->mean / 1024,
            run_spread_dev(bw) / 1024, bw->n);
    fprintf(out, "   iops        : min=%5.0f, max=%5.0f, avg=%5.02f, stdev=%5.02f, samples=%" PRIu64 "\n", iops->min,
            iops->max, iops->mean, run_spread_dev(iops), iops->n);
}

static void dir_lines(const struct result *r, const struct run_job_result *j, enum ddir d, FILE *out)
{
    const struct dir_counters *c = &j->sum.dir[d];
    char iops[UNITS_TEXT], bw[UNITS_TEXT], bw10[UNITS_TEXT], io[UNITS_TEXT], io10[UNITS_TEXT];
    double s = (double)j->dir_runtime_ns[d] / NSEC_PER_SEC;
    amount((double)c->ios / s, 1000, iops);
    sizes((double)c->bytes / s, bw, bw10);
    sizes((double)c->bytes, io, io10);
    fprintf(out, "  %s: IOPS=%s, BW=%sB/s (%sB/s)(%sB/%.0fmsec)", dir_names[d], iops, bw, bw10, io, s * 1e3);
    fprintf(out, c->errors ? "; %" PRIu64 " failed\n" : "\n", c->errors);
    if (!hist_n(&c->clat))
        return;
    latency_line("clat", &c->clat, out);
    if (j->job.clat_percentiles || j->job.lat_percentiles)
        percentile_lines(j->job.lat_percentiles ? "lat" : "clat", &c->clat, &j->job, out);
    response_lines(c, &j->job, out);
    spread_lines(r, j, d, out);
}

static void sync_lines(const struct run_job_result *j, FILE *out)
{
    if (!j->sum.syncs)
        return;
    fputs("  fsync/fdatasync/sync_file_range:\n", out);
    latency_line("sync", &j->sum.sync_lat, out);
    percentile_lines("sync", &j->sum.sync_lat, &j->job, out);
}

/* ---- shares ---- */

/* "  lat (usec)   : 4=0.01%, 10=2.00%": only classes that something fell into; what is less than can be shown shows as
 * the least. */
static void share_lines(const char *label, const double *share, size_t n, FILE *out)
{
    int at = 0;
    for (size_t i = 0; i < n; i++) {
        char text[32];
        if (!(share[i] > 0))
            continue;
        str_format(text, sizeof(text), "%s=%.2f%%", dist_latency_names[i], fmax(share[i], 0.01));
        if (at && at + (int)strlen(text) + 2 > WIDTH) {
            fputc('\n', out);
            at = 0;
        }
        at += fprintf(out, at ? ", %s" : "  lat (%s)   : %s", at ? text : label, text);
    }
    if (at)
        fputc('\n', out);
}

static void depth_lines(const struct run_job_result *j, FILE *out)
{
    double share[RUN_DEPTHS];
    dist_depth(j, share);
    if (isnan(share[0]))
        return;
    fputs("  IO depths    :", out);
    for (int i = 0; i < RUN_DEPTHS; i++)
        fprintf(out, " %s=%3.1f%%%s", dist_depth_names[i], share[i] > 0 ? fmax(share[i], 0.1) : 0,
                i + 1 < RUN_DEPTHS ? "," : "\n");
}

static void cpu_lines(const struct run_job_result *j, FILE *out)
{
    double user, system, n = 0;
    result_cpu(j, &user, &system);
    if (isnan(user))
        return;
    fprintf(out, "  cpu          : usr=%.2f%%, sys=%.2f%%, ctx=%" PRIu64 ", majf=%" PRIu64 ", minf=%" PRIu64 "\n", user,
            system, j->ctx, j->majflt, j->minflt);
    for (int d = 0; d < DDIRS; d++)
        n += (double)j->sum.dir[d].ios;
    if (n <= 0)
        return;
    fprintf(out, "  cpu per I/O  : usr=%.0fnsec, sys=%.0fnsec", (double)j->user_ns / n, (double)j->system_ns / n);
    fprintf(out, j->helper_ns ? ", kernel helpers=%.0fnsec\n" : "\n", (double)j->helper_ns / n);
}

static void steady_line(const struct run_job_result *j, FILE *out)
{
    char text[64];
    const struct job_steady *w = &j->job.steady;
    if (w->what == JOB_STEADY_NONE)
        return;
    job_get_named(&j->job, "steadystate", text, sizeof(text));
    double m = run_steady_measure(&j->steady, w->what, w->pct);
    fprintf(out, "  steadystate  : attained=%s, %s", j->steady.attained ? "yes" : "no", text);
    fprintf(out, isnan(m) ? "\n" : ", last %zu s: %.3f%s\n", j->steady.n, m, w->pct ? "%" : "");
}

static void flight_line(const struct run_job_result *j, FILE *out)
{
    if (j->in_flight)
        fprintf(out, "     still in flight: %u, nothing completed for %.1f s\n", j->in_flight, (double)j->stalled_ns / 1e9);
}

static void issued_line(const struct run_job_result *j, FILE *out)
{
    const struct dir_counters *d = j->sum.dir;
    fprintf(out, "     issued rwts: total=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 " short=%" PRIu64 ",%" PRIu64
            ",%" PRIu64 ",0 failed=%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", d[0].ios, d[1].ios, d[2].ios, j->sum.syncs,
            d[0].short_ios, d[1].short_ios, d[2].short_ios, d[0].errors, d[1].errors, d[2].errors);
}

static void verify_line(const struct run_job_result *j, FILE *out)
{
    if (j->verifies)
        fprintf(out, "     verified   : blocks=%" PRIu64 " bytes=%" PRIu64 " wrong=%" PRIu64 "\n", j->verify.checked,
                j->verify.bytes, j->verify.failures);
}

static void job_text(const struct result *r, const struct run_job_result *j, FILE *out)
{
    struct dist_latency l;
    job_line(r, j, out);
    words_line(&j->job, out);
    for (int d = 0; d < DDIRS; d++)
        if (j->dir_runtime_ns[d])
            dir_lines(r, j, (enum ddir)d, out);
    sync_lines(j, out);
    dist_latency(&j->sum, &l);
    share_lines("nsec", l.ns, DIST_NS, out);
    share_lines("usec", l.us, DIST_US, out);
    share_lines("msec", l.ms, DIST_MS, out);
    cpu_lines(j, out);
    depth_lines(j, out);
    issued_line(j, out);
    flight_line(j, out);
    verify_line(j, out);
    steady_line(j, out);
    for (size_t i = 0; i < j->nretunes; i++)
        fprintf(out, "  at %.3fs     : %s\n", (double)j->retune[i].at_ns / NSEC_PER_SEC, j->retune[i].words);
}

/* ---- groups and disks ---- */

static void group_line(const struct dist_group *g, const char *name, FILE *out)
{
    char bw[UNITS_TEXT], bw10[UNITS_TEXT], lo[UNITS_TEXT], lo10[UNITS_TEXT], hi[UNITS_TEXT],
        hi10[UNITS_TEXT], io[UNITS_TEXT], io10[UNITS_TEXT];
    sizes(g->bytes_per_s, bw, bw10);
    sizes(g->least_per_s, lo, lo10);
    sizes(g->most_per_s, hi, hi10);
    sizes(g->bytes, io, io10);
    fprintf(out, "%s: bw=%sB/s (%sB/s), %sB/s-%sB/s (%sB/s-%sB/s), io=%sB (%sB), run=%" PRIu64 "-%" PRIu64 "msec\n",
            name, bw, bw10, lo, hi, lo10, hi10, io, io10, (uint64_t)(g->shortest_ns / NSEC_PER_MSEC),
            (uint64_t)(g->longest_ns / NSEC_PER_MSEC));
}

static void group_text(const struct result *r, unsigned group, FILE *out)
{
    static const char *const names[DDIRS] = {"   READ", "  WRITE", "   TRIM"};
    struct dist_group g;
    fprintf(out, "\nRun status group %u (all jobs):\n", group);
    for (int d = 0; d < DDIRS; d++)
        if (dist_group(r, group, (enum ddir)d, &g))
            group_line(&g, names[d], out);
}

static void disk_line(const struct frame_dev *d, uint64_t dt_ns, FILE *out)
{
    const struct frame_dev_delta *v = &d->delta;
    fprintf(out, "  %s: ", d->name);
    if (!v->have) {
        fputs("not counted\n", out);
        return;
    }
    fprintf(out, "ios=%" PRIu64 "/%" PRIu64 ", merge=%" PRIu64 "/%" PRIu64 ", ticks=%" PRIu64 "/%" PRIu64
            ", in_queue=%" PRIu64 ", util=%.2f%%\n", v->reads, v->writes, v->read_merges, v->write_merges, v->read_ms,
            v->write_ms, v->queue_ms, dt_ns ? (double)v->io_ticks_ms * 100 * NSEC_PER_MSEC / (double)dt_ns : NAN);
}

void result_text(const struct result *r, FILE *out)
{
    unsigned groups = 0;
    bool disks = false;
    for (size_t i = 0; i < r->njobs; i++) {
        job_text(r, r->job[i], out);
        groups = r->job[i]->group >= groups ? r->job[i]->group + 1 : groups;
    }
    for (unsigned g = 0; g < groups; g++)
        group_text(r, g, out);
    for (size_t i = 0; r->whole && i < r->whole->ndevs; i++) {
        if (!result_uses(r, &r->whole->devs[i]))
            continue;
        fputs(disks ? "" : "\nDisk stats (read/write):\n", out);
        disks = true;
        disk_line(&r->whole->devs[i], r->whole->dt_ns, out);
    }
    if (r->aborted)
        fputs("\naborted: this is the part up to then\n", out);
}
