/* sensors: temperatures, fans, voltages, currents and powers, as a source: through libsensors on the live
 * machine, through hwmon.c elsewhere. Sets no limit and changes nothing. */
#ifndef MONITORS_SENSORS_H
#define MONITORS_SENSORS_H

#include "core/source.h"

/* Fills sensors, and temp_c in the rows of disks and CPUs that earlier sources made. Read every 10 s only: each
 * reading is a command to the drive (lm-sensors#511). No sensors at all is a normal answer. */
extern const struct source sensors_source;

#endif
