/* Tests of core/sysroot on a folder made here and on the live /proc. */
#include "core/sysroot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/suite.h"

static char dir[64];
static struct sysroot *root;
static struct strbuf buf;

static void put(const char *path, const void *data, size_t n)
{
    char full[256];
    snprintf(full, sizeof full, "%s/%s", dir, path);
    FILE *f = fopen(full, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

static void put_text(const char *path, const char *text)
{
    put(path, text, strlen(text));
}

static void make_dir(const char *path)
{
    char full[256];
    snprintf(full, sizeof full, "%s/%s", dir, path);
    ck_assert_int_eq(mkdir(full, 0700), 0);
}

static void setup(void)
{
    str_copy(dir, sizeof dir, "/tmp/sysroot_test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    ck_assert_int_eq(sysroot_open(dir, &root, NULL), 0);
}

static void remove_dir(void)
{
    char cmd[128];
    snprintf(cmd, sizeof cmd, "rm -r '%s'", dir);
    ck_assert_int_eq(system(cmd), 0);
}

static void teardown(void)
{
    strbuf_fini(&buf);
    sysroot_close(root);
    remove_dir();
}

START_TEST(a_file_of_any_length_is_read_whole)
{
    enum { N = 300001 };
    char *data = malloc(N);
    for (int i = 0; i < N; i++)
        data[i] = (char)(i * 31); /* NUL bytes too */
    put("big", data, N);
    ck_assert_int_eq(sysroot_read(root, &buf, "%s", "big"), 0);
    ck_assert_uint_eq(buf.len, N);
    ck_assert_mem_eq(buf.s, data, N);
    ck_assert_int_eq(buf.s[N], 0);
    free(data);
    put("empty", "", 0);
    ck_assert_int_eq(sysroot_read(root, &buf, "/empty"), 0);
    ck_assert_uint_eq(buf.len, 0);
    ck_assert_str_eq(buf.s, "");
}
END_TEST

START_TEST(what_is_missing_is_said_to_be)
{
    char t[8] = "old";
    uint64_t v = 7;
    int64_t w = 7;
    char **names;
    size_t n = 9;
    put_text("x", "1");
    ck_assert_int_eq(sysroot_read(root, &buf, "x"), 0);
    ck_assert_int_eq(sysroot_read(root, &buf, "none"), -ENOENT);
    ck_assert_uint_eq(buf.len, 0);
    ck_assert_int_eq(sysroot_text(root, t, sizeof t, "none"), -ENOENT);
    ck_assert_str_eq(t, "");
    ck_assert_int_eq(sysroot_u64(root, &v, "none"), -ENOENT);
    ck_assert_int_eq(sysroot_i64(root, &w, "x/none"), -ENOTDIR);
    ck_assert(v == 7 && w == 7);
    ck_assert_int_eq(sysroot_link(root, t, sizeof t, "none"), -ENOENT);
    ck_assert_int_eq(sysroot_link(root, t, sizeof t, "x"), -EINVAL);
    ck_assert_int_eq(sysroot_list(root, &names, &n, "none"), -ENOENT);
    ck_assert_uint_eq(n, 0);
    ck_assert(!sysroot_exists(root, "none"));
    ck_assert(sysroot_exists(root, "x"));
    make_dir("d");
    ck_assert(sysroot_exists(root, "d"));
    ck_assert_int_eq(sysroot_read(root, &buf, "d"), -EISDIR);
}
END_TEST

START_TEST(text_is_the_first_line_without_blanks)
{
    char t[8];
    put_text("model", "  QEMU DISK  \nmore\n");
    ck_assert_int_eq(sysroot_text(root, t, sizeof t, "model"), 0);
    ck_assert_str_eq(t, "QEMU DI"); /* bounded */
    put_text("blank", "\nx");
    ck_assert_int_eq(sysroot_text(root, t, sizeof t, "blank"), 0);
    ck_assert_str_eq(t, "");
    char line[9001];
    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    put_text("long", line);
    ck_assert_int_eq(sysroot_text(root, t, sizeof t, "long"), 0);
    ck_assert_str_eq(t, "aaaaaaa");
}
END_TEST

static const struct {
    const char *text;
    int u_rc, i_rc;
    uint64_t u;
    int64_t i;
} numbers[] = {
    {"12\n", 0, 0, 12, 12},
    {"0", 0, 0, 0, 0},
    {" 5 \n", 0, 0, 5, 5},
    {"-1\n", -EINVAL, 0, 7, -1},
    {"18446744073709551615\n", 0, -EINVAL, UINT64_MAX, 7},
    {"-9223372036854775808", -EINVAL, 0, 7, INT64_MIN},
    {"9223372036854775807", 0, 0, INT64_MAX, INT64_MAX},
    {"none\n", -EINVAL, -EINVAL, 7, 7},
    {"", -EINVAL, -EINVAL, 7, 7},
    {"-", -EINVAL, -EINVAL, 7, 7},
    {"--1", -EINVAL, -EINVAL, 7, 7},
    {"1 2", -EINVAL, -EINVAL, 7, 7},
};

START_TEST(numbers_are_one_whole_number)
{
    uint64_t u = 7;
    int64_t i = 7;
    put_text("n", numbers[_i].text);
    ck_assert_int_eq(sysroot_u64(root, &u, "n"), numbers[_i].u_rc);
    ck_assert_int_eq(sysroot_i64(root, &i, "n"), numbers[_i].i_rc);
    ck_assert_uint_eq(u, numbers[_i].u);
    ck_assert_int_eq(i, numbers[_i].i);
}
END_TEST

START_TEST(names_come_in_the_order_people_count)
{
    static const char *const want[] = {"cpu0", "cpu1", "cpu2", "cpu10", "sda", "sda1", "sda10", "sdb"};
    static const char *const made[] = {"sdb", "cpu10", "cpu2", "sda10", "sda1", "cpu0", "sda", "cpu1"};
    char **names;
    size_t n;
    make_dir("b");
    for (size_t i = 0; i < 8; i++) {
        char path[32];
        snprintf(path, sizeof path, "b/%s", made[i]);
        make_dir(path);
    }
    ck_assert_int_eq(sysroot_list(root, &names, &n, "%s", "b"), 0);
    ck_assert_uint_eq(n, 8);
    for (size_t i = 0; i < n; i++)
        ck_assert_str_eq(names[i], want[i]);
    sysroot_free_names(names, n);
    ck_assert_int_eq(sysroot_list(root, &names, &n, "b/sda"), 0);
    ck_assert_uint_eq(n, 0);
    sysroot_free_names(names, n);
    ck_assert_int_eq(sysroot_list(root, &names, &n, "/"), 0);
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(names[0], "b");
    sysroot_free_names(names, n);
}
END_TEST

START_TEST(links_are_shown_as_they_are)
{
    char full[128], t[64];
    put_text("real", "9");
    snprintf(full, sizeof full, "%s/link", dir);
    ck_assert_int_eq(symlink("../a/b", full), 0);
    ck_assert_int_eq(sysroot_link(root, t, sizeof t, "link"), 0);
    ck_assert_str_eq(t, "../a/b");
    ck_assert_int_eq(sysroot_link(root, t, 5, "link"), 0);
    ck_assert_str_eq(t, "../a");
    snprintf(full, sizeof full, "%s/alias", dir);
    ck_assert_int_eq(symlink("real", full), 0);
    uint64_t v;
    ck_assert_int_eq(sysroot_u64(root, &v, "alias"), 0);
    ck_assert_uint_eq(v, 9);
}
END_TEST

START_TEST(a_fifo_does_not_hang_us)
{
    char full[128];
    snprintf(full, sizeof full, "%s/fifo", dir);
    ck_assert_int_eq(mkfifo(full, 0600), 0);
    ck_assert_int_eq(sysroot_read(root, &buf, "fifo"), 0);
    ck_assert_uint_eq(buf.len, 0);
}
END_TEST

START_TEST(a_path_too_long_is_an_error)
{
    char t[8];
    ck_assert_int_eq(sysroot_text(root, t, sizeof t, "%05000d", 0), -ENAMETOOLONG);
    ck_assert(!sysroot_exists(root, "%05000d", 0));
}
END_TEST

START_TEST(a_root_can_be_moved)
{
    char path[128];
    uint64_t v;
    struct err e = {0};
    make_dir("t0");
    make_dir("t1");
    put_text("t0/n", "1");
    put_text("t1/n", "2");
    snprintf(path, sizeof path, "%s/t0", dir);
    ck_assert_int_eq(sysroot_repoint(root, path, &e), 0);
    ck_assert_int_eq(sysroot_u64(root, &v, "n"), 0);
    ck_assert_uint_eq(v, 1);
    snprintf(path, sizeof path, "%s/t1", dir);
    ck_assert_int_eq(sysroot_repoint(root, path, &e), 0);
    ck_assert_int_eq(sysroot_repoint(root, "/no/such/folder", &e), -ENOENT);
    ck_assert_ptr_nonnull(strstr(e.text, "/no/such/folder"));
    ck_assert_int_eq(sysroot_u64(root, &v, "n"), 0);
    ck_assert_uint_eq(v, 2);
    ck_assert(!sysroot_is_live(root));
}
END_TEST

START_TEST(only_a_folder_can_be_a_root)
{
    char path[128];
    struct sysroot *r = NULL;
    struct err e = {0};
    put_text("file", "");
    snprintf(path, sizeof path, "%s/file", dir);
    ck_assert_int_eq(sysroot_open(path, &r, &e), -ENOTDIR);
    ck_assert_ptr_nonnull(strstr(e.text, path));
    ck_assert_int_eq(sysroot_open("/no/such/folder", &r, &e), -ENOENT);
    ck_assert_ptr_null(r);
}
END_TEST

START_TEST(the_live_machine_is_a_root_too)
{
    static const char *const names[] = {NULL, "/"};
    char t[64];
    for (int i = 0; i < 2; i++) {
        struct sysroot *live;
        ck_assert_int_eq(sysroot_open(names[i], &live, NULL), 0);
        ck_assert(sysroot_is_live(live));
        ck_assert_int_eq(sysroot_read(live, &buf, "proc/%d/stat", (int)getpid()), 0);
        ck_assert_int_eq(atoi(buf.s), (int)getpid());
        ck_assert_int_eq(sysroot_text(live, t, sizeof t, "/proc/sys/kernel/ostype"), 0);
        ck_assert_str_eq(t, "Linux");
        sysroot_close(live);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("sysroot");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_file_of_any_length_is_read_whole);
    tcase_add_test(tc, what_is_missing_is_said_to_be);
    tcase_add_test(tc, text_is_the_first_line_without_blanks);
    tcase_add_loop_test(tc, numbers_are_one_whole_number, 0, sizeof numbers / sizeof *numbers);
    tcase_add_test(tc, names_come_in_the_order_people_count);
    tcase_add_test(tc, links_are_shown_as_they_are);
    tcase_add_test(tc, a_fifo_does_not_hang_us);
    tcase_add_test(tc, a_path_too_long_is_an_error);
    tcase_add_test(tc, a_root_can_be_moved);
    tcase_add_test(tc, only_a_folder_can_be_a_root);
    tcase_add_test(tc, the_live_machine_is_a_root_too);
    return suite_run("sysroot", tc);
}
