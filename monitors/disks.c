/* disks: keeps the devices of a session apart from one another across renames, re-use and removal.
 * Reads no file: lines and tree are handed in. */
#include "monitors/disks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

/* The lines come in the same order as last time, nearly always: look behind the last hit first. */
static struct disk *find(const struct disks *s, const char *name, size_t hint)
{
    for (size_t i = 0; i < s->n; i++) {
        struct disk *d = &s->disk[(hint + i) % s->n];
        if (strcmp(d->name, name) == 0)
            return d;
    }
    return NULL;
}

static struct disk *add(struct disks *s, const char *name)
{
    if (s->n == s->cap) {
        size_t cap = s->cap ? s->cap * 2 : 32;
        struct disk *grown = reallocarray(s->disk, cap, sizeof *grown);
        if (!grown)
            return NULL;
        s->disk = grown;
        s->cap = cap;
    }
    struct disk *d = &s->disk[s->n++];
    *d = (struct disk){.diskseq = -1, .node = BLOCK_NONE};
    d->info = (struct devinfo_row){.diskseq = -1, .rotational = -1, .iostats = FRAME_UNKNOWN};
    str_copy(d->name, sizeof d->name, name);
    return d;
}

static void take_line(struct disk *d, const struct disk_line *l)
{
    d->comparable = d->comparable && d->major == l->major && d->minor == l->minor;
    d->major = l->major;
    d->minor = l->minor;
    d->now = l->counts;
    d->listed = true;
}

int disks_count(struct disks *s, const struct diskstats *lines, uint64_t read_ns, bool *ret_changed)
{
    size_t hint = 0, stayed = 0, were = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct disk *d = &s->disk[i];
        were += d->listed;
        d->comparable = d->listed;
        d->before = d->now;
        d->listed = false;
    }
    for (size_t i = 0; i < lines->n; i++) {
        struct disk *d = s->n ? find(s, lines->line[i].name, hint) : NULL;
        if (!d && !(d = add(s, lines->line[i].name)))
            return -ENOMEM;
        stayed += d->comparable;
        take_line(d, &lines->line[i]);
        hint = (size_t)(d - s->disk) + 1;
    }
    s->dt_ns = s->read_ns && read_ns > s->read_ns ? read_ns - s->read_ns : 0;
    s->read_ns = read_ns;
    *ret_changed = stayed != were || stayed != lines->n;
    return 0;
}

static bool is_partition_of(const char *name, const char *disk)
{
    size_t len = strlen(disk);
    if (len == 0 || !str_starts(name, disk))
        return false;
    const char *rest = name + len;
    bool ends_in_digit = disk[len - 1] >= '0' && disk[len - 1] <= '9';
    if (ends_in_digit && *rest++ != 'p')
        return false;
    return *rest && strspn(rest, "0123456789") == strlen(rest);
}

/* A device without a folder in sysfs: its name, and those of the others, are all there is to tell from. */
static void guess(const struct disks *s, struct disk *d)
{
    unsigned subsystem, nsid;
    d->kind = block_kind_of_name(d->name);
    d->kind = d->kind == BLOCK_OTHER ? BLOCK_DISK : d->kind;
    d->parent[0] = '\0';
    for (size_t i = 0; i < s->n && d->kind != BLOCK_PARTITION; i++)
        if (!s->disk[i].gone && is_partition_of(d->name, s->disk[i].name)) {
            d->kind = BLOCK_PARTITION;
            str_copy(d->parent, sizeof d->parent, s->disk[i].name);
        }
    if (block_nvme_path(d->name, &subsystem, &nsid)) {
        d->kind = BLOCK_NVME_PATH;
        snprintf(d->parent, sizeof d->parent, "nvme%un%u", subsystem, nsid);
    }
    d->hidden = d->kind == BLOCK_NVME_PATH;
    struct block_node alone = {.kind = d->kind, .hidden = d->hidden, .parent = BLOCK_NONE};
    str_copy(alone.name, sizeof alone.name, d->name);
    d->leaf = blocktree_is_leaf(&(struct blocktree){.node = &alone, .n = 1}, 0);
}

static void take_node(struct disk *d, const struct blocktree *tree, int i)
{
    const struct block_node *n = &tree->node[i];
    if (d->diskseq >= 0 && n->diskseq != d->diskseq)
        d->comparable = false;
    d->node = i;
    d->diskseq = n->diskseq;
    d->kind = n->kind;
    d->size_bytes = n->size_bytes;
    d->hidden = n->hidden;
    d->leaf = blocktree_is_leaf(tree, i);
    if (!d->listed) {
        d->major = n->major;
        d->minor = n->minor;
    }
    str_copy(d->parent, sizeof d->parent, n->parent == BLOCK_NONE ? "" : tree->node[n->parent].name);
}

static int take_tree(struct disks *s, const struct blocktree *tree)
{
    for (size_t i = 0; i < s->n; i++)
        s->disk[i].node = BLOCK_NONE;
    for (size_t i = 0; i < tree->n; i++) {
        struct disk *d = s->n ? find(s, tree->node[i].name, i) : NULL;
        if (!d && !(d = add(s, tree->node[i].name)))
            return -ENOMEM;
        take_node(d, tree, (int)i);
    }
    return 0;
}

