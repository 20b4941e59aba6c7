/* job_test: fio's words and sentences, checks, retunes, knobs, --at and job files. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "engine/job.h"
#include "engine/job_given.h"
#include "engine/jobfile.h"

static struct job fresh(void)
{
    struct job j;
    job_init(&j);
    ck_assert_int_eq(job_set(&j, "filename", "/dev/loop9", NULL), 0);
    return j;
}

static void expect_text(const struct job *j, const char *field, const char *want)
{
    char text[JOB_PATH];
    job_get(j, job_field_find(field), text, sizeof(text));
    ck_assert_str_eq(text, want);
}

START_TEST(defaults_are_fio_s)
{
    struct job j;
    job_init(&j);
    ck_assert_int_eq(j.rw, JOB_READ);
    ck_assert_uint_eq(j.bs[0], 4096);
    ck_assert_uint_eq(j.iodepth, 1);
    ck_assert_uint_eq(j.numjobs, 1);
    ck_assert_uint_eq(j.rwmixread, 50);
    ck_assert(!j.direct && j.invalidate && !j.time_based);
    ck_assert_uint_eq(j.size.bytes, 0);
    ck_assert_uint_eq(j.runtime_ns, 0);
    ck_assert_str_eq(j.ioengine, "psync");
    for (size_t i = 0; job_field(i); i++)
        ck_assert(!job_is_set(&j, job_field(i)->name));
}
END_TEST

static const struct {
    const char *key, *value, *field, *text;
} good[] = {
    {"bs", "16k", "bs", "16k"},
    {"blocksize", "1m", "bs", "1m"},
    {"bs", "1000", "bs", "1000"},
    {"bs", "8k,16k", "bs", "8k,16k"},
    {"bs", ",8k", "bs", "4k,8k"},
    {"bs", "8k,", "bs", "8k,4k"},
    {"bs", "8k,16k,", "bs", "8k,16k,4k"},
    {"bs", ",,1m", "bs", "4k,4k,1m"},
    {"bs", "8k,8k,8k", "bs", "8k"},
    {"rate", "1m,512k", "rate", "1m,512k"},
    {"rate_iops", ",1k", "rate_iops", "0,1024"},
    {"size", "1g", "size", "1g"},
    {"iodepth", "4096", "iodepth", "4096"},
    {"rw", "readwrite", "rw", "rw"},
    {"readwrite", "randrw", "rw", "randrw"},
    {"rw", "randtrim", "rw", "randtrim"},
    {"direct", NULL, "direct", "1"},
    {"direct", "0", "direct", "0"},
    {"buffered", "0", "direct", "1"},
    {"runtime", "90", "runtime", "90s"},
    {"timeout", "2m", "runtime", "2m"},
    {"thinktime", "50", "thinktime", "50us"},
    {"rate", "1m", "rate", "1m"},
    {"rate_iops", "2k", "rate_iops", "2048"},
    {"group_reporting", NULL, "group_reporting", "1"},
    {"filename", "/a:/b", "filename", "/a:/b"},
};

START_TEST(good_values_read_back)
{
    struct job j = fresh(), again = fresh();
    struct err err = {0};
    ck_assert_msg(job_set(&j, good[_i].key, good[_i].value, &err) == 0, "%s", err.text);
    expect_text(&j, good[_i].field, good[_i].text);
    ck_assert_int_eq(job_set(&again, good[_i].field, good[_i].text, NULL), 0); /* what is shown can be typed */
    expect_text(&again, good[_i].field, good[_i].text);
    ck_assert(job_is_set(&j, good[_i].field));
    ck_assert(!job_is_set(&j, "end_fsync"));
}
END_TEST

