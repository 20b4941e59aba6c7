/* cpuinfo: reads clocks by CPU number and the model's name.
 * Never pairs a clock with a CPU by the place of a line. */
#include "monitors/cpuinfo.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "monitors/cpulist.h"

#define ABSURD_MHZ 1e6

struct cpuinfo {
    const struct sysroot *root;
    struct strbuf text;   /* of poll() alone */
    pthread_mutex_t lock; /* guards what follows; never held while reading */
    double *mhz;
    size_t n;
};

struct cpuinfo *cpuinfo_new(const struct sysroot *root)
{
    struct cpuinfo *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->root = root;
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

void cpuinfo_free(struct cpuinfo *c)
{
    if (!c)
        return;
    strbuf_fini(&c->text);
    pthread_mutex_destroy(&c->lock);
    free(c->mhz);
    free(c);
}

/* "cpu MHz\t\t: 2445.432": true when `line` has that key; *ret_value behind the colon and its blanks. */
static bool key_is(const char *line, const char *key, const char **ret_value)
{
    if (!str_starts(line, key))
        return false;
    line += strlen(key);
    line += strspn(line, " \t");
    if (*line != ':')
        return false;
    *ret_value = line + 1 + strspn(line + 1, " \t");
    return true;
}

static const char *next_line(const char *p)
{
    p = strchr(p, '\n');
    return p ? p + 1 : NULL;
}

static void take_cpuinfo(const char *text, double *mhz, size_t n)
{
    uint64_t cpu = UINT64_MAX;
    const char *value;
    for (const char *p = text; p; p = next_line(p)) {
        if (key_is(p, "processor", &value) && !str_next_u64(&value, &cpu))
            cpu = UINT64_MAX;
        double v = key_is(p, "cpu MHz", &value) ? strtod(value, NULL) : 0;
        if (v > 0 && v < ABSURD_MHZ && cpu < n && isnan(mhz[cpu]))
            mhz[cpu] = v;
    }
}

/* True when every online CPU has a clock of its own. */
static bool take_cpufreq(struct cpuinfo *c, const struct cpulist *online, double *mhz, size_t n)
{
    bool all = true;
    for (int cpu = -1; (cpu = cpulist_next(online, cpu)) >= 0 && (size_t)cpu < n;) {
        uint64_t khz;
        if (sysroot_u64(c->root, &khz, "sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu) == 0 && khz &&
            (double)khz / 1000 < ABSURD_MHZ)
            mhz[cpu] = (double)khz / 1000;
        else
            all = false;
    }
    return all;
}

static size_t highest(const struct cpulist *s)
{
    size_t n = 0;
    for (int cpu = -1; (cpu = cpulist_next(s, cpu)) >= 0;)
        n = (size_t)cpu + 1;
    return n;
}

static struct cpulist online_cpus(struct cpuinfo *c)
{
    struct cpulist s = {0};
    if (sysroot_read(c->root, &c->text, "sys/devices/system/cpu/online") == 0)
        cpulist_parse(c->text.s, &s);
    return s;
}

void cpuinfo_poll(struct cpuinfo *c)
{
    struct cpulist online = online_cpus(c);
    size_t n = highest(&online);
    n = n ? n : CPULIST_CPUS;
    double *mhz = malloc(n * sizeof *mhz);
    if (!mhz)
        return;
    for (size_t i = 0; i < n; i++)
        mhz[i] = NAN;
    bool listed = cpulist_count(&online) > 0;
    if ((!listed || !take_cpufreq(c, &online, mhz, n)) && sysroot_read(c->root, &c->text, "proc/cpuinfo") == 0)
        take_cpuinfo(c->text.s, mhz, n);
    pthread_mutex_lock(&c->lock);
    double *old = c->mhz;
    c->mhz = mhz;
    c->n = n;
    pthread_mutex_unlock(&c->lock);
    free(old);
}

void cpuinfo_mhz(struct cpuinfo *c, double *mhz, size_t n)
{
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < n; i++)
        mhz[i] = i < c->n ? c->mhz[i] : NAN;
    pthread_mutex_unlock(&c->lock);
}

void cpuinfo_model(const struct sysroot *root, char *dst, size_t n)
{
    static const char *const keys[] = {"model name", "cpu model", "cpu", "Hardware"};
    struct strbuf text = {0};
    const char *value = NULL;
    dst[0] = '\0';
    if (sysroot_read(root, &text, "proc/cpuinfo") == 0)
        for (size_t i = 0; i < sizeof keys / sizeof *keys && !value; i++)
            for (const char *p = text.s; p && !key_is(p, keys[i], &value); p = next_line(p))
                ;
    if (value) {
        str_copy(dst, n, value);
        dst[strcspn(dst, "\n")] = '\0';
        str_trim(dst);
    }
    strbuf_fini(&text);
}
