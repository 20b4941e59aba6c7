/* Tests of whole fake machines (tests/roots): two readings a second apart, with round numbers between them.
 * What single lines mean is in cpu_test.c, blkdev_test.c and the others. */
#include <poll.h>

#include "tests/rig.h"
#include "tests/suite.h"

static struct rig rig;

static void teardown(void)
{
    rig_fini(&rig);
}

static void siblings_are(unsigned cpu, const char *expected)
{
    char text[128];
    ck_assert_str_eq(rig_siblings(rig_cpu(&rig, cpu), text), expected);
}

static void place_is(unsigned cpu, int package, int core)
{
    ck_assert_int_eq(rig_cpu(&rig, cpu)->package, package);
    ck_assert_int_eq(rig_cpu(&rig, cpu)->core, core);
}

static void smt_is(const char *control, enum frame_tri active, int threads_per_core)
{
    ck_assert_str_eq(rig.frame->smt.control, control);
    ck_assert_int_eq(rig.frame->smt.active, active);
    ck_assert_int_eq(rig.frame->smt.threads_per_core, threads_per_core);
}

static const struct frame_dev *dev(const char *name)
{
    return rig_dev(&rig, name);
}

static size_t count_rates(void)
{
    size_t n = 0;
    for (size_t i = 0; i < rig.frame->ndevs; i++)
        n += rig.frame->devs[i].delta.have;
    return n;
}

START_TEST(laptop_with_smt)
{
    rig_machine(&rig, "laptop-smt");
    const struct frame *f = rig.frame;
    ck_assert_uint_eq(f->dt_ns, NSEC_PER_SEC);
    ck_assert_str_eq(f->hosts[0].name, "laptop");
    ck_assert_str_eq(f->hosts[0].cpu_model, "Intel(R) Core(TM) i5-7200U CPU @ 2.50GHz");
    ck_assert_uint_eq(f->ncpus, 4);
    smt_is("on", FRAME_YES, 2);
    siblings_are(0, "0,2");
    siblings_are(3, "1,3");
    ck_near(rig_cpu(&rig, 0)->busy_pct, 60);
    ck_near(rig_cpu(&rig, 0)->iowait_pct, 10);
    ck_near(rig_cpu(&rig, 2)->guest_pct, 50);
    ck_near(rig_cpu(&rig, 2)->user_pct, 0);
    ck_near(rig_cpu(&rig, 3)->nice_pct, 20);
    ck_near(rig_cpu(&rig, 3)->softirq_pct, 3);
    ck_near(f->cpu_total.busy_pct, 33.75);
    ck_near(rig_cpu(&rig, 2)->mhz, 3100);
    ck_near(rig_cpu(&rig, 1)->temp_c, 50);
    ck_near(f->cpu_total.temp_c, 55);
    ck_near(f->memory.available_bytes, 5000000.0 * 1024);
}
END_TEST

START_TEST(laptop_disks)
{
    rig_machine(&rig, "laptop-smt");
    const struct frame_dev *d = dev("nvme0n1");
    ck_near(d->read_iops, 1000);
    ck_near(d->read_bytes_per_s, 4096000);
    ck_near(d->read_req_bytes, 4096);
    ck_near(d->write_bytes_per_s, 1638400);
    ck_near(d->write_req_bytes, 8192);
    ck_near(d->read_await_ms, 0.1);
    ck_near(d->write_await_ms, 0.5);
    ck_near(d->discard_bytes_per_s, 10485760);
    ck_near(d->discard_await_ms, 0.5);
    ck_near(d->flush_iops, 20);
    ck_near(d->flush_await_ms, 2);
    ck_near(d->read_merged_per_s, 50);
    ck_near(d->inflight, 4);
    ck_near(d->queue_depth, 0.245);
    ck_near(d->busy_pct, 50);
    ck_near(d->temp_c, 41.85);
    ck_assert_str_eq(d->model, "SAMSUNG MZVLB512HAJQ-000L7");
    ck_assert_str_eq(d->scheduler, "none");
    ck_near(d->size_bytes, 1000215216.0 * 512);
    ck_near(rig.frame->totals.read_iops, 1000);
    ck_near(rig.frame->totals.write_bytes_per_s, 1638400);
}
END_TEST

