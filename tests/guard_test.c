/* Tests of the guard that need no device: fake machines for who uses one, images for what one holds, and files.
 * The real kernel's answers are in tests/e2e/guard_*.sh. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "engine/guard_internal.h"
#include "tests/fakeroot.h"

#define SWAPS_HEAD "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
#define ROOT_ROW "1 0 8:32 / / rw - ext4 /dev/sdc rw\n"
#define IMAGE_BYTES (16u << 20)

static struct fakeroot fake;
static struct sysroot *root;
static struct guard_world world;
static char proc[128];
static struct err err;

static void put(const char *file, const char *text)
{
    fakeroot_put(&fake, file, text);
}

static void disk(const char *name, const char *dev)
{
    char file[256];
    snprintf(file, sizeof file, "sys/block/%s/dev", name);
    put(file, dev);
    snprintf(file, sizeof file, "sys/block/%s/size", name);
    put(file, "32768\n");
}

/* sda (8:0) with sda1 and sda2, sdb (8:16), nothing in use but sdc, which is the root. */
static void setup(void)
{
    fakeroot_init(&fake);
    snprintf(proc, sizeof proc, "%s/proc", fake.path);
    ck_assert_int_eq(sysroot_open(fake.path, &root, NULL), 0);
    world = (struct guard_world){.root = root, .proc = proc};
    disk("sda", "8:0\n");
    disk("sda/sda1", "8:1\n");
    disk("sda/sda2", "8:2\n");
    put("sys/block/sda/sda1/start", "2048\n");
    put("sys/block/sda/sda1/size", "14336\n");
    put("sys/block/sda/sda2/start", "16384\n");
    put("sys/block/sda/sda2/size", "16384\n");
    disk("sdb", "8:16\n");
    disk("sdc", "8:32\n");
    put("proc/self/mountinfo", ROOT_ROW);
    put("proc/swaps", SWAPS_HEAD);
}

static void teardown(void)
{
    sysroot_close(root);
    fakeroot_fini(&fake);
}

static int check_dev(unsigned maj, unsigned min)
{
    struct guard_use u;
    err = (struct err){0};
    int rc = guard_use_read(&world, makedev(maj, min), "/dev/X", &u, &err);
    if (rc < 0)
        return rc;
    rc = guard_use_check(&u, &err);
    guard_use_fini(&u);
    return rc;
}

static void refused(unsigned maj, unsigned min, const char *why)
{
    int rc = check_dev(maj, min);
    ck_assert_msg(rc < 0, "not refused; expected: %s", why);
    ck_assert_msg(strstr(err.text, "/dev/X is not written: ") == err.text, "%s", err.text);
    ck_assert_msg(strstr(err.text, why) != NULL, "said \"%s\" where \"%s\" was expected", err.text, why);
}

static void allowed(unsigned maj, unsigned min)
{
    ck_assert_msg(check_dev(maj, min) == 0, "%s", err.text);
}

START_TEST(a_free_machine_allows)
{
    allowed(8, 0);
    allowed(8, 1);
    allowed(8, 16);
    refused(8, 32, "it is mounted on / (ext4)");
    refused(8, 48, "8:48 is not in /sys/block");
}
END_TEST

