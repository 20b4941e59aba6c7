/* backend: one contract for every row of the table, and the scripted null backend exactly.
 * Uses a scratch file in $TMPDIR; speed is not tested. */
#include "engine/backend.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/rng.h"

#define BLOCK 4096
#define BLOCKS 16
#define DEPTH 4u

struct bed { /* a backend, a file of random data and one request for each slot */
    const struct backend *be;
    void *state;
    int fd;
    char path[64];
    unsigned char *data;
    unsigned char buf[DEPTH + 2][BLOCK];
    struct io io[DEPTH + 2];
};

static bool touches(const struct bed *b) /* null does no I/O */
{
    return strcmp(b->be->name, "null") != 0;
}

/* The contract holds for every engine, and for one that was given options. */
static const struct {
    const char *name;
    struct backend_options opt;
} variants[] = {
    {"io_uring", {.sqthread_poll = true}},
    {"io_uring", {.force_async = 1}},
    {"io_uring", {.force_async = 3, .prio_pct = {50, 50}, .prio_class = {2, 2}, .prio = {1, 2}}},
    {"libaio", {.prio_pct = {50, 50}, .prio_class = {2, 2}, .prio = {1, 2}}},
};
#define NVARIANTS ((int)(sizeof(variants) / sizeof(variants[0])))

static int plain_rows(void)
{
    int rows = 0;
    while (backends[rows])
        rows++;
    return rows;
}

static struct backend_config config_of(int row)
{
    struct backend_config cfg = {0};
    bool plain = row < plain_rows();
    const struct backend *be = plain ? backends[row] : backend_find(variants[row - plain_rows()].name);
    if (!plain)
        cfg.opt = variants[row - plain_rows()].opt;
    cfg.depth = be->sync ? 1 : DEPTH;
    return cfg;
}

static bool bed_init(struct bed *b, int row)
{
    memset(b, 0, sizeof(*b));
    b->be = row < plain_rows() ? backends[row] : backend_find(variants[row - plain_rows()].name);
    struct backend_config cfg = config_of(row);
    struct err err = {0};
    int r = b->be->open(&cfg, &b->state, &err);
    if (r == -EPERM || r == -ENOSYS) {
        ck_assert_msg(strstr(err.text, "use ioengine="), "no advice in \"%s\"", err.text);
        return false; /* switched off on this machine: nothing to hold it to */
    }
    ck_assert_msg(r == 0, "%s: %s", b->be->name, err.text);
    snprintf(b->path, sizeof(b->path), "/tmp/backend_test.XXXXXX");
    b->fd = mkstemp(b->path);
    ck_assert_int_ge(b->fd, 0);
    b->data = malloc(BLOCK * BLOCKS);
    struct rng rng;
    rng_seed(&rng, 7);
    rng_fill(&rng, b->data, BLOCK * BLOCKS);
    ck_assert_int_eq(pwrite(b->fd, b->data, BLOCK * BLOCKS, 0), BLOCK * BLOCKS);
    return true;
}

static void bed_fini(struct bed *b)
{
    b->be->close(b->state);
    close(b->fd);
    unlink(b->path);
    free(b->data);
}

static struct io *request(struct bed *b, unsigned slot, enum ddir ddir, uint64_t offset, uint32_t len)
{
    b->io[slot] = (struct io){
        .offset = offset, .buf = b->buf[slot], .len = len, .res = 12345, .fd = b->fd, .ddir = ddir,
        .slot = (uint16_t)slot,
    };
    return &b->io[slot];
}

static struct io *reap_one(struct bed *b)
{
    struct io *done = NULL;
    ck_assert_int_eq(b->be->reap(b->state, &done, 1, DEPTH, NSEC_PER_SEC * 5), 1);
    return done;
}

static struct io *do_one(struct bed *b, struct io *io)
{
    ck_assert_int_eq(b->be->submit(b->state, &io, 1), 1);
    struct io *done = reap_one(b);
    ck_assert_ptr_eq(done, io);
    return done;
}

