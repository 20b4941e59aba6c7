/* fields_report: the words about what is reported, and how.
 * Rows only; cli/result*.c write the reports. */
#include "engine/job_rows.h"

static const struct job_field rows[] = {
    {.name = "group_reporting", .type = JOB_T_BOOL, AT(group_reporting), .def = "0",
     .help = "1 reports all clones and jobs of a group that say so in one row; else each clone has its own."},
    {.name = "new_group", .type = JOB_T_BOOL, AT(new_group), .def = "0",
     .help = "1 begins a reporting group with this job, as stonewall does."},
};

const struct job_section fields_report = SECTION("Reports", rows);
