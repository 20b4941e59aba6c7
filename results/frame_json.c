/* frame_json: frame -> JSON by tables of key and offset.
 * Computes no number: what the sources did not write is null. */
#include "results/frame_json.h"

#include <math.h>
#include <stddef.h>

struct num_key { /* a double of a row under its JSON name */
    const char *key;
    size_t at;
};
#define NUM(type, member) {#member, offsetof(struct type, member)}
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define PUT_NUMS(obj, row, table) put_nums(obj, row, table, COUNT(table))

static void put_nums(struct json *obj, const void *row, const struct num_key *key, size_t n)
{
    for (size_t i = 0; i < n; i++)
        json_put_num(obj, key[i].key, *(const double *)((const char *)row + key[i].at));
}

static void put_text(struct json *obj, const char *key, const char *s) /* "" is unknown */
{
    json_put_text(obj, key, s && s[0] ? s : NULL);
}

static void put_int(struct json *obj, const char *key, int64_t v) /* negative is unknown */
{
    if (v < 0)
        json_put_null(obj, key);
    else
        json_put_i64(obj, key, v);
}

struct json *frame_json_host(const struct frame_host *h)
{
    struct json *o = json_object();
    put_text(o, "name", h->name);
    put_text(o, "kernel", h->kernel);
    put_text(o, "cpu_model", h->cpu_model);
    return o;
}

static struct json *smt_json(const struct frame_smt *s)
{
    struct json *o = json_object();
    put_text(o, "control", s->control);
    json_put_tri(o, "active", s->active);
    put_int(o, "threads_per_core", s->threads_per_core);
    return o;
}

static const struct num_key cpu_nums[] = {
    NUM(frame_cpu, user_pct),   NUM(frame_cpu, nice_pct), NUM(frame_cpu, guest_pct),   NUM(frame_cpu, system_pct),
    NUM(frame_cpu, iowait_pct), NUM(frame_cpu, irq_pct),  NUM(frame_cpu, softirq_pct), NUM(frame_cpu, steal_pct),
    NUM(frame_cpu, idle_pct),   NUM(frame_cpu, busy_pct), NUM(frame_cpu, mhz),         NUM(frame_cpu, temp_c),
};

struct json *frame_json_cpu(const struct frame_cpu *c)
{
    struct json *o = json_object(), *siblings = json_array();
    json_put_u64(o, "host", c->host);
    json_put_u64(o, "id", c->id);
    json_put_bool(o, "online", c->online);
    put_int(o, "package", c->package);
    put_int(o, "die", c->die);
    put_int(o, "core", c->core);
    for (size_t i = 0; i < c->nsiblings; i++)
        json_add_u64(siblings, c->siblings[i]);
    json_put(o, "siblings", siblings);
    PUT_NUMS(o, c, cpu_nums);
    return o;
}

static const struct num_key dev_nums[] = {
    NUM(frame_dev, read_iops),           NUM(frame_dev, write_iops),         NUM(frame_dev, discard_iops),
    NUM(frame_dev, flush_iops),          NUM(frame_dev, read_bytes_per_s),   NUM(frame_dev, write_bytes_per_s),
    NUM(frame_dev, discard_bytes_per_s), NUM(frame_dev, read_merged_per_s),  NUM(frame_dev, write_merged_per_s),
    NUM(frame_dev, read_await_ms),       NUM(frame_dev, write_await_ms),     NUM(frame_dev, discard_await_ms),
    NUM(frame_dev, flush_await_ms),      NUM(frame_dev, read_req_bytes),     NUM(frame_dev, write_req_bytes),
    NUM(frame_dev, inflight),            NUM(frame_dev, queue_depth),        NUM(frame_dev, busy_pct),
    NUM(frame_dev, errors),              NUM(frame_dev, temp_c),
};

static const char *const dev_states[] = {
    [FRAME_DEV_IDLE] = "idle", [FRAME_DEV_ACTIVE] = "active",  [FRAME_DEV_STALLED] = "stalled",
    [FRAME_DEV_GONE] = "gone", [FRAME_DEV_UNKNOWN] = NULL,
};

static const char *on_off(enum frame_tri v)
{
    return v == FRAME_UNKNOWN ? NULL : v == FRAME_YES ? "on" : "off";
}