static void mark_gone(struct disks *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct disk *d = &s->disk[i];
        bool gone = !d->listed && d->node == BLOCK_NONE;
        if (gone && !d->gone)
            d->gone_ns = s->read_ns;
        d->gone = gone;
    }
}

static void drop(struct disks *s, size_t i)
{
    s->n--;
    memmove(&s->disk[i], &s->disk[i + 1], (s->n - i) * sizeof *s->disk);
}

/* What was never worth a row leaves none, and a machine that makes and drops devices all day stays small. */
static void forget(struct disks *s)
{
    size_t gone = 0, oldest = 0;
    for (size_t i = s->n; i-- > 0;)
        if (s->disk[i].gone && disk_is_unused(&s->disk[i]))
            drop(s, i);
    for (size_t i = 0; i < s->n; i++) {
        if (!s->disk[i].gone)
            continue;
        if (gone++ == 0 || s->disk[i].gone_ns < s->disk[oldest].gone_ns)
            oldest = i;
    }
    if (gone > DISKS_GONE_MAX) {
        drop(s, oldest);
        forget(s);
    }
}

static int rank(const struct disk *d)
{
    return d->gone ? 2 : d->node == BLOCK_NONE ? 1 : 0;
}

static int by_place(const void *a, const void *b, void *arg)
{
    const struct disks *s = arg;
    const struct disk *x = &s->disk[*(const int *)a], *y = &s->disk[*(const int *)b];
    if (rank(x) != rank(y))
        return rank(x) - rank(y);
    return rank(x) == 0 ? x->node - y->node : strverscmp(x->name, y->name);
}

static int set_order(struct disks *s)
{
    int *order = reallocarray(s->order, s->n + 1, sizeof *order);
    if (!order)
        return -ENOMEM;
    for (size_t i = 0; i < s->n; i++)
        order[i] = (int)i;
    qsort_r(order, s->n, sizeof *order, by_place, s);
    s->order = order;
    s->norder = s->n;
    return 0;
}

int disks_join(struct disks *s, const struct blocktree *tree)
{
    s->norder = 0;
    int rc = take_tree(s, tree);
    if (rc < 0)
        return rc;
    mark_gone(s);
    forget(s);
    for (size_t i = 0; i < s->n; i++)
        if (rank(&s->disk[i]) == 1)
            guess(s, &s->disk[i]);
    return set_order(s);
}

/* Counters that stand still because nobody counts are not "idle"; after they are switched on again the first
 * interval is only partly counted. */
static void subtract(struct disk *d, uint64_t dt_ns)
{
    bool off = d->info.iostats == FRAME_NO;
    d->by_paths = false;
    d->have_delta = d->listed && d->comparable && dt_ns > 0 && !off && !d->was_off &&
                    disk_counts_delta(&d->before, &d->now, &d->delta);
    d->was_off = off;
}

/* Before 6.12 or so the head of NVMe native multipath does not count: then its paths do (axboe/fio#549). Where
 * the head counts, it has had requests at least as often as its paths. */
static void sum_paths(const struct disks *s, struct disk *head)
{
    struct disk_counts now = {0}, delta = {0};
    bool have_delta = false;
    if (head->kind != BLOCK_NVME || !disk_counts_all_zero(&head->now))
        return;
    for (size_t i = 0; i < s->n; i++) {
        const struct disk *p = &s->disk[i];
        if (p->kind != BLOCK_NVME_PATH || !p->listed || strcmp(p->parent, head->name) != 0)
            continue;
        disk_counts_add(&now, &p->now);
        if (p->have_delta)
            disk_counts_add(&delta, &p->delta);
        have_delta |= p->have_delta;
    }
    if (disk_counts_all_zero(&now))
        return;
    head->now = now;
    head->delta = delta;
    head->have_delta = have_delta;
    head->by_paths = true;
}

static void count_waiting(struct disk *d, uint64_t dt_ns)
{
    bool in_flight = disk_has(&d->now, DISK_INFLIGHT) && d->now.v[DISK_INFLIGHT] > 0;
    bool waits = d->have_delta && in_flight && !disk_counts_any_io(&d->delta);
    d->waiting_ns = waits ? d->waiting_ns + dt_ns : 0;
}

void disks_subtract(struct disks *s)
{
    for (size_t i = 0; i < s->n; i++)
        subtract(&s->disk[i], s->dt_ns);
    for (size_t i = 0; i < s->n; i++)
        sum_paths(s, &s->disk[i]);
    for (size_t i = 0; i < s->n; i++)
        count_waiting(&s->disk[i], s->dt_ns);
}

bool disk_is_unused(const struct disk *d)
{
    bool may_be = d->kind == BLOCK_LOOP || d->kind == BLOCK_RAM || d->kind == BLOCK_NBD;
    return may_be && (d->node != BLOCK_NONE || d->gone) && d->size_bytes == 0 && disk_counts_all_zero(&d->now);
}

void disks_fini(struct disks *s)
{
    free(s->disk);
    free(s->order);
    *s = (struct disks){0};
}
