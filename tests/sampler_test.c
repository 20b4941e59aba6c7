/* Tests of core/sampler: stamps, readers, deadlines, and sources that hang. Nothing here waits for a fixed time
 * and hopes: each wait is for an event, with a limit that only a failure reaches. */
#include "core/sampler.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/clock.h"
#include "tests/suite.h"

#define S NSEC_PER_SEC
#define PATIENCE_MS 20000

/* A source that counts its calls. */
struct probe {
    int opened, polled, sampled, closed; /* atomic */
    int poll_fd;                         /* poll() reads a byte from it: the device that hangs */
    int in_poll;                         /* atomic */
    uint64_t sleep_ns;                   /* the first sample() takes so long */
    int polled_before_sample;
};

static int probe_open(const struct source_env *env, void **ret_state, struct err *err)
{
    struct probe *p = (struct probe *)env->root; /* the tests have no other use for it */
    p->opened++;
    *ret_state = p;
    return 0;
}

static int absent_open(const struct source_env *env, void **ret_state, struct err *err)
{
    return err_set(err, -ENOENT, "no such thing here");
}

static void probe_sample(void *state, struct frame *f)
{
    struct probe *p = state;
    int n = __atomic_add_fetch(&p->sampled, 1, __ATOMIC_RELAXED);
    p->polled_before_sample = __atomic_load_n(&p->polled, __ATOMIC_RELAXED);
    if (n == 1 && p->sleep_ns)
        clock_sleep_until(clock_now_ns() + p->sleep_ns);
    frame_gauge(f, "probe", "sampled", "", n);
}

static void probe_poll(void *state)
{
    struct probe *p = state;
    char c;
    __atomic_store_n(&p->in_poll, 1, __ATOMIC_RELEASE);
    if (p->poll_fd >= 0 && read(p->poll_fd, &c, 1) < 0)
        abort();
    __atomic_store_n(&p->in_poll, 0, __ATOMIC_RELEASE);
    __atomic_add_fetch(&p->polled, 1, __ATOMIC_RELEASE);
}

static void probe_close(void *state)
{
    struct probe *p = state;
    p->closed++;
}

static const struct source plain = {
    .name = "plain", .open = probe_open, .sample = probe_sample, .close = probe_close};
static const struct source slow = {.name = "slow",
                                   .period_ns = NSEC_PER_MSEC,
                                   .open = probe_open,
                                   .poll = probe_poll,
                                   .sample = probe_sample,
                                   .close = probe_close};
static const struct source absent = {.name = "absent", .open = absent_open, .sample = probe_sample};

static struct probe probe;
static struct clock fake;
static struct sampler *s;

static struct sampler *sampler_of(const struct clock *clock)
{
    struct source_env env = {.root = (struct sysroot *)&probe, .clock = clock};
    return sampler_new(&env);
}

static void setup(void)
{
    probe = (struct probe){.poll_fd = -1};
    fake = (struct clock){.mono_ns = 100 * S, .real_ns = 1700000000 * S};
    s = sampler_of(&fake);
    ck_assert_ptr_nonnull(s);
}

static void teardown(void)
{
    sampler_free(s);
}

static bool readable(struct sampler_reader *r, int timeout_ms)
{
    struct pollfd p = {.fd = sampler_reader_fd(r), .events = POLLIN};
    return poll(&p, 1, timeout_ms) == 1;
}

static struct frame *wait_frame(struct sampler_reader *r)
{
    ck_assert(readable(r, PATIENCE_MS));
    struct frame *f = sampler_read(r, NULL);
    ck_assert_ptr_nonnull(f);
    return f;
}

static void wait_for(const int *flag, int value)
{
    uint64_t limit = clock_now_ns() + PATIENCE_MS * NSEC_PER_MSEC;
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) < value) {
        ck_assert(clock_now_ns() < limit);
        clock_sleep_until(clock_now_ns() + NSEC_PER_MSEC);
    }
}