struct json *frame_json_dev(const struct frame_dev *d)
{
    struct json *o = json_object(), *members = json_array();
    json_put_u64(o, "host", d->host);
    json_put_text(o, "name", d->name);
    json_put_u64(o, "major", d->major);
    json_put_u64(o, "minor", d->minor);
    put_int(o, "diskseq", d->diskseq);
    put_text(o, "kind", d->kind);
    put_text(o, "parent", d->parent);
    for (size_t i = 0; i < d->nmembers; i++)
        json_add_text(members, d->members[i]);
    json_put(o, "members", members);
    put_text(o, "backing_file", d->backing_file);
    put_text(o, "label", d->label);
    put_text(o, "model", d->model);
    put_text(o, "serial", d->serial);
    put_text(o, "scheduler", d->scheduler);
    json_put_tri(o, "rotational", d->rotational);
    json_put_num(o, "size_bytes", d->size_bytes);
    json_put_bool(o, "hidden", d->hidden);
    json_put_bool(o, "leaf", d->leaf);
    json_put_text(o, "stats", on_off(d->stats));
    json_put_text(o, "state", dev_states[d->state]);
    PUT_NUMS(o, d, dev_nums);
    return o;
}

static const struct num_key total_nums[] = {
    NUM(frame_totals, read_iops),         NUM(frame_totals, write_iops),
    NUM(frame_totals, discard_iops),      NUM(frame_totals, read_bytes_per_s),
    NUM(frame_totals, write_bytes_per_s), NUM(frame_totals, discard_bytes_per_s),
    NUM(frame_totals, flush_iops),        NUM(frame_totals, read_merged_per_s),
    NUM(frame_totals, write_merged_per_s),
};

static const struct num_key memory_nums[] = {
    NUM(frame_memory, total_bytes),     NUM(frame_memory, available_bytes), NUM(frame_memory, dirty_bytes),
    NUM(frame_memory, writeback_bytes), NUM(frame_memory, cached_bytes),
};

static struct json *nums_json(const void *row, const struct num_key *key, size_t n)
{
    struct json *o = json_object();
    put_nums(o, row, key, n);
    return o;
}

static struct json *sensor_json(const struct frame_sensor *s)
{
    struct json *o = json_object();
    put_text(o, "chip", s->chip);
    put_text(o, "label", s->label);
    put_text(o, "kind", s->kind);
    json_put_num(o, "value", s->value);
    put_text(o, "unit", s->unit);
    json_put_bool(o, "fault", s->fault);
    json_put_num(o, "age_s", s->age_s);
    return o;
}

static struct json *pressure_row(const struct frame_pressure *p)
{
    struct json *o = json_object();
    json_put_num(o, "some_pct", p->some_pct);
    json_put_num(o, "full_pct", p->full_pct);
    put_text(o, "state", p->state);
    return o;
}

static struct json *pressure_json(const struct frame *f)
{
    struct json *o = json_object();
    json_put(o, "cpu", pressure_row(&f->pressure_cpu));
    json_put(o, "io", pressure_row(&f->pressure_io));
    json_put(o, "memory", pressure_row(&f->pressure_memory));
    return o;
}

static struct json *gauge_json(const struct frame_gauge *g)
{
    struct json *o = json_object();
    put_text(o, "source", g->source);
    put_text(o, "name", g->name);
    put_text(o, "unit", g->unit);
    json_put_num(o, "value", g->value);
    return o;
}

static const struct num_key lat_nums[] = {
    NUM(frame_lat, p50), NUM(frame_lat, p90),  NUM(frame_lat, p99), NUM(frame_lat, p999),
    NUM(frame_lat, max), NUM(frame_lat, mean), NUM(frame_lat, min),
};

static struct json *lat_json(const struct frame_lat *l)
{
    struct json *o = json_object();
    json_put_u64(o, "n", l->n);
    PUT_NUMS(o, l, lat_nums);
    return o;
}

/* The keys of one direction: read_iops, write_iops … */
struct dir_keys {
    const char *iops, *bytes_per_s, *total_ios, *total_bytes, *clat, *rlat;
};
#define DIR_KEYS(d) \
    {d "_iops", d "_bytes_per_s", d "_total_ios", d "_total_bytes", d "_clat_ns", d "_rlat_ns"}
static const struct dir_keys dir_keys[FRAME_DDIRS] = {
    [FRAME_READ] = DIR_KEYS("read"), [FRAME_WRITE] = DIR_KEYS("write"), [FRAME_TRIM] = DIR_KEYS("trim")};

static void put_dirs(struct json *o, const struct frame_dir *dir)
{
    for (int d = 0; d < FRAME_DDIRS; d++) {
        json_put_num(o, dir_keys[d].iops, dir[d].iops);
        json_put_num(o, dir_keys[d].bytes_per_s, dir[d].bytes_per_s);
    }
    for (int d = 0; d < FRAME_DDIRS; d++) {
        json_put_u64(o, dir_keys[d].total_ios, dir[d].total_ios);
        json_put_u64(o, dir_keys[d].total_bytes, dir[d].total_bytes);
    }
    for (int d = 0; d < FRAME_DDIRS; d++) {
        json_put(o, dir_keys[d].clat, lat_json(&dir[d].clat));
        json_put(o, dir_keys[d].rlat, lat_json(&dir[d].rlat));
    }
}

