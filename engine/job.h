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
#include "engine/backend_options.h"
#include "engine/buffer_memory.h"
#include "engine/ddir.h"
#include "engine/job_seat.h"
#include "engine/job_content.h"

#define JOB_PATH 4096
#define JOB_NAME 64
#define JOB_CPUS 256
#define JOB_ERRORS 256
#define JOB_TEXT 256
#define JOB_MAX_DEPTH 4096
#define JOB_MAX_CLONES 512
#define JOB_MAX_FIELDS 256 /* rows of all tables together */

enum job_rw { JOB_READ, JOB_WRITE, JOB_TRIM, JOB_RANDREAD, JOB_RANDWRITE, JOB_RANDTRIM, JOB_RW, JOB_RANDRW,
              JOB_TRIMWRITE, JOB_RANDTRIMWRITE };
enum job_sequencer { JOB_SEQUENCER_SEQUENTIAL, JOB_SEQUENCER_IDENTICAL };
enum job_generator { JOB_GENERATOR_TAUSWORTHE, JOB_GENERATOR_TAUSWORTHE64, JOB_GENERATOR_LFSR };
enum job_zones { JOB_ZONES_NONE, JOB_ZONES_STRIDED };

enum job_continue { JOB_CONTINUE_NONE, JOB_CONTINUE_READ, JOB_CONTINUE_WRITE, JOB_CONTINUE_IO, JOB_CONTINUE_VERIFY,
                    JOB_CONTINUE_ALL };
enum job_exit_what { JOB_EXIT_GROUP, JOB_EXIT_ALL, JOB_EXIT_STONEWALL };

enum job_sync { JOB_SYNC_NONE, JOB_SYNC, JOB_DSYNC }; /* -, O_SYNC, O_DSYNC */

#define JOB_LOG 256
struct job_log { /* files of what was done in each interval; a name is "" where the job's own is meant */
    char bw[JOB_LOG], iops[JOB_LOG], lat[JOB_LOG], hist[JOB_LOG];
    uint64_t avg_ms, hist_ms; /* length of an interval; hist 0: no histograms */
    unsigned hist_coarseness; /* 2^N buckets are written as one */
    bool max_value, unix_epoch, per_job;
};

enum job_steady_what { JOB_STEADY_NONE, JOB_STEADY_IOPS, JOB_STEADY_IOPS_SLOPE, JOB_STEADY_BW, JOB_STEADY_BW_SLOPE };
struct job_steady {
    enum job_steady_what what;
    bool pct;                 /* limit is percent of the mean */
    double limit;
    uint64_t dur_ns, ramp_ns; /* of the window; before it */
};

struct job_think { /* of thinktime */
    uint64_t spin_ns;   /* as much of it keeps the CPU busy */
    unsigned blocks;    /* comes after so many requests */
    bool issue;         /* counted when they are issued, not when they are completed */
    uint64_t iotime_ns; /* comes after so much time of requests; 0: by their number */
};

struct job_batch { /* of requests in an asynchronous queue; 0 = as it is best */
    unsigned submit;       /* handed over together */
    unsigned complete_min; /* waited for; counts where it was given: 0 = none */
    unsigned complete_max; /* taken together */
    unsigned low;          /* a full queue is filled again when so few are left */
};

struct job_amount { /* of JOB_T_BYTES_PCT: a size, or a share of what there is */
    uint64_t bytes; /* 0 where pct is given */
    uint64_t pct;   /* 0: bytes */
};

enum job_fallocate { JOB_FALLOCATE_NONE, JOB_FALLOCATE_NATIVE, JOB_FALLOCATE_POSIX, JOB_FALLOCATE_KEEP,
                     JOB_FALLOCATE_TRUNCATE };
enum job_advice { JOB_ADVICE_NONE, JOB_ADVICE_RW, JOB_ADVICE_RANDOM, JOB_ADVICE_SEQUENTIAL };
struct job_prep { /* of files, before and after the run */
    bool overwrite; /* laid out before they are written */
    enum job_fallocate fallocate;
    bool append, fill, sync, only, read, unlink;
    enum job_advice advice;
    unsigned hint;
};

