/* blkdev: the source that reads /proc/diskstats each tick, the tree when something changed, and makes rows.
 * Parsing is diskstats.c, who is who disks.c, slow attributes devinfo.c. */
#include "monitors/blkdev.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/blocktree.h"
#include "core/clock.h"
#include "core/frame.h"
#include "core/str.h"
#include "core/sysroot.h"
#include "monitors/devinfo.h"
#include "monitors/disks.h"
#include "monitors/diskstats.h"

#define TREE_MAX_AGE_NS (5 * NSEC_PER_SEC)
#define STALLED_AFTER_NS (500 * NSEC_PER_MSEC) /* a slow disk may well be busy with one request for a tick */

struct blkdev {
    const struct sysroot *root;
    const struct clock *clock;
    struct blocktree tree;
    uint64_t tree_ns; /* when it was read; 0 never */
    struct diskstats lines;
    struct disks disks;
    struct devinfo *info;
    uint64_t info_version; /* of what the disks hold */
    struct strbuf text;
};

static void blkdev_close(void *state)
{
    struct blkdev *b = state;
    if (!b)
        return;
    blocktree_fini(&b->tree);
    diskstats_fini(&b->lines);
    disks_fini(&b->disks);
    devinfo_free(b->info);
    strbuf_fini(&b->text);
    free(b);
}

static int blkdev_open(const struct source_env *env, void **ret_state, struct err *err)
{
    struct blkdev *b = calloc(1, sizeof *b);
    if (b)
        b->info = devinfo_new(env->root);
    if (!b || !b->info) {
        blkdev_close(b);
        return err_set(err, -ENOMEM, "blkdev: out of memory");
    }
    b->root = env->root;
    b->clock = env->clock;
    *ret_state = b;
    return 0;
}

static void blkdev_poll(void *state)
{
    struct blkdev *b = state;
    devinfo_poll(b->info);
}

/* Names that are handed out again to another device while its counters may go on: dm re-created, loop
 * re-attached. Asked only where something moved. */
static bool was_reused(const struct blkdev *b, const struct disk *d)
{
    static const bool reusable[BLOCK_OTHER + 1] = {
        [BLOCK_DM] = true, [BLOCK_MD] = true, [BLOCK_LOOP] = true, [BLOCK_NBD] = true};
    int64_t seq;
    if (d->node == BLOCK_NONE || !d->listed || d->diskseq < 0 || !reusable[d->kind])
        return false;
    if (memcmp(&d->before, &d->now, sizeof d->now) == 0)
        return false;
    return sysroot_i64(b->root, &seq, "sys/block/%s/diskseq", b->tree.node[d->node].sysname) == 0 &&
           seq != d->diskseq;
}

static bool tree_is_stale(const struct blkdev *b, bool changed)
{
    /* The folder of a fake machine may be another one now. */
    if (changed || !b->tree_ns || !sysroot_is_live(b->root) || b->disks.read_ns - b->tree_ns >= TREE_MAX_AGE_NS)
        return true;
    for (size_t i = 0; i < b->disks.n; i++)
        if (was_reused(b, &b->disks.disk[i]))
            return true;
    return false;
}

/* True when the disks were joined with a new tree. */
static bool read_tree(struct blkdev *b)
{
    struct blocktree fresh = {0};
    if (blocktree_read(b->root, &fresh, NULL) < 0)
        return false;
    blocktree_fini(&b->tree);
    b->tree = fresh;
    b->tree_ns = b->disks.read_ns;
    return disks_join(&b->disks, &b->tree) == 0;
}

/* Whether it counts at all cannot wait for the next poll: what does not count would be taken for idle. */
static void ask_iostats(const struct blkdev *b, struct disk *d)
{
    uint64_t v;
    if (d->node == BLOCK_NONE)
        return;
    const struct block_node *n = &b->tree.node[d->node];
    n = n->kind == BLOCK_PARTITION ? &b->tree.node[n->parent] : n;
    if (sysroot_u64(b->root, &v, "sys/block/%s/queue/iostats", n->sysname) == 0)
        d->info.iostats = v ? FRAME_YES : FRAME_NO;
}

/* A partition shares the queue of its disk, but has no model of its own. */
static void take_info(struct blkdev *b, struct disk *d)
{
    bool part = d->kind == BLOCK_PARTITION;
    if (d->gone)
        return;
    if (!devinfo_get(b->info, part ? d->parent : d->name, d->diskseq, &d->info))
        ask_iostats(b, d);
    if (part)
        d->info.model[0] = d->info.serial[0] = '\0';
}

static void read_counters(struct blkdev *b)
{
    bool changed, joined = false;
    uint64_t now = clock_mono_ns(b->clock);
    if (sysroot_read(b->root, &b->text, "proc/diskstats") < 0 || diskstats_parse(&b->lines, b->text.s) < 0)
        b->lines.n = 0;
    if (disks_count(&b->disks, &b->lines, now, &changed) < 0)
        return;
    if (tree_is_stale(b, changed))
        joined = read_tree(b);
    uint64_t version = devinfo_version(b->info);
    for (size_t i = 0; (joined || version != b->info_version) && i < b->disks.n; i++)
        take_info(b, &b->disks.disk[i]);
    b->info_version = version;
    disks_subtract(&b->disks);
}