START_TEST(laptop_tree)
{
    rig_machine(&rig, "laptop-smt");
    ck_assert_uint_eq(rig.frame->ndevs, 6); /* loop1 is unused */
    ck_assert_str_eq(dev("dm-0")->kind, "dm");
    ck_assert_str_eq(dev("dm-0")->label, "luks-root");
    ck_assert_str_eq(dev("dm-0")->members[0], "nvme0n1p2");
    ck_assert_str_eq(dev("nvme0n1p2")->parent, "nvme0n1");
    ck_assert_ptr_eq(dev("nvme0n1p1"), dev("nvme0n1") + 1); /* partitions follow their disk */
    ck_assert_int_eq(dev("nvme0n1p1")->state, FRAME_DEV_IDLE);
    ck_assert_str_eq(dev("loop0")->backing_file, "/var/lib/snapd/snaps/core.snap");
    ck_near(dev("loop0")->read_iops, 10);
    ck_near(dev("zram0")->write_iops, 100);
    for (size_t i = 0; i < rig.frame->ndevs; i++)
        ck_assert_int_eq(rig.frame->devs[i].leaf, strcmp(rig.frame->devs[i].name, "nvme0n1") == 0);
}
END_TEST

START_TEST(laptop_sensors)
{
    rig_machine(&rig, "laptop-smt");
    size_t faults = 0, unknown = 0;
    for (size_t i = 0; i < rig.frame->nsensors; i++) {
        faults += rig.frame->sensors[i].fault;
        unknown += rig.frame->sensors[i].value != rig.frame->sensors[i].value;
    }
    ck_assert_uint_eq(rig.frame->nsensors, 13);
    ck_assert_uint_eq(faults, 1);
    ck_assert_uint_eq(unknown, 3); /* the fault, a floating pin, "nan" */
}
END_TEST

START_TEST(server_with_smt_off)
{
    rig_machine(&rig, "server-smt-off");
    ck_assert_uint_eq(rig.frame->ncpus, 12);
    smt_is("off", FRAME_NO, -1);
    place_is(0, 0, 0);
    place_is(1, 1, 0);
    place_is(4, 0, 8);
    siblings_are(4, "4");
    for (unsigned cpu = 6; cpu < 12; cpu++) {
        ck_assert(!rig_cpu(&rig, cpu)->online);
        siblings_are(cpu, "");
        place_is(cpu, -1, -1);
        ck_unknown(rig_cpu(&rig, cpu)->busy_pct);
    }
    ck_near(rig_cpu(&rig, 0)->busy_pct, 100);
    ck_near(rig_cpu(&rig, 1)->busy_pct, 0);
    ck_near(rig_cpu(&rig, 1)->iowait_pct, 100);
    ck_near(rig.frame->cpu_total.busy_pct, 25); /* of the six that run */
    ck_near(rig_cpu(&rig, 4)->temp_c, 58);
    ck_near(rig_cpu(&rig, 5)->temp_c, 59);
    ck_near(rig.frame->cpu_total.temp_c, 61);
    ck_near(rig.frame->memory.dirty_bytes, 40960 * 1024);
}
END_TEST

START_TEST(server_disks)
{
    rig_machine(&rig, "server-smt-off");
    ck_near(dev("md0")->write_iops, 100);
    ck_near(dev("md0")->write_await_ms, 4.8);
    ck_assert_uint_eq(dev("md0")->nmembers, 2);
    ck_assert_str_eq(dev("md0")->members[1], "sdb");
    for (int i = 0; i < 2; i++) { /* sda's milliseconds wrap in this second, sdb's do not */
        const struct frame_dev *d = dev(i ? "sdb" : "sda");
        ck_near(d->write_iops, 100);
        ck_near(d->write_await_ms, 5);
        ck_near(d->busy_pct, 20);
        ck_near(d->queue_depth, 0.5);
        ck_near(d->flush_await_ms, 5);
        ck_assert_int_eq(d->rotational, 1);
        ck_near(d->temp_c, 36 + i);
    }
    ck_assert_str_eq(dev("sda")->serial, "ZA1000AA");
    ck_near(rig.frame->totals.write_iops, 200);
    ck_assert_int_eq(dev("sdc")->state, FRAME_DEV_STALLED);
    ck_near(dev("sdc")->busy_pct, 100);
    ck_assert_str_eq(dev("sr0")->kind, "rom");
}
END_TEST

