/* run_verify: a job whose load has ended while what it wrote is read back, and the sum of what was checked.
 * Checks nothing (verify.c does); the read-back is not of the load and not in its numbers. */
#include "core/clock.h"
#include "core/str.h"
#include "engine/run_priv.h"

static void set_ended(struct run *r, struct run_job *j, uint64_t now)
{
    pthread_mutex_lock(&r->lock);
    j->clock.load_ns = now;
    pthread_mutex_unlock(&r->lock);
}

void job_end_load(struct run *r, struct run_job *j, uint64_t now)
{
    if (!verify_on(&j->cur)) {
        job_stop(r, j, now);
        return;
    }
    if (j->clock.load_ns || j->clock.stop_ns)
        return;
    set_ended(r, j, now);
    for (size_t i = 0; i < j->nclones; i++)
        worker_finish(j->clone[i].w);
}

static size_t reading_back(const struct run_job *j)
{
    size_t n = 0;
    for (size_t i = 0; i < j->nclones; i++)
        n += worker_reads_back(j->clone[i].w);
    return n;
}

void job_verify_tick(struct run *r, struct run_job *j, uint64_t now)
{
    size_t n = verify_on(&j->cur) ? reading_back(j) : 0;
    if (n && n == j->nclones && !j->clock.load_ns)
        set_ended(r, j, now);
    if (!n || j->said_verify)
        return;
    j->said_verify = true;
    run_note(r, "state", "%s: reads back and verifies what it wrote", j->cur.name);
}

void run_verify_sum(const struct run_job *j, const struct job_view *v, unsigned clone, struct verify_count *ret)
{
    for (unsigned i = 0; i < v->nrows; i++)
        if (clone == UINT32_MAX || clone == i)
            verify_count_add(ret, &j->row[i].verify);
    for (size_t i = 0; i < v->nclones; i++) {
        const struct verify_count *live = worker_verify(j->clone[i].w);
        if (live && (clone == UINT32_MAX || clone == j->clone[i].index))
            verify_count_add(ret, live);
    }
}

void run_verify_gauge(const struct run_job *j, const struct job_view *v, struct frame *f)
{
    char name[JOB_NAME + 16];
    struct verify_count n = {0};
    if (!verify_on(&v->job))
        return;
    run_verify_sum(j, v, UINT32_MAX, &n);
    str_format(name, sizeof(name), "%s verified", v->job.name);
    frame_gauge(f, "load", name, "B", (double)n.bytes);
    verify_count_fini(&n);
}
