/* Tests of CPU load: what two readings of /proc/stat mean.
 * The small inputs are those of public bug reports against other tools. */
#include "monitors/cpustat.h"
#include "tests/rig.h"
#include "tests/suite.h"

static struct rig rig;

static void setup(void)
{
    rig_init(&rig);
}

static void teardown(void)
{
    rig_fini(&rig);
}

static void stat_is(const char *text)
{
    rig_put(&rig, "proc/stat", text);
}

/* Columns: user nice system idle iowait irq softirq steal guest guest_nice. */
static const struct load_case {
    const char *why, *before, *now;
    double user, nice, guest, system, idle, iowait, steal, busy;
} loads[] = {
    {"plain", "100 0 100 100 0 0 0 0 0 0", "150 10 120 120 0 0 0 0 0 0", 50, 10, 0, 20, 20, 0, 0, 80},
    {"btop#1609, psutil#940: guest is part of user", "0 0 0 0 0 0 0 0 0 0", "50 0 0 50 0 0 0 0 50 0", 0, 0, 50, 0,
     50, 0, 0, 50},
    {"guest_nice is part of nice", "0 0 0 0 0 0 0 0 0 0", "20 30 0 50 0 0 0 0 10 20", 10, 10, 30, 0, 50, 0, 0, 50},
    {"netdata#729: guest one ahead of user", "10 0 0 0 0 0 0 0 10 0", "60 0 0 50 0 0 0 0 61 0", 0, 0, 50, 0, 50, 0,
     0, 50},
    {"sysstat#14, #273: iowait steps back", "0 0 0 1000 500 0 0 0 0 0", "0 0 0 1100 490 0 0 0 0 0", 0, 0, 0, 0,
     100, 0, 0, 0},
    {"sysstat#433: idle steps back", "0 0 0 1000 0 0 0 0 0 0", "25 0 0 990 75 0 0 0 0 0", 25, 0, 0, 0, 0, 75, 0,
     25},
    {"psutil#1210: steal falls", "100 0 0 100 0 0 0 500 0 0", "110 0 0 190 0 0 0 300 0 0", 10, 0, 0, 0, 90, 0, 0,
     10},
    {"Waybar#2681: waiting for I/O is idle", "0 0 0 0 100 0 0 0 0 0", "0 0 0 0 200 0 0 0 0 0", 0, 0, 0, 0, 0, 100,
     0, 0},
    {"nomad#15861: busy falls", "500 0 500 1000 0 0 0 0 0 0", "400 0 400 1100 0 0 0 0 0 0", 0, 0, 0, 0, 100, 0, 0,
     0},
    {"stolen time is busy", "0 0 0 0 0 0 0 0 0 0", "40 0 0 30 0 0 0 30 0 0", 40, 0, 0, 0, 30, 0, 30, 70},
    {"eight columns (goprocinfo#21)", "0 0 0 0 0 0 0 0", "25 0 0 75 0 0 0 0", 25, 0, 0, 0, 75, 0, 0, 25},
    {"four columns", "0 0 0 0", "25 0 25 50", 25, 0, 0, 25, 50, 0, 0, 50},
    {"more columns than known", "0 0 0 0 0 0 0 0 0 0 0 0", "25 0 0 75 0 0 0 0 0 0 9 9", 25, 0, 0, 0, 75, 0, 0, 25},
};

static const char *stat_of(const char *columns, char dst[256])
{
    snprintf(dst, 256, "cpu  %s\ncpu0 %s\nintr 1 2 3\n", columns, columns);
    return dst;
}

static void check_load(const struct frame_cpu *c, const struct load_case *k)
{
    ck_near(c->user_pct, k->user);
    ck_near(c->nice_pct, k->nice);
    ck_near(c->guest_pct, k->guest);
    ck_near(c->system_pct, k->system);
    ck_near(c->idle_pct, k->idle);
    ck_near(c->iowait_pct, k->iowait);
    ck_near(c->steal_pct, k->steal);
    ck_near(c->busy_pct, k->busy);
    ck_near(c->user_pct + c->nice_pct + c->guest_pct + c->system_pct + c->idle_pct + c->iowait_pct + c->irq_pct +
                c->softirq_pct + c->steal_pct,
            100);
}

START_TEST(load_of_an_interval)
{
    const struct load_case *k = &loads[_i];
    char text[256];
    stat_is(stat_of(k->before, text));
    rig_tick(&rig, 0);
    ck_unknown(rig_cpu(&rig, 0)->busy_pct); /* no rate from the first reading */
    ck_unknown(rig.frame->cpu_total.busy_pct);
    stat_is(stat_of(k->now, text));
    rig_tick(&rig, 1000);
    check_load(rig_cpu(&rig, 0), k);
    check_load(&rig.frame->cpu_total, k);
}
END_TEST