struct job {
    char name[JOB_NAME];
    char filename[JOB_PATH];   /* a:b:c names several targets, as in fio ("\:" is a colon) */
    char directory[JOB_PATH];  /* a:b:c: clones take turns */
    char opendir[JOB_PATH];
    char filename_format[256];
    unsigned nrfiles, openfiles;
    struct job_amount size;    /* of all files of a clone together; 0 = all there is */
    struct job_amount offset, offset_increment;
    uint64_t offset_align;     /* of offsets that are shares; 0 = bs */
    uint64_t filesize[2];      /* of each file: smallest and largest; 0 = size by the number of files */
    bool allow_file_create;
    struct job_prep prep;
    enum job_rw rw;
    int64_t rw_nr;             /* N of rw=...:N: requests from one random offset on, or bytes between two in order */
    enum job_sequencer rw_sequencer;
    unsigned rwmixread;        /* percent of reads in a mixed rw */
    uint64_t bs[DDIRS];        /* bytes; see job_sizes (job_pattern.h) for what bsrange and bssplit make of it */
    char bsrange[256], bssplit[1024];
    bool bs_unaligned, bs_is_seq_rand;
    uint64_t blockalign[DDIRS];          /* bytes; 0 = bs */
    unsigned percentage_random[DDIRS];
    char random_distribution[2048];
    bool norandommap;
    enum job_generator random_generator;
    uint64_t randseed;
    bool randrepeat, allrandrepeat;
    struct job_amount io_size;           /* bytes in all; 0 = as many as the targets have */
    uint64_t number_ios;
    unsigned loops;
    char file_service_type[64];
    enum job_zones zonemode;
    uint64_t zonesize, zonerange, zoneskip;
    unsigned iodepth, numjobs;
    char ioengine[16];         /* a name of the backend table */
    bool direct, invalidate;
    uint64_t runtime_ns;       /* 0 = until the data ends */
    bool time_based;
    uint64_t ramp_time_ns;
    uint64_t rate_iops[DDIRS], rate[DDIRS]; /* per clone, as in fio; 0 = unlimited; rate in bytes/s */
    bool rate_poisson, rate_ignore_thinktime;
    uint64_t rate_min[DDIRS], rate_iops_min[DDIRS], rate_cycle_ms; /* what each clone must reach in each cycle */
    uint64_t thinktime_ns;
    struct job_think think;
    uint64_t startdelay_ns[2]; /* from, to: each clone has its own */
    struct job_batch batch;
    unsigned fsync, fdatasync; /* after every N writes; 0 = never */
    bool end_fsync, fsync_on_close, readonly;
    enum job_sync sync;        /* how files are opened that are written */
    enum buffer_memory iomem;  /* of the buffers */
    uint64_t iomem_align;      /* what their addresses must be a multiple of; 0 = nothing said */
    struct job_seat seat;
    struct job_content content; /* what is written */
    struct backend_options engine; /* what ioengine alone understands */
    bool stonewall, new_group; /* begins when all before it have ended; begins a reporting group */
    char wait_for[JOB_NAME];   /* begins when the job of that name has ended; "" = none */
    bool exitall, exitall_on_error; /* when a job ends, or ends in error, others are stopped */
    enum job_exit_what exit_what;
    enum job_continue continue_on_error;
    char ignore_error[JOB_ERRORS]; /* "EIO,ENOSPC:EIO,EILSEQ"; see tolerance.h */
    bool group_reporting;      /* one result row for all of the group that say so */
    struct job_steady steady;
    struct job_log log;
    char percentile_list[256]; /* "50:99"; see job_percentiles */
    bool clat_percentiles, lat_percentiles; /* shown for people */
    bool registerfiles, fixedbufs; /* io_uring: told to the kernel in advance */
    char cpus_allowed[JOB_CPUS]; /* "0-3,8"; "" = any */
    unsigned kb_si;            /* kb_base: 0 1024, 1 1000; how the sizes set after it are read */
    char description[JOB_TEXT];
    uint64_t given;            /* words that change nothing; see job_given.h */
    uint64_t set[JOB_MAX_FIELDS / 64]; /* bit i: field i was given by the user; see job_is_set */
};

bool job_reads(const struct job *j);
bool job_writes(const struct job *j); /* write or trim: anything that needs the guard */
bool job_trims(const struct job *j);
bool job_random(const struct job *j);

/* Where its targets are, for people: filename, opendir or directory; "" = its names are made, here. */
const char *job_where(const struct job *j);

