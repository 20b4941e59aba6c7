/* Tests of block device rows: what two readings of /proc/diskstats mean, and whose they are.
 * The small inputs are those of public bug reports against other tools. */
#include <stdlib.h>
#include <string.h>

#include "monitors/blkdev.h"
#include "monitors/diskstats.h"
#include "tests/rig.h"
#include "tests/suite.h"

static struct rig rig;

static void setup(void)
{
    rig_init(&rig);
}

static void teardown(void)
{
    rig_fini(&rig);
}

static void lines_are(const char *text)
{
    rig_put(&rig, "proc/diskstats", text);
}

/* Two readings a second apart. */
static void interval(const char *before, const char *now)
{
    lines_are(before);
    rig_tick(&rig, 0);
    lines_are(now);
    rig_tick(&rig, 1000);
}

static void no_rates(const char *name)
{
    const struct frame_dev *d = rig_dev(&rig, name);
    ck_unknown(d->read_iops);
    ck_unknown(d->write_iops);
    ck_unknown(d->read_bytes_per_s);
    ck_unknown(d->write_bytes_per_s);
    ck_unknown(d->read_await_ms);
    ck_unknown(d->queue_depth);
    ck_unknown(d->busy_pct);
    ck_assert(!d->delta.have);
}

/* 18 and 20 columns: node_exporter#1721, psutil#1692; 15, 17, 18 as well: munin#1159, munin#1301, lxcfs#590. */
static const struct columns_case {
    int columns;
    bool discards, discard_bytes, flushes;
} columns[] = {
    {14, false, false, false}, {15, true, false, false}, {17, true, true, false},
    {18, true, true, false},   {20, true, true, true},   {24, true, true, true},
};

static void line_of(int count, int times, char dst[512])
{
    static const int step[] = {10, 1, 80, 4, 20, 2, 160, 8, 0, 9, 12, 5, 0, 40, 5, 3, 6, 7, 7, 7, 7};
    int len = snprintf(dst, 512, "   8       0 sda");
    for (int i = 0; i < count - 3; i++)
        len += snprintf(dst + len, 512 - (size_t)len, " %d", step[i] * times);
    snprintf(dst + len, 512 - (size_t)len, "\n");
}

START_TEST(any_number_of_columns)
{
    const struct columns_case *k = &columns[_i];
    char before[512], now[512];
    line_of(k->columns, 1, before);
    line_of(k->columns, 2, now);
    interval(before, now);
    const struct frame_dev *d = rig_dev(&rig, "sda");
    ck_near(d->read_iops, 10);
    ck_near(d->write_iops, 20);
    ck_near(d->read_merged_per_s, 1);
    ck_near(d->write_merged_per_s, 2);
    ck_near(d->read_bytes_per_s, 80 * 512);
    ck_near(d->read_await_ms, 0.4);
    ck_near(d->read_req_bytes, 4096);
    ck_near(d->queue_depth, 0.012);
    ck_near(d->busy_pct, 0.9);
    if (k->discards)
        ck_near(d->discard_iops, 5);
    else
        ck_unknown(d->discard_iops);
    if (k->discard_bytes)
        ck_near(d->discard_bytes_per_s, 40 * 512);
    else
        ck_unknown(d->discard_bytes_per_s);
    if (k->flushes)
        ck_near(d->flush_iops, 3);
    else
        ck_unknown(d->flush_iops);
    if (k->flushes)
        ck_near(d->flush_await_ms, 2);
    else
        ck_unknown(d->flush_await_ms);
}
END_TEST

START_TEST(not_fewer_than_fourteen_columns_but_seven)
{
    static const char *const bad[] = {
        "8 0 sda\n",
        "8 0 sda 1 2 3\n",
        "8 0 sda 1 2 3 4 5\n",
        "8 0 sda 1 2 3 4 5 6 7 8 9 10\n",
        "sda 1 2 3 4\n",
        "8 sda\n",
        "x y z 1 2 3 4 5 6 7 8 9 10 11 12\n",
        "\n",
        "",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lines_are(bad[i]);
        ck_assert_uint_eq(rig_tick(&rig, 1000)->ndevs, 0);
    }
}
END_TEST

/* psutil#507: partitions before 2.6.25 have reads, sectors, writes, sectors. */
START_TEST(old_partitions_have_seven_columns)
{
    interval("8 1 sda1 10 80 5 40\n", "8 1 sda1 20 160 10 120\n");
    const struct frame_dev *d = rig_dev(&rig, "sda1");
    ck_near(d->read_iops, 10);
    ck_near(d->write_iops, 5);
    ck_near(d->read_bytes_per_s, 80 * 512);
    ck_near(d->write_bytes_per_s, 80 * 512);
    ck_unknown(d->read_await_ms);
    ck_unknown(d->queue_depth);
    ck_unknown(d->inflight);
}
END_TEST

