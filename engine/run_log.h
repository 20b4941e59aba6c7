/* run_log: what each clone did in each interval of its measured part, for the log files that fio's words ask for.
 * Kept in memory while the job runs; writes no file. */
#ifndef ENGINE_RUN_LOG_H
#define ENGINE_RUN_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "core/hist.h"
#include "engine/ddir.h"

struct run_log_entry { /* of one direction that did something in the interval */
    uint64_t at_ns;      /* its end, since the start of the job, ramp included, pauses not */
    uint64_t real_ns;    /* the same by the wall clock */
    uint64_t ns;         /* its length */
    enum ddir dir;
    uint64_t ios, bytes;
    double mean_ns, max_ns; /* of clat; max within 1/64 */
    struct hist_bin *bin;   /* of histogram entries alone */
    size_t nbins;
};

struct run_log {
    struct run_log_entry *entry;
    size_t n, cap;
};

enum run_log_kind { RUN_LOG_MEAN, RUN_LOG_HIST, RUN_LOGS };

#endif
