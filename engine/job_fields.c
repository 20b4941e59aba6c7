/* job_fields: the table of everything a job can say, one row a word of fio's.
 * Parses nothing and checks nothing; job.c does. */
#include <stddef.h>

#include "core/clock.h"
#include "engine/job.h"

#define AT(member) .at = offsetof(struct job, member), .len = sizeof(((struct job *)0)->member)
#define MAX_OFFSET INT64_MAX                        /* what an off_t can say */
#define MAX_TIME (3650ull * 86400 * NSEC_PER_SEC)   /* ten years: sums of times cannot wrap */
#define MAX_RATE 1000000000ull                      /* a gap of 1 ns */

const struct job_field job_fields[] = {
    {.name = "name", .type = JOB_T_TEXT, AT(name), .def = "job1",
     .help = "Name of the job in results and on the screen."},
    {.name = "filename", .type = JOB_T_TEXT, AT(filename), .def = "",
     .help = "File or block device to work on; a:b names two, \\: is a colon."},
    {.name = "size", .type = JOB_T_BYTES, AT(size), .max = MAX_OFFSET, .def = "0", .unit = "bytes",
     .help = "Bytes of each target to work on; 0 = all of it. A missing file is laid out with this size."},
    {.name = "offset", .type = JOB_T_BYTES, AT(offset), .max = MAX_OFFSET, .def = "0", .unit = "bytes",
     .help = "Where in each target the region begins."},
    {.name = "rw", .alias = "readwrite", .type = JOB_T_RW, AT(rw), .def = "read", .live = true,
     .help = "Pattern: read, write, trim, randread, randwrite, randtrim, rw (mixed) or randrw."},
    {.name = "rwmixread", .type = JOB_T_UINT, AT(rwmixread), .max = 100, .def = "50", .unit = "percent",
     .live = true, .help = "Share of reads in a mixed rw."},
    {.name = "bs", .alias = "blocksize", .type = JOB_T_BYTES, AT(bs), .min = 512, .max = 16u << 20, .def = "4k",
     .unit = "bytes", .live = true, .help = "Size of one request."},
    {.name = "iodepth", .type = JOB_T_UINT, AT(iodepth), .min = 1, .max = JOB_MAX_DEPTH, .def = "1",
     .unit = "requests", .live = true, .help = "Requests kept in flight by each clone; needs an asynchronous ioengine."},
    {.name = "numjobs", .type = JOB_T_UINT, AT(numjobs), .min = 1, .max = JOB_MAX_CLONES, .def = "1",
     .unit = "clones", .live = true, .help = "Clones of the job, one thread each."},
    {.name = "ioengine", .type = JOB_T_TEXT, AT(ioengine), .def = "psync",
     .help = "How requests reach the kernel: psync, sync, pvsync, pvsync2, mmap, libaio, io_uring or null (no I/O at all)."},
    {.name = "direct", .type = JOB_T_BOOL, AT(direct), .def = "0",
     .help = "1 goes past the page cache (O_DIRECT); bs and offset must fit the logical block."},
    {.name = "invalidate", .type = JOB_T_BOOL, AT(invalidate), .def = "1",
     .help = "1 drops the page cache of the targets before the start."},
    {.name = "runtime", .alias = "timeout", .type = JOB_T_TIME, AT(runtime_ns), .max = MAX_TIME, .def = "0",
     .unit = "time", .help = "Ends the job after this time, ramp_time not counted; 0 = when its data ends."},
    {.name = "time_based", .type = JOB_T_BOOL, AT(time_based), .def = "0",
     .help = "1 runs for all of runtime, over the data again and again."},
    {.name = "ramp_time", .type = JOB_T_TIME, AT(ramp_time_ns), .max = MAX_TIME, .def = "0", .unit = "time",
     .help = "Runs this long before the measured part begins."},
    {.name = "rate_iops", .type = JOB_T_COUNT, AT(rate_iops), .max = MAX_RATE, .def = "0", .unit = "IOPS",
     .live = true, .help = "Most requests a second, each clone and direction; 0 = unlimited."},
    {.name = "rate", .type = JOB_T_BYTES, AT(rate), .max = MAX_OFFSET, .def = "0", .unit = "bytes/s", .live = true,
     .help = "Most bytes a second, each clone and direction; 0 = unlimited."},
    {.name = "thinktime", .type = JOB_T_TIME_US, AT(thinktime_ns), .max = MAX_TIME, .def = "0", .unit = "time",
     .live = true, .help = "Pause after each completed request; a bare number is microseconds."},
    {.name = "fsync", .type = JOB_T_UINT, AT(fsync), .max = UINT32_MAX, .def = "0", .unit = "writes", .live = true,
     .help = "Syncs the file after every so many writes; 0 = never."},
    {.name = "end_fsync", .type = JOB_T_BOOL, AT(end_fsync), .def = "0",
     .help = "1 syncs the files once the job has written its data."},
    {.name = "cpus_allowed", .type = JOB_T_TEXT, AT(cpus_allowed), .def = "",
     .help = "CPUs the job may run on, like 0-3,8; empty = any."},
    {.name = "readonly", .type = JOB_T_BOOL, AT(readonly), .def = "0",
     .help = "1 refuses every rw that writes or trims."},
    {.name = "group_reporting", .type = JOB_T_BOOL, AT(group_reporting), .def = "0",
     .help = "1 reports neighbouring jobs that set it as one."},
};
const size_t job_nfields = sizeof(job_fields) / sizeof(job_fields[0]);
_Static_assert(sizeof(job_fields) / sizeof(job_fields[0]) <= 64, "struct job's `set` has a bit a field");
