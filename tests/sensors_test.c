/* Tests of sensors: which readings count, and whose temperature they are.
 * Through the reader of sys/class/hwmon; libsensors itself reads the live machine only. */
#include "tests/rig.h"
#include "tests/suite.h"

#define HWMON "sys/class/hwmon/"

static struct rig rig;

static void setup(void)
{
    rig_init(&rig);
}

static void teardown(void)
{
    rig_fini(&rig);
}

static void put(const char *file, const char *text)
{
    rig_put(&rig, file, text);
}

static const struct frame_sensor *sensor(const char *label)
{
    for (size_t i = 0; i < rig.frame->nsensors; i++)
        if (strcmp(rig.frame->sensors[i].label, label) == 0)
            return &rig.frame->sensors[i];
    ck_abort_msg("no sensor %s", label);
    return NULL;
}

static void put_coretemp(const char *chip, const char *package, const char *labels[], const char *values[],
                         size_t n)
{
    char file[128];
    snprintf(file, sizeof file, HWMON "%s/name", chip);
    put(file, "coretemp\n");
    snprintf(file, sizeof file, HWMON "%s/temp1_label", chip);
    put(file, package);
    snprintf(file, sizeof file, HWMON "%s/temp1_input", chip);
    put(file, "70000\n");
    for (size_t i = 0; i < n; i++) {
        snprintf(file, sizeof file, HWMON "%s/temp%zu_label", chip, i + 2);
        put(file, labels[i]);
        snprintf(file, sizeof file, HWMON "%s/temp%zu_input", chip, i + 2);
        put(file, values[i]);
    }
}

START_TEST(no_sensors_is_a_normal_answer)
{
    rig_tick(&rig, 0);
    ck_assert_uint_eq(rig.frame->nsensors, 0);
    ck_assert_uint_eq(rig.frame->nevents, 0);
    ck_unknown(rig.frame->cpu_total.temp_c);
}
END_TEST

static const struct input_case {
    const char *file, *text, *kind, *unit;
    double value;
} inputs[] = {
    {"temp1_input", "49850\n", "temp", "C", 49.85},   {"temp1_input", "-5000\n", "temp", "C", -5},
    {"fan3_input", "2400\n", "fan", "rpm", 2400},     {"in0_input", "11520\n", "in", "V", 11.52},
    {"curr1_input", "1250\n", "curr", "A", 1.25},     {"power1_input", "14500000\n", "power", "W", 14.5},
    {"power2_average", "2000000\n", "power", "W", 2},
};

START_TEST(scales_and_units)
{
    char file[128];
    snprintf(file, sizeof file, HWMON "hwmon7/%s", inputs[_i].file);
    put(HWMON "hwmon7/name", "chip\n");
    put(HWMON "hwmon7/uevent", "1\n");
    put(HWMON "hwmon7/temp1_max", "90000\n");
    put(HWMON "hwmon7/intrusion0_alarm", "0\n");
    put(file, inputs[_i].text);
    rig_tick(&rig, 0);
    ck_assert_uint_eq(rig.frame->nsensors, 1);
    const struct frame_sensor *s = &rig.frame->sensors[0];
    ck_assert_str_eq(s->chip, "chip");
    ck_assert_str_eq(s->kind, inputs[_i].kind);
    ck_assert_str_eq(s->unit, inputs[_i].unit);
    ck_near(s->value, inputs[_i].value);
    ck_assert(!s->fault);
    ck_near(s->age_s, 0);
}
END_TEST

/* "nan", an empty or broken file, a floating pin, a broken diode, NVMe limits that were never set. */
static const char *const no_reading[] = {"nan\n",    "",           "\n",        "junk\n",
                                         "-62000\n", "65261850\n", "-273150\n", "inf\n"};

START_TEST(nonsense_is_no_reading)
{
    put(HWMON "hwmon0/temp1_input", no_reading[_i]);
    put(HWMON "hwmon0/temp2_input", "30000\n");
    rig_tick(&rig, 0);
    ck_unknown(sensor("temp1")->value);
    ck_near(sensor("temp2")->value, 30);
    ck_assert_str_eq(sensor("temp1")->chip, "hwmon0");
}
END_TEST

START_TEST(absurd_values_are_no_reading)
{
    static const char *const files[] = {"fan1_input", "in1_input", "curr1_input", "power1_input"};
    char file[64];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(file, sizeof file, HWMON "hwmon0/%s", files[i]);
        put(file, "145000014500001450000145000014\n");
    }
    rig_tick(&rig, 0);
    ck_unknown(sensor("fan1")->value);
    ck_unknown(sensor("in1")->value);
    ck_unknown(sensor("curr1")->value);
    ck_unknown(sensor("power1")->value);
}
END_TEST

