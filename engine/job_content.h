/* job_content: the words of a job about what is written, and how it is verified.
 * A part of struct job (job.h). */
#ifndef ENGINE_JOB_CONTENT_H
#define ENGINE_JOB_CONTENT_H

#include <stdbool.h>
#include <stdint.h>

#define JOB_PATTERN 512

struct job_content {
    bool zero_buffers, refill_buffers, scramble_buffers;
    char pattern[JOB_PATTERN]; /* buffer_pattern, as given; "" = none */
    unsigned compress_pct;
    uint64_t compress_chunk; /* bytes; 0 = a block */
    unsigned verify;         /* enum verify_kind */
    bool do_verify, verify_only, verify_fatal, verify_dump, serialize_overlap;
    uint64_t verify_interval, verify_offset; /* bytes; interval 0: a block */
    char verify_pattern[JOB_PATTERN];
    unsigned verify_backlog, verify_backlog_batch;
    unsigned dedupe_pct, dedupe_mode /* enum data_dedupe */, dedupe_set_pct;
};

#endif
