/* A disk in memory that does its requests in any order, and may do one of them wrong: a worker that verifies finds
 * that, and nothing where nothing is wrong. */
#include "engine/worker.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/str.h"
#include "engine/rng.h"

#define BLOCK 4096u
#define BLOCKS 64u
#define DEPTH 32u

enum harm { NONE, LOSE, MISDIRECT, FLIP, TEAR };

struct disk {
    unsigned char byte[BLOCKS * BLOCK];
    struct io *queue[512];
    unsigned n;
    struct rng rng;
};

static struct { /* what the next disk does */
    enum harm harm;
    unsigned on; /* the write that it happens to, from 1 */
    unsigned writes;
    bool apart;    /* overlapping requests must not meet */
    unsigned met;  /* how often they did */
    uint64_t at;   /* where the harm was done */
    unsigned most; /* in flight */
} lab;

static int disk_open(const struct backend_config *cfg, void **ret, struct err *err)
{
    struct disk *d = calloc(1, sizeof(*d));
    rng_seed(&d->rng, 4);
    *ret = d;
    return 0;
}

static void disk_close(void *state)
{
    free(state);
}

static void meets(struct disk *d, const struct io *io)
{
    for (unsigned i = 0; i < d->n; i++) {
        const struct io *o = d->queue[i];
        if (o->offset < io->offset + io->len && io->offset < o->offset + o->len &&
            (o->ddir != DDIR_READ || io->ddir != DDIR_READ))
            lab.met++;
    }
}

static int disk_submit(void *state, struct io *const *ios, unsigned n)
{
    struct disk *d = state;
    for (unsigned i = 0; i < n; i++) {
        meets(d, ios[i]);
        d->queue[d->n++] = ios[i];
    }
    lab.most = d->n > lab.most ? d->n : lab.most;
    return (int)n;
}

static void write_one(struct disk *d, const struct io *io)
{
    bool wrong = lab.harm && ++lab.writes == lab.on;
    uint64_t at = io->offset;
    size_t len = io->len;
    lab.at = wrong ? at : lab.at;
    if (wrong && lab.harm == LOSE)
        return;
    if (wrong && lab.harm == MISDIRECT)
        at = (at + BLOCK) % sizeof(d->byte);
    if (wrong && lab.harm == TEAR)
        len = 1024;
    memcpy(d->byte + at, io->buf, len);
    if (wrong && lab.harm == FLIP)
        d->byte[at + 1000] ^= 4;
}

static void do_one(struct disk *d, struct io *io)
{
    io->res = (int32_t)io->len;
    if (io->ddir == DDIR_READ)
        memcpy(io->buf, d->byte + io->offset, io->len);
    else if (io->ddir == DDIR_TRIM)
        memset(d->byte + io->offset, 0, io->len);
    else if (io->ddir == DDIR_WRITE)
        write_one(d, io);
    else
        io->res = 0;
}

/* A few of them, in any order. */
static int disk_reap(void *state, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
    struct disk *d = state;
    unsigned n = 0;
    if (d->n < DEPTH / 2 && rng_below(&d->rng, 8) && min == 0)
        return 0;
    while (d->n && n < max && n < 1 + rng_below(&d->rng, 4)) {
        unsigned i = (unsigned)rng_below(&d->rng, d->n);
        struct io *io = d->queue[i];
        d->queue[i] = d->queue[--d->n];
        do_one(d, io);
        done[n++] = io;
    }
    return (int)n;
}

static const struct backend disk = {.name = "disk",
                                    .blurb = "in memory",
                                    .open = disk_open,
                                    .submit = disk_submit,
                                    .reap = disk_reap,
                                    .close = disk_close};

static struct job job_of(const char *words)
{
    struct job j;
    struct err err = {0};
    char text[512];
    job_init(&j);
    str_copy(text, sizeof(text), words);
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " ")) {
        char *value = strchr(w, '=');
        *value = '\0';
        ck_assert_msg(job_set(&j, w, value + 1, &err) == 0, "%s", err.text);
    }
    job_set(&j, "filename", "D", NULL);
    j.iodepth = DEPTH;
    str_copy(j.ioengine, sizeof(j.ioengine), "libaio");
    ck_assert_msg(job_check(&j, NULL, 0, &err) == 0, "%s", err.text);
    return j;
}

