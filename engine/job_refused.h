/* job_refused: fio's words that are not here.
 * A table and nothing else. */
#ifndef ENGINE_JOB_REFUSED_H
#define ENGINE_JOB_REFUSED_H

#include "core/err.h"

/* value NULL: a bare flag. 0: it asks for what is so anyway; -EINVAL with a sentence that says what to use instead;
 * -EAGAIN: not such a word. */
int job_refused(const char *word, const char *value, struct err *err);

#endif
