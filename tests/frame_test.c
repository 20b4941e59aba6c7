/* Tests of core/frame and its pool: unknown is not zero, memory stays flat, frames outlive the pool. */
#include "core/frame.h"

#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"

static struct frame_pool *pool;

static void setup(void)
{
    pool = frame_pool_new();
}

static void teardown(void)
{
    frame_pool_free(pool);
}

static void assert_unknown_cpu(const struct frame_cpu *c)
{
    ck_assert(c->package == -1 && c->die == -1 && c->core == -1 && c->nsiblings == 0);
    ck_assert(isnan(c->user_pct) && isnan(c->nice_pct) && isnan(c->guest_pct) && isnan(c->system_pct));
    ck_assert(isnan(c->iowait_pct) && isnan(c->irq_pct) && isnan(c->softirq_pct) && isnan(c->steal_pct));
    ck_assert(isnan(c->idle_pct) && isnan(c->busy_pct) && isnan(c->mhz) && isnan(c->temp_c));
}

static void assert_unknown_frame(const struct frame *f)
{
    ck_assert(f->seq == 0 && f->dt_ns == 0 && !f->discontinuity);
    ck_assert(f->ncpus == 0 && f->ndevs == 0 && f->nsensors == 0 && f->nload == 0);
    ck_assert(f->ngauges == 0 && f->nevents == 0);
    ck_assert_uint_eq(f->nhosts, 1);
    ck_assert_str_eq(f->hosts[0].name, "");
    ck_assert_str_eq(f->smt.control, "");
    ck_assert(f->smt.active == FRAME_UNKNOWN && f->smt.threads_per_core == -1);
    assert_unknown_cpu(&f->cpu_total);
    const double *t = &f->totals.read_iops, *m = &f->memory.total_bytes;
    for (size_t i = 0; i < sizeof f->totals / sizeof *t; i++)
        ck_assert_double_nan(t[i]);
    for (size_t i = 0; i < sizeof f->memory / sizeof *m; i++)
        ck_assert_double_nan(m[i]);
    ck_assert(isnan(f->pressure_io.some_pct) && isnan(f->pressure_io.full_pct));
    ck_assert_str_eq(f->pressure_cpu.state, "");
    ck_assert(isnan(f->self.cpu_pct) && isnan(f->self.sample_us));
}

static void assert_unknown_dev(const struct frame_dev *d)
{
    const char *const texts[] = {d->name, d->kind, d->parent, d->backing_file, d->model, d->serial, d->scheduler};
    const double values[] = {
        d->size_bytes,
        d->read_iops,
        d->write_iops,
        d->discard_iops,
        d->flush_iops,
        d->read_bytes_per_s,
        d->write_bytes_per_s,
        d->discard_bytes_per_s,
        d->read_merged_per_s,
        d->write_merged_per_s,
        d->read_await_ms,
        d->write_await_ms,
        d->discard_await_ms,
        d->flush_await_ms,
        d->read_req_bytes,
        d->write_req_bytes,
        d->inflight,
        d->queue_depth,
        d->busy_pct,
        d->errors,
        d->temp_c,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_str_eq(texts[i], "");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ck_assert_double_nan(values[i]);
    ck_assert(d->diskseq == -1 && d->rotational == -1 && d->nmembers == 0 && !d->delta.have);
    ck_assert(d->stats == FRAME_UNKNOWN && d->state == FRAME_DEV_UNKNOWN);
}

static void assert_unknown_dir(const struct frame_dir *d)
{
    const struct frame_lat *lat[] = {&d->clat, &d->rlat, &d->clat_total};
    ck_assert(isnan(d->iops) && isnan(d->bytes_per_s));
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(lat[i]->n, 0);
        ck_assert(isnan(lat[i]->p50) && isnan(lat[i]->p90) && isnan(lat[i]->p99) && isnan(lat[i]->p999));
        ck_assert(isnan(lat[i]->max) && isnan(lat[i]->mean) && isnan(lat[i]->min));
    }
}

