/* job_pattern: from the words of a job to the pattern of its requests, and their sizes.
 * Reads no target: shares of a region are the plan's. */
#ifndef ENGINE_JOB_PATTERN_H
#define ENGINE_JOB_PATTERN_H

#include "core/err.h"
#include "engine/job.h"
#include "engine/pattern.h"

/* Of the words that set sizes, bssplit goes before bsrange and that before bs, as in fio. */
void job_sizes(const struct job *j, struct blocksize ret[DDIRS]);
void job_sizes_text(const struct job *j, char *dst, size_t n); /* "4k", "4k-64k", "4k/10:64k/90" */

/* io_bytes is left to the caller where io_size is a share (job->io_size.pct). 0, or -EINVAL with a sentence about
 * words that do not go together. */
int job_pattern(const struct job *j, struct pattern_spec *ret, struct err *err);

uint64_t job_seed(const struct job *j); /* the same for the same job, unless it asked for another each time */

#endif
