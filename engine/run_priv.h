/* run_priv: the inside of a run, for run*.c alone.
 *
 * Who may touch what
 * - The conductor is the only writer. It reads what it wrote without a lock and writes under `lock`.
 * - Readers (sample, results) copy a view under `lock`, count themselves in `readers`, and then sum without the lock:
 *   clones are only appended meanwhile. What a reader may be looking at (retired sums, baselines, removed clones) is
 *   changed by run_exclusive, which waits until there is no reader.
 * - The lock is never held while anything blocks. */
#ifndef ENGINE_RUN_PRIV_H
#define ENGINE_RUN_PRIV_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/frame.h"
#include "engine/run.h"
#include "engine/run_task.h"
#include "engine/target.h"
#include "engine/worker.h"

#define RUN_ORDERS 64
#define RUN_EVENTS 64
#define RUN_CLONES (2 * JOB_MAX_CLONES) /* live ones, and removed ones that still drain */

struct clone {
    struct worker *w;
    unsigned index;  /* its number within the job */
    uint64_t since;  /* the version it began with, or that it runs though it was not told (numjobs alone changed) */
    uint64_t leaves; /* the version that removed it; 0 = it stays */
    struct clone_pace { /* of rate_min: at the beginning of this cycle */
        uint64_t at_ns; /* 0 = none has begun */
        uint64_t ios[DDIRS], bytes[DDIRS];
    } pace;
};

/* The targets of one or more versions; older ones stay open until their last worker has moved on. */
struct target_set {
    struct targets t;
    uint64_t last; /* the newest version that uses it */
    struct target_set *older;
};

struct run_target { /* a row of the targets: what does not change from set to set */
    char *path;
    unsigned major, minor;
};

struct tune { /* one change while the job ran */
    struct run_retune said;
    uint64_t version; /* that carries it to the workers */
};

struct job_clock { /* of the measured part: it stands while the job is paused */
    uint64_t gate_ns;      /* 0 = not started */
    uint64_t paused_ns;    /* all pauses that ended */
    uint64_t paused_since; /* 0 = not paused */
    uint64_t ramp_ns;      /* running time when the measured part began */
    bool measuring;
    uint64_t stop_ns;      /* when it was told to stop; 0 = not yet */
    uint64_t load_ns;      /* when the load had ended, while what it wrote is read back; 0 = not yet */
    uint64_t end_ns;       /* 0 = not yet */
};

/* The clones that had one number, one after the other where numjobs was turned down and up. */
struct run_row {
    struct counters *ended; /* nrows: sums of those that ended; NULL: none did */
    struct counters *base;  /* nrows: when the measured part began; NULL: at zero */
    size_t row0, nrows;     /* where its targets are counted */
    struct task_usage used, used_base; /* of those that ended; of all when the measured part began */
    uint64_t helper_ns, helper_base_ns;
    bool lives;
    uint64_t since_ns, ended_ns; /* measured time when the present one began, when the last one ended */
    uint64_t ran_ns;             /* measured time of those that ended */
    uint64_t ios[DDIRS], bytes[DDIRS]; /* at the last sample */
    struct run_marks marks;
    struct verify_count verify; /* of those that ended */
    struct run_log log[RUN_LOGS];
    struct counters *log_before[RUN_LOGS]; /* what was done when it was last written to; NULL: nothing yet */
};

enum run_phase { PHASE_WAITS, PHASE_BEGINS, PHASE_RUNS, PHASE_OVER };

struct run_job {
    struct job first, cur;
    unsigned group;
    size_t waitee;        /* the job it waits for; SIZE_MAX none */
    enum run_phase phase; /* the conductor's alone */
    uint64_t ready_ns;    /* it waits for no job any more; 0 = it does */
    bool said_verify;
    bool ends, followed;  /* a clone ended of itself, or its time is over; what goes with it was stopped */
    uint64_t version; /* the last one that workers were told; 0 = as it started */
    enum frame_load_state state;
    struct job_clock clock;
    bool failed;
    struct err error;
    struct err tolerated; /* the first that no job ended by */
    double layout_pct;
    uint64_t flow_ns, stalled_ns; /* last time that requests moved or none was in flight; > 0: it is stalled */

