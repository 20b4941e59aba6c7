/* Tests of core/clock and core/err: fake time, sleeping through signals, the sentence. */
#include "core/clock.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "core/err.h"
#include "tests/suite.h"

START_TEST(a_fake_clock_stands_until_it_is_advanced)
{
    struct clock c = {.mono_ns = 5, .real_ns = 1000};
    ck_assert_uint_eq(clock_mono_ns(&c), 5);
    ck_assert_uint_eq(clock_real_ns(&c), 1000);
    clock_advance(&c, NSEC_PER_SEC);
    ck_assert_uint_eq(clock_mono_ns(&c), NSEC_PER_SEC + 5);
    ck_assert_uint_eq(clock_real_ns(&c), NSEC_PER_SEC + 1000);
}
END_TEST

START_TEST(the_live_clock_is_the_systems)
{
    uint64_t before = clock_now_ns(), mono = clock_mono_ns(NULL), after = clock_now_ns();
    ck_assert(before <= mono && mono <= after);
    uint64_t real_s = clock_real_ns(NULL) / NSEC_PER_SEC;
    uint64_t t = (uint64_t)time(NULL);
    ck_assert(real_s + 2 >= t && real_s <= t + 2);
}
END_TEST

static volatile sig_atomic_t rings;

static void ring(int sig)
{
    rings++;
}

START_TEST(sleep_goes_on_after_a_signal)
{
    struct sigaction sa = {.sa_handler = ring};
    sigaction(SIGALRM, &sa, NULL);
    struct itimerval each_ms = {{0, 1000}, {0, 1000}}, off = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &each_ms, NULL);
    uint64_t until = clock_now_ns() + 30 * NSEC_PER_MSEC;
    clock_sleep_until(until);
    ck_assert(clock_now_ns() >= until);
    setitimer(ITIMER_REAL, &off, NULL);
    ck_assert_int_gt(rings, 0);
}
END_TEST

START_TEST(sleep_until_the_past_is_no_sleep)
{
    clock_sleep_until(0); /* would not come back within the test's time otherwise */
    clock_sleep_until(clock_now_ns() - 1);
}
END_TEST

START_TEST(an_error_has_a_code_and_a_sentence)
{
    struct err e = {0};
    ck_assert_int_eq(err_set(&e, -22, "bs=%d: must be 512 to 16m", 0), -22);
    ck_assert_int_eq(e.code, -22);
    ck_assert_str_eq(e.text, "bs=0: must be 512 to 16m");
    ck_assert_int_eq(err_set(NULL, -5, "%s", "nobody listens"), -5);
    char longer[2 * ERR_TEXT];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    err_set(&e, -1, "%s", longer);
    ck_assert_uint_eq(strlen(e.text), ERR_TEXT - 1);
}
END_TEST

START_TEST(a_sentence_keeps_both_ends_and_its_line)
{
    struct err e = {0};
    char longer[5001] = "";
    for (unsigned i = 0; i < 2500; i++)
        strcat(longer + 2 * i, "\xc3\xa4");
    err_set(&e, -22, "bs=%s: must be 512 to 16m", longer);
    ck_assert_ptr_eq(strstr(e.text, "bs=\xc3\xa4\xc3\xa4"), e.text);
    ck_assert_ptr_nonnull(strstr(e.text, "\xc3\xa4 ... \xc3\xa4")); /* whole characters */
    ck_assert_str_eq(e.text + strlen(e.text) - 22, "\xc3\xa4: must be 512 to 16m");
    err_set(&e, -22, "rw=%s: must be read", "a\nb\t\x1b[31m\x7f\xc2\x9b" "c \xc2\xa0\xc3\xa4");
    ck_assert_str_eq(e.text, "rw=a?b??[31m???c \xc2\xa0\xc3\xa4: must be read");
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("clock");
    tcase_add_test(tc, a_fake_clock_stands_until_it_is_advanced);
    tcase_add_test(tc, the_live_clock_is_the_systems);
    tcase_add_test(tc, a_sentence_keeps_both_ends_and_its_line);
    tcase_add_test(tc, sleep_goes_on_after_a_signal);
    tcase_add_test(tc, sleep_until_the_past_is_no_sleep);
    tcase_add_test(tc, an_error_has_a_code_and_a_sentence);
    return suite_run("clock", tc);
}