START_TEST(everything_begins_unknown)
{
    struct frame *f = frame_begin(pool);
    assert_unknown_frame(f);
    struct frame_cpu *c = frame_cpus_new(f, 3);
    struct frame_dev *d = frame_devs_new(f, 2);
    struct frame_sensor *s = frame_sensors_new(f, 1);
    struct frame_load *l = frame_load_new(f, 2);
    struct frame_target *t = frame_targets_new(f, 2);
    ck_assert(f->cpus == c && f->ncpus == 3 && f->devs == d && f->ndevs == 2);
    ck_assert(f->sensors == s && f->nsensors == 1 && f->load == l && f->nload == 2);
    assert_unknown_cpu(&c[2]);
    assert_unknown_dev(&d[1]);
    ck_assert(isnan(s->value) && isnan(s->age_s));
    ck_assert_str_eq(s->label, "");
    for (int i = 0; i < FRAME_DDIRS; i++) {
        assert_unknown_dir(&l[1].dir[i]);
        assert_unknown_dir(&t[1].dir[i]);
    }
    ck_assert(isnan(l[1].inflight) && isnan(l[1].runtime_s) && isnan(l[1].cpu_pct));
    ck_assert_str_eq(l[1].error, "");
    ck_assert_str_eq(t[1].device, "");
    frame_unref(f);
}
END_TEST

/* What the last user of the memory wrote must not shine through. */
START_TEST(a_recycled_frame_is_as_new)
{
    struct frame *f = frame_begin(pool);
    f->seq = 9;
    f->cpu_total.busy_pct = 50;
    memset(frame_alloc(f, 5000), 0xff, 5000);
    frame_event(f, 1, "state", "x");
    frame_unref(f);
    struct frame *again = frame_begin(pool);
    ck_assert_ptr_eq(again, f);
    assert_unknown_frame(again);
    const char *p = frame_alloc(again, 5000);
    for (int i = 0; i < 5000; i++)
        ck_assert_int_eq(p[i], 0);
    frame_unref(again);
}
END_TEST

static void fill(struct frame *f, int rows)
{
    char name[16];
    frame_devs_new(f, (size_t)rows);
    for (int i = 0; i < rows; i++) {
        snprintf(name, sizeof name, "g%d", i);
        frame_gauge(f, "test", name, "1/s", i);
        frame_event(f, (uint64_t)i, "warning", "%s is %d", name, i);
    }
}

START_TEST(lists_grow_and_keep_what_they_have)
{
    struct frame *f = frame_begin(pool);
    fill(f, 500);
    ck_assert_uint_eq(f->nevents, 500);
    ck_assert_uint_eq(f->ngauges, 500);
    for (size_t i = 0; i < 500; i++) {
        char text[32];
        snprintf(text, sizeof text, "g%zu is %zu", i, i);
        ck_assert_uint_eq(f->events[i].time_ns, i);
        ck_assert_str_eq(f->events[i].kind, "warning");
        ck_assert_str_eq(f->events[i].text, text);
        ck_assert_double_eq(f->gauges[i].value, (double)i);
        ck_assert_str_eq(f->gauges[i].unit, "1/s");
    }
    frame_unref(f);
}
END_TEST

START_TEST(texts_are_copies)
{
    struct frame *f = frame_begin(pool);
    char s[] = "sda";
    const char *copy = frame_text(f, s);
    s[0] = 'x';
    ck_assert_str_eq(copy, "sda");
    ck_assert_str_eq(frame_text(f, NULL), "");
    frame_unref(f);
}
END_TEST

START_TEST(memory_is_aligned_and_apart)
{
    struct frame *f = frame_begin(pool);
    char *before = frame_alloc(f, 1);
    for (size_t n = 1; n < 200000; n = n * 3 + 1) {
        char *p = frame_alloc(f, n);
        ck_assert_uint_eq((uintptr_t)p % 16, 0);
        ck_assert_ptr_ne(p, before);
        memset(p, 1, n);
        before = p;
    }
    frame_unref(f);
}
END_TEST

START_TEST(a_steady_state_needs_no_new_memory)
{
    struct frame *f;
    for (int i = 0; i < 3; i++) { /* the arena finds its size */
        f = frame_begin(pool);
        fill(f, 400);
        frame_unref(f);
    }
    f = frame_begin(pool);
    const char *first = frame_alloc(f, 1);
    frame_unref(f);
    size_t used = mallinfo2().uordblks;
    for (int i = 0; i < 100; i++) {
        f = frame_begin(pool);
        ck_assert_ptr_eq(frame_alloc(f, 1), first);
        fill(f, 400);
        frame_unref(f);
    }
    ck_assert_uint_eq(mallinfo2().uordblks, used);
}
END_TEST

