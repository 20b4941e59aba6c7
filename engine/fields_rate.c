/* fields_rate: the words that hold a load back, and those that say how fast it must be.
 * Rows only; pacer.c and the worker keep the pace, run_min.c looks at what is reached. */
#include <errno.h>
#include <string.h>

#include "core/str.h"
#include "core/units.h"
#include "engine/job_rows.h"

static const char *const processes[] = {"linear", "poisson", NULL};
static const char *const counted[] = {"complete", "issue", NULL};

/* "5" or "5-10". */
static int read_delay(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    char from[64], to[64];
    uint64_t v[2];
    const char *dash = strchr(value, '-'), *bad;
    size_t n = dash ? (size_t)(dash - value) : strlen(value);
    if (n < sizeof(from) && str_format(from, sizeof(from), "%.*s", (int)n, value) &&
        str_copy(to, sizeof(to), dash ? dash + 1 : from) && units_parse_time_ns(from, &v[0], &bad) == 0 &&
        units_parse_time_ns(to, &v[1], &bad) == 0 && v[0] <= v[1] && v[1] <= MAX_TIME) {
        memcpy(j->startdelay_ns, v, sizeof(v));
        return 0;
    }
    return err_set(err, -EINVAL, "%s=%s: must be a time, or two with - between them, like 5s or 5s-10s", f->name, value);
}

static void show_delay(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    char from[UNITS_TEXT], to[UNITS_TEXT];
    units_exact_time(j->startdelay_ns[0], from);
    units_exact_time(j->startdelay_ns[1], to);
    if (j->startdelay_ns[0] == j->startdelay_ns[1])
        str_copy(dst, n, from);
    else
        str_format(dst, n, "%s-%s", from, to);
}

static const struct job_field rows[] = {
    {.name = "rate_iops", .type = JOB_T_COUNT, AT_EACH(rate_iops), .max = MAX_RATE, .def = "0", .unit = "IOPS",
     .live = true, .help = "Most requests a second, each clone and direction; 0 = unlimited."},
    {.name = "rate", .type = JOB_T_BYTES, AT_EACH(rate), .max = MAX_OFFSET, .def = "0", .unit = "bytes/s",
     .live = true, .help = "Most bytes a second, each clone and direction; 0 = unlimited."},
    {.name = "rate_process", .type = JOB_T_ENUM, AT(rate_poisson), .words = processes, .def = "linear", .live = true,
     .help = "Requests of a rate are due in equal steps, or (poisson) at random times as from many users."},
    {.name = "rate_ignore_thinktime", .type = JOB_T_BOOL, AT(rate_ignore_thinktime), .def = "0",
     .help = "1: what a thinktime kept back is not made up for."},
    {.name = "rate_iops_min", .type = JOB_T_COUNT, AT_EACH(rate_iops_min), .max = MAX_RATE, .def = "0", .unit = "IOPS",
     .help = "The job fails when a clone does less in a rate_cycle; 0 = never."},
    {.name = "rate_min", .type = JOB_T_BYTES, AT_EACH(rate_min), .max = MAX_OFFSET, .def = "0", .unit = "bytes/s",
     .help = "The job fails when a clone does less in a rate_cycle; 0 = never."},
    {.name = "rate_cycle", .type = JOB_T_UINT, AT(rate_cycle_ms), .min = 1, .max = 86400000, .def = "1000", .unit = "ms",
     .help = "Time over which rate_min and rate_iops_min are looked at."},
    {.name = "thinktime", .type = JOB_T_TIME_US, AT(thinktime_ns), .max = MAX_TIME, .def = "0", .unit = "time",
     .live = true, .help = "Pause after completed requests (see thinktime_blocks); a bare number is microseconds."},
    {.name = "thinktime_spin", .type = JOB_T_TIME_US, AT(think.spin_ns), .max = MAX_TIME, .def = "0", .unit = "time",
     .help = "As much of thinktime keeps the CPU busy instead of sleeping."},
    {.name = "thinktime_blocks", .type = JOB_T_UINT, AT(think.blocks), .min = 1, .max = UINT32_MAX, .def = "1",
     .unit = "requests", .live = true, .help = "Requests between two pauses; the queue is emptied before each."},
    {.name = "thinktime_blocks_type", .type = JOB_T_ENUM, AT(think.issue), .words = counted, .def = "complete",
     .help = "When a request counts for thinktime_blocks."},
    {.name = "thinktime_iotime", .type = JOB_T_TIME, AT(think.iotime_ns), .max = MAX_TIME, .def = "0", .unit = "time",
     .help = "Time of requests between two pauses, instead of their number; 0 = by thinktime_blocks."},
    {.name = "startdelay", .type = JOB_T_OWN, .read = read_delay, .show = show_delay, .def = "0s", .value = "TIME[-TIME]",
     .help = "Each clone waits so long, or for a random time between the two, before it starts."},
};

const struct job_section fields_rate = SECTION("Pace", rows);
