/* machine: opens the root and the monitors, and makes the two readings that a rate needs.
 * A monitor that this machine does not have is left out in silence: that is a normal answer. */
#include "cli/machine.h"

#include <errno.h>

#include "cli/cmd.h"
#include "monitors/blkdev.h"
#include "monitors/cpu.h"
#include "monitors/monitors.h"

/* A fake machine lives at a fixed time, so that two runs over the same files give the same bytes. */
#define FAKE_EPOCH_NS (1704067200 * NSEC_PER_SEC) /* 2024-01-01 */

static const struct source *const counters[] = {&cpu_source, &blkdev_source, NULL};
static const struct source *const none[] = {NULL};

static void add_monitors(struct machine *m, enum machine_sources which)
{
    const struct source *const *row = none;
    if (which == MACHINE_ALL)
        row = monitors;
    if (which == MACHINE_COUNTERS)
        row = counters;
    for (; *row; row++) {
        struct err why = {0};
        int rc = sampler_add(m->sampler, *row, &why);
        if (rc < 0 && rc != -ENOENT)
            note("%s cannot be read: %s", (*row)->name, why.text);
    }
}

int machine_open(struct machine *m, const char *sysroot, bool fake, enum machine_sources which, struct err *err)
{
    *m = (struct machine){.fake = fake, .clock = {.mono_ns = NSEC_PER_SEC, .real_ns = FAKE_EPOCH_NS}};
    int rc = sysroot_open(sysroot, &m->root, err);
    if (rc < 0)
        return rc;
    struct source_env env = {.root = m->root, .clock = fake ? &m->clock : NULL};
    m->sampler = sampler_new(&env);
    if (!m->sampler)
        return err_set(err, -ENOMEM, "no memory for the sampler");
    add_monitors(m, which);
    return 0;
}

void machine_close(struct machine *m)
{
    if (m->sampler)
        sampler_free(m->sampler);
    if (m->root)
        sysroot_close(m->root);
    *m = (struct machine){0};
}

static int check_options(const struct args *a, struct err *err)
{
    if (a->then && !a->sysroot)
        return err_set(err, -EINVAL, "--then=%s: needs --sysroot=DIR, the first reading", a->then);
    if (a->dt_ns && !a->then)
        return err_set(err, -EINVAL, "--dt: needs --then=DIR, the second reading; --interval waits between two");
    return 0;
}

static int second_reading(struct machine *m, const struct args *a, uint64_t first_ns, struct err *err)
{
    uint64_t interval_ns = a->interval_ns ? a->interval_ns : NSEC_PER_SEC;
    if (!m->fake) {
        clock_sleep_until(first_ns + interval_ns);
        return 0;
    }
    clock_advance(&m->clock, a->dt_ns ? a->dt_ns : interval_ns);
    return sysroot_repoint(m->root, a->then, err);
}

int machine_read_twice(const struct args *a, struct frame **ret, struct err *err)
{
    struct machine m = {0};
    int rc = check_options(a, err);
    if (rc == 0)
        rc = machine_open(&m, a->sysroot, a->then != NULL, MACHINE_ALL, err);
    if (rc == 0) {
        uint64_t first_ns = clock_now_ns();
        frame_unref(sampler_tick(m.sampler));
        rc = second_reading(&m, a, first_ns, err);
    }
    if (rc == 0)
        *ret = sampler_tick(m.sampler);
    machine_close(&m);
    return rc;
}