static enum frame_dev_state state_of(const struct disk *d)
{
    bool in_flight = disk_has(&d->now, DISK_INFLIGHT) && d->now.v[DISK_INFLIGHT] > 0;
    if (d->gone)
        return FRAME_DEV_GONE;
    if (!d->have_delta)
        return in_flight && d->listed ? FRAME_DEV_ACTIVE : FRAME_DEV_UNKNOWN;
    if (disk_counts_any_io(&d->delta))
        return FRAME_DEV_ACTIVE;
    if (in_flight)
        return d->waiting_ns >= STALLED_AFTER_NS ? FRAME_DEV_STALLED : FRAME_DEV_ACTIVE;
    return FRAME_DEV_IDLE;
}

static void put_members(struct frame *f, const struct blocktree *t, const struct block_node *n,
                        struct frame_dev *row)
{
    const char **names = n->nmembers ? frame_alloc(f, n->nmembers * sizeof *names) : NULL;
    for (size_t i = 0; i < n->nmembers; i++)
        names[i] = frame_text(f, t->node[n->members[i]].name);
    row->members = names;
    row->nmembers = n->nmembers;
    row->backing_file = frame_text(f, n->backing_file);
    row->label = frame_text(f, n->dm_name);
}

static void put_identity(struct frame *f, const struct disk *d, struct frame_dev *row)
{
    row->name = frame_text(f, d->name);
    row->major = d->major;
    row->minor = d->minor;
    row->diskseq = d->diskseq;
    row->kind = block_kind_name(d->kind);
    row->parent = frame_text(f, d->parent);
    row->label = row->backing_file = "";
    row->model = frame_text(f, d->info.model);
    row->serial = frame_text(f, d->info.serial);
    row->scheduler = frame_text(f, d->info.scheduler);
    row->rotational = d->info.rotational;
    row->size_bytes = d->size_bytes ? (double)d->size_bytes : NAN;
    row->hidden = d->hidden;
    row->leaf = d->leaf && !d->gone;
}

static void put_row(const struct blkdev *b, struct frame *f, const struct disk *d, struct frame_dev *row)
{
    put_identity(f, d, row);
    if (d->node != BLOCK_NONE)
        put_members(f, &b->tree, &b->tree.node[d->node], row);
    row->state = state_of(d);
    row->stats = d->by_paths ? FRAME_YES : d->info.iostats;
    if (d->gone)
        return;
    if (d->listed && disk_has(&d->now, DISK_INFLIGHT) && row->stats != FRAME_NO)
        row->inflight = (double)d->now.v[DISK_INFLIGHT];
    if (d->have_delta)
        disk_counts_rates(&d->delta, b->disks.dt_ns, row);
}

static void add_known(double *sum, double v)
{
    if (!isnan(v))
        *sum = isnan(*sum) ? v : *sum + v;
}

static void add_to_totals(struct frame_totals *t, const struct frame_dev *row)
{
    add_known(&t->read_iops, row->read_iops);
    add_known(&t->write_iops, row->write_iops);
    add_known(&t->discard_iops, row->discard_iops);
    add_known(&t->read_bytes_per_s, row->read_bytes_per_s);
    add_known(&t->write_bytes_per_s, row->write_bytes_per_s);
    add_known(&t->discard_bytes_per_s, row->discard_bytes_per_s);
    add_known(&t->flush_iops, row->flush_iops);
    add_known(&t->read_merged_per_s, row->read_merged_per_s);
    add_known(&t->write_merged_per_s, row->write_merged_per_s);
}

/* A device that comes or goes in this session is an event; partitions follow their disk without a word. */
static void tell(struct frame *f, struct disk *d, bool first)
{
    static const char *const news[][3] = {
        [DISK_NEW] = {[DISK_HERE] = "appeared"},
        [DISK_HERE] = {[DISK_GONE] = "is gone"},
        [DISK_GONE] = {[DISK_HERE] = "is back"},
    };
    int now = d->gone ? DISK_GONE : DISK_HERE;
    const char *text = news[d->told][now];
    d->told = now;
    if (text && !first && d->kind != BLOCK_PARTITION)
        frame_event(f, f->time_ns, "device", "%s %s", d->name, text);
}

static void blkdev_sample(void *state, struct frame *f)
{
    struct blkdev *b = state;
    size_t n = 0, k = 0;
    bool first = b->disks.read_ns == 0;
    read_counters(b);
    for (size_t i = 0; i < b->disks.norder; i++)
        n += !disk_is_unused(&b->disks.disk[b->disks.order[i]]);
    struct frame_dev *rows = frame_devs_new(f, n);
    f->totals = (struct frame_totals)FRAME_TOTALS_UNKNOWN;
    for (size_t i = 0; i < b->disks.norder; i++) {
        struct disk *d = &b->disks.disk[b->disks.order[i]];
        if (disk_is_unused(d))
            continue;
        tell(f, d, first);
        put_row(b, f, d, &rows[k]);
        if (rows[k].leaf)
            add_to_totals(&f->totals, &rows[k]);
        k++;
    }
}

const struct source blkdev_source = {
    .name = "blkdev",
    .blurb = "Throughput, IOPS, latency and queue of every block device, as a tree",
    .period_ns = 2 * NSEC_PER_SEC,
    .open = blkdev_open,
    .poll = blkdev_poll,
    .sample = blkdev_sample,
    .close = blkdev_close,
};
