/* cpu: the source that turns two readings of /proc/stat into CPU rows.
 * Parsing is cpustat.c, topology topology.c, clocks cpuinfo.c. */
#include "monitors/cpu.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/frame.h"
#include "core/str.h"
#include "core/sysroot.h"
#include "monitors/cpuinfo.h"
#include "monitors/cpustat.h"
#include "monitors/topology.h"

struct cpu_monitor {
    const struct sysroot *root;
    struct cpustat before, now;
    struct topology topo;
    struct cpuinfo *info;
    struct strbuf text;
    char name[256], kernel[256], model[256];
};

static void monitor_close(void *state)
{
    struct cpu_monitor *m = state;
    if (!m)
        return;
    cpustat_fini(&m->before);
    cpustat_fini(&m->now);
    topology_fini(&m->topo);
    cpuinfo_free(m->info);
    strbuf_fini(&m->text);
    free(m);
}

static int monitor_open(const struct source_env *env, void **ret_state, struct err *err)
{
    struct cpu_monitor *m = calloc(1, sizeof *m);
    if (m)
        m->info = cpuinfo_new(env->root);
    if (!m || !m->info) {
        monitor_close(m);
        return err_set(err, -ENOMEM, "cpu: out of memory");
    }
    m->root = env->root;
    sysroot_text(m->root, m->name, sizeof m->name, "proc/sys/kernel/hostname");
    sysroot_text(m->root, m->kernel, sizeof m->kernel, "proc/sys/kernel/osrelease");
    cpuinfo_model(m->root, m->model, sizeof m->model);
    *ret_state = m;
    return 0;
}

static void monitor_poll(void *state)
{
    struct cpu_monitor *m = state;
    cpuinfo_poll(m->info);
}

static void put_host(const struct cpu_monitor *m, struct frame *f)
{
    struct frame_host *h = frame_alloc(f, sizeof *h);
    h->name = frame_text(f, m->name);
    h->kernel = frame_text(f, m->kernel);
    h->cpu_model = frame_text(f, m->model);
    f->hosts = h;
    f->nhosts = 1;
}

static void put_smt(const struct topology *t, struct frame *f)
{
    f->smt.control = frame_text(f, t->smt_control);
    f->smt.active = t->smt_active;
    f->smt.threads_per_core = t->threads_per_core;
}

static void put_siblings(struct frame *f, const struct cpulist *s, struct frame_cpu *row)
{
    size_t n = cpulist_count(s);
    uint16_t *ids = n ? frame_alloc(f, n * sizeof *ids) : NULL;
    size_t i = 0;
    for (int cpu = -1; (cpu = cpulist_next(s, cpu)) >= 0;)
        ids[i++] = (uint16_t)cpu;
    row->siblings = ids;
    row->nsiblings = n;
}

static void put_topology(struct frame *f, const struct topology *t, unsigned id, struct frame_cpu *row)
{
    const struct topology_cpu *c = &t->cpu[id];
    row->id = id;
    row->online = cpulist_has(&t->online, id);
    row->package = c->package;
    row->die = c->die;
    row->core = c->core;
    put_siblings(f, &c->siblings, row);
}

/* Percent of one CPU, when it was there at both ends of the interval. */
static void put_rates(const struct cpu_monitor *m, struct frame_cpu *row, struct cpu_times *sum)
{
    if (!row->online || !cpulist_has(&m->before.online, row->id) || !cpulist_has(&m->now.online, row->id))
        return;
    struct cpu_times d = cpu_times_delta(&m->before.cpu[row->id], &m->now.cpu[row->id]);
    cpu_times_percent(&d, row);
    cpu_times_add(sum, &d);
}

static void put_rows(struct cpu_monitor *m, struct frame *f)
{
    struct cpu_times sum = {0};
    size_t n = 0, k = 0;
    for (size_t i = 0; i < m->topo.n; i++)
        n += m->topo.cpu[i].exists;
    struct frame_cpu *rows = frame_cpus_new(f, n);
    double *mhz = frame_alloc(f, m->topo.n * sizeof *mhz);
    cpuinfo_mhz(m->info, mhz, m->topo.n);
    for (unsigned id = 0; id < m->topo.n; id++) {
        if (!m->topo.cpu[id].exists)
            continue;
        struct frame_cpu *row = &rows[k++];
        put_topology(f, &m->topo, id, row);
        row->mhz = row->online ? mhz[id] : NAN;
        put_rates(m, row, &sum);
    }
    /* A machine that shows no line per CPU still has its sum. */
    if (cpulist_count(&m->now.online) == 0 && m->now.have_all && m->before.have_all)
        sum = cpu_times_delta(&m->before.all, &m->now.all);
    cpu_times_percent(&sum, &f->cpu_total);
    f->cpu_total.online = true;
}

static void monitor_sample(void *state, struct frame *f)
{
    struct cpu_monitor *m = state;
    struct cpustat old = m->before;
    m->before = m->now;
    m->now = old;
    if (sysroot_read(m->root, &m->text, "proc/stat") < 0)
        strbuf_reset(&m->text);
    if (cpustat_parse(&m->now, m->text.s ? m->text.s : "") < 0)
        m->now.online = (struct cpulist){0};
    topology_update(&m->topo, m->root, &m->now.online);
    put_host(m, f);
    put_smt(&m->topo, f);
    put_rows(m, f);
}

const struct source cpu_source = {
    .name = "cpu",
    .blurb = "Load, clock and topology of every logical CPU, and whether SMT is on",
    .period_ns = 2 * NSEC_PER_SEC,
    .open = monitor_open,
    .poll = monitor_poll,
    .sample = monitor_sample,
    .close = monitor_close,
};
