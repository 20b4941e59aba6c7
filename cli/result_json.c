/* result_json: rows of fio's shape from counters and histograms; rows of ours from a frame.
 * Latencies are ours throughout: from the stamp before the submit call to the stamp after the reap. */
#include "cli/result_json.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "cli/result_json_fio.h"
#include "core/clock.h"
#include "core/str.h"
#include "results/frame_json.h"

static void put_ns(struct json *o, const char *key, double ns) /* whole nanoseconds, or null */
{
    if (isnan(ns))
        json_put_null(o, key);
    else
        json_put_u64(o, key, (uint64_t)llround(ns));
}

static struct json *percentiles_json(const struct hist *h, const struct job *j)
{
    char key[24];
    double pcts[JOB_PERCENTILES], ns[JOB_PERCENTILES];
    struct json *o = json_object();
    size_t n = job_percentiles(j, pcts);
    hist_percentiles(h, pcts, n, ns);
    for (size_t i = 0; i < n; i++) {
        str_format(key, sizeof(key), "%f", pcts[i]);
        put_ns(o, key, ns[i]);
    }
    return o;
}

/* Keys are the values of the buckets. No record at all is one bucket that holds none: fio's own readers of json+
 * take the first bin unseen. */
static struct json *bins_json(const struct hist *h)
{
    char key[24];
    struct json *o = json_object();
    size_t n = 0;
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        if (!h->count[i])
            continue;
        str_format(key, sizeof(key), "%llu", (unsigned long long)hist_mid(i));
        json_put_u64(o, key, h->count[i]);
        n++;
    }
    if (!n)
        json_put_u64(o, "0", 0);
    return o;
}

static struct json *lat_json(const struct hist *h, const struct job *j)
{
    struct json *o = json_object();
    uint64_t n = hist_n(h);
    put_ns(o, "min", n ? (double)h->min : NAN);
    put_ns(o, "max", n ? (double)h->max : NAN);
    json_put_num(o, "mean", hist_mean(h));
    json_put_num(o, "stddev", hist_stddev(h));
    json_put_u64(o, "N", n);
    json_put(o, "percentile", percentiles_json(h, j));
    json_put(o, "bins", bins_json(h));
    return o;
}

/* Submission is not stamped apart: no samples, and what they would be is unknown. */
static struct json *slat_json(void)
{
    static const char *const unknown[] = {"min", "max", "mean", "stddev"};
    struct json *o = json_object();
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
        json_put_null(o, unknown[i]);
    json_put_u64(o, "N", 0);
    return o;
}

/* As a divisor for those who read it: what ran at all ran for a millisecond. */
static uint64_t whole_ms(uint64_t ns)
{
    return ns && ns < NSEC_PER_MSEC ? 1 : ns / NSEC_PER_MSEC;
}

static struct json *dir_json(const struct dir_counters *d, uint64_t runtime_ns, const struct job *j)
{
    struct json *o = json_object();
    double s = (double)runtime_ns / NSEC_PER_SEC;
    double bytes_per_s = s > 0 ? (double)d->bytes / s : d->bytes ? NAN : 0;
    double iops = s > 0 ? (double)d->ios / s : d->ios ? NAN : 0;
    json_put_u64(o, "io_bytes", d->bytes);
    json_put_u64(o, "io_kbytes", d->bytes >> 10);
    put_ns(o, "bw_bytes", bytes_per_s);
    put_ns(o, "bw", floor(bytes_per_s / 1024));
    json_put_num(o, "iops", iops);
    json_put_u64(o, "runtime", whole_ms(runtime_ns));
    json_put_u64(o, "total_ios", d->ios);
    json_put_u64(o, "short_ios", d->short_ios);
    json_put_u64(o, "drop_ios", 0);
    json_put(o, "slat_ns", slat_json());
    json_put(o, "clat_ns", lat_json(&d->clat, j));
    json_put(o, "lat_ns", lat_json(&d->clat, j));
    return o;
}

static const char *const dir_names[DDIRS] = {"read", "write", "trim"};

/* Of a job or of one of its targets. */
static struct json *dir_of(const struct run_job_result *j, const struct counters *c, int d)
{
    return dir_json(&c->dir[d], c->dir[d].ios ? j->dir_runtime_ns[d] : 0, &j->job);
}

static struct json *sync_json(const struct counters *c, const struct job *j)
{
    struct json *o = json_object();
    json_put_u64(o, "total_ios", c->syncs);
    json_put(o, "lat_ns", lat_json(&c->sync_lat, j));
    return o;
}

/* Sums have it whole; one that was put together without it means the completion time. */
static struct json *rlat_json(const struct counters *c, const struct job *j)
{
    struct json *o = json_object();
    for (int d = 0; d < DDIRS; d++) {
        const struct dir_counters *dc = &c->dir[d];
        json_put(o, dir_names[d], lat_json(hist_n(&dc->rlat) ? &dc->rlat : &dc->clat, j));
    }
    return o;
}

