/* job_engine: which ioengine takes which option, and what an option needs besides. */
#include "engine/job_engine.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/target_probe.h"

static int check(const char *const *words, struct job *j, struct err *err)
{
    job_init(j);
    job_set(j, "filename", "/tmp/x", NULL);
    for (size_t i = 0; words[i]; i++) {
        char word[96];
        snprintf(word, sizeof(word), "%s", words[i]);
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        int rc = job_set(j, word, value, err);
        if (rc < 0)
            return rc;
    }
    return job_check(j, NULL, 0, err);
}

static const struct {
    const char *words[6], *says;
} refused[] = {
    {{"ioengine=psync", "hipri=1", "direct=1"},
     "hipri=1: ioengine=psync has no such option; it is for pvsync2, io_uring"},
    {{"ioengine=libaio", "uncached"}, "it is for pvsync2, io_uring"},
    {{"ioengine=libaio", "sqthread_poll=1"}, "sqthread_poll=1: ioengine=libaio"},
    {{"ioengine=mmap", "force_async=2"}, "force_async=2: ioengine=mmap"},
    {{"ioengine=psync", "cmdprio_percentage=10"}, "it is for libaio, io_uring"},
    {{"ioengine=io_uring", "hipri=1"}, "hipri=1: needs direct=1"},
    {{"ioengine=io_uring", "uncached=1", "direct=1"}, "uncached=1: direct=1"},
    {{"ioengine=io_uring", "sqthread_poll_cpu=0"}, "sqthread_poll_cpu=0: needs sqthread_poll=1"},
    {{"ioengine=io_uring", "sqthread_poll=1", "sqthread_poll_cpu=8000"}, "sqthread_poll_cpu=8000: cannot be used"},
    {{"ioengine=io_uring", "cmdprio=8"}, "cmdprio=8: must be 0 to 7"},
    {{"ioengine=io_uring", "cmdprio_percentage=101"}, "cmdprio_percentage=101: must be 0 to 100"},
    {{"ioengine=mmap", "direct=1"}, "ioengine=mmap: goes through the page cache"},
    {{"ioengine=mmap", "sync=dsync"}, "sync: ioengine=mmap writes to memory; use fsync=N"},
    {{"ioengine=mmap", "write_zeroes=1"},
     "write_zeroes=1: ioengine=mmap has no such option; it is for psync, libaio, io_uring"},
    {{"ioengine=io_uring", "write_zeroes=1", "nowait=1"}, "write_zeroes=1: moves no data"},
    {{"iomem_align=3000"}, "iomem_align=3000: must be a power of two up to 4k"},
    {{"iomem_align=8k"}, "iomem_align=8k: must be"},
    {{"iomem=shm"}, "iomem=shm: must be malloc, mmapshared or mmaphuge"},
    {{"nonvectored=0"}, "nonvectored=0: must be 1"},
    {{"ioscheduler=none"}, "ioscheduler=none: this word of fio's is not here; set it before the run"},
    {{"uid=99"}, "start benchtop as that user"},
    {{"cgroup=x"}, "start benchtop in it"},
    {{"sync_file_range=write:8"}, "use fsync or fdatasync"},
    {{"write_barrier=4"}, "use fsync=N"},
    {{"atomic"}, "atomic=1: this word of fio's is not here"},
    {{"ioengine=rados"}, "ioengine=rados: is not here; map an image"},
    {{"ioengine=nfs"}, "mount the export"},
    {{"hipri_percentage=50"}, "hipri=1 polls for all"},
    {{"sync=2"}, "sync=2: must be none, sync or dsync"},
    {{"ioengine=posixaio"}, "use libaio or io_uring"},
    {{"ioengine=falloc"}, "rw=trim"},
    {{"ioengine=ftruncate"}, "is not here"},
};

START_TEST(what_cannot_be_is_said_in_a_sentence)
{
    struct job j;
    struct err err = {0};
    ck_assert_int_lt(check(refused[_i].words, &j, &err), 0);
    ck_assert_msg(strstr(err.text, refused[_i].says), "\"%s\"", err.text);
}
END_TEST