static const struct {
    const char *key, *value, *has[3];
} bad[] = {
    {"bs", "0", {"bs=0:", "512 to 16m"}},
    {"bs", "1g", {"bs=1g:", "512 to 16m"}},
    {"bs", "4x", {"bs=4x:", "\"x\"", "512 to 16m"}},
    {"bs", "", {"bs=:", "512 to 16m"}},
    {"bs", "4k,8x", {"bs=4k,8x:", "\"x\"", "512 to 16m"}},
    {"bs", "4k,8k,16k,32k", {"bs=4k,8k,16k,32k:", "three values"}},
    {"bs", "4k,8k,16k,", {"three values"}},
    {"bs", NULL, {"bs: needs a value"}},
    {"iodepth", "100000", {"iodepth=100000:", "1 to 4096"}},
    {"iodepth", "0", {"iodepth=0:", "1 to 4096"}},
    {"iodepth", "-1", {"iodepth=-1:", "1 to 4096"}},
    {"numjobs", "99999999999999999999", {"numjobs=", "1 to 512"}},
    {"rwmixread", "101", {"rwmixread=101:", "0 to 100"}},
    {"rw", "reed", {"rw=reed:", "randread"}},
    {"direct", "2", {"direct=2:", "0 or 1"}},
    {"runtime", "fast", {"runtime=fast:", "30s"}},
    {"size", "18446744073709551615", {"size=", "a size"}},
    {"iodeph", "4", {"unknown option iodeph", "did you mean iodepth?"}},
    {"numjob", "4", {"did you mean numjobs?"}},
    {"xyzzy", "4", {"unknown option xyzzy"}},
    {"thread", "2", {"thread=2:", "must be 1"}},
    {"ioscheduler", "none", {"ioscheduler=none:", "scheduler"}},
    {"read_iolog", "x", {"read_iolog=x:", "replayed"}},
    {"allow_mounted_write", "1", {"allow_mounted_write=1:", "--allow-write"}},
    {"filename", "", {"filename=:", "empty"}},
};

START_TEST(bad_values_get_their_sentence)
{
    struct job j = fresh();
    const struct job before = j;
    struct err err = {0};
    ck_assert_int_lt(job_set(&j, bad[_i].key, bad[_i].value, &err), 0);
    ck_assert_int_ne(err.code, 0);
    for (size_t i = 0; i < 3 && bad[_i].has[i]; i++)
        ck_assert_msg(strstr(err.text, bad[_i].has[i]), "\"%s\" lacks \"%s\"", err.text, bad[_i].has[i]);
    ck_assert_int_eq(memcmp(&j, &before, sizeof(j)), 0);
}
END_TEST

START_TEST(words_that_change_nothing_are_taken_and_said)
{
    struct job j = fresh();
    ck_assert_ptr_null(job_given_note(&j, 0));
    ck_assert_int_eq(job_set(&j, "thread", NULL, NULL), 0);
    ck_assert_int_eq(job_set(&j, "allow_file_create", "1", NULL), 0);
    ck_assert_ptr_null(job_given_note(&j, 0));
    ck_assert_int_eq(job_set(&j, "gtod_reduce", "1", NULL), 0);
    ck_assert_int_eq(job_set(&j, "clocksource", "cpu", NULL), 0);
    ck_assert_ptr_nonnull(strstr(job_given_note(&j, 0), "gtod_reduce: latency stays on"));
    ck_assert_ptr_nonnull(strstr(job_given_note(&j, 1), "clocksource"));
    ck_assert_ptr_null(job_given_note(&j, 2));
    ck_assert_int_eq(job_set(&j, "gtod_reduce", "0", NULL), 0); /* taken back */
    ck_assert_ptr_nonnull(strstr(job_given_note(&j, 0), "clocksource"));
}
END_TEST

START_TEST(every_field_has_a_bit_of_its_own)
{
    size_t n = 0;
    while (job_field(n))
        n++;
    ck_assert_uint_gt(n, 40);
    ck_assert_uint_le(n, JOB_MAX_FIELDS);
    for (size_t i = 0; i < n; i++) /* and no two rows one name */
        ck_assert_msg(job_field_find(job_field(i)->name) == job_field(i), "%s", job_field(i)->name);
}
END_TEST

START_TEST(a_far_word_gets_no_guess)
{
    struct job j = fresh();
    struct err err = {0};
    ck_assert_int_eq(job_set(&j, "xyzzy", "1", &err), -ENOENT);
    ck_assert_ptr_null(strstr(err.text, "did you mean"));
}
END_TEST

START_TEST(every_field_has_help_and_a_legal_default)
{
    const struct job_field *f = job_field((size_t)_i);
    struct job j;
    char text[JOB_PATH];
    job_init(&j);
    ck_assert(f->help && strlen(f->help) > 10);
    ck_assert_ptr_eq(job_field_find(f->name), f);
    job_get(&j, f, text, sizeof(text));
    ck_assert_str_eq(text, f->def);
    if (*f->def)
        ck_assert_int_eq(job_set(&j, f->name, f->def, NULL), 0);
}
END_TEST