START_TEST(hybrid_cores)
{
    rig_machine(&rig, "hybrid");
    smt_is("on", FRAME_YES, 2);
    siblings_are(0, "0,1");
    siblings_are(3, "2,3");
    siblings_are(4, "4");
    siblings_are(7, "7");
    ck_near(rig_cpu(&rig, 3)->busy_pct, 100);
    ck_near(rig_cpu(&rig, 7)->busy_pct, 25);
    ck_near(rig.frame->cpu_total.busy_pct, 53.125);
    ck_near(rig_cpu(&rig, 1)->mhz, 4400);
    ck_near(rig_cpu(&rig, 5)->mhz, 3300);
    ck_near(rig_cpu(&rig, 2)->temp_c, 68);
    ck_near(rig_cpu(&rig, 6)->temp_c, 52);
    ck_near(dev("nvme0n1")->temp_c, 38.85);
    ck_near(dev("nvme0n1")->read_iops, 50e6);
    ck_near(dev("nvme0n1")->read_bytes_per_s, 100e9);
    ck_near(dev("nvme0n1")->queue_depth, 255);
    ck_near(dev("nvme0n1")->busy_pct, 101);
}
END_TEST

START_TEST(virtual_machine_with_stolen_time)
{
    rig_machine(&rig, "vm-steal");
    smt_is("notsupported", FRAME_NO, 1);
    ck_near(rig_cpu(&rig, 0)->steal_pct, 30);
    ck_near(rig_cpu(&rig, 0)->busy_pct, 70);
    ck_near(rig_cpu(&rig, 1)->busy_pct, 0); /* iowait and steal stepped back */
    ck_near(rig_cpu(&rig, 1)->idle_pct, 100);
    ck_near(rig_cpu(&rig, 0)->mhz, 2445.432);
    ck_assert_uint_eq(rig.frame->nsensors, 0);
    ck_near(dev("vda")->read_iops, 400);
    ck_near(dev("vda")->read_await_ms, 2);
    ck_near(dev("vda")->read_req_bytes, 32768);
    ck_near(dev("vda")->busy_pct, 105);
    ck_assert_str_eq(dev("vda")->serial, "vm-root");
    ck_assert_str_eq(dev("vda1")->kind, "partition");
    ck_near(rig.frame->totals.read_iops, 400);
}
END_TEST

START_TEST(cpus_with_gaps_on_an_old_kernel)
{
    static const unsigned ids[] = {0, 1, 8, 9};
    static const double busy[] = {10, 20, 80, 90};
    rig_machine(&rig, "cpu-gaps");
    ck_assert_uint_eq(rig.frame->ncpus, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(rig.frame->cpus[i].id, ids[i]);
        ck_near(rig_cpu(&rig, ids[i])->busy_pct, busy[i]);
        ck_near(rig_cpu(&rig, ids[i])->mhz, 2800 + ids[i]);
    }
    siblings_are(9, "8,9");
    place_is(8, 1, 0);
    smt_is("", FRAME_YES, 2); /* no smt folder */
    ck_near(dev("cciss/c0d0")->read_iops, 50);
    ck_near(dev("cciss/c0d0")->read_await_ms, 5);
    ck_unknown(dev("cciss/c0d0")->discard_iops); /* 14 columns */
    ck_assert_int_eq(dev("cciss/c0d0")->diskseq, -1);
    ck_assert_str_eq(dev("cciss/c0d0p1")->parent, "cciss/c0d0");
    ck_near(rig.frame->totals.write_iops, 20);
}
END_TEST

START_TEST(a_board_without_sensors)
{
    rig_machine(&rig, "no-sensors");
    ck_assert_uint_eq(rig.frame->nsensors, 0);
    ck_unknown(rig.frame->cpu_total.temp_c);
    ck_unknown(dev("mmcblk0")->temp_c);
    ck_assert_str_eq(rig.frame->hosts[0].cpu_model, "");
    ck_near(rig_cpu(&rig, 3)->busy_pct, 50);
    ck_near(rig_cpu(&rig, 3)->softirq_pct, 10);
    ck_near(rig_cpu(&rig, 3)->mhz, 1800);
    ck_near(dev("mmcblk0")->write_await_ms, 50);
    ck_near(dev("mmcblk0")->write_req_bytes, 32768);
    ck_assert_str_eq(dev("mmcblk0")->model, "SD32G");
    ck_near(dev("mmcblk0p2")->write_iops, 20);
    ck_near(rig.frame->totals.write_iops, 20);
}
END_TEST

