/* overview_rows: the devices in the order of the table: a tree, busy ones first, idle loops last, and calm: rows
 * move at most every few seconds. Draws nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/str.h"
#include "tui/screens/overview.h"

#define CALM_NS (3 * NSEC_PER_SEC) /* between two sorts, and after a move of the selection */
#define SMOOTH_S 4.0

static bool same_devices(const struct overview *o, size_t n)
{
    bool same = o->nrows == n;
    for (size_t i = 0; i < n && same; i++)
        same = strcmp(o->row[i].name, o->frame->devs[i].name) == 0;
    return same;
}

static const struct overview_row *find(const struct overview_row *row, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(row[i].name, name) == 0)
            return &row[i];
    return NULL;
}

static void begin_row(struct overview_row *row, const struct frame *f, size_t i)
{
    *row = (struct overview_row){.history = -1, .parent = -1, .seen_ns = f->mono_ns};
    str_copy(row->name, sizeof row->name, f->devs[i].name);
}

/* Devices came or went: each row moves to its new place with all it remembers. */
static void remap(struct overview *o, size_t n)
{
    struct overview_row *old = malloc(sizeof o->row);
    size_t nold = old ? o->nrows : 0; /* without memory the past is lost, nothing else */
    if (old)
        memcpy(old, o->row, nold * sizeof *old);
    for (size_t i = 0; i < OVERVIEW_HISTORIES; i++)
        o->history[i].row = -1;
    for (size_t i = 0; i < n; i++) {
        const struct overview_row *was = nold ? find(old, nold, o->frame->devs[i].name) : NULL;
        begin_row(&o->row[i], o->frame, i);
        if (was)
            o->row[i] = *was;
        if (o->row[i].history >= 0)
            o->history[o->row[i].history].row = (int)i;
    }
    o->nrows = n;
    o->ordered = false;
    free(old);
}

static double smooth(double old, double v, double dt_s)
{
    if (isnan(v))
        v = 0;
    return old + (v - old) * (1 - exp(-dt_s / SMOOTH_S));
}

static double await_of(const struct frame_dev *d)
{
    return fmax(d->read_await_ms, d->write_await_ms);
}

static void smooth_row(struct overview_row *row, const struct frame_dev *d, const struct frame *f)
{
    double dt_s = (double)f->dt_ns / 1e9;
    row->key_bytes = smooth(row->key_bytes, d->read_bytes_per_s + d->write_bytes_per_s, dt_s);
    row->key_iops = smooth(row->key_iops, d->read_iops + d->write_iops, dt_s);
    row->key_await = smooth(row->key_await, await_of(d), dt_s);
    if (d->state != FRAME_DEV_GONE)
        row->gone_ns = 0;
    else if (!row->gone_ns)
        row->gone_ns = f->time_ns;
}

static bool is_pseudo(const char *kind)
{
    static const char *const pseudo[] = {"loop", "ram", "zram", "rom", "nbd"};
    for (size_t i = 0; i < sizeof pseudo / sizeof *pseudo; i++)
        if (strcmp(kind, pseudo[i]) == 0)
            return true;
    return false;
}

/* They stay in diskstats with old counters when they hold nothing any more. One that worked and went is told. */
static enum overview_class class_of_pseudo(const struct frame_dev *d, bool worked)
{
    if (d->state == FRAME_DEV_GONE)
        return worked ? CLASS_IDLE : CLASS_UNUSED;
    return d->size_bytes > 0 || (d->backing_file && d->backing_file[0]) ? CLASS_IDLE_PSEUDO : CLASS_UNUSED;
}

static enum overview_class class_of(const struct overview *o, size_t i, int selected)
{
    const struct overview_row *row = &o->row[i];
    const struct frame_dev *d = &o->frame->devs[i];
    if (row->key_iops > 0.1 || d->inflight > 0 || selected == (int)i)
        return CLASS_BUSY;
    if (is_pseudo(d->kind))
        return class_of_pseudo(d, row->history >= 0);
    return d->hidden || strcmp(d->kind, "partition") == 0 ? CLASS_IDLE_PART : CLASS_IDLE;
}

