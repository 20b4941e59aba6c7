/* jobs: the workload that the command line asks for: a job file, fio's words, or both.
 * Opens no target and starts nothing. */
#ifndef CLI_JOBS_H
#define CLI_JOBS_H

#include <stddef.h>

#include "cli/args.h"
#include "core/str.h"
#include "engine/job.h"

/* A malloc'ed array of checked jobs. With a JOBFILE the command line's words override each of its jobs; without
 * one, words before the first --name go for all jobs and each --name begins one, as in fio. `base` (may be NULL)
 * is what a job without JOBFILE starts from. Notes go to stderr. 0 or -errno with a sentence. */
int jobs_build(const struct args *a, const struct job *base, struct job **ret, size_t *ret_n, struct err *err);

/* The same; the notes go to `notes`, a line each, for who may still refuse the jobs. */
int jobs_build_quiet(const struct args *a, const struct job *base, struct job **ret, size_t *ret_n,
                     struct strbuf *notes, struct err *err);
void jobs_say_notes(struct strbuf *notes); /* to stderr; then there are none */

/* Does the command line say where to work? Without that the console takes its own scratch file. */
bool jobs_have_target(const struct args *a);

#endif