static const struct {
    const char *words[4], *has;
} unfit[] = {
    {{"ioengine=windowsaio"}, "must be one of psync"},
    {{"size=2k"}, "at least one block, bs=4k"},
    {{"time_based=1"}, "needs a runtime"},
    {{"rate=1m", "rate_iops=100"}, "not both"},
    {{"rate=1m,0", "rate_iops=0,100"}, "not both"},
    {{"readonly=1", "rw=randwrite"}, "rw=randwrite: readonly=1"},
    {{"cpus_allowed=0-"}, "cpus_allowed=0-"},
    {{"cpus_allowed=9999"}, "cpus_allowed=9999"},
};

static void set_words(struct job *j, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n && words[i]; i++) {
        char word[128];
        snprintf(word, sizeof(word), "%s", words[i]);
        char *value = strchr(word, '=');
        *value++ = '\0';
        ck_assert_int_eq(job_set(j, word, value, NULL), 0);
    }
}

START_TEST(what_does_not_go_together)
{
    struct job j = fresh();
    struct err err = {0};
    set_words(&j, unfit[_i].words, 4);
    ck_assert_int_eq(job_check(&j, NULL, 0, &err), -EINVAL);
    ck_assert_msg(strstr(err.text, unfit[_i].has), "\"%s\" lacks \"%s\"", err.text, unfit[_i].has);
}
END_TEST

START_TEST(a_job_needs_a_filename)
{
    struct job j;
    struct err err = {0};
    job_init(&j);
    ck_assert_int_eq(job_check(&j, NULL, 0, &err), -EINVAL);
    ck_assert_ptr_nonnull(strstr(err.text, "filename"));
    ck_assert_int_eq(job_set(&j, "ioengine", "null", NULL), 0);
    ck_assert_int_eq(job_check(&j, NULL, 0, &err), 0);
}
END_TEST

START_TEST(depth_on_a_synchronous_engine_is_one)
{
    struct job j = fresh(), next;
    char note[256];
    ck_assert_int_eq(job_set(&j, "iodepth", "8", NULL), 0);
    ck_assert_int_eq(job_check(&j, note, sizeof(note), NULL), 0);
    ck_assert_uint_eq(j.iodepth, 1);
    ck_assert_ptr_nonnull(strstr(note, "iodepth=8: psync"));
    ck_assert_int_eq(job_retune_note(&j, "iodepth=4", &next, note, sizeof(note), NULL), 0);
    ck_assert_uint_eq(next.iodepth, 1);
    ck_assert_str_ne(note, "");
    ck_assert_int_eq(job_set(&j, "ioengine", "libaio", NULL), 0);
    ck_assert_int_eq(job_retune_note(&j, "iodepth=4", &next, note, sizeof(note), NULL), 0);
    ck_assert_uint_eq(next.iodepth, 4);
    ck_assert_str_eq(note, "");
}
END_TEST

START_TEST(a_retune_is_a_new_version)
{
    struct job j = fresh(), next;
    struct err err = {0};
    char diff[256];
    ck_assert_int_eq(job_set(&j, "ioengine", "libaio", NULL), 0);
    ck_assert_int_eq(job_retune(&j, " bs=16k  iodepth=32 rw=randrw", &next, &err), 0);
    ck_assert_uint_eq(next.bs[0], 16384);
    ck_assert_uint_eq(next.iodepth, 32);
    ck_assert_uint_eq(j.bs[0], 4096);
    job_diff(&j, &next, diff, sizeof(diff));
    ck_assert_str_eq(diff, "rw read → randrw, bs 4k → 16k, iodepth 1 → 32");
    job_diff(&j, &j, diff, sizeof(diff));
    ck_assert_str_eq(diff, "");
}
END_TEST

START_TEST(a_bad_retune_changes_nothing)
{
    static const struct {
        const char *words, *has;
    } c[] = {{"", "iodepth=16"},
             {"iodepth=16 filename=/dev/sda", "filename: cannot change"},
             {"ioengine=null", "ioengine: cannot change"},
             {"bs=0", "bs=0:"},
             {"bss=4k", "did you mean bs?"}};
    struct job j = fresh(), next;
    struct err err = {0};
    memset(&next, 0xa5, sizeof(next));
    const struct job before = next;
    for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
        ck_assert_int_lt(job_retune(&j, c[i].words, &next, &err), 0);
        ck_assert_msg(strstr(err.text, c[i].has), "\"%s\" lacks \"%s\"", err.text, c[i].has);
        ck_assert_int_eq(memcmp(&next, &before, sizeof(next)), 0);
    }
}
END_TEST

