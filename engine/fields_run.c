/* fields_run: the words about the run: how long, how often, where, and how it is reported.
 * Rows only; run.c and the results follow them. */
#include "engine/job_rows.h"

static const struct job_field rows[] = {
    {.name = "numjobs", .type = JOB_T_UINT, AT(numjobs), .min = 1, .max = JOB_MAX_CLONES, .def = "1",
     .unit = "clones", .live = true, .help = "Clones of the job, one thread each."},
    {.name = "runtime", .alias = "timeout", .type = JOB_T_TIME, AT(runtime_ns), .max = MAX_TIME, .def = "0",
     .unit = "time", .help = "Ends the job after this time, ramp_time not counted; 0 = when its data ends."},
    {.name = "time_based", .type = JOB_T_BOOL, AT(time_based), .def = "0",
     .help = "1 runs for all of runtime, over the data again and again."},
    {.name = "ramp_time", .type = JOB_T_TIME, AT(ramp_time_ns), .max = MAX_TIME, .def = "0", .unit = "time",
     .help = "Runs this long before the measured part begins."},
};

const struct job_section fields_run = SECTION("The run", rows);
