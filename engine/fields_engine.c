/* fields_engine: the words that one ioengine takes and another does not; fio calls them engine options.
 * Rows only; job_engine.c says which engine takes which. */
#include "engine/job_rows.h"

static const struct job_field rows[] = {
    {.name = "hipri", .type = JOB_T_BOOL, AT(engine.hipri), .def = "0",
     .help = "io_uring, pvsync2: 1 polls for completions; needs direct=1 and a device with poll queues."},
    {.name = "nowait", .type = JOB_T_BOOL, AT(engine.nowait), .def = "0",
     .help = "io_uring, libaio, pvsync2: 1 makes a request that would have to wait an error (RWF_NOWAIT)."},
    {.name = "uncached", .type = JOB_T_BOOL, AT(engine.uncached), .def = "0",
     .help = "io_uring, pvsync2: 1 is buffered I/O that leaves nothing in the page cache (Linux 6.14)."},
    {.name = "sqthread_poll", .type = JOB_T_BOOL, AT(engine.sqthread_poll), .def = "0",
     .help = "io_uring: 1 has a thread of the kernel look for new requests; it costs a CPU, and is counted."},
    {.name = "sqthread_poll_cpu", .type = JOB_T_UINT, AT(engine.sqthread_cpu), .max = 8191, .def = "0", .unit = "CPU",
     .help = "io_uring: the CPU of the thread of sqthread_poll; any where it is not given."},
    {.name = "force_async", .type = JOB_T_UINT, AT(engine.force_async), .max = UINT32_MAX, .def = "0",
     .unit = "requests", .help = "io_uring: every so-many-th request is started by a helper thread of the kernel; 0 = none."},
    {.name = "cmdprio_percentage", .type = JOB_T_UINT, AT_EACH(engine.prio_pct), .max = 100, .def = "0",
     .unit = "percent", .help = "io_uring, libaio: share of the requests that have the priority of cmdprio_class."},
    {.name = "cmdprio_class", .type = JOB_T_UINT, AT_EACH(engine.prio_class), .min = 1, .max = 3, .def = "1",
     .help = "Priority class of those requests: 1 realtime, 2 best-effort, 3 idle."},
    {.name = "cmdprio", .type = JOB_T_UINT, AT_EACH(engine.prio), .max = 7, .def = "0",
     .help = "Level within their class: 0 is the highest, 7 the lowest."},
};

const struct job_section fields_engine = SECTION("Options of one ioengine", rows);