static const struct {
    const char *field, *from;
    int dir;
    const char *words; /* NULL: the end of the range */
} steps[] = {
    {"iodepth", "8", 1, "iodepth=16"},   {"iodepth", "8", -1, "iodepth=4"},    {"iodepth", "6", 1, "iodepth=8"},
    {"iodepth", "6", -1, "iodepth=4"},   {"iodepth", "1", -1, NULL},           {"iodepth", "4096", 1, NULL},
    {"bs", "4k", 1, "bs=8k"},            {"bs", "512", -1, NULL},              {"bs", "16m", 1, NULL},
    {"bs", "1000", -1, "bs=512"},        {"numjobs", "3", -1, "numjobs=2"},    {"numjobs", "1", -1, NULL},
    {"numjobs", "512", 1, NULL},         {"rwmixread", "50", 1, "rwmixread=55"}, {"rwmixread", "100", 1, NULL},
    {"rwmixread", "3", -1, "rwmixread=0"}, {"rate_iops", "1000", 1, "rate_iops=2000"},
    {"rate_iops", "2000", 1, "rate_iops=5000"}, {"rate_iops", "1500", -1, "rate_iops=1000"},
    {"rate_iops", "1000000", 1, "rate_iops=0"}, {"rate_iops", "0", -1, "rate_iops=1000000"},
    {"rate_iops", "0", 1, NULL},         {"rate_iops", "1", -1, NULL},         {"name", "x", 1, NULL},
};

START_TEST(buffers_beyond_the_memory_are_refused)
{
    struct job j = fresh(), now;
    struct err err = {0};
    job_set(&j, "ioengine", "io_uring", NULL);
    job_set(&j, "numjobs", "512", NULL);
    job_set(&j, "iodepth", "4096", NULL);
    job_set(&j, "bs", "16m", NULL); /* 32 TiB */
    ck_assert_int_eq(job_check(&j, NULL, 0, &err), -EINVAL);
    ck_assert_ptr_nonnull(strstr(err.text, "iodepth=4096: with numjobs=512 and bs=16m needs 32.0T of buffers"));
    job_set(&j, "rw", "randrw", NULL);
    ck_assert_int_eq(job_check(&j, NULL, 0, &err), -EINVAL);
    ck_assert_ptr_nonnull(strstr(err.text, "needs 64.0T of buffers")); /* each has one to write from, too */
    job_set(&j, "rw", "write", NULL);
    job_set(&j, "scramble_buffers", "0", NULL); /* all write from one */
    ck_assert_int_eq(job_check(&j, NULL, 0, &err), 0);
    ck_assert_int_eq(job_retune(&j, "rw=read", &now, &err), -EINVAL);
    job_set(&j, "rw", "read", NULL);
    job_set(&j, "ioengine", "null", NULL); /* nothing is read into them */
    ck_assert_int_eq(job_check(&j, NULL, 0, &err), 0);
}
END_TEST

START_TEST(knobs_step)
{
    struct job j = fresh(), next;
    char words[128];
    ck_assert_int_eq(job_set(&j, "ioengine", "libaio", NULL), 0);
    ck_assert_int_eq(job_set(&j, "rw", "randrw", NULL), 0);
    ck_assert_int_eq(job_set(&j, steps[_i].field, steps[_i].from, NULL), 0);
    bool moved = job_step(&j, steps[_i].field, steps[_i].dir, words, sizeof(words));
    ck_assert_int_eq(moved, steps[_i].words != NULL);
    if (moved) {
        ck_assert_str_eq(words, steps[_i].words);
        ck_assert_int_eq(job_retune(&j, words, &next, NULL), 0);
    }
}
END_TEST

START_TEST(at_is_a_time_and_words)
{
    uint64_t at;
    char words[64];
    struct err err = {0};
    ck_assert_int_eq(job_parse_at("2s iodepth=32 bs=64k", &at, words, sizeof(words), &err), 0);
    ck_assert_uint_eq(at, 2 * NSEC_PER_SEC);
    ck_assert_str_eq(words, "iodepth=32 bs=64k");
    ck_assert_int_eq(job_parse_at("250ms bs=4k", &at, words, sizeof(words), &err), 0);
    ck_assert_uint_eq(at, 250 * NSEC_PER_MSEC);
    static const char *const wrong[] = {"", "2s", "2s  ", "iodepth=32", "soon iodepth=3"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        ck_assert_int_eq(job_parse_at(wrong[i], &at, words, sizeof(words), &err), -EINVAL);
        ck_assert_ptr_nonnull(strstr(err.text, "like \"2s iodepth=32\""));
    }
}
END_TEST

