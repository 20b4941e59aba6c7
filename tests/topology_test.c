/* Tests of CPU topology and SMT: who is whose sibling, also while one of them is offline.
 * Load is cpu_test.c. */
#include <errno.h>

#include "monitors/cpulist.h"
#include "tests/rig.h"
#include "tests/suite.h"

#define CPU "sys/devices/system/cpu/"

static struct rig rig;

static void setup(void)
{
    rig_init(&rig);
}

static void teardown(void)
{
    rig_fini(&rig);
}

static void put_cpu(unsigned cpu, int package, int core, const char *siblings)
{
    char file[128], text[32];
    snprintf(file, sizeof file, CPU "cpu%u/topology/physical_package_id", cpu);
    snprintf(text, sizeof text, "%d\n", package);
    rig_put(&rig, file, text);
    snprintf(file, sizeof file, CPU "cpu%u/topology/core_id", cpu);
    snprintf(text, sizeof text, "%d\n", core);
    rig_put(&rig, file, text);
    snprintf(file, sizeof file, CPU "cpu%u/topology/thread_siblings_list", cpu);
    if (siblings)
        rig_put(&rig, file, siblings);
}

/* What the kernel does: the folder goes, and the siblings' lists shrink. */
static void take_offline(unsigned cpu)
{
    char file[128];
    snprintf(file, sizeof file, CPU "cpu%u/topology", cpu);
    rig_remove(&rig, file);
}

static void online_are(const char *list)
{
    struct cpulist s;
    char text[4096] = "cpu  0 0 0 0\n";
    ck_assert_int_eq(cpulist_parse(list, &s), 0);
    for (int cpu = -1; (cpu = cpulist_next(&s, cpu)) >= 0;)
        snprintf(text + strlen(text), sizeof text - strlen(text), "cpu%d 0 0 0 0\n", cpu);
    rig_put(&rig, "proc/stat", text);
    rig_put(&rig, CPU "online", list);
}

static void smt_is(const char *control, const char *active)
{
    rig_put(&rig, CPU "smt/control", control);
    rig_put(&rig, CPU "smt/active", active);
}

static void siblings_are(unsigned cpu, const char *expected)
{
    char text[128];
    ck_assert_str_eq(rig_siblings(rig_cpu(&rig, cpu), text), expected);
}

/* OpenNebula/one#3972, insights-core#2428 and the shapes of other machines. */
static const struct list_case {
    const char *text;
    size_t count;
    int last;
} lists[] = {
    {"0-1\n", 2, 1},   {"0,64\n", 2, 64},       {"0-1,64-65\n", 4, 65},
    {"16\n", 1, 16},   {"0,40,80,120", 4, 120}, {"\n", 0, -1},
    {"", 0, -1},       {"0-1,4-5,8\n", 5, 8},   {"0-1279\n", 1280, 1279},
    {"8191", 1, 8191}, {" 3,5 \n", 2, 5},
};

START_TEST(lists_of_cpus)
{
    struct cpulist s;
    ck_assert_int_eq(cpulist_parse(lists[_i].text, &s), 0);
    ck_assert_uint_eq(cpulist_count(&s), lists[_i].count);
    int last = -1;
    for (int cpu = -1; (cpu = cpulist_next(&s, cpu)) >= 0; last = cpu)
        ck_assert(cpulist_has(&s, (unsigned)cpu));
    ck_assert_int_eq(last, lists[_i].last);
}
END_TEST

static const char *const bad_lists[] = {"x", "0-", "-1", "3-1", "0-1;2", "8192", "0-99999999999999999999", "1 2"};

START_TEST(bad_lists_leave_the_result_alone)
{
    struct cpulist s = {0};
    cpulist_add(&s, 7);
    ck_assert_int_lt(cpulist_parse(bad_lists[_i], &s), 0);
    ck_assert_uint_eq(cpulist_count(&s), 1);
    ck_assert(cpulist_has(&s, 7));
}
END_TEST