START_TEST(reads_the_bytes_that_are_there)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    struct io *io = do_one(&b, request(&b, 0, DDIR_READ, 3 * BLOCK, BLOCK));
    ck_assert_int_eq(io->res, BLOCK);
    if (touches(&b))
        ck_assert_mem_eq(io->buf, b.data + 3 * BLOCK, BLOCK);
    bed_fini(&b);
}
END_TEST

START_TEST(writes_reach_the_file)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    struct io *io = request(&b, 0, DDIR_WRITE, 5 * BLOCK, BLOCK);
    memset(io->buf, 0xa5, BLOCK);
    ck_assert_int_eq(do_one(&b, io)->res, BLOCK);
    ck_assert_int_eq(do_one(&b, request(&b, 1 % (b.be->sync ? 1 : DEPTH), DDIR_SYNC, 0, 0))->res, 0);
    io = request(&b, 0, DDIR_SYNC, 0, 0);
    io->data_only = true;
    ck_assert_int_eq(do_one(&b, io)->res, 0);
    unsigned char back[BLOCK];
    ck_assert_int_eq(pread(b.fd, back, BLOCK, 5 * BLOCK), BLOCK);
    ck_assert_int_eq(back[0] == 0xa5 && back[BLOCK - 1] == 0xa5, touches(&b));
    bed_fini(&b);
}
END_TEST

START_TEST(end_of_file_is_short)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    ck_assert_int_eq(ftruncate(b.fd, BLOCK + 100), 0);
    ck_assert_int_eq(do_one(&b, request(&b, 0, DDIR_READ, BLOCK, BLOCK))->res, touches(&b) ? 100 : BLOCK);
    ck_assert_int_eq(do_one(&b, request(&b, 0, DDIR_READ, 2 * BLOCK, BLOCK))->res, touches(&b) ? 0 : BLOCK);
    bed_fini(&b);
}
END_TEST

START_TEST(an_error_belongs_to_its_request)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    static const enum ddir dirs[] = {DDIR_READ, DDIR_WRITE, DDIR_TRIM, DDIR_SYNC};
    for (unsigned i = 0; i < 4; i++) {
        struct io *io = request(&b, 0, dirs[i], 0, BLOCK);
        io->fd = -1;
        int32_t fine = dirs[i] == DDIR_SYNC ? 0 : BLOCK;
        ck_assert_int_eq(do_one(&b, io)->res, touches(&b) ? -EBADF : fine);
    }
    /* and the next one is fine */
    ck_assert_int_eq(do_one(&b, request(&b, 0, DDIR_READ, 0, BLOCK))->res, BLOCK);
    bed_fini(&b);
}
END_TEST

/* Our own memory as a file answers EIO where nothing is mapped. libaio and a mapping do not take it at all. */
START_TEST(an_io_error_is_told_as_it_is)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    struct io *io = request(&b, 0, DDIR_READ, 0, BLOCK);
    io->fd = open("/proc/self/mem", O_RDONLY);
    ck_assert_int_ge(io->fd, 0);
    int32_t want = !strcmp(b.be->name, "libaio") ? -EINVAL : !strcmp(b.be->name, "mmap") ? 0 : -EIO;
    ck_assert_int_eq(do_one(&b, io)->res, touches(&b) ? want : BLOCK);
    close(io->fd);
    ck_assert_int_eq(do_one(&b, request(&b, 0, DDIR_READ, 0, BLOCK))->res, BLOCK);
    bed_fini(&b);
}
END_TEST

/* A process that leaves does not wait for a device that hangs. */
START_TEST(a_ring_closes_with_a_request_in_flight)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    if (strcmp(b.be->name, "io_uring")) {
        bed_fini(&b);
        return;
    }
    int p[2];
    ck_assert_int_eq(pipe(p), 0);
    struct io *io = request(&b, 0, DDIR_READ, 0, BLOCK), *done;
    io->fd = p[0];
    ck_assert_int_eq(b.be->submit(b.state, &io, 1), 1);
    ck_assert_int_eq(b.be->reap(b.state, &done, 1, 1, NSEC_PER_MSEC), 0);
    uint64_t t0 = clock_now_ns();
    bed_fini(&b);
    ck_assert_uint_lt(clock_now_ns() - t0, 2 * NSEC_PER_SEC);
    close(p[0]);
    close(p[1]);
}
END_TEST

