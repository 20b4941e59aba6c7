/* frame_json_test: every documented key is there even in a frame that knows nothing, unknown is null and never 0,
 * and what is known stands under its key. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/frame_json.h"
#include "tests/suite.h"

static struct frame_pool *pool;
static struct frame *f;
static struct json *doc;

static void setup(void)
{
    pool = frame_pool_new();
    f = frame_begin(pool);
}

static void teardown(void)
{
    json_free(doc);
    frame_unref(f);
    frame_pool_free(pool);
}

/* A value by path: "devices.0.name". */
static const struct json *at(const char *path)
{
    char copy[128], *p = copy, *word;
    const struct json *v = doc;
    strcpy(copy, path);
    while ((word = strsep(&p, "."))) {
        v = word[0] >= '0' && word[0] <= '9' ? json_at(v, (size_t)atoi(word)) : json_get(v, word);
        ck_assert_msg(v != NULL, "no %s in %s", word, path);
    }
    return v;
}

static void has_keys(const char *path, const char *keys)
{
    char copy[2048], *p = copy, *key;
    const struct json *o = path[0] ? at(path) : doc;
    strcpy(copy, keys);
    while ((key = strsep(&p, " ")))
        ck_assert_msg(json_get(o, key) != NULL, "no key %s under '%s'", key, path);
}

static void is_num(const char *path, double want)
{
    ck_assert_msg(json_num(at(path)) == want, "%s is %g, not %g", path, json_num(at(path)), want);
}

static void is_text(const char *path, const char *want)
{
    ck_assert_ptr_nonnull(json_text(at(path)));
    ck_assert_str_eq(json_text(at(path)), want);
}

static void is_null(const char *path)
{
    ck_assert_msg(json_is_null(at(path)), "%s is not null", path);
}

START_TEST(test_all_keys_of_an_empty_frame)
{
    doc = frame_json(f);
    has_keys("", "time_ns dt_ns hosts discontinuity smt cpus devices totals md sensors memory pressure nfs irq "
                 "gauges load layers foreign bottleneck events self");
    has_keys("smt", "control active threads_per_core");
    has_keys("totals", "read_iops write_iops discard_iops read_bytes_per_s write_bytes_per_s discard_bytes_per_s "
                       "flush_iops read_merged_per_s write_merged_per_s");
    has_keys("memory", "total_bytes available_bytes dirty_bytes writeback_bytes cached_bytes");
    has_keys("pressure", "cpu io memory");
    has_keys("pressure.io", "some_pct full_pct state");
    has_keys("bottleneck", "text evidence");
    has_keys("self", "cpu_pct frames missed sample_us");
    is_null("smt.control");
    is_null("smt.active");
    is_null("totals.read_iops");
    is_null("memory.total_bytes");
    is_null("pressure.io.state");
    ck_assert_uint_eq(json_size(at("devices")), 0);
}
END_TEST

START_TEST(test_an_unknown_cpu_row)
{
    struct frame_cpu *c = frame_cpus_new(f, 1);
    c->id = 7;
    doc = frame_json(f);
    has_keys("cpus.0", "id online package die core siblings user_pct nice_pct guest_pct system_pct iowait_pct "
                       "irq_pct softirq_pct steal_pct idle_pct busy_pct mhz temp_c");
    is_num("cpus.0.id", 7);
    is_null("cpus.0.package");
    is_null("cpus.0.core");
    is_null("cpus.0.busy_pct");
    is_null("cpus.0.temp_c");
    ck_assert_uint_eq(json_size(at("cpus.0.siblings")), 0);
}
END_TEST

START_TEST(test_a_known_cpu_row)
{
    static const uint16_t siblings[] = {1, 5};
    struct frame_cpu *c = frame_cpus_new(f, 1);
    *c = (struct frame_cpu){.id = 5, .online = true, .core = 0, .package = 1, .die = 0, .siblings = siblings,
                            .nsiblings = 2, .user_pct = 12.5, .busy_pct = 112.5, .mhz = NAN, .temp_c = 54};
    doc = frame_json(f);
    is_num("cpus.0.core", 0); /* known to be 0 */
    is_num("cpus.0.siblings.1", 5);
    is_num("cpus.0.user_pct", 12.5);
    is_num("cpus.0.busy_pct", 112.5); /* not clamped */
    is_null("cpus.0.mhz");
    is_num("cpus.0.temp_c", 54);
}
END_TEST

