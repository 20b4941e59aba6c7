/* job_engine: what a job says to its ioengine, checked and as values.
 * Opens nothing. */
#ifndef ENGINE_JOB_ENGINE_H
#define ENGINE_JOB_ENGINE_H

#include "core/err.h"
#include "engine/backend.h"
#include "engine/job.h"

/* The row of ioengine. 0, or -EINVAL with a sentence that names what there is, or what to use instead. */
int job_find_engine(const struct job *j, const struct backend **ret, struct err *err);

/* Does it take what the job says, on this machine? 0, or -errno with a sentence. */
int job_check_engine(const struct job *j, const struct backend *be, struct err *err);

struct backend_options job_engine_options(const struct job *j);

#endif