START_TEST(a_frame_outlives_its_pool)
{
    struct frame_pool *p = frame_pool_new();
    struct frame *a = frame_begin(p), *b = frame_begin(p), *spare = frame_begin(p);
    frame_event(a, 7, "state", "still here");
    frame_unref(spare);
    struct frame *second = frame_ref(a);
    ck_assert_ptr_eq(second, a);
    frame_pool_free(p);
    frame_unref(a);
    ck_assert_str_eq(second->events[0].text, "still here");
    frame_unref(second);
    frame_unref(b);
    frame_unref(NULL);
    frame_pool_free(NULL);
}
END_TEST

static void *drop(void *arg)
{
    struct frame *const *f = arg;
    for (int i = 0; i < 2000; i++)
        frame_unref(f[i]);
    return NULL;
}

START_TEST(references_may_be_dropped_anywhere)
{
    static struct frame *f[2000];
    pthread_t t[3];
    for (int i = 0; i < 2000; i++) {
        f[i] = frame_begin(pool);
        frame_ref(f[i]);
        frame_ref(f[i]);
    }
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(pthread_create(&t[i], NULL, drop, f), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 2000; i++) { /* each came home once: no frame is handed out twice */
        f[i] = frame_begin(pool);
        ck_assert_uint_eq(f[i]->seq, 0);
        f[i]->seq = 1;
    }
    for (int i = 0; i < 2000; i++)
        frame_unref(f[i]);
}
END_TEST

START_TEST(latency_is_summed_up)
{
    static struct hist h;
    struct frame *f = frame_begin(pool);
    hist_init(&h);
    struct frame_lat lat = frame_lat_of(&h);
    ck_assert(lat.n == 0 && isnan(lat.p50) && isnan(lat.max) && isnan(lat.mean));
    ck_assert_uint_eq(frame_hist(f, &h).n, 0);
    for (uint64_t v = 1; v <= 100; v++)
        hist_record(&h, v, 10);
    lat = frame_lat_of(&h);
    ck_assert_uint_eq(lat.n, 1000);
    ck_assert(lat.p50 == 50 && lat.p90 == 90 && lat.p99 == 99 && lat.p999 == 100);
    ck_assert(lat.min == 1 && lat.max == 100 && lat.mean == 50.5);
    struct hist_sparse sparse = frame_hist(f, &h);
    ck_assert_uint_eq(sparse.n, 100);
    ck_assert(sparse.bin[99].index == 100 && sparse.bin[99].count == 10);
    frame_unref(f);
}
END_TEST

START_TEST(rows_are_found_by_name)
{
    struct frame *f = frame_begin(pool);
    struct frame_dev *d = frame_devs_new(f, 2);
    struct frame_cpu *c = frame_cpus_new(f, 2);
    d[0].name = "sda";
    d[1].name = "sda1";
    c[0].id = 0;
    c[1].id = 4;
    ck_assert_ptr_eq(frame_find_dev(f, "sda1"), &d[1]);
    ck_assert_ptr_null(frame_find_dev(f, "sd"));
    ck_assert_ptr_eq(frame_find_cpu(f, 4), &c[1]);
    ck_assert_ptr_null(frame_find_cpu(f, 1));
    frame_unref(f);
}
END_TEST

START_TEST(states_have_their_words)
{
    static const char *const want[] = {"ready",   "layout",   "ramp", "running", "paused",
                                       "stalled", "stopping", "done", "failed"};
    for (int i = LOAD_READY; i <= LOAD_FAILED; i++)
        ck_assert_str_eq(frame_load_state_name((enum frame_load_state)i), want[i]);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("frame");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, everything_begins_unknown);
    tcase_add_test(tc, a_recycled_frame_is_as_new);
    tcase_add_test(tc, lists_grow_and_keep_what_they_have);
    tcase_add_test(tc, texts_are_copies);
    tcase_add_test(tc, memory_is_aligned_and_apart);
    tcase_add_test(tc, a_steady_state_needs_no_new_memory);
    tcase_add_test(tc, a_frame_outlives_its_pool);
    tcase_add_test(tc, references_may_be_dropped_anywhere);
    tcase_add_test(tc, latency_is_summed_up);
    tcase_add_test(tc, rows_are_found_by_name);
    tcase_add_test(tc, states_have_their_words);
    return suite_run("frame", tc);
}
