/* target_test: opening, sizes, alignment and layout of files; every sentence for a target that will not do. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/str.h"
#include "engine/layout.h"
#include "engine/target.h"

#define MIB (1ull << 20)

static char dir[] = "/tmp/benchtop-target-XXXXXX";
static const struct guard_policy nothing;
static struct targets ts;

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void teardown(void)
{
    char cmd[128];
    targets_close(&ts);
    snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
    ck_assert_int_eq(system(cmd), 0);
}

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof(path), "%s/%s", dir, name);
    return path;
}

static struct job job_of(const char *filename, const char *words)
{
    struct job j;
    char word[256];
    job_init(&j);
    ck_assert_int_eq(job_set(&j, "filename", filename, NULL), 0);
    while (str_next_word(&words, word, sizeof(word))) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        ck_assert_int_eq(job_set(&j, word, value, NULL), 0);
    }
    return j;
}

static void make_file(const char *path, const char *data, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq((int)write(fd, data, n), (int)n);
    close(fd);
}

static void make_big(const char *path, size_t n)
{
    char *data = malloc(n);
    memset(data, 'x', n);
    make_file(path, data, n);
    free(data);
}

static void must_open(const struct job *j)
{
    struct err err = {0};
    ck_assert_msg(targets_open(j, &nothing, &ts, &err) == 0, "%s", err.text);
}

static void must_fail(const struct job *j, int code, const char *has)
{
    struct err err = {0};
    int rc = targets_open(j, &nothing, &ts, &err);
    ck_assert_int_lt(rc, 0);
    ck_assert_msg(strstr(err.text, has), "\"%s\" lacks \"%s\"", err.text, has);
    if (code)
        ck_assert_int_eq(rc, code);
    ck_assert_uint_eq(ts.n, 0);
}

static void lay_out(void)
{
    struct err err = {0};
    ck_assert_msg(targets_layout(&ts, NULL, NULL, NULL, &err) == 0, "%s", err.text);
}

static bool has_xattr(void)
{
    const char *p = path_of("probe");
    make_file(p, "x", 1);
    bool can = setxattr(p, "user.benchtop", "1", 1, 0) == 0;
    unlink(p);
    return can;
}

static size_t open_fds(void)
{
    size_t n = 0;
    for (int fd = 3; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

START_TEST(a_missing_file_is_laid_out_for_real)
{
    struct job j = job_of(path_of("new"), "size=9m");
    struct stat st;
    must_open(&j);
    ck_assert(ts.t[0].created && !ts.t[0].writable && !ts.t[0].is_block);
    ck_assert_uint_eq(ts.t[0].layout_from, 0);
    lay_out();
    ck_assert_uint_eq(ts.t[0].end - ts.t[0].begin, 9 * MIB);
    ck_assert_int_eq(fstat(ts.t[0].fd, &st), 0);
    ck_assert_uint_eq((uint64_t)st.st_size, 9 * MIB);
    ck_assert_uint_ge((uint64_t)st.st_blocks * 512, 9 * MIB); /* allocated, not promised */
    ck_assert_int_eq(lseek(ts.t[0].fd, 0, SEEK_HOLE), (off_t)(9 * MIB));
    ck_assert_uint_eq(layout_first_hole(ts.t[0].fd, 0, 9 * MIB), 9 * MIB);
    ck_assert_int_lt((int)write(ts.t[0].fd, "x", 1), 0); /* a job that reads has no writing descriptor */
    if (has_xattr())
        ck_assert(guard_is_ours(ts.t[0].fd));
}
END_TEST

START_TEST(laid_out_data_does_not_compress)
{
    struct job j = job_of(path_of("new"), "size=8m");
    must_open(&j);
    lay_out();
    unsigned count[256] = {0};
    static unsigned char a[65536], b[65536];
    ck_assert_int_eq((int)pread(ts.t[0].fd, a, sizeof(a), 0), (int)sizeof(a));
    ck_assert_int_eq((int)pread(ts.t[0].fd, b, sizeof(b), 4 * MIB), (int)sizeof(b));
    ck_assert_int_ne(memcmp(a, b, sizeof(a)), 0);
    for (size_t i = 0; i < sizeof(a); i++)
        count[a[i]]++;
    for (size_t i = 0; i < 256; i++)
        ck_assert_msg(count[i] > 128 && count[i] < 512, "byte %zu comes %u times of 256", i, count[i]);
}
END_TEST

