/* result_json_test: the document has fio's shape with the same keys whatever ran; bins sum to N and N is
 * total_ios; what is unknown is null. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/result.h"
#include "cli/result_json.h"
#include "core/str.h"
#include "tests/suite.h"

#define SECOND 1000000000ull

static struct frame_pool *pool;
static struct frame *whole;
static struct run_job_result *job;
static struct result r;
static struct json *doc;

static struct run_job_result *new_job(const char *name)
{
    struct run_job_result *j = calloc(1, sizeof(*j));
    job_init(&j->job);
    job_set(&j->job, "name", name, NULL);
    job_set(&j->job, "bs", "8k", NULL);
    for (int d = 0; d < DDIRS; d++) {
        hist_init(&j->sum.dir[d].clat);
        hist_init(&j->sum.dir[d].rlat);
    }
    hist_init(&j->sum.sync_lat);
    j->runtime_ns = j->clones_ns = 2 * SECOND;
    j->clones = 1;
    return j;
}

static void add_ios(struct run_job_result *j, int dir, uint64_t n, uint64_t lat_ns)
{
    j->sum.dir[dir].ios += n;
    j->sum.dir[dir].bytes += n * 8192;
    j->dir_runtime_ns[dir] = j->runtime_ns;
    hist_record(&j->sum.dir[dir].clat, lat_ns, n);
}

static void setup(void)
{
    pool = frame_pool_new();
    whole = frame_begin(pool);
    whole->dt_ns = 2 * SECOND;
    job = new_job("one");
    r = (struct result){.job = calloc(2, sizeof(*r.job)), .njobs = 1, .whole = whole, .real_ns = 5 * SECOND};
    r.job[0] = job;
}

static void teardown(void)
{
    json_free(doc);
    for (size_t i = 0; i < r.njobs; i++) {
        free(r.job[i]->target);
        free(r.job[i]->retune);
        free(r.job[i]);
    }
    free(r.job);
    frame_unref(whole);
    frame_pool_free(pool);
}

static const struct json *at(const char *path) /* "jobs/0/read/iops" */
{
    char copy[160], *p = copy, *word;
    const struct json *v = doc;
    ck_assert(str_copy(copy, sizeof(copy), path));
    while ((word = strsep(&p, "/"))) {
        const struct json *named = json_get(v, word);
        v = named || word[0] < '0' || word[0] > '9' ? named : json_at(v, (size_t)atoi(word));
        ck_assert_msg(v != NULL, "no %s in %s", word, path);
    }
    return v;
}

static double num(const char *path)
{
    return json_num(at(path));
}

static const char *const dirs[] = {"read", "write", "trim"};

START_TEST(test_all_keys_in_every_run)
{
    static const char *const dir_keys[] = {"io_bytes",  "bw_bytes",  "bw",      "iops",    "runtime",
                                           "total_ios", "short_ios", "slat_ns", "clat_ns", "lat_ns"};
    static const char *const lat_keys[] = {"min", "max", "mean", "stddev", "N", "percentile", "bins"};
    static const char *const top[] = {"host",    "devices", "cpus",    "layers",
                                      "foreign", "events",  "aborted", "run_id"};
    char path[96];
    doc = result_json(&r);
    for (int d = 0; d < 3; d++) {
        for (size_t k = 0; k < 10; k++) {
            snprintf(path, sizeof(path), "jobs/0/%s/%s", dirs[d], dir_keys[k]);
            at(path);
        }
        for (size_t k = 0; k < 7; k++) {
            snprintf(path, sizeof(path), "jobs/0/%s/clat_ns/%s", dirs[d], lat_keys[k]);
            at(path);
            snprintf(path, sizeof(path), "jobs/0/benchtop/rlat_ns/%s/%s", dirs[d], lat_keys[k]);
            at(path);
        }
    }
    for (size_t k = 0; k < 8; k++) {
        snprintf(path, sizeof(path), "benchtop/%s", top[k]);
        at(path);
    }
    at("jobs/0/sync/lat_ns/N");
    at("jobs/0/benchtop/cpu_ns_per_io/helpers");
    at("jobs/0/benchtop/steady_state");
    ck_assert(!strncmp(json_text(at("benchtop version")), "benchtop-", 9));
    ck_assert_double_eq(num("timestamp_ms"), 5000);
}
END_TEST