START_TEST(frames_carry_the_clocks_time)
{
    ck_assert_int_eq(sampler_add(s, &plain, NULL), 0);
    struct frame *f = sampler_tick(s);
    ck_assert(f->seq == 1 && f->dt_ns == 0 && !f->discontinuity);
    ck_assert(f->mono_ns == 100 * S && f->time_ns == 1700000000 * S);
    ck_assert(f->ngauges == 1 && f->gauges[0].value == 1);
    ck_assert(f->self.frames == 1 && f->self.missed == 0 && f->self.sample_us >= 0);
    ck_assert_double_nan(f->self.cpu_pct);
    frame_unref(f);
    clock_advance(&fake, S / 4);
    f = sampler_tick(s);
    ck_assert(f->seq == 2 && f->dt_ns == S / 4 && f->self.frames == 2 && !f->discontinuity);
    ck_assert_uint_eq(f->time_ns, 1700000000 * S + S / 4);
    ck_assert_double_nan(f->self.cpu_pct); /* nobody worked in faked time */
    frame_unref(f);
}
END_TEST

static const struct {
    int64_t real_ns;
    bool jump;
} jumps[] = {{0, false}, {900000000, false}, {-900000000, false}, {1100000000, true}, {-3600000000000, true}};

START_TEST(a_clock_that_jumps_is_told)
{
    frame_unref(sampler_tick(s));
    clock_advance(&fake, S);
    fake.real_ns = (uint64_t)((int64_t)fake.real_ns + jumps[_i].real_ns);
    struct frame *f = sampler_tick(s);
    ck_assert_int_eq(f->discontinuity, jumps[_i].jump);
    frame_unref(f);
    clock_advance(&fake, S);
    f = sampler_tick(s);
    ck_assert(!f->discontinuity); /* once */
    frame_unref(f);
}
END_TEST

START_TEST(sources_are_remembered)
{
    struct err e = {0};
    struct sampler_status st[3];
    ck_assert_int_eq(sampler_add(s, &absent, &e), -ENOENT);
    ck_assert_str_eq(e.text, "no such thing here");
    ck_assert_int_eq(sampler_add(s, &plain, &e), 0);
    ck_assert_uint_eq(sampler_sources(s, NULL, 0), 2);
    ck_assert_uint_eq(sampler_sources(s, st, 3), 2);
    ck_assert(st[0].source == &absent && st[0].code == -ENOENT);
    ck_assert_str_eq(st[0].why, "no such thing here");
    ck_assert(st[1].source == &plain && st[1].code == 0);
    ck_assert_str_eq(st[1].why, "");
    struct frame *f = sampler_tick(s);
    ck_assert_uint_eq(f->ngauges, 1); /* the absent one is not asked */
    frame_unref(f);
}
END_TEST

START_TEST(only_what_was_opened_is_closed)
{
    struct probe attached = {.poll_fd = -1};
    struct sampler *own = sampler_of(&fake);
    ck_assert_int_eq(sampler_add(own, &plain, NULL), 0);
    ck_assert_int_eq(sampler_attach(own, &plain, &attached), 0);
    frame_unref(sampler_tick(own));
    sampler_free(own);
    ck_assert(probe.opened == 1 && probe.sampled == 1 && probe.closed == 1);
    ck_assert(attached.opened == 0 && attached.sampled == 1 && attached.closed == 0);
    sampler_free(NULL);
}
END_TEST

START_TEST(a_tick_by_hand_polls_first)
{
    ck_assert_int_eq(sampler_add(s, &slow, NULL), 0);
    frame_unref(sampler_tick(s));
    ck_assert_int_eq(probe.polled_before_sample, 1);
}
END_TEST

