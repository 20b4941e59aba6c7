/* job_refused: fio's words that are not here, and for each what to use instead.
 * A value that asks for nothing (fio's own default) is taken: it is true here too. */
#include "engine/job_refused.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define NO_JOB "run it from the shell around benchtop"
#define NO_ZONES "zoned devices are not written in their zones here; use zonemode=strided"
#define NO_LATER "set it before the run (a setting of the machine, not of a job)"

static const struct {
    const char *words; /* one, or several with "|" between them */
    const char *nothing, *instead; /* nothing: a value that asks for nothing; NULL = there is none */
} refused[] = {
    /* the order of requests */
    {"zonecapacity", "0", NO_ZONES},
    {"read_beyond_wp", "0", NO_ZONES},
    {"max_open_zones", "0", NO_ZONES},
    {"job_max_open_zones", "0", NO_ZONES},
    {"ignore_zone_limits", "0", NO_ZONES},
    {"zone_reset_threshold", "0", NO_ZONES},
    {"zone_reset_frequency", "0", NO_ZONES},
    /* safety of data */
    {"sync_file_range", NULL, "use fsync or fdatasync"},
    {"write_barrier", "0", "Linux has no barrier writes since 2.6.37; use fsync=N or sync=dsync"},
    {"atomic", "0", "untorn writes are not offered; use direct=1, with sync=dsync where they must be stable"},
    /* engines */
    {"hipri_percentage", "100", "hipri=1 polls for all requests"},
    {"cmdprio_bssplit", NULL, "use cmdprio_percentage"},
    {"cmd_type", NULL, "there is no passthrough; use io_uring on the block device"},
    {"thp", "0", "the kernel decides (sysfs mm/transparent_hugepage)"},
    {"io_submit_mode", "inline", "requests are never held back by completions; use rate_iops or rate"},
    /* memory */
    {"hugepage-size", NULL, "iomem=mmaphuge has pages of 2m"},
    {"lockmem", "0", "limit the memory from outside: systemd-run -p MemoryMax=…, or mem= at boot"},
    {"swapout", NULL, "use a memory limit from outside"},
    /* the process */
    {"uid", NULL, "start benchtop as that user (setpriv --reuid)"},
    {"gid", NULL, "start benchtop as that group (setpriv --regid)"},
    {"cgroup", NULL, "start benchtop in it (systemd-run --slice, cgexec)"},
    {"cgroup_weight", NULL, "set it on the cgroup that benchtop is started in"},
    {"cgroup_nodelete", "0", "cgroups are not made here"},
    {"ioscheduler", NULL, NO_LATER ": echo NAME > /sys/block/X/queue/scheduler"},
    {"exec_prerun", NULL, NO_JOB},
    {"exec_postrun", NULL, NO_JOB},
    {"idle_prof", NULL, "the screen and the result have every CPU"},
    {"profile", NULL, "write the job out"},
    {"clock_cpu", NULL, "the clock needs no CPU of its own"},
    {"gtod_cpu", NULL, "the clock is read once a batch and needs no CPU of its own"},
    {"reduce_interference", "0", "the loop allocates and prints nothing"},
    /* reports */
    {"log_offset", "0", "single requests are not logged"},
    {"log_prio", "0", "single requests are not logged"},
    {"log_entries", NULL, "a log grows as it needs"},
    {"log_compression", "0", "logs hold averages and stay small"},
    {"log_compression_cpus", NULL, "logs are not compressed"},
    {"log_store_compressed", "0", "compress the files after the run"},
    {"log_alternate_epoch", "0", "use log_unix_epoch"},
    {"log_alternate_epoch_clock_id", "0", "use log_unix_epoch"},
    {"slat_percentiles", "0", "submission is not stamped apart: clat begins before it"},
    {"unified_rw_reporting", "none", "sum the directions of the result"},
    {"bwavgtime", "500", "the spread of the rates is taken from half seconds; log_avg_msec sets that of logs"},
    {"iopsavgtime", "500", "the spread of the rates is taken from half seconds; log_avg_msec sets that of logs"},
    {"block_error_percentiles", "0", "errors are counted a direction"},
    {"significant_figures", "4", "the JSON has all of them"},
    {"stats", "1", "leave out the rows that you do not want: jq '.jobs[] | select(.jobname != \"NAME\")'"},
    {"disk_util", "1", "leave it out of what you read"},
    {"error_dump", "0", "errors are counted, and the first is said with its place"},
    /* hardware that files and block devices stand in for */
    {"sg_write_mode", NULL, "use io_uring on the block device"},
    {"cpuload|cpuchunks|cpumode|exit_on_io_done", NULL, "there is no load on CPUs; run stress-ng beside"},
    {"hostname|port|protocol|nodelay|listen|pingpong|interface|ttl|window_size|mss|bindname|verb", NULL,
     "there is no load on networks"},
    {"program|arguments|grace_time|std_redirect", NULL, NO_JOB},
    {"clustername|pool|clientname|conf|busy_poll|touch_objects|rbdname|volume|brick|single-instance|uri", NULL,
     "map the image and use the block device (rbd map, nbd-client), or mount it"},
    {"readfua|writefua|stream_id", NULL, "use sync=dsync on the block device"},
    {"stat_type|donorname|inplace|skip_bad", NULL, "the engines read, write and trim; nothing else is timed"},
    /* loads of another kind */
    {"read_iolog|read_iolog_chunked|replay_no_stall|replay_redirect|replay_scale|replay_align|replay_time_scale|"
     "replay_skip|merge_blktrace_file|merge_blktrace_scalars|merge_blktrace_iters|merge-blktrace-only", NULL,
     "traces are not replayed; write bssplit, rwmixread and random_distribution as the trace has them"},
    {"write_iolog", NULL, "single requests are not logged; blktrace on the device does"},
    {"flow|flow_id|flow_sleep", NULL, "give each job its rate_iops"},
    {"trim_backlog|trim_backlog_batch", NULL, "trimmed blocks are not verified; use rw=trimwrite"},
    {"dedupe_global", "0", "each job repeats its own blocks"},
    {"verify_async_cpus", NULL, "the worker itself verifies; pin it with cpus_allowed"},
    {"verify_header_seed|verify_write_sequence", "1", "a header always has both"},
    {"verifysort|verifysort_nr", NULL, "blocks are read back in the order of their offsets"},
    {"verify_pattern_interval", NULL, "a pattern begins with each verify_interval; use that"},
    {"unlink_each_loop", "0", "files stay for the next loop"},
    /* the pace */
    {"latency_target|latency_window|latency_percentile|latency_run|max_latency", "0",
     "turn iodepth by key or --at and read p99 beside it"},
    /* of fio's command line */
    {"minimal|terse-version|append-terse", NULL, "use --output-format=json or csv"},
    {"bandwidth-log", NULL, "use --output-format=ndjson with --status-interval"},
    {"eta-newline", NULL, "use --output-format=ndjson with --status-interval"},
    {"server|client|remote-config|daemonize", NULL, "start benchtop on the other machine, by ssh"},
    {"trigger|trigger-file|trigger-remote|trigger-timeout", NULL, NO_JOB},
    {"debug|cpuclock-test|crctest|alloc-size|aux-path|inflate-log|idle-prof", NULL, "it is of fio's own workings"},
    {"cmdhelp|enghelp", NULL, "use benchtop run --help, or benchtop help WORD"},
    {"showcmd|parse-only", NULL, "use benchtop export JOBFILE"},
};

static bool is_one_of(const char *word, const char *words)
{
    size_t n = strlen(word);
    for (; *words; words += strspn(words, "|")) {
        size_t len = strcspn(words, "|");
        if (len == n && !strncmp(words, word, n))
            return true;
        words += len;
    }
    return false;
}

int job_refused(const char *word, const char *value, struct err *err)
{
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        if (!is_one_of(word, refused[i].words))
            continue;
        const char *v = value ? value : "1";
        if (refused[i].nothing && !strcmp(refused[i].nothing, v))
            return 0;
        return err_set(err, -EINVAL, "%s=%s: this word of fio's is not here; %s", word, v, refused[i].instead);
    }
    return -EAGAIN;
}

