/* job_value: one field of a job from and to text, by its type.
 * For job.c; knows no field by name. */
#ifndef ENGINE_JOB_VALUE_H
#define ENGINE_JOB_VALUE_H

#include "engine/job.h"

/* value is NULL for a bare flag. 0, or -EINVAL with the sentence; the field is untouched then. */
int job_value_set(struct job *j, const struct job_field *f, const char *value, struct err *err);

#endif
