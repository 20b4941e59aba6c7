/* cpustat: parses the cpu lines of /proc/stat and turns differences into percent.
 * Keeps no previous reading; that is cpu.c. */
#include "monitors/cpustat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

static int make_room(struct cpustat *s, size_t n)
{
    if (n <= s->n)
        return 0;
    struct cpu_times *grown = reallocarray(s->cpu, n, sizeof *grown);
    if (!grown)
        return -ENOMEM;
    memset(grown + s->n, 0, (n - s->n) * sizeof *grown);
    s->cpu = grown;
    s->n = n;
    return 0;
}

static struct cpu_times take_times(const char *p)
{
    struct cpu_times t = {0};
    for (size_t i = 0; i < CPU_FIELDS && str_next_u64(&p, &t.f[i]); i++)
        ;
    return t;
}

/* "cpu  1 2 …" or "cpu3 1 2 …"; the number comes from the label, never from the line's place. */
static int take_line(struct cpustat *s, const char *p)
{
    uint64_t id;
    if (*p == ' ') {
        s->all = take_times(p);
        s->have_all = true;
        return 0;
    }
    if (!str_next_u64(&p, &id) || *p != ' ' || id >= CPULIST_CPUS)
        return 0;
    int rc = make_room(s, (size_t)id + 1);
    if (rc < 0)
        return rc;
    s->cpu[id] = take_times(p);
    cpulist_add(&s->online, (unsigned)id);
    return 0;
}

int cpustat_parse(struct cpustat *s, const char *text)
{
    int rc = 0;
    s->online = (struct cpulist){0};
    s->have_all = false;
    for (const char *p = text; p && rc == 0; p = (p = strchr(p, '\n')) ? p + 1 : NULL)
        if (str_starts(p, "cpu"))
            rc = take_line(s, p + strlen("cpu"));
    return rc;
}

void cpustat_fini(struct cpustat *s)
{
    free(s->cpu);
    *s = (struct cpustat){0};
}

struct cpu_times cpu_times_delta(const struct cpu_times *before, const struct cpu_times *now)
{
    struct cpu_times d;
    for (size_t i = 0; i < CPU_FIELDS; i++)
        d.f[i] = now->f[i] > before->f[i] ? now->f[i] - before->f[i] : 0;
    return d;
}

void cpu_times_add(struct cpu_times *sum, const struct cpu_times *t)
{
    for (size_t i = 0; i < CPU_FIELDS; i++)
        sum->f[i] += t->f[i];
}

static double at_most(uint64_t a, uint64_t b)
{
    return (double)(a < b ? a : b);
}

void cpu_times_percent(const struct cpu_times *delta, struct frame_cpu *row)
{
    const uint64_t *f = delta->f;
    double total = 0, busy = 0;
    for (size_t i = 0; i <= CPU_STEAL; i++) {
        total += (double)f[i];
        busy += i == CPU_IDLE || i == CPU_IOWAIT ? 0 : (double)f[i]; /* subtracting would leave -1e-16 */
    }
    if (total == 0)
        return;
    /* The kernel adds to guest and to user one after the other: guest may be ahead for a moment. */
    double guest = at_most(f[CPU_GUEST], f[CPU_USER]);
    double guest_nice = at_most(f[CPU_GUEST_NICE], f[CPU_NICE]);
    double pct = 100 / total;
    row->user_pct = ((double)f[CPU_USER] - guest) * pct;
    row->nice_pct = ((double)f[CPU_NICE] - guest_nice) * pct;
    row->guest_pct = (guest + guest_nice) * pct;
    row->system_pct = (double)f[CPU_SYSTEM] * pct;
    row->iowait_pct = (double)f[CPU_IOWAIT] * pct;
    row->irq_pct = (double)f[CPU_IRQ] * pct;
    row->softirq_pct = (double)f[CPU_SOFTIRQ] * pct;
    row->steal_pct = (double)f[CPU_STEAL] * pct;
    row->idle_pct = (double)f[CPU_IDLE] * pct;
    row->busy_pct = busy * pct;
}
