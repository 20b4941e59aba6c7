/* target_apart: with verify, who writes the same blocks at the same time would see what the other wrote as wrong:
 * clones of one job, and jobs that run together, are refused here before that. Knows no order of jobs. */
#include <errno.h>

#include "engine/target_fit.h"
#include "engine/verify.h"

static bool changes(const struct job *j)
{
    return job_writes(j) || job_trims(j);
}

/* The step from clone to clone is the same for all of them. */
static bool clones_apart(const struct targets *t)
{
    uint64_t begin, end, next, its_end;
    for (size_t i = 0; !t->own && i < t->n; i++) {
        target_region(&t->t[i], 0, &begin, &end);
        target_region(&t->t[i], 1, &next, &its_end);
        if (next < end)
            return false;
    }
    return true;
}

int targets_apart(const struct targets *t, const struct job *j, struct err *err)
{
    if (!verify_on(j) || !changes(j) || j->numjobs == 1 || clones_apart(t))
        return 0;
    return err_set(err, -EINVAL,
                   "verify: %u clones would overwrite each other's blocks: give each its own with "
                   "offset_increment=SIZE, files of its own (directory and nrfiles), or numjobs=1",
                   j->numjobs);
}

static bool overlap(const struct target *a, const struct target *b)
{
    return target_same(a, b) && a->begin < b->end && b->begin < a->end;
}

static const struct target *shared(const struct targets *a, const struct targets *b)
{
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n; k++)
            if (overlap(&a->t[i], &b->t[k]))
                return &a->t[i];
    return NULL;
}

int targets_apart_from(const struct targets *a, const struct job *ja, const struct targets *b, const struct job *jb,
                       struct err *err)
{
    bool first = verify_on(ja) && changes(jb), second = verify_on(jb) && changes(ja);
    const struct target *t = first || second ? shared(a, b) : NULL;
    if (!t)
        return 0;
    return err_set(err, -EINVAL,
                   "verify: %.63s and %.63s work on the same blocks of %.200s at the same time, so what %.63s reads "
                   "could be the other's: put stonewall between them, or give each its own offset or file",
                   ja->name, jb->name, t->path, first ? ja->name : jb->name);
}