START_TEST(a_whole_file_of_ours_is_used_again)
{
    if (!has_xattr())
        return;
    struct job j = job_of(path_of("kept"), "size=1m");
    struct stat before, after;
    must_open(&j);
    lay_out();
    ck_assert_int_eq(fstat(ts.t[0].fd, &before), 0);
    targets_close(&ts);
    must_open(&j);
    ck_assert(!ts.t[0].created && ts.t[0].layout_fd < 0 && !ts.t[0].sparse);
    lay_out();
    ck_assert_int_eq(fstat(ts.t[0].fd, &after), 0);
    ck_assert_int_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    ck_assert_uint_eq(before.st_ino, after.st_ino);
}
END_TEST

START_TEST(a_killed_layout_goes_on_where_it_was)
{
    if (!has_xattr())
        return;
    const char *p = path_of("half");
    make_big(p, 3 * MIB);
    ck_assert_int_eq(setxattr(p, "user.benchtop", "1", 1, 0), 0);
    struct job j = job_of(p, "size=5m");
    must_open(&j);
    ck_assert_uint_eq(ts.t[0].layout_from, 3 * MIB);
    lay_out();
    char c = 0;
    ck_assert_int_eq((int)pread(ts.t[0].fd, &c, 1, 3 * MIB - 1), 1);
    ck_assert_int_eq(c, 'x'); /* what was there stays */
    ck_assert_uint_eq(layout_first_hole(ts.t[0].fd, 0, 5 * MIB), 5 * MIB);
}
END_TEST

START_TEST(a_file_of_ours_with_holes_is_filled)
{
    if (!has_xattr())
        return;
    const char *p = path_of("holed");
    make_big(p, MIB);
    ck_assert_int_eq(truncate(p, 4 * MIB), 0);
    ck_assert_int_eq(setxattr(p, "user.benchtop", "1", 1, 0), 0);
    struct job j = job_of(p, "");
    must_open(&j);
    ck_assert_uint_eq(ts.t[0].layout_from, MIB);
    ck_assert(!ts.t[0].sparse);
    lay_out();
    ck_assert_uint_eq(layout_first_hole(ts.t[0].fd, 0, 4 * MIB), 4 * MIB);
}
END_TEST

START_TEST(holes_of_others_are_a_warning)
{
    const char *p = path_of("theirs");
    make_big(p, MIB);
    ck_assert_int_eq(truncate(p, 4 * MIB), 0);
    struct job j = job_of(p, "");
    must_open(&j);
    ck_assert(ts.t[0].sparse && ts.t[0].layout_fd < 0);
    targets_close(&ts);
    j = job_of(p, "size=1m"); /* the part that is real */
    must_open(&j);
    ck_assert(!ts.t[0].sparse);
}
END_TEST

START_TEST(unwritten_extents_are_a_warning)
{
    const char *p = path_of("reserved");
    int fd = open(p, O_RDWR | O_CREAT, 0644);
    int rc = fallocate(fd, 0, 0, 2 * MIB);
    close(fd);
    if (rc < 0)
        return; /* not on this filesystem */
    struct job j = job_of(p, "");
    must_open(&j);
    ck_assert(ts.t[0].sparse);
}
END_TEST

static void remember(double pct, void *arg)
{
    *(double *)arg = pct;
}

START_TEST(layout_tells_how_far_it_is)
{
    struct job j = job_of(path_of("new"), "size=6m");
    double pct = -1;
    must_open(&j);
    ck_assert_int_eq(targets_layout(&ts, NULL, remember, &pct, NULL), 0);
    ck_assert_double_eq(pct, 100);
}
END_TEST

