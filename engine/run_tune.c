/* run_tune: new versions of running jobs: what changes for which worker, and since when it has.
 * Whether words make a job is job_tune.c's, whether we may write is the guard's. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/str.h"
#include "engine/run_priv.h"

struct target_peers run_peers(const struct run *r, const struct run_job *but, const struct targets **sets)
{
    struct target_peers p = {.sets = sets};
    for (size_t i = 0; i < r->njobs; i++)
        if (&r->job[i] != but && r->job[i].set)
            sets[p.n++] = &r->job[i].set->t;
    return p;
}

/* Nothing was laid out yet: the new version opens its targets as if it had been the first. */
static int open_again(struct run *r, struct run_job *j, const struct job *next, struct err *err)
{
    const struct targets *sets[r->njobs];
    struct target_peers peers = run_peers(r, j, sets);
    struct targets *t = &j->set->t;
    targets_close(t);
    int rc = targets_open_beside(next, &r->policy, &peers, t, err);
    if (rc < 0 && targets_open_beside(&j->cur, &r->policy, &peers, t, NULL) < 0)
        r->prepared = false; /* the start tries again, and says why it cannot */
    return rc;
}

static int push_set(struct run *r, struct run_job *j, const struct job *next, struct err *err)
{
    const struct targets *sets[r->njobs];
    struct target_peers peers = run_peers(r, j, sets);
    struct target_set *s = calloc(1, sizeof(*s));
    if (!s)
        return err_set(err, -ENOMEM, "no memory for the targets");
    int rc = targets_retune_beside(&j->set->t, next, &r->policy, &peers, &s->t, err);
    if (rc < 0) {
        free(s);
        return rc;
    }
    j->set->last = j->version;
    s->older = j->set;
    j->set = s;
    return 0;
}

static void drop_older(struct run_job *j)
{
    struct target_set *s = j->set->older;
    j->set->older = s->older;
    targets_close(&s->t);
    free(s);
}

/* *ret_pushed: there is a new set of targets on top. */
static int fit_targets(struct run *r, struct run_job *j, const struct job *next, bool *ret_pushed, struct err *err)
{
    *ret_pushed = false;
    if (!j->set || !j->set->t.n)
        return 0;
    if (!j->nclones && targets_lack(&j->set->t, next)) {
        r->prepared = false; /* the start opens, and lays out, what is missing */
        return 0;
    }
    int rc = targets_fit(&j->set->t, next, err), apart = rc < 0 ? 0 : run_apart(r, j, next, err);
    if (apart < 0)
        return apart;
    if (rc >= 0)
        targets_advise(&j->set->t, next);
    if (rc == 0 && job_writes(next) && !job_writes(&j->cur))
        return targets_check_again(&j->set->t, next, err);
    if (rc <= 0)
        return rc;
    if (job_unlaid(j))
        return open_again(r, j, next, err);
    rc = push_set(r, j, next, err);
    *ret_pushed = rc == 0;
    return rc;
}

static struct clone *clone_at(struct run_job *j, unsigned index)
{
    for (size_t i = 0; i < j->nclones; i++)
        if (j->clone[i].index == index && !j->clone[i].leaves)
            return &j->clone[i];
    return NULL;
}

static bool only_numjobs(const struct job *a, const struct job *b)
{
    struct job c = *b;
    c.numjobs = a->numjobs;
    memcpy(c.set, a->set, sizeof(c.set));
    return !memcmp(a, &c, sizeof(c));
}

static bool stays(const struct clone *c, const struct job *next)
{
    return !c->leaves && c->index < next->numjobs;
}

/* Gives the workers that stay the next version; when one cannot take it, those before it get the old one back,
 * as a version of its own. */
static int tell_clones(struct run_job *j, const struct job *next, bool quiet, struct err *err)
{
    uint64_t version = ++j->version;
    size_t told = 0;
    int rc = 0;
    for (size_t i = 0; i < j->nclones && rc == 0; i++) {
        if (!stays(&j->clone[i], next))
            continue;
        if (quiet)
            j->clone[i].since = version;
        else
            rc = worker_retune(j->clone[i].w, next, &j->set->t, version, err);
        told = rc == 0 ? i + 1 : told;
    }
    if (rc == 0)
        return 0;
    j->version++;
    for (size_t i = 0; i < told; i++)
        if (stays(&j->clone[i], next))
            worker_retune(j->clone[i].w, &j->cur, &j->set->t, j->version, NULL);
    return rc;
}

static void drop_clones(struct run_job *j, unsigned numjobs, uint64_t version)
{
    for (size_t i = 0; i < j->nclones; i++)
        if (j->clone[i].index >= numjobs && !j->clone[i].leaves) {
            j->clone[i].leaves = version;
            worker_stop(j->clone[i].w);
        }
}

static int add_clones(struct run *r, struct run_job *j, unsigned before, struct err *err)
{
    for (unsigned k = before; k < j->cur.numjobs; k++) {
        int rc = clone_at(j, k) ? 0 : job_add_clone(r, j, k, err);
        if (rc < 0)
            return rc;
        struct clone *c = clone_at(j, k);
        if (c && j->clock.paused_since)
            worker_pause(c->w, true);
        if (c)
            worker_go(c->w);
    }
    return 0;
}

