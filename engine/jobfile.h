/* jobfile: INI text to jobs: [global] and sections, as fio reads them (over inih, the only file that does).
 * Does not know the command line. */
#ifndef ENGINE_JOBFILE_H
#define ENGINE_JOBFILE_H

#include "engine/job.h"

/* Reads a job file: every section but [global] is a job that starts from [global]'s words. `override` (may be
 * NULL) is called on each job last: options of the command line win. Returns a malloc'ed array (free with
 * free()). 0 or -errno; the sentence names file and line. */
int jobfile_read(const char *path, int (*override)(struct job *j, void *arg, struct err *err), void *arg,
                 struct job **ret, size_t *ret_n, struct err *err);

#endif