/* One file each makes sda, a partition of it or both unwritable. */
static const struct use_case {
    const char *file, *text;
    const char *disk, *part1, *part2; /* part of the sentence for 8:0, 8:1, 8:2; NULL = allowed */
} use_cases[] = {
    {"sys/block/sda/hidden", "1\n", "hidden path", "hidden path", "hidden path"},
    {"sys/block/sda/ro", "1\n", "read-only", "read-only", "read-only"},
    {"sys/block/sda/sda1/ro", "1\n", NULL, "read-only", NULL},
    {"sys/block/sda/size", "0\n", "empty", NULL, NULL},
    {"sys/block/sda/sda1/holders/sdb/x", "", "partition sda1 is a member of sdb", "it is a member of sdb", NULL},
    {"sys/block/sda/holders/sdb/x", "", "it is a member of sdb", "its disk sda is a member",
     "its disk sda is a member"},
    {"sys/block/sda/sda2/bcache/x", "", "partition sda2 is part of a bcache", NULL, "it is part of a bcache"},
    {"sys/block/sda/bcache/x", "", "it is part of a bcache", "its disk sda", "its disk sda"},
    {"sys/block/dm-0/slaves/sda2/x", "", "partition sda2 is a member of dm-0", NULL, "it is a member of dm-0"},
    {"sys/block/md0/md/dev-sda1/state", "spare\n", "partition sda1 is a member of md0", "member of md0", NULL},
    {"sys/block/loop0/loop/backing_file", "/dev/sda1\n", "partition sda1 is the backing device of loop0",
     "it is the backing device of loop0", NULL},
    {"sys/block/loop0/loop/backing_file", "/dev/gone\n", "loop0 is in use and its backing store cannot",
     "loop0 is in", "loop0 is in"},
    {"sys/block/loop0/loop/backing_file", "/srv/other.img\n", NULL, NULL, NULL},
    {"proc/mdstat", "Personalities : [raid1]\nmd7 : inactive sda2[1](S) sdd[0](S)\n      1 blocks\n",
     "partition sda2 is a member of the array md7", NULL, "it is a member of the array md7"},
    {"proc/mdstat", "Personalities :\nunused devices: <none>\n", NULL, NULL, NULL},
    {"proc/swaps", SWAPS_HEAD "/dev/sda2                               partition\t1048572\t\t0\t\t-2\n",
     "partition sda2 is active swap", NULL, "it is active swap"},
    {"proc/swaps", SWAPS_HEAD "/dev/sda                                partition\t1048572\t\t0\t\t-2\n",
     "it is active swap", "its disk sda is active swap", "its disk sda is active swap"},
    {"proc/swaps", "what is this\n", "proc/swaps cannot be read", "cannot be read", "cannot be read"},
    {"proc/self/mountinfo", ROOT_ROW "2 1 8:1 / /srv rw - ext4 /dev/sda1 rw\n",
     "partition sda1 is mounted on /srv", "it is mounted on /srv (ext4)", NULL},
    {"proc/self/mountinfo", ROOT_ROW "2 1 8:1 / /srv rw - ext4 /dev/root rw\n",
     "partition sda1 is mounted on /srv", "it is mounted on /srv (ext4)", NULL},
    {"proc/self/mountinfo", ROOT_ROW "2 1 8:0 / /srv rw - ext4 /dev/sda rw\n", "it is mounted on /srv",
     "its disk sda is mounted on /srv", "its disk sda is mounted"},
    {"proc/self/mountinfo", ROOT_ROW "2 1 0:40 / /srv rw - btrfs /dev/sda2 rw\n",
     "partition sda2 is mounted on /srv", NULL, "it is mounted on /srv (btrfs)"},
    {"proc/self/mountinfo", ROOT_ROW "2 1 0:41 / /srv rw - bcachefs /dev/sdx:/dev/sda1 rw\n", "sda1 is mounted",
     "it is mounted", NULL},
    {"proc/self/mountinfo", ROOT_ROW "not a mount\n", "mountinfo cannot be read", "mountinfo", "mountinfo"},
    {"proc/4711/mountinfo", ROOT_ROW "2 1 8:1 / /srv rw - ext4 /dev/sda1 rw\n",
     "sda1 is mounted on /srv (ext4), as process 4711 sees it", ", as process 4711 sees it", NULL},
    {"proc/4711/status", "a process that is gone by now\n", NULL, NULL, NULL},
    {"sys/fs/btrfs/0ab1-22/devices/sda2/x", "", "partition sda2 belongs to a live btrfs", NULL, "live btrfs"},
    {"sys/fs/ext4/sda1/session_write_kbytes", "0\n", "partition sda1 belongs to a live ext4", "live ext4", NULL},
    {"sys/fs/xfs/sda/error/x", "0\n", "it belongs to a live xfs", "its disk sda belongs", "its disk sda belongs"},
};

START_TEST(whoever_uses_it_has_it)
{
    const struct use_case *c = &use_cases[_i];
    const char *why[] = {c->disk, c->part1, c->part2};
    put(c->file, c->text);
    if (strstr(c->file, "dm-0"))
        put("sys/block/dm-0/dm/name", "vg-data\n");
    for (unsigned min = 0; min < 3; min++)
        if (why[min])
            refused(8, min, why[min]);
        else
            allowed(8, min);
    if (c->disk && strstr(c->disk, "cannot")) /* and so nobody can tell of any other disk either */
        refused(8, 16, "cannot");
    else
        allowed(8, 16);
}
END_TEST