START_TEST(a_bad_one_in_a_batch_spoils_no_other)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    struct io *ios[3], *done[3];
    for (unsigned i = 0; i < 3; i++)
        ios[i] = request(&b, i, DDIR_READ, (uint64_t)i * BLOCK, BLOCK);
    ios[1]->fd = -1;
    for (unsigned sent = 0, got = 0; got < 3;) {
        int r = b.be->submit(b.state, ios + sent, 3 - sent);
        ck_assert_int_ge(r, 0);
        sent += (unsigned)r;
        r = b.be->reap(b.state, done, 1, 3, NSEC_PER_SEC * 5);
        ck_assert_int_ge(r, 1);
        got += (unsigned)r;
    }
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(ios[i]->res, i == 1 && touches(&b) ? -EBADF : BLOCK);
    bed_fini(&b);
}
END_TEST

START_TEST(a_full_queue_takes_no_more)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    unsigned depth = b.be->sync ? 1 : DEPTH;
    struct io *ios[DEPTH + 2], *done[DEPTH + 2];
    bool seen[DEPTH + 2] = {false};
    for (unsigned i = 0; i < DEPTH + 2; i++)
        ios[i] = request(&b, i, DDIR_READ, (uint64_t)i * BLOCK, BLOCK);
    ck_assert_int_eq(b.be->submit(b.state, ios, depth + 2), (int)depth);
    ck_assert_int_eq(b.be->submit(b.state, ios + depth, 1), 0);
    ck_assert_int_eq(b.be->reap(b.state, done, depth, depth, NSEC_PER_SEC * 5), (int)depth);
    for (unsigned i = 0; i < depth; i++) {
        ck_assert_int_eq(done[i]->res, BLOCK);
        seen[done[i]->slot] = true;
    }
    for (unsigned i = 0; i < depth; i++)
        ck_assert(seen[i]);
    ios[depth]->slot = 0;
    ck_assert_int_eq(do_one(&b, ios[depth])->res, BLOCK);
    bed_fini(&b);
}
END_TEST

START_TEST(nothing_in_flight_is_nothing_reaped)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    struct io *done[DEPTH];
    uint64_t t0 = clock_now_ns();
    ck_assert_int_eq(b.be->reap(b.state, done, 0, DEPTH, 0), 0);
    ck_assert_int_eq(b.be->reap(b.state, done, 1, DEPTH, 0), 0);
    ck_assert_int_eq(b.be->reap(b.state, done, 1, DEPTH, 5 * NSEC_PER_MSEC), 0);
    ck_assert_uint_lt(clock_now_ns() - t0, 5 * NSEC_PER_SEC);
    bed_fini(&b);
}
END_TEST

/* A pipe without a writer's data: a read that does not end until we let it. libaio does such reads in place. */
START_TEST(a_wait_ends_with_its_timeout)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    if (strcmp(b.be->name, "io_uring")) {
        bed_fini(&b);
        return;
    }
    int p[2];
    ck_assert_int_eq(pipe(p), 0);
    struct io *io = request(&b, 0, DDIR_READ, 0, BLOCK), *done;
    io->fd = p[0];
    ck_assert_int_eq(b.be->submit(b.state, &io, 1), 1);
    uint64_t t0 = clock_now_ns();
    ck_assert_int_eq(b.be->reap(b.state, &done, 1, 1, 20 * NSEC_PER_MSEC), 0);
    ck_assert_uint_ge(clock_now_ns() - t0, 20 * NSEC_PER_MSEC);
    ck_assert_int_eq(b.be->reap(b.state, &done, 1, 1, 0), 0);
    ck_assert_int_eq(write(p[1], "abc", 3), 3);
    ck_assert_int_eq(reap_one(&b)->res, 3);
    close(p[0]);
    close(p[1]);
    bed_fini(&b);
}
END_TEST