/* Nearly all of a long time idle: the rest of a subtraction of large numbers is no -1e-16 %. */
START_TEST(busy_is_never_below_nothing)
{
    stat_is("cpu 0 0 0 0 0\ncpu0 0 0 0 0 0\n");
    rig_tick(&rig, 0);
    stat_is("cpu 3 0 0 9223372036854775807 77777777777\ncpu0 0 0 3 999999999999999999 1234567\n");
    rig_tick(&rig, 1000);
    ck_assert_double_ge(rig.frame->cpu_total.busy_pct, 0);
    ck_assert_double_ge(rig_cpu(&rig, 0)->busy_pct, 0);
}
END_TEST

START_TEST(no_time_passed_is_unknown)
{
    stat_is("cpu  1 2 3 4\ncpu0 1 2 3 4\n");
    rig_tick(&rig, 0);
    rig_tick(&rig, 1);
    ck_unknown(rig_cpu(&rig, 0)->busy_pct);
    ck_unknown(rig_cpu(&rig, 0)->idle_pct);
    ck_unknown(rig.frame->cpu_total.busy_pct);
}
END_TEST

/* sysstat#7, procfs#84, htop#648: the label counts, not the line. */
START_TEST(numbers_with_gaps_keep_their_numbers)
{
    stat_is("cpu  0 0 0 0\ncpu0 0 0 0 0\ncpu1 0 0 0 0\ncpu8 0 0 0 0\ncpu9 0 0 0 0\n");
    rig_tick(&rig, 0);
    stat_is("cpu  0 0 0 0\ncpu0 0 0 0 10\ncpu1 1 0 0 9\ncpu8 8 0 0 2\ncpu9 9 0 0 1\n");
    rig_tick(&rig, 1000);
    ck_assert_uint_eq(rig.frame->ncpus, 4);
    ck_near(rig_cpu(&rig, 0)->busy_pct, 0);
    ck_near(rig_cpu(&rig, 1)->busy_pct, 10);
    ck_near(rig_cpu(&rig, 8)->busy_pct, 80);
    ck_near(rig_cpu(&rig, 9)->busy_pct, 90);
    ck_near(rig.frame->cpu_total.busy_pct, 45);
}
END_TEST

/* hishamhm/htop#87, sysstat#107: a CPU that appears has a row at once and rates an interval later. */
START_TEST(a_cpu_appears)
{
    stat_is("cpu  0 0 0 0\ncpu0 0 0 0 0\n");
    rig_tick(&rig, 0);
    stat_is("cpu  0 0 0 0\ncpu0 50 0 0 50\ncpu3 7000 0 0 1000\n");
    rig_tick(&rig, 1000);
    ck_assert_uint_eq(rig.frame->ncpus, 2);
    ck_assert(rig_cpu(&rig, 3)->online);
    ck_unknown(rig_cpu(&rig, 3)->busy_pct);
    ck_near(rig.frame->cpu_total.busy_pct, 50);
    stat_is("cpu  0 0 0 0\ncpu0 100 0 0 100\ncpu3 7100 0 0 1000\n");
    rig_tick(&rig, 1000);
    ck_near(rig_cpu(&rig, 3)->busy_pct, 100);
    ck_near(rig.frame->cpu_total.busy_pct, 75);
}
END_TEST

START_TEST(a_cpu_goes_and_comes_back)
{
    stat_is("cpu  0 0 0 0\ncpu0 0 0 0 0\ncpu1 500 0 0 500\n");
    rig_tick(&rig, 0);
    stat_is("cpu  0 0 0 0\ncpu0 0 0 0 100\n");
    rig_tick(&rig, 1000);
    ck_assert_uint_eq(rig.frame->ncpus, 2);
    ck_assert(!rig_cpu(&rig, 1)->online);
    ck_unknown(rig_cpu(&rig, 1)->busy_pct);
    ck_unknown(rig_cpu(&rig, 1)->idle_pct);
    ck_near(rig.frame->cpu_total.busy_pct, 0);
    stat_is("cpu  0 0 0 0\ncpu0 0 0 0 200\ncpu1 501 0 0 502\n");
    rig_tick(&rig, 1000);
    ck_assert(rig_cpu(&rig, 1)->online);
    ck_unknown(rig_cpu(&rig, 1)->busy_pct);
    stat_is("cpu  0 0 0 0\ncpu0 0 0 0 300\ncpu1 526 0 0 577\n");
    rig_tick(&rig, 1000);
    ck_near(rig_cpu(&rig, 1)->busy_pct, 25);
}
END_TEST

/* The kernel's own sum falls by all that an offline CPU ever counted. */
START_TEST(the_total_does_not_jump_with_hotplug)
{
    stat_is("cpu  1000 0 0 9000\ncpu0 500 0 0 4500\ncpu1 500 0 0 4500\n");
    rig_tick(&rig, 0);
    stat_is("cpu  530 0 0 4570\ncpu0 530 0 0 4570\n");
    rig_tick(&rig, 1000);
    ck_near(rig.frame->cpu_total.busy_pct, 30);
}
END_TEST