static struct json *targets_json(const struct run_job_result *j, const struct frame *whole)
{
    struct json *rows = json_array();
    for (size_t i = 0; i < j->ntargets; i++) {
        const struct run_target_result *t = &j->target[i];
        const struct frame_dev *dev = result_device(whole, t);
        struct json *o = json_object();
        json_put_text(o, "name", t->path);
        json_put_text(o, "device", dev ? dev->name : t->device[0] ? t->device : NULL);
        for (int d = 0; d < DDIRS; d++)
            json_put(o, dir_names[d], dir_of(j, &t->sum, d));
        json_put(o, "sync", sync_json(&t->sum, &j->job));
        json_add(rows, o);
    }
    return rows;
}

static struct json *retunes_json(const struct run_job_result *j)
{
    struct json *rows = json_array();
    for (size_t i = 0; i < j->nretunes; i++) {
        const struct run_retune *t = &j->retune[i];
        struct json *o = json_object();
        json_put_u64(o, "at_ns", t->at_ns);
        put_ns(o, "applied_ns", t->applied_ns ? (double)t->applied_ns : NAN);
        json_put_text(o, "words", t->words);
        json_add(rows, o);
    }
    return rows;
}

static struct json *cpu_per_io_json(const struct run_job_result *j)
{
    struct json *o = json_object();
    double n = 0;
    for (int d = 0; d < DDIRS; d++)
        n += (double)j->sum.dir[d].ios;
    bool known = j->have_usage && n > 0;
    json_put_num(o, "user", known ? (double)j->user_ns / n : NAN);
    json_put_num(o, "system", known ? (double)j->system_ns / n : NAN);
    json_put_num(o, "helpers", known ? (double)j->helper_ns / n : NAN);
    return o;
}

/* By Little's law: the time that requests spent in flight, by the time that there was. */
static double in_flight_mean(const struct run_job_result *j)
{
    double ns = 0;
    for (int d = 0; d < DDIRS; d++)
        ns += (double)j->sum.dir[d].clat.sum;
    return j->runtime_ns ? ns / (double)j->runtime_ns : NAN;
}

static struct json *first_json(const struct verify_count *n)
{
    char text[2 * VERIFY_SHOWN + 1];
    const struct verify_finding *f = &n->first;
    struct json *o = json_object();
    json_put_text(o, "name", n->path);
    json_put_text(o, "reason", verify_fault_name(f->fault));
    json_put_u64(o, "block_offset", f->offset);
    json_put_u64(o, "block_bytes", f->len);
    json_put_u64(o, "offset", f->byte);
    put_ns(o, "differing_bytes", f->known ? (double)f->differing : NAN);
    verify_hex(f->expected, f->shown, text);
    json_put_text(o, "expected", f->known ? text : NULL);
    verify_hex(f->found, f->shown, text);
    json_put_text(o, "found", f->known ? text : NULL);
    return o;
}

/* Null where the job verifies nothing. */
static struct json *verify_json(const struct run_job_result *j)
{
    if (!j->verifies)
        return NULL;
    struct json *o = json_object();
    json_put_u64(o, "checked", j->verify.checked);
    json_put_u64(o, "checked_bytes", j->verify.bytes);
    json_put_u64(o, "failures", j->verify.failures);
    json_put(o, "first", j->verify.failures ? first_json(&j->verify) : NULL);
    return o;
}

static struct json *ours_json(const struct run_job_result *j, const struct frame *whole)
{
    struct json *o = json_object();
    json_put(o, "rlat_ns", rlat_json(&j->sum, &j->job));
    json_put_num(o, "in_flight_mean", in_flight_mean(j));
    json_put_u64(o, "in_flight", j->in_flight);
    json_put_num(o, "stalled_s", (double)j->stalled_ns / 1e9);
    json_put(o, "targets", targets_json(j, whole));
    json_put(o, "cpu_ns_per_io", cpu_per_io_json(j));
    json_put(o, "steady_state", fio_steady(j));
    json_put(o, "retunes", retunes_json(j));
    json_put(o, "verify", verify_json(j));
    json_put_u64(o, "errors", j->errors);
    json_put_text(o, "error", j->error.code ? j->error.text : NULL);
    return o;
}

static struct json *options_json(const struct job *j)
{
    char text[JOB_PATH];
    struct json *o = json_object();
    json_put_text(o, "name", j->name);
    const struct job_field *f;
    for (size_t i = 0; (f = job_field(i)); i++) {
        if (!job_is_set(j, f->name) || !strcmp(f->name, "name"))
            continue;
        job_get(j, f, text, sizeof(text));
        json_put_text(o, f->name, text);
    }
    return o;
}

static void put_dirs(struct json *o, const struct result *r, const struct run_job_result *j)
{
    for (int d = 0; d < DDIRS; d++) {
        struct json *dir = dir_of(j, &j->sum, d);
        fio_put_spread(dir, r, j, (enum ddir)d);
        json_put(o, dir_names[d], dir);
    }
}

