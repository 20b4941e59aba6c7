/* seat: from the words of a job to the CPUs, nodes and priorities of one thread.
 * Through system calls: libnuma would be a library for two of them. */
#include "engine/seat.h"

#include <errno.h>
#include <linux/ioprio.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/str.h"

#define NODES "/sys/devices/system/node"

/* ---- memory nodes ---- */

static bool read_line(const char *path, char *dst, size_t n)
{
    FILE *f = fopen(path, "re");
    bool got = f && fgets(dst, (int)n, f);
    if (f)
        fclose(f);
    if (got)
        dst[strcspn(dst, "\n")] = '\0';
    return got;
}

static bool is_node(unsigned node)
{
    char path[64];
    str_format(path, sizeof(path), NODES "/node%u", node);
    return access(path, F_OK) == 0;
}

/* "0-1", "0,2" or "all" of a word: nodes that are there. */
static int parse_nodes(const char *word, const char *text, struct affinity *ret, struct err *err)
{
    char all[JOB_NODES];
    if (!strcmp(text, "all") && read_line(NODES "/online", all, sizeof(all)))
        text = all;
    int rc = affinity_list(text, ret);
    if (rc == -ENOMEM)
        return err_set(err, rc, "%s: no memory", word);
    if (rc < 0)
        return err_set(err, rc, "%s=%s: must be numbers of memory nodes and rising ranges, as in 0-1,3, or all",
                       word, text);
    for (unsigned i = 0; i < ret->n; i++)
        if (CPU_ISSET_S(i, ret->size, ret->set) && (i >= SEAT_NODES || !is_node(i))) {
            affinity_fini(ret);
            return err_set(err, -EINVAL, "%s=%s: this machine has no memory node %u", word, text, i);
        }
    return 0;
}

/* ---- CPUs ---- */

static void keep_one(struct affinity *a, unsigned turn)
{
    unsigned n = (unsigned)CPU_COUNT_S(a->size, a->set), at = n ? turn % n : 0;
    for (unsigned cpu = 0; cpu < a->n; cpu++)
        if (CPU_ISSET_S(cpu, a->size, a->set) && at-- != 0)
            CPU_CLR_S(cpu, a->size, a->set);
}

static int add_node_cpus(unsigned node, struct affinity *all, struct err *err)
{
    char path[64], text[JOB_CPUS];
    struct affinity a;
    str_format(path, sizeof(path), NODES "/node%u/cpulist", node);
    if (!read_line(path, text, sizeof(text)) || !*text)
        return 0; /* a node of memory alone */
    if (affinity_list(text, &a) < 0)
        return err_set(err, -EINVAL, "numa_cpu_nodes: the CPUs of node %u cannot be read", node);
    CPU_OR_S(all->size, all->set, all->set, a.set);
    affinity_fini(&a);
    return 0;
}

static int cpus_of_nodes(const char *text, struct affinity *ret, struct err *err)
{
    struct affinity nodes = {0}, all = {0};
    int rc = parse_nodes("numa_cpu_nodes", text, &nodes, err);
    if (rc < 0)
        return rc;
    rc = affinity_list("0", &all);
    if (rc == 0)
        CPU_ZERO_S(all.size, all.set);
    for (unsigned i = 0; i < nodes.n && rc == 0; i++)
        if (CPU_ISSET_S(i, nodes.size, nodes.set))
            rc = add_node_cpus(i, &all, err);
    affinity_fini(&nodes);
    if (rc == 0 && !CPU_COUNT_S(all.size, all.set))
        rc = err_set(err, -EINVAL, "numa_cpu_nodes=%s: no CPU belongs to it", text);
    if (rc < 0)
        affinity_fini(&all);
    else
        *ret = all;
    return rc;
}

static int cpus_of(const struct job *j, unsigned clone, struct affinity *ret, struct err *err)
{
    if (*j->cpus_allowed && *j->seat.numa_cpus)
        return err_set(err, -EINVAL, "numa_cpu_nodes=%s: give this or cpus_allowed, not both", j->seat.numa_cpus);
    int rc = *j->seat.numa_cpus ? cpus_of_nodes(j->seat.numa_cpus, ret, err)
                                : affinity_parse(j->cpus_allowed, ret, err);
    if (rc == 0 && ret->set && j->seat.cpus_policy == JOB_CPUS_SPLIT)
        keep_one(ret, j->seat.first_clone + clone);
    return rc < 0 ? rc : affinity_check(ret, err);
}

