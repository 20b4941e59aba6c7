/* result_json_fio: the parts of a row that fio's readers look for and ours do not need: spreads of the rates, shares of
 * depths and latencies. For result_json.c alone. */
#ifndef CLI_RESULT_JSON_FIO_H
#define CLI_RESULT_JSON_FIO_H

#include "cli/result.h"
#include "core/json.h"

/* bw_min … iops_samples of one direction; bw in KiB/s, bw_agg in percent of the group. Null without a sample. */
void fio_put_spread(struct json *o, const struct result *r, const struct run_job_result *j, enum ddir d);

/* iodepth_level … latency_ms of a row. */
void fio_put_shares(struct json *o, const struct run_job_result *j);

/* What steadystate judged, as fio has it; null where the job did not ask. */
struct json *fio_steady(const struct run_job_result *j);

/* "global options": what all jobs say alike, where there are several. */
void fio_put_global(struct json *o, const struct result *r);

#endif