START_TEST(a_trimmed_file_keeps_its_size)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    int32_t res = do_one(&b, request(&b, 0, DDIR_TRIM, 2 * BLOCK, BLOCK))->res;
    struct stat st;
    ck_assert_int_eq(fstat(b.fd, &st), 0);
    ck_assert_int_eq(st.st_size, BLOCK * BLOCKS);
    if (res == -EOPNOTSUPP) { /* a filesystem without holes */
        bed_fini(&b);
        return;
    }
    ck_assert_int_eq(res, BLOCK);
    unsigned char back[BLOCK], zero[BLOCK] = {0};
    ck_assert_int_eq(pread(b.fd, back, BLOCK, 2 * BLOCK), BLOCK);
    ck_assert_int_eq(memcmp(back, zero, BLOCK) == 0, touches(&b));
    ck_assert_int_eq(pread(b.fd, back, BLOCK, 3 * BLOCK), BLOCK);
    ck_assert_mem_eq(back, b.data + 3 * BLOCK, BLOCK);
    bed_fini(&b);
}
END_TEST

/* A new version of the job may bring another file under the number of an old descriptor. */
START_TEST(a_new_version_may_bring_new_files)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    ck_assert_int_eq(do_one(&b, request(&b, 0, DDIR_READ, BLOCK, BLOCK))->res, BLOCK);
    char path[64] = "/tmp/backend_test.XXXXXX";
    unsigned char other[2 * BLOCK];
    int fd = mkstemp(path);
    memset(other, 0x5a, sizeof(other));
    ck_assert_int_eq(write(fd, other, sizeof(other)), sizeof(other));
    ck_assert_int_eq(dup2(fd, b.fd), b.fd);
    close(fd);
    unlink(path);
    if (b.be->renew)
        b.be->renew(b.state, true);
    struct io *io = do_one(&b, request(&b, 0, DDIR_READ, BLOCK, BLOCK));
    ck_assert_int_eq(io->res, BLOCK);
    if (touches(&b))
        ck_assert_mem_eq(io->buf, other, BLOCK);
    bed_fini(&b);
}
END_TEST

/* Far more files than an engine keeps something of: each request gets the bytes of its own. */
START_TEST(many_files_are_not_mixed_up)
{
    struct bed b;
    int fd[3];
    if (!bed_init(&b, _i))
        return;
    for (unsigned i = 0; i < 3; i++) {
        char path[64] = "/tmp/backend_test.XXXXXX";
        unsigned char fill[BLOCK];
        fd[i] = mkstemp(path);
        unlink(path);
        memset(fill, 'a' + (int)i, sizeof(fill));
        ck_assert_int_eq(write(fd[i], fill, BLOCK), BLOCK);
    }
    for (unsigned n = 0; n < 12; n++) {
        struct io *io = request(&b, 0, DDIR_READ, 0, BLOCK);
        io->target = n % 3 * 512 + 7;
        io->fd = fd[n % 3];
        ck_assert_int_eq(do_one(&b, io)->res, BLOCK);
        if (touches(&b))
            ck_assert_int_eq(((unsigned char *)io->buf)[100], 'a' + (int)(n % 3));
    }
    for (unsigned i = 0; i < 3; i++)
        close(fd[i]);
    bed_fini(&b);
}
END_TEST

/* Two clones of a job have one descriptor: the position of neither is the other's. */
START_TEST(clones_do_not_move_each_other)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    void *mine = b.state, *other;
    struct backend_config cfg = config_of(_i);
    ck_assert_int_eq(b.be->open(&cfg, &other, NULL), 0);
    for (unsigned i = 0; i < 6; i++) {
        b.state = i % 2 ? other : mine;
        uint64_t offset = (i % 2 ? 8 + i / 2 : i / 2) * BLOCK;
        struct io *io = do_one(&b, request(&b, 0, DDIR_READ, offset, BLOCK));
        ck_assert_int_eq(io->res, BLOCK);
        if (touches(&b))
            ck_assert_mem_eq(io->buf, b.data + offset, BLOCK);
    }
    b.state = mine;
    b.be->close(other);
    bed_fini(&b);
}
END_TEST

static int row_of(const char *name)
{
    int row = 0;
    while (strcmp(backends[row]->name, name))
        row++;
    return row;
}

