/* clock: monotonic and real time in ns, absolute sleeps, and a fake clock for tests and fake machines.
 * Does not schedule anything. */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_USEC 1000ull

/* NULL stands for the live clock everywhere. A fake clock stands still until it is advanced. */
struct clock {
    uint64_t mono_ns; /* CLOCK_MONOTONIC of the fake machine */
    uint64_t real_ns; /* CLOCK_REALTIME, ns since 1970 */
};

static inline uint64_t clock_now_ns(void) /* live CLOCK_MONOTONIC (vDSO: no system call) */
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

uint64_t clock_mono_ns(const struct clock *c);
uint64_t clock_real_ns(const struct clock *c);
void clock_advance(struct clock *c, uint64_t ns); /* both hands of a fake clock */

/* Sleeps until the live CLOCK_MONOTONIC reaches t_ns; EINTR is resumed. Returns at once if it is past. */
void clock_sleep_until(uint64_t t_ns);

#endif