START_TEST(test_an_unknown_device_row)
{
    struct frame_dev *d = frame_devs_new(f, 1);
    d->name = "cciss/c0d0";
    d->state = FRAME_DEV_UNKNOWN;
    d->stats = FRAME_UNKNOWN;
    doc = frame_json(f);
    has_keys("devices.0",
             "name major minor diskseq kind parent members model serial size_bytes hidden stats state read_iops "
             "write_iops discard_iops flush_iops read_bytes_per_s write_bytes_per_s discard_bytes_per_s "
             "read_merged_per_s write_merged_per_s read_await_ms write_await_ms discard_await_ms flush_await_ms "
             "read_req_bytes write_req_bytes inflight queue_depth busy_pct errors temp_c");
    is_text("devices.0.name", "cciss/c0d0");
    is_null("devices.0.diskseq");
    is_null("devices.0.model");
    is_null("devices.0.stats");
    is_null("devices.0.state");
    is_null("devices.0.read_await_ms");
    is_null("devices.0.busy_pct");
}
END_TEST

START_TEST(test_a_known_device_row)
{
    static const char *const members[] = {"sda", "sdb"};
    struct frame_dev *d = frame_devs_new(f, 1);
    d->name = "md0";
    d->kind = "md";
    d->major = 9;
    d->members = members;
    d->nmembers = 2;
    d->stats = FRAME_NO;
    d->state = FRAME_DEV_STALLED;
    d->read_iops = 0; /* measured: nothing happened */
    d->write_bytes_per_s = 1e11;
    d->write_await_ms = 0.25;
    d->busy_pct = 101.5;
    doc = frame_json(f);
    is_text("devices.0.members.1", "sdb");
    is_text("devices.0.stats", "off");
    is_text("devices.0.state", "stalled");
    is_num("devices.0.read_iops", 0);
    is_num("devices.0.write_bytes_per_s", 1e11);
    is_num("devices.0.write_await_ms", 0.25);
    is_num("devices.0.busy_pct", 101.5);
    is_null("devices.0.read_await_ms");
}
END_TEST

START_TEST(test_load_row_keeps_directions_apart)
{
    struct hist *h = calloc(1, sizeof(*h));
    hist_init(h);
    for (uint64_t v = 1; v <= 100; v++)
        hist_record(h, v, 1); /* below 128: exact */
    struct frame_load *l = frame_load_new(f, 1);
    l->name = "job";
    l->state = LOAD_RUNNING;
    l->rw = "randrw";
    l->iodepth = 16;
    l->bs = 16384;
    l->dir[FRAME_READ].iops = 700;
    l->dir[FRAME_WRITE].iops = 300;
    l->dir[FRAME_WRITE].total_bytes = 1234567890123ull;
    l->dir[FRAME_WRITE].clat = frame_lat_of(h);
    doc = frame_json(f);
    has_keys("load.0", "name state rw bs iodepth numjobs read_iops write_iops trim_iops read_bytes_per_s "
                       "write_bytes_per_s inflight read_clat_ns write_clat_ns read_rlat_ns write_rlat_ns targets "
                       "errors error stalled_s");
    has_keys("load.0.read_clat_ns", "p50 p90 p99 p999 max mean");
    is_text("load.0.state", "running");
    is_num("load.0.read_iops", 700);
    is_num("load.0.write_iops", 300);
    is_num("load.0.write_total_bytes", 1234567890123.0);
    is_num("load.0.write_clat_ns.p50", 50);
    is_num("load.0.write_clat_ns.p99", 99);
    is_num("load.0.write_clat_ns.max", 100);
    is_num("load.0.write_clat_ns.mean", 50.5);
    is_null("load.0.read_clat_ns.p50");
    is_null("load.0.error");
    free(h);
}
END_TEST

START_TEST(test_events_in_order)
{
    frame_event(f, 10, "retune", "iodepth %d", 16);
    frame_event(f, 20, "error", "sda gone");
    doc = frame_json(f);
    ck_assert_uint_eq(json_size(at("events")), 2);
    is_num("events.0.time_ns", 10);
    is_text("events.0.text", "iodepth 16");
    is_text("events.1.kind", "error");
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("frame_json");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_all_keys_of_an_empty_frame);
    tcase_add_test(t, test_an_unknown_cpu_row);
    tcase_add_test(t, test_a_known_cpu_row);
    tcase_add_test(t, test_an_unknown_device_row);
    tcase_add_test(t, test_a_known_device_row);
    tcase_add_test(t, test_load_row_keeps_directions_apart);
    tcase_add_test(t, test_events_in_order);
    return suite_run("frame_json", t);
}