static int read_text(const char *text, struct job **ret, size_t *n, struct err *err)
{
    char path[] = "/tmp/benchtop-job-XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq((int)write(fd, text, strlen(text)), (int)strlen(text));
    close(fd);
    int rc = jobfile_read(path, NULL, NULL, NULL, ret, n, err);
    unlink(path);
    return rc;
}

START_TEST(a_job_file_reads_as_fio_reads_it)
{
    struct job *jobs;
    size_t n;
    struct err err = {0};
    int rc = read_text("; comment\n# another\n[global]\nrw=randread\n  bs=8k\ndirect\nfilename=/a:/b\n\n"
                       "[first]\n[second] ; trailing\niodepth = 16\nioengine=libaio\n\tdirect=0\n"
                       "[global]\nruntime=5\n[third]\n",
                       &jobs, &n, &err);
    ck_assert_msg(rc == 0, "%s", err.text);
    ck_assert_uint_eq(n, 3);
    ck_assert_str_eq(jobs[0].name, "first");
    ck_assert_uint_eq(jobs[0].bs[0], 8192);
    ck_assert(jobs[0].direct);
    ck_assert_int_eq(jobs[0].rw, JOB_RANDREAD);
    ck_assert_str_eq(jobs[0].filename, "/a:/b");
    ck_assert_str_eq(jobs[1].name, "second");
    ck_assert_uint_eq(jobs[1].iodepth, 16);
    ck_assert(!jobs[1].direct);
    ck_assert_uint_eq(jobs[1].runtime_ns, 0);
    ck_assert_uint_eq(jobs[2].runtime_ns, 5 * NSEC_PER_SEC);
    ck_assert_uint_eq(jobs[2].iodepth, 1);
    free(jobs);
}
END_TEST

