/* run_order: which job of a run begins when (stonewall, wait_for), to which reporting group it belongs, and what ends
 * with it (exitall). Begins nothing itself: the conductor asks. */
#include <errno.h>
#include <string.h>

#include "core/clock.h"
#include "engine/run_priv.h"

/* The one before job i with the name that it waits for; *ret_n: how many there are. */
static size_t waitee(const struct job *jobs, size_t i, size_t *ret_n)
{
    size_t at = 0;
    *ret_n = 0;
    for (size_t k = 0; k < i; k++)
        if (!strcmp(jobs[k].name, jobs[i].wait_for)) {
            at = k;
            (*ret_n)++;
        }
    return at;
}

int run_order_plan(struct run *r, const struct job *jobs, struct err *err)
{
    unsigned group = 0;
    for (size_t i = 0; i < r->njobs; i++) {
        size_t n;
        r->job[i].waitee = SIZE_MAX;
        group += i && (jobs[i].stonewall || jobs[i].new_group);
        r->job[i].group = group;
        if (!jobs[i].wait_for[0])
            continue;
        r->job[i].waitee = waitee(jobs, i, &n);
        if (n == 0)
            return err_set(err, -EINVAL, "wait_for=%s: no job before %s has that name", jobs[i].wait_for, jobs[i].name);
        if (n > 1)
            return err_set(err, -EINVAL, "wait_for=%s: %zu jobs have that name; give each its own", jobs[i].wait_for, n);
    }
    return 0;
}

/* The last stonewall up to job i stands for all before it, too: nothing passes one. */
static bool behind_wall(const struct run *r, size_t i)
{
    size_t wall = i;
    while (wall && !r->job[wall].first.stonewall)
        wall--;
    for (size_t k = 0; k < wall; k++)
        if (r->job[k].phase != PHASE_OVER)
            return true;
    return false;
}

/* They may, unless the later one waits for the earlier: behind a stonewall, or by wait_for. */
bool run_together(const struct run *r, size_t a, size_t b)
{
    size_t first = a < b ? a : b, last = a < b ? b : a;
    for (size_t i = last; i > first; i--)
        if (r->job[i].cur.stonewall)
            return false;
    for (size_t i = r->job[last].waitee; i != SIZE_MAX; i = r->job[i].waitee)
        if (i == first)
            return false;
    return true;
}

bool run_may_begin(struct run *r, size_t i)
{
    struct run_job *j = &r->job[i];
    uint64_t now = clock_now_ns();
    if (j->phase != PHASE_WAITS || behind_wall(r, i))
        return false;
    if (j->waitee != SIZE_MAX && r->job[j->waitee].phase != PHASE_OVER)
        return false;
    if (!j->ready_ns)
        j->ready_ns = now;
    return now - j->ready_ns >= j->first.startdelay_ns[0];
}

uint64_t run_begins_ns(const struct run_job *j)
{
    return j->phase == PHASE_WAITS && j->ready_ns ? j->ready_ns + j->first.startdelay_ns[0] : UINT64_MAX;
}

bool run_waits(const struct run *r)
{
    for (size_t i = 0; i < r->njobs && !r->refused; i++)
        if (r->job[i].phase == PHASE_WAITS)
            return true;
    return false;
}

static void stop_with(struct run *r, const struct run_job *ended, uint64_t now)
{
    for (size_t i = 0; i < r->njobs; i++) {
        struct run_job *j = &r->job[i];
        enum job_exit_what what = ended->cur.exit_what;
        bool meant = what == JOB_EXIT_ALL || (what == JOB_EXIT_GROUP && j->group == ended->group) ||
                     (what == JOB_EXIT_STONEWALL && j->phase == PHASE_RUNS);
        if (meant)
            job_stop(r, j, now);
    }
}

/* As in fio, one job that says exitall says it for all; what it stops, each says for itself. */
void run_follow_ends(struct run *r, uint64_t now)
{
    bool all = false, bad = false;
    for (size_t i = 0; i < r->njobs; i++) {
        all |= r->job[i].cur.exitall;
        bad |= r->job[i].cur.exitall_on_error;
    }
    for (size_t i = 0; (all || bad) && i < r->njobs; i++) {
        struct run_job *j = &r->job[i];
        if (!j->followed && ((all && j->ends) || (bad && j->failed))) {
            j->followed = true;
            stop_with(r, j, now);
        }
    }
}
