/* job_report: what the words about reports mean: the list of percentiles, which logs.
 * Measures nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/job_rows.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* False where it is no list of at most JOB_PERCENTILES numbers in (0, 100]. */
static bool parse(const char *text, double *ret, size_t *ret_n)
{
    *ret_n = 0;
    for (const char *p = text;; p++) {
        char *end;
        double v = strtod(p, &end);
        if (end == p || !(v > 0 && v <= 100) || *ret_n == JOB_PERCENTILES || (*end && *end != ':'))
            return false;
        ret[(*ret_n)++] = v;
        p = end;
        if (!*p)
            return true;
    }
}

bool job_logs_mean(const struct job *j)
{
    return job_is_set(j, "write_bw_log") || job_is_set(j, "write_iops_log") || job_is_set(j, "write_lat_log");
}

bool job_logs_hist(const struct job *j)
{
    return job_is_set(j, "write_hist_log") && j->log.hist_ms;
}

size_t job_percentiles(const struct job *j, double ret[JOB_PERCENTILES])
{
    size_t n;
    parse(j->percentile_list, ret, &n);
    qsort(ret, n, sizeof(*ret), ascending);
    return n;
}

int job_read_percentiles(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    double p[JOB_PERCENTILES];
    size_t n;
    (void)j;
    if (parse(value, p, &n))
        return 0;
    return err_set(err, -EINVAL, "%s=%s: must be at most %d numbers above 0 and up to 100, like 50:99:99.9", f->name,
                   value, JOB_PERCENTILES);
}
