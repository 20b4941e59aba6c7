/* bench: the parts of a session with a load, put together and taken apart in reverse: jobs, run, machine.
 * Shows nothing; cmd_run.c and cmd_console.c do. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/args.h"
#include "cli/machine.h"
#include "engine/run.h"

struct bench { /* stays where it is while it is open */
    struct job *jobs;
    size_t njobs;
    struct run *run;
    struct machine machine;        /* its sampler has the load as one more source */
    struct sampler_reader *frames;
    int signal_fd;                 /* INT TERM HUP and what else was asked for */
};

/* Blocks the signals (a zero-ended list) before any thread starts, takes over `jobs` (malloc'ed) and starts the
 * conductor, which prepares at once. 0 or -errno with a sentence; bench_close either way. */
int bench_open(struct bench *b, const struct args *a, struct job *jobs, size_t njobs, enum machine_sources which,
               const int *signals, struct err *err);

/* Stops what runs, waits at most wait_ns for it and frees everything. False: something hangs in the kernel, is
 * left behind and still uses what it needs; the process must leave by keeper_leave. */
bool bench_close(struct bench *b, uint64_t wait_ns);

/* Waits until the run is prepared or refused, at most timeout_ns. True when it is no longer preparing. */
bool bench_wait_ready(struct bench *b, uint64_t timeout_ns);

void bench_order(struct bench *b, enum order_kind kind); /* to all jobs */

#endif
