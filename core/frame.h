/* frame: what one tick saw: the machine and the load, as plain values. Sources write it, views read it.
 * Once published a frame never changes. It reads nothing and draws nothing.
 *
 * Conventions: NAN = unknown (drawn "--", JSON null); rates are per second; percent of one CPU is 0-100;
 * texts are "" when unknown; int fields use -1 for unknown where said. All memory of a frame comes from its
 * own arena and lives exactly as long as the frame. */
#ifndef CORE_FRAME_H
#define CORE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hist.h"

/* Names of one machine (host index 0 is this one). */
struct frame_host {
    const char *name, *kernel, *cpu_model;
};

enum frame_tri { FRAME_UNKNOWN = -1, FRAME_NO = 0, FRAME_YES = 1 };

struct frame_smt {
    const char *control;   /* smt/control's own word, "" when the file is missing */
    enum frame_tri active; /* smt/active; where missing, from the siblings of online CPUs */
    int threads_per_core;  /* largest sibling set ever seen online; -1 unknown */
};

struct frame_cpu {
    unsigned host, id;     /* id is N of cpuN; there are gaps */
    bool online;
    int package, die, core;/* as in sysfs; -1 unknown. core is unique within (package, die) only */
    const uint16_t *siblings; /* CPUs of the same core, this one too, ascending; as last seen online */
    size_t nsiblings;
    double user_pct, nice_pct, guest_pct, system_pct, iowait_pct, irq_pct, softirq_pct, steal_pct, idle_pct;
    double busy_pct;       /* 100 - idle - iowait of the clamped total */
    double mhz, temp_c;
};

enum frame_dev_state { FRAME_DEV_IDLE, FRAME_DEV_ACTIVE, FRAME_DEV_STALLED, FRAME_DEV_GONE, FRAME_DEV_UNKNOWN };

/* Counter differences over the interval, as diskstats counts (sectors of 512 B, ms). */
struct frame_dev_delta {
    bool have; /* false: no two comparable samples */
    uint64_t reads, read_merges, read_sectors, read_ms;
    uint64_t writes, write_merges, write_sectors, write_ms;
    uint64_t discards, discard_sectors, discard_ms, flushes, flush_ms;
    uint64_t io_ticks_ms, queue_ms;
};

struct frame_dev {
    unsigned host;
    const char *name;           /* as in diskstats ("cciss/c0d0") */
    unsigned major, minor;
    int64_t diskseq;            /* -1 unknown */
    const char *kind;           /* disk, partition, dm, md, loop, nvme, nvme-path, zram, ram, nbd, rom, nfs … */
    const char *parent;         /* a partition's disk, a path's head, "" = none */
    const char *const *members; /* what it is stacked on (slaves, backing device of a loop); names */
    size_t nmembers;
    const char *backing_file;   /* of a loop, "" otherwise */
    const char *label;          /* dm's own name ("vg0-root"), which outlives its dm-N; "" otherwise */
    const char *model, *serial, *scheduler;
    int rotational;             /* -1 unknown */
    double size_bytes;
    bool hidden, leaf;          /* leaf: counted in totals */
    enum frame_tri stats;       /* queue/iostats on, off */
    enum frame_dev_state state;
    double read_iops, write_iops, discard_iops, flush_iops;
    double read_bytes_per_s, write_bytes_per_s, discard_bytes_per_s;
    double read_merged_per_s, write_merged_per_s;
    double read_await_ms, write_await_ms, discard_await_ms, flush_await_ms; /* NAN when nothing completed */
    double read_req_bytes, write_req_bytes;
    double inflight;            /* now, a gauge */
    double queue_depth;         /* mean over the interval (iostat's aqu-sz) */
    double busy_pct;            /* not clamped */
    double errors, temp_c;
    struct frame_dev_delta delta;
};

struct frame_totals {
    double read_iops, write_iops, discard_iops, read_bytes_per_s, write_bytes_per_s, discard_bytes_per_s;
    double flush_iops, read_merged_per_s, write_merged_per_s;
};
#define FRAME_TOTALS_UNKNOWN {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}

struct frame_sensor {
    const char *chip, *label, *kind; /* temp, fan, in, curr, power */
    double value;                    /* NAN: fault or no reading */
    const char *unit;                /* "C", "rpm", "V", "A", "W" */
    bool fault;
    double age_s;                    /* since it was read */
};

struct frame_memory {
    double total_bytes, available_bytes, dirty_bytes, writeback_bytes, cached_bytes;
};

struct frame_pressure { /* NAN percent; state "on", "off", "unsupported", "" */
    double some_pct, full_pct;
    const char *state;
};

/* A new monitor shows up on screen and in JSON without a member of its own. */
struct frame_gauge {
    const char *source, *name, *unit;
    double value;
};

enum frame_ddir { FRAME_READ, FRAME_WRITE, FRAME_TRIM, FRAME_DDIRS };

struct frame_lat { /* of completed requests; all NAN when n is 0 */
    uint64_t n;
    double p50, p90, p99, p999, max, mean, min; /* ns */
};

struct frame_dir {
    double iops, bytes_per_s;          /* this interval */
    uint64_t total_ios, total_bytes;   /* since the load started (ramp included) */
    struct frame_lat clat;             /* this interval: stamp before submit to stamp after reap */
    struct frame_lat rlat;             /* this interval: from the intended start (= clat when not paced) */
    struct frame_lat clat_total;       /* since the measured part began (after ramp_time) */
    struct hist_sparse clat_hist, clat_total_hist;
};

