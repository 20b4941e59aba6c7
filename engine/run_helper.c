/* run_helper: books the CPU time of io_uring's kernel threads on the jobs whose workers own them.
 * Finding them is run_task.c's; when to look is the conductor's. */
#include <string.h>

#include "core/clock.h"
#include "engine/run_priv.h"

#define WORTH_SAYING_NS (100 * NSEC_PER_MSEC)

static bool uses_uring(const struct run *r)
{
    for (size_t i = 0; i < r->njobs; i++)
        if (r->job[i].nclones && !strcmp(r->job[i].cur.ioengine, "io_uring"))
            return true;
    return false;
}

static void book(struct run *r, struct run_job *j)
{
    uint64_t ns = j->helper_retired_ns;
    for (size_t k = 0; k < j->nclones; k++)
        ns += task_table_ns(&r->tasks, worker_tid(j->clone[k].w));
    pthread_mutex_lock(&r->lock);
    j->helper_ns = ns > j->helper_ns ? ns : j->helper_ns;
    pthread_mutex_unlock(&r->lock);
    if (ns < WORTH_SAYING_NS || r->said_helpers)
        return;
    r->said_helpers = true;
    run_note(r, "warning",
             "%s: io_uring runs through kernel threads (iou-wrk) on this device; their CPU time is counted apart",
             j->cur.name);
}

void run_read_tasks(struct run *r)
{
    r->tasks_ns = clock_now_ns();
    if (!uses_uring(r))
        return;
    task_table_read(&r->tasks);
    for (size_t i = 0; i < r->njobs; i++)
        book(r, &r->job[i]);
}
