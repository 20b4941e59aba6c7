/* synthetic: a made-up machine under a 70/30 load, tick by tick, for tests of screens: a busy NVMe drive, a mirror
 * whose leg sdb is slow, a disk that was pulled, two packages of eight cores with SMT. Measures nothing. */
#ifndef TESTS_SYNTHETIC_H
#define TESTS_SYNTHETIC_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/frame.h"
#include "core/hist.h"

struct synthetic {
    struct frame_pool *pool;
    struct clock clock;
    uint64_t seq, dt_ns;
    bool load;     /* a running job */
    bool first;    /* no rates yet */
    unsigned cpus; /* threads; siblings are N and N + cpus/2; 0 = 32 */
    bool smt_off;
    void (*tweak)(struct frame *f, struct frame_load *l); /* last word on a frame; l is NULL without a load */
    struct hist read[2], write[2];                        /* of the interval, since the start */
};

static inline void synthetic_init(struct synthetic *s)
{
    *s = (struct synthetic){.pool = frame_pool_new(), .dt_ns = 500 * NSEC_PER_MSEC, .load = true};
    s->clock =
        (struct clock){.mono_ns = 1000 * NSEC_PER_SEC, .real_ns = 1709301767 * NSEC_PER_SEC}; /* 14:02:47 UTC */
    for (int i = 0; i < 2; i++) {
        hist_init(&s->read[i]);
        hist_init(&s->write[i]);
    }
}

/* A wave between lo and hi, the same every time. */
static inline double synthetic_wave(const struct synthetic *s, double lo, double hi)
{
    double t = (double)s->seq * 0.37;
    return lo + (hi - lo) * (0.5 + 0.3 * sin(t) + 0.2 * sin(t * 0.31));
}

static inline void synthetic_dev(struct frame *f, struct frame_dev *d, const char *name, const char *kind,
                                 double r, double w, double req)
{
    d->name = frame_text(f, name);
    d->kind = frame_text(f, kind);
    d->leaf = true;
    d->stats = FRAME_YES;
    d->state = r + w > 0 ? FRAME_DEV_ACTIVE : FRAME_DEV_IDLE;
    d->size_bytes = 960e9;
    d->model = frame_text(f, "SYNTH 960G");
    d->read_iops = r;
    d->write_iops = w;
    d->read_bytes_per_s = r * req;
    d->write_bytes_per_s = w * req;
    d->read_await_ms = r > 0 ? 0.2 : NAN;
    d->write_await_ms = w > 0 ? 0.25 : NAN;
    d->queue_depth = (r + w) * 0.00022;
    d->inflight = r + w > 0 ? 32 : 0;
    d->busy_pct = r + w > 0 ? 100 : 0;
}

