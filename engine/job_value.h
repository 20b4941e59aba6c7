/* job_value: one field of a job from and to text, by its type.
 * For job.c; knows no field by name. */
#ifndef ENGINE_JOB_VALUE_H
#define ENGINE_JOB_VALUE_H

#include "core/units.h"
#include "engine/job.h"

/* value is NULL for a bare flag. 0, or -EINVAL with the sentence; the field is untouched then. */
int job_value_set(struct job *j, const struct job_field *f, const char *value, struct err *err);

/* A size as job_set reads it back in this job: with kb_base=1000 a plain number, else "4k". */
void job_bytes_text(const struct job *j, uint64_t v, char dst[UNITS_TEXT]);

#endif
