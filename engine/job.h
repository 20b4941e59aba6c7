/* job: what a workload is, in fio's words. One table of fields makes parser, help, form, knobs and JSON.
 * Does not open files (target.h) and does not run (run.h).
 *
 * A struct job is a plain value: copy it with =. A running job is never changed: a retune makes a new one. */
#ifndef ENGINE_JOB_H
#define ENGINE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

#define JOB_PATH 4096
#define JOB_NAME 64
#define JOB_CPUS 256
#define JOB_MAX_DEPTH 4096
#define JOB_MAX_CLONES 512

enum job_rw { JOB_READ, JOB_WRITE, JOB_TRIM, JOB_RANDREAD, JOB_RANDWRITE, JOB_RANDTRIM, JOB_RW, JOB_RANDRW };

struct job {
    char name[JOB_NAME];
    char filename[JOB_PATH];   /* a:b:c names several targets, as in fio ("\:" is a colon) */
    uint64_t size;             /* bytes per target; 0 = all of it */
    uint64_t offset;           /* bytes */
    enum job_rw rw;
    unsigned rwmixread;        /* percent of reads in a mixed rw */
    uint64_t bs;               /* bytes */
    unsigned iodepth, numjobs;
    char ioengine[16];         /* a name of the backend table */
    bool direct, invalidate;
    uint64_t runtime_ns;       /* 0 = until the data ends */
    bool time_based;
    uint64_t ramp_time_ns;
    uint64_t rate_iops, rate;  /* per clone and direction, as in fio; 0 = unlimited; rate in bytes/s */
    uint64_t thinktime_ns;
    unsigned fsync;            /* after every N writes; 0 = never */
    bool end_fsync, readonly;
    bool group_reporting;      /* one result row for neighbouring jobs that set it */
    char cpus_allowed[JOB_CPUS]; /* "0-3,8"; "" = any */
    uint64_t set;              /* bit i: field i of the table was given by the user */
};

bool job_reads(const struct job *j);
bool job_writes(const struct job *j); /* write or trim: anything that needs the guard */
bool job_trims(const struct job *j);
bool job_random(const struct job *j);

enum job_type { JOB_T_TEXT, JOB_T_BYTES, JOB_T_COUNT, JOB_T_UINT, JOB_T_BOOL, JOB_T_TIME, JOB_T_TIME_US, JOB_T_RW };

struct job_field {
    const char *name, *alias;  /* alias: fio's second word ("readwrite", "blocksize"), NULL = none */
    enum job_type type;
    size_t at, len;            /* offsetof, sizeof in struct job */
    uint64_t min, max;         /* of numbers */
    const char *def;           /* text of the default */
    const char *unit, *help;   /* help: one sentence a person can act on */
    bool live;                 /* may change while the job runs */
};
extern const struct job_field job_fields[];
extern const size_t job_nfields;

const struct job_field *job_field_find(const char *name); /* by name or alias; NULL */

void job_init(struct job *j); /* every field at its default */

/* Sets one field from text; value NULL for a bare flag. 0, or -EINVAL/-ENOENT (unknown word) with a sentence
 * that names the option, the value and what would be right (for an unknown word: the nearest known one). */
int job_set(struct job *j, const char *key, const char *value, struct err *err);

/* The field as exact, parseable text ("4k", "randread", "1"). */
void job_get(const struct job *j, const struct job_field *f, char *dst, size_t n);

/* What holds between fields and needs no device: a filename, ranges, depth on a sync engine (clamped to 1 with
 * a note in `note`, which may be NULL; "" when there is none). 0 or -EINVAL with a sentence. */
int job_check(struct job *j, char *note, size_t note_n, struct err *err);

/* A new version of a running job: "iodepth=16 bs=4k". Only live fields; the rest is refused by name. Includes
 * job_check. *ret untouched on failure. */
int job_retune(const struct job *old, const char *words, struct job *ret, struct err *err);

/* The same with job_check's note: a depth that a synchronous engine does not take ("" when there is none). */
int job_retune_note(const struct job *old, const char *words, struct job *ret, char *note, size_t note_n,
                    struct err *err);

/* What changed between two versions, for people: "iodepth 8 → 16, bs 4k → 16k"; "" when nothing did. */
void job_diff(const struct job *old, const struct job *new_job, char *dst, size_t n);

/* One step of a knob: the text of a retune ("iodepth=32") that turns field `name` up (+1) or down (-1) from
 * its present value; false at the end of its range. Depth and bs go in powers of two, mix by 5, jobs by 1,
 * rate_iops through 1-2-5 (0 = unlimited lies above the top). */
bool job_step(const struct job *j, const char *name, int dir, char *dst, size_t n);

/* "2s iodepth=32 bs=64k" of --at: time and words. 0 or -EINVAL with a sentence. */
int job_parse_at(const char *text, uint64_t *ret_at_ns, char *words, size_t n, struct err *err);

#endif