START_TEST(siblings_come_from_the_kernels_list)
{
    online_are("0-3\n");
    put_cpu(0, 0, 0, "0,2\n");
    put_cpu(1, 0, 4, "1,3\n");
    put_cpu(2, 0, 0, "0,2\n");
    put_cpu(3, 0, 4, "1,3\n");
    smt_is("on\n", "1\n");
    rig_tick(&rig, 0);
    siblings_are(0, "0,2");
    siblings_are(3, "1,3");
    ck_assert_int_eq(rig_cpu(&rig, 3)->core, 4);
    ck_assert_int_eq(rig_cpu(&rig, 3)->die, -1);
    ck_assert_str_eq(rig.frame->smt.control, "on");
    ck_assert_int_eq(rig.frame->smt.active, FRAME_YES);
    ck_assert_int_eq(rig.frame->smt.threads_per_core, 2);
}
END_TEST

START_TEST(the_new_name_of_the_list_serves_too)
{
    online_are("0-1\n");
    rig_put(&rig, CPU "cpu0/topology/core_cpus_list", "0-1\n");
    rig_put(&rig, CPU "cpu1/topology/core_cpus_list", "0-1\n");
    rig_tick(&rig, 0);
    siblings_are(1, "0,1");
    ck_assert_int_eq(rig.frame->smt.active, FRAME_YES); /* no smt folder: from the siblings */
    ck_assert_str_eq(rig.frame->smt.control, "");
}
END_TEST

START_TEST(without_lists_the_key_of_the_core_decides)
{
    online_are("0-3\n");
    put_cpu(0, 0, 0, NULL);
    put_cpu(1, 1, 0, NULL); /* the same core number in another package */
    put_cpu(2, 0, 0, NULL);
    put_cpu(3, 1, 0, NULL);
    rig_tick(&rig, 0);
    siblings_are(0, "0,2");
    siblings_are(1, "1,3");
}
END_TEST

START_TEST(smt_off_is_remembered_and_comes_back)
{
    online_are("0-3\n");
    put_cpu(0, 0, 0, "0-1\n");
    put_cpu(1, 0, 0, "0-1\n");
    put_cpu(2, 0, 1, "2-3\n");
    put_cpu(3, 0, 1, "2-3\n");
    smt_is("on\n", "1\n");
    rig_tick(&rig, 0);
    take_offline(1);
    take_offline(3);
    put_cpu(0, 0, 0, "0\n");
    put_cpu(2, 0, 1, "2\n");
    online_are("0,2\n");
    smt_is("off\n", "0\n");
    rig_tick(&rig, 1000);
    ck_assert_uint_eq(rig.frame->ncpus, 4);
    ck_assert(!rig_cpu(&rig, 1)->online && rig_cpu(&rig, 0)->online);
    siblings_are(0, "0,1");
    siblings_are(1, "0,1");
    ck_assert_int_eq(rig_cpu(&rig, 3)->core, 1);
    ck_assert_int_eq(rig.frame->smt.active, FRAME_NO);
    ck_assert_int_eq(rig.frame->smt.threads_per_core, 2);
    put_cpu(0, 0, 0, "0-1\n");
    put_cpu(1, 0, 0, "0-1\n");
    online_are("0-2\n");
    smt_is("on\n", "1\n");
    rig_tick(&rig, 1000);
    siblings_are(1, "0,1");
    siblings_are(2, "2,3");
    ck_assert(rig_cpu(&rig, 1)->online && !rig_cpu(&rig, 3)->online);
}
END_TEST

/* PerfSpect#382, hwloc#522: off from the beginning, the lists do not know what the cores have. */
START_TEST(smt_off_from_the_start_is_unknown_not_single)
{
    online_are("0,2\n");
    rig_put(&rig, CPU "present", "0-3\n");
    rig_put(&rig, CPU "possible", "0-7\n");
    put_cpu(0, 0, 0, "0\n");
    put_cpu(2, 0, 1, "2\n");
    smt_is("off\n", "0\n");
    rig_tick(&rig, 0);
    ck_assert_uint_eq(rig.frame->ncpus, 4);
    siblings_are(1, "");
    ck_assert_int_eq(rig_cpu(&rig, 1)->package, -1);
    ck_assert_int_eq(rig.frame->smt.active, FRAME_NO);
    ck_assert_int_eq(rig.frame->smt.threads_per_core, -1);
}
END_TEST

