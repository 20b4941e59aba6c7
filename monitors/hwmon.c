/* hwmon: reads Documentation/hwmon/sysfs-interface.rst without libsensors.
 * Any file may be missing, empty or nonsense: then that sensor has no value. */
#include "monitors/hwmon.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

static const struct input {
    const char *prefix, *suffix;
    enum reading_kind kind;
    double scale;
} inputs[] = {
    {"temp", "_input", READING_TEMP, 1e-3},   {"fan", "_input", READING_FAN, 1},
    {"in", "_input", READING_IN, 1e-3},       {"curr", "_input", READING_CURR, 1e-3},
    {"power", "_input", READING_POWER, 1e-6}, {"power", "_average", READING_POWER, 1e-6},
};

/* "temp12_input" -> its row and "temp12". */
static const struct input *input_of(const char *file, char stem[32])
{
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        if (!str_starts(file, inputs[i].prefix))
            continue;
        size_t len = strlen(inputs[i].prefix), digits = strspn(file + len, "0123456789");
        if (digits == 0 || strcmp(file + len + digits, inputs[i].suffix) != 0)
            continue;
        return str_format(stem, 32, "%.*s", (int)(len + digits), file) ? &inputs[i] : NULL;
    }
    return NULL;
}

static double read_number(const struct sysroot *root, const char *chip, const char *file)
{
    char text[64], *end;
    if (sysroot_text(root, text, sizeof text, "sys/class/hwmon/%s/%s", chip, file) < 0 || !text[0])
        return NAN;
    double v = strtod(text, &end);
    return *end ? NAN : v;
}

static int read_input(const struct sysroot *root, const struct reading *chip, const char *file,
                      struct readings *ret)
{
    char stem[32];
    const struct input *in = input_of(file, stem);
    uint64_t fault = 0;
    if (!in)
        return 0;
    struct reading r = *chip;
    r.kind = in->kind;
    r.value = read_number(root, r.hwmon, file) * in->scale;
    sysroot_u64(root, &fault, "sys/class/hwmon/%s/%s_fault", r.hwmon, stem);
    r.fault = fault != 0;
    sysroot_text(root, r.label, sizeof r.label, "sys/class/hwmon/%s/%s_label", r.hwmon, stem);
    if (!r.label[0])
        str_copy(r.label, sizeof r.label, stem);
    return readings_put(ret, &r);
}

static int read_chip(const struct sysroot *root, const char *hwmon, struct readings *ret)
{
    struct reading chip = {.value = NAN};
    char **files = NULL;
    size_t n;
    int rc = 0;
    if (!str_copy(chip.hwmon, sizeof chip.hwmon, hwmon) ||
        sysroot_list(root, &files, &n, "sys/class/hwmon/%s", hwmon) < 0)
        return 0;
    sysroot_text(root, chip.driver, sizeof chip.driver, "sys/class/hwmon/%s/name", hwmon);
    str_copy(chip.chip, sizeof chip.chip, chip.driver[0] ? chip.driver : hwmon);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = read_input(root, &chip, files[i], ret);
    sysroot_free_names(files, n);
    return rc;
}

int hwmon_read(const struct sysroot *root, struct readings *ret)
{
    char **names = NULL;
    size_t n;
    int rc = 0;
    if (sysroot_list(root, &names, &n, "sys/class/hwmon") < 0)
        return 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = read_chip(root, names[i], ret);
    sysroot_free_names(names, n);
    return rc;
}