/* A device stands under the one thing that is built on it, else under the disk it is a part of. */
static void find_parents(struct overview *o)
{
    int holders[OVERVIEW_ROWS] = {0};
    for (size_t i = 0; i < o->nrows; i++)
        o->row[i].parent = -1;
    for (size_t i = 0; i < o->nrows; i++) {
        const struct frame_dev *d = &o->frame->devs[i];
        for (size_t m = 0; m < d->nmembers; m++) {
            const struct overview_row *r = find(o->row, o->nrows, d->members[m]);
            if (r && holders[r - o->row]++ == 0)
                o->row[r - o->row].parent = (int)i;
        }
    }
    for (size_t i = 0; i < o->nrows; i++) {
        const struct frame_dev *d = &o->frame->devs[i];
        const struct overview_row *disk = d->parent[0] ? find(o->row, o->nrows, d->parent) : NULL;
        if (holders[i] != 1)
            o->row[i].parent = disk ? (int)(disk - o->row) : -1;
    }
}

/* Depth by walking up; a ring (impossible, but it is only text from sysfs) is cut. */
static void set_depth(struct overview *o, size_t i)
{
    int depth = 0;
    for (int p = o->row[i].parent; p >= 0; p = o->row[p].parent)
        if (++depth > 8) {
            o->row[i].parent = -1;
            depth = 0;
            break;
        }
    o->row[i].depth = depth;
}

struct sort_key {
    int class;
    double value;
};

static struct sort_key own_key(const struct overview *o, size_t i, int selected)
{
    const struct overview_row *r = &o->row[i];
    const double value[SORTS] = {
        [SORT_BYTES] = r->key_bytes, [SORT_IOPS] = r->key_iops, [SORT_AWAIT] = r->key_await};
    return (struct sort_key){(int)class_of(o, i, selected), value[o->sort]};
}

/* A branch is worth what its best member is worth. */
static void raise_ancestors(const struct overview *o, struct sort_key *key, size_t i)
{
    for (int p = o->row[i].parent; p >= 0 && !o->flat; p = o->row[p].parent) {
        if (key[i].class < key[p].class)
            key[p].class = key[i].class;
        if (key[i].value > key[p].value)
            key[p].value = key[i].value;
    }
}

static int by_name(const void *a, const void *b, void *rows)
{
    const struct overview_row *row = rows;
    return strverscmp(row[*(const uint16_t *)a].name, row[*(const uint16_t *)b].name);
}

/* Does b belong before a? A lead of less than a tenth is none: twins keep their order. */
static bool leads(const struct sort_key *b, const struct sort_key *a)
{
    return b->class < a->class || (b->class == a->class && b->value > a->value * 1.1);
}

/* Starts from the order that is on the screen, so that only rows with a real lead move. */
static void sort_rows(struct overview *o, const struct sort_key *key, uint16_t *row)
{
    for (size_t i = 0; i < o->nrows; i++)
        row[i] = o->ordered ? o->order[i] : (uint16_t)i;
    if (!o->ordered || o->sort == SORT_NAME)
        qsort_r(row, o->nrows, sizeof *row, by_name, o->row);
    for (size_t i = 1; i < o->nrows; i++)
        for (size_t j = i; j > 0 && leads(&key[row[j]], &key[row[j - 1]]); j--) {
            uint16_t t = row[j];
            row[j] = row[j - 1];
            row[j - 1] = t;
        }
}

/* Appends the rows under `parent` in their order, each followed by its own. */
static void emit(struct overview *o, const uint16_t *sorted, int parent, size_t *n)
{
    for (size_t i = 0; i < o->nrows; i++) {
        uint16_t row = sorted[i];
        if (!o->flat && o->row[row].parent != parent)
            continue;
        o->order[(*n)++] = row;
        if (!o->flat)
            emit(o, sorted, row, n);
    }
}

void overview_rows_sort(struct overview *o)
{
    struct sort_key key[OVERVIEW_ROWS];
    uint16_t sorted[OVERVIEW_ROWS];
    if (!o->frame)
        return;
    int selected = overview_rows_selected(o);
    find_parents(o);
    for (size_t i = 0; i < o->nrows; i++) {
        set_depth(o, i);
        key[i] = own_key(o, i, selected);
    }
    for (size_t i = 0; i < o->nrows; i++)
        raise_ancestors(o, key, i);
    for (size_t i = 0; i < o->nrows; i++)
        o->row[i].class = (enum overview_class)key[i].class;
    sort_rows(o, key, sorted);
    size_t n = 0;
    emit(o, sorted, -1, &n);
    o->ordered = true;
    o->sorted_ns = o->frame->mono_ns;
    o->sorted_with_rates |= o->frame->dt_ns > 0;
}