static int reserve(struct run *r, struct run_job *j)
{
    run_exclusive(r); /* results read the rows */
    struct tune *rows = realloc(j->tune, (j->ntunes + 1) * sizeof(*rows));
    j->tune = rows ? rows : j->tune;
    pthread_mutex_unlock(&r->lock);
    return rows ? 0 : -ENOMEM;
}

static void record(struct run *r, struct run_job *j, const struct job *next, const char *words, uint64_t at_ns)
{
    run_exclusive(r);
    struct tune *row = &j->tune[j->ntunes++];
    *row = (struct tune){.said.at_ns = at_ns, .version = j->version};
    str_copy(row->said.words, sizeof(row->said.words), words);
    j->cur = *next;
    pthread_mutex_unlock(&r->lock);
}

/* Of a job whose workers run. */
static int retune_live(struct run *r, struct run_job *j, const struct job *next, const char *words, uint64_t now,
                       struct err *err)
{
    unsigned before = j->cur.numjobs;
    bool pushed;
    if (reserve(r, j) < 0)
        return err_set(err, -ENOMEM, "no memory for the list of changes");
    int rc = fit_targets(r, j, next, &pushed, err);
    if (rc < 0)
        return rc;
    rc = tell_clones(j, next, !pushed && only_numjobs(&j->cur, next), err);
    if (rc < 0)
        return rc;
    record(r, j, next, words, now - r->gate_ns);
    drop_clones(j, next->numjobs, j->version);
    return add_clones(r, j, before, err);
}

/* Of a job that does not run: it starts that way next time. */
static int retune_idle(struct run *r, struct run_job *j, const struct job *next, struct err *err)
{
    bool pushed;
    int rc = fit_targets(r, j, next, &pushed, err);
    if (rc < 0)
        return rc;
    while (pushed && j->set->older) /* nobody uses them */
        drop_older(j);
    pthread_mutex_lock(&r->lock);
    j->cur = *next;
    pthread_mutex_unlock(&r->lock);
    return 0;
}

static void retune_job(struct run *r, struct run_job *j, const char *words, uint64_t now)
{
    struct job next, old = j->cur;
    struct err e = {0};
    char note[256], diff[256];
    int rc = job_retune_note(&j->cur, words, &next, note, sizeof(note), &e);
    if (rc == 0 && j->clock.stop_ns && j->nclones)
        rc = err_set(&e, -EBUSY, "%s: the job is stopping", words);
    if (rc == 0)
        rc = j->nclones ? retune_live(r, j, &next, words, now, &e) : retune_idle(r, j, &next, &e);
    if (rc < 0) {
        run_note_error(r, j, &e);
        return;
    }
    job_diff(&old, &next, diff, sizeof(diff));
    if (*diff)
        run_note(r, "retune", "%s: %s", next.name, diff);
    if (*note)
        run_note(r, "warning", "%s: %s", next.name, note);
}

void run_retune(struct run *r, const struct order *o, uint64_t now)
{
    for (size_t i = 0; i < r->njobs; i++)
        if (o->job == ORDER_ALL_JOBS || (size_t)o->job == i)
            retune_job(r, &r->job[i], o->text, now);
}

/* Has the worker version v? *ret_ns: since when. */
static bool taken(const struct clone *c, uint64_t v, uint64_t *ret_ns)
{
    if (c->leaves)
        return c->leaves != v; /* removed by this change: taken once it has ended and is gone from the list */
    if (worker_version(c->w) >= v)
        *ret_ns = worker_version_ns(c->w);
    else if (c->since < v)
        return false;
    return worker_state(c->w) != WORKER_STARTING;
}

static void close_old_sets(struct run_job *j)
{
    uint64_t oldest = j->version;
    for (size_t i = 0; i < j->nclones; i++) {
        uint64_t v = worker_version(j->clone[i].w);
        /* Told nothing since it began, it still has the set it began with. */
        v = v ? v : j->clone[i].since;
        oldest = v < oldest ? v : oldest;
    }
    for (struct target_set **s = &j->set->older; *s;) {
        struct target_set *old = *s;
        if (old->last >= oldest) {
            s = &old->older;
            continue;
        }
        *s = old->older;
        targets_close(&old->t);
        free(old);
    }
}

void job_tuned(struct run *r, struct run_job *j, uint64_t now)
{
    for (size_t row = j->napplied; row < j->ntunes; row++) {
        uint64_t at = 0;
        for (size_t i = 0; i < j->nclones; i++) {
            uint64_t ns = 0;
            if (!taken(&j->clone[i], j->tune[row].version, &ns))
                return;
            at = ns > at ? ns : at;
        }
        uint64_t ordered = r->gate_ns + j->tune[row].said.at_ns;
        run_exclusive(r);
        j->tune[row].said.applied_ns = (at > ordered ? at : now) - r->gate_ns;
        j->napplied = row + 1;
        pthread_mutex_unlock(&r->lock);
    }
    close_old_sets(j);
}
