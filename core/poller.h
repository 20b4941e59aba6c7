/* poller: a helper thread that calls one source's poll() every period, so that what hangs, hangs there.
 * Used by the sampler; it does not sample. */
#ifndef CORE_POLLER_H
#define CORE_POLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/source.h"

struct poller;

/* First poll at once, then every source->period_ns (0: each second). NULL when there is no thread to be had. */
struct poller *poller_start(const struct source *source, void *state);
uint64_t poller_cpu_ns(const struct poller *p); /* CPU time its finished polls have taken */

void poller_ask_stop(struct poller *p); /* does not wait */
/* Waits until the thread has ended, until deadline_ns (live monotonic) at most. True: it is gone, the state is
 * the caller's again. False: it is stuck in poll(); it is left behind and `state` must stay for ever. Either
 * way `p` is gone. */
bool poller_join(struct poller *p, uint64_t deadline_ns);

#endif
