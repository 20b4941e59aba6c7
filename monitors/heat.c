/* heat: maps temperatures onto disks and cores by what sysfs links together, not by the order of chips.
 * hwmonN numbers change between boots and mean nothing. */
#include "monitors/heat.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

static int put_disk(struct heat *h, const char *name, double temp_c)
{
    struct heat_disk *grown = reallocarray(h->disk, h->ndisks + 1, sizeof *grown);
    if (!grown)
        return -ENOMEM;
    h->disk = grown;
    grown[h->ndisks].temp_c = temp_c;
    str_copy(grown[h->ndisks].name, BLOCK_NAME, name);
    for (char *p = grown[h->ndisks++].name; (p = strchr(p, '!'));)
        *p = '/';
    unsigned subsystem, nsid;
    char head[BLOCK_NAME];
    if (!block_nvme_path(name, &subsystem, &nsid))
        return 0;
    snprintf(head, sizeof head, "nvme%un%u", subsystem, nsid);
    return put_disk(h, head, temp_c);
}

static int put_core(struct heat *h, int package, int core, double temp_c)
{
    struct heat_core *grown = reallocarray(h->core, h->ncores + 1, sizeof *grown);
    if (!grown)
        return -ENOMEM;
    h->core = grown;
    grown[h->ncores++] = (struct heat_core){package, core, temp_c};
    return 0;
}

/* The link of a chip may lead nowhere on a small fake machine; its text still names the controller. */
static bool is_namespace_of(const char *disk, const char *controller)
{
    unsigned c, s, p, n;
    if (sscanf(controller, "nvme%u", &c) != 1)
        return false;
    if (sscanf(disk, "nvme%uc%un%u", &s, &p, &n) == 3)
        return p == c;
    return sscanf(disk, "nvme%un%u", &s, &n) == 2 && s == c;
}

static bool belongs(const struct sysroot *root, const char *disk, const char *hwmon, const char *controller)
{
    return sysroot_exists(root, "sys/block/%s/device/hwmon/%s", disk, hwmon) ||
           sysroot_exists(root, "sys/block/%s/device/%s", disk, hwmon) ||
           sysroot_exists(root, "sys/class/hwmon/%s/device/block/%s", hwmon, disk) ||
           sysroot_exists(root, "sys/class/hwmon/%s/device/%s", hwmon, disk) || is_namespace_of(disk, controller);
}

static int find_disks(const struct sysroot *root, const struct reading *r, struct heat *h)
{
    char target[256], **disks = NULL;
    const char *controller = "";
    size_t n;
    int rc = 0;
    if (sysroot_list(root, &disks, &n, "sys/block") < 0)
        return 0;
    bool leads_somewhere = sysroot_exists(root, "sys/class/hwmon/%s/device", r->hwmon);
    if (!leads_somewhere && sysroot_link(root, target, sizeof target, "sys/class/hwmon/%s/device", r->hwmon) == 0)
        controller = strrchr(target, '/') ? strrchr(target, '/') + 1 : target;
    for (size_t i = 0; i < n && rc == 0; i++)
        if (belongs(root, disks[i], r->hwmon, controller))
            rc = put_disk(h, disks[i], r->value);
    sysroot_free_names(disks, n);
    return rc;
}

/* The package of a coretemp chip: its own "Package id N", else the number of its platform device. */
static int package_of(const struct sysroot *root, const struct readings *s, const char *hwmon)
{
    char target[256];
    int package;
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->row[i].hwmon, hwmon) == 0 && sscanf(s->row[i].label, "Package id %d", &package) == 1)
            return package;
    if (sysroot_link(root, target, sizeof target, "sys/class/hwmon/%s/device", hwmon) < 0)
        return -1;
    const char *dot = strstr(target, "coretemp.");
    return dot && sscanf(dot, "coretemp.%d", &package) == 1 ? package : -1;
}

static int take_coretemp(const struct sysroot *root, const struct readings *s, const struct reading *r,
                         struct heat *h)
{
    int number;
    if (sscanf(r->label, "Package id %d", &number) == 1)
        return put_core(h, number, -1, r->value);
    if (sscanf(r->label, "Core %d", &number) == 1)
        return put_core(h, package_of(root, s, r->hwmon), number, r->value);
    return 0;
}

static int take_package(const struct sysroot *root, const struct readings *s, const struct reading *r,
                        struct heat *h)
{
    return put_core(h, -1, -1, r->value);
}

static int take_disk(const struct sysroot *root, const struct readings *s, const struct reading *r, struct heat *h)
{
    return find_disks(root, r, h);
}

/* Temperatures that speak for a thing of ours; label NULL = any. */
static const struct rule {
    const char *driver, *label;
    int (*take)(const struct sysroot *, const struct readings *, const struct reading *, struct heat *);
} rules[] = {
    {"nvme", "Composite", take_disk},    {"nvme", "temp1", take_disk},      {"drivetemp", NULL, take_disk},
    {"coretemp", NULL, take_coretemp},   {"k10temp", "Tctl", take_package}, {"zenpower", "Tdie", take_package},
    {"cpu_thermal", NULL, take_package},
};

int heat_find(const struct sysroot *root, const struct readings *s, struct heat *ret)
{
    struct heat h = {0};
    int rc = 0;
    for (size_t i = 0; i < s->n && rc == 0; i++) {
        const struct reading *r = &s->row[i];
        if (r->kind != READING_TEMP || isnan(r->value))
            continue;
        for (size_t k = 0; k < sizeof rules / sizeof *rules && rc == 0; k++)
            if (strcmp(r->driver, rules[k].driver) == 0 &&
                (!rules[k].label || strcmp(r->label, rules[k].label) == 0))
                rc = rules[k].take(root, s, r, &h);
    }
    if (rc < 0)
        heat_fini(&h);
    else
        *ret = h;
    return rc;
}

void heat_fini(struct heat *h)
{
    free(h->disk);
    free(h->core);
    *h = (struct heat){0};
}

static void warm(double *temp_c, double v)
{
    if (isnan(*temp_c) || v > *temp_c)
        *temp_c = v;
}

static void warm_core(const struct heat_core *c, struct frame *f)
{
    struct frame_cpu *rows = frame_cpus_edit(f);
    for (size_t i = 0; i < f->ncpus; i++)
        if (rows[i].online && rows[i].core == c->core && (rows[i].package == c->package || c->package < 0))
            warm(&rows[i].temp_c, c->temp_c);
}

void heat_apply(const struct heat *h, struct frame *f)
{
    struct frame_dev *devs = frame_devs_edit(f);
    double package = NAN, core = NAN;
    for (size_t i = 0; i < h->ndisks; i++)
        for (size_t k = 0; k < f->ndevs; k++)
            if (strcmp(devs[k].name, h->disk[i].name) == 0 && devs[k].state != FRAME_DEV_GONE)
                warm(&devs[k].temp_c, h->disk[i].temp_c);
    for (size_t i = 0; i < h->ncores; i++) {
        warm(h->core[i].core < 0 ? &package : &core, h->core[i].temp_c);
        if (h->core[i].core >= 0)
            warm_core(&h->core[i], f);
    }
    f->cpu_total.temp_c = isnan(package) ? core : package;
}