START_TEST(a_fault_is_no_reading)
{
    put(HWMON "hwmon0/temp1_input", "127000\n");
    put(HWMON "hwmon0/temp1_fault", "1\n");
    put(HWMON "hwmon0/temp2_input", "127000\n");
    put(HWMON "hwmon0/temp2_fault", "0\n");
    rig_tick(&rig, 0);
    ck_unknown(sensor("temp1")->value);
    ck_assert(sensor("temp1")->fault);
    ck_near(sensor("temp2")->value, 127);
    ck_assert(!sensor("temp2")->fault);
}
END_TEST

START_TEST(a_label_without_an_input_is_no_sensor)
{
    put(HWMON "hwmon0/temp1_label", "CPU\n");
    put(HWMON "hwmon0/temp2_label", "Board\n");
    put(HWMON "hwmon0/temp2_input", "40000\n");
    rig_tick(&rig, 0);
    ck_assert_uint_eq(rig.frame->nsensors, 1);
    ck_near(sensor("Board")->value, 40);
}
END_TEST

/* s-tui#144: a sensor may come later, and go. */
START_TEST(chips_come_and_go)
{
    rig_tick(&rig, 0);
    put(HWMON "hwmon0/temp1_input", "40000\n");
    ck_assert_uint_eq(rig_tick(&rig, 1000)->nsensors, 1);
    rig_remove(&rig, HWMON "hwmon0");
    ck_assert_uint_eq(rig_tick(&rig, 1000)->nsensors, 0);
}
END_TEST

/* htop#1564, #1042, #1335: "Core N" is a core_id within the chip's package, also on hybrid CPUs. */
START_TEST(core_temperatures_find_their_cpus)
{
    static const struct {
        int package, core;
        const char *siblings;
    } cpus[] = {{0, 0, "0-1"}, {0, 0, "0-1"}, {0, 4, "2"}, {1, 0, "3"}, {1, 9, "4"}, {1, 10, "5"}};
    const char *first[] = {"Core 0\n", "Core 4\n"}, *second[] = {"Core 0\n", "Core 9\n"};
    const char *first_c[] = {"50000\n", "54000\n"}, *second_c[] = {"60000\n", "69000\n"};
    char file[128], text[32];
    put("proc/stat",
        "cpu  0 0 0 0\ncpu0 0 0 0 0\ncpu1 0 0 0 0\ncpu2 0 0 0 0\ncpu3 0 0 0 0\ncpu4 0 0 0 0\ncpu5 0 0 0 0\n");
    for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++) {
        snprintf(file, sizeof file, "sys/devices/system/cpu/cpu%zu/topology/physical_package_id", i);
        snprintf(text, sizeof text, "%d\n", cpus[i].package);
        put(file, text);
        snprintf(file, sizeof file, "sys/devices/system/cpu/cpu%zu/topology/core_id", i);
        snprintf(text, sizeof text, "%d\n", cpus[i].core);
        put(file, text);
        snprintf(file, sizeof file, "sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list", i);
        put(file, cpus[i].siblings);
    }
    put_coretemp("hwmon5", "Package id 0\n", first, first_c, 2);
    put_coretemp("hwmon3", "Package id 1\n", second, second_c, 2);
    rig_tick(&rig, 0);
    ck_near(rig_cpu(&rig, 0)->temp_c, 50);
    ck_near(rig_cpu(&rig, 1)->temp_c, 50);
    ck_near(rig_cpu(&rig, 2)->temp_c, 54);
    ck_near(rig_cpu(&rig, 3)->temp_c, 60);
    ck_near(rig_cpu(&rig, 4)->temp_c, 69);
    ck_unknown(rig_cpu(&rig, 5)->temp_c);
    ck_near(rig.frame->cpu_total.temp_c, 70);
}
END_TEST

/* By what sysfs links together; the numbers of hwmon and of namespaces mean nothing. */
static const struct place_case {
    const char *why, *file, *link;
} places[] = {
    {"below the disk's device", "sys/block/nvme1n1/device/hwmon4/name", NULL},
    {"in a hwmon folder of the device", "sys/block/nvme1n1/device/hwmon/hwmon4/name", NULL},
    {"the namespace in the chip's device", HWMON "hwmon4/device/nvme1n1/nsid", NULL},
    {"a block folder in the chip's device", HWMON "hwmon4/device/block/nvme1n1/size", NULL},
    {"a link that leads nowhere", NULL, "../../nvme/nvme1"},
};