/* All siblings off-lined by hand: control says on, but SMT does not run. */
START_TEST(active_and_control_may_disagree)
{
    online_are("0\n");
    put_cpu(0, 0, 0, "0\n");
    smt_is("on\n", "0\n");
    rig_tick(&rig, 0);
    ck_assert_int_eq(rig.frame->smt.active, FRAME_NO);
    ck_assert_str_eq(rig.frame->smt.control, "on");
    smt_is("1\n", "0\n"); /* a number since 6.6: a partial level */
    rig_tick(&rig, 1000);
    ck_assert_str_eq(rig.frame->smt.control, "1");
}
END_TEST

START_TEST(nothing_known_is_unknown)
{
    rig_put(&rig, "proc/stat", "cpu  0 0 0 0\ncpu0 0 0 0 0\n");
    rig_tick(&rig, 0);
    siblings_are(0, "");
    ck_assert_int_eq(rig_cpu(&rig, 0)->package, -1);
    ck_assert_int_eq(rig_cpu(&rig, 0)->core, -1);
    ck_assert_int_eq(rig.frame->smt.active, FRAME_UNKNOWN);
    ck_assert_int_eq(rig.frame->smt.threads_per_core, -1);
    ck_assert_str_eq(rig.frame->smt.control, "");
}
END_TEST

START_TEST(folders_stand_in_for_missing_lists)
{
    rig_put(&rig, "proc/stat", "cpu  0 0 0 0\ncpu0 0 0 0 0\n");
    put_cpu(0, 0, 0, "0\n");
    fakeroot_dir(&rig.fake, CPU "cpu5");
    fakeroot_dir(&rig.fake, CPU "cpufreq");
    fakeroot_dir(&rig.fake, CPU "cpuidle");
    rig_tick(&rig, 0);
    ck_assert_uint_eq(rig.frame->ncpus, 2);
    ck_assert(!rig_cpu(&rig, 5)->online);
}
END_TEST

START_TEST(sysfs_may_say_offline_where_stat_is_late)
{
    online_are("0-1\n");
    rig_put(&rig, CPU "online", "0\n");
    rig_put(&rig, CPU "present", "0-1\n");
    rig_tick(&rig, 0);
    rig_tick(&rig, 1000);
    ck_assert(!rig_cpu(&rig, 1)->online);
    ck_unknown(rig_cpu(&rig, 1)->idle_pct);
}
END_TEST

/* powerpc-utils#34, omr#311: more CPUs than a cpu_set_t has bits. */
START_TEST(more_than_a_thousand_cpus)
{
    static char text[64 * 1280];
    int len = snprintf(text, sizeof text, "cpu  0 0 0 0\n");
    for (int i = 0; i < 1280; i++)
        len += snprintf(text + len, sizeof text - (size_t)len, "cpu%d 0 0 0 0\n", i);
    rig_put(&rig, "proc/stat", text);
    rig_put(&rig, CPU "online", "0-1279\n");
    put_cpu(1278, 1, 319, "1276-1279\n");
    rig_tick(&rig, 0);
    ck_assert_uint_eq(rig.frame->ncpus, 1280);
    siblings_are(1278, "1276,1277,1278,1279");
    ck_assert_int_eq(rig.frame->smt.threads_per_core, 4);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("topology");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, lists_of_cpus, 0, sizeof lists / sizeof *lists);
    tcase_add_loop_test(tc, bad_lists_leave_the_result_alone, 0, sizeof bad_lists / sizeof *bad_lists);
    tcase_add_test(tc, siblings_come_from_the_kernels_list);
    tcase_add_test(tc, the_new_name_of_the_list_serves_too);
    tcase_add_test(tc, without_lists_the_key_of_the_core_decides);
    tcase_add_test(tc, smt_off_is_remembered_and_comes_back);
    tcase_add_test(tc, smt_off_from_the_start_is_unknown_not_single);
    tcase_add_test(tc, active_and_control_may_disagree);
    tcase_add_test(tc, nothing_known_is_unknown);
    tcase_add_test(tc, folders_stand_in_for_missing_lists);
    tcase_add_test(tc, sysfs_may_say_offline_where_stat_is_late);
    tcase_add_test(tc, more_than_a_thousand_cpus);
    return suite_run("topology", tc);
}
