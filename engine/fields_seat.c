/* fields_seat: the words that say where a job runs and with what priority.
 * Rows only; seat.c makes them true. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "engine/affinity.h"
#include "engine/job_rows.h"

static const char *const policies[] = {"shared", "split", NULL};

/* A mask is another way to write cpus_allowed: bit i is CPU i. */
static int read_mask(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    uint64_t mask;
    const char *bad;
    char list[JOB_CPUS] = "";
    size_t len = 0;
    if (str_u64(value, &mask, &bad) < 0 || !mask)
        return err_set(err, -EINVAL, "%s=%s: must be a number with a bit for each CPU, like 3 for CPUs 0 and 1", f->name,
                       value);
    for (unsigned i = 0; i < 64; i++)
        if (mask & 1ull << i)
            len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%u", len ? "," : "", i);
    return job_set(j, "cpus_allowed", list, err);
}

static void show_mask(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    struct affinity a = {0};
    uint64_t mask = 0;
    affinity_list(j->cpus_allowed, &a);
    for (unsigned i = 0; i < 64 && i < a.n; i++)
        mask |= CPU_ISSET_S(i, a.size, a.set) ? 1ull << i : 0;
    affinity_fini(&a);
    *dst = '\0';
    if (mask)
        str_format(dst, n, "%llu", (unsigned long long)mask);
}

static int read_nice(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    char *end;
    long v = strtol(value, &end, 10);
    if (!*value || *end || v < -20 || v > 19)
        return err_set(err, -EINVAL, "%s=%s: must be -20 to 19", f->name, value);
    j->seat.nice = (int)v;
    return 0;
}

static void show_nice(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    str_format(dst, n, "%d", j->seat.nice);
}

static const struct job_field rows[] = {
    {.name = "cpus_allowed", .type = JOB_T_TEXT, AT(cpus_allowed), .def = "", .may_be_empty = true, .value = "CPUS",
     .help = "CPUs the job may run on, like 0-3,8; empty = any."},
    {.name = "cpumask", .type = JOB_T_OWN, .def = "", .read = read_mask, .show = show_mask, .value = "MASK",
     .help = "The same as a number: bit 0 is CPU 0."},
    {.name = "cpus_allowed_policy", .type = JOB_T_ENUM, AT(seat.cpus_policy), .words = policies, .def = "shared",
     .help = "split: each clone has one CPU of them for itself, in turn; shared: all clones may use all."},
    {.name = "numa_cpu_nodes", .type = JOB_T_TEXT, AT(seat.numa_cpus), .def = "", .may_be_empty = true,
     .value = "NODES", .help = "Memory nodes whose CPUs the job may run on, like 0-1, or all."},
    {.name = "numa_mem_policy", .type = JOB_T_TEXT, AT(seat.numa_memory), .def = "", .may_be_empty = true,
     .value = "MODE[:NODES]", .help = "Where its memory lies: default, local, prefer:N, bind:N-N or interleave:N-N."},
    {.name = "nice", .type = JOB_T_OWN, .def = "0", .read = read_nice, .show = show_nice, .value = "N",
     .help = "Nice value of the clones, -20 (first) to 19; below 0 needs root."},
    {.name = "prio", .type = JOB_T_UINT, AT(seat.prio), .max = 7, .def = "0",
     .help = "I/O priority of the clones, 0 (first) to 7, within prioclass; the I/O scheduler must heed it."},
    {.name = "prioclass", .type = JOB_T_UINT, AT(seat.prio_class), .max = 3, .def = "0",
     .help = "Class of prio: 1 realtime, 2 best-effort, 3 idle; 0 = best-effort where prio is given."},
};

const struct job_section fields_seat = SECTION("Where it runs", rows);