START_TEST(a_write_of_zeroes_carries_no_data)
{
    static const char *const names[] = {"psync", "libaio", "io_uring"};
    struct bed b;
    if (!bed_init(&b, row_of(names[_i])))
        return;
    b.be->close(b.state);
    struct backend_config cfg = {.depth = b.be->sync ? 1 : DEPTH, .opt = {.zeroes = true}};
    ck_assert_int_eq(b.be->open(&cfg, &b.state, NULL), 0);
    struct io *io = request(&b, 0, DDIR_WRITE, 2 * BLOCK, BLOCK);
    memset(io->buf, 0xa5, BLOCK);
    int32_t res = do_one(&b, io)->res;
    if (res != -EOPNOTSUPP) { /* a filesystem that cannot */
        ck_assert_int_eq(res, BLOCK);
        unsigned char back[BLOCK], zero[BLOCK] = {0};
        ck_assert_int_eq(pread(b.fd, back, BLOCK, 2 * BLOCK), BLOCK);
        ck_assert_mem_eq(back, zero, BLOCK);
    }
    io = do_one(&b, request(&b, 0, DDIR_READ, BLOCK, BLOCK)); /* reads are reads */
    ck_assert_int_eq(io->res, BLOCK);
    ck_assert_mem_eq(io->buf, b.data + BLOCK, BLOCK);
    bed_fini(&b);
}
END_TEST

/* What is done in place is taken one at a time, so that the wait for another is not in its latency. */
START_TEST(in_place_is_one_at_a_time)
{
    struct bed b;
    if (!bed_init(&b, row_of("libaio")))
        return;
    struct io *ios[3], *done[3];
    for (unsigned i = 0; i < 3; i++)
        ios[i] = request(&b, i, i == 2 ? DDIR_READ : DDIR_SYNC, 0, i == 2 ? BLOCK : 0);
    ck_assert_int_eq(b.be->submit(b.state, ios, 3), 1);
    ck_assert_int_eq(b.be->submit(b.state, ios + 1, 2), 0);
    ck_assert_int_eq(b.be->reap(b.state, done, 1, 3, NSEC_PER_SEC), 1);
    ck_assert_ptr_eq(done[0], ios[0]);
    ck_assert_int_eq(b.be->submit(b.state, ios + 1, 2), 2); /* one more, and the read that follows it */
    ck_assert_int_eq(b.be->reap(b.state, done, 2, 3, NSEC_PER_SEC), 2);
    bed_fini(&b);
}
END_TEST

/* ---- mmap ---- */

START_TEST(a_file_cut_under_a_mapping_is_an_error_of_the_request)
{
    struct bed b;
    bed_init(&b, row_of("mmap"));
    ck_assert_int_eq(do_one(&b, request(&b, 0, DDIR_READ, 0, BLOCK))->res, BLOCK);
    ck_assert_int_eq(ftruncate(b.fd, 2 * BLOCK), 0);
    for (int round = 0; round < 3; round++) {
        ck_assert_int_eq(do_one(&b, request(&b, 0, DDIR_READ, 8 * BLOCK, BLOCK))->res, 0);
        ck_assert_int_eq(do_one(&b, request(&b, 0, DDIR_WRITE, 8 * BLOCK, BLOCK))->res, -EIO);
        ck_assert_int_eq(do_one(&b, request(&b, 0, DDIR_READ, BLOCK, BLOCK))->res, BLOCK);
    }
    bed_fini(&b);
}
END_TEST

static void *read_beyond(void *bed)
{
    struct bed *b = bed;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL); /* as a worker begins */
    struct backend_config cfg = {.depth = 1};
    ck_assert_int_eq(b->be->open(&cfg, &b->state, NULL), 0);
    ck_assert_int_eq(do_one(b, request(b, 0, DDIR_READ, 0, BLOCK))->res, BLOCK);
    ck_assert_int_eq(ftruncate(b->fd, 0), 0);
    do_one(b, request(b, 0, DDIR_READ, 8 * BLOCK, BLOCK));
    return b;
}