START_TEST(a_job_file_takes_lines_as_long_as_their_values)
{
    struct job *jobs;
    size_t n;
    struct err err = {0};
    char path[JOB_PATH], text[JOB_PATH + 64], too_long[3 * JOB_PATH + 64];
    memset(path, 'p', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    snprintf(text, sizeof(text), "\xef\xbb\xbf[a]\nfilename = %s ; comment\nbs=8k", path);
    ck_assert_msg(read_text(text, &jobs, &n, &err) == 0, "%s", err.text);
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(jobs[0].filename, path);
    ck_assert_uint_eq(jobs[0].bs[0], 8192);
    free(jobs);
    snprintf(too_long, sizeof(too_long), "[a]\n%s%s%s", path, path, path);
    ck_assert_int_lt(read_text(too_long, &jobs, &n, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, ":2: the line is longer than"));
    snprintf(too_long, sizeof(too_long), "[a]\nbs=%.600s\n", path);
    ck_assert_int_lt(read_text(too_long, &jobs, &n, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, ":2: bs=ppp"));
}
END_TEST

START_TEST(a_job_file_is_text)
{
    static const char binary[] = "[a]\nbs=8k\0bs=4k\n";
    char path[] = "/tmp/benchtop-job-XXXXXX";
    int fd = mkstemp(path);
    struct job *jobs;
    size_t n;
    struct err err = {0};
    ck_assert_int_eq((int)write(fd, binary, sizeof(binary) - 1), (int)sizeof(binary) - 1);
    close(fd);
    ck_assert_int_lt(jobfile_read(path, NULL, NULL, NULL, &jobs, &n, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, ":2: is not text"));
    unlink(path);
}
END_TEST

static const struct {
    const char *text, *has[2];
} wrong_files[] = {
    {"[a]\nbs=4k\niodeph=4\n", {":3: unknown option iodeph; did you mean iodepth?"}},
    {"[global]\nbs=0\n[a]\n", {":2: bs=0:"}},
    {"bs=4k\n[a]\n", {":1: bs stands before the first [section]"}},
    {"[a]\nsize\n", {":2: size: needs a value"}},
    {"[a]\nrw:read\n", {":2: an option is written key=value"}},
    {"[a\nbs=4k\n", {":1: a section is written [name]"}},
    {"[a\tb]\n", {":1: name=a?b:"}},
    {"[]\n", {":1: a section is written [name]"}},
    {"[global]\nbs=4k\n", {"has no job"}},
    {"", {"has no job"}},
    {"[a]\nfilename=${DEV}\n", {":2: filename=${DEV}", "environment"}},
    {"[a]\n=4k\n", {":2: an option is written key=value"}},
};

START_TEST(a_wrong_job_file_names_the_line)
{
    struct job *jobs = NULL;
    size_t n = 0;
    struct err err = {0};
    ck_assert_int_lt(read_text(wrong_files[_i].text, &jobs, &n, &err), 0);
    ck_assert_ptr_null(jobs);
    for (size_t i = 0; i < 2 && wrong_files[_i].has[i]; i++)
        ck_assert_msg(strstr(err.text, wrong_files[_i].has[i]), "\"%s\" lacks \"%s\"", err.text,
                      wrong_files[_i].has[i]);
}
END_TEST

START_TEST(a_missing_job_file_is_named)
{
    struct job *jobs;
    size_t n;
    struct err err = {0};
    ck_assert_int_eq(jobfile_read("/nonexistent/x.fio", NULL, NULL, NULL, &jobs, &n, &err), -ENOENT);
    ck_assert_ptr_nonnull(strstr(err.text, "/nonexistent/x.fio"));
    ck_assert_int_lt(jobfile_read("/tmp", NULL, NULL, NULL, &jobs, &n, &err), 0);
}
END_TEST

/* A folder of files for a test; one level. */
static char folder[] = "/tmp/benchtop-job-XXXXXX";

static const char *put_file(const char *name, const char *text)
{
    static char path[128];
    static bool made;
    if (!made)
        ck_assert_ptr_nonnull(mkdtemp(folder));
    made = true;
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    return path;
}

static void drop_folder(void)
{
    char command[128];
    snprintf(command, sizeof(command), "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(a_job_file_includes_and_expands)
{
    struct job *jobs;
    size_t n;
    struct err err = {0};
    setenv("JOB_TEST_DIR", "/data", 1);
    setenv("JOB_TEST_KB", "8", 1);
    unsetenv("JOB_TEST_NONE");
    put_file("base.inc", "bs=${JOB_TEST_KB}k # of all\ndirect\n");
    const char *path = put_file("a.fio", "[global]\ninclude base.inc\nfilename=${JOB_TEST_DIR}/x#comment\n"
                                         "[one]\nsize=(2*${JOB_TEST_KB}+4)m;comment\nnumjobs=$ncpus\n"
                                         "runtime=(2s+500)\n[two]\nkb_base=1024\nsize=$pagesize*4\n"
                                         "[three]\nsize=3k\nkb_base=1000\nbs=0x400\n");
    ck_assert_msg(jobfile_read(path, NULL, NULL, NULL, &jobs, &n, &err) == 0, "%s", err.text);
    ck_assert_uint_eq(n, 3);
    ck_assert_uint_eq(jobs[0].bs[DDIR_READ], 8192);
    ck_assert(jobs[0].direct);
    ck_assert_str_eq(jobs[0].filename, "/data/x");
    expect_text(&jobs[0], "size", "20m");
    ck_assert_uint_eq(jobs[0].numjobs, (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
    ck_assert_uint_eq(jobs[0].runtime_ns, 2 * NSEC_PER_SEC + 500 * NSEC_PER_USEC);
    expect_text(&jobs[1], "size", "16k");
    expect_text(&jobs[2], "size", "3000"); /* kb_base holds wherever it stands */
    expect_text(&jobs[2], "bs", "1024");
    free(jobs);
    const char *const two[] = {"two", NULL}, *const four[] = {"two", "four", NULL};
    ck_assert_int_eq(jobfile_read(path, two, NULL, NULL, &jobs, &n, &err), 0);
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(jobs[0].name, "two");
    free(jobs);
    ck_assert_int_lt(jobfile_read(path, four, NULL, NULL, &jobs, &n, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, "--section=four"));
    drop_folder();
}
END_TEST

START_TEST(an_include_that_fails_names_its_place)
{
    static const char *const c[][3] = {
        {"[a]\ninclude b.inc\n", "bs=4k\niodeph=1\n", "b.inc:2: unknown option iodeph"},
        {"[a]\ninclude b.inc\n", "[b]\n", "b.inc:1: an included file holds options"},
        {"[a]\ninclude b.inc\n", "include b.inc\n", "b.inc:1: "},
        {"[a]\ninclude none.inc\n", "", "a.fio:2: "},
        {"include b.inc\n[a]\n", "bs=4k\n", "b.inc:1: bs stands before"},
        {"[a]\nfilename=/${JOB_TEST_NONE}\n", "", "a.fio:2: filename=/${JOB_TEST_NONE}: the environment has no"},
        {"[a]\nfilename=/${JOB\n", "", "a variable is written"},
        {"[a]\nsize=(2*3\n", "", "a.fio:2: size=(2*3"},
        {"[a]\nsize=(1/0)\n", "", "a.fio:2: size=(1/0)"},
        {"[a]\nsize=(1-2)\n", "", "a.fio:2: size=(1-2)"},
    };
    struct job *jobs = NULL;
    size_t n = 0;
    struct err err = {0};
    put_file("b.inc", c[_i][1]);
    const char *path = put_file("a.fio", c[_i][0]);
    unsetenv("JOB_TEST_NONE");
    ck_assert_int_lt(jobfile_read(path, NULL, NULL, NULL, &jobs, &n, &err), 0);
    ck_assert_msg(strstr(err.text, c[_i][2]), "\"%s\" lacks \"%s\"", err.text, c[_i][2]);
    drop_folder();
}
END_TEST

static int force_depth(struct job *j, void *arg, struct err *err)
{
    ++*(unsigned *)arg;
    return job_set(j, "iodepth", "7", err);
}

START_TEST(the_command_line_comes_last)
{
    char path[] = "/tmp/benchtop-job-XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_eq((int)write(fd, "[a]\niodepth=2\n[b]\n", 18), 18);
    close(fd);
    struct job *jobs;
    size_t n;
    unsigned calls = 0;
    int rc = jobfile_read(path, NULL, force_depth, &calls, &jobs, &n, NULL);
    unlink(path);
    ck_assert_int_eq(rc, 0);
    ck_assert_uint_eq(calls, 2);
    ck_assert_uint_eq(jobs[0].iodepth, 7);
    ck_assert_uint_eq(jobs[1].iodepth, 7);
    free(jobs);
}
END_TEST

#define COUNT(a) (int)(sizeof(a) / sizeof((a)[0]))

int main(void)
{
    Suite *s = suite_create("job");
    TCase *t = tcase_create("job");
    tcase_add_test(t, defaults_are_fio_s);
    tcase_add_loop_test(t, good_values_read_back, 0, COUNT(good));
    tcase_add_loop_test(t, bad_values_get_their_sentence, 0, COUNT(bad));
    tcase_add_test(t, words_that_change_nothing_are_taken_and_said);
    tcase_add_test(t, every_field_has_a_bit_of_its_own);
    tcase_add_test(t, a_far_word_gets_no_guess);
    int fields = 0;
    while (job_field((size_t)fields))
        fields++;
    tcase_add_loop_test(t, every_field_has_help_and_a_legal_default, 0, fields);
    tcase_add_loop_test(t, what_does_not_go_together, 0, COUNT(unfit));
    tcase_add_test(t, a_job_needs_a_filename);
    tcase_add_test(t, depth_on_a_synchronous_engine_is_one);
    tcase_add_test(t, a_retune_is_a_new_version);
    tcase_add_test(t, a_bad_retune_changes_nothing);
    tcase_add_test(t, buffers_beyond_the_memory_are_refused);
    tcase_add_loop_test(t, knobs_step, 0, COUNT(steps));
    tcase_add_test(t, at_is_a_time_and_words);
    tcase_add_test(t, a_job_file_reads_as_fio_reads_it);
    tcase_add_test(t, a_job_file_takes_lines_as_long_as_their_values);
    tcase_add_test(t, a_job_file_is_text);
    tcase_add_loop_test(t, a_wrong_job_file_names_the_line, 0, COUNT(wrong_files));
    tcase_add_test(t, a_missing_job_file_is_named);
    tcase_add_test(t, a_job_file_includes_and_expands);
    tcase_add_loop_test(t, an_include_that_fails_names_its_place, 0, 10);
    tcase_add_test(t, the_command_line_comes_last);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