/* bottom#2147, htop#860, munin#426: a first reading is a baseline, however large its numbers. */
START_TEST(the_first_reading_has_no_rates)
{
    lines_are("8 0 sda 900000000 0 9000000000 5 1 0 8 1 3 5 6\n");
    rig_tick(&rig, 0);
    no_rates("sda");
    ck_unknown(rig.frame->totals.read_iops);
    ck_near(rig_dev(&rig, "sda")->inflight, 3);
    lines_are("8 0 sda 900000001 0 9000000008 6 1 0 8 1 0 6 7\n8 16 sdb 77777777 0 7 7 7 7 7 7 0 7 7\n");
    rig_tick(&rig, 1000);
    ck_near(rig_dev(&rig, "sda")->read_iops, 1);
    no_rates("sdb");
    ck_near(rig.frame->totals.read_iops, 1);
}
END_TEST

/* sysstat#355, #312, #259: re-created under its old number. */
START_TEST(a_column_that_falls_is_another_device)
{
    interval("253 3 dm-3 0 0 0 0 900 0 7200 50 0 60 50 0 0 0 0 0 0\n",
             "253 3 dm-3 0 0 0 0 256 0 2048 9 0 10 9 0 0 0 0 0 0\n");
    no_rates("dm-3");
    lines_are("253 3 dm-3 0 0 0 0 266 0 2128 19 0 20 19 0 0 0 0 0 0\n");
    rig_tick(&rig, 1000);
    ck_near(rig_dev(&rig, "dm-3")->write_iops, 10);
    ck_near(rig_dev(&rig, "dm-3")->write_await_ms, 1);
}
END_TEST

START_TEST(the_same_name_with_another_number_is_another_device)
{
    interval("8 0 sda 100 0 800 10 0 0 0 0 0 10 10\n", "8 16 sda 200 0 1600 20 0 0 0 0 0 20 20\n");
    no_rates("sda");
}
END_TEST

/* The counters of a loop go on when another file is attached; diskseq tells. */
START_TEST(another_diskseq_is_another_device)
{
    rig_put(&rig, "sys/block/loop0/diskseq", "20\n");
    rig_put(&rig, "sys/block/loop0/size", "2048\n");
    lines_are("7 0 loop0 100 0 800 10 0 0 0 0 0 10 10\n");
    rig_tick(&rig, 0);
    rig_put(&rig, "sys/block/loop0/diskseq", "62\n");
    lines_are("7 0 loop0 200 0 1600 20 0 0 0 0 0 20 20\n");
    rig_tick(&rig, 1000);
    no_rates("loop0");
    ck_assert_int_eq(rig_dev(&rig, "loop0")->diskseq, 62);
    lines_are("7 0 loop0 300 0 2400 30 0 0 0 0 0 30 30\n");
    rig_tick(&rig, 1000);
    ck_near(rig_dev(&rig, "loop0")->read_iops, 100);
}
END_TEST

/* telegraf#6345, sysstat#386: dm-3 is another volume now. */
START_TEST(the_name_of_a_volume_follows_at_once)
{
    rig_put(&rig, "sys/block/dm-3/dm/name", "lv-a\n");
    lines_are("253 3 dm-3 1 0 8 1 0 0 0 0 0 1 1\n");
    rig_tick(&rig, 0);
    ck_assert_str_eq(rig_dev(&rig, "dm-3")->label, "lv-a");
    ck_assert_str_eq(rig_dev(&rig, "dm-3")->kind, "dm");
    rig_put(&rig, "sys/block/dm-3/dm/name", "lv-b\n");
    rig_tick(&rig, 1000);
    ck_assert_str_eq(rig_dev(&rig, "dm-3")->label, "lv-b");
}
END_TEST

/* telegraf#17411: milliseconds have 32 bits in every kernel. */
START_TEST(milliseconds_wrap)
{
    interval("8 0 sda 1000 0 8000 4294967290 500 0 4000 4294967295 0 4294967200 4294966796\n",
             "8 0 sda 1010 0 8080 10 510 0 4080 9 0 104 200\n");
    const struct frame_dev *d = rig_dev(&rig, "sda");
    ck_near(d->busy_pct, 20);
    ck_near(d->read_await_ms, 1.6);
    ck_near(d->write_await_ms, 1);
    ck_near(d->queue_depth, 0.7);
    ck_near(d->read_iops, 10);
    ck_assert_uint_eq(d->delta.io_ticks_ms, 200);
}
END_TEST

START_TEST(milliseconds_that_step_back_are_unknown_alone)
{
    interval("8 0 sda 10 0 80 50 0 0 0 0 0 60 60\n", "8 0 sda 20 0 160 60 0 0 0 0 0 59 70\n");
    const struct frame_dev *d = rig_dev(&rig, "sda");
    ck_unknown(d->busy_pct);
    ck_near(d->read_await_ms, 1);
    ck_near(d->read_iops, 10);
}
END_TEST