START_TEST(a_slow_reader_loses_the_oldest_and_is_told)
{
    struct sampler_reader *r = sampler_subscribe(s, 2), *deep = sampler_subscribe(s, 10);
    uint64_t lost = 100;
    ck_assert(!readable(r, 0));
    ck_assert_ptr_null(sampler_read(r, &lost));
    for (int i = 0; i < 5; i++)
        frame_unref(sampler_tick(s));
    for (uint64_t seq = 4; seq <= 5; seq++) {
        ck_assert(readable(r, 0));
        struct frame *f = sampler_read(r, &lost);
        ck_assert_uint_eq(f->seq, seq);
        frame_unref(f);
    }
    ck_assert_uint_eq(lost, 103);
    ck_assert(!readable(r, 0));
    ck_assert_ptr_null(sampler_read(r, &lost));
    ck_assert_uint_eq(lost, 103);
    frame_unref(sampler_tick(s)); /* wakes it again */
    ck_assert(readable(r, 0));
    for (uint64_t seq = 1; seq <= 6; seq++) {
        struct frame *f = sampler_read(deep, NULL);
        ck_assert_uint_eq(f->seq, seq);
        frame_unref(f);
    }
} /* frames still queued are freed with the sampler */
END_TEST

START_TEST(the_thread_ticks_and_stops)
{
    struct sampler *live = sampler_of(NULL);
    ck_assert_int_eq(sampler_add(live, &plain, NULL), 0);
    struct sampler_reader *r = sampler_subscribe(live, 100);
    struct err e = {0};
    ck_assert_int_eq(sampler_start(live, 0, &e), -EINVAL);
    ck_assert_int_eq(sampler_start(live, NSEC_PER_MSEC, NULL), 0);
    ck_assert_int_eq(sampler_start(live, NSEC_PER_MSEC, &e), -EBUSY);
    ck_assert_int_eq(sampler_attach(live, &plain, &probe), -EBUSY);
    uint64_t before = 0;
    for (int i = 0; i < 20; i++) {
        struct frame *f = wait_frame(r);
        ck_assert(f->mono_ns > before);
        ck_assert(i > 0 ? f->dt_ns > 0 : f->dt_ns == 0);
        before = f->mono_ns;
        frame_unref(f);
    }
    sampler_stop(live);
    sampler_stop(live);
    int sampled = probe.sampled;
    ck_assert_int_eq(sampler_start(live, NSEC_PER_MSEC, NULL), 0); /* may go on */
    wait_for(&probe.sampled, sampled + 2);
    sampler_free(live);
    ck_assert_int_eq(probe.closed, 1);
}
END_TEST

START_TEST(a_new_interval_counts_at_once)
{
    struct sampler *live = sampler_of(NULL);
    struct sampler_reader *r = sampler_subscribe(live, 10);
    ck_assert_int_eq(sampler_start(live, 3600 * S, NULL), 0);
    frame_unref(wait_frame(r));    /* the first at once */
    sampler_set_interval(live, 0); /* no interval: ignored */
    sampler_set_interval(live, 10 * NSEC_PER_MSEC);
    struct frame *f = wait_frame(r);
    ck_assert_uint_eq(f->self.missed, 0);
    frame_unref(f);
    frame_unref(wait_frame(r));
    sampler_free(live);
}
END_TEST

START_TEST(late_ticks_are_skipped_and_counted)
{
    struct sampler *live = sampler_of(NULL);
    probe.sleep_ns = 100 * NSEC_PER_MSEC; /* over nine deadlines */
    ck_assert_int_eq(sampler_attach(live, &plain, &probe), 0);
    struct sampler_reader *r = sampler_subscribe(live, 10);
    ck_assert_int_eq(sampler_start(live, 10 * NSEC_PER_MSEC, NULL), 0);
    struct frame *f = wait_frame(r);
    uint64_t first = f->mono_ns;
    ck_assert(f->self.missed == 0 && !f->discontinuity);
    frame_unref(f);
    f = wait_frame(r);
    ck_assert(f->self.missed >= 8);
    ck_assert(f->discontinuity);
    ck_assert(f->dt_ns >= 100 * NSEC_PER_MSEC && f->mono_ns - first == f->dt_ns);
    ck_assert_uint_eq(f->seq, 2);
    frame_unref(f);
    sampler_free(live);
}
END_TEST

