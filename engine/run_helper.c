/* run_helper: books the CPU time of io_uring's kernel threads on the jobs whose workers own them, and says so when
 * they do the work of a worker. Finding them is run_task.c's; when to look is the conductor's. */
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "engine/run_priv.h"

#define WORTH_SAYING_NS (100 * NSEC_PER_MSEC) /* and a twentieth of one CPU */

static bool uses_uring(const struct run_job *j)
{
    return !strcmp(j->cur.ioengine, "io_uring");
}

static size_t uring_clones(const struct run *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->njobs; i++)
        n += uses_uring(&r->job[i]) ? r->job[i].nclones : 0;
    return n;
}

/* Of the clones that live. Where the helpers bear no usable names, all clones have an equal share. */
static uint64_t live_ns(const struct run *r, const struct run_job *j,
                        uint64_t (*of)(const struct task_table *, pid_t))
{
    uint64_t ns = 0;
    size_t all = uring_clones(r);
    if (r->tasks.nameless)
        return all ? of(&r->tasks, 0) / all * j->nclones : 0;
    for (size_t k = 0; k < j->nclones; k++)
        ns += of(&r->tasks, worker_tid(j->clone[k].w));
    return ns;
}

/* fsync and the like always go that way; what is asked for needs no warning. */
static void say(struct run *r, struct run_job *j, uint64_t now)
{
    uint64_t ns = live_ns(r, j, task_table_punted_ns), since = now - j->clock.gate_ns;
    if (j->said_helpers || j->cur.engine.force_async || !j->clock.gate_ns || ns < WORTH_SAYING_NS || ns < since / 20)
        return;
    j->said_helpers = true;
    run_note(r, "warning",
             "%s: io_uring runs through kernel threads (iou-wrk) here: the device or filesystem cannot start a request "
             "without waiting; their CPU time is counted apart", j->cur.name);
}

void run_book_helpers(struct run *r, struct run_job *j)
{
    uint64_t ns = j->helper_retired_ns + live_ns(r, j, task_table_ns), now = r->tasks_ns;
    uint64_t more = ns > j->helper_ns ? ns - j->helper_ns : 0;
    pthread_mutex_lock(&r->lock);
    j->helper_ns += more;
    if (j->helper_read_ns && now > j->helper_read_ns)
        j->helpers_pct = 100.0 * (double)more / (double)(now - j->helper_read_ns);
    j->helper_read_ns = now;
    j->helpers_shared = r->tasks.nameless;
    pthread_mutex_unlock(&r->lock);
}

void run_read_tasks(struct run *r)
{
    r->tasks_ns = clock_now_ns();
    if (!uring_clones(r))
        return;
    task_table_read(&r->tasks);
    for (size_t i = 0; i < r->njobs; i++) {
        if (!uses_uring(&r->job[i]) || !r->job[i].nclones)
            continue;
        run_book_helpers(r, &r->job[i]);
        say(r, &r->job[i], r->tasks_ns);
    }
}

uint64_t run_retire_helpers(struct run *r, struct run_job *j, const struct worker *w)
{
    uint64_t seen = task_table_ns(&r->tasks, worker_tid(w)), own = worker_helpers_ns(w);
    if (r->tasks.nameless || !uses_uring(j))
        return 0;
    j->helper_retired_ns += seen > own ? seen : own;
    task_table_settle(&r->tasks, worker_tid(w));
    return seen > own ? seen : own;
}