/* On 6.1 the head does not count, on 6.12 it does: the rows look alike. */
START_TEST(multipath_nvme)
{
    static const char *const machines[] = {"multipath-6.1", "multipath-6.12"};
    static const char *const names[][3] = {{"nvme1n1", "nvme1c0n1", "nvme1c1n1"},
                                           {"nvme0n1", "nvme0c0n1", "nvme0c1n1"}};
    rig_machine(&rig, machines[_i]);
    const char *const *n = names[_i];
    ck_near(dev(n[0])->read_iops, 600);
    ck_near(dev(n[0])->write_iops, 20);
    ck_near(dev(n[0])->inflight, 4);
    ck_assert_int_eq(dev(n[0])->stats, FRAME_YES);
    ck_assert_int_eq(dev(n[0])->state, FRAME_DEV_ACTIVE);
    ck_near(dev(n[0])->temp_c, 49.85);
    ck_near(dev(n[1])->read_iops, 500);
    ck_near(dev(n[1])->temp_c, 44.85);
    ck_near(dev(n[2])->read_iops, 100);
    ck_assert(dev(n[1])->hidden && dev(n[2])->hidden && !dev(n[0])->hidden);
    ck_assert_str_eq(dev(n[2])->parent, n[0]);
    ck_near(dev("nvme2n1")->read_iops, 100);
    ck_near(dev("nvme2n1")->temp_c, 38.85);
    ck_near(rig.frame->totals.read_iops, 700);
    ck_near(rig.frame->totals.write_iops, 20);
    ck_near(rig_cpu(&rig, 0)->busy_pct, 0);
    ck_near(rig_cpu(&rig, 0)->iowait_pct, 25);
}
END_TEST

static const char *const all[] = {
    "laptop-smt", "server-smt-off", "hybrid",        "vm-steal",
    "cpu-gaps",   "no-sensors",     "multipath-6.1", "multipath-6.12",
};

/* Of every machine: no number out of range, parents and members that exist, totals that are the leaves'. */
START_TEST(every_machine_is_consistent)
{
    rig_machine(&rig, all[_i]);
    const struct frame *f = rig.frame;
    double reads = 0;
    ck_assert_uint_gt(count_rates(), 0);
    for (size_t i = 0; i < f->ncpus; i++) {
        const struct frame_cpu *c = &f->cpus[i];
        ck_assert_int_eq(c->online, c->busy_pct == c->busy_pct);
        if (c->online)
            ck_near(c->busy_pct + c->idle_pct + c->iowait_pct, 100);
        for (size_t k = 0; k < c->nsiblings; k++)
            ck_assert_int_eq(rig_cpu(&rig, c->siblings[k])->core, c->core);
    }
    for (size_t i = 0; i < f->ndevs; i++) {
        const struct frame_dev *d = &f->devs[i];
        ck_assert_ptr_eq(rig_dev(&rig, d->name), d);
        if (d->parent[0])
            rig_dev(&rig, d->parent);
        for (size_t k = 0; k < d->nmembers; k++)
            rig_dev(&rig, d->members[k]);
        reads += d->leaf && d->delta.have ? d->read_iops : 0;
    }
    ck_near(f->totals.read_iops, reads);
}
END_TEST

/* On the live machine, with poll hooks on their helper threads: for the race detector above all. */
START_TEST(monitors_run_beside_their_helpers)
{
    rig.fake.path[0] = '\0';
    rig_start(&rig, NULL);
    struct sampler_reader *reader = sampler_subscribe(rig.sampler, 4);
    struct pollfd fd = {.fd = sampler_reader_fd(reader), .events = POLLIN};
    ck_assert_int_eq(sampler_start(rig.sampler, 5 * NSEC_PER_MSEC, NULL), 0);
    for (int frames = 0; frames < 20;) {
        ck_assert_int_eq(poll(&fd, 1, 10000), 1);
        for (struct frame *f; (f = sampler_read(reader, NULL)); frames++) {
            ck_assert_uint_gt(f->ncpus, 0);
            ck_assert(frames == 0 || f->cpu_total.busy_pct != f->cpu_total.busy_pct ||
                      f->cpu_total.busy_pct <= 100.001);
            frame_unref(f);
        }
    }
    sampler_stop(rig.sampler);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("machines");
    tcase_add_checked_fixture(tc, NULL, teardown);
    tcase_add_test(tc, laptop_with_smt);
    tcase_add_test(tc, laptop_disks);
    tcase_add_test(tc, laptop_tree);
    tcase_add_test(tc, laptop_sensors);
    tcase_add_test(tc, server_with_smt_off);
    tcase_add_test(tc, server_disks);
    tcase_add_test(tc, hybrid_cores);
    tcase_add_test(tc, virtual_machine_with_stolen_time);
    tcase_add_test(tc, cpus_with_gaps_on_an_old_kernel);
    tcase_add_test(tc, a_board_without_sensors);
    tcase_add_loop_test(tc, multipath_nvme, 0, 2);
    tcase_add_test(tc, monitors_run_beside_their_helpers);
    tcase_add_loop_test(tc, every_machine_is_consistent, 0, sizeof all / sizeof *all);
    return suite_run("roots", tc);
}
