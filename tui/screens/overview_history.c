/* overview_history: throughput of devices, the total and the load over time, in buckets aligned to the time axis.
 * Draws nothing. Memory is bounded: a device gets a history when it first does I/O. */
#include <errno.h>
#include <math.h>

#include "core/clock.h"
#include "tui/screens/overview.h"

static const struct {
    size_t buckets;
    uint64_t ns;
} resolution[RESOLUTIONS] = {[FINE] = {600, NSEC_PER_SEC}, [COARSE] = {1000, 10 * NSEC_PER_SEC}};

/* A slot of the graph is `per_slot` buckets: from about a minute to an hour in the box of an 80 column screen. */
static const struct zoom {
    int resolution;
    size_t per_slot;
} zooms[] = {{FINE, 1}, {FINE, 2}, {COARSE, 1}, {COARSE, 2}, {COARSE, 4}};
enum { ZOOMS = sizeof zooms / sizeof *zooms };

static void close_history(struct overview_history *h)
{
    for (int i = 0; i < RESOLUTIONS; i++) {
        series_fini(&h->read[i]);
        series_fini(&h->write[i]);
    }
    h->ready = false;
}

static int open_history(struct overview_history *h)
{
    for (int i = 0; i < RESOLUTIONS; i++) {
        if (series_init(&h->read[i], resolution[i].buckets, resolution[i].ns) < 0 ||
            series_init(&h->write[i], resolution[i].buckets, resolution[i].ns) < 0) {
            close_history(h);
            return -ENOMEM;
        }
    }
    h->ready = true;
    return 0;
}

int overview_history_init(struct overview *o)
{
    for (size_t i = 0; i < OVERVIEW_HISTORIES; i++)
        o->history[i].row = -1;
    if (open_history(&o->total) < 0 || open_history(&o->load) < 0)
        return -ENOMEM;
    return 0;
}

void overview_history_fini(struct overview *o)
{
    for (size_t i = 0; i < OVERVIEW_HISTORIES; i++)
        close_history(&o->history[i]);
    close_history(&o->total);
    close_history(&o->load);
}

static void add(struct overview_history *h, const struct frame *f, double read, double write)
{
    if (f->dt_ns == 0 || f->discontinuity)
        return;
    for (int i = 0; i < RESOLUTIONS; i++) {
        series_add(&h->read[i], f->mono_ns, f->dt_ns, read);
        series_add(&h->write[i], f->mono_ns, f->dt_ns, write);
    }
    if (read > 0 || write > 0)
        h->busy_ns = f->mono_ns;
}

/* A free one, or the one that was idle for longest. */
static struct overview_history *take(struct overview *o)
{
    struct overview_history *best = &o->history[0];
    for (size_t i = 0; i < OVERVIEW_HISTORIES; i++) {
        struct overview_history *h = &o->history[i];
        if (h->row < 0)
            return h;
        if (h->busy_ns < best->busy_ns)
            best = h;
    }
    o->row[best->row].history = -1;
    return best;
}

/* The past of whoever had it before is forgotten, the memory is used again. NULL without memory. */
static struct overview_history *history_of(struct overview *o, size_t row)
{
    if (o->row[row].history >= 0)
        return &o->history[o->row[row].history];
    struct overview_history *h = take(o);
    h->row = -1;
    if (!h->ready && open_history(h) < 0)
        return NULL;
    for (int i = 0; i < RESOLUTIONS; i++)
        h->read[i].used = h->write[i].used = 0;
    h->row = (int)row;
    o->row[row].history = (int)(h - o->history);
    return h;
}

static void update_rows(struct overview *o)
{
    for (size_t i = 0; i < o->nrows; i++) {
        const struct frame_dev *d = &o->frame->devs[i];
        bool moves = d->read_bytes_per_s > 0 || d->write_bytes_per_s > 0;
        struct overview_history *h = moves || o->row[i].history >= 0 ? history_of(o, i) : NULL;
        if (h)
            add(h, o->frame, d->read_bytes_per_s, d->write_bytes_per_s);
    }
}

void overview_history_update(struct overview *o)
{
    const struct frame *f = o->frame;
    update_rows(o);
    add(&o->total, f, f->totals.read_bytes_per_s, f->totals.write_bytes_per_s);
    add(&o->load, f, overview_load_bytes(f, FRAME_READ), overview_load_bytes(f, FRAME_WRITE));
}

uint64_t overview_zoom_ns(const struct overview *o)
{
    return zooms[o->zoom].per_slot * resolution[zooms[o->zoom].resolution].ns;
}

void overview_zoom(struct overview *o, int dir)
{
    int to = o->zoom + dir;
    if (to >= 0 && to < ZOOMS)
        o->zoom = to;
}

static uint64_t bucket_of(const struct series *s, uint64_t t_ns)
{
    return t_ns ? (t_ns - 1) / s->bucket_ns : 0; /* open on the left, as in series.c */
}

/* Mean of `per` buckets from bucket `first` of the time axis; those to come and gaps do not count. */
static double slot_mean(const struct series *s, uint64_t now_ns, uint64_t first, size_t per)
{
    uint64_t newest = bucket_of(s, now_ns);
    double sum = 0;
    size_t n = 0;
    for (uint64_t k = first; k < first + per && k <= newest; k++) {
        double v = series_at(s, now_ns, newest - k);
        sum += isnan(v) ? 0 : v;
        n += !isnan(v);
    }
    return n ? sum / (double)n : NAN;
}

/* Slots are counted from the beginning of time, so a slot never changes its place among its neighbours: only the
 * last one is alive, and in braille two make one cell that moves as a whole. */
static void fill_slots(const struct series *s, uint64_t now_ns, size_t per, bool pair, double *ret, size_t n)
{
    uint64_t last = bucket_of(s, now_ns) / per;
    if (pair)
        last |= 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t back = n - 1 - i;
        ret[i] = back > last ? NAN : slot_mean(s, now_ns, (last - back) * per, per);
    }
}

void overview_history_slots(const struct overview *o, const struct series *s, bool pair, double *ret, size_t n)
{
    const struct zoom *z = &zooms[o->zoom];
    fill_slots(&s[z->resolution], o->frame ? o->frame->mono_ns : 0, z->per_slot, pair, ret, n);
}

void overview_history_seconds(const struct overview *o, const struct series *s, double *ret, size_t n)
{
    fill_slots(&s[FINE], o->frame ? o->frame->mono_ns : 0, 1, false, ret, n);
}
