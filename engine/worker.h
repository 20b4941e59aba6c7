/* worker: one thread that fills, submits, reaps and records: one clone of a job. All accounting is here.
 * Does not open targets, does not decide when a run starts or ends (run.h). No lock, no malloc, no print and no
 * system call but the I/O on its way.
 *
 * Latency: the clock is read once a submit batch and once a reap batch; at depth 1 the end of one I/O is the
 * start of the next. clat = after reap - before submit. With a rate, rlat = after reap - intended start. */
#ifndef ENGINE_WORKER_H
#define ENGINE_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/err.h"
#include "engine/backend.h"
#include "engine/counters.h"
#include "engine/job.h"
#include "engine/target.h"
#include "engine/verify.h"

struct worker;

enum worker_state { WORKER_STARTING, WORKER_READY, WORKER_RUNNING, WORKER_PAUSED, WORKER_ENDED };

struct worker_usage { /* of the thread: getrusage(RUSAGE_THREAD) */
    uint64_t user_ns, system_ns, nvcsw, nivcsw, minflt, majflt;
};

/* Everything is sized here. `targets` must stay open until the worker ended or took a newer version. `clone`
 * is its number within the job (0 …): it seeds the random order. Starts the thread, which pins itself, opens
 * its ring and waits at the gate (WORKER_READY, or ENDED with an error). 0 or -errno. */
int worker_new(const struct job *j, unsigned clone, const struct targets *targets, struct worker **ret,
               struct err *err);

/* For tests: as worker_new, on this backend with the script and the clock of `cfg` (its depth is ignored). */
int worker_new_on(const struct backend *be, const struct backend_config *cfg, const struct job *j, unsigned clone,
                  const struct targets *targets, struct worker **ret, struct err *err);

void worker_go(struct worker *w); /* opens the gate */

/* A new version: allocates what it needs in the caller's thread, posts it and wakes the worker, which takes it at
 * once, or when its pool has drained where buffers or ring grow. Its old descriptors are not used any more once
 * it runs the new one. Calls for one worker must not overlap. A version posted before the last one was taken
 * replaces it. One that has ended takes nothing more: 0, and worker_version stays. Else 0 or -errno (old
 * version goes on). */
int worker_retune(struct worker *w, const struct job *j, const struct targets *targets, uint64_t version,
                  struct err *err);
uint64_t worker_version(const struct worker *w); /* the version it runs; 0 = the first */
uint64_t worker_version_ns(const struct worker *w); /* monotonic time when it took it */

void worker_pause(struct worker *w, bool paused); /* nothing new is submitted; in flight drains */
void worker_stop(struct worker *w);  /* submit nothing more, drain, end_fsync, end. Never blocks */
/* Submit nothing more, drain; then read back and verify what was written, where the job does that, and end. */
void worker_finish(struct worker *w);
bool worker_wait(struct worker *w, uint64_t deadline_ns); /* true once it has ended */

enum worker_state worker_state(const struct worker *w);
/* Live; of a row of its targets. NULL: none of its own targets counts there. */
const struct counters *worker_counters(const struct worker *w, size_t row);
/* Once it ended: those of all its rows, from the first that counts its targets, become the caller's, as
 * counters_map made them. */
struct counters *worker_take_counters(struct worker *w);
bool worker_reads_back(const struct worker *w); /* the load has ended, what it wrote is read back */
const struct verify_count *worker_verify(const struct worker *w); /* live; NULL: it verifies nothing */
unsigned worker_inflight(const struct worker *w);
uint64_t worker_progress_ns(const struct worker *w); /* monotonic time of the last completion or of go */
pid_t worker_tid(const struct worker *w);
/* Why it ended: 0 = done or stopped, else -errno and the sentence of its first error. */
int worker_error(const struct worker *w, struct err *err);
/* The first error that did not end it (continue_on_error); false: there was none. Once it ended. */
bool worker_tolerated(const struct worker *w, struct err *ret);
bool worker_usage(const struct worker *w, struct worker_usage *ret); /* true once ended */
/* CPU time of the kernel's helper threads of its own, as it saw them before they ended with it: 0 until it has ended,
 * and where it was stopped (who stops it looks before). */
uint64_t worker_helpers_ns(const struct worker *w);
uint64_t worker_cpu_ns(const struct worker *w); /* CPU time so far, live; 0 unknown */

/* Ended: frees all. Not ended (hung in the kernel): detaches and leaks it, on purpose. */
void worker_free(struct worker *w);

#endif
