/* readings: a growing list of sensor values that lets no nonsense in.
 * Where they come from: sensors.c (libsensors) and hwmon.c (fake machines). */
#include "monitors/readings.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static const struct {
    const char *name, *unit;
    double min, max;
} kinds[READING_KINDS] = {
    [READING_TEMP] = {"temp", "C", -40, 150},
    [READING_FAN] = {"fan", "rpm", 0, 1e6},
    [READING_IN] = {"in", "V", -1e6, 1e6},
    [READING_CURR] = {"curr", "A", -1e6, 1e6},
    [READING_POWER] = {"power", "W", -1e9, 1e9},
};

const char *reading_kind_name(enum reading_kind k)
{
    return kinds[k].name;
}

const char *reading_unit(enum reading_kind k)
{
    return kinds[k].unit;
}

int readings_put(struct readings *s, const struct reading *r)
{
    if (s->n == s->cap) {
        size_t cap = s->cap ? s->cap * 2 : 16;
        struct reading *grown = reallocarray(s->row, cap, sizeof *grown);
        if (!grown)
            return -ENOMEM;
        s->row = grown;
        s->cap = cap;
    }
    struct reading *row = &s->row[s->n++];
    *row = *r;
    if (r->fault || !isfinite(r->value) || r->value < kinds[r->kind].min || r->value > kinds[r->kind].max)
        row->value = NAN;
    return 0;
}

void readings_fini(struct readings *s)
{
    free(s->row);
    *s = (struct readings){0};
}