START_TEST(a_stopped_layout_takes_its_file_away)
{
    struct job j = job_of(path_of("new"), "size=64m");
    struct err err = {0};
    _Atomic bool stop = true;
    must_open(&j);
    ck_assert_int_eq(targets_layout(&ts, &stop, NULL, NULL, &err), -ECANCELED);
    targets_close(&ts);
    ck_assert_int_lt(access(path_of("new"), F_OK), 0);
}
END_TEST

START_TEST(a_file_never_laid_out_is_not_left)
{
    struct job j = job_of(path_of("new"), "size=64m");
    must_open(&j);
    ck_assert_int_eq(access(path_of("new"), F_OK), 0);
    targets_close(&ts);
    targets_close(&ts);
    ck_assert_int_lt(access(path_of("new"), F_OK), 0);
}
END_TEST

START_TEST(nothing_is_left_behind_by_a_refusal)
{
    char both[600];
    snprintf(both, sizeof(both), "%s/new:%s/no/such", dir, dir);
    struct job j = job_of(both, "size=1m");
    size_t before = open_fds();
    must_fail(&j, -ENOENT, "/no does not exist");
    ck_assert_uint_eq(open_fds(), before);
    ck_assert_int_lt(access(path_of("new"), F_OK), 0);
}
END_TEST

START_TEST(names_split_at_colons)
{
    char names[600];
    make_big(path_of("a"), 8192);
    make_big(path_of("b:c"), 8192);
    snprintf(names, sizeof(names), "%s/a:%s/b\\:c", dir, dir);
    struct job j = job_of(names, "");
    must_open(&j);
    ck_assert_uint_eq(ts.n, 2);
    ck_assert_str_eq(ts.t[1].path, path_of("b:c"));
    ck_assert_uint_eq(ts.t[1].end, 8192);
    targets_close(&ts);
    snprintf(names, sizeof(names), "%s/a::%s/a", dir, dir);
    j = job_of(names, "");
    must_fail(&j, -EINVAL, "empty name beside a colon");
}
END_TEST

START_TEST(the_same_file_twice_is_refused)
{
    char names[600], link_name[256];
    make_big(path_of("a"), 8192);
    snprintf(link_name, sizeof(link_name), "%s/l", dir);
    ck_assert_int_eq(symlink("a", link_name), 0);
    snprintf(names, sizeof(names), "%s/a:%s/l", dir, dir);
    struct job j = job_of(names, "");
    must_fail(&j, -EINVAL, "is the same as");
}
END_TEST

START_TEST(kinds_that_are_no_target)
{
    struct job j = job_of(dir, "size=1m");
    must_fail(&j, -EISDIR, "is a directory; name a file in it");
    j = job_of("/dev/null", "size=1m");
    must_fail(&j, -EINVAL, "/dev/null: is a character device");
    ck_assert_int_eq(mkfifo(path_of("pipe"), 0600), 0);
    j = job_of(path_of("pipe"), "size=1m");
    must_fail(&j, -EINVAL, "is a pipe"); /* and did not wait for a writer */
    ck_assert_int_eq(symlink("/nowhere/at/all", path_of("dangling")), 0);
    j = job_of(path_of("dangling"), "size=1m");
    must_fail(&j, -EEXIST, "is a link to nothing");
    j = job_of("/dev/sdnothing", "size=1m");
    must_fail(&j, -ENOENT, "/dev/sdnothing: no such device");
    ck_assert_int_lt(access("/dev/sdnothing", F_OK), 0);
}
END_TEST

START_TEST(files_that_are_missing_or_short)
{
    struct job j = job_of(path_of("none"), "");
    must_fail(&j, -ENOENT, "does not exist; give a size");
    j = job_of(path_of("no/such"), "size=1m");
    must_fail(&j, -ENOENT, "the folder");
    j = job_of(path_of("none"), "size=1m readonly=1");
    must_fail(&j, -EROFS, "readonly");
    make_file(path_of("empty"), "", 0);
    j = job_of(path_of("empty"), "");
    must_fail(&j, -EINVAL, "is empty");
    make_big(path_of("short"), 65536);
    j = job_of(path_of("short"), "size=1m");
    must_fail(&j, -EINVAL, "has only 64k and was not made by benchtop");
    j = job_of(path_of("short"), "offset=1m");
    must_fail(&j, -EINVAL, "offset=1m:");
    j = job_of(path_of("short"), "bs=128k");
    must_fail(&j, -EINVAL, "bs=128k: larger than the 64k");
}
END_TEST

