/* job_rows: what the tables of fields (fields_*.c) share to write their rows.
 * For them alone; everybody else reads the tables through job.h. */
#ifndef ENGINE_JOB_ROWS_H
#define ENGINE_JOB_ROWS_H

#include <stddef.h>

#include "core/clock.h"
#include "engine/job.h"

#define AT(member) .at = offsetof(struct job, member), .len = sizeof(((struct job *)0)->member)
#define AT_EACH(member) .each = true, .at = offsetof(struct job, member), .len = sizeof(((struct job *)0)->member[0])
#define SECTION(title, rows) {.heading = title, .field = rows, .n = sizeof(rows) / sizeof((rows)[0])}

#define MAX_OFFSET INT64_MAX                        /* what an off_t can say */
#define MAX_TIME (3650ull * 86400 * NSEC_PER_SEC)   /* ten years: sums of times cannot wrap */
#define MAX_RATE 1000000000ull                      /* a gap of 1 ns */

extern const struct job_section fields_files, fields_pattern, fields_draw, fields_io, fields_engine, fields_rate, fields_data;
extern const struct job_section fields_prep, fields_seat, fields_run, fields_order, fields_report, fields_steady;
extern const struct job_section fields_content, fields_verify;

/* tolerance.c */
int job_read_errors(struct job *j, const struct job_field *f, const char *value, struct err *err);

/* job_report.c */
int job_read_percentiles(struct job *j, const struct job_field *f, const char *value, struct err *err);

#endif
