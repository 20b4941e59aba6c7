/* diskrates: what a difference of disk counters means per second, per request and in percent.
 * The formulas are those of iostat(1); nothing is clamped. */
#include <math.h>

#include "monitors/diskstats.h"

#define SECTOR_BYTES 512.0
#define ABSURD 1e15 /* per second or per request, of anything: counters that jumped, not I/O */

/* Each row: a field of the frame = v[field] * scale / seconds. */
struct rate_row {
    enum disk_field field;
    size_t offset;
    double scale;
};
#define RATE(f, member, scale_)                                                                                   \
    {                                                                                                             \
        f, offsetof(struct frame_dev, member), scale_                                                             \
    }
static const struct rate_row rates[] = {
    RATE(DISK_READS, read_iops, 1),
    RATE(DISK_WRITES, write_iops, 1),
    RATE(DISK_DISCARDS, discard_iops, 1),
    RATE(DISK_FLUSHES, flush_iops, 1),
    RATE(DISK_READ_SECTORS, read_bytes_per_s, SECTOR_BYTES),
    RATE(DISK_WRITE_SECTORS, write_bytes_per_s, SECTOR_BYTES),
    RATE(DISK_DISCARD_SECTORS, discard_bytes_per_s, SECTOR_BYTES),
    RATE(DISK_READ_MERGES, read_merged_per_s, 1),
    RATE(DISK_WRITE_MERGES, write_merged_per_s, 1),
    RATE(DISK_QUEUE_MS, queue_depth, 1e-3), /* ms of waiting per ms */
    RATE(DISK_IO_TICKS, busy_pct, 1e-1),    /* percent of time with a request in flight: no measure of limits */
};

/* Each row: a field of the frame = v[field] * scale / completed requests; unknown when there were none. */
struct mean_row {
    enum disk_field field, count;
    size_t offset;
    double scale;
};
#define MEAN(f, count, member, scale_)                                                                            \
    {                                                                                                             \
        f, count, offsetof(struct frame_dev, member), scale_                                                      \
    }
static const struct mean_row means[] = {
    MEAN(DISK_READ_MS, DISK_READS, read_await_ms, 1),
    MEAN(DISK_WRITE_MS, DISK_WRITES, write_await_ms, 1),
    MEAN(DISK_DISCARD_MS, DISK_DISCARDS, discard_await_ms, 1),
    MEAN(DISK_FLUSH_MS, DISK_FLUSHES, flush_await_ms, 1),
    MEAN(DISK_READ_SECTORS, DISK_READS, read_req_bytes, SECTOR_BYTES),
    MEAN(DISK_WRITE_SECTORS, DISK_WRITES, write_req_bytes, SECTOR_BYTES),
};

static double *member(struct frame_dev *row, size_t offset)
{
    return (double *)((char *)row + offset);
}

static void put_delta(const uint64_t *v, struct frame_dev_delta *d)
{
    *d = (struct frame_dev_delta){
        .have = true,
        .reads = v[DISK_READS],
        .read_merges = v[DISK_READ_MERGES],
        .read_sectors = v[DISK_READ_SECTORS],
        .read_ms = v[DISK_READ_MS],
        .writes = v[DISK_WRITES],
        .write_merges = v[DISK_WRITE_MERGES],
        .write_sectors = v[DISK_WRITE_SECTORS],
        .write_ms = v[DISK_WRITE_MS],
        .discards = v[DISK_DISCARDS],
        .discard_sectors = v[DISK_DISCARD_SECTORS],
        .discard_ms = v[DISK_DISCARD_MS],
        .flushes = v[DISK_FLUSHES],
        .flush_ms = v[DISK_FLUSH_MS],
        .io_ticks_ms = v[DISK_IO_TICKS],
        .queue_ms = v[DISK_QUEUE_MS],
    };
}

void disk_counts_rates(const struct disk_counts *delta, uint64_t dt_ns, struct frame_dev *row)
{
    double seconds = (double)dt_ns * 1e-9;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        double v = (double)delta->v[rates[i].field] * rates[i].scale / seconds;
        if (disk_has(delta, rates[i].field) && v < ABSURD)
            *member(row, rates[i].offset) = v;
    }
    for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
        if (!disk_has(delta, means[i].field) || !disk_has(delta, means[i].count) || !delta->v[means[i].count])
            continue;
        double v = (double)delta->v[means[i].field] * means[i].scale / (double)delta->v[means[i].count];
        if (v < ABSURD)
            *member(row, means[i].offset) = v;
    }
    put_delta(delta->v, &row->delta);
}
