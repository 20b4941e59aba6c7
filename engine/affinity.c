/* affinity: parsing CPU lists, and asking the kernel for exactly those CPUs.
 * The kernel drops CPUs it cannot give without a word, so what it gave is read back and compared. */
#include "engine/affinity.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "core/str.h"

static int alloc_set(struct affinity *a, unsigned n)
{
    *a = (struct affinity){.set = CPU_ALLOC(n), .size = CPU_ALLOC_SIZE(n), .n = n};
    if (!a->set)
        return -ENOMEM;
    CPU_ZERO_S(a->size, a->set);
    return 0;
}

void affinity_fini(struct affinity *a)
{
    if (a->set)
        CPU_FREE(a->set);
    *a = (struct affinity){0};
}

static bool take_number(const char **p, unsigned *ret)
{
    unsigned v = 0;
    const char *s = *p;
    for (; *s >= '0' && *s <= '9' && v < AFFINITY_MAX_CPUS; s++)
        v = v * 10 + (unsigned)(*s - '0');
    if (s == *p || v >= AFFINITY_MAX_CPUS)
        return false;
    *ret = v;
    *p = s;
    return true;
}

/* One "3" or "0-3" at *p. */
static bool take_range(const char **p, unsigned *ret_lo, unsigned *ret_hi)
{
    if (!take_number(p, ret_lo))
        return false;
    *ret_hi = *ret_lo;
    if (**p == '-') {
        (*p)++;
        return take_number(p, ret_hi) && *ret_lo <= *ret_hi;
    }
    return true;
}

static bool take_list(const char *p, struct affinity *a)
{
    do {
        unsigned lo, hi;
        if (!take_range(&p, &lo, &hi))
            return false;
        for (unsigned cpu = lo; cpu <= hi; cpu++)
            CPU_SET_S(cpu, a->size, a->set);
    } while (*p++ == ',');
    return p[-1] == '\0';
}

int affinity_list(const char *text, struct affinity *ret)
{
    struct affinity a = {0};
    if (*text && alloc_set(&a, AFFINITY_MAX_CPUS) < 0)
        return -ENOMEM;
    if (*text && !take_list(text, &a)) {
        affinity_fini(&a);
        return -EINVAL;
    }
    *ret = a;
    return 0;
}

int affinity_parse(const char *text, struct affinity *ret, struct err *err)
{
    int rc = affinity_list(text, ret);
    if (rc == -ENOMEM)
        return err_set(err, rc, "cpus_allowed: no memory");
    if (rc < 0)
        return err_set(err, rc, "cpus_allowed=%s: must be CPU numbers below %d and rising ranges, as in 0-3,8", text,
                       AFFINITY_MAX_CPUS);
    return 0;
}

static const char *why_not(unsigned cpu)
{
    char path[64];
    str_format(path, sizeof(path), "/sys/devices/system/cpu/cpu%u", cpu);
    if (access(path, F_OK) < 0)
        return "this machine has no such CPU";
    str_format(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology", cpu); /* goes away with the CPU */
    if (access(path, F_OK) < 0)
        return "it is offline";
    return "this process may not use it (cpuset)";
}

static int compare(const struct affinity *want, const struct affinity *have, struct err *err)
{
    for (unsigned cpu = 0; cpu < want->n; cpu++)
        if (CPU_ISSET_S(cpu, want->size, want->set) && !CPU_ISSET_S(cpu, have->size, have->set))
            return err_set(err, -EINVAL, "cpus_allowed: CPU %u cannot be used: %s", cpu, why_not(cpu));
    return 0;
}

/* Pins to `a` and reads back; *old is what was before. */
static int pin(const struct affinity *a, struct affinity *old, struct affinity *now, struct err *err)
{
    if (sched_getaffinity(0, old->size, old->set) < 0)
        return err_set(err, -errno, "cpus_allowed: the present CPUs cannot be read");
    if (sched_setaffinity(0, a->size, a->set) < 0 && errno != EINVAL)
        return err_set(err, -errno, "cpus_allowed: the kernel refused to pin the thread");
    if (sched_getaffinity(0, now->size, now->set) < 0)
        return err_set(err, -errno, "cpus_allowed: the present CPUs cannot be read");
    int r = compare(a, now, err);
    if (r < 0)
        sched_setaffinity(0, old->size, old->set);
    return r;
}

static int pin_and(const struct affinity *a, bool go_back, struct err *err)
{
    struct affinity old = {0}, now = {0};
    if (!a->set)
        return 0;
    int r = alloc_set(&old, a->n) < 0 || alloc_set(&now, a->n) < 0 ? err_set(err, -ENOMEM, "cpus_allowed: no memory")
                                                                   : pin(a, &old, &now, err);
    if (r == 0 && go_back)
        sched_setaffinity(0, old.size, old.set);
    affinity_fini(&old);
    affinity_fini(&now);
    return r;
}

int affinity_pin(const struct affinity *a, struct err *err)
{
    return pin_and(a, false, err);
}

int affinity_check(const struct affinity *a, struct err *err)
{
    return pin_and(a, true, err);
}
