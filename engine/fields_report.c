/* fields_report: the words about what is reported, and how.
 * Rows only; cli/result*.c write the reports. */
#include "engine/job_rows.h"

#define LOG(member) .type = JOB_T_TEXT, AT(member), .def = "", .bare = "", .may_be_empty = true, .value = "FILE"

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
    {.name = "write_bw_log", LOG(log.bw),
     .help = "Writes FILE_bw.N.log, a line each log_avg_msec: ms, KiB/s, direction; alone, FILE is the job's name."},
    {.name = "write_iops_log", LOG(log.iops), .help = "The same of IOPS: FILE_iops.N.log."},
    {.name = "write_lat_log", LOG(log.lat),
     .help = "The same of mean latency in ns: FILE_clat.N.log and FILE_lat.N.log, which are one time here."},
    {.name = "write_hist_log", LOG(log.hist),
     .help = "Writes FILE_clat_hist.N.log, a histogram of latency each log_hist_msec, in fio's buckets (to 17 s)."},
    {.name = "log_avg_msec", .type = JOB_T_UINT, AT(log.avg_ms), .min = 10, .max = 3600000, .def = "500", .unit = "ms",
     .help = "Interval of a log's averages. Single requests are not logged (fio's default, 0)."},
    {.name = "log_hist_msec", .type = JOB_T_UINT, AT(log.hist_ms), .max = 3600000, .def = "0", .unit = "ms",
     .help = "Interval of write_hist_log; 0 writes none, as in fio."},
    {.name = "log_hist_coarseness", .type = JOB_T_UINT, AT(log.hist_coarseness), .max = 6, .def = "0",
     .help = "Writes 2^N buckets of a histogram as one."},
    {.name = "log_max_value", .type = JOB_T_BOOL, AT(log.max_value), .def = "0",
     .help = "1 logs the longest latency of each interval instead of the mean."},
    {.name = "log_unix_epoch", .type = JOB_T_BOOL, AT(log.unix_epoch), .def = "0",
     .help = "1 logs the time of day instead of the time since the start of the job."},
    {.name = "per_job_logs", .type = JOB_T_BOOL, AT(log.per_job), .def = "1",
     .help = "0 writes clones and jobs of the same FILE into one log, without N."},
};

const struct job_section fields_report = SECTION("Reports", rows);