START_TEST(no_mount_table_is_no_leave)
{
    char path[512];
    fakeroot_path(&fake, "proc/self/mountinfo", path);
    ck_assert_int_eq(unlink(path), 0);
    refused(8, 16, "mountinfo cannot be read");
}
END_TEST

START_TEST(a_map_may_be_written_but_never_its_paths)
{
    put("sys/block/dm-0/dm/name", "mpatha\n");
    put("sys/block/dm-0/dm/uuid", "mpath-3600\n");
    disk("dm-0", "253:0\n");
    fakeroot_dir(&fake, "sys/block/dm-0/slaves/sda");
    refused(8, 0, "it is a path of the multipath map mpatha");
    refused(8, 1, "its disk sda is a path of the multipath map mpatha");
    allowed(253, 0);
}
END_TEST

START_TEST(one_disk_by_two_paths_without_a_map)
{
    put("sys/block/sda/device/wwid", "naa.600\n");
    put("sys/block/sdb/device/wwid", "naa.601\n");
    allowed(8, 0);
    put("sys/block/sdb/device/wwid", "naa.600\n");
    refused(8, 0, "sdb is the same disk by another path (naa.600)");
    refused(8, 2, "sdb is the same disk by another path");
    refused(8, 16, "sda is the same disk by another path");
}
END_TEST

START_TEST(nvme_heads_but_not_their_hidden_paths)
{
    disk("nvme0n1", "259:0\n");
    disk("nvme0c0n1", "259:1\n");
    put("sys/block/nvme0n1/wwid", "eui.1\n");
    put("sys/block/nvme0c0n1/wwid", "eui.1\n");
    allowed(259, 0);
    refused(259, 1, "hidden path");
}
END_TEST

START_TEST(volumes_of_lvm)
{
    disk("dm-1", "253:1\n");
    put("sys/block/dm-1/dm/name", "vg-pool_tdata\n");
    put("sys/block/dm-1/dm/uuid", "LVM-abcdef\n");
    allowed(253, 1);
    put("sys/block/dm-1/dm/uuid", "LVM-abcdef-tdata\n");
    refused(253, 1, "internal volume of vg-pool_tdata");
}
END_TEST

START_TEST(what_stands_on_it_counts_at_any_height)
{
    fakeroot_dir(&fake, "sys/block/sda/sda2/holders/dm-0");
    disk("dm-0", "253:0\n");
    fakeroot_dir(&fake, "sys/block/dm-0/holders/dm-1");
    disk("dm-1", "253:1\n");
    put("proc/self/mountinfo", ROOT_ROW "2 1 253:1 / /home rw - xfs /dev/mapper/home rw\n");
    refused(8, 0, "dm-1, which stands on it, is mounted on /home (xfs)");
    refused(8, 2, "dm-1, which stands on it, is mounted on /home");
    refused(253, 0, "dm-1, which stands on it, is mounted on /home");
    allowed(8, 1);
}
END_TEST

START_TEST(a_loop_target_answers_for_the_device_below)
{
    disk("loop3", "7:3\n");
    put("sys/block/loop3/loop/backing_file", "/dev/sda1\n");
    allowed(7, 3);
    refused(8, 1, "it is the backing device of loop3");
    put("proc/self/mountinfo", ROOT_ROW "2 1 8:1 / /srv rw - ext4 /dev/sda1 rw\n");
    refused(7, 3, "sda1, on which it stands, is mounted on /srv (ext4)");
    put("proc/self/mountinfo", ROOT_ROW);
    disk("loop4", "7:4\n");
    put("sys/block/loop4/loop/backing_file", "/dev/sda1\n");
    refused(7, 3, "is the backing device of loop4");
}
END_TEST

