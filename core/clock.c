/* clock: the two hands of a live or a fake clock, and sleeping until an absolute time.
 * Does not schedule anything. */
#include "core/clock.h"

#include <errno.h>
#include <stddef.h>

uint64_t clock_mono_ns(const struct clock *c)
{
    return c ? c->mono_ns : clock_now_ns();
}

uint64_t clock_real_ns(const struct clock *c)
{
    if (c)
        return c->real_ns;
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

void clock_advance(struct clock *c, uint64_t ns)
{
    c->mono_ns += ns;
    c->real_ns += ns;
}

void clock_sleep_until(uint64_t t_ns)
{
    struct timespec ts = {
        .tv_sec = (time_t)(t_ns / NSEC_PER_SEC),
        .tv_nsec = (long)(t_ns % NSEC_PER_SEC),
    };
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
        ;
}