/* A device that hangs: read() of an empty pipe. */
START_TEST(a_poll_that_hangs_delays_neither_ticks_nor_the_end)
{
    int fd[2];
    ck_assert_int_eq(pipe(fd), 0);
    struct sampler *live = sampler_of(NULL);
    probe.poll_fd = fd[0];
    ck_assert_int_eq(sampler_add(live, &slow, NULL), 0);
    struct sampler_reader *r = sampler_subscribe(live, 100);
    ck_assert_int_eq(sampler_start(live, NSEC_PER_MSEC, NULL), 0);
    wait_for(&probe.in_poll, 1);
    for (int i = 0; i < 20; i++)
        frame_unref(wait_frame(r));
    ck_assert_int_eq(probe.polled, 0);
    uint64_t start = clock_now_ns();
    sampler_stop(live);
    ck_assert(clock_now_ns() - start < 10 * S);
    frame_unref(sampler_tick(live)); /* by hand: must not poll it again */
    ck_assert_int_eq(sampler_start(live, NSEC_PER_MSEC, NULL), 0);
    sampler_free(live);
    ck_assert_int_eq(probe.closed, 0); /* never while poll() runs */
    ck_assert_int_eq(__atomic_load_n(&probe.in_poll, __ATOMIC_ACQUIRE), 1);
    ck_assert_int_eq(write(fd[1], "x", 1), 1);
    wait_for(&probe.polled, 1);
    close(fd[1]);
}
END_TEST

START_TEST(poll_has_its_own_rhythm)
{
    struct sampler *live = sampler_of(NULL);
    ck_assert_int_eq(sampler_add(live, &slow, NULL), 0);
    ck_assert_int_eq(sampler_start(live, 3600 * S, NULL), 0);
    wait_for(&probe.polled, 5); /* while the sampler sleeps for an hour */
    sampler_free(live);
    ck_assert_int_eq(probe.closed, 1);
}
END_TEST

static double burn(void *arg)
{
    double *ns = arg;
    return *ns += 1e15; /* far above what this thread can use itself */
}

START_TEST(the_consoles_other_threads_are_counted)
{
    double ns = 0;
    struct sampler *live = sampler_of(NULL);
    sampler_set_self(live, burn, &ns);
    struct frame *f = sampler_tick(live);
    ck_assert_double_nan(f->self.cpu_pct); /* no baseline */
    frame_unref(f);
    uint64_t start = clock_now_ns();
    f = sampler_tick(live);
    double at_least = 100 * 1e15 / (double)(clock_now_ns() - start + S);
    ck_assert(f->self.cpu_pct >= at_least);
    frame_unref(f);
    sampler_free(live);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("sampler");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, frames_carry_the_clocks_time);
    tcase_add_loop_test(tc, a_clock_that_jumps_is_told, 0, sizeof jumps / sizeof *jumps);
    tcase_add_test(tc, sources_are_remembered);
    tcase_add_test(tc, only_what_was_opened_is_closed);
    tcase_add_test(tc, a_tick_by_hand_polls_first);
    tcase_add_test(tc, a_slow_reader_loses_the_oldest_and_is_told);
    tcase_add_test(tc, the_thread_ticks_and_stops);
    tcase_add_test(tc, a_new_interval_counts_at_once);
    tcase_add_test(tc, late_ticks_are_skipped_and_counted);
    tcase_add_test(tc, a_poll_that_hangs_delays_neither_ticks_nor_the_end);
    tcase_add_test(tc, poll_has_its_own_rhythm);
    tcase_add_test(tc, the_consoles_other_threads_are_counted);
    return suite_run("sampler", tc);
}