/* A BSD slice inside of sda1: an exclusive open of sda1 succeeds while it is mounted. */
START_TEST(partitions_that_overlap)
{
    disk("sda/sda5", "8:5\n");
    put("sys/block/sda/sda5/start", "8192\n");
    put("sys/block/sda/sda5/size", "8192\n");
    allowed(8, 1);
    put("proc/self/mountinfo", ROOT_ROW "2 1 8:5 / /bsd rw - ufs /dev/sda5 rw\n");
    refused(8, 0, "its partition sda5 is mounted on /bsd");
    refused(8, 1, "sda5, which overlaps it, is mounted on /bsd (ufs)");
    allowed(8, 2);
    put("proc/self/mountinfo", ROOT_ROW);
    fakeroot_dir(&fake, "sys/block/sda/sda1/holders/sdb");
    refused(8, 5, "sda1, which overlaps it, is a member of sdb");
    put("sys/block/sda/sda5/size", "8193\n");
    fakeroot_dir(&fake, "sys/block/sda/sda2/holders/sdb");
    refused(8, 5, "is a member of sdb");
}
END_TEST

START_TEST(optical_drives_never)
{
    disk("sr0", "11:0\n");
    refused(11, 0, "optical drive");
}
END_TEST

/* ---- what it holds ---- */

#define B(text) (text), sizeof(text) - 1
static const struct patch {
    const char *name; /* expected, in order of names; "" = nothing */
    struct {
        unsigned at;
        const char *bytes;
        size_t n;
    } put[3];
} patches[] = {
    {"", {{0, NULL, 0}}},
    {"data", {{4000, B("x")}}},
    {"data", {{(4u << 20) - 1, B("x")}}},
    {"", {{8u << 20, B("in the middle nobody looks")}}},
    {"data", {{IMAGE_BYTES - 1, B("x")}}},
    {"data", {{IMAGE_BYTES - (4u << 20), B("x")}}},
    {"crypto_LUKS", {{0, B("LUKS\xba\xbe\0\1")}}},
    {"swap", {{1024, B("\1\0\0\0\xff\3\0\0")}, {4086, B("SWAPSPACE2")}}},
    /* A label whose checksum is wrong is a label. */
    {"LVM2_member", {{512, B("LABELONE\1\0\0\0\0\0\0\0\1\2\3\4\x20\0\0\0LVM2 001")}}},
    {"linux_raid_member", {{4096, B("\xfc\x4e\x2b\xa9\1\0\0\0")}, {4096 + 144, B("\x08\0\0\0\0\0\0\0")}}},
    {"dos", {{446, B("\x80\0\2\0\x83\0\0\0\0\x08\0\0\0\x08\0\0")}, {510, B("\x55\xaa")}}},
    /* In the partition that this table names, and in the one that sysfs has (from sector 16384). */
    {"crypto_LUKS dos",
     {{446, B("\0\0\2\0\x83\0\0\0\0\x10\0\0\0\x08\0\0")},
      {510, B("\x55\xaa")},
      {2u << 20, B("LUKS\xba\xbe\0\1")}}},
    {"crypto_LUKS", {{8u << 20, B("LUKS\xba\xbe\0\1")}}},
    {"crypto_LUKS linux_raid_member",
     {{0, B("LUKS\xba\xbe\0\1")}, {4096, B("\xfc\x4e\x2b\xa9\1\0\0\0")}, {4096 + 144, B("\x08\0\0\0\0\0\0\0")}}},
};

