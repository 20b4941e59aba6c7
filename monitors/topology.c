/* topology: reads sys/devices/system/cpu and remembers what the kernel forgets about offline CPUs.
 * Groups by the sibling sets the kernel names, never by parity or n/2. */
#include "monitors/topology.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CPU_DIR "sys/devices/system/cpu"

static bool read_list(struct topology *t, const struct sysroot *root, const char *file, struct cpulist *ret)
{
    return sysroot_read(root, &t->text, CPU_DIR "/%s", file) == 0 && cpulist_parse(t->text.s, ret) == 0;
}

static struct cpulist online_now(struct topology *t, const struct sysroot *root, const struct cpulist *lines)
{
    struct cpulist listed;
    if (!read_list(t, root, "online", &listed))
        return *lines;
    if (cpulist_count(lines) == 0)
        return listed;
    for (size_t i = 0; i < CPULIST_CPUS / 64; i++)
        listed.word[i] &= lines->word[i];
    return listed;
}

static int make_room(struct topology *t, size_t n)
{
    if (n <= t->n)
        return 0;
    struct topology_cpu *grown = reallocarray(t->cpu, n, sizeof *grown);
    if (!grown)
        return -ENOMEM;
    for (size_t i = t->n; i < n; i++)
        grown[i] = (struct topology_cpu){.package = -1, .die = -1, .core = -1};
    t->cpu = grown;
    t->n = n;
    return 0;
}

static int add_rows(struct topology *t, const struct cpulist *s)
{
    for (int cpu = -1; (cpu = cpulist_next(s, cpu)) >= 0;) {
        int rc = make_room(t, (size_t)cpu + 1);
        if (rc < 0)
            return rc;
        t->cpu[cpu].exists = true;
    }
    return 0;
}

/* Folders "cpuN", for machines whose list files are missing. */
static struct cpulist folders(const struct sysroot *root)
{
    struct cpulist s = {0};
    char **names;
    size_t n;
    uint64_t cpu;
    if (sysroot_list(root, &names, &n, CPU_DIR) < 0)
        return s;
    for (size_t i = 0; i < n; i++)
        if (str_starts(names[i], "cpu") && str_u64(names[i] + strlen("cpu"), &cpu, NULL) == 0 &&
            cpu < CPULIST_CPUS)
            cpulist_add(&s, (unsigned)cpu);
    sysroot_free_names(names, n);
    return s;
}

static int find_rows(struct topology *t, const struct sysroot *root)
{
    struct cpulist s;
    if (!read_list(t, root, "present", &s) && !read_list(t, root, "possible", &s))
        s = folders(root);
    int rc = add_rows(t, &s);
    return rc < 0 ? rc : add_rows(t, &t->online);
}

static int read_id(const struct sysroot *root, unsigned cpu, const char *file, int before)
{
    int64_t v;
    if (sysroot_i64(root, &v, CPU_DIR "/cpu%u/topology/%s", cpu, file) < 0)
        return before;
    return v >= 0 && v <= INT32_MAX ? (int)v : -1;
}

/* While a sibling is offline the kernel leaves it out of the list: it stays in ours. */
static void merge_siblings(struct topology *t, unsigned cpu, struct cpulist now)
{
    struct cpulist *known = &t->cpu[cpu].siblings;
    cpulist_add(&now, cpu);
    for (int s = -1; (s = cpulist_next(known, s)) >= 0;)
        if (!cpulist_has(&t->online, (unsigned)s))
            cpulist_add(&now, (unsigned)s);
    *known = now;
}

static void read_siblings(struct topology *t, const struct sysroot *root, unsigned cpu)
{
    struct cpulist now;
    if (sysroot_read(root, &t->text, CPU_DIR "/cpu%u/topology/thread_siblings_list", cpu) < 0 &&
        sysroot_read(root, &t->text, CPU_DIR "/cpu%u/topology/core_cpus_list", cpu) < 0)
        return;
    if (cpulist_parse(t->text.s, &now) < 0 || cpulist_count(&now) == 0)
        return;
    if (cpulist_has(&t->online, cpu) || cpulist_count(&t->cpu[cpu].siblings) == 0)
        merge_siblings(t, cpu, now);
}

static bool same_core(const struct topology_cpu *a, const struct topology_cpu *b)
{
    return a->core >= 0 && a->core == b->core && a->die == b->die && a->package == b->package;
}

/* Without any list file the key of the core says it as well. */
static void siblings_by_key(struct topology *t, unsigned cpu)
{
    struct topology_cpu *c = &t->cpu[cpu];
    for (unsigned i = 0; i < t->n && c->core >= 0; i++)
        if (same_core(c, &t->cpu[i]))
            cpulist_add(&c->siblings, i);
}

static void read_cpus(struct topology *t, const struct sysroot *root)
{
    for (unsigned i = 0; i < t->n; i++) {
        struct topology_cpu *c = &t->cpu[i];
        if (!c->exists)
            continue;
        c->package = read_id(root, i, "physical_package_id", c->package);
        c->die = read_id(root, i, "die_id", c->die);
        c->core = read_id(root, i, "core_id", c->core);
        read_siblings(t, root, i);
    }
    for (unsigned i = 0; i < t->n; i++)
        if (t->cpu[i].exists && cpulist_count(&t->cpu[i].siblings) == 0)
            siblings_by_key(t, i);
}

static size_t most_siblings(const struct topology *t, bool online_only)
{
    size_t most = 0;
    for (unsigned i = 0; i < t->n; i++) {
        size_t n = 0;
        if (online_only && !cpulist_has(&t->online, i))
            continue;
        for (int s = -1; (s = cpulist_next(&t->cpu[i].siblings, s)) >= 0;)
            n += !online_only || cpulist_has(&t->online, (unsigned)s);
        most = n > most ? n : most;
    }
    return most;
}

/* `active` says whether SMT runs, `control` whether one may switch it; they may disagree. */
static void read_smt(struct topology *t, const struct sysroot *root)
{
    uint64_t active;
    sysroot_text(root, t->smt_control, sizeof t->smt_control, CPU_DIR "/smt/control");
    if (sysroot_u64(root, &active, CPU_DIR "/smt/active") == 0)
        t->smt_active = active ? FRAME_YES : FRAME_NO;
    else
        t->smt_active = t->most_online == 0 ? FRAME_UNKNOWN : t->most_online > 1 ? FRAME_YES : FRAME_NO;
    /* Switched off, the lists name one thread a core: that is not what the core has. */
    bool off = strcmp(t->smt_control, "off") == 0 || strcmp(t->smt_control, "forceoff") == 0;
    t->threads_per_core = t->most_seen == 0 || (t->most_seen == 1 && off) ? -1 : (int)t->most_seen;
}

int topology_update(struct topology *t, const struct sysroot *root, const struct cpulist *lines)
{
    struct cpulist online = online_now(t, root, lines);
    if (!t->read_once || !cpulist_equal(&online, &t->online)) {
        t->online = online;
        int rc = find_rows(t, root);
        if (rc < 0)
            return rc;
        read_cpus(t, root);
        t->most_online = most_siblings(t, true);
        t->most_seen = most_siblings(t, false);
        t->read_once = true;
    }
    read_smt(t, root);
    return 0;
}

void topology_fini(struct topology *t)
{
    free(t->cpu);
    strbuf_fini(&t->text);
    *t = (struct topology){0};
}