/* psutil#1305, netdata#3481: sectors are of 512 bytes on any device. */
START_TEST(sectors_are_512_bytes)
{
    rig_put(&rig, "sys/block/nvme0n1/queue/logical_block_size", "4096\n");
    rig_put(&rig, "sys/block/nvme0n1/size", "4096\n");
    interval("259 0 nvme0n1 0 0 0 0 0 0 0 0 0 0 0\n", "259 0 nvme0n1 1 0 2048 1 0 0 0 0 0 1 1\n");
    ck_near(rig_dev(&rig, "nvme0n1")->read_bytes_per_s, 1048576);
    ck_near(rig_dev(&rig, "nvme0n1")->size_bytes, 4096 * 512);
}
END_TEST

/* diskgraph#1: nothing overflows at 100 GB/s and 50 million a second. */
START_TEST(large_rates_fit)
{
    interval("259 0 nvme0n1 18000000000000000000 0 18000000000000000000 0 0 0 0 0 0 0 0\n",
             "259 0 nvme0n1 18000000000050000000 0 18000000000195312500 9000 0 0 0 0 1023 1000 1023000\n");
    const struct frame_dev *d = rig_dev(&rig, "nvme0n1");
    ck_near(d->read_iops, 50e6);
    ck_near(d->read_bytes_per_s, 100e9);
    ck_near(d->queue_depth, 1023);
}
END_TEST

/* sysstat#187, atop#153, sysstat#412: 100% and more is a fact, not a limit. */
START_TEST(busy_is_not_clamped)
{
    interval("259 0 nvme0n1 0 0 0 0 0 0 0 0 0 0 0\n", "259 0 nvme0n1 10000 0 80000 1000 0 0 0 0 0 1020 1000\n");
    const struct frame_dev *d = rig_dev(&rig, "nvme0n1");
    ck_near(d->busy_pct, 102);
    ck_near(d->read_await_ms, 0.1);
    ck_near(d->queue_depth, 1);
    ck_assert_int_eq(d->state, FRAME_DEV_ACTIVE);
}
END_TEST

/* beats#30480: a mean of nothing is unknown. */
START_TEST(no_requests_have_no_await)
{
    interval("8 0 sda 10 0 80 50 10 0 80 50 0 60 60 1 0 8 1 1 1\n",
             "8 0 sda 10 0 80 50 10 0 80 50 0 60 60 1 0 8 1 1 1\n");
    const struct frame_dev *d = rig_dev(&rig, "sda");
    ck_near(d->read_iops, 0);
    ck_unknown(d->read_await_ms);
    ck_unknown(d->write_await_ms);
    ck_unknown(d->discard_await_ms);
    ck_unknown(d->flush_await_ms);
    ck_unknown(d->read_req_bytes);
    ck_assert_int_eq(d->state, FRAME_DEV_IDLE);
    ck_near(d->queue_depth, 0);
}
END_TEST

/* A request that hangs moves nothing but the number in flight. */
START_TEST(in_flight_and_nothing_done_is_stalled)
{
    interval("8 0 sda 3 0 24 9 0 0 0 0 0 9 9\n", "8 0 sda 3 0 24 9 0 0 0 0 1 900 9\n");
    ck_assert_int_eq(rig_dev(&rig, "sda")->state, FRAME_DEV_STALLED);
    ck_near(rig_dev(&rig, "sda")->inflight, 1);
    ck_unknown(rig_dev(&rig, "sda")->read_await_ms);
    lines_are("8 0 sda 4 0 32 2009 0 0 0 0 0 2000 2009\n");
    rig_tick(&rig, 1000);
    ck_assert_int_eq(rig_dev(&rig, "sda")->state, FRAME_DEV_ACTIVE);
    ck_near(rig_dev(&rig, "sda")->read_await_ms, 2000);
}
END_TEST

START_TEST(a_slow_request_is_no_stall_at_a_short_interval)
{
    lines_are("8 0 sda 3 0 24 9 0 0 0 0 1 9 9\n");
    rig_tick(&rig, 0);
    for (int i = 0; i < 4; i++) {
        rig_tick(&rig, 100);
        ck_assert_int_eq(rig_dev(&rig, "sda")->state, FRAME_DEV_ACTIVE);
    }
    rig_tick(&rig, 100);
    ck_assert_int_eq(rig_dev(&rig, "sda")->state, FRAME_DEV_STALLED);
}
END_TEST

START_TEST(a_negative_number_in_flight_is_unknown)
{
    interval("8 0 sda 3 0 24 9 0 0 0 0 4294967295 9 9\n", "8 0 sda 3 0 24 9 0 0 0 0 4294967294 9 9\n");
    ck_unknown(rig_dev(&rig, "sda")->inflight);
    ck_assert_int_eq(rig_dev(&rig, "sda")->state, FRAME_DEV_IDLE);
}
END_TEST

