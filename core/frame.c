/* frame: builds the rows of a frame, all unknown at first, and finds them again.
 * Whose memory it is and how long it lives: frame_pool.c. */
#include "core/frame.h"

#include <math.h>
#include <string.h>

const char *frame_load_state_name(enum frame_load_state s)
{
    static const char *const names[] = {
        [LOAD_READY] = "ready",       [LOAD_LAYOUT] = "layout", [LOAD_RAMP] = "ramp",
        [LOAD_RUNNING] = "running",   [LOAD_PAUSED] = "paused", [LOAD_STALLED] = "stalled",
        [LOAD_STOPPING] = "stopping", [LOAD_DONE] = "done",     [LOAD_FAILED] = "failed",
    };
    return (size_t)s < sizeof names / sizeof *names ? names[s] : "";
}

static const struct frame_cpu unknown_cpu = {
    .package = -1,
    .die = -1,
    .core = -1,
    .user_pct = NAN,
    .nice_pct = NAN,
    .guest_pct = NAN,
    .system_pct = NAN,
    .iowait_pct = NAN,
    .irq_pct = NAN,
    .softirq_pct = NAN,
    .steal_pct = NAN,
    .idle_pct = NAN,
    .busy_pct = NAN,
    .mhz = NAN,
    .temp_c = NAN,
};

static const struct frame_dev unknown_dev = {
    .name = "",
    .diskseq = -1,
    .kind = "",
    .parent = "",
    .backing_file = "",
    .label = "",
    .model = "",
    .serial = "",
    .scheduler = "",
    .rotational = -1,
    .size_bytes = NAN,
    .stats = FRAME_UNKNOWN,
    .state = FRAME_DEV_UNKNOWN,
    .read_iops = NAN,
    .write_iops = NAN,
    .discard_iops = NAN,
    .flush_iops = NAN,
    .read_bytes_per_s = NAN,
    .write_bytes_per_s = NAN,
    .discard_bytes_per_s = NAN,
    .read_merged_per_s = NAN,
    .write_merged_per_s = NAN,
    .read_await_ms = NAN,
    .write_await_ms = NAN,
    .discard_await_ms = NAN,
    .flush_await_ms = NAN,
    .read_req_bytes = NAN,
    .write_req_bytes = NAN,
    .inflight = NAN,
    .queue_depth = NAN,
    .busy_pct = NAN,
    .errors = NAN,
    .temp_c = NAN,
};

static const struct frame_sensor unknown_sensor = {
    .chip = "",
    .label = "",
    .kind = "",
    .value = NAN,
    .unit = "",
    .age_s = NAN,
};

#define NO_LAT                                                                                                    \
    {                                                                                                             \
        .p50 = NAN, .p90 = NAN, .p99 = NAN, .p999 = NAN, .max = NAN, .mean = NAN, .min = NAN,                     \
    }

static const struct frame_dir unknown_dir = {
    .iops = NAN,
    .bytes_per_s = NAN,
    .clat = NO_LAT,
    .rlat = NO_LAT,
    .clat_total = NO_LAT,
};

static const struct frame_load unknown_load = {
    .name = "",
    .rw = "",
    .ioengine = "",
    .filename = "",
    .inflight = NAN,
    .error = "",
    .stalled_s = NAN,
    .layout_pct = NAN,
    .elapsed_s = NAN,
    .runtime_s = NAN,
    .cpu_pct = NAN,
    .helpers_pct = NAN,
};

static const struct frame unknown_frame = {
    .smt = {.control = "", .active = FRAME_UNKNOWN, .threads_per_core = -1},
    .totals = FRAME_TOTALS_UNKNOWN,
    .memory = {NAN, NAN, NAN, NAN, NAN},
    .pressure_cpu = {NAN, NAN, ""},
    .pressure_io = {NAN, NAN, ""},
    .pressure_memory = {NAN, NAN, ""},
    .self = {.cpu_pct = NAN, .sample_us = NAN},
};

void frame_clear(struct frame *f)
{
    static const struct frame_host this_machine = {"", "", ""};
    struct frame_arena *arena = f->arena;
    *f = unknown_frame;
    f->arena = arena;
    f->cpu_total = unknown_cpu;
    f->hosts = &this_machine;
    f->nhosts = 1;
}

/* n copies of one row. */
static void *rows_new(struct frame *f, size_t n, const void *row, size_t size)
{
    char *rows = frame_alloc(f, n * size);
    for (size_t i = 0; i < n; i++)
        memcpy(rows + i * size, row, size);
    return rows;
}

struct frame_cpu *frame_cpus_new(struct frame *f, size_t n)
{
    struct frame_cpu *rows = rows_new(f, n, &unknown_cpu, sizeof unknown_cpu);
    f->cpus = rows;
    f->ncpus = n;
    return rows;
}

struct frame_dev *frame_devs_new(struct frame *f, size_t n)
{
    struct frame_dev *rows = rows_new(f, n, &unknown_dev, sizeof unknown_dev);
    f->devs = rows;
    f->ndevs = n;
    return rows;
}

struct frame_sensor *frame_sensors_new(struct frame *f, size_t n)
{
    struct frame_sensor *rows = rows_new(f, n, &unknown_sensor, sizeof unknown_sensor);
    f->sensors = rows;
    f->nsensors = n;
    return rows;
}

struct frame_load *frame_load_new(struct frame *f, size_t n)
{
    struct frame_load *rows = rows_new(f, n, &unknown_load, sizeof unknown_load);
    for (size_t i = 0; i < n; i++)
        for (int d = 0; d < FRAME_DDIRS; d++)
            rows[i].dir[d] = unknown_dir;
    f->load = rows;
    f->nload = n;
    return rows;
}

struct frame_target *frame_targets_new(struct frame *f, size_t n)
{
    struct frame_target *rows = frame_alloc(f, n * sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        rows[i].name = rows[i].device = "";
        for (int d = 0; d < FRAME_DDIRS; d++)
            rows[i].dir[d] = unknown_dir;
    }
    return rows;
}

struct frame_lat frame_lat_of(const struct hist *h)
{
    static const double pct[] = {50, 90, 99, 99.9};
    struct frame_lat lat = NO_LAT;
    lat.n = hist_n(h);
    if (lat.n == 0)
        return lat;
    double v[4];
    hist_percentiles(h, pct, 4, v);
    lat.p50 = v[0];
    lat.p90 = v[1];
    lat.p99 = v[2];
    lat.p999 = v[3];
    lat.max = (double)h->max;
    lat.min = (double)h->min;
    lat.mean = hist_mean(h);
    return lat;
}

struct hist_sparse frame_hist(struct frame *f, const struct hist *h)
{
    size_t n = hist_nonempty(h);
    struct hist_bin *bin = frame_alloc(f, n * sizeof *bin);
    hist_bins(h, bin, n);
    return (struct hist_sparse){.n = n, .bin = bin};
}

const struct frame_dev *frame_find_dev(const struct frame *f, const char *name)
{
    for (size_t i = 0; i < f->ndevs; i++)
        if (strcmp(f->devs[i].name, name) == 0)
            return &f->devs[i];
    return NULL;
}

const struct frame_cpu *frame_find_cpu(const struct frame *f, unsigned id)
{
    for (size_t i = 0; i < f->ncpus; i++)
        if (f->cpus[i].id == id)
            return &f->cpus[i];
    return NULL;
}