static int image(const struct patch *p)
{
    char path[512];
    fakeroot_path(&fake, "image", path);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(ftruncate(fd, IMAGE_BYTES), 0);
    for (size_t i = 0; i < 3 && p->put[i].n; i++)
        ck_assert_int_eq(pwrite(fd, p->put[i].bytes, p->put[i].n, p->put[i].at), p->put[i].n);
    return fd;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

START_TEST(signatures)
{
    struct guard_signatures s;
    struct guard_use u;
    char text[GUARD_SIGNATURES * 33] = "";
    int fd = image(&patches[_i]);
    ck_assert_int_eq(guard_use_read(&world, makedev(8, 0), "/dev/X", &u, &err), 0);
    ck_assert_msg(guard_signatures_find(&u, fd, IMAGE_BYTES, &s, &err) == 0, "%s", err.text);
    guard_use_fini(&u);
    close(fd);
    qsort(s.name, s.n, sizeof s.name[0], by_name);
    for (size_t i = 0; i < s.n; i++)
        strcat(strcat(text, i ? " " : ""), s.name[i]);
    ck_assert_str_eq(text, patches[_i].name);
}
END_TEST

START_TEST(a_read_error_is_not_an_empty_device)
{
    struct guard_signatures s;
    struct guard_use u;
    int fd = image(&patches[0]);
    ck_assert_int_eq(guard_use_read(&world, makedev(8, 0), "/dev/X", &u, &err), 0);
    ck_assert_int_lt(guard_signatures_find(&u, fd, 2 * IMAGE_BYTES, &s, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, "what it holds cannot be told"));
    guard_use_fini(&u);
    close(fd);
}
END_TEST

/* ---- who has it open ---- */

static int openers(const char *path, char who[GUARD_LABEL])
{
    struct stat st;
    size_t which = 9;
    ck_assert_int_eq(stat(path, &st), 0);
    struct guard_id id[] = {{.dev = 1, .ino = 1}, {.dev = st.st_dev, .ino = st.st_ino}};
    int rc = guard_openers_find(&world, id, 2, true, who, &which);
    if (rc == 1)
        ck_assert_uint_eq(which, 1);
    return rc;
}

static void open_in(const char *file)
{
    char link[512];
    fakeroot_path(&fake, file, link);
    ck_assert_int_eq(symlink("../../../image", link), 0);
}

START_TEST(openers_of_other_processes)
{
    char path[512], own[64], who[GUARD_LABEL];
    close(image(&patches[0]));
    fakeroot_path(&fake, "image", path);
    put("proc/66/comm", "idle\n");
    fakeroot_dir(&fake, "proc/66/fd");
    ck_assert_int_eq(openers(path, who), 0);
    snprintf(own, sizeof own, "proc/%d/fd/4", (int)getpid());
    open_in(own);
    ck_assert_int_eq(openers(path, who), 0);
    open_in("proc/77/fd/0");
    put("proc/77/comm", "qemu\n");
    ck_assert_int_eq(openers(path, who), 1);
    ck_assert_str_eq(who, "qemu (process 77)");
}
END_TEST

START_TEST(a_dead_process_with_a_hanging_thread_still_has_it)
{
    char path[512], link[512], who[GUARD_LABEL];
    close(image(&patches[0]));
    fakeroot_path(&fake, "image", path);
    fakeroot_dir(&fake, "proc/88/fd");
    fakeroot_dir(&fake, "proc/88/task/88/fd");
    fakeroot_path(&fake, "proc/88/task/89/fd/3", link);
    ck_assert_int_eq(symlink("../../../../../image", link), 0);
    ck_assert_int_eq(openers(path, who), 1);
    ck_assert_str_eq(who, "? (process 88)");
}
END_TEST

/* ---- the door, on files ---- */

static int ask(const char *path, const char *allow)
{
    struct guard_policy p = {.allow_write = &allow, .nallow_write = allow ? 1 : 0};
    err = (struct err){0};
    int fd = guard_open_write(path, &p, &err);
    if (fd >= 0) {
        ck_assert_int_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDWR);
        ck_assert(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        close(fd);
    }
    return fd < 0 ? fd : 0;
}

static void file_refused(const char *path, const char *allow, const char *why)
{
    ck_assert_int_lt(ask(path, allow), 0);
    ck_assert_msg(strstr(err.text, why) != NULL, "said \"%s\" where \"%s\" was expected", err.text, why);
}

START_TEST(a_file_of_others_needs_its_name)
{
    char path[512], other[512], link[512];
    put("file", "dear\n");
    put("other", "x\n");
    fakeroot_path(&fake, "file", path);
    fakeroot_path(&fake, "other", other);
    fakeroot_path(&fake, "link", link);
    ck_assert_int_eq(symlink("file", link), 0);
    file_refused(path, NULL, "was not made by benchtop; --allow-write=");
    file_refused(path, other, "was not made by benchtop");
    file_refused(link, NULL, "was not made by benchtop");
    ck_assert_msg(ask(path, path) == 0, "%s", err.text);
    ck_assert_msg(ask(link, path) == 0, "%s", err.text);
    ck_assert_int_eq(unlink(other), 0);
    ck_assert_int_eq(linkat(AT_FDCWD, path, AT_FDCWD, other, 0), 0);
    file_refused(path, path, "has 2 names");
}
END_TEST

START_TEST(a_file_of_ours_is_free)
{
    char path[512];
    put("file", "ours\n");
    fakeroot_path(&fake, "file", path);
    int fd = open(path, O_RDWR);
    ck_assert(!guard_is_ours(fd));
    int rc = guard_mark_ours(fd);
    ck_assert_msg(rc == 0 || rc == -ENOTSUP, "%d", rc);
    ck_assert_int_eq(guard_is_ours(fd), rc == 0);
    close(fd);
    ck_assert_int_eq(ask(path, NULL), rc == 0 ? 0 : -EPERM);
}
END_TEST

START_TEST(a_file_open_elsewhere_is_in_use)
{
    char path[512], c;
    int pipes[2];
    put("file", "guest image\n");
    fakeroot_path(&fake, "file", path);
    ck_assert_int_eq(pipe(pipes), 0);
    pid_t pid = fork();
    if (pid == 0) {
        int fd = open(path, O_RDONLY);
        (void)!write(pipes[1], "x", fd >= 0);
        pause();
        _exit(0);
    }
    ck_assert_int_eq(read(pipes[0], &c, 1), 1);
    file_refused(path, path, "it is open in ");
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    ck_assert_msg(ask(path, path) == 0, "%s", err.text);
    close(pipes[0]);
    close(pipes[1]);
}
END_TEST

START_TEST(no_storage_no_writing)
{
    char pipe_path[512], path[512];
    fakeroot_path(&fake, "pipe", pipe_path);
    ck_assert_int_eq(mkfifo(pipe_path, 0600), 0);
    file_refused(pipe_path, pipe_path, "it is a pipe");
    file_refused("/dev/null", "/dev/null", "it is a character device");
    file_refused(fake.path, fake.path, "it is a folder");
    file_refused("/proc/self/comm", "/proc/self/comm", "a file of the kernel");
    fakeroot_path(&fake, "nothing", path);
    file_refused(path, path, "No such file");
}
END_TEST

START_TEST(readonly_closes_the_door)
{
    char path[512];
    const char *allow = path;
    struct guard_policy p = {.allow_write = &allow, .nallow_write = 1, .readonly = true};
    put("file", "x\n");
    fakeroot_path(&fake, "file", path);
    ck_assert_int_eq(guard_open_write(path, &p, &err), -EPERM);
    ck_assert_ptr_nonnull(strstr(err.text, "--readonly"));
}
END_TEST

static void add(Suite *s, TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 30);
    suite_add_tcase(s, tc);
}