static void grow_wish(struct overview *o)
{
    int rows = 0;
    for (size_t i = 0; i < o->nrows; i++) {
        if (o->row[i].class >= CLASS_IDLE_PSEUDO)
            continue;
        int w = 1 + (o->flat ? 0 : o->row[i].depth * 2) + canvas_width(o->row[i].name);
        o->wish_name = w > o->wish_name ? w : o->wish_name;
        rows++;
    }
    o->wish_rows = rows > o->wish_rows ? rows : o->wish_rows;
}

size_t overview_rows_listed(const struct overview *o)
{
    size_t n = o->frame ? o->frame->ndevs - o->nrows : 0; /* beyond OVERVIEW_ROWS */
    for (size_t i = 0; i < o->nrows; i++)
        n += o->row[i].class != CLASS_UNUSED;
    return n;
}

void overview_rows_update(struct overview *o)
{
    const struct frame *f = o->frame;
    size_t n = f->ndevs < OVERVIEW_ROWS ? f->ndevs : OVERVIEW_ROWS;
    bool same = same_devices(o, n);
    if (!same)
        remap(o, n);
    for (size_t i = 0; i < n; i++)
        smooth_row(&o->row[i], &f->devs[i], f);
    bool calm = f->mono_ns - o->sorted_ns < CALM_NS || f->mono_ns - o->moved_ns < CALM_NS;
    if (!same || !calm || (!o->sorted_with_rates && f->dt_ns > 0))
        overview_rows_sort(o);
    grow_wish(o);
}

int overview_rows_selected(const struct overview *o)
{
    const struct frame_load *l = overview_load(o);
    const char *name = o->selected;
    if (!name[0] && l && l->ntargets == 1)
        name = l->targets[0].device;
    const struct overview_row *r = name && name[0] ? find(o->row, o->nrows, name) : NULL;
    return r ? (int)(r - o->row) : -1;
}

void overview_rows_select(struct overview *o, int dir)
{
    int selected = overview_rows_selected(o), at = dir > 0 ? -1 : (int)o->nrows;
    for (size_t i = 0; i < o->nrows && selected >= 0; i++)
        if (o->order[i] == selected)
            at = (int)i;
    do
        at += dir;
    while (at >= 0 && at < (int)o->nrows && o->row[o->order[at]].class == CLASS_UNUSED);
    if (at < 0 || at >= (int)o->nrows)
        return;
    struct overview_row *row = &o->row[o->order[at]];
    str_copy(o->selected, sizeof o->selected, row->name);
    row->class = CLASS_BUSY; /* at once among those that are always shown */
    o->moved_ns = o->frame ? o->frame->mono_ns : 0;
}

/* Classes up to which all rows fit; the next class fills what remains. */
static enum overview_class last_full_class(const struct overview *o, size_t room, size_t *ret_rest)
{
    size_t count[CLASSES] = {0}, sum = 0;
    for (size_t i = 0; i < o->nrows; i++)
        count[o->row[i].class]++;
    int class = 0;
    while (class < CLASS_UNUSED && sum + count[class] <= room)
        sum += count[class ++];
    *ret_rest = room - sum;
    if (class == CLASS_UNUSED)
        *ret_rest = 0;
    return (enum overview_class) class; /* the first that does not fit whole */
}

size_t overview_rows_visible(const struct overview *o, size_t room, uint16_t *ret)
{
    size_t rest, n = 0, seen = 0, skip = 0, cut = 0;
    int selected = overview_rows_selected(o), limit = (int)last_full_class(o, room, &rest);
    for (size_t i = 0; i < o->nrows; i++) { /* scroll within the class that is cut */
        seen += (int)o->row[o->order[i]].class == limit;
        if (o->order[i] == selected && (int)o->row[selected].class == limit && seen > rest)
            skip = seen - rest;
    }
    for (size_t i = 0; i < o->nrows && n < room; i++) {
        int class = (int)o->row[o->order[i]].class;
        cut += class == limit;
        if (class < limit || (class == limit && cut > skip && cut <= skip + rest))
            ret[n++] = o->order[i];
    }
    return n;
}