static inline void synthetic_devs(struct synthetic *s, struct frame *f)
{
    static const char *legs[] = {"sda", "sdb"};
    struct frame_dev *d = frame_devs_new(f, 8);
    double busy = s->load ? 1 : 0, wave = synthetic_wave(s, 0.4, 1.0) * busy;
    bool last = s->seq >= 40; /* the ticks that tests look at have round values */
    double r = last ? 100700 * busy : 100700 * wave, w = last ? 43200 * busy : 43200 * wave;
    synthetic_dev(f, &d[0], "loop0", "loop", 0, 0, 4096);
    synthetic_dev(f, &d[1], "md0", "md", 21500, 21500, 4096);
    synthetic_dev(f, &d[2], "nvme0n1", "nvme", r, w, 4096);
    synthetic_dev(f, &d[3], "nvme0n1p1", "partition", 0, 0, 4096);
    synthetic_dev(f, &d[4], "sda", "disk", 21500, 21500, 4096);
    synthetic_dev(f, &d[5], "sdb", "disk", 0, 21500, 4096);
    synthetic_dev(f, &d[6], "sdc", "disk", 0, 0, 4096);
    synthetic_dev(f, &d[7], "sdd", "disk", 512, 0, 4096);
    d[1].members = frame_alloc(f, sizeof legs);
    ((const char **)d[1].members)[0] = frame_text(f, legs[0]);
    ((const char **)d[1].members)[1] = frame_text(f, legs[1]);
    d[1].nmembers = 2;
    d[1].leaf = false;
    d[1].model = "";
    d[3].parent = frame_text(f, "nvme0n1");
    d[3].leaf = false;
    d[2].temp_c = 54;
    d[4].temp_c = 38;
    d[5].temp_c = 39;
    d[5].write_await_ms = 2.47;
    d[5].queue_depth = 53.1;
    d[6].stats = FRAME_NO;
    d[6].read_iops = d[6].write_iops = d[6].read_bytes_per_s = d[6].write_bytes_per_s = NAN;
    d[6].state = FRAME_DEV_UNKNOWN;
    if (s->seq >= 10) {
        d[7].state = FRAME_DEV_GONE;
        d[7].read_iops = d[7].write_iops = d[7].read_bytes_per_s = d[7].write_bytes_per_s = NAN;
        d[7].inflight = d[7].queue_depth = d[7].busy_pct = NAN;
    }
    for (size_t i = 0; i < 8 && s->first; i++) {
        d[i].read_iops = d[i].write_iops = d[i].read_bytes_per_s = d[i].write_bytes_per_s = NAN;
        d[i].read_await_ms = d[i].write_await_ms = d[i].queue_depth = d[i].busy_pct = NAN;
    }
    if (!s->first)
        f->totals =
            (struct frame_totals){r + 21500, w + 43000, 0, (r + 21500) * 4096, (w + 43000) * 4096, 0, 0, 0, 0};
}

static inline void synthetic_cpus(struct synthetic *s, struct frame *f)
{
    unsigned n = s->cpus ? s->cpus : 32, half = n / 2;
    struct frame_cpu *c = frame_cpus_new(f, n);
    for (unsigned i = 0; i < n; i++) {
        uint16_t *sib = frame_alloc(f, 2 * sizeof *sib);
        sib[0] = (uint16_t)(i % half);
        sib[1] = (uint16_t)(i % half + half);
        c[i].id = i;
        c[i].package = (int)(i % half / (half / 2));
        c[i].core = (int)(i % (half / 2));
        c[i].siblings = sib;
        c[i].nsiblings = 2;
        c[i].online = !(s->smt_off && i >= half);
        c[i].busy_pct = s->first || !c[i].online ? NAN
                        : i == 0                 ? 95
                        : i == half              ? 20
                        : i < 4                  ? 50 - 10 * i
                                                 : i % 5;
        c[i].mhz = c[i].online ? 2900 : NAN;
    }
    f->smt.control = frame_text(f, s->smt_off ? "off" : "on");
    f->smt.active = s->smt_off ? FRAME_NO : FRAME_YES;
    f->smt.threads_per_core = 2;
    f->cpu_total.user_pct = s->first ? NAN : 9;
    f->cpu_total.nice_pct = f->cpu_total.guest_pct = f->cpu_total.steal_pct = s->first ? NAN : 0;
    f->cpu_total.system_pct = s->first ? NAN : 21;
    f->cpu_total.iowait_pct = s->first ? NAN : 6;
    f->cpu_total.irq_pct = s->first ? NAN : 1;
    f->cpu_total.softirq_pct = s->first ? NAN : 3;
    f->cpu_total.idle_pct = s->first ? NAN : 60;
}

static inline void synthetic_machine(struct frame *f)
{
    struct frame_sensor *t = frame_sensors_new(f, 3);
    static const struct {
        const char *chip, *label;
        double value;
    } row[] = {{"coretemp", "Package id 0", 58}, {"coretemp", "Package id 1", 56}, {"nvme", "Composite", 54}};
    for (int i = 0; i < 3; i++) {
        t[i].chip = frame_text(f, row[i].chip);
        t[i].label = frame_text(f, row[i].label);
        t[i].kind = frame_text(f, "temp");
        t[i].unit = frame_text(f, "C");
        t[i].value = row[i].value;
    }
    f->memory = (struct frame_memory){64e9, 51e9, 12e6, 0, 9e9};
    f->pressure_cpu = (struct frame_pressure){1, NAN, "on"};
    f->pressure_io = (struct frame_pressure){12, 9, "on"};
    f->pressure_memory = (struct frame_pressure){0, 0, "on"};
}