START_TEST(no_space_is_said_before)
{
    struct job j = job_of(path_of("huge"), "size=4096t");
    must_fail(&j, -ENOSPC, "no space for its layout");
    ck_assert_int_lt(access(path_of("huge"), F_OK), 0);
}
END_TEST

START_TEST(the_region_is_what_was_asked_for)
{
    make_big(path_of("f"), 65536);
    struct job j = job_of(path_of("f"), "offset=8k size=16k");
    must_open(&j);
    ck_assert_uint_eq(ts.t[0].begin, 8192);
    ck_assert_uint_eq(ts.t[0].end, 24576);
    ck_assert_uint_eq(ts.t[0].logical_block, 1);
    targets_close(&ts);
    j = job_of(path_of("f"), "offset=8k");
    must_open(&j);
    ck_assert_uint_eq(ts.t[0].end, 65536);
}
END_TEST

START_TEST(direct_needs_whole_blocks)
{
    make_big(path_of("f"), 65536);
    struct job j = job_of(path_of("f"), "direct=1");
    struct err err = {0};
    if (targets_open(&j, &nothing, &ts, &err) < 0) {
        ck_assert_msg(strstr(err.text, "direct=1 is not possible"), "%s", err.text);
        return;
    }
    unsigned block = ts.t[0].logical_block;
    ck_assert_uint_ge(block, 512);
    ck_assert(fcntl(ts.t[0].fd, F_GETFL) & O_DIRECT);
    targets_close(&ts);
    j = job_of(path_of("f"), "direct=1 bs=1000");
    must_fail(&j, -EINVAL, "bs=1000: with direct=1 must be a multiple of");
    j = job_of(path_of("f"), "direct=1 offset=100");
    must_fail(&j, -EINVAL, "offset=100: with direct=1 must be a multiple of");
    j = job_of(path_of("f"), "bs=1000");
    must_open(&j); /* the page cache does not mind */
}
END_TEST

/* Every size and offset that can occur. */
START_TEST(direct_needs_whole_blocks_of_every_kind)
{
    static const struct {
        const char *words, *has;
    } bad[] = {
        {"bssplit=1000/50:4k/50", "bssplit=1000/50:4k/50: with direct=1"},
        {"bssplit=4k/50:8k/50,1k/50:1000/50 rw=randread bs_is_seq_rand=1", "bssplit=4k/50:8k/50,1k/50:1000/50: with"},
        {"bsrange=1000-4000", "bsrange=1000-4000: with direct=1"},
        {"bsrange=4k-8k bs_unaligned=1", "bsrange=4k-8k: with direct=1"},
        {"rw=read:100", "rw=read:100: with direct=1"},
        {"rw=read:-100", "rw=read:-100: with direct=1"},
        {"rw=randread ba=100", "blockalign=100: with direct=1"},
        {"zonesize=10000", "zonerange=10000: with direct=1"},
        {"zonesize=16k zoneskip=100", "zoneskip=100: with direct=1"},
    };
    char words[128];
    make_big(path_of("f"), 65536);
    struct job j = job_of(path_of("f"), "direct=1");
    if (targets_open(&j, &nothing, &ts, NULL) < 0)
        return; /* not possible here */
    targets_close(&ts);
    str_format(words, sizeof(words), "direct=1 %s", bad[_i].words);
    j = job_of(path_of("f"), words);
    must_fail(&j, -EINVAL, bad[_i].has);
}
END_TEST

