/* rig: all monitors over a fake machine with a fake clock, tick by tick.
 * A test writes what the kernel would show, or points at a folder of tests/roots. */
#ifndef TESTS_RIG_H
#define TESTS_RIG_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/frame.h"
#include "core/sampler.h"
#include "core/sysroot.h"
#include "monitors/monitors.h"
#include "tests/fakeroot.h"

struct rig {
    struct fakeroot fake; /* path "" when the machine is a folder of tests/roots */
    struct sysroot *root;
    struct clock clock;
    struct sampler *sampler;
    struct frame *frame; /* the last tick's */
};

static inline void rig_start(struct rig *r, const char *path)
{
    struct err err = {0};
    r->clock = (struct clock){.mono_ns = 5 * NSEC_PER_SEC, .real_ns = 1700000000 * NSEC_PER_SEC};
    ck_assert_msg(sysroot_open(path, &r->root, &err) == 0, "%s", err.text);
    struct source_env env = {.root = r->root, .clock = &r->clock};
    r->sampler = sampler_new(&env);
    r->frame = NULL;
    for (size_t i = 0; monitors[i]; i++)
        sampler_add(r->sampler, monitors[i], &err);
}

/* An empty machine of its own, to be filled with rig_put. */
static inline void rig_init(struct rig *r)
{
    fakeroot_init(&r->fake);
    fakeroot_put(&r->fake, "proc/meminfo", "MemTotal: 1000 kB\n");
    rig_start(r, r->fake.path);
}

static inline void rig_fini(struct rig *r)
{
    frame_unref(r->frame);
    sampler_free(r->sampler);
    sysroot_close(r->root);
    if (r->fake.path[0])
        fakeroot_fini(&r->fake);
}

static inline void rig_put(struct rig *r, const char *file, const char *text)
{
    fakeroot_put(&r->fake, file, text);
}

static inline void rig_remove(struct rig *r, const char *file)
{
    char path[512];
    fakeroot_path(&r->fake, file, path);
    nftw(path, fakeroot_unlink, 16, FTW_DEPTH | FTW_PHYS);
}

static inline const struct frame *rig_tick(struct rig *r, uint64_t after_ms)
{
    clock_advance(&r->clock, after_ms * NSEC_PER_MSEC);
    frame_unref(r->frame);
    r->frame = sampler_tick(r->sampler);
    return r->frame;
}

/* tests/roots/NAME: a reading of t0, one of t1 a second later. */
static inline const struct frame *rig_machine(struct rig *r, const char *name)
{
    char path[256];
    struct err err = {0};
    r->fake.path[0] = '\0';
    snprintf(path, sizeof path, "tests/roots/%s/t0", name);
    rig_start(r, path);
    rig_tick(r, 0);
    snprintf(path, sizeof path, "tests/roots/%s/t1", name);
    ck_assert_msg(sysroot_repoint(r->root, path, &err) == 0, "%s", err.text);
    return rig_tick(r, 1000);
}

static inline const struct frame_dev *rig_dev(const struct rig *r, const char *name)
{
    const struct frame_dev *d = frame_find_dev(r->frame, name);
    ck_assert_msg(d != NULL, "no row for %s", name);
    return d;
}

static inline const struct frame_cpu *rig_cpu(const struct rig *r, unsigned id)
{
    const struct frame_cpu *c = frame_find_cpu(r->frame, id);
    ck_assert_msg(c != NULL, "no row for cpu%u", id);
    return c;
}

/* "0,2": the siblings of a row, as text. */
static inline const char *rig_siblings(const struct frame_cpu *c, char dst[128])
{
    int len = 0;
    dst[0] = '\0';
    for (size_t i = 0; i < c->nsiblings && len < 120; i++)
        len += snprintf(dst + len, 128 - (size_t)len, "%s%u", i ? "," : "", c->siblings[i]);
    return dst;
}

#define ck_near(value, expected) ck_assert_double_eq_tol(value, expected, 1e-9 + 1e-12 * (expected))
#define ck_unknown(value) ck_assert_double_nan(value)

#endif