/* btop#499: counters that stand still because nobody counts are not an idle disk. */
START_TEST(stats_off_is_not_idle)
{
    rig_put(&rig, "sys/block/md0/queue/iostats", "0\n");
    rig_put(&rig, "sys/block/md0/size", "2048\n");
    interval("9 0 md0 5 0 40 1 0 0 0 0 0 1 1\n", "9 0 md0 5 0 40 1 0 0 0 0 0 1 1\n");
    ck_assert_int_eq(rig_dev(&rig, "md0")->stats, FRAME_NO);
    ck_assert_int_eq(rig_dev(&rig, "md0")->state, FRAME_DEV_UNKNOWN);
    no_rates("md0");
    rig_put(&rig, "sys/block/md0/queue/iostats", "1\n");
    lines_are("9 0 md0 9 0 72 1 0 0 0 0 0 1 1\n");
    rig_tick(&rig, 1000);
    no_rates("md0"); /* only a part of this interval was counted */
    lines_are("9 0 md0 19 0 152 1 0 0 0 0 0 1 1\n");
    rig_tick(&rig, 1000);
    ck_near(rig_dev(&rig, "md0")->read_iops, 10);
    ck_assert_int_eq(rig_dev(&rig, "md0")->stats, FRAME_YES);
}
END_TEST

/* The slow attributes come with the next poll; that a new device does not count is known at once. */
START_TEST(stats_off_is_known_at_first_sight)
{
    struct source_env env = {.root = rig.root, .clock = &rig.clock};
    struct frame_pool *pool = frame_pool_new();
    void *state;
    rig_put(&rig, "sys/block/zram1/queue/iostats", "0\n");
    rig_put(&rig, "sys/block/zram1/size", "2048\n");
    lines_are("253 1 zram1 0 0 0 0 0 0 0 0 0 0 0\n");
    ck_assert_int_eq(blkdev_source.open(&env, &state, NULL), 0);
    for (int i = 0; i < 2; i++) { /* and never polled */
        struct frame *f = frame_begin(pool);
        clock_advance(&rig.clock, NSEC_PER_SEC);
        blkdev_source.sample(state, f);
        const struct frame_dev *d = frame_find_dev(f, "zram1");
        ck_assert_int_eq(d->stats, FRAME_NO);
        ck_assert_int_eq(d->state, FRAME_DEV_UNKNOWN);
        ck_unknown(d->read_iops);
        frame_unref(f);
    }
    blkdev_source.close(state);
    frame_pool_free(pool);
}
END_TEST

/* Counters that jump ahead, as a broken driver or a torn file makes them: no disk does 1e15 of anything. */
START_TEST(absurd_rates_are_unknown)
{
    interval("8 0 sda 0 0 0 0 0 0 0 0 0 0 0\n", "8 0 sda 1 0 18446744073709551615 5 0 0 0 0 0 0 0\n");
    ck_near(rig_dev(&rig, "sda")->read_iops, 1);
    ck_unknown(rig_dev(&rig, "sda")->read_bytes_per_s);
    ck_unknown(rig_dev(&rig, "sda")->read_req_bytes);
    ck_unknown(rig.frame->totals.read_bytes_per_s);
}
END_TEST

/* lxcfs#667, atop#157, fio#549: the head does not count, its hidden path has no dev file (lxd#7313). */
START_TEST(a_head_that_does_not_count_shows_its_paths)
{
    rig_put(&rig, "sys/block/nvme0c0n1/hidden", "1\n");
    rig_put(&rig, "sys/block/nvme0n1/size", "2048\n");
    interval("0 0 nvme0c0n1 100 0 800 1 0 0 0 0 0 1 1\n259 1 nvme0n1 0 0 0 0 0 0 0 0 0 0 0\n",
             "0 0 nvme0c0n1 600 0 4800 51 0 0 0 0 2 1 51\n259 1 nvme0n1 0 0 0 0 0 0 0 0 0 0 0\n");
    const struct frame_dev *head = rig_dev(&rig, "nvme0n1"), *path = rig_dev(&rig, "nvme0c0n1");
    ck_near(head->read_iops, 500);
    ck_near(head->read_await_ms, 0.1);
    ck_near(head->inflight, 2);
    ck_assert(head->leaf && !head->hidden);
    ck_assert(path->hidden && !path->leaf);
    ck_assert_str_eq(path->kind, "nvme-path");
    ck_assert_str_eq(path->parent, "nvme0n1");
    ck_near(path->read_iops, 500);
    ck_near(rig.frame->totals.read_iops, 500);
}
END_TEST

