/* cpulist: parses and holds sets of CPU numbers.
 * Reads no file. */
#include "monitors/cpulist.h"

#include <errno.h>
#include <string.h>

void cpulist_add(struct cpulist *s, unsigned cpu)
{
    if (cpu < CPULIST_CPUS)
        s->word[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

bool cpulist_has(const struct cpulist *s, unsigned cpu)
{
    return cpu < CPULIST_CPUS && (s->word[cpu / 64] >> cpu % 64 & 1);
}

bool cpulist_equal(const struct cpulist *a, const struct cpulist *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

size_t cpulist_count(const struct cpulist *s)
{
    size_t n = 0;
    for (size_t i = 0; i < CPULIST_CPUS / 64; i++)
        n += (size_t)__builtin_popcountll(s->word[i]);
    return n;
}

int cpulist_next(const struct cpulist *s, int after)
{
    for (unsigned cpu = (unsigned)(after + 1); cpu < CPULIST_CPUS; cpu = (cpu / 64 + 1) * 64) {
        uint64_t rest = s->word[cpu / 64] >> cpu % 64;
        if (rest)
            return (int)cpu + __builtin_ctzll(rest);
    }
    return -1;
}

static int take_number(const char **p, unsigned *ret)
{
    unsigned v = 0;
    if (**p < '0' || **p > '9')
        return -EINVAL;
    for (; **p >= '0' && **p <= '9'; ++*p)
        if ((v = v * 10 + (unsigned)(**p - '0')) >= CPULIST_CPUS)
            return -ERANGE;
    *ret = v;
    return 0;
}

static int take_range(const char **p, struct cpulist *s)
{
    unsigned first, last;
    int rc = take_number(p, &first);
    last = first;
    if (rc == 0 && **p == '-') {
        ++*p;
        rc = take_number(p, &last);
    }
    if (rc < 0 || last < first)
        return rc < 0 ? rc : -EINVAL;
    for (unsigned cpu = first; cpu <= last; cpu++)
        cpulist_add(s, cpu);
    return 0;
}

int cpulist_parse(const char *text, struct cpulist *ret)
{
    struct cpulist s = {0};
    const char *p = text + strspn(text, " \t\n");
    while (*p) {
        int rc = take_range(&p, &s);
        if (rc < 0)
            return rc;
        p += strspn(p, " \t\n");
        if (*p == ',')
            p++;
        else if (*p)
            return -EINVAL;
    }
    *ret = s;
    return 0;
}
