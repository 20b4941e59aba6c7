/* readings: what a pass over all sensors found, whoever read them.
 * Plain values: no file, no library. */
#ifndef MONITORS_READINGS_H
#define MONITORS_READINGS_H

#include <stdbool.h>
#include <stddef.h>

enum reading_kind { READING_TEMP, READING_FAN, READING_IN, READING_CURR, READING_POWER, READING_KINDS };

struct reading {
    char chip[64];   /* as shown */
    char driver[32]; /* "nvme", "coretemp": the hwmon's own name */
    char hwmon[32];  /* folder below sys/class/hwmon; another one after each boot */
    char label[64];
    enum reading_kind kind;
    double value; /* in reading_unit(); NAN: fault, nothing read, or not plausible */
    bool fault;
};

struct readings {
    struct reading *row;
    size_t n, cap;
};

const char *reading_kind_name(enum reading_kind k); /* temp, fan, in, curr, power */
const char *reading_unit(enum reading_kind k);      /* C, rpm, V, A, W */

/* Adds a copy; its value becomes NAN when it is a fault, no number, or a temperature outside -40 to 150 C (a
 * pin that floats reads -62, a broken diode 127 with its fault bit). 0 or -ENOMEM. */
int readings_put(struct readings *s, const struct reading *r);
void readings_fini(struct readings *s); /* zeroed is fine */

#endif
