/* hwmon: the sensors of a fake machine, read straight from sys/class/hwmon; on the live machine the fallback
 * when libsensors cannot be used. Knows no rules of scaling: those are libsensors'. */
#ifndef MONITORS_HWMON_H
#define MONITORS_HWMON_H

#include "core/sysroot.h"
#include "monitors/readings.h"

/* Appends every input of every chip, in the order of the folders. No sensors is a normal answer. May block.
 * 0 or -ENOMEM. */
int hwmon_read(const struct sysroot *root, struct readings *ret);

#endif