START_TEST(a_drives_temperature_finds_its_disk)
{
    char path[512];
    put("sys/block/nvme0n1/size", "2048\n");
    put("sys/block/nvme1n1/size", "2048\n");
    put("proc/diskstats", "259 0 nvme0n1 0 0 0 0 0 0 0 0 0 0 0\n259 1 nvme1n1 0 0 0 0 0 0 0 0 0 0 0\n");
    put(HWMON "hwmon4/name", "nvme\n");
    put(HWMON "hwmon4/temp1_label", "Composite\n");
    put(HWMON "hwmon4/temp1_input", "41850\n");
    put(HWMON "hwmon4/temp2_label", "Sensor 1\n");
    put(HWMON "hwmon4/temp2_input", "80000\n");
    if (places[_i].file)
        put(places[_i].file, "x\n");
    if (places[_i].link) {
        fakeroot_path(&rig.fake, HWMON "hwmon4/device", path);
        ck_assert_int_eq(symlink(places[_i].link, path), 0);
    }
    rig_tick(&rig, 0);
    ck_assert_msg(rig_dev(&rig, "nvme1n1")->temp_c == 41.85, "%s", places[_i].why);
    ck_unknown(rig_dev(&rig, "nvme0n1")->temp_c);
}
END_TEST

START_TEST(a_multipath_head_is_as_hot_as_its_hottest_path)
{
    put("sys/block/nvme1n1/size", "2048\n");
    put("sys/block/nvme1c0n1/hidden", "1\n");
    put("sys/block/nvme1c1n1/hidden", "1\n");
    put(HWMON "hwmon0/name", "nvme\n");
    put(HWMON "hwmon0/temp1_input", "40000\n");
    put(HWMON "hwmon0/device/nvme1c0n1/nsid", "1\n");
    put(HWMON "hwmon1/name", "nvme\n");
    put(HWMON "hwmon1/temp1_input", "45000\n");
    put(HWMON "hwmon1/device/nvme1c1n1/nsid", "1\n");
    rig_tick(&rig, 0);
    ck_near(rig_dev(&rig, "nvme1c0n1")->temp_c, 40);
    ck_near(rig_dev(&rig, "nvme1c1n1")->temp_c, 45);
    ck_near(rig_dev(&rig, "nvme1n1")->temp_c, 45);
}
END_TEST

START_TEST(a_temperature_of_something_else_is_nobodys)
{
    put("proc/stat", "cpu  0 0 0 0\ncpu0 0 0 0 0\n");
    put("sys/block/sda/size", "2048\n");
    put(HWMON "hwmon0/name", "acpitz\n");
    put(HWMON "hwmon0/temp1_input", "99000\n");
    put(HWMON "hwmon1/name", "iwlwifi_1\n");
    put(HWMON "hwmon1/temp1_input", "98000\n");
    rig_tick(&rig, 0);
    ck_assert_uint_eq(rig.frame->nsensors, 2);
    ck_unknown(rig_dev(&rig, "sda")->temp_c);
    ck_unknown(rig_cpu(&rig, 0)->temp_c);
    ck_unknown(rig.frame->cpu_total.temp_c);
}
END_TEST

START_TEST(the_live_machine_survives_libsensors)
{
    struct rig live = {.fake = {.path = ""}};
    rig_start(&live, NULL);
    rig_tick(&live, 0);
    for (size_t i = 0; i < live.frame->nsensors; i++)
        ck_assert_str_ne(live.frame->sensors[i].chip, "");
    rig_fini(&live);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("sensors");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, no_sensors_is_a_normal_answer);
    tcase_add_loop_test(tc, scales_and_units, 0, sizeof inputs / sizeof *inputs);
    tcase_add_loop_test(tc, nonsense_is_no_reading, 0, sizeof no_reading / sizeof *no_reading);
    tcase_add_test(tc, absurd_values_are_no_reading);
    tcase_add_test(tc, a_fault_is_no_reading);
    tcase_add_test(tc, a_label_without_an_input_is_no_sensor);
    tcase_add_test(tc, chips_come_and_go);
    tcase_add_test(tc, core_temperatures_find_their_cpus);
    tcase_add_loop_test(tc, a_drives_temperature_finds_its_disk, 0, sizeof places / sizeof *places);
    tcase_add_test(tc, a_multipath_head_is_as_hot_as_its_hottest_path);
    tcase_add_test(tc, a_temperature_of_something_else_is_nobodys);
    tcase_add_test(tc, the_live_machine_survives_libsensors);
    return suite_run("sensors", tc);
}
