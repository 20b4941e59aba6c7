/* result_log: the log files of fio's words (write_bw_log and its like) from what a run kept in memory, in fio's format,
 * so that its plotters read them. Averages of intervals; single requests are not there. */
#ifndef CLI_RESULT_LOG_H
#define CLI_RESULT_LOG_H

#include <stddef.h>

#include "core/err.h"
#include "core/str.h"
#include "engine/run.h"

/* Before the run: can the files be made where they are asked for? 0 or -errno with a sentence. */
int result_log_check(const struct job *jobs, size_t n, struct err *err);

/* What a user of fio should know about the logs of this job, as a line of notes; nothing when there is none. */
void result_log_note(const struct job *j, struct strbuf *notes);

/* After the run: all files, each whole or not at all. 0 or -errno with a sentence: of the first that failed. */
int result_log_write(struct run *run, struct err *err);

#endif