static struct json *target_json(const struct frame_target *t)
{
    struct json *o = json_object();
    put_text(o, "name", t->name);
    put_text(o, "device", t->device);
    put_dirs(o, t->dir);
    return o;
}

static void put_job_words(struct json *o, const struct frame_load *l)
{
    json_put_text(o, "name", l->name);
    json_put_text(o, "state", frame_load_state_name(l->state));
    put_text(o, "rw", l->rw);
    json_put_u64(o, "bs", l->bs);
    json_put_u64(o, "iodepth", l->iodepth);
    json_put_u64(o, "numjobs", l->numjobs);
    json_put_u64(o, "rwmixread", l->rwmixread);
    json_put_u64(o, "rate_iops", l->rate_iops);
    json_put_u64(o, "rate", l->rate_bytes);
    put_text(o, "ioengine", l->ioengine);
    put_text(o, "filename", l->filename);
    json_put_bool(o, "direct", l->direct);
    json_put_u64(o, "version", l->version);
}

struct json *frame_json_load(const struct frame_load *l)
{
    struct json *o = json_object(), *targets = json_array();
    put_job_words(o, l);
    put_dirs(o, l->dir);
    json_put_num(o, "inflight", l->inflight);
    for (size_t i = 0; i < l->ntargets; i++)
        json_add(targets, target_json(&l->targets[i]));
    json_put(o, "targets", targets);
    json_put_u64(o, "errors", l->errors);
    put_text(o, "error", l->error);
    json_put_num(o, "stalled_s", l->stalled_s);
    json_put_num(o, "layout_pct", l->layout_pct);
    json_put_num(o, "elapsed_s", l->elapsed_s);
    json_put_num(o, "runtime_s", l->runtime_s);
    json_put_num(o, "cpu_pct", l->cpu_pct);
    json_put_num(o, "helpers_pct", l->helpers_pct);
    return o;
}

struct json *frame_json_event(const struct frame_event *e)
{
    struct json *o = json_object();
    json_put_u64(o, "time_ns", e->time_ns);
    put_text(o, "kind", e->kind);
    put_text(o, "text", e->text);
    return o;
}

static struct json *self_json(const struct frame_self *s)
{
    struct json *o = json_object();
    json_put_num(o, "cpu_pct", s->cpu_pct);
    json_put_u64(o, "frames", s->frames);
    json_put_u64(o, "missed", s->missed);
    json_put_num(o, "sample_us", s->sample_us);
    return o;
}

static struct json *bottleneck_json(void) /* nothing judges yet: unknown */
{
    struct json *o = json_object();
    json_put_null(o, "text");
    json_put(o, "evidence", json_array());
    return o;
}

/* An array of n rows of one section. */
#define PUT_ROWS(obj, key, rows, n, row_json)                                                                   \
    do {                                                                                                        \
        struct json *rows_ = json_array();                                                                      \
        for (size_t i_ = 0; i_ < (n); i_++)                                                                     \
            json_add(rows_, row_json(&(rows)[i_]));                                                             \
        json_put(obj, key, rows_);                                                                              \
    } while (0)

static void put_machine(struct json *o, const struct frame *f)
{
    json_put(o, "smt", smt_json(&f->smt));
    PUT_ROWS(o, "cpus", f->cpus, f->ncpus, frame_json_cpu);
    json_put(o, "cpu_total", nums_json(&f->cpu_total, cpu_nums, COUNT(cpu_nums)));
    PUT_ROWS(o, "devices", f->devs, f->ndevs, frame_json_dev);
    json_put(o, "totals", nums_json(&f->totals, total_nums, COUNT(total_nums)));
    json_put(o, "md", json_array());
    PUT_ROWS(o, "sensors", f->sensors, f->nsensors, sensor_json);
    json_put(o, "memory", nums_json(&f->memory, memory_nums, COUNT(memory_nums)));
    json_put(o, "pressure", pressure_json(f));
    json_put(o, "nfs", json_array());
    json_put(o, "irq", json_array());
    PUT_ROWS(o, "gauges", f->gauges, f->ngauges, gauge_json);
}

struct json *frame_json(const struct frame *f)
{
    struct json *o = json_object();
    json_put_u64(o, "time_ns", f->time_ns);
    json_put_u64(o, "dt_ns", f->dt_ns);
    json_put_u64(o, "seq", f->seq);
    PUT_ROWS(o, "hosts", f->hosts, f->nhosts, frame_json_host);
    json_put_bool(o, "discontinuity", f->discontinuity);
    put_machine(o, f);
    PUT_ROWS(o, "load", f->load, f->nload, frame_json_load);
    json_put(o, "layers", json_array());
    json_put(o, "foreign", json_array());
    json_put(o, "bottleneck", bottleneck_json());
    PUT_ROWS(o, "events", f->events, f->nevents, frame_json_event);
    json_put(o, "self", self_json(&f->self));
    return o;
}