enum frame_load_state {
    LOAD_READY, /* prepared, not started */
    LOAD_LAYOUT,
    LOAD_RAMP,
    LOAD_RUNNING,
    LOAD_PAUSED,
    LOAD_STALLED, /* nothing completed for stalled_s although requests are in flight */
    LOAD_STOPPING,
    LOAD_DONE,
    LOAD_FAILED,
};
const char *frame_load_state_name(enum frame_load_state s); /* the contract's words */

struct frame_target {
    const char *name;   /* path as given */
    const char *device; /* name in devs[] that holds it, "" unknown */
    struct frame_dir dir[FRAME_DDIRS];
};

struct frame_load {
    const char *name;
    enum frame_load_state state;
    const char *rw, *ioengine, *filename; /* words of the job as it runs now */
    uint64_t bs, rate_iops, rate_bytes;   /* 0 = unlimited; rates per clone, as in fio */
    unsigned iodepth, numjobs, rwmixread;
    bool direct;
    struct frame_dir dir[FRAME_DDIRS];
    double inflight;
    const struct frame_target *targets;
    size_t ntargets;
    uint64_t errors;
    const char *error;    /* sentence of the first error, "" */
    double stalled_s;     /* 0 when it flows */
    double layout_pct;    /* while LOAD_LAYOUT */
    double elapsed_s, runtime_s; /* measured part; runtime_s NAN = until its data ends */
    double cpu_pct;       /* of the workers, percent of one CPU */
    double helpers_pct;   /* of the kernel's threads that work for them (iou-wrk, iou-sqp): not in cpu_pct */
    uint64_t version;     /* retunes applied so far */
};

struct frame_event {
    uint64_t time_ns; /* real time */
    const char *kind; /* "retune", "state", "error", "device", "warning" … */
    const char *text;
};

struct frame_self {
    double cpu_pct; /* the process without its workers */
    uint64_t frames, missed;
    double sample_us; /* this tick's sampling */
};

struct frame {
    uint64_t seq;
    uint64_t time_ns;  /* real time of the tick */
    uint64_t mono_ns;  /* monotonic time of the tick */
    uint64_t dt_ns;    /* since the tick before; 0 in the first frame */
    bool discontinuity;/* the machine slept or the clock jumped: rates of this frame are off */

    const struct frame_host *hosts;       size_t nhosts;
    struct frame_smt smt;
    const struct frame_cpu *cpus;         size_t ncpus;
    struct frame_cpu cpu_total;           /* all online CPUs; id and topology unused */
    const struct frame_dev *devs;         size_t ndevs;
    struct frame_totals totals;
    const struct frame_sensor *sensors;   size_t nsensors;
    struct frame_memory memory;
    struct frame_pressure pressure_cpu, pressure_io, pressure_memory;
    const struct frame_gauge *gauges;     size_t ngauges;
    const struct frame_load *load;        size_t nload;
    const struct frame_event *events;     size_t nevents; /* new in this frame, oldest first */
    struct frame_self self;

    struct frame_arena *arena; /* private */
};

/* Building: only between frame_begin and publication, by the sampler and its sources. */

/* Zeroed memory of the frame's arena (never NULL; aborts when the machine is out of memory). */
void *frame_alloc(struct frame *f, size_t bytes);
const char *frame_text(struct frame *f, const char *s); /* a copy; "" for NULL */
void frame_event(struct frame *f, uint64_t time_ns, const char *kind, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void frame_gauge(struct frame *f, const char *source, const char *name, const char *unit, double value);

/* Rows with every number NAN, every int -1, every text "" (host 0). */
struct frame_cpu *frame_cpus_new(struct frame *f, size_t n);     /* sets cpus/ncpus */
struct frame_dev *frame_devs_new(struct frame *f, size_t n);     /* sets devs/ndevs */
struct frame_sensor *frame_sensors_new(struct frame *f, size_t n);
struct frame_load *frame_load_new(struct frame *f, size_t n);
struct frame_target *frame_targets_new(struct frame *f, size_t n); /* for a load row to point at */

/* A later source may complete the rows of an earlier one (temperatures). */
static inline struct frame_cpu *frame_cpus_edit(struct frame *f)
{
    return (struct frame_cpu *)f->cpus;
}
static inline struct frame_dev *frame_devs_edit(struct frame *f)
{
    return (struct frame_dev *)f->devs;
}

struct frame_lat frame_lat_of(const struct hist *h);             /* summary of a private histogram */
struct hist_sparse frame_hist(struct frame *f, const struct hist *h);

/* Life: a pool recycles frames; reference counts are atomic. */
struct frame_pool;
struct frame_pool *frame_pool_new(void);
void frame_pool_free(struct frame_pool *p); /* frames still referenced live on until their last unref */
struct frame *frame_begin(struct frame_pool *p); /* everything unknown, one reference */
void frame_clear(struct frame *f); /* everything unknown but the arena; frame_begin has done it */
struct frame *frame_ref(const struct frame *f);
void frame_unref(const struct frame *f); /* NULL is fine */

/* Look-ups for views; NULL when absent. */
const struct frame_dev *frame_find_dev(const struct frame *f, const char *name);
const struct frame_cpu *frame_find_cpu(const struct frame *f, unsigned id);

#endif
