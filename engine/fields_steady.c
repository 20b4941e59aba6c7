/* fields_steady: the words about steady state: when a job has seen enough of the same to end.
 * Rows and their reader; run_steady.c judges. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "core/units.h"
#include "engine/job_rows.h"

static const char *const criteria[] = {
    [JOB_STEADY_NONE] = "none",           [JOB_STEADY_IOPS] = "iops", [JOB_STEADY_IOPS_SLOPE] = "iops_slope",
    [JOB_STEADY_BW] = "bw",               [JOB_STEADY_BW_SLOPE] = "bw_slope",
};

static int refuse(const struct job_field *f, const char *value, struct err *err)
{
    return err_set(err, -EINVAL,
                   "%s=%s: must be iops, bw, iops_slope or bw_slope and a limit, like iops:2%% or bw_slope:100k", f->name,
                   value);
}

static int read_limit(const char *text, struct job_steady *s)
{
    char *end;
    uint64_t bytes;
    s->limit = strtod(text, &end);
    s->pct = end != text && !strcmp(end, "%");
    if (s->pct || (end != text && !*end))
        return s->limit > 0 ? 0 : -EINVAL;
    if (units_parse_bytes(text, &bytes, NULL) < 0 || !bytes)
        return -EINVAL;
    s->limit = (double)bytes;
    return 0;
}

static int read_steady(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    const char *colon = strchr(value, ':');
    struct job_steady s = j->steady;
    s.what = JOB_STEADY_NONE;
    if (!strcmp(value, "none")) {
        j->steady.what = JOB_STEADY_NONE;
        return 0;
    }
    for (size_t i = 1; colon && i < sizeof(criteria) / sizeof(criteria[0]); i++)
        if (strlen(criteria[i]) == (size_t)(colon - value) && !strncmp(value, criteria[i], (size_t)(colon - value)))
            s.what = (enum job_steady_what)i;
    if (s.what == JOB_STEADY_NONE || read_limit(colon + 1, &s) < 0)
        return refuse(f, value, err);
    j->steady = s;
    return 0;
}

static void show_steady(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    (void)f;
    if (j->steady.what == JOB_STEADY_NONE)
        str_copy(dst, n, "none");
    else
        str_format(dst, n, "%s:%.15g%s", criteria[j->steady.what], j->steady.limit, j->steady.pct ? "%" : "");
}

static const struct job_field rows[] = {
    {.name = "steadystate", .alias = "ss", .type = JOB_T_OWN, .read = read_steady, .show = show_steady, .def = "none",
     .value = "iops:LIMIT",
     .help = "Ends the job when all seconds of ss_dur are within LIMIT (% of their mean, or absolute) of the mean, or "
             "their slope is; iops, bw, iops_slope or bw_slope, of all clones together."},
    {.name = "steadystate_duration", .alias = "ss_dur", .type = JOB_T_TIME, AT(steady.dur_ns), .max = MAX_TIME,
     .def = "0", .unit = "time", .help = "Length of the window that steadystate judges, in whole seconds."},
    {.name = "steadystate_ramp_time", .alias = "ss_ramp", .type = JOB_T_TIME, AT(steady.ramp_ns), .max = MAX_TIME,
     .def = "0", .unit = "time", .help = "Time before the first second that steadystate looks at."},
};

const struct job_section fields_steady = SECTION("Steady state", rows);