START_TEST(a_cut_file_is_survived_in_a_thread_without_signals)
{
    struct bed b;
    pthread_t thread;
    bed_init(&b, row_of("mmap"));
    b.be->close(b.state);
    ck_assert_int_eq(pthread_create(&thread, NULL, read_beyond, &b), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(b.io[0].res, 0);
    bed_fini(&b);
}
END_TEST

START_TEST(a_read_only_mapping_is_never_written)
{
    struct bed b;
    bed_init(&b, row_of("mmap"));
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", b.fd);
    int fd = open(path, O_RDONLY);
    struct io *io = request(&b, 0, DDIR_WRITE, 0, BLOCK);
    io->fd = fd;
    ck_assert_int_eq(do_one(&b, io)->res, -EBADF);
    close(fd);
    bed_fini(&b);
}
END_TEST

/* ---- pvsync2 ---- */

START_TEST(nowait_answers_instead_of_waiting)
{
    struct bed b;
    bed_init(&b, row_of("pvsync2"));
    b.be->close(b.state);
    struct backend_config cfg = {.depth = 1, .opt = {.nowait = true}};
    ck_assert_int_eq(b.be->open(&cfg, &b.state, NULL), 0);
    fsync(b.fd);
    posix_fadvise(b.fd, 0, 0, POSIX_FADV_DONTNEED);
    int32_t res = do_one(&b, request(&b, 0, DDIR_READ, 0, BLOCK))->res; /* from the disk: it would have to wait */
    ck_assert_msg(res == -EAGAIN || res == -EOPNOTSUPP || res == BLOCK, "%d", res); /* tmpfs never waits */
    unsigned char warm[BLOCK];
    ck_assert_int_eq(pread(b.fd, warm, BLOCK, 0), BLOCK);
    if (res != -EOPNOTSUPP)
        ck_assert_int_eq(do_one(&b, request(&b, 0, DDIR_READ, 0, BLOCK))->res, BLOCK);
    bed_fini(&b);
}
END_TEST

/* The share is exact over every hundred requests, and even. */
START_TEST(a_share_of_the_requests_has_its_priority)
{
    static const unsigned shares[] = {0, 1, 30, 50, 99, 100};
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        struct backend_options o = {.prio_pct = {shares[i]}, .prio_class = {2, 1, 1}, .prio = {3}};
        struct backend_prio p;
        unsigned n = 0;
        backend_prio_init(&p, &o);
        ck_assert_int_eq(p.on, shares[i] != 0);
        for (int k = 0; k < 1000; k++) {
            uint16_t v = backend_prio_next(&p, DDIR_READ);
            ck_assert(v == 0 || v == (2 << 13 | 3));
            n += v != 0;
            ck_assert_uint_eq(backend_prio_next(&p, DDIR_WRITE), 0);
        }
        ck_assert_uint_eq(n, 10 * shares[i]);
    }
}
END_TEST

START_TEST(flags_are_those_of_the_kernel)
{
    ck_assert_uint_eq(backend_rwf(&(struct backend_options){0}), 0);
    ck_assert_uint_eq(backend_rwf(&(struct backend_options){.hipri = true}), 0x1);
    ck_assert_uint_eq(backend_rwf(&(struct backend_options){.nowait = true}), 0x8);
    ck_assert_uint_eq(backend_rwf(&(struct backend_options){.uncached = true}), 0x80);
}
END_TEST

START_TEST(many_rounds_lose_nothing)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    unsigned depth = b.be->sync ? 1 : DEPTH, busy = 0, sent = 0, got = 0;
    struct io *free_io[DEPTH], *done[DEPTH];
    for (unsigned i = 0; i < depth; i++)
        free_io[i] = request(&b, i, DDIR_READ, 0, BLOCK);
    while (got < 1000) {
        for (; busy < depth && sent < 1000; sent++, busy++) {
            struct io *io = free_io[depth - 1 - busy];
            io->offset = (uint64_t)(sent % BLOCKS) * BLOCK;
            ck_assert_int_eq(b.be->submit(b.state, &io, 1), 1);
        }
        int n = b.be->reap(b.state, done, 1, DEPTH, NSEC_PER_SEC * 5);
        ck_assert_int_ge(n, 1);
        for (int i = 0; i < n; i++, busy--, got++) {
            ck_assert_int_eq(done[i]->res, BLOCK);
            if (touches(&b))
                ck_assert_mem_eq(done[i]->buf, b.data + done[i]->offset, BLOCK);
            free_io[depth - busy] = done[i];
        }
    }
    ck_assert_uint_eq(busy, 0);
    bed_fini(&b);
}
END_TEST