START_TEST(test_numbers_of_a_direction)
{
    add_ios(job, DDIR_READ, 990, 100);
    add_ios(job, DDIR_READ, 10, 120);
    doc = result_json(&r);
    ck_assert_double_eq(num("jobs/0/read/total_ios"), 1000);
    ck_assert_double_eq(num("jobs/0/read/io_bytes"), 8192000);
    ck_assert_double_eq(num("jobs/0/read/runtime"), 2000);
    ck_assert_double_eq(num("jobs/0/read/iops"), 500);
    ck_assert_double_eq(num("jobs/0/read/bw_bytes"), 4096000);
    ck_assert_double_eq(num("jobs/0/read/bw"), 4000);
    ck_assert_double_eq(num("jobs/0/read/clat_ns/N"), 1000);
    ck_assert_double_eq(num("jobs/0/read/clat_ns/min"), 100);
    ck_assert_double_eq(num("jobs/0/read/clat_ns/max"), 120);
    ck_assert_double_eq(num("jobs/0/read/clat_ns/mean"), 100.2);
    ck_assert_double_eq(num("jobs/0/read/clat_ns/percentile/99.000000"), 100);
    ck_assert_double_eq(num("jobs/0/read/clat_ns/percentile/99.500000"), 120);
    ck_assert_double_eq(num("jobs/0/read/lat_ns/percentile/99.990000"), 120);
    ck_assert_uint_eq(json_size(at("jobs/0/read/clat_ns/bins")), 2);
    ck_assert_double_eq(json_num(json_get(at("jobs/0/read/clat_ns/bins"), "100")), 990);
    ck_assert_double_eq(json_num(json_get(at("jobs/0/read/clat_ns/bins"), "120")), 10);
    /* not paced: the response time is the completion time */
    ck_assert_double_eq(num("jobs/0/benchtop/rlat_ns/read/N"), 1000);
    /* the other direction did nothing, and that is known */
    ck_assert_double_eq(num("jobs/0/write/iops"), 0);
    ck_assert_double_eq(num("jobs/0/write/clat_ns/N"), 0);
    ck_assert(json_is_null(at("jobs/0/write/clat_ns/mean")));
    ck_assert(json_is_null(at("jobs/0/write/clat_ns/percentile/50.000000")));
}
END_TEST

START_TEST(test_response_time_of_a_paced_run)
{
    add_ios(job, DDIR_WRITE, 4, 50);
    hist_record(&job->sum.dir[DDIR_WRITE].rlat, 90, 4);
    doc = result_json(&r);
    ck_assert_double_eq(num("jobs/0/write/clat_ns/mean"), 50);
    ck_assert_double_eq(num("jobs/0/benchtop/rlat_ns/write/mean"), 90);
}
END_TEST

START_TEST(test_slat_was_not_measured)
{
    add_ios(job, DDIR_READ, 5, 100);
    doc = result_json(&r);
    ck_assert_double_eq(num("jobs/0/read/slat_ns/N"), 0);
    ck_assert(json_is_null(at("jobs/0/read/slat_ns/min")));
    ck_assert(json_is_null(at("jobs/0/read/slat_ns/mean")));
}
END_TEST

START_TEST(test_spread_of_the_rates)
{
    add_ios(job, DDIR_READ, 1000, 100);
    doc = result_json(&r);
    ck_assert_double_eq(num("jobs/0/read/iops_samples"), 0);
    ck_assert(json_is_null(at("jobs/0/read/iops_min"))); /* no sample: unknown, not 0 */
    ck_assert(json_is_null(at("jobs/0/read/bw_agg")));
    json_free(doc);
    for (int v = 1; v <= 3; v++) {
        run_spread_add(&job->marks.iops[DDIR_READ], 100 * v);
        run_spread_add(&job->marks.bytes_per_s[DDIR_READ], 1024 * 1000 * v);
    }
    doc = result_json(&r);
    ck_assert_double_eq(num("jobs/0/read/iops_min"), 100);
    ck_assert_double_eq(num("jobs/0/read/iops_max"), 300);
    ck_assert_double_eq(num("jobs/0/read/iops_mean"), 200);
    ck_assert_double_eq(num("jobs/0/read/iops_stddev"), 100);
    ck_assert_double_eq(num("jobs/0/read/bw_samples"), 3);
    ck_assert_double_eq(num("jobs/0/read/bw_mean"), 2000); /* KiB/s */
    ck_assert_double_eq_tol(num("jobs/0/read/bw_agg"), 50, 0.01); /* of 4096000 bytes/s */
}
END_TEST

