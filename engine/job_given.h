/* job_given: fio's words that ask for what is so anyway, or that change nothing here and harm nothing.
 * A table and nothing else; what is refused is job_refused.h's. */
#ifndef ENGINE_JOB_GIVEN_H
#define ENGINE_JOB_GIVEN_H

#include "engine/job.h"

/* value NULL: a bare flag. 0: taken (and remembered in the job when there is something to say of it); -EINVAL with a
 * sentence: not this value; -EAGAIN: not such a word. */
int job_given(struct job *j, const char *word, const char *value, struct err *err);

/* What is to be said of the words that were taken: note i, or NULL behind the last. */
const char *job_given_note(const struct job *j, size_t i);

#endif
