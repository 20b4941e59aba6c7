/* fields_rate: the words that hold a load back.
 * Rows only; pacer.c and the worker keep the pace. */
#include "engine/job_rows.h"

static const struct job_field rows[] = {
    {.name = "rate_iops", .type = JOB_T_COUNT, AT_EACH(rate_iops), .max = MAX_RATE, .def = "0", .unit = "IOPS",
     .live = true, .help = "Most requests a second, each clone and direction; 0 = unlimited."},
    {.name = "rate", .type = JOB_T_BYTES, AT_EACH(rate), .max = MAX_OFFSET, .def = "0", .unit = "bytes/s",
     .live = true, .help = "Most bytes a second, each clone and direction; 0 = unlimited."},
    {.name = "thinktime", .type = JOB_T_TIME_US, AT(thinktime_ns), .max = MAX_TIME, .def = "0", .unit = "time",
     .live = true, .help = "Pause after each completed request; a bare number is microseconds."},
};

const struct job_section fields_rate = SECTION("Pace", rows);