/* ---- memory policy ---- */

static const struct {
    const char *word;
    int mode;
    bool nodes, one;
} modes[] = {
    {"default", MPOL_DEFAULT, false, false},      {"local", MPOL_LOCAL, false, false},
    {"prefer", MPOL_PREFERRED, true, true},       {"bind", MPOL_BIND, true, false},
    {"interleave", MPOL_INTERLEAVE, true, false},
};

static int set_nodes(struct seat *p, const char *list, bool one, struct err *err)
{
    struct affinity a = {0};
    int rc = parse_nodes("numa_mem_policy", list, &a, err);
    if (rc < 0)
        return rc;
    unsigned n = (unsigned)CPU_COUNT_S(a.size, a.set), bits = 8 * sizeof(p->nodes[0]);
    for (unsigned i = 0; i < SEAT_NODES && i < a.n; i++)
        if (CPU_ISSET_S(i, a.size, a.set))
            p->nodes[i / bits] |= 1ul << i % bits;
    affinity_fini(&a);
    if (one && n != 1)
        return err_set(err, -EINVAL, "numa_mem_policy=prefer:%s: prefers one node", list);
    return 0;
}

static int memory_of(const struct job *j, struct seat *p, struct err *err)
{
    const char *text = j->seat.numa_memory, *colon = strchrnul(text, ':');
    if (!*text)
        return 0;
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        size_t len = strlen(modes[i].word);
        if ((size_t)(colon - text) != len || strncmp(text, modes[i].word, len))
            continue;
        if (modes[i].nodes != (*colon && colon[1]))
            return err_set(err, -EINVAL, "numa_mem_policy=%s: %s", text,
                           modes[i].nodes ? "needs nodes, as in bind:0" : "takes no nodes");
        p->memory_mode = modes[i].mode;
        return modes[i].nodes ? set_nodes(p, colon + 1, modes[i].one, err) : 0;
    }
    return err_set(err, -EINVAL,
                   "numa_mem_policy=%s: must be default, local, prefer:N, bind:N-N or interleave:N-N", text);
}

/* ---- all of it ---- */

int seat_of(const struct job *j, unsigned clone, struct seat *ret, struct err *err)
{
    struct seat p = {.memory_mode = -1, .ioprio = -1, .nice = j->seat.nice, .has_nice = job_is_set(j, "nice")};
    unsigned prio_class = j->seat.prio_class;
    int rc = cpus_of(j, clone, &p.cpus, err);
    if (rc == 0)
        rc = memory_of(j, &p, err);
    if (rc < 0) {
        seat_fini(&p);
        return rc;
    }
    if (!prio_class && job_is_set(j, "prio"))
        prio_class = IOPRIO_CLASS_BE; /* the kernel takes no level without a class */
    if (job_is_set(j, "prio") || job_is_set(j, "prioclass"))
        p.ioprio = (int)IOPRIO_PRIO_VALUE(prio_class, prio_class ? j->seat.prio : 0);
    *ret = p;
    return 0;
}

void seat_fini(struct seat *p)
{
    affinity_fini(&p->cpus);
}

int seat_take(const struct seat *p, struct err *err)
{
    int rc = affinity_pin(&p->cpus, err);
    if (rc < 0)
        return rc;
    if (p->memory_mode >= 0 && syscall(SYS_set_mempolicy, p->memory_mode, p->nodes, (unsigned long)SEAT_NODES) < 0)
        return err_set(err, -errno, "numa_mem_policy: the kernel refused it: %s", strerror(errno));
    if (p->has_nice && setpriority(PRIO_PROCESS, (id_t)gettid(), p->nice) < 0)
        return err_set(err, -errno, "nice=%d: below the present one it needs root (CAP_SYS_NICE) or ulimit -e",
                       p->nice);
    if (p->ioprio >= 0 && syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, p->ioprio) < 0)
        return err_set(err, -errno, "prioclass=%d: this class needs root (CAP_SYS_NICE); use prioclass=2",
                       (int)IOPRIO_PRIO_CLASS(p->ioprio));
    return 0;
}