static struct targets *make_targets(void)
{
    struct targets *t = calloc(1, sizeof(*t));
    ck_assert_int_eq(targets_alloc(t, 1), 0);
    t->t[0].is_null = true;
    t->t[0].end = t->t[0].place.bound = BLOCKS * BLOCK;
    t->t[0].path = strdup("D");
    ck_assert_int_eq(targets_group(t), 0);
    return t;
}

/* From start to end: what was checked, and the sentence of its error. */
static struct verify_count run(const char *words, struct err *err, struct counters *sum)
{
    struct job j = job_of(words);
    struct targets *t = make_targets();
    struct worker *w;
    struct verify_count n = {0};
    ck_assert_msg(worker_new_on(&disk, &(struct backend_config){0}, &j, 0, t, &w, err) == 0, "%s", err->text);
    worker_go(w);
    ck_assert(worker_wait(w, clock_now_ns() + 30 * NSEC_PER_SEC));
    worker_error(w, err);
    if (worker_verify(w))
        verify_count_add(&n, worker_verify(w));
    counters_clear(sum);
    counters_add(sum, worker_counters(w, 0));
    worker_free(w);
    targets_close(t);
    free(t);
    return n;
}

static const char *const loads[] = {
    "rw=randwrite bs=4k norandommap=1 loops=20",
    "rw=randrw bs=4k norandommap=1 loops=20",
    "rw=randwrite bsrange=4k-32k norandommap=1 loops=20",
    "rw=randrw bs=16k,4k norandommap=1 loops=20",
    "rw=randrw bs=16k,4k norandommap=1 loops=20 verify_backlog=7",
    "rw=randtrimwrite bs=4k loops=10",
    "rw=write bs=8k loops=10",
};

START_TEST(never_without_cause)
{
    struct err err = {0};
    struct counters *sum = counters_map(1);
    char words[256];
    lab.harm = NONE;
    str_format(words, sizeof(words), "%s verify=crc32c", loads[_i]);
    struct verify_count n = run(words, &err, sum);
    ck_assert_msg(err.code == 0, "%s", err.text);
    ck_assert_uint_gt(n.checked, BLOCKS / 4);
    ck_assert_uint_eq(n.failures, 0);
    ck_assert_uint_eq(lab.met, 0);
    ck_assert_uint_gt(lab.most, 8); /* and yet many were in flight */
    counters_unmap(sum, 1);
}
END_TEST

/* A mixed load on a blank disk whose first request is a read: what was never written is not checked. */
START_TEST(reads_before_the_first_write)
{
    struct err err = {0};
    struct counters *sum = counters_map(1);
    char words[128];
    lab.harm = NONE;
    str_format(words, sizeof(words), "verify=crc32c rw=randrw rwmixread=95 bs=4k loops=3 randseed=%d", _i);
    struct verify_count n = run(words, &err, sum);
    ck_assert_msg(err.code == 0, "%s", err.text);
    ck_assert_uint_gt(sum->dir[DDIR_READ].ios, BLOCKS);
    ck_assert_uint_le(sum->dir[DDIR_WRITE].ios, n.checked * 4);
    counters_unmap(sum, 1);
}
END_TEST

/* The same load without: requests do meet, and serialize_overlap alone keeps them apart. */
START_TEST(overlapping_requests)
{
    struct err err = {0};
    struct counters *sum = counters_map(1);
    run("rw=randrw bs=4k norandommap=1 loops=20", &err, sum);
    ck_assert_uint_gt(lab.met, 100);
    uint64_t ios = sum->dir[DDIR_READ].ios + sum->dir[DDIR_WRITE].ios;
    lab.met = lab.most = 0;
    run("rw=randrw bs=4k norandommap=1 loops=20 serialize_overlap=1", &err, sum);
    ck_assert_uint_eq(lab.met, 0);
    ck_assert_uint_gt(lab.most, 8);
    ck_assert_uint_eq(sum->dir[DDIR_READ].ios + sum->dir[DDIR_WRITE].ios, ios); /* none is lost */
    counters_unmap(sum, 1);
}
END_TEST

