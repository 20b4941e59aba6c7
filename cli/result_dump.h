/* result_dump: verify_dump: the first wrong block of each clone as two files in the current folder: what was read
 * (FILE.OFFSET.received) and what should be there, where that is known (FILE.OFFSET.expected). Finds nothing
 * wrong. */
#ifndef CLI_RESULT_DUMP_H
#define CLI_RESULT_DUMP_H

#include "core/err.h"
#include "engine/run.h"

/* After the run. 0 or -errno with a sentence. */
int result_dump_write(struct run *run, struct err *err);

#endif
