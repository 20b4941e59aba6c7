/* fields_run: the words about the run: how long, how often, where, and how it is reported.
 * Rows only; run.c and the results follow them. */
#include "engine/job_rows.h"

static const char *const kb_words[] = {"1024", "1000", NULL};

static const struct job_field rows[] = {
    {.name = "numjobs", .type = JOB_T_UINT, AT(numjobs), .min = 1, .max = JOB_MAX_CLONES, .def = "1",
     .unit = "clones", .live = true, .help = "Clones of the job, one thread each."},
    {.name = "runtime", .alias = "timeout", .type = JOB_T_TIME, AT(runtime_ns), .max = MAX_TIME, .def = "0",
     .unit = "time", .help = "Ends the job after this time, ramp_time not counted; 0 = when its data ends."},
    {.name = "time_based", .type = JOB_T_BOOL, AT(time_based), .def = "0",
     .help = "1 runs for all of runtime, over the data again and again."},
    {.name = "ramp_time", .type = JOB_T_TIME, AT(ramp_time_ns), .max = MAX_TIME, .def = "0", .unit = "time",
     .help = "Runs this long before the measured part begins."},
    {.name = "kb_base", .type = JOB_T_ENUM, AT(kb_si), .words = kb_words, .def = "1024",
     .help = "What k means in the sizes of the job: 1024 or 1000; kib, mib ... are always powers of 1024."},
    {.name = "description", .type = JOB_T_TEXT, AT(description), .def = "", .may_be_empty = true,
     .help = "Text that goes with the result."},
};

const struct job_section fields_run = SECTION("The run", rows);
