/* monitors: the table of what can be measured on this machine.
 * The order is the order of sampling: sensors comes last because it adds temperatures to rows of the others. */
#ifndef MONITORS_MONITORS_H
#define MONITORS_MONITORS_H

#include "core/source.h"

extern const struct source *const monitors[]; /* ends with NULL */

#endif
