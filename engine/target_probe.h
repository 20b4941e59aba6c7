/* target_probe: can these files and devices do what the options of the job's ioengine ask for? */
#ifndef ENGINE_TARGET_PROBE_H
#define ENGINE_TARGET_PROBE_H

#include "core/err.h"
#include "engine/job.h"
#include "engine/target.h"

/* 0, or -EOPNOTSUPP with a sentence. The targets are open. */
int targets_probe(const struct targets *t, const struct job *j, struct err *err);

#endif