    struct target_set *set; /* newest first */
    struct run_target *target;
    size_t ntargets;
    struct clone *clone; /* RUN_CLONES */
    size_t nclones;
    struct run_row *row; /* JOB_MAX_CLONES */
    unsigned nrows;      /* that were used */
    struct run_marks marks;
    struct run_steady steady;
    uint64_t sampled_ns; /* measured time of the last sample */
    uint64_t logged_ns[RUN_LOGS]; /* and of the last log entries */

    struct counters *retired; /* ntargets */
    struct counters *base;    /* ntargets, their sum, and one of scratch; NULL: the measured part began at zero */
    struct task_usage used, used_base;
    uint64_t helper_ns, helper_base_ns, helper_retired_ns;
    uint64_t helper_read_ns; /* when helper_ns was last read; 0 = not yet */
    double helpers_pct;      /* of one CPU, between the last two readings */
    bool said_helpers, helpers_shared; /* shared: nobody knows whose they are */
    uint64_t progress_ns; /* last completion of the clones that ended */
    struct tune *tune;
    size_t ntunes, napplied;

    /* The sampler's alone: ntargets + 1 each, the last one the sum. */
    struct counters *now, *before;
    uint64_t before_ns, before_cpu_ns, before_serial;
    bool have_before;
};

struct run_note { /* an event that waits for a frame */
    uint64_t time_ns;
    char kind[12];
    char text[ERR_TEXT];
};

struct job_view { /* what a reader copies of a job */
    struct job job;
    struct err error, tolerated;
    enum frame_load_state state;
    struct job_clock clock;
    size_t nclones, napplied;
    unsigned group, nrows;
    bool helpers_shared;
    const struct counters *base;
    double layout_pct, helpers_pct;
    uint64_t stalled_ns, retired_cpu_ns;
    bool failed;
};

struct run {
    struct run_job *job;
    size_t njobs;
    struct run_at *at;
    size_t nat, at_next;
    struct guard_policy policy;
    int fd;
    pthread_t thread;
    struct task_table tasks;
    uint64_t tasks_ns; /* when they were read */

    _Atomic int state;
    _Atomic bool cancel; /* a stop was ordered: gives up a layout */

    pthread_mutex_t lock; /* of all below, and see above */
    pthread_cond_t wake;  /* the conductor: orders */
    pthread_cond_t idle;  /* no reader any more; the conductor has gone */
    size_t readers;
    struct order order[RUN_ORDERS];
    size_t norders;
    struct run_note note[RUN_EVENTS];
    size_t nnotes, lost_notes;
    struct err error;
    uint64_t serial;   /* starts so far */
    uint64_t gate_ns;
    bool prepared, active, refused;
    bool quit, gone;
    uint64_t quit_ns;  /* deadline of run_free */

    struct job_view *view; /* the sampler's: njobs */
    uint64_t view_serial;
    struct counters *scratch;
};

