/* overview_buckets: the histogram of one direction as bars of round powers of two.
 * Percentiles are not taken from here: the frame has them from the full resolution. */
#include <math.h>
#include <string.h>

#include "core/str.h"
#include "tui/screens/overview.h"
#include "tui/widgets/bars.h"

/* Buckets 1, 2, 4 … 512 ns, 1, 2, 4 … µs and so on: powers of two with round names, ten a thousand. Bucket i
 * holds what is below bound i and not below bound i - 1; the last has no bound. */
enum { BUCKETS = 42, FIRST_COLOUR = 10 };

static uint64_t bound_ns(int i)
{
    uint64_t thousands = 1;
    for (int n = i / 10; n > 0; n--)
        thousands *= 1000;
    return thousands << i % 10;
}

/* The bins of a frame ascend, and so do the buckets they fall into. */
static uint64_t fill(const struct hist_sparse *h, uint64_t count[BUCKETS])
{
    uint64_t sum = 0, bound = bound_ns(0);
    memset(count, 0, BUCKETS * sizeof *count);
    for (size_t b = 0, i = 0; i < h->n; i++) {
        while (b < BUCKETS - 1 && hist_mid(h->bin[i].index) >= bound)
            bound = bound_ns((int)++b);
        count[b] += h->bin[i].count;
        sum += h->bin[i].count;
    }
    return sum;
}

/* Which buckets are rows: all that ever held something if they fit, else from the 5th percentile on; the first and
 * the last row then stand for the rest. Taken from all since the start, so that rows do not move with every tick.
 */
struct window {
    int first, rows;
    bool open; /* the last row holds all above it */
};

static struct window choose(const uint64_t count[BUCKETS], uint64_t sum, int room)
{
    int low = -1, high = 0, fifth = -1;
    uint64_t seen = 0;
    for (int i = 0; i < BUCKETS; i++) {
        seen += count[i];
        if (count[i])
            high = i;
        if (low < 0 && count[i])
            low = i;
        if (fifth < 0 && sum && seen * 20 >= sum)
            fifth = i;
    }
    if (low < 0 || room <= 0)
        return (struct window){0};
    if (high - low < room)
        return (struct window){low, high - low + 1, false};
    int first = fifth + room > high + 1 ? high + 1 - room : fifth;
    return (struct window){first, room, first + room <= high};
}

static void bar_label(char *dst, size_t n, int bucket, bool last, bool ascii)
{
    static const char *const unit[2][5] = {{"ns", "µs", "ms", "s", "ks"}, {"ns", "us", "ms", "s", "ks"}};
    int b = last ? bucket - 1 : bucket;
    str_format(dst, n, "%s%.0f%s", last ? ascii ? ">" : "≥" : "<", ldexp(1, b % 10), unit[ascii][b / 10]);
}

/* Sums of the buckets that a row stands for: the first takes all below it, the last all above. */
static double row_share(const uint64_t count[BUCKETS], uint64_t sum, int bucket, bool first, bool last)
{
    uint64_t n = 0;
    for (int i = first ? 0 : bucket; i <= (last ? BUCKETS - 1 : bucket); i++)
        n += count[i];
    return sum ? (double)n / (double)sum : NAN;
}

void overview_draw_buckets(struct canvas *c, struct rect r, const struct frame_dir *d, bool since)
{
    struct bar bar[BUCKETS];
    char label[BUCKETS][16];
    uint64_t now[BUCKETS], all[BUCKETS];
    uint64_t now_sum = fill(&d->clat_hist, now), all_sum = fill(&d->clat_total_hist, all);
    bool only_now = all_sum == 0; /* in the ramp, or a replay that has no more */
    struct window w = choose(only_now ? now : all, only_now ? now_sum : all_sum, r.h < BUCKETS ? r.h : BUCKETS);
    for (int i = 0; i < w.rows; i++) {
        bool open = w.open && i == w.rows - 1 && i > 0;
        int bucket = w.first + i, level = (bucket - FIRST_COLOUR) * 100 / 30;
        double share =
            since ? row_share(all, all_sum, bucket, i == 0, open) : row_share(now, now_sum, bucket, i == 0, open);
        bar_label(label[i], sizeof label[i], bucket, open, c->charset == CHARSET_ASCII);
        bar[i] = (struct bar){label[i], share, {.role = ROLE_LATENCY, .level = level}};
    }
    bars_draw(c, r, bar, (size_t)w.rows);
}