/* 190 µs in the middle, a tail to 9 ms. */
static inline void synthetic_record(struct hist *h, unsigned n)
{
    static const struct {
        uint64_t us;
        unsigned share; /* of 10000 */
    } row[] = {{98, 900}, {190, 7100}, {310, 1700}, {790, 260}, {1500, 31}, {2400, 8}, {9100, 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        hist_record(h, row[i].us * NSEC_PER_USEC, (uint64_t)row[i].share * n);
}

static inline void synthetic_dir(struct synthetic *s, struct frame *f, struct frame_dir *d, struct hist *h,
                                 double iops)
{
    hist_init(&h[0]);
    if (!s->first) {
        synthetic_record(&h[0], 5);
        hist_merge(&h[1], &h[0]);
        if (s->seq == 20)
            hist_record(&h[1], 14200 * NSEC_PER_USEC, 3);
    }
    d->iops = s->first ? NAN : iops;
    d->bytes_per_s = d->iops * 4096;
    d->total_ios = hist_n(&h[1]);
    d->total_bytes = d->total_ios * 4096;
    d->clat = frame_lat_of(&h[0]);
    d->rlat = d->clat;
    d->clat_total = frame_lat_of(&h[1]);
    d->clat_hist = frame_hist(f, &h[0]);
    d->clat_total_hist = frame_hist(f, &h[1]);
}

static inline void synthetic_load(struct synthetic *s, struct frame *f)
{
    struct frame_load *l = frame_load_new(f, 1);
    struct frame_target *t = frame_alloc(f, sizeof *t);
    l->name = frame_text(f, "mixed");
    l->state = s->first ? LOAD_READY : LOAD_RUNNING;
    l->rw = frame_text(f, "randrw");
    l->ioengine = frame_text(f, "io_uring");
    l->filename = frame_text(f, "/dev/nvme0n1");
    l->bs = 4096;
    l->iodepth = 32;
    l->numjobs = 3;
    l->rwmixread = 70;
    l->direct = true;
    l->rate_iops = 500;
    synthetic_dir(s, f, &l->dir[FRAME_READ], s->read, 100700);
    synthetic_dir(s, f, &l->dir[FRAME_WRITE], s->write, 43200);
    l->inflight = 32;
    t->name = l->filename;
    t->device = frame_text(f, "nvme0n1");
    l->targets = t;
    l->ntargets = 1;
    l->elapsed_s = s->first ? 0 : (double)s->seq / 2 + 22;
    l->runtime_s = 600;
    l->cpu_pct = 87;
}

static inline void synthetic_events(struct synthetic *s, struct frame *f)
{
    if (s->seq == 8)
        frame_event(f, s->clock.real_ns, "retune", "depth 16 → 32");
    if (s->seq == 10)
        frame_event(f, s->clock.real_ns, "device", "sdd gone, was 512 r/s");
}

/* The next tick: one reference for the caller. */
static inline struct frame *synthetic_tick(struct synthetic *s)
{
    struct frame *f = frame_begin(s->pool);
    struct frame_host *host = frame_alloc(f, sizeof *host);
    s->first = s->seq == 0;
    if (!s->first)
        clock_advance(&s->clock, s->dt_ns);
    host->name = frame_text(f, "lab7");
    host->kernel = host->cpu_model = "";
    f->hosts = host;
    f->nhosts = 1;
    f->seq = s->seq;
    f->time_ns = s->clock.real_ns;
    f->mono_ns = s->clock.mono_ns;
    f->dt_ns = s->first ? 0 : s->dt_ns;
    f->self = (struct frame_self){s->first ? NAN : 0.4, s->seq, 0, 120};
    synthetic_devs(s, f);
    synthetic_cpus(s, f);
    synthetic_machine(f);
    if (s->load)
        synthetic_load(s, f);
    synthetic_events(s, f);
    if (s->tweak)
        s->tweak(f, (struct frame_load *)f->load);
    s->seq++;
    return f;
}

#endif
