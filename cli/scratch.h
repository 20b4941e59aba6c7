/* scratch: the console's default job, on a file of its own under the user's cache folder. */
#ifndef CLI_SCRATCH_H
#define CLI_SCRATCH_H

#include "engine/job.h"

/* Random reads of 4k at depth 8 on benchtop/scratch in $XDG_CACHE_HOME or ~/.cache, of 1g or a tenth of the free
 * space, for 10 minutes; io_uring where the kernel has it, direct where the filesystem can. Makes the folder, not
 * the file. 0 or -errno with a sentence. */
int scratch_job(struct job *ret, struct err *err);

#endif
