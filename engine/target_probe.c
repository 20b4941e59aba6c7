/* target_probe: what the options of an ioengine need of the files and devices themselves.
 * Asks the kernel and sysfs once, before the start; changes nothing. */
#include "engine/target_probe.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/str.h"
#include "engine/job_engine.h"

/* The number in a queue file of a device; -1: it cannot be told. A partition has the queue of its disk. */
static long long queue_number(const struct target *t, const char *name)
{
    for (size_t i = 0; i < 2; i++) {
        char path[96], text[32] = "";
        str_format(path, sizeof(path), "/sys/dev/block/%u:%u%s/queue/%s", t->major, t->minor, i ? "/.." : "",
                   name);
        FILE *f = fopen(path, "re");
        bool got = f && fgets(text, sizeof(text), f);
        if (f)
            fclose(f);
        if (got)
            return atoll(text);
    }
    return -1;
}

/* Else the first request would say it, in the words of errno. */
static int probe_trim(const struct target *t, struct err *err)
{
    if (!t->is_block || queue_number(t, "discard_max_bytes") != 0)
        return 0;
    return err_set(err, -EOPNOTSUPP, "rw: %s cannot discard (its queue/discard_max_bytes is 0): a trim would fail",
                   t->path);
}

static int probe_poll(const struct target *t, struct err *err)
{
    long long has = queue_number(t, "io_poll");
    if (has > 0)
        return 0;
    return err_set(err, -EOPNOTSUPP, "hipri=1: the device of %s %s: leave hipri out", t->path,
                   has == 0 ? "has no poll queues (its queue/io_poll in sysfs is 0)"
                            : "has no queue/io_poll in sysfs, so it cannot be polled");
}

/* One byte, so that nothing of weight moves; what is wrong with the flag comes before what is wrong with the rest.
 */
static int probe_flag(const struct target *t, const char *word, uint32_t flag, const char *instead,
                      struct err *err)
{
    char byte;
    struct iovec v = {&byte, 1};
    if (preadv2(t->fd, &v, 1, (off_t)t->begin, (int)flag) >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS))
        return 0;
    return err_set(err, -EOPNOTSUPP, "%s=1: this kernel or the filesystem of %s cannot do it: %s", word, t->path,
                   instead);
}

static int probe(const struct target *t, const struct backend_options *o, bool trims, struct err *err)
{
    int rc = 0;
    if (t->is_null || t->fd < 0)
        return 0;
    if (trims)
        rc = probe_trim(t, err);
    if (rc == 0 && o->hipri)
        rc = probe_poll(t, err);
    if (rc == 0 && o->nowait)
        rc = probe_flag(t, "nowait", backend_rwf(&(struct backend_options){.nowait = true}), "leave nowait out",
                        err);
    if (rc == 0 && o->uncached)
        rc = probe_flag(t, "uncached", backend_rwf(&(struct backend_options){.uncached = true}),
                        "use direct=1, or leave uncached out", err);
    return rc;
}

int targets_probe(const struct targets *t, const struct job *j, struct err *err)
{
    int rc = 0;
    if (!j->engine.hipri && !j->engine.nowait && !j->engine.uncached && !job_trims(j))
        return 0;
    for (size_t i = 0; i < t->n && rc == 0; i++)
        rc = probe(&t->t[i], &j->engine, job_trims(j), err);
    return rc;
}