static struct json *job_json(const struct result *r, const struct run_job_result *j)
{
    double user, system;
    struct json *o = json_object();
    json_put_text(o, "jobname", j->job.name);
    json_put_u64(o, "groupid", j->group);
    json_put_i64(o, "error", j->error.code < 0 ? -j->error.code : j->error.code);
    json_put_u64(o, "eta", 0);
    json_put_u64(o, "elapsed", (j->runtime_ns + j->job.ramp_time_ns) / NSEC_PER_SEC);
    json_put(o, "job options", options_json(&j->job));
    put_dirs(o, r, j);
    json_put(o, "sync", sync_json(&j->sum, &j->job));
    json_put_u64(o, "job_runtime", whole_ms(j->clones_ns));
    result_cpu(j, &user, &system);
    json_put_num(o, "usr_cpu", user);
    json_put_num(o, "sys_cpu", system);
    put_ns(o, "ctx", j->have_usage ? (double)j->ctx : NAN);
    put_ns(o, "majf", j->have_usage ? (double)j->majflt : NAN);
    put_ns(o, "minf", j->have_usage ? (double)j->minflt : NAN);
    fio_put_shares(o, j);
    if (j->job.steady.what != JOB_STEADY_NONE)
        json_put(o, "steadystate", fio_steady(j));
    json_put(o, "benchtop", ours_json(j, r->whole));
    return o;
}

static struct json *jobs_json(const struct result *r)
{
    struct json *rows = json_array();
    for (size_t i = 0; i < r->njobs; i++)
        json_add(rows, job_json(r, r->job[i]));
    return rows;
}

static struct json *disk_json(const struct frame_dev *d, uint64_t dt_ns)
{
    struct json *o = json_object();
    const struct frame_dev_delta *v = &d->delta;
    const struct {
        const char *key;
        uint64_t value;
    } row[] = {
        {"read_ios", v->reads},
        {"write_ios", v->writes},
        {"read_merges", v->read_merges},
        {"write_merges", v->write_merges},
        {"read_sectors", v->read_sectors},
        {"write_sectors", v->write_sectors},
        {"read_ticks", v->read_ms},
        {"write_ticks", v->write_ms},
        {"in_queue", v->queue_ms},
    };
    json_put_text(o, "name", d->name);
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
        put_ns(o, row[i].key, v->have ? (double)row[i].value : NAN);
    json_put_num(o, "util", v->have && dt_ns ? (double)v->io_ticks_ms * 100 * NSEC_PER_MSEC / (double)dt_ns : NAN);
    return o;
}

/* The device of each target, each device once. */
static struct json *disks_json(const struct result *r)
{
    struct json *rows = json_array();
    for (size_t d = 0; r->whole && d < r->whole->ndevs; d++) {
        const struct frame_dev *dev = &r->whole->devs[d];
        if (result_uses(r, dev))
            json_add(rows, disk_json(dev, r->whole->dt_ns));
    }
    return rows;
}

static void put_time(struct json *o, uint64_t real_ns)
{
    char text[64] = "";
    struct tm tm;
    time_t t = (time_t)(real_ns / NSEC_PER_SEC);
    if (localtime_r(&t, &tm))
        strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm);
    json_put_u64(o, "timestamp", real_ns / NSEC_PER_SEC);
    json_put_u64(o, "timestamp_ms", real_ns / NSEC_PER_MSEC);
    json_put_text(o, "time", text);
}

static struct json *machine_json(const struct result *r)
{
    const struct frame *f = r->whole;
    struct json *o = json_object(), *devs = json_array(), *cpus = json_array(), *events = json_array();
    json_put(o, "host", f && f->nhosts ? frame_json_host(&f->hosts[0]) : NULL);
    for (size_t i = 0; f && i < f->ndevs; i++)
        json_add(devs, frame_json_dev(&f->devs[i]));
    for (size_t i = 0; f && i < f->ncpus; i++)
        json_add(cpus, frame_json_cpu(&f->cpus[i]));
    for (size_t i = 0; r->events && i < r->events->n; i++)
        json_add(events, frame_json_event(&r->events->event[i]));
    json_put(o, "devices", devs);
    json_put(o, "cpus", cpus);
    json_put(o, "layers", json_array());
    json_put(o, "foreign", json_array());
    json_put(o, "events", events);
    json_put_bool(o, "aborted", r->aborted);
    json_put_null(o, "run_id");
    return o;
}

struct json *result_json(const struct result *r)
{
    struct json *o = json_object();
    json_put_text(o, "benchtop version", "benchtop-" BENCHTOP_VERSION);
    put_time(o, r->real_ns);
    fio_put_global(o, r);
    json_put(o, "jobs", jobs_json(r));
    json_put(o, "disk_util", disks_json(r));
    json_put(o, "benchtop", machine_json(r));
    return o;
}
