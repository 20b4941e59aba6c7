/* target_names: which files and devices a job means: its list of names, or names made as fio makes them.
 * Opens nothing but the folders of `opendir`. */
#ifndef ENGINE_TARGET_NAMES_H
#define ENGINE_TARGET_NAMES_H

#include <stddef.h>

#include "core/err.h"
#include "engine/job.h"

struct target_names {
    char **name;
    size_t n;
    size_t own;  /* so many in turn belong to each clone; 0 = all are shared */
    size_t folders; /* the last so many folders of a name come from filename_format: they are made if missing */
};

/* - filename: its names, in the first folder of `directory` where one is given; all clones share them.
 * - else opendir: every regular file below it that holds a block, in the order of their names; shared.
 * - else a job that is named after a device: that device.
 * - else nrfiles names for each clone from filename_format, clone k in folder k of `directory`; a format without
 *   $jobnum makes files that the clones share.
 * 0, or -errno with a sentence. */
int target_names_read(const struct job *j, struct target_names *ret, struct err *err);
void target_names_fini(struct target_names *n);

/* How many files each clone works on; 0 where only a look at the folder tells (opendir). */
size_t target_names_count(const struct job *j);

#endif