/* In virtual time: requests end exactly when the script says, in that order, and waits move the clock. */
START_TEST(a_script_is_kept_to_the_nanosecond)
{
    static const uint64_t script[] = {500, 100, 300};
    struct clock clock = {.mono_ns = 1000};
    struct backend_config cfg = {.depth = 4, .script_ns = script, .nscript = 3, .clock = &clock};
    const struct backend *be = backend_find("null");
    void *state;
    ck_assert_int_eq(be->open(&cfg, &state, NULL), 0);
    struct io io[4] = {{.len = 1}, {.len = 2}, {.len = 3}, {.len = 4}}, *done[4];
    struct io *ios[4] = {&io[0], &io[1], &io[2], &io[3]};
    ck_assert_int_eq(be->submit(state, ios, 4), 4); /* the fourth takes 500 again */
    ck_assert_int_eq(be->reap(state, done, 0, 4, 0), 0);
    ck_assert_int_eq(be->reap(state, done, 1, 4, 40), 0);
    ck_assert_uint_eq(clock.mono_ns, 1040);
    ck_assert_int_eq(be->reap(state, done, 1, 4, 1000000), 1);
    ck_assert_uint_eq(clock.mono_ns, 1100);
    ck_assert_ptr_eq(done[0], &io[1]);
    ck_assert_int_eq(be->reap(state, done, 3, 4, 1000000), 3);
    ck_assert_uint_eq(clock.mono_ns, 1500);
    ck_assert_ptr_eq(done[0], &io[2]);
    ck_assert_ptr_eq(done[1], &io[0]);
    ck_assert_ptr_eq(done[2], &io[3]);
    ck_assert_int_eq(io[3].res, 4);
    be->close(state);
}
END_TEST

