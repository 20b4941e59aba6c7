/* result_live: running numbers as rows for spreadsheets and as a line of progress.
 * Escape-free: what a terminal needs beyond a carriage return is term.c's. */
#ifndef CLI_RESULT_LIVE_H
#define CLI_RESULT_LIVE_H

#include <stdio.h>

#include "core/frame.h"
#include "core/str.h"

/* One row a job and direction of this frame; the heading first. Unknown is an empty cell. */
void csv_heading(FILE *out);
void csv_rows(const struct frame *f, FILE *out);

/* "running 0:03/0:10  read 100.7k IOPS 412.3MB/s p99 810us": one line, no line end. */
void progress_text(const struct frame *f, struct strbuf *ret);

#endif
