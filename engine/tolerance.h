/* tolerance: which errors do not end a job (continue_on_error, ignore_error), decided before the first request.
 * Counts nothing. */
#ifndef ENGINE_TOLERANCE_H
#define ENGINE_TOLERANCE_H

#include <stdbool.h>

#include "core/err.h"
#include "engine/ddir.h"
#include "engine/job.h"

#define TOLERANCE_CODES 16

enum tolerance_kind { TOLERATE_READ, TOLERATE_WRITE, TOLERATE_VERIFY, TOLERANCE_KINDS };

struct tolerance { /* of a kind without codes no error is tolerated */
    unsigned n[TOLERANCE_KINDS];
    int code[TOLERANCE_KINDS][TOLERANCE_CODES];
};

/* As in fio: continue_on_error lets EIO and EILSEQ pass in its kinds; a list of ignore_error takes their place, and
 * lets its own pass where continue_on_error says nothing. */
void tolerance_of(const struct job *j, struct tolerance *ret);

/* Does an error of this direction (DDIR_SYNC too: a write's) let the job go on? EILSEQ is verify's. code: positive
 * or negative errno. */
bool tolerates(const struct tolerance *t, enum ddir d, int code);

#endif
