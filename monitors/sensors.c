/* sensors: the only file that uses libsensors; poll() reads, sample() copies.
 * What a temperature belongs to is heat.c. */
#include "monitors/sensors.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sensors/error.h>
#include <sensors/sensors.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/frame.h"
#include "core/str.h"
#include "core/sysroot.h"
#include "monitors/heat.h"
#include "monitors/hwmon.h"
#include "monitors/readings.h"

struct snapshot {
    struct readings readings;
    struct heat heat;
    uint64_t read_ns;
};

struct sensors {
    const struct sysroot *root;
    const struct clock *clock;
    /* of poll() alone */
    bool library_up, library_failed, chip_lost;
    struct strbuf chips; /* the chips that the library knows: names and where their links lead */
    /* both sides */
    pthread_mutex_t lock; /* never held while reading */
    struct snapshot last;
    char warning[160]; /* to be said once, "" none */
};

static void be_quiet(const char *text, int line)
{
}

static void be_quiet_with_file(const char *text, const char *file, int line)
{
}

static int sensors_open(const struct source_env *env, void **ret_state, struct err *err)
{
    struct sensors *s = calloc(1, sizeof *s);
    if (!s)
        return err_set(err, -ENOMEM, "sensors: out of memory");
    s->root = env->root;
    s->clock = env->clock;
    pthread_mutex_init(&s->lock, NULL);
    sensors_parse_error = be_quiet; /* else the library prints into the screen */
    sensors_parse_error_wfn = be_quiet_with_file;
    *ret_state = s;
    return 0;
}

static void snapshot_fini(struct snapshot *p)
{
    readings_fini(&p->readings);
    heat_fini(&p->heat);
}

