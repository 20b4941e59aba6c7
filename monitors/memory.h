/* memory: what /proc/meminfo says, as a source.
 * Says nothing of one process. */
#ifndef MONITORS_MEMORY_H
#define MONITORS_MEMORY_H

#include "core/frame.h"
#include "core/source.h"

extern const struct source memory_source;

/* The fields of a meminfo text, found by name (their set and order change with every kernel); a kB there is
 * 1024 bytes. What is missing is NAN. */
struct frame_memory memory_parse(const char *text);

#endif