START_TEST(harm_is_found)
{
    static const struct {
        enum harm harm;
        const char *load;
        unsigned on;
        enum verify_fault fault;
        unsigned failures;
    } row[] = {
        {LOSE, "rw=randwrite bs=4k", 17, VERIFY_NOT_WRITTEN, 1},
        {LOSE, "rw=randwrite bs=4k loops=2", BLOCKS + 17, VERIFY_STALE, 1},
        {FLIP, "rw=randwrite bs=4k loops=2", BLOCKS + 17, VERIFY_CORRUPTED, 1},
        {TEAR, "rw=randwrite bs=4k loops=2", BLOCKS + 17, VERIFY_TORN, 1},
        {FLIP, "rw=write bs=4k verify=meta verify_offset=980", 9, VERIFY_CORRUPTED, 1}, /* a byte of the header */
        {FLIP, "rw=write bs=4k verify=pattern verify_pattern=%o\"x\"", 9, VERIFY_CORRUPTED, 1},
        {MISDIRECT, "rw=write bs=4k", BLOCKS, VERIFY_NOT_WRITTEN, 2},
    };
    struct err err = {0};
    struct counters *sum = counters_map(1);
    char words[256], offset[32];
    lab.harm = row[_i].harm;
    lab.on = row[_i].on;
    str_format(words, sizeof(words), "verify=crc32c %s", row[_i].load);
    struct verify_count n = run(words, &err, sum);
    ck_assert_uint_eq(n.failures, row[_i].failures);
    ck_assert_uint_ge(n.checked, BLOCKS);
    ck_assert_int_eq(err.code, -EILSEQ);
    ck_assert_uint_eq(sum->dir[DDIR_READ].ios, 0); /* the read-back is not of the load */
    ck_assert_str_eq(n.path, "D");
    if (row[_i].harm == MISDIRECT) {
        counters_unmap(sum, 1);
        return;
    }
    ck_assert_int_eq(n.first.fault, row[_i].fault);
    ck_assert_uint_eq(n.first.offset, lab.at);
    str_format(offset, sizeof(offset), "%llu)", (unsigned long long)lab.at);
    ck_assert_ptr_nonnull(strstr(err.text, offset));
    ck_assert_uint_eq(n.first.byte, lab.at + (row[_i].harm == FLIP   ? 1000
                                              : row[_i].harm == TEAR ? 1024
                                                                     : n.first.byte - lab.at));
    counters_unmap(sum, 1);
}
END_TEST

START_TEST(the_first_is_enough_when_it_is_fatal)
{
    struct err err = {0};
    struct counters *sum = counters_map(1);
    lab.harm = LOSE;
    lab.on = 1;
    struct verify_count n = run("verify=crc32c rw=write bs=4k verify_fatal=1", &err, sum);
    ck_assert_int_eq(err.code, -EILSEQ);
    ck_assert_uint_lt(n.checked, BLOCKS + 1);
    ck_assert_uint_ge(n.failures, 1);
    counters_unmap(sum, 1);
}
END_TEST

START_TEST(clones_on_one_file_are_refused)
{
    struct job j = job_of("verify=crc32c rw=randwrite bs=4k numjobs=2");
    struct targets *t = make_targets();
    struct err err = {0};
    ck_assert_int_eq(targets_apart(t, &j, &err), -EINVAL);
    ck_assert_ptr_nonnull(strstr(err.text, "2 clones would overwrite each other's blocks"));
    j.rw = JOB_RANDREAD;
    ck_assert_int_eq(targets_apart(t, &j, &err), 0);
    targets_close(t);
    free(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("worker_verify");
    TCase *c = tcase_create("worker_verify");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, never_without_cause, 0, 7);
    tcase_add_loop_test(c, reads_before_the_first_write, 0, 20);
    tcase_add_test(c, overlapping_requests);
    tcase_add_loop_test(c, harm_is_found, 0, 7);
    tcase_add_test(c, the_first_is_enough_when_it_is_fatal);
    tcase_add_test(c, clones_on_one_file_are_refused);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
