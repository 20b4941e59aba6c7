/* fields_report: the words about what is reported, and how.
 * Rows only; cli/result*.c write the reports. */
#include "engine/job_rows.h"

static const struct job_field rows[] = {
    {.name = "group_reporting", .type = JOB_T_BOOL, AT(group_reporting), .def = "0",
     .help = "1 reports all clones and jobs of a group that say so in one row; else each clone has its own."},
    {.name = "new_group", .type = JOB_T_BOOL, AT(new_group), .def = "0",
     .help = "1 begins a reporting group with this job, as stonewall does."},
    {.name = "percentile_list", .type = JOB_T_TEXT, AT(percentile_list), .value = "A:B:…",
     .def = "1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99", .read = job_read_percentiles,
     .help = "Percentiles of latency to report, up to 20 numbers above 0 and up to 100."},
    {.name = "clat_percentiles", .type = JOB_T_BOOL, AT(clat_percentiles), .def = "1",
     .help = "0 leaves the percentiles of completion out of the text; JSON always has them."},
    {.name = "lat_percentiles", .type = JOB_T_BOOL, AT(lat_percentiles), .def = "0",
     .help = "1 shows percentiles of the total latency in the text; here it is measured from submit to reap, as clat."},
};

const struct job_section fields_report = SECTION("Reports", rows);