START_TEST(zones_and_sizes_must_fit)
{
    make_big(path_of("f"), 65536);
    struct job j = job_of(path_of("f"), "rw=randread random_distribution=zoned_abs:50/16k:50/64k");
    must_fail(&j, -EINVAL, "zoned_abs: its zones take 80k, there are 64k to work on");
    j = job_of(path_of("f"), "bsrange=128k-256k");
    must_fail(&j, -EINVAL, "bsrange=128k-256k: larger than the 64k");
    j = job_of(path_of("f"), "bs=4k,128k"); /* it does not write */
    must_open(&j);
    targets_close(&ts);
    j = job_of(path_of("f"), "bsrange=64k-256k"); /* the smallest fits */
    must_open(&j);
}
END_TEST

START_TEST(a_stranger_s_file_is_not_written)
{
    char before[4] = "", after[4] = "";
    make_file(path_of("mine"), "abc\0", 4);
    make_big(path_of("theirs"), 65536);
    struct job j = job_of(path_of("theirs"), "rw=randwrite");
    struct err err = {0};
    ck_assert_int_lt(targets_open(&j, &nothing, &ts, &err), 0);
    ck_assert_msg(strstr(err.text, "--allow-write"), "%s", err.text);
    int fd = open(path_of("theirs"), O_RDONLY);
    ck_assert_int_eq((int)pread(fd, after, 3, 0), 3);
    close(fd);
    ck_assert_str_eq(after, "xxx");
    (void)before;
    char allowed[256];
    snprintf(allowed, sizeof(allowed), "%s", path_of("theirs"));
    const char *allow[] = {allowed};
    struct guard_policy policy = {.allow_write = allow, .nallow_write = 1};
    ck_assert_msg(targets_open(&j, &policy, &ts, &err) == 0, "%s", err.text);
    ck_assert(ts.t[0].writable);
}
END_TEST

START_TEST(a_retune_to_writing_passes_the_guard)
{
    static struct targets next;
    struct err err = {0};
    make_big(path_of("theirs"), 65536);
    struct job j = job_of(path_of("theirs"), ""), w = job_of(path_of("theirs"), "rw=randwrite");
    must_open(&j);
    ck_assert_int_eq(targets_fit(&ts, &j, NULL), 0);
    ck_assert_int_eq(targets_fit(&ts, &w, NULL), 1);
    ck_assert_int_lt(targets_retune(&ts, &w, &nothing, &next, &err), 0);
    ck_assert_uint_eq(next.n, 0);
    ck_assert_int_ge(fcntl(ts.t[0].fd, F_GETFD), 0); /* the old set goes on */
    char allowed[256];
    snprintf(allowed, sizeof(allowed), "%s", path_of("theirs"));
    const char *allow[] = {allowed};
    struct guard_policy policy = {.allow_write = allow, .nallow_write = 1};
    ck_assert_msg(targets_retune(&ts, &w, &policy, &next, &err) == 0, "%s", err.text);
    ck_assert(next.t[0].writable && !ts.t[0].writable);
    ck_assert_int_ne(next.t[0].fd, ts.t[0].fd);
    targets_close(&ts);
    ck_assert_int_ge(fcntl(next.t[0].fd, F_GETFD), 0);
    w.bs[DDIR_READ] = w.bs[DDIR_WRITE] = 128 << 10;
    ck_assert_int_eq(targets_fit(&next, &w, &err), -EINVAL);
    targets_close(&next);
}
END_TEST

START_TEST(our_own_new_file_is_written)
{
    struct job j = job_of(path_of("new"), "rw=write size=1m");
    must_open(&j);
    ck_assert(ts.t[0].writable);
    lay_out();
    ck_assert_int_eq((int)pwrite(ts.t[0].fd, "abcd", 4, 0), 4);
}
END_TEST

START_TEST(sync_is_how_files_are_opened)
{
    static const struct {
        const char *words;
        int flags;
    } row[] = {
        {"rw=write size=64k sync=none", 0},
        {"rw=write size=64k sync=1", O_SYNC},
        {"rw=write size=64k sync=dsync", O_DSYNC},
        {"rw=read size=64k sync=1", 0}, /* nothing is written */
    };
    struct job j = job_of(path_of("synced"), row[_i].words);
    must_open(&j);
    ck_assert_int_eq(fcntl(ts.t[0].fd, F_GETFL) & O_SYNC, row[_i].flags);
}
END_TEST