START_TEST(a_head_that_counts_is_not_added_to_its_paths)
{
    interval("259 3 nvme0c0n1 100 0 800 1 0 0 0 0 0 1 1\n259 1 nvme0n1 100 0 800 1 0 0 0 0 0 1 1\n",
             "259 3 nvme0c0n1 600 0 4800 51 0 0 0 0 0 1 51\n259 1 nvme0n1 600 0 4800 61 0 0 0 0 0 1 61\n");
    ck_near(rig_dev(&rig, "nvme0n1")->read_iops, 500);
    ck_near(rig_dev(&rig, "nvme0n1")->read_await_ms, 0.12);
    ck_near(rig.frame->totals.read_iops, 500);
}
END_TEST

START_TEST(a_path_without_a_line_has_a_row)
{
    rig_put(&rig, "sys/block/nvme0c1n1/hidden", "1\n");
    rig_put(&rig, "sys/block/nvme0n1/size", "2048\n");
    interval("259 1 nvme0n1 1 0 8 1 0 0 0 0 0 1 1\n", "259 1 nvme0n1 2 0 16 1 0 0 0 0 0 1 1\n");
    ck_assert(rig_dev(&rig, "nvme0c1n1")->hidden);
    no_rates("nvme0c1n1");
    ck_near(rig.frame->totals.read_iops, 1);
}
END_TEST

/* percona/pmm#5675: the array and its members count the same writes. */
START_TEST(totals_have_every_rate)
{
    interval("8 0 sda 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n8 16 sdb 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
             "8 0 sda 1 2 8 0 3 4 16 0 0 0 0 5 0 24 0 6 0\n"
             "8 16 sdb 10 20 80 0 30 40 160 0 0 0 0 50 0 240 0 60 0\n");
    const struct frame_totals *t = &rig.frame->totals;
    ck_near(t->read_iops, 11);
    ck_near(t->read_merged_per_s, 22);
    ck_near(t->read_bytes_per_s, 88 * 512);
    ck_near(t->write_iops, 33);
    ck_near(t->write_merged_per_s, 44);
    ck_near(t->write_bytes_per_s, 176 * 512);
    ck_near(t->discard_iops, 55);
    ck_near(t->discard_bytes_per_s, 264 * 512);
    ck_near(t->flush_iops, 66);
}
END_TEST

START_TEST(totals_are_of_leaves)
{
    rig_put(&rig, "sys/block/md0/slaves/sda", "");
    rig_put(&rig, "sys/block/md0/slaves/sdb", "");
    rig_put(&rig, "sys/block/sda/size", "2048\n");
    rig_put(&rig, "sys/block/sdb/size", "2048\n");
    interval("8 0 sda 0 0 0 0 0 0 0 0 0 0 0\n8 16 sdb 0 0 0 0 0 0 0 0 0 0 0\n9 0 md0 0 0 0 0 0 0 0 0 0 0 0\n",
             "8 0 sda 0 0 0 0 100 0 800 9 0 9 9\n8 16 sdb 0 0 0 0 100 0 800 9 0 9 9\n9 0 md0 0 0 0 0 100 0 800 9 "
             "0 9 9\n");
    ck_near(rig.frame->totals.write_iops, 200);
    ck_near(rig.frame->totals.write_bytes_per_s, 2 * 800 * 512);
    const struct frame_dev *md = rig_dev(&rig, "md0");
    ck_near(md->write_iops, 100);
    ck_assert(!md->leaf);
    ck_assert_uint_eq(md->nmembers, 2);
    ck_assert_str_eq(md->members[0], "sda");
    ck_assert_str_eq(md->members[1], "sdb");
}
END_TEST

/* htop#758, gokrazy/stat#2: with sysfs, and from the names alone. */
START_TEST(a_partition_is_not_added_to_its_disk)
{
    if (_i == 0) {
        rig_put(&rig, "sys/block/nvme0n1/size", "2048\n");
        rig_put(&rig, "sys/block/nvme0n1/nvme0n1p1/partition", "1\n");
    }
    interval("259 0 nvme0n1 0 0 0 0 0 0 0 0 0 0 0\n259 1 nvme0n1p1 0 0 0 0 0 0 0 0 0 0 0\n",
             "259 0 nvme0n1 100 0 800 9 0 0 0 0 0 9 9\n259 1 nvme0n1p1 100 0 800 9 0 0 0 0 0 9 9\n");
    ck_near(rig.frame->totals.read_iops, 100);
    ck_assert_str_eq(rig_dev(&rig, "nvme0n1p1")->kind, "partition");
    ck_assert_str_eq(rig_dev(&rig, "nvme0n1p1")->parent, "nvme0n1");
    ck_near(rig_dev(&rig, "nvme0n1p1")->read_iops, 100);
}
END_TEST

