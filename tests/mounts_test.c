/* Tests of core/mounts.h on files like the kernel's.
 * Mounts nothing. */
#include <check.h>
#include <errno.h>

#include "core/mounts.h"
#include "tests/fakeroot.h"

#define SWAPS_HEAD "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

static struct fakeroot fake;
static struct mounts m;
static char path[512];

static void setup(void)
{
    fakeroot_init(&fake);
    fakeroot_path(&fake, "table", path);
}

static void teardown(void)
{
    mounts_fini(&m);
    fakeroot_fini(&fake);
}

static int mountinfo(const char *text)
{
    mounts_fini(&m);
    fakeroot_put(&fake, "table", text);
    return mounts_read(path, &m, NULL);
}

static int swaps(const char *text)
{
    mounts_fini(&m);
    fakeroot_put(&fake, "table", text);
    return mounts_read_swaps(path, &m, NULL);
}

START_TEST(rows_have_devices_and_unescaped_names)
{
    ck_assert_int_eq(mountinfo("22 28 0:21 / /sys rw,nosuid - sysfs sysfs rw\n"
                               "30 28 7:3 /sub /mnt/a\\040b\\011c\\134d rw,relatime shared:1 master:2 - ext4 "
                               "/dev/loop3 rw,errors=remount-ro\n"
                               "32 28 259:1048575 / /big rw - xfs /dev/nvme9n1p1 rw\n"),
                     0);
    ck_assert_uint_eq(m.n, 3);
    ck_assert_str_eq(m.row[0].fstype, "sysfs");
    ck_assert_uint_eq(m.row[0].minor, 21);
    ck_assert_uint_eq(m.row[1].major, 7);
    ck_assert_uint_eq(m.row[1].minor, 3);
    ck_assert_str_eq(m.row[1].source, "/dev/loop3");
    ck_assert_str_eq(m.row[1].target, "/mnt/a b\tc\\d");
    ck_assert_str_eq(m.row[1].fstype, "ext4");
    ck_assert_ptr_nonnull(strstr(m.row[1].options, "errors=remount-ro"));
    ck_assert_uint_eq(m.row[2].major, 259);
    ck_assert_uint_eq(m.row[2].minor, 1048575);
}
END_TEST

START_TEST(an_empty_source_shifts_nothing)
{
    ck_assert_int_eq(mountinfo("31 28 0:31 / /mnt/e rw - tmpfs  rw\n32 28 8:1 / /x rw - ext4 /dev/sda1 rw\n"), 0);
    ck_assert_uint_eq(m.n, 2);
    ck_assert_str_eq(m.row[0].source, "");
    ck_assert_str_eq(m.row[0].target, "/mnt/e");
    ck_assert_str_eq(m.row[0].fstype, "tmpfs");
    ck_assert_str_eq(m.row[1].source, "/dev/sda1");
}
END_TEST

START_TEST(a_line_that_cannot_be_read_fails_the_whole)
{
    ck_assert_int_lt(mountinfo("32 28 8:1 / /x rw - ext4 /dev/sda1 rw\ngarbage\n"), 0);
    ck_assert_uint_eq(m.n, 0);
}
END_TEST

START_TEST(a_missing_file_says_so)
{
    struct err err = {0};
    ck_assert_int_eq(mounts_read("/nonexistent/mountinfo", &m, &err), -ENOENT);
    ck_assert_ptr_nonnull(strstr(err.text, "/nonexistent/mountinfo"));
    ck_assert_int_eq(mounts_read_swaps("/nonexistent/swaps", &m, &err), -ENOENT);
}
END_TEST

START_TEST(an_empty_table_is_no_mount)
{
    ck_assert_int_eq(mountinfo(""), 0);
    ck_assert_uint_eq(m.n, 0);
    ck_assert_int_eq(swaps(SWAPS_HEAD), 0);
    ck_assert_uint_eq(m.n, 0);
}
END_TEST

START_TEST(swap_sources)
{
    ck_assert_int_eq(swaps(SWAPS_HEAD "/dev/sda2                               partition\t1048572\t\t0\t\t-2\n"
                                      "/var/a\\040swap\\040file                    file\t\t524284\t\t0\t\t-3\n"),
                     0);
    ck_assert_uint_eq(m.n, 2);
    ck_assert_str_eq(m.row[0].source, "/dev/sda2");
    ck_assert_str_eq(m.row[1].source, "/var/a swap file");
}
END_TEST

/* Not "/": in a chroot that is no mount point it has no row. */
START_TEST(the_live_table_has_proc)
{
    bool proc = false;
    ck_assert_int_eq(mounts_read("/proc/self/mountinfo", &m, NULL), 0);
    for (size_t i = 0; i < m.n; i++)
        proc |= strcmp(m.row[i].target, "/proc") == 0 && strcmp(m.row[i].fstype, "proc") == 0;
    ck_assert(proc);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mounts");
    TCase *tc = tcase_create("tables");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, rows_have_devices_and_unescaped_names);
    tcase_add_test(tc, an_empty_source_shifts_nothing);
    tcase_add_test(tc, a_line_that_cannot_be_read_fails_the_whole);
    tcase_add_test(tc, a_missing_file_says_so);
    tcase_add_test(tc, an_empty_table_is_no_mount);
    tcase_add_test(tc, swap_sources);
    tcase_add_test(tc, the_live_table_has_proc);
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