static void sensors_close(void *state)
{
    struct sensors *s = state;
    if (!s)
        return;
    if (s->library_up)
        sensors_cleanup();
    snapshot_fini(&s->last);
    strbuf_fini(&s->chips);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* The library never notices a chip that comes or goes. Links name the device behind hwmonN. */
static int list_chips(const struct sysroot *root, struct strbuf *ret)
{
    char **names = NULL, target[256];
    size_t n;
    int rc = strbuf_printf(ret, "chips:");
    if (sysroot_list(root, &names, &n, "sys/class/hwmon") < 0)
        return rc;
    for (size_t i = 0; i < n && rc == 0; i++) {
        sysroot_link(root, target, sizeof target, "sys/class/hwmon/%s", names[i]);
        rc = strbuf_printf(ret, " %s=%s", names[i], target);
    }
    sysroot_free_names(names, n);
    return rc;
}

static void start_library(struct sensors *s)
{
    if (s->library_up)
        sensors_cleanup();
    int rc = sensors_init(NULL);
    s->library_up = rc == 0;
    s->chip_lost = false;
    if (rc == 0)
        return;
    s->library_failed = true;
    pthread_mutex_lock(&s->lock);
    str_format(s->warning, sizeof s->warning,
               "sensors: libsensors does not start (%s): raw values, no labels of sensors.conf",
               sensors_strerror(rc));
    pthread_mutex_unlock(&s->lock);
}

static void follow_chips(struct sensors *s)
{
    struct strbuf chips = {0};
    bool same = list_chips(s->root, &chips) == 0 && s->chips.s && strcmp(s->chips.s, chips.s) == 0;
    strbuf_fini(&s->chips);
    s->chips = chips;
    if (!s->library_up || !same || s->chip_lost)
        start_library(s);
}

/* no subfeature: -1 */
static const struct feature {
    sensors_feature_type type;
    enum reading_kind kind;
    int input, other_input, fault;
} features[] = {
    {SENSORS_FEATURE_TEMP, READING_TEMP, SENSORS_SUBFEATURE_TEMP_INPUT, -1, SENSORS_SUBFEATURE_TEMP_FAULT},
    {SENSORS_FEATURE_FAN, READING_FAN, SENSORS_SUBFEATURE_FAN_INPUT, -1, SENSORS_SUBFEATURE_FAN_FAULT},
    {SENSORS_FEATURE_IN, READING_IN, SENSORS_SUBFEATURE_IN_INPUT, -1, -1},
    {SENSORS_FEATURE_CURR, READING_CURR, SENSORS_SUBFEATURE_CURR_INPUT, -1, -1},
    {SENSORS_FEATURE_POWER, READING_POWER, SENSORS_SUBFEATURE_POWER_INPUT, SENSORS_SUBFEATURE_POWER_AVERAGE, -1},
};

static double value_of(struct sensors *s, const sensors_chip_name *chip, const sensors_feature *f, int type)
{
    double v;
    const sensors_subfeature *sub =
        type < 0 ? NULL : sensors_get_subfeature(chip, f, (sensors_subfeature_type)type);
    if (!sub)
        return NAN;
    int rc = sensors_get_value(chip, sub->number, &v);
    s->chip_lost |= rc == -SENSORS_ERR_KERNEL;
    return rc == 0 ? v : NAN;
}

static int read_feature(struct sensors *s, const sensors_chip_name *chip, const sensors_feature *f,
                        struct reading *r, struct readings *ret)
{
    const struct feature *row = NULL;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (features[i].type == f->type)
            row = &features[i];
    if (!row)
        return 0;
    char *label = sensors_get_label(chip, f);
    str_copy(r->label, sizeof r->label, label ? label : f->name);
    free(label);
    r->kind = row->kind;
    r->value = value_of(s, chip, f, row->input);
    if (isnan(r->value))
        r->value = value_of(s, chip, f, row->other_input);
    r->fault = value_of(s, chip, f, row->fault) > 0;
    return readings_put(ret, r);
}

static int read_library(struct sensors *s, struct readings *ret)
{
    const sensors_chip_name *chip;
    int at = 0, rc = 0;
    while (rc == 0 && (chip = sensors_get_detected_chips(NULL, &at))) {
        const sensors_feature *f;
        struct reading r = {.value = NAN};
        const char *folder = chip->path ? strrchr(chip->path, '/') : NULL;
        if (sensors_snprintf_chip_name(r.chip, sizeof r.chip, chip) < 0)
            str_copy(r.chip, sizeof r.chip, chip->prefix);
        str_copy(r.driver, sizeof r.driver, chip->prefix);
        str_copy(r.hwmon, sizeof r.hwmon, folder ? folder + 1 : "");
        for (int k = 0; rc == 0 && (f = sensors_get_features(chip, &k));)
            rc = read_feature(s, chip, f, &r, ret);
    }
    return rc;
}

static int read_all(struct sensors *s, struct readings *ret)
{
    if (sysroot_is_live(s->root) && !s->library_failed)
        follow_chips(s);
    return s->library_up ? read_library(s, ret) : hwmon_read(s->root, ret);
}

static void sensors_poll(void *state)
{
    struct sensors *s = state;
    struct snapshot fresh = {0};
    if (read_all(s, &fresh.readings) < 0 || heat_find(s->root, &fresh.readings, &fresh.heat) < 0) {
        snapshot_fini(&fresh);
        return;
    }
    fresh.read_ns = clock_mono_ns(s->clock);
    pthread_mutex_lock(&s->lock);
    struct snapshot old = s->last;
    s->last = fresh;
    pthread_mutex_unlock(&s->lock);
    snapshot_fini(&old);
}

static void put_rows(const struct snapshot *p, uint64_t now_ns, struct frame *f)
{
    struct frame_sensor *rows = frame_sensors_new(f, p->readings.n);
    for (size_t i = 0; i < p->readings.n; i++) {
        const struct reading *r = &p->readings.row[i];
        rows[i].chip = frame_text(f, r->chip);
        rows[i].label = frame_text(f, r->label);
        rows[i].kind = reading_kind_name(r->kind);
        rows[i].unit = reading_unit(r->kind);
        rows[i].value = r->value;
        rows[i].fault = r->fault;
        rows[i].age_s = (double)(now_ns - p->read_ns) * 1e-9;
    }
}

static void sensors_sample(void *state, struct frame *f)
{
    struct sensors *s = state;
    pthread_mutex_lock(&s->lock);
    put_rows(&s->last, clock_mono_ns(s->clock), f);
    heat_apply(&s->last.heat, f);
    if (s->warning[0])
        frame_event(f, f->time_ns, "warning", "%s", s->warning);
    s->warning[0] = '\0';
    pthread_mutex_unlock(&s->lock);
}

const struct source sensors_source = {
    .name = "sensors",
    .blurb = "Temperatures of disks and CPUs, fans, voltages and powers, through libsensors",
    .period_ns = 10 * NSEC_PER_SEC,
    .open = sensors_open,
    .poll = sensors_poll,
    .sample = sensors_sample,
    .close = sensors_close,
};