/* pcp#935, DataDog/dd-agent#2517: a digit at the end makes no partition. */
START_TEST(a_digit_makes_no_partition)
{
    static const char *const names[] = {"zram0",   "dm-0",    "dm-1", "dm-10", "md0",
                                        "nvme0n1", "mmcblk0", "nbd0", "loop1", "rbd4"};
    char text[2048] = "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "253 %zu %s 9 0 72 1 0 0 0 0 0 1 1\n", i,
                 names[i]);
    interval(text, text);
    ck_assert_uint_eq(rig.frame->ndevs, sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_str_ne(rig_dev(&rig, names[i])->kind, "partition");
    ck_assert_str_eq(rig_dev(&rig, "zram0")->kind, "zram");
    ck_assert_str_eq(rig_dev(&rig, "rbd4")->kind, "disk");
    ck_assert(rig_dev(&rig, "rbd4")->leaf && !rig_dev(&rig, "zram0")->leaf);
}
END_TEST

/* htop#1800, #1803: loops in two groups, in another order each time. */
START_TEST(each_device_once_in_any_order)
{
    interval("7 0 loop0 9 0 72 1 0 0 0 0 0 1 1\n8 0 sda 0 0 0 0 0 0 0 0 0 0 0\n7 1 loop1 9 0 72 1 0 0 0 0 0 1 1\n",
             "7 1 loop1 19 0 152 1 0 0 0 0 0 1 1\n8 0 sda 100 0 800 1 0 0 0 0 0 1 1\n7 0 loop0 29 0 232 1 0 0 0 0 "
             "0 1 1\n"
             "7 1 loop1 19 0 152 1 0 0 0 0 0 1 1\n");
    ck_assert_uint_eq(rig.frame->ndevs, 3);
    ck_near(rig_dev(&rig, "loop0")->read_iops, 20);
    ck_near(rig_dev(&rig, "loop1")->read_iops, 10);
    ck_near(rig.frame->totals.read_iops, 100);
}
END_TEST

START_TEST(an_exclamation_mark_in_sysfs_is_a_slash)
{
    rig_put(&rig, "sys/block/cciss!c0d0/size", "2048\n");
    rig_put(&rig, "sys/block/cciss!c0d0/device/model", "LOGICAL VOLUME\n");
    rig_put(&rig, "sys/block/cciss!c0d0/cciss!c0d0p1/partition", "1\n");
    interval("104 0 cciss/c0d0 0 0 0 0 0 0 0 0 0 0 0\n104 1 cciss/c0d0p1 0 0 0 0 0 0 0 0 0 0 0\n",
             "104 0 cciss/c0d0 7 0 56 1 0 0 0 0 0 1 1\n104 1 cciss/c0d0p1 7 0 56 1 0 0 0 0 0 1 1\n");
    ck_assert_uint_eq(rig.frame->ndevs, 2);
    ck_near(rig_dev(&rig, "cciss/c0d0")->size_bytes, 1048576);
    ck_assert_str_eq(rig_dev(&rig, "cciss/c0d0")->model, "LOGICAL VOLUME");
    ck_assert_str_eq(rig_dev(&rig, "cciss/c0d0p1")->parent, "cciss/c0d0");
    ck_near(rig.frame->totals.read_iops, 7);
}
END_TEST

/* nvitop#139: a device that leaves keeps its row, and everything else goes on. */
START_TEST(a_device_that_leaves_is_gone_and_may_return)
{
    rig_put(&rig, "sys/block/sda/size", "2048\n");
    rig_put(&rig, "sys/block/sdb/size", "4096\n");
    rig_put(&rig, "sys/block/sdb/device/model", "STICK\n");
    interval("8 0 sda 0 0 0 0 0 0 0 0 0 0 0\n8 16 sdb 100 0 800 0 0 0 0 0 0 0 0\n",
             "8 0 sda 5 0 40 1 0 0 0 0 0 1 1\n8 16 sdb 200 0 1600 1 0 0 0 0 0 1 1\n");
    ck_near(rig.frame->totals.read_iops, 105);
    rig_remove(&rig, "sys/block/sdb");
    lines_are("8 0 sda 10 0 80 1 0 0 0 0 0 1 1\n");
    rig_tick(&rig, 1000);
    const struct frame_dev *d = rig_dev(&rig, "sdb");
    ck_assert_int_eq(d->state, FRAME_DEV_GONE);
    ck_assert_str_eq(d->model, "STICK");
    ck_assert_str_eq(d->kind, "disk");
    ck_unknown(d->inflight);
    no_rates("sdb");
    ck_assert_ptr_eq(d, &rig.frame->devs[rig.frame->ndevs - 1]);
    ck_near(rig.frame->totals.read_iops, 5);
    rig_put(&rig, "sys/block/sdb/size", "4096\n");
    lines_are("8 0 sda 15 0 120 1 0 0 0 0 0 1 1\n8 16 sdb 300 0 2400 1 0 0 0 0 0 1 1\n");
    rig_tick(&rig, 1000);
    no_rates("sdb");
    ck_assert_int_ne(rig_dev(&rig, "sdb")->state, FRAME_DEV_GONE);
    lines_are("8 0 sda 15 0 120 1 0 0 0 0 0 1 1\n8 16 sdb 301 0 2408 1 0 0 0 0 0 1 1\n");
    rig_tick(&rig, 1000);
    ck_near(rig_dev(&rig, "sdb")->read_iops, 1);
    ck_assert_uint_eq(rig.frame->ndevs, 2);
}
END_TEST

