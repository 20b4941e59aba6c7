/* Tests of what devices say about themselves, and that it never outlives the device.
 * Every attribute is optional. */
#include "monitors/devinfo.h"
#include "tests/rig.h"
#include "tests/suite.h"

static struct fakeroot fake;
static struct sysroot *root;
static struct devinfo *info;
static struct devinfo_row row;

static void setup(void)
{
    fakeroot_init(&fake);
    ck_assert_int_eq(sysroot_open(fake.path, &root, NULL), 0);
    info = devinfo_new(root);
    ck_assert_ptr_nonnull(info);
}

static void teardown(void)
{
    devinfo_free(info);
    sysroot_close(root);
    fakeroot_fini(&fake);
}

static void put(const char *file, const char *text)
{
    fakeroot_put(&fake, file, text);
}

static bool get(const char *name, int64_t diskseq)
{
    return devinfo_get(info, name, diskseq, &row);
}

START_TEST(a_disk_that_tells_everything)
{
    put("sys/block/sda/diskseq", "5\n");
    put("sys/block/sda/device/model", "ST4000NM0035-1V4 \n");
    put("sys/block/sda/device/serial", "ZC123\n");
    put("sys/block/sda/queue/scheduler", "none [mq-deadline] kyber\n");
    put("sys/block/sda/queue/rotational", "1\n");
    put("sys/block/sda/queue/iostats", "1\n");
    devinfo_poll(info);
    ck_assert(get("sda", 5));
    ck_assert_str_eq(row.model, "ST4000NM0035-1V4");
    ck_assert_str_eq(row.serial, "ZC123");
    ck_assert_str_eq(row.scheduler, "mq-deadline");
    ck_assert_int_eq(row.rotational, 1);
    ck_assert_int_eq(row.iostats, FRAME_YES);
}
END_TEST

/* diskgraph#5: zd0, zram and dm have no device behind them. */
START_TEST(a_disk_that_tells_nothing)
{
    fakeroot_dir(&fake, "sys/block/zd0");
    devinfo_poll(info);
    ck_assert(get("zd0", -1));
    ck_assert_str_eq(row.model, "");
    ck_assert_str_eq(row.serial, "");
    ck_assert_str_eq(row.scheduler, "");
    ck_assert_int_eq(row.rotational, -1);
    ck_assert_int_eq(row.iostats, FRAME_UNKNOWN);
    ck_assert(!get("nothing", -1));
    ck_assert_int_eq(row.iostats, FRAME_UNKNOWN);
}
END_TEST

START_TEST(before_the_first_poll_nothing_is_known)
{
    put("sys/block/sda/device/model", "X\n");
    ck_assert(!get("sda", -1));
    ck_assert_str_eq(row.model, "");
    uint64_t version = devinfo_version(info);
    devinfo_poll(info);
    ck_assert_uint_gt(devinfo_version(info), version);
    ck_assert(get("sda", -1));
}
END_TEST

START_TEST(other_places_of_a_serial)
{
    char path[512];
    static const char page[] = "\0\x80\0\x0c  ZA1000AA  ";
    put("sys/block/vda/serial", "vm-root\n");
    put("sys/block/mmcblk0/device/name", "SD32G\n");
    put("sys/block/mmcblk0/device/serial", "0x1234abcd\n");
    put("sys/block/bio0/queue/scheduler", "none\n");
    fakeroot_path(&fake, "sys/block/sdb/device/vpd_pg80", path);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(page, 1, sizeof page - 1, f), sizeof page - 1);
    fclose(f);
    devinfo_poll(info);
    ck_assert(get("vda", -1));
    ck_assert_str_eq(row.serial, "vm-root");
    ck_assert(get("mmcblk0", -1));
    ck_assert_str_eq(row.model, "SD32G");
    ck_assert_str_eq(row.serial, "0x1234abcd");
    ck_assert(get("sdb", -1));
    ck_assert_str_eq(row.serial, "ZA1000AA");
    ck_assert(get("bio0", -1));
    ck_assert_str_eq(row.scheduler, "none");
}
END_TEST

START_TEST(another_disk_of_the_same_name_is_not_this_one)
{
    put("sys/block/sda/diskseq", "5\n");
    put("sys/block/sda/device/model", "OLD\n");
    devinfo_poll(info);
    ck_assert(get("sda", 5));
    ck_assert(!get("sda", 59)); /* the tree knows already, the poll does not */
    ck_assert_str_eq(row.model, "");
    put("sys/block/sda/diskseq", "59\n");
    put("sys/block/sda/device/model", "NEW\n");
    devinfo_poll(info);
    ck_assert(get("sda", 59));
    ck_assert_str_eq(row.model, "NEW");
}
END_TEST

/* Asking some devices for their serial is a command to them. */
START_TEST(identity_is_asked_once_and_settings_each_time)
{
    put("sys/block/vda/diskseq", "3\n");
    put("sys/block/vda/serial", "first\n");
    put("sys/block/vda/queue/scheduler", "[none] bfq\n");
    devinfo_poll(info);
    put("sys/block/vda/serial", "second\n");
    put("sys/block/vda/queue/scheduler", "none [bfq]\n");
    devinfo_poll(info);
    ck_assert(get("vda", 3));
    ck_assert_str_eq(row.serial, "first");
    ck_assert_str_eq(row.scheduler, "bfq");
}
END_TEST

START_TEST(rows_of_partitions_have_the_queue_of_their_disk)
{
    struct rig rig;
    rig_init(&rig);
    rig_put(&rig, "proc/diskstats", "8 0 sda 0 0 0 0 0 0 0 0 0 0 0\n8 1 sda1 0 0 0 0 0 0 0 0 0 0 0\n");
    rig_put(&rig, "sys/block/sda/device/model", "DISK\n");
    rig_put(&rig, "sys/block/sda/queue/scheduler", "[bfq] none\n");
    rig_put(&rig, "sys/block/sda/queue/iostats", "0\n");
    rig_put(&rig, "sys/block/sda/sda1/partition", "1\n");
    rig_tick(&rig, 0);
    ck_assert_str_eq(rig_dev(&rig, "sda")->model, "DISK");
    ck_assert_str_eq(rig_dev(&rig, "sda1")->model, "");
    ck_assert_str_eq(rig_dev(&rig, "sda1")->scheduler, "bfq");
    ck_assert_int_eq(rig_dev(&rig, "sda1")->stats, FRAME_NO);
    rig_fini(&rig);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("devinfo");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_disk_that_tells_everything);
    tcase_add_test(tc, a_disk_that_tells_nothing);
    tcase_add_test(tc, before_the_first_poll_nothing_is_known);
    tcase_add_test(tc, other_places_of_a_serial);
    tcase_add_test(tc, another_disk_of_the_same_name_is_not_this_one);
    tcase_add_test(tc, identity_is_asked_once_and_settings_each_time);
    tcase_add_test(tc, rows_of_partitions_have_the_queue_of_their_disk);
    return suite_run("devinfo", tc);
}