START_TEST(a_sum_without_cpus_is_still_a_sum)
{
    stat_is("cpu  0 0 0 0\n");
    rig_tick(&rig, 0);
    stat_is("cpu  30 0 0 70\n");
    rig_tick(&rig, 1000);
    ck_assert_uint_eq(rig.frame->ncpus, 0);
    ck_near(rig.frame->cpu_total.busy_pct, 30);
}
END_TEST

static const char *const nonsense[] = {
    "",
    "cpu",
    "cpu\n",
    "cpu0",
    "cpux 1 2\n",
    "cpu99999999999999999999 1 2 3 4\n",
    "cpu8192 1 2 3 4\n",
    "cpu-1 1 2 3 4\n",
    "cpu0x 1 2 3 4\n",
    "cpu1 a b c\n",
    "\n\n\n",
};

START_TEST(nonsense_gives_no_rates)
{
    stat_is(nonsense[_i]);
    rig_tick(&rig, 0);
    rig_tick(&rig, 1000);
    for (size_t i = 0; i < rig.frame->ncpus; i++)
        ck_unknown(rig.frame->cpus[i].busy_pct);
    ck_unknown(rig.frame->cpu_total.busy_pct);
}
END_TEST

START_TEST(an_empty_machine_has_no_cpus)
{
    rig_tick(&rig, 0);
    rig_tick(&rig, 1000);
    ck_assert_uint_eq(rig.frame->ncpus, 0);
    ck_unknown(rig.frame->cpu_total.busy_pct);
    ck_assert_uint_eq(rig.frame->nhosts, 1);
    ck_assert_str_eq(rig.frame->hosts[0].name, "");
    ck_assert_str_eq(rig.frame->hosts[0].cpu_model, "");
}
END_TEST

/* An `intr` line is as long as the machine is large. */
START_TEST(a_long_stat_file_is_read_whole)
{
    static char text[200000];
    int len = snprintf(text, sizeof text, "cpu  0 0 0 0\ncpu0 0 0 0 0\nintr 7");
    for (int i = 0; i < 40000; i++)
        len += snprintf(text + len, sizeof text - (size_t)len, " %d", i % 10);
    snprintf(text + len, sizeof text - (size_t)len, "\ncpu1 0 0 0 0\n");
    stat_is(text);
    rig_tick(&rig, 0);
    ck_assert_uint_eq(rig.frame->ncpus, 2);
}
END_TEST

/* htop#648: clocks must not shift when CPUs are missing. */
START_TEST(clocks_belong_to_numbers)
{
    stat_is("cpu  0 0 0 0\ncpu0 0 0 0 0\ncpu8 0 0 0 0\ncpu9 0 0 0 0\n");
    rig_put(&rig, "sys/devices/system/cpu/online", "0,8-9\n");
    rig_put(&rig, "sys/devices/system/cpu/cpu8/cpufreq/scaling_cur_freq", "1200000\n");
    rig_put(&rig, "proc/cpuinfo",
            "processor\t: 0\nmodel name\t: Test CPU \ncpu MHz\t\t: 800.5\n\nprocessor\t: 8\ncpu MHz\t\t: 3.0\n\n"
            "processor\t: 9\ncpu MHz\t\t: nonsense\ncpu MHz\t\t: 1e26\n");
    rig_tick(&rig, 0);
    ck_near(rig_cpu(&rig, 0)->mhz, 800.5);
    ck_near(rig_cpu(&rig, 8)->mhz, 1200);
    ck_unknown(rig_cpu(&rig, 9)->mhz);
}
END_TEST

START_TEST(the_live_machine_has_load)
{
    struct rig live = {.fake = {.path = ""}};
    rig_start(&live, NULL);
    rig_tick(&live, 0);
    ck_assert_uint_gt(live.frame->ncpus, 0);
    ck_assert_str_ne(live.frame->hosts[0].kernel, "");
    for (size_t i = 0; i < live.frame->ncpus; i++)
        ck_unknown(live.frame->cpus[i].busy_pct);
    rig_fini(&live);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("load");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, load_of_an_interval, 0, sizeof loads / sizeof *loads);
    tcase_add_test(tc, busy_is_never_below_nothing);
    tcase_add_test(tc, no_time_passed_is_unknown);
    tcase_add_test(tc, numbers_with_gaps_keep_their_numbers);
    tcase_add_test(tc, a_cpu_appears);
    tcase_add_test(tc, a_cpu_goes_and_comes_back);
    tcase_add_test(tc, the_total_does_not_jump_with_hotplug);
    tcase_add_test(tc, a_sum_without_cpus_is_still_a_sum);
    tcase_add_loop_test(tc, nonsense_gives_no_rates, 0, sizeof nonsense / sizeof *nonsense);
    tcase_add_test(tc, an_empty_machine_has_no_cpus);
    tcase_add_test(tc, a_long_stat_file_is_read_whole);
    tcase_add_test(tc, clocks_belong_to_numbers);
    tcase_add_test(tc, the_live_machine_has_load);
    return suite_run("cpu", tc);
}