static void event_is(const char *text)
{
    ck_assert_uint_eq(rig.frame->nevents, 1);
    ck_assert_str_eq(rig.frame->events[0].kind, "device");
    ck_assert_str_eq(rig.frame->events[0].text, text);
}

START_TEST(coming_and_going_is_an_event)
{
    static const char one[] = "8 0 sda 1 0 8 1 0 0 0 0 0 1 1\n8 1 sda1 1 0 8 1 0 0 0 0 0 1 1\n";
    static const char two[] = "8 0 sda 1 0 8 1 0 0 0 0 0 1 1\n8 1 sda1 1 0 8 1 0 0 0 0 0 1 1\n"
                              "8 16 sdb 1 0 8 1 0 0 0 0 0 1 1\n8 17 sdb1 1 0 8 1 0 0 0 0 0 1 1\n";
    lines_are(one);
    ck_assert_uint_eq(rig_tick(&rig, 0)->nevents, 0); /* what was there from the start is no news */
    lines_are(two);
    rig_tick(&rig, 1000);
    event_is("sdb appeared");
    ck_assert_uint_eq(rig_tick(&rig, 1000)->nevents, 0);
    lines_are(one);
    rig_tick(&rig, 1000);
    event_is("sdb is gone");
    ck_assert_uint_eq(rig_tick(&rig, 1000)->nevents, 0);
    lines_are(two);
    rig_tick(&rig, 1000);
    event_is("sdb is back");
}
END_TEST

START_TEST(a_machine_that_makes_and_drops_devices_stays_small)
{
    char text[128];
    for (int i = 0; i < 300; i++) {
        snprintf(text, sizeof text, "253 %d dm-%d 1 0 8 0 0 0 0 0 0 0 0\n", i, i);
        lines_are(text);
        rig_tick(&rig, 1000);
    }
    ck_assert_uint_le(rig.frame->ndevs, 65);
    ck_assert_int_eq(rig_dev(&rig, "dm-298")->state, FRAME_DEV_GONE);
    ck_assert_ptr_null(frame_find_dev(rig.frame, "dm-0"));
}
END_TEST

START_TEST(unused_loops_have_no_row)
{
    rig_put(&rig, "sys/block/loop0/size", "0\n");
    rig_put(&rig, "sys/block/loop1/size", "0\n");
    rig_put(&rig, "sys/block/loop2/size", "2048\n");
    rig_put(&rig, "sys/block/ram0/size", "0\n");
    rig_put(&rig, "sys/block/nbd0/size", "0\n");
    rig_put(&rig, "sys/block/zram0/size", "0\n");
    interval(
        "7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n7 1 loop1 3 0 24 0 0 0 0 0 0 0 0\n7 2 loop2 0 0 0 0 0 0 0 0 0 0 0\n",
        "7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n7 1 loop1 3 0 24 0 0 0 0 0 0 0 0\n7 2 loop2 0 0 0 0 0 0 0 0 0 0 0\n");
    ck_assert_ptr_null(frame_find_dev(rig.frame, "loop0"));
    ck_assert_ptr_null(frame_find_dev(rig.frame, "ram0"));
    ck_assert_ptr_null(frame_find_dev(rig.frame, "nbd0"));
    rig_dev(&rig, "loop1"); /* it had I/O: detached loops keep their counters */
    rig_dev(&rig, "loop2");
    rig_dev(&rig, "zram0");
}
END_TEST

START_TEST(rates_use_the_time_between_readings)
{
    lines_are("8 0 sda 0 0 0 0 0 0 0 0 0 0 0\n");
    rig_tick(&rig, 0);
    lines_are("8 0 sda 100 0 800 50 0 0 0 0 0 100 50\n");
    rig_tick(&rig, 250);
    ck_near(rig_dev(&rig, "sda")->read_iops, 400);
    ck_near(rig_dev(&rig, "sda")->busy_pct, 40);
    ck_near(rig_dev(&rig, "sda")->queue_depth, 0.2);
    rig_tick(&rig, 0); /* no time passed: unknown, not infinite */
    no_rates("sda");
}
END_TEST

