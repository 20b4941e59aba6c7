/* jobfile: a job file to jobs: [global], sections, include, ${VAR}, as fio reads them.
 * Does not know the command line. */
#ifndef ENGINE_JOBFILE_H
#define ENGINE_JOBFILE_H

#include "engine/job.h"

/* Reads a job file ("-" is the standard input): every section but [global] is a job that starts from the words of the
 * [global] sections above it. Of `sections` (NULL-terminated; NULL or empty: all) only those are taken. `override`
 * (may be NULL) is called on each job last: options of the command line win. Returns a malloc'ed array (free with
 * free()). 0 or -errno; the sentence names file and line. */
int jobfile_read(const char *path, const char *const *sections,
                 int (*override)(struct job *j, void *arg, struct err *err), void *arg, struct job **ret,
                 size_t *ret_n, struct err *err);

/* What a value of a job file stands for: ${VAR} is the environment's; $pagesize, $mb_memory (of the machine, in MiB)
 * and $ncpus are numbers, and where one stands in a number's arithmetic ("$ncpus*2") the whole is an expression.
 * 0 or -EINVAL with a sentence. */
int jobfile_expand(const char *key, const char *value, char *dst, size_t n, struct err *err);

#endif
