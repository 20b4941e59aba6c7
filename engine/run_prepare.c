/* run_prepare: opens the targets of all jobs, tries the scheduled changes against them and makes room for what is
 * counted. Starts nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/run_priv.h"

static void free_names(struct run_job *j)
{
    for (size_t i = 0; j->target && i < j->ntargets; i++)
        free(j->target[i].path);
    free(j->target);
    j->target = NULL;
}

void run_release(struct run_job *j)
{
    while (j->set) {
        struct target_set *s = j->set;
        j->set = s->older;
        targets_close(&s->t);
        free(s);
    }
    free_names(j);
    counters_unmap(j->retired, j->ntargets);
    counters_unmap(j->base, j->ntargets + 2);
    counters_unmap(j->now, j->ntargets + 1);
    counters_unmap(j->before, j->ntargets + 1);
    free(j->clone);
    if (j->row)
        run_rows_clear(j);
    free(j->row);
    free(j->tune);
    j->retired = j->base = j->now = j->before = NULL;
    j->clone = NULL;
    j->row = NULL;
    j->tune = NULL;
    j->ntunes = j->napplied = j->ntargets = 0;
}

static struct run_target *name_targets(const struct targets *t)
{
    struct run_target *names = calloc(t->nrows, sizeof(*names));
    for (size_t i = 0; names && i < t->nrows; i++) {
        names[i] = (struct run_target){strdup(t->row[i].name), t->row[i].major, t->row[i].minor};
        if (!names[i].path) {
            while (i-- > 0)
                free(names[i].path);
            free(names);
            return NULL;
        }
    }
    return names;
}

/* Readers see all of it or nothing. */
static int make_room(struct run *r, struct run_job *j)
{
    size_t n = j->set->t.nrows;
    struct run_target *names = name_targets(&j->set->t);
    struct counters *retired = counters_map(n), *now = counters_map(n + 1), *before = counters_map(n + 1);
    struct clone *clones = calloc(RUN_CLONES, sizeof(*clones));
    struct run_row *rows = calloc(JOB_MAX_CLONES, sizeof(*rows));
    run_exclusive(r);
    j->ntargets = n;
    j->target = names;
    j->retired = retired;
    j->now = now;
    j->before = before;
    j->clone = clones;
    j->row = rows;
    bool whole = names && retired && now && before && clones && rows;
    if (!whole)
        run_release(j);
    pthread_mutex_unlock(&r->lock);
    return whole ? 0 : -ENOMEM;
}

/* Jobs that are not open yet ask when they are. */
int run_apart(const struct run *r, const struct run_job *j, const struct job *next, struct err *err)
{
    size_t me = (size_t)(j - r->job);
    int rc = targets_apart(&j->set->t, next, err);
    for (size_t i = 0; i < r->njobs && rc == 0; i++) {
        const struct run_job *o = &r->job[i];
        bool over = r->active && o->phase == PHASE_OVER;
        if (i != me && o->set && !over && run_together(r, me, i))
            rc = targets_apart_from(&j->set->t, next, &o->set->t, &o->cur, err);
    }
    return rc;
}

static int open_job(struct run *r, struct run_job *j, struct err *err)
{
    const struct targets *sets[r->njobs];
    struct target_peers peers = run_peers(r, j, sets);
    struct target_set *s = calloc(1, sizeof(*s));
    if (!s)
        return err_set(err, -ENOMEM, "no memory for the targets");
    int rc = targets_open_beside(&j->cur, &r->policy, &peers, &s->t, err);
    if (rc < 0) {
        free(s);
        return rc;
    }
    j->set = s;
    if (make_room(r, j) < 0)
        return err_set(err, -ENOMEM, "no memory for the counters");
    return run_apart(r, j, &j->cur, err);
}

static int try_writing(struct run *r, struct run_job *j, const struct job *v, struct err *err)
{
    const struct targets *sets[r->njobs];
    struct target_peers peers = run_peers(r, j, sets);
    struct targets *t = calloc(1, sizeof(*t));
    if (!t)
        return err_set(err, -ENOMEM, "no memory for the targets");
    int rc = targets_retune_beside(&j->set->t, v, &r->policy, &peers, t, err);
    if (rc == 0)
        targets_close(t);
    free(t);
    return rc;
}

/* Will the targets take every scheduled version? One that writes passes the guard now, so that it is refused
 * before the start; it passes again when its time has come. */
static int foresee(struct run *r, struct run_job *j, struct err *err)
{
    struct job v = j->cur;
    bool passed = false;
    for (size_t i = 0; i < r->nat; i++) {
        const struct run_at *at = &r->at[i];
        if (at->job != ORDER_ALL_JOBS && &r->job[at->job] != j)
            continue;
        int rc = job_retune(&v, at->words, &v, err);
        if (rc < 0 || (rc = targets_fit(&j->set->t, &v, err)) < 0)
            return rc;
        bool needs_pass = rc > 0;
        if ((rc = run_apart(r, j, &v, err)) < 0)
            return rc;
        if (!needs_pass || passed)
            continue;
        if ((rc = try_writing(r, j, &v, err)) < 0)
            return rc;
        passed = true;
    }
    return 0;
}

static void warn_sparse(struct run *r, const struct run_job *j)
{
    for (size_t i = 0; i < j->set->t.n; i++)
        if (j->set->t.t[i].sparse)
            run_note(r, "warning", "%s: %s has holes or unwritten extents: they read at memory speed", j->cur.name,
                     j->set->t.t[i].path);
}

/* With several jobs a sentence says whose it is. */
int run_whose(const struct run *r, const struct run_job *j, const struct err *e, struct err *err)
{
    if (r->njobs == 1)
        return err_set(err, e->code, "%s", e->text);
    return err_set(err, e->code, "%.63s: %.440s", j->cur.name, e->text);
}

int run_prepare(struct run *r, struct err *err)
{
    struct err e = {0};
    int rc = 0;
    run_exclusive(r);
    for (size_t i = 0; i < r->njobs; i++)
        run_release(&r->job[i]);
    r->prepared = false;
    pthread_mutex_unlock(&r->lock);
    for (size_t i = 0; i < r->njobs && rc == 0; i++) {
        struct run_job *j = &r->job[i];
        rc = open_job(r, j, &e);
        if (rc == 0)
            rc = foresee(r, j, &e);
        if (rc < 0)
            return run_whose(r, j, &e, err);
        warn_sparse(r, j);
    }
    pthread_mutex_lock(&r->lock);
    r->prepared = true;
    pthread_mutex_unlock(&r->lock);
    return 0;
}
