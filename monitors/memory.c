/* memory: reads /proc/meminfo each tick.
 * "Used" is not here: it is total - available, for whoever draws it. */
#include "monitors/memory.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "core/sysroot.h"

static const struct field {
    const char *key;
    size_t offset;
} fields[] = {
    {"MemTotal:", offsetof(struct frame_memory, total_bytes)},
    {"MemAvailable:", offsetof(struct frame_memory, available_bytes)},
    {"Dirty:", offsetof(struct frame_memory, dirty_bytes)},
    {"Writeback:", offsetof(struct frame_memory, writeback_bytes)},
    {"Cached:", offsetof(struct frame_memory, cached_bytes)},
};

#define ABSURD_KB (UINT64_C(1) << 50) /* an exbibyte */

static void take_line(const char *p, struct frame_memory *m)
{
    uint64_t kb;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *value = p + strlen(fields[i].key);
        if (str_starts(p, fields[i].key) && str_next_u64(&value, &kb) && kb < ABSURD_KB)
            *(double *)((char *)m + fields[i].offset) = (double)kb * 1024;
    }
}

struct frame_memory memory_parse(const char *text)
{
    struct frame_memory m = {NAN, NAN, NAN, NAN, NAN};
    for (const char *p = text; p; p = (p = strchr(p, '\n')) ? p + 1 : NULL)
        take_line(p, &m);
    return m;
}

struct memory {
    const struct sysroot *root;
    struct strbuf text;
};

static int memory_open(const struct source_env *env, void **ret_state, struct err *err)
{
    struct memory *m = calloc(1, sizeof *m);
    if (!m)
        return err_set(err, -ENOMEM, "memory: out of memory");
    m->root = env->root;
    *ret_state = m;
    return 0;
}

static void memory_sample(void *state, struct frame *f)
{
    struct memory *m = state;
    if (sysroot_read(m->root, &m->text, "proc/meminfo") == 0)
        f->memory = memory_parse(m->text.s);
}

static void memory_close(void *state)
{
    struct memory *m = state;
    if (!m)
        return;
    strbuf_fini(&m->text);
    free(m);
}

const struct source memory_source = {
    .name = "memory",
    .blurb = "Total, available, cached, dirty and written-back memory",
    .open = memory_open,
    .sample = memory_sample,
    .close = memory_close,
};