static const char *const taken[][6] = {
    {"ioengine=io_uring", "hipri=1", "direct=1"},
    {"ioengine=pvsync2", "hipri=1", "direct=1", "nowait=1"},
    {"ioengine=pvsync2", "uncached=1"},
    {"ioengine=io_uring", "sqthread_poll=1", "sqthread_poll_cpu=0"},
    {"ioengine=io_uring", "force_async=4", "nowait"},
    {"ioengine=libaio", "nowait=1", "cmdprio_percentage=10,20", "cmdprio_class=2", "cmdprio=1"},
    {"ioengine=psync", "hipri=0", "force_async=0"}, /* nothing is asked for */
    {"ioengine=mmap"},
    {"sync=none"},
    {"sync=0"},
    {"sync=1"},
    {"sync=sync"},
    {"sync=dsync", "ioengine=sync"},
    {"iomem=malloc"},
    {"mem=mmap"},
    {"iomem=mmapshared", "mem_align=512"},
    {"nonvectored=1", "userspace_reap"},
    {"atomic=0", "write_barrier=0", "lockmem=0", "hipri_percentage=100"}, /* fio's defaults ask for nothing */
    {"fdatasync=3", "fsync_on_close=1"},
    {"write_zeroes=1", "ioengine=libaio", "rw=randwrite"},
};

START_TEST(what_can_be_is_taken)
{
    struct job j;
    struct err err = {0};
    ck_assert_msg(check(taken[_i], &j, &err) == 0, "%s", err.text);
}
END_TEST

START_TEST(options_become_values)
{
    struct job j;
    static const char *const words[] = {"ioengine=io_uring", "cmdprio_percentage=10,20", "cmdprio_class=2",
                                        "sqthread_poll=1",   "sqthread_poll_cpu=0",      NULL};
    ck_assert_int_eq(check(words, &j, NULL), 0);
    struct backend_options o = job_engine_options(&j);
    ck_assert(o.sqthread_poll && o.sqthread_pinned && o.sqthread_cpu == 0);
    ck_assert_uint_eq(o.prio_pct[DDIR_READ], 10);
    ck_assert_uint_eq(o.prio_pct[DDIR_WRITE], 20);
    ck_assert_uint_eq(o.prio_class[DDIR_WRITE], 2);
    ck_assert(!o.nowait && !o.hipri);
    job_init(&j);
    ck_assert(!job_engine_options(&j).sqthread_pinned);
}
END_TEST

/* ---- against files ---- */

START_TEST(a_device_without_poll_queues_is_not_polled)
{
    struct job j;
    struct err err = {0};
    static const char *const words[] = {"ioengine=io_uring", "hipri=1", "direct=1", NULL};
    ck_assert_int_eq(check(words, &j, &err), 0);
    char path[] = "/tmp/job_engine_test.XXXXXX";
    struct target row = {.path = path, .fd = mkstemp(path), .major = 4095, .minor = 1}; /* no such device */
    struct targets t = {.t = &row, .n = 1};
    ck_assert_int_eq(targets_probe(&t, &j, &err), -EOPNOTSUPP);
    ck_assert_ptr_nonnull(strstr(err.text, "hipri=1: the device of /tmp/job_engine_test"));
    ck_assert_ptr_nonnull(strstr(err.text, "io_poll"));
    row.is_null = true; /* asks no device */
    ck_assert_int_eq(targets_probe(&t, &j, &err), 0);
    close(row.fd);
    unlink(path);
}
END_TEST

/* Proc files know neither flag. */
START_TEST(a_filesystem_that_cannot_is_named)
{
    static const char *const words[][3] = {{"ioengine=pvsync2", "nowait=1"}, {"ioengine=pvsync2", "uncached=1"}};
    struct job j;
    struct err err = {0};
    ck_assert_int_eq(check(words[_i], &j, &err), 0);
    char path[] = "/proc/version";
    struct target row = {.path = path, .fd = open(path, O_RDONLY)};
    struct targets t = {.t = &row, .n = 1};
    ck_assert_int_eq(targets_probe(&t, &j, &err), -EOPNOTSUPP);
    ck_assert_ptr_nonnull(strstr(err.text, "/proc/version"));
    ck_assert_ptr_nonnull(strstr(err.text, _i ? "uncached=1" : "nowait=1"));
    close(row.fd);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("job_engine");
    TCase *c = tcase_create("job_engine");
    suite_add_tcase(s, c);
    tcase_add_loop_test(c, what_cannot_be_is_said_in_a_sentence, 0, (int)(sizeof(refused) / sizeof(refused[0])));
    tcase_add_loop_test(c, what_can_be_is_taken, 0, (int)(sizeof(taken) / sizeof(taken[0])));
    tcase_add_test(c, options_become_values);
    tcase_add_test(c, a_device_without_poll_queues_is_not_polled);
    tcase_add_loop_test(c, a_filesystem_that_cannot_is_named, 0, 2);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