START_TEST(the_null_engine_opens_nothing)
{
    struct job j;
    job_init(&j);
    ck_assert_int_eq(job_set(&j, "ioengine", "null", NULL), 0);
    must_open(&j);
    ck_assert_uint_eq(ts.n, 1);
    ck_assert(ts.t[0].is_null && ts.t[0].fd < 0);
    ck_assert_uint_eq(ts.t[0].end, 1ull << 40);
    targets_close(&ts);
    ck_assert_int_eq(job_set(&j, "filename", "/nowhere/a:/nowhere/b", NULL), 0);
    ck_assert_int_eq(job_set(&j, "size", "1m", NULL), 0);
    ck_assert_int_eq(job_set(&j, "rw", "randwrite", NULL), 0);
    must_open(&j);
    ck_assert_uint_eq(ts.n, 2);
    ck_assert_uint_eq(ts.t[1].end, MIB / 2);
}
END_TEST

START_TEST(invalidate_drops_the_pages)
{
    struct job j = job_of(path_of("new"), "size=4m");
    char c;
    must_open(&j);
    lay_out();
    ck_assert_int_eq((int)pread(ts.t[0].fd, &c, 1, 0), 1);
    struct stat st, shm;
    if (stat("/dev/shm", &shm) == 0 && fstat(ts.t[0].fd, &st) == 0 && major(st.st_dev) == 0)
        return; /* a filesystem in memory keeps them */
    /* Read-ahead may still be on its way: its pages go at the next try. */
    for (int tries = 0; tries < 200; tries++) {
        struct iovec iov = {&c, 1};
        targets_invalidate(&ts);
        ssize_t n = preadv2(ts.t[0].fd, &iov, 1, 0, RWF_NOWAIT); /* EAGAIN = not in the cache */
        if (n < 0 && (errno == EOPNOTSUPP || errno == EAGAIN))
            return;
        usleep(10000);
    }
    ck_abort_msg("the pages stay in the cache");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("target");
    TCase *t = tcase_create("target");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_missing_file_is_laid_out_for_real);
    tcase_add_test(t, laid_out_data_does_not_compress);
    tcase_add_test(t, a_whole_file_of_ours_is_used_again);
    tcase_add_test(t, a_killed_layout_goes_on_where_it_was);
    tcase_add_test(t, a_file_of_ours_with_holes_is_filled);
    tcase_add_test(t, holes_of_others_are_a_warning);
    tcase_add_test(t, unwritten_extents_are_a_warning);
    tcase_add_test(t, layout_tells_how_far_it_is);
    tcase_add_test(t, a_stopped_layout_takes_its_file_away);
    tcase_add_test(t, a_file_never_laid_out_is_not_left);
    tcase_add_test(t, nothing_is_left_behind_by_a_refusal);
    tcase_add_test(t, names_split_at_colons);
    tcase_add_test(t, the_same_file_twice_is_refused);
    tcase_add_test(t, kinds_that_are_no_target);
    tcase_add_test(t, files_that_are_missing_or_short);
    tcase_add_test(t, no_space_is_said_before);
    tcase_add_test(t, the_region_is_what_was_asked_for);
    tcase_add_test(t, direct_needs_whole_blocks);
    tcase_add_loop_test(t, direct_needs_whole_blocks_of_every_kind, 0, 9);
    tcase_add_test(t, zones_and_sizes_must_fit);
    tcase_add_test(t, a_stranger_s_file_is_not_written);
    tcase_add_test(t, a_retune_to_writing_passes_the_guard);
    tcase_add_test(t, our_own_new_file_is_written);
    tcase_add_test(t, the_null_engine_opens_nothing);
    tcase_add_loop_test(t, sync_is_how_files_are_opened, 0, 4);
    tcase_add_test(t, invalidate_drops_the_pages);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
