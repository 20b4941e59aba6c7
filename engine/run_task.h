/* run_task: CPU time of threads: of a worker so far, and of the kernel's helpers that io_uring starts for it
 * (iou-wrk-TID, iou-sqp-TID), which no getrusage of the worker shows. Reads /proc/self/task; decides nothing. */
#ifndef ENGINE_RUN_TASK_H
#define ENGINE_RUN_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct task_usage {
    uint64_t user_ns, system_ns, ctx, minflt, majflt;
};

/* ret += what thread `tid` of this process used so far (to a clock tick). Unknown adds nothing. */
void task_usage_add(pid_t tid, struct task_usage *ret);

struct task_helper {
    pid_t tid, owner;
    bool poller; /* iou-sqp: looks for new requests; else iou-wrk: waits in the worker's place */
    uint64_t ns; /* as last seen: it stays when the helper ends */
};
struct task_table {
    struct task_helper *row;
    size_t n;
    /* The kernel names helpers with numbers of the machine's first pid namespace: in another one (a container) the
     * owner cannot be told, and is 0. */
    bool nameless;
};
void task_table_read(struct task_table *t); /* keeps rows of helpers that ended */
/* CPU time of the helpers of `owner`, 0 = of all; the second without pollers. */
uint64_t task_table_ns(const struct task_table *t, pid_t owner);
uint64_t task_table_punted_ns(const struct task_table *t, pid_t owner);
/* The owner has gone: its number may come again for another thread. */
void task_table_settle(struct task_table *t, pid_t owner);
void task_table_fini(struct task_table *t);

#endif