START_TEST(test_shares_of_latency_and_depth)
{
    add_ios(job, DDIR_READ, 1, 1);
    add_ios(job, DDIR_READ, 2, 2);
    add_ios(job, DDIR_WRITE, 3, 1500);
    add_ios(job, DDIR_READ, 4, 3 * SECOND);
    job_set(&job->job, "ioengine", "libaio", NULL);
    job_set(&job->job, "iodepth", "8", NULL);
    doc = result_json(&r);
    ck_assert_double_eq(num("jobs/0/latency_ns/2"), 10);
    ck_assert_double_eq(num("jobs/0/latency_ns/4"), 20);
    ck_assert_double_eq(num("jobs/0/latency_us/2"), 30);
    ck_assert_double_eq(num("jobs/0/latency_ms/>=2000"), 40);
    ck_assert_double_eq(num("jobs/0/latency_us/1000"), 0);
    ck_assert(json_is_null(at("jobs/0/iodepth_level/8"))); /* nobody looked */
    ck_assert(json_is_null(at("jobs/0/iodepth_submit/4")));
    json_free(doc);
    job->marks.depth[3] = 3;
    job->marks.depth[0] = 1;
    doc = result_json(&r);
    ck_assert_double_eq(num("jobs/0/iodepth_level/1"), 25);
    ck_assert_double_eq(num("jobs/0/iodepth_level/8"), 75);
    ck_assert_double_eq(num("jobs/0/iodepth_level/>=64"), 0);
}
END_TEST

