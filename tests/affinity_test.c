/* affinity: what a CPU list says, and that a thread really runs where it was pinned. */
#include "engine/affinity.h"

#include <check.h>
#include <errno.h>
#include <string.h>

#include "core/str.h"

static const struct {
    const char *text;
    unsigned cpu[5], n;
} good[] = {
    {"0", {0}, 1},
    {"0-3", {0, 1, 2, 3}, 4},
    {"8,0-1", {0, 1, 8}, 3},
    {"5-5,5", {5}, 1},
    {"1024", {1024}, 1}, /* beyond a plain cpu_set_t */
    {"8191", {8191}, 1},
};

START_TEST(lists_mean_what_they_say)
{
    struct affinity a;
    ck_assert_int_eq(affinity_parse(good[_i].text, &a, NULL), 0);
    ck_assert_int_eq(CPU_COUNT_S(a.size, a.set), (int)good[_i].n);
    for (unsigned i = 0; i < good[_i].n; i++)
        ck_assert(CPU_ISSET_S(good[_i].cpu[i], a.size, a.set));
    affinity_fini(&a);
    ck_assert_ptr_null(a.set);
}
END_TEST

static const char *const bad[] = {"x", "0-", "-1", "3-1", "0,", ",0", "0 1", "8192", "0-9999", "99999999999999999999",
                                  "0-3-4", "0;1"};

START_TEST(nonsense_is_refused_by_name)
{
    struct affinity a = {.n = 42};
    struct err err = {0};
    ck_assert_int_eq(affinity_parse(bad[_i], &a, &err), -EINVAL);
    ck_assert_uint_eq(a.n, 42);
    ck_assert_ptr_nonnull(strstr(err.text, bad[_i]));
    ck_assert_ptr_nonnull(strstr(err.text, "0-3,8"));
}
END_TEST

START_TEST(an_empty_list_changes_nothing)
{
    struct affinity a;
    cpu_set_t before, after;
    ck_assert_int_eq(affinity_parse("", &a, NULL), 0);
    sched_getaffinity(0, sizeof(before), &before);
    ck_assert_int_eq(affinity_pin(&a, NULL), 0);
    sched_getaffinity(0, sizeof(after), &after);
    ck_assert(CPU_EQUAL(&before, &after));
    affinity_fini(&a);
}
END_TEST

static unsigned last_allowed(void)
{
    cpu_set_t set;
    unsigned last = 0;
    ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
    for (unsigned i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set))
            last = i;
    return last;
}

START_TEST(a_pinned_thread_stays_there)
{
    unsigned cpu = last_allowed();
    char text[16];
    struct affinity a;
    str_format(text, sizeof(text), "%u", cpu);
    ck_assert_int_eq(affinity_parse(text, &a, NULL), 0);
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof(before), &before);
    ck_assert_int_eq(affinity_check(&a, NULL), 0);
    sched_getaffinity(0, sizeof(after), &after);
    ck_assert_msg(CPU_EQUAL(&before, &after), "a check must not pin");
    ck_assert_int_eq(affinity_pin(&a, NULL), 0);
    sched_getaffinity(0, sizeof(after), &after);
    ck_assert_int_eq(CPU_COUNT(&after), 1);
    ck_assert(CPU_ISSET(cpu, &after));
    ck_assert_uint_eq((unsigned)sched_getcpu(), cpu);
    affinity_fini(&a);
}
END_TEST

START_TEST(a_missing_cpu_is_named_and_nothing_moves)
{
    struct affinity a;
    struct err err = {0};
    cpu_set_t before, after;
    char text[16];
    str_format(text, sizeof(text), "%u,8000", last_allowed());
    ck_assert_int_eq(affinity_parse(_i ? text : "8000", &a, NULL), 0);
    sched_getaffinity(0, sizeof(before), &before);
    ck_assert_int_eq(affinity_pin(&a, &err), -EINVAL);
    ck_assert_ptr_nonnull(strstr(err.text, "CPU 8000"));
    ck_assert_ptr_nonnull(strstr(err.text, "no such CPU"));
    sched_getaffinity(0, sizeof(after), &after);
    ck_assert(CPU_EQUAL(&before, &after));
    affinity_fini(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("affinity");
    TCase *c = tcase_create("affinity");
    suite_add_tcase(s, c);
    tcase_add_loop_test(c, lists_mean_what_they_say, 0, (int)(sizeof(good) / sizeof(good[0])));
    tcase_add_loop_test(c, nonsense_is_refused_by_name, 0, (int)(sizeof(bad) / sizeof(bad[0])));
    tcase_add_test(c, an_empty_list_changes_nothing);
    tcase_add_test(c, a_pinned_thread_stays_there);
    tcase_add_loop_test(c, a_missing_cpu_is_named_and_nothing_moves, 0, 2);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