int main(void)
{
    Suite *s = suite_create("guard");
    TCase *use = tcase_create("use"), *holds = tcase_create("holds"), *open_ = tcase_create("openers"),
          *door = tcase_create("door");
    add(s, use);
    tcase_add_test(use, a_free_machine_allows);
    tcase_add_loop_test(use, whoever_uses_it_has_it, 0, sizeof use_cases / sizeof *use_cases);
    tcase_add_test(use, no_mount_table_is_no_leave);
    tcase_add_test(use, a_map_may_be_written_but_never_its_paths);
    tcase_add_test(use, one_disk_by_two_paths_without_a_map);
    tcase_add_test(use, nvme_heads_but_not_their_hidden_paths);
    tcase_add_test(use, volumes_of_lvm);
    tcase_add_test(use, what_stands_on_it_counts_at_any_height);
    tcase_add_test(use, a_loop_target_answers_for_the_device_below);
    tcase_add_test(use, partitions_that_overlap);
    tcase_add_test(use, optical_drives_never);
    add(s, holds);
    tcase_add_loop_test(holds, signatures, 0, sizeof patches / sizeof *patches);
    tcase_add_test(holds, a_read_error_is_not_an_empty_device);
    add(s, open_);
    tcase_add_test(open_, openers_of_other_processes);
    tcase_add_test(open_, a_dead_process_with_a_hanging_thread_still_has_it);
    add(s, door);
    tcase_add_test(door, a_file_of_others_needs_its_name);
    tcase_add_test(door, a_file_of_ours_is_free);
    tcase_add_test(door, a_file_open_elsewhere_is_in_use);
    tcase_add_test(door, no_storage_no_writing);
    tcase_add_test(door, readonly_closes_the_door);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