START_TEST(deltas_are_the_counters_own_numbers)
{
    interval("8 0 sda 1 2 3 4 5 6 7 8 0 9 10 11 12 13 14 15 16\n",
             "8 0 sda 101 202 303 404 505 606 707 808 1 909 1010 1111 1212 1313 1414 1515 1616\n");
    const struct frame_dev_delta *d = &rig_dev(&rig, "sda")->delta;
    ck_assert(d->have);
    ck_assert_uint_eq(d->reads, 100);
    ck_assert_uint_eq(d->read_merges, 200);
    ck_assert_uint_eq(d->read_sectors, 300);
    ck_assert_uint_eq(d->read_ms, 400);
    ck_assert_uint_eq(d->writes, 500);
    ck_assert_uint_eq(d->write_merges, 600);
    ck_assert_uint_eq(d->write_sectors, 700);
    ck_assert_uint_eq(d->write_ms, 800);
    ck_assert_uint_eq(d->io_ticks_ms, 900);
    ck_assert_uint_eq(d->queue_ms, 1000);
    ck_assert_uint_eq(d->discards, 1100);
    ck_assert_uint_eq(d->discard_sectors, 1300);
    ck_assert_uint_eq(d->discard_ms, 1400);
    ck_assert_uint_eq(d->flushes, 1500);
    ck_assert_uint_eq(d->flush_ms, 1600);
}
END_TEST

START_TEST(any_text_is_survived)
{
    static const char alphabet[] = "0123456789 \n  sdanvme/-x!\t";
    char text[512];
    srand(_i + 1);
    for (int round = 0; round < 50; round++) {
        size_t n = (size_t)rand() % (sizeof text - 1);
        for (size_t i = 0; i < n; i++)
            text[i] = alphabet[(size_t)rand() % (sizeof alphabet - 1)];
        text[n] = '\0';
        lines_are(text);
        rig_tick(&rig, 100);
        ck_assert_uint_le(rig.frame->ndevs, 64 + 512 / 14);
    }
}
END_TEST

START_TEST(the_live_machine_has_its_disks)
{
    struct rig live = {.fake = {.path = ""}};
    rig_start(&live, NULL);
    rig_tick(&live, 0);
    for (size_t i = 0; i < live.frame->ndevs; i++)
        ck_unknown(live.frame->devs[i].read_iops);
    rig_fini(&live);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("rows");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, any_number_of_columns, 0, sizeof columns / sizeof *columns);
    tcase_add_test(tc, not_fewer_than_fourteen_columns_but_seven);
    tcase_add_test(tc, old_partitions_have_seven_columns);
    tcase_add_test(tc, the_first_reading_has_no_rates);
    tcase_add_test(tc, a_column_that_falls_is_another_device);
    tcase_add_test(tc, the_same_name_with_another_number_is_another_device);
    tcase_add_test(tc, another_diskseq_is_another_device);
    tcase_add_test(tc, the_name_of_a_volume_follows_at_once);
    tcase_add_test(tc, milliseconds_wrap);
    tcase_add_test(tc, milliseconds_that_step_back_are_unknown_alone);
    tcase_add_test(tc, sectors_are_512_bytes);
    tcase_add_test(tc, large_rates_fit);
    tcase_add_test(tc, busy_is_not_clamped);
    tcase_add_test(tc, no_requests_have_no_await);
    tcase_add_test(tc, in_flight_and_nothing_done_is_stalled);
    tcase_add_test(tc, a_slow_request_is_no_stall_at_a_short_interval);
    tcase_add_test(tc, a_negative_number_in_flight_is_unknown);
    tcase_add_test(tc, stats_off_is_not_idle);
    tcase_add_test(tc, stats_off_is_known_at_first_sight);
    tcase_add_test(tc, absurd_rates_are_unknown);
    tcase_add_test(tc, a_head_that_does_not_count_shows_its_paths);
    tcase_add_test(tc, a_head_that_counts_is_not_added_to_its_paths);
    tcase_add_test(tc, a_path_without_a_line_has_a_row);
    tcase_add_test(tc, totals_have_every_rate);
    tcase_add_test(tc, totals_are_of_leaves);
    tcase_add_loop_test(tc, a_partition_is_not_added_to_its_disk, 0, 2);
    tcase_add_test(tc, a_digit_makes_no_partition);
    tcase_add_test(tc, each_device_once_in_any_order);
    tcase_add_test(tc, an_exclamation_mark_in_sysfs_is_a_slash);
    tcase_add_test(tc, a_device_that_leaves_is_gone_and_may_return);
    tcase_add_test(tc, coming_and_going_is_an_event);
    tcase_add_test(tc, a_machine_that_makes_and_drops_devices_stays_small);
    tcase_add_test(tc, unused_loops_have_no_row);
    tcase_add_test(tc, rates_use_the_time_between_readings);
    tcase_add_test(tc, deltas_are_the_counters_own_numbers);
    tcase_add_loop_test(tc, any_text_is_survived, 0, 8);
    tcase_add_test(tc, the_live_machine_has_its_disks);
    return suite_run("blkdev", tc);
}