/* run.c */
void run_exclusive(struct run *r); /* takes the lock once there is no reader */
void run_set_state(struct run *r, enum run_state s);
void run_note(struct run *r, const char *kind, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void run_note_error(struct run *r, const struct run_job *j, const struct err *err); /* "job1: sentence" */
void run_keep_error(struct run *r, const struct err *err); /* the first one */

/* run_conduct.c: the thread */
void *run_conduct(void *run);

/* run_prepare.c. 0 or -errno with a sentence. */
int run_prepare(struct run *r, struct err *err);
void run_release(struct run_job *j); /* closes its targets, frees what prepare made */
int run_whose(const struct run *r, const struct run_job *j, const struct err *e, struct err *err); /* e, with the name */

/* run_start.c: layout, gate. 0 or -errno with a sentence. */
int run_start(struct run *r, struct err *err);
int run_begin_ready(struct run *r, struct err *err); /* the jobs whose time has come */
bool job_unlaid(const struct run_job *j); /* has files that are to be laid out first */

/* run_job.c: one job: its clones and its clock */
int job_add_clone(struct run *r, struct run_job *j, unsigned index, struct err *err);
void job_stop(struct run *r, struct run_job *j, uint64_t now);
void job_fail(struct run *r, struct run_job *j, const struct err *e); /* the first one counts; it is stopped at the next tick */
void job_pause(struct run *r, struct run_job *j, bool pause, uint64_t now);
void job_tick(struct run *r, struct run_job *j, uint64_t now);
uint64_t job_next_ns(const struct run_job *j, uint64_t now); /* the next end of ramp or runtime; UINT64_MAX none */
void job_set_state(struct run *r, struct run_job *j, enum frame_load_state s);
uint64_t clock_measured_ns(const struct job_clock *c, uint64_t now);

/* run_verify.c */
void job_end_load(struct run *r, struct run_job *j, uint64_t now); /* its time is over: verifies, where it does; ends */
void job_verify_tick(struct run *r, struct run_job *j, uint64_t now);
/* ret += what was checked, by one clone or by all (UINT32_MAX). For readers. */
void run_verify_sum(const struct run_job *j, const struct job_view *v, unsigned clone, struct verify_count *ret);
void run_verify_gauge(const struct run_job *j, const struct job_view *v, struct frame *f);

/* run_row.c: what each clone did */
void run_row_open(struct run *r, struct run_job *j, unsigned index, uint64_t now); /* a clone of that number begins */
void run_row_close(struct run_job *j, const struct clone *c); /* it ended; under run_exclusive */
bool run_row_bases(struct run *r, struct run_job *j, struct counters *scratch); /* false without memory */
void run_rows_clear(struct run_job *j);
void run_row_sum(const struct run_job *j, const struct job_view *v, unsigned index, size_t target,
                 struct counters *ret); /* ret += its measured part */

/* run_marks.c: looks at a job from time to time */
void run_marks_look(struct run_job *j); /* what is in flight */
void run_marks_begin(struct run_job *j); /* the measured part begins */
void run_marks_sample(struct run *r, struct run_job *j, uint64_t now, bool last);
void run_marks_done(const struct run_job *j, uint64_t *ret_ios, uint64_t *ret_bytes); /* of all clones so far */
uint64_t run_marks_next_ns(const struct run_job *j); /* measured time of the next sample */

/* run_min.c: fails a job that is slower than its rate_min */
void run_min_tick(struct run *r, struct run_job *j, uint64_t now);

/* run_steady.c: ends a job that does the same for long enough */
void run_steady_tick(struct run *r, struct run_job *j, uint64_t now);
uint64_t run_steady_next_ns(const struct run_job *j); /* measured time; UINT64_MAX: not asked for */
void run_steady_clear(struct run_job *j);

/* run_log.c */
void run_log_tick(struct run *r, struct run_job *j, uint64_t now, bool last);
uint64_t run_log_next_ns(const struct run_job *j); /* measured time of the next entries; UINT64_MAX: no log */
void run_log_begin(struct run_job *j);             /* the measured part begins */
void run_log_clear(struct run_row *row);

/* run_order.c: who begins when, and ends with whom */
int run_order_plan(struct run *r, const struct job *jobs, struct err *err); /* groups, waitees */
bool run_may_begin(struct run *r, size_t job);
bool run_together(const struct run *r, size_t a, size_t b); /* may two jobs run at the same time? */
uint64_t run_begins_ns(const struct run_job *j); /* when its startdelay is over; UINT64_MAX: it has not begun */
bool run_waits(const struct run *r); /* is there a job that has not begun? */
void run_follow_ends(struct run *r, uint64_t now); /* exitall */

/* run_helper.c: CPU time of io_uring's kernel threads, into the jobs */
void run_read_tasks(struct run *r);
void run_book_helpers(struct run *r, struct run_job *j); /* from what was read last */
/* Worker `w` has ended and is about to leave the clones; the caller holds the lock. */
uint64_t run_retire_helpers(struct run *r, struct run_job *j, const struct worker *w); /* what they cost */

/* run_prepare.c: may a job that becomes `next` work beside itself and the other jobs, where any of them verifies? */
int run_apart(const struct run *r, const struct run_job *j, const struct job *next, struct err *err);

/* run_tune.c */
struct target_peers run_peers(const struct run *r, const struct run_job *but, const struct targets **sets);
void run_retune(struct run *r, const struct order *o, uint64_t now);
void job_tuned(struct run *r, struct run_job *j, uint64_t now); /* which retunes have been taken by now? */

/* run_sum.c: what readers do. Returns the number of starts. */
uint64_t run_reader_enter(struct run *r, size_t first, size_t n, struct job_view *view);
void run_reader_leave(struct run *r);
void run_sum_target(const struct run_job *j, size_t nclones, size_t target, struct counters *ret); /* ret += */
void counters_init(struct counters *c);  /* of zeroed memory */

#endif
