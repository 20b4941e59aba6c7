/* job_engine: what a job says to its ioengine: is it there, and does it take the options it is given?
 * Knows no device: what a file or device must be for them is target_probe.c's. */
#include "engine/job_engine.h"

#include <errno.h>
#include <linux/ioprio.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/str.h"
#include "engine/affinity.h"

static const struct {
    const char *word;
    unsigned bit;
} options[] = {
    {"hipri", BACKEND_HIPRI},
    {"nowait", BACKEND_NOWAIT},
    {"uncached", BACKEND_UNCACHED},
    {"sqthread_poll", BACKEND_SQPOLL},
    {"sqthread_poll_cpu", BACKEND_SQPOLL},
    {"force_async", BACKEND_FORCE_ASYNC},
    {"write_zeroes", BACKEND_ZEROES},
    {"cmdprio_percentage", BACKEND_PRIO},
    {"cmdprio_class", BACKEND_PRIO},
    {"cmdprio", BACKEND_PRIO},
};

static void engines_with(unsigned bit, char *dst, size_t n)
{
    size_t len = 0;
    *dst = '\0';
    for (size_t i = 0; backends[i] && len < n; i++)
        if (!bit || (backends[i]->takes & bit))
            len += (size_t)snprintf(dst + len, n - len, "%s%s", len ? ", " : "", backends[i]->name);
}

int job_find_engine(const struct job *j, const struct backend **ret, struct err *err)
{
    char names[128];
    const struct backend *be = backend_find(j->ioengine);
    if (be) {
        *ret = be;
        return 0;
    }
    const char *instead = backend_instead(j->ioengine);
    if (instead)
        return err_set(err, -EINVAL, "ioengine=%s: is not here; %s", j->ioengine, instead);
    engines_with(0, names, sizeof(names));
    return err_set(err, -EINVAL, "ioengine=%s: must be one of %s", j->ioengine, names);
}

/* An option at its default asks for nothing. */
static bool is_asked(const struct job *j, const char *word)
{
    char text[64];
    const struct job_field *f = job_field_find(word);
    if (!job_is_set(j, word))
        return false;
    job_get(j, f, text, sizeof(text));
    return strcmp(text, f->def) != 0 || !strcmp(word, "sqthread_poll_cpu");
}

static int check_taken(const struct job *j, const struct backend *be, struct err *err)
{
    char text[64], names[128];
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if ((be->takes & options[i].bit) || !is_asked(j, options[i].word))
            continue;
        job_get_named(j, options[i].word, text, sizeof(text));
        engines_with(options[i].bit, names, sizeof(names));
        return err_set(err, -EINVAL, "%s=%s: ioengine=%s has no such option; it is for %s", options[i].word, text,
                       be->name, names);
    }
    return 0;
}

static int check_cpu(const struct job *j, struct err *err)
{
    char list[16];
    struct affinity a = {0};
    struct err e = {0};
    if (!j->engine.sqthread_poll && job_is_set(j, "sqthread_poll_cpu"))
        return err_set(err, -EINVAL, "sqthread_poll_cpu=%u: needs sqthread_poll=1", j->engine.sqthread_cpu);
    if (!job_is_set(j, "sqthread_poll_cpu"))
        return 0;
    str_format(list, sizeof(list), "%u", j->engine.sqthread_cpu);
    int rc = affinity_parse(list, &a, &e);
    if (rc == 0)
        rc = affinity_check(&a, &e);
    affinity_fini(&a);
    return rc < 0
               ? err_set(err, rc, "sqthread_poll_cpu=%u: cannot be used: no such CPU, offline or not allowed here",
                         j->engine.sqthread_cpu)
               : 0;
}

/* Realtime and, for some kernels, idle need a privilege: asked of the kernel, on this thread and taken back. */
static int check_prio(const struct job *j, struct err *err)
{
    for (unsigned d = DDIR_READ; d <= DDIR_WRITE; d++) {
        if (!j->engine.prio_pct[d])
            continue;
        long was = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0);
        int prio = (int)IOPRIO_PRIO_VALUE(j->engine.prio_class[d], j->engine.prio[d]);
        if (syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, prio) < 0)
            return err_set(err, -errno,
                           "cmdprio_class=%u: this class needs root (CAP_SYS_NICE); use cmdprio_class=2",
                           j->engine.prio_class[d]);
        if (was >= 0)
            syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, (int)was);
    }
    return 0;
}

static bool verifies(const struct job *j)
{
    char text[64] = "";
    const struct job_field *f = job_field_find("verify");
    if (f)
        job_get(j, f, text, sizeof(text));
    return f && strcmp(text, f->def) != 0;
}

int job_check_engine(const struct job *j, const struct backend *be, struct err *err)
{
    int rc = check_taken(j, be, err);
    if (rc < 0)
        return rc;
    if (be->cached && j->direct)
        return err_set(err, -EINVAL, "ioengine=%s: goes through the page cache; use direct=0, or another ioengine",
                       be->name);
    if (j->engine.hipri && !j->direct)
        return err_set(err, -EINVAL, "hipri=1: needs direct=1: the page cache is not polled");
    if (j->engine.uncached && j->direct)
        return err_set(err, -EINVAL,
                       "uncached=1: direct=1 leaves nothing in the page cache anyway: give one of the two");
    if (j->engine.zeroes && verifies(j))
        return err_set(err, -EINVAL,
                       "write_zeroes=1: writes no data that verify could look for: leave one of the two out");
    if (be->cached && j->sync)
        return err_set(err, -EINVAL, "sync: ioengine=%s writes to memory; use fsync=N instead", be->name);
    if (j->engine.zeroes && (j->engine.nowait || j->engine.uncached))
        return err_set(err, -EINVAL,
                       "write_zeroes=1: moves no data, so nowait and uncached say nothing: leave them out");
    if (j->iomem_align & (j->iomem_align - 1))
        return err_set(err, -EINVAL, "iomem_align=%llu: must be a power of two up to 4k",
                       (unsigned long long)j->iomem_align);
    rc = check_cpu(j, err);
    return rc < 0 ? rc : check_prio(j, err);
}

struct backend_options job_engine_options(const struct job *j)
{
    struct backend_options o = j->engine;
    o.sqthread_pinned = job_is_set(j, "sqthread_poll_cpu");
    return o;
}
