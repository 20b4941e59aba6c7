/* machine: the machine that is looked at: a root, a clock and a sampler with every monitor.
 * Knows no load; bench.h adds one. */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

#include "cli/args.h"
#include "core/clock.h"
#include "core/frame.h"
#include "core/sampler.h"
#include "core/sysroot.h"

struct machine { /* stays where it is while it is open: the sampler points into it */
    struct sysroot *root;
    struct clock clock; /* of a fake machine */
    bool fake;
    struct sampler *sampler;
};

enum machine_sources { MACHINE_ALL, MACHINE_COUNTERS /* CPUs and block devices */, MACHINE_NONE };

/* sysroot NULL is the live machine. fake: time stands still but for machine_frame's dt. 0 or -errno with a
 * sentence; machine_close either way. */
int machine_open(struct machine *m, const char *sysroot, bool fake, enum machine_sources which, struct err *err);
void machine_close(struct machine *m);

/* Opens what the options say and reads it twice: the frame between the readings, one reference. Options: sysroot,
 * then, dt, interval. 0 or -errno with a sentence. */
int machine_read_twice(const struct args *a, struct frame **ret, struct err *err);

#endif
