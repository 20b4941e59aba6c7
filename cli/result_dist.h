/* result_dist: what a row or a group of a result comes to: shares of latencies and of depths in fio's classes, and the
 * sums of a reporting group. Formats nothing. */
#ifndef CLI_RESULT_DIST_H
#define CLI_RESULT_DIST_H

#include "cli/result.h"

/* Percent of all requests whose clat lies below the named limit and not below the one before; the last of ms is
 * everything from 2 s on. From the middles of the histogram's buckets. NAN: no requests. */
enum { DIST_NS = 10, DIST_US = 10, DIST_MS = 12 };
struct dist_latency {
    double ns[DIST_NS], us[DIST_US], ms[DIST_MS];
};
extern const char *const dist_latency_names[DIST_MS]; /* "2" … "1000" of ns and us; of ms on to "2000", ">=2000" */
void dist_latency(const struct counters *sum, struct dist_latency *ret);

/* Percent of the looks that found so many requests of a clone in flight: 1, 2-3, 4-7 … 64 and more. NAN: nobody
 * looked. What never was above 1 needs no look. */
extern const char *const dist_depth_names[RUN_DEPTHS];
void dist_depth(const struct run_job_result *j, double ret[RUN_DEPTHS]);

/* Requests handed over, or completed, in one call: known only where there are never more than four. */
bool dist_calls_known(const struct run_job_result *j);

struct dist_group { /* of one direction */
    double bytes, bytes_per_s, least_per_s, most_per_s; /* the last two of single rows */
    uint64_t shortest_ns, longest_ns;
};
/* False: no row of the group did anything that way. */
bool dist_group(const struct result *r, unsigned group, enum ddir d, struct dist_group *ret);

#endif