/* Where one number stands for a job: that of the first direction it does (read, write, trim). */
enum ddir job_ddir(const struct job *j);
uint64_t job_bs(const struct job *j); /* of mixed sizes the mean */

/* ---- the table: sections of rows (engine/fields_*.c), listed in job_fields.c; every row is one word of fio's ---- */

enum job_type {
    JOB_T_TEXT,      /* char[len] */
    JOB_T_BYTES,     /* uint64_t or unsigned; 4k */
    JOB_T_COUNT,     /* uint64_t or unsigned; reads like a size, as in fio (2k is 2048), shows as a plain number */
    JOB_T_UINT,      /* the same, where no suffix is expected */
    JOB_T_BOOL,      /* bool; a bare word is 1 */
    JOB_T_TIME,      /* uint64_t ns; a bare number is seconds */
    JOB_T_TIME_US,   /* uint64_t ns; a bare number is microseconds */
    JOB_T_ENUM,      /* unsigned or enum: the index into `words` */
    JOB_T_FLOAT,     /* double */
    JOB_T_BYTES_PCT, /* struct job_amount: 1g or 50% */
    JOB_T_OWN,       /* the row's own hooks read and write it */
};

struct job_field {
    const char *name, *alias;  /* alias: fio's second word ("readwrite", "blocksize"), NULL = none */
    enum job_type type;
    bool each;                 /* DDIRS numbers: read,write,trim by fio's rule of commas (see job_set) */
    size_t at, len;            /* offsetof, and sizeof of one value, in struct job */
    uint64_t min, max;         /* of numbers */
    const char *def;           /* text of the default; "" = none */
    const char *unit, *help;   /* help: one sentence a person can act on */
    bool live;                 /* may change while the job runs */
    const char *bare;          /* what the word alone means; NULL: it needs a value (a bool is 1) */
    bool may_be_empty;         /* of JOB_T_TEXT: "word=" takes it back */
    const char *const *words;  /* of JOB_T_ENUM, NULL-terminated; "rw|readwrite": the first is shown, both are read */
    const char *value;         /* of JOB_T_OWN and JOB_T_TEXT: what stands behind "=" in help ("PATTERN[:N]") */
    /* JOB_T_OWN reads with the first (the sentence begins with the option and the value) and shows with the second.
     * Of JOB_T_TEXT, `read` (may be NULL) looks at the text before it is kept. */
    int (*read)(struct job *j, const struct job_field *f, const char *value, struct err *err);
    void (*show)(const struct job *j, const struct job_field *f, char *dst, size_t n);
};

struct job_section { /* rows that belong together, in help and man page under one heading */
    const char *heading;
    const struct job_field *field;
    size_t n;
};
extern const struct job_section *const job_sections[]; /* NULL-terminated */

/* Field i of all sections in their order; NULL behind the last. */
const struct job_field *job_field(size_t i);
const struct job_field *job_field_find(const char *name); /* by name or alias; NULL */

/* What may stand behind "=": "BYTES", "N", "a,b,c"; and which values are right: "512 to 16m, like 4k". */
const char *job_field_value(const struct job_field *f, char *dst, size_t n);
void job_field_range(const struct job_field *f, char *dst, size_t n);

void job_init(struct job *j); /* every field at its default */

/* Sets one field from text; value NULL for a bare flag. 0, or -EINVAL/-ENOENT (unknown word) with a sentence
 * that names the option, the value and what would be right (for an unknown word: the nearest known one).
 * Of a value for each direction: "4k" is all; "4k,8k" reads 4k, writes and trims 8k; an empty place ("4k," or
 * ",8k") leaves that direction, and those that would follow it, as they were. */
int job_set(struct job *j, const char *key, const char *value, struct err *err);

/* Was it given by the user? */
bool job_is_set(const struct job *j, const char *name);

/* The field as exact, parseable text ("4k", "4k,8k", "randread", "1"). */
void job_get(const struct job *j, const struct job_field *f, char *dst, size_t n);
/* The same by name. */
void job_get_named(const struct job *j, const char *name, char *dst, size_t n);

/* Is any log of means, or one of histograms, asked for? */
bool job_logs_mean(const struct job *j);
bool job_logs_hist(const struct job *j);

/* The percentiles to report, ascending; how many. */
#define JOB_PERCENTILES 20
size_t job_percentiles(const struct job *j, double ret[JOB_PERCENTILES]);

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