START_TEST(the_table_is_whole)
{
    for (int i = 0; backends[i]; i++) {
        const struct backend *b = backends[i];
        ck_assert(b->name && b->blurb && b->open && b->submit && b->reap && b->close);
        ck_assert_ptr_eq(backend_find(b->name), b);
    }
    static const char *const names[] = {"psync", "sync", "pvsync", "pvsync2", "mmap", "libaio", "io_uring", "null"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        ck_assert_ptr_nonnull(backend_find(names[i]));
    ck_assert(backend_find("psync")->sync);
    ck_assert(!backend_find("io_uring")->sync);
    ck_assert_ptr_null(backend_find("posixaio"));
    ck_assert_ptr_nonnull(strstr(backend_instead("posixaio"), "libaio or io_uring"));
    ck_assert_ptr_null(backend_instead("psync"));
    ck_assert_ptr_null(backend_find(""));
}
END_TEST

static void tell(struct bed *b, void *base, size_t len, const int *fd)
{
    struct backend_reach r = {.area = {{base, len}}, .fd = fd, .nfds = 1};
    b->be->reach(b->state, &r);
}

START_TEST(what_it_was_told_of_changes_no_data)
{
    struct bed b;
    if (!bed_init(&b, _i))
        return;
    if (b.be->reach) {
        tell(&b, b.buf[0], 2 * BLOCK, &b.fd); /* the later slots lie in no area */
        for (unsigned slot = 0; slot < DEPTH; slot++) {
            struct io *io = do_one(&b, request(&b, slot, DDIR_READ, slot * BLOCK, BLOCK));
            ck_assert_int_eq(io->res, BLOCK);
            ck_assert_mem_eq(io->buf, b.data + slot * BLOCK, BLOCK);
        }
        memset(b.buf[1], 0x77, BLOCK);
        ck_assert_int_eq(do_one(&b, request(&b, 1, DDIR_WRITE, 0, BLOCK))->res, BLOCK);
        ck_assert_int_eq(pread(b.fd, b.buf[2], BLOCK, 0), BLOCK);
        ck_assert_mem_eq(b.buf[1], b.buf[2], BLOCK);
        request(&b, 0, DDIR_READ, 0, BLOCK)->buf = b.buf[1] + 1; /* leaves the area by a byte */
        ck_assert_int_eq(do_one(&b, &b.io[0])->res, BLOCK);
    }
    bed_fini(&b);
}
END_TEST

START_TEST(another_file_takes_the_place_and_the_first_is_let_go)
{
    struct bed b;
    int pipes[2];
    char byte;
    if (!bed_init(&b, _i))
        return;
    if (b.be->reach) {
        ck_assert_int_eq(pipe2(pipes, O_NONBLOCK), 0);
        tell(&b, b.buf[0], BLOCK, &pipes[1]);
        close(pipes[1]);
        tell(&b, b.buf[1], BLOCK, &b.fd);
        ck_assert_int_eq(do_one(&b, request(&b, 1, DDIR_READ, BLOCK, BLOCK))->res, BLOCK);
        ck_assert_mem_eq(b.buf[1], b.data + BLOCK, BLOCK);
        ck_assert_int_eq(read(pipes[0], &byte, 1), 0); /* end of file: nobody holds the other end */
        close(pipes[0]);
    }
    bed_fini(&b);
}
END_TEST

START_TEST(a_closed_ring_holds_no_file)
{
    struct bed b;
    int pipes[2];
    char byte;
    if (!bed_init(&b, _i))
        return;
    bool told = b.be->reach;
    ck_assert_int_eq(pipe2(pipes, O_NONBLOCK), 0);
    if (told)
        tell(&b, b.buf[0], BLOCK, &pipes[1]);
    close(pipes[1]);
    bed_fini(&b);
    ck_assert_int_eq(read(pipes[0], &byte, 1), 0);
    close(pipes[0]);
}
END_TEST

int main(void)
{
    int rows = plain_rows() + NVARIANTS;
    Suite *s = suite_create("backend");
    TCase *c = tcase_create("contract");
    suite_add_tcase(s, c);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, reads_the_bytes_that_are_there, 0, rows);
    tcase_add_loop_test(c, writes_reach_the_file, 0, rows);
    tcase_add_loop_test(c, end_of_file_is_short, 0, rows);
    tcase_add_loop_test(c, an_error_belongs_to_its_request, 0, rows);
    tcase_add_loop_test(c, an_io_error_is_told_as_it_is, 0, rows);
    tcase_add_loop_test(c, a_ring_closes_with_a_request_in_flight, 0, rows);
    tcase_add_loop_test(c, a_bad_one_in_a_batch_spoils_no_other, 0, rows);
    tcase_add_loop_test(c, a_full_queue_takes_no_more, 0, rows);
    tcase_add_loop_test(c, nothing_in_flight_is_nothing_reaped, 0, rows);
    tcase_add_loop_test(c, a_wait_ends_with_its_timeout, 0, rows);
    tcase_add_loop_test(c, a_trimmed_file_keeps_its_size, 0, rows);
    tcase_add_loop_test(c, many_rounds_lose_nothing, 0, rows);
    tcase_add_loop_test(c, a_new_version_may_bring_new_files, 0, rows);
    tcase_add_loop_test(c, many_files_are_not_mixed_up, 0, rows);
    tcase_add_loop_test(c, clones_do_not_move_each_other, 0, rows);
    tcase_add_loop_test(c, a_write_of_zeroes_carries_no_data, 0, 3);
    tcase_add_test(c, in_place_is_one_at_a_time);
    tcase_add_test(c, a_file_cut_under_a_mapping_is_an_error_of_the_request);
    tcase_add_test(c, a_cut_file_is_survived_in_a_thread_without_signals);
    tcase_add_test(c, a_read_only_mapping_is_never_written);
    tcase_add_test(c, nowait_answers_instead_of_waiting);
    tcase_add_test(c, a_share_of_the_requests_has_its_priority);
    tcase_add_test(c, flags_are_those_of_the_kernel);
    tcase_add_loop_test(c, what_it_was_told_of_changes_no_data, 0, rows);
    tcase_add_loop_test(c, another_file_takes_the_place_and_the_first_is_let_go, 0, rows);
    tcase_add_loop_test(c, a_closed_ring_holds_no_file, 0, rows);
    tcase_add_test(c, a_script_is_kept_to_the_nanosecond);
    tcase_add_test(c, the_table_is_whole);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