START_TEST(test_the_percentiles_that_were_asked_for)
{
    add_ios(job, DDIR_READ, 99, 100);
    add_ios(job, DDIR_READ, 1, 120);
    struct err err = {0};
    ck_assert_int_eq(job_set(&job->job, "percentile_list", "99.5:50", NULL), 0);
    doc = result_json(&r);
    ck_assert_uint_eq(json_size(at("jobs/0/read/clat_ns/percentile")), 2);
    ck_assert_double_eq(num("jobs/0/read/clat_ns/percentile/50.000000"), 100);
    ck_assert_double_eq(num("jobs/0/read/clat_ns/percentile/99.500000"), 120);
    ck_assert_double_eq(num("jobs/0/iodepth_level/1"), 100); /* synchronous: no need to look */
    ck_assert_double_eq(num("jobs/0/iodepth_submit/4"), 100);
    static const char *const bad[] = {"0", "101", "50:", "a", "", "50,99", "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        ck_assert_msg(job_set(&job->job, "percentile_list", bad[i], &err) < 0, "%s", bad[i]);
}
END_TEST

START_TEST(test_what_all_jobs_say_alike)
{
    doc = result_json(&r);
    ck_assert_uint_eq(json_size(at("global options")), 0);
    json_free(doc);
    r.job[1] = new_job("two");
    r.njobs = 2;
    job_set(&r.job[1]->job, "iodepth", "4", NULL);
    doc = result_json(&r);
    ck_assert_uint_eq(json_size(at("global options")), 1);
    ck_assert_str_eq(json_text(at("global options/bs")), "8k");
}
END_TEST

/* fio's readers take the first bin of each histogram without looking. */
START_TEST(test_an_empty_histogram_has_one_empty_bin)
{
    doc = result_json(&r);
    ck_assert_uint_eq(json_size(at("jobs/0/trim/clat_ns/bins")), 1);
    ck_assert_double_eq(json_num(json_get(at("jobs/0/trim/clat_ns/bins"), "0")), 0);
}
END_TEST

START_TEST(test_job_options_are_what_was_given)
{
    doc = result_json(&r);
    ck_assert_str_eq(json_text(at("jobs/0/job options/name")), "one");
    ck_assert_str_eq(json_text(at("jobs/0/job options/bs")), "8k");
    ck_assert_ptr_null(json_get(at("jobs/0/job options"), "iodepth"));
}
END_TEST

START_TEST(test_cpu_is_unknown_while_a_worker_hangs)
{
    add_ios(job, DDIR_READ, 10, 100);
    job->user_ns = SECOND / 2;
    doc = result_json(&r);
    ck_assert(json_is_null(at("jobs/0/usr_cpu")));
    ck_assert(json_is_null(at("jobs/0/ctx")));
    ck_assert(json_is_null(at("jobs/0/benchtop/cpu_ns_per_io/user")));
    json_free(doc);
    job->have_usage = true;
    job->ctx = 7;
    doc = result_json(&r);
    ck_assert_double_eq(num("jobs/0/usr_cpu"), 25); /* half a second of two */
    ck_assert_double_eq(num("jobs/0/ctx"), 7);
    ck_assert_double_eq(num("jobs/0/benchtop/cpu_ns_per_io/user"), 5e7);
}
END_TEST

/* Two clones for the first second, one for the second: three seconds of clones. */
START_TEST(test_cpu_share_follows_the_time_of_clones)
{
    double user, system;
    job->have_usage = true;
    job->user_ns = 3 * SECOND / 2;
    job->clones_ns = 3 * SECOND;
    result_cpu(job, &user, &system);
    ck_assert_double_eq(user, 50);
    ck_assert_double_eq(system, 0);
}
END_TEST

START_TEST(test_disk_util_of_the_targets_device_alone)
{
    struct frame_dev *d = frame_devs_new(whole, 2);
    d[0].name = "loop7";
    d[0].major = 7;
    d[0].minor = 7;
    d[0].delta = (struct frame_dev_delta){
        .have = true, .reads = 1000, .read_sectors = 16000, .read_ms = 90, .io_ticks_ms = 500, .queue_ms = 91};
    d[1].name = "other";
    job->target = calloc(1, sizeof(*job->target));
    job->ntargets = 1;
    str_copy(job->target[0].path, sizeof(job->target[0].path), "/dev/loop7");
    job->target[0].major = 7;
    job->target[0].minor = 7;
    doc = result_json(&r);
    ck_assert_uint_eq(json_size(at("disk_util")), 1);
    ck_assert_str_eq(json_text(at("disk_util/0/name")), "loop7");
    ck_assert_double_eq(num("disk_util/0/read_ios"), 1000);
    ck_assert_double_eq(num("disk_util/0/read_ticks"), 90);
    ck_assert_double_eq(num("disk_util/0/in_queue"), 91);
    ck_assert_double_eq(num("disk_util/0/util"), 25);
    ck_assert_str_eq(json_text(at("jobs/0/benchtop/targets/0/device")), "loop7");
    ck_assert_uint_eq(json_size(at("benchtop/devices")), 2);
}
END_TEST

START_TEST(test_groups_sum_up)
{
    struct run_job_result *b = new_job("two");
    add_ios(job, DDIR_READ, 10, 100);
    add_ios(b, DDIR_READ, 30, 120);
    b->runtime_ns = b->dir_runtime_ns[DDIR_READ] = 4 * SECOND;
    b->error = (struct err){-EIO, "two failed"};
    ck_assert_int_eq(result_merge(job, b), 0);
    doc = result_json(&r);
    ck_assert_double_eq(num("jobs/0/read/total_ios"), 40);
    ck_assert_double_eq(num("jobs/0/read/clat_ns/N"), 40);
    ck_assert_double_eq(num("jobs/0/read/runtime"), 4000);
    ck_assert_double_eq(num("jobs/0/read/iops"), 10);
    ck_assert_double_eq(num("jobs/0/error"), EIO);
    free(b);
}
END_TEST

START_TEST(test_aborted_and_retunes_are_told)
{
    r.aborted = true;
    job->retune = calloc(1, sizeof(*job->retune));
    job->nretunes = 1;
    job->retune[0] = (struct run_retune){.at_ns = SECOND, .words = "iodepth=16"};
    doc = result_json(&r);
    ck_assert_double_eq(num("jobs/0/benchtop/retunes/0/at_ns"), 1e9);
    ck_assert(json_is_null(at("jobs/0/benchtop/retunes/0/applied_ns")));
    ck_assert_str_eq(json_text(at("jobs/0/benchtop/retunes/0/words")), "iodepth=16");
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    json_write(at("benchtop/aborted"), out, 0);
    fclose(out);
    ck_assert_str_eq(text, "true\n");
    free(text);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("result_json");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_all_keys_in_every_run);
    tcase_add_test(t, test_numbers_of_a_direction);
    tcase_add_test(t, test_response_time_of_a_paced_run);
    tcase_add_test(t, test_slat_was_not_measured);
    tcase_add_test(t, test_spread_of_the_rates);
    tcase_add_test(t, test_shares_of_latency_and_depth);
    tcase_add_test(t, test_the_percentiles_that_were_asked_for);
    tcase_add_test(t, test_what_all_jobs_say_alike);
    tcase_add_test(t, test_an_empty_histogram_has_one_empty_bin);
    tcase_add_test(t, test_job_options_are_what_was_given);
    tcase_add_test(t, test_cpu_is_unknown_while_a_worker_hangs);
    tcase_add_test(t, test_cpu_share_follows_the_time_of_clones);
    tcase_add_test(t, test_disk_util_of_the_targets_device_alone);
    tcase_add_test(t, test_groups_sum_up);
    tcase_add_test(t, test_aborted_and_retunes_are_told);
    return suite_run("result_json", t);
}
