/* verify: what one worker wrote, interval by interval, and what came of reading it: which write is the newest of
 * each place, what is still to be read back, how many were checked and the first that was wrong. Issues no
 * requests (worker_verify.c does) and makes no data (verify_block.h does). */
#ifndef ENGINE_VERIFY_H
#define ENGINE_VERIFY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "engine/job.h"
#include "engine/pattern.h"
#include "engine/verify_block.h"

#define VERIFY_GENERATIONS 65535u /* then they begin anew at 1: two bytes an interval are kept */

struct verify_dump { /* what was read, and behind it what should be there; shared by the counts that have it */
    _Atomic unsigned holders;
    size_t len;
    unsigned char byte[];
};

struct verify_count { /* written by the worker; `first` once failures is not 0 */
    uint64_t checked, failures, bytes;
    char path[512];
    struct verify_finding first;
    struct verify_dump *dump; /* of the first; NULL: not asked for, or no memory */
};
void verify_count_add(struct verify_count *dst, const struct verify_count *src);
void verify_count_fini(struct verify_count *n);

struct verify_piece { /* of a target, to be read back */
    uint64_t offset;
    uint32_t target, len;
};

struct verify {
    struct verify_spec spec; /* its interval may be learned while only reading */
    uint32_t grid;           /* bytes an entry of `written` stands for */
    struct region *region;   /* of the targets */
    uint16_t **written; /* of each target: which write of each interval is the newest; 0: none by this worker */
    size_t ntargets;
    bool writes; /* this run does, or did: what it did not write itself is not checked */
    bool strict; /* all that is read must have been written (by an earlier run) */
    bool fatal, dumps;
    struct verify_known known;
    uint64_t run;
    void *scratch; /* an interval */
    size_t scratch_len;
    struct verify_count count;
    size_t target; /* where the read-back is */
    uint64_t cell;
    /* verify_backlog: what was written last, in a ring */
    struct verify_piece *backlog;
    unsigned backlog_size, backlog_n, backlog_at, backlog_batch, backlog_new, backlog_left;
};

/* verify= of a job with its other words, against its sizes; 0 or -EINVAL with a sentence. Sets verify_interval
 * where it was not given. */
int verify_check_job(struct job *j, struct err *err);
bool verify_on(const struct job *j);

/* For a worker on these targets. 0 or -errno with a sentence. */
int verify_init(struct verify *v, const struct job *j, const struct data_spec *data, const struct region *region,
                size_t ntargets, uint32_t most, uint64_t run, struct err *err);
void verify_fini(struct verify *v);

bool verify_fits(const struct verify *v, const struct verify_piece *p); /* whole intervals */
void verify_write(struct verify *v, const struct verify_piece *p,
                  void *buf);                                       /* the data of the next write there */
void verify_forget(struct verify *v, const struct verify_piece *p); /* trimmed, or not known to be written */
void verify_wrote(struct verify *v, const struct verify_piece *p);  /* it is done: due for the backlog */
/* Of what was read: false when something was wrong. `whose`: the path for what is told. */
bool verify_read(struct verify *v, const struct verify_piece *p, const void *buf, const char *path);

bool verify_due(struct verify *v, struct verify_piece *ret); /* the next of the backlog that is due */
void verify_rewind(struct verify *v);                        /* the writing is over */
bool verify_next(struct verify *v, uint32_t most, struct verify_piece *ret); /* the next to read back */

#endif
