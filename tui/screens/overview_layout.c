/* overview_layout: the tables of parts behind each step of the ladder.
 * Draws nothing and looks at no frame. */
#include "tui/screens/overview_layout.h"

#include <string.h>

#include "tui/layout.h"

enum { TWO_COLUMNS = 60, TABLE_W = 34, TABLE_H = 7 };

static int within(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static int devices_wish(int rows, int h)
{
    return within(rows + 3, 5, within(h >= 30 ? h / 3 : h * 2 / 5, 5, h));
}

static int events_wish(int h)
{
    return h >= 56 ? 8 : h >= 44 ? 6 : h >= 36 ? 4 : 1;
}

/* Bands of a wide screen: devices, graph | latency, cpu | job, brief, events, footer. */
static void wide_bands(int h, int rows, bool brief, int *size)
{
    int low = h >= 56 ? 14 : h >= 44 ? 12 : h >= 36 ? 10 : h >= 30 ? 8 : 6;
    const struct layout_part part[] = {
        {.min = 5, .want = devices_wish(rows, h), .rank = 0},
        {.min = 6, .want = 8, .weight = 3, .rank = 3},
        {.min = 5, .want = low, .rank = 4},
        {.min = brief ? 1 : 0, .want = 1, .rank = 2},
        {.min = 1, .want = events_wish(h), .rank = 5},
        {.min = 1, .want = 1, .rank = 1},
    };
    layout_split(h, part, sizeof part / sizeof *part, size);
    if (size[1] == 0 && size[2] == 0) /* nobody else takes the rest */
        size[0] = h - size[3] - size[4] - size[5];
}

static void wide(struct rect r, int rows, struct overview_layout *l)
{
    int size[6], right_w = within(r.w * 46 / 100, 30, r.w);
    wide_bands(r.h, rows, false, size);
    if (size[1] == 0 || size[2] == 0)
        wide_bands(r.h, rows, true, size);
    l->box[BOX_DEVICES] = layout_cut_top(&r, size[0]);
    struct rect mid = layout_cut_top(&r, size[1]), low = layout_cut_top(&r, size[2]);
    l->box[BOX_LATENCY] = layout_cut_right(&mid, right_w);
    l->box[BOX_GRAPH] = mid;
    l->box[BOX_JOB] = layout_cut_right(&low, right_w);
    l->box[BOX_CPU] = low;
    l->box[BOX_BRIEF] = layout_cut_top(&r, size[3]);
    l->box[BOX_EVENTS] = layout_cut_top(&r, size[4]);
    l->box[BOX_FOOTER] = layout_cut_top(&r, size[5]);
}

/* One column: what there is room for, one below the other. */
static void narrow(struct rect r, int rows, struct overview_layout *l)
{
    static const enum overview_box box[] = {BOX_DEVICES, BOX_GRAPH, BOX_LATENCY, BOX_CPU,
                                            BOX_JOB,     BOX_BRIEF, BOX_EVENTS,  BOX_FOOTER};
    enum { N = sizeof box / sizeof *box };
    struct layout_part part[N] = {
        {.min = 5, .want = devices_wish(rows, r.h), .rank = 0},
        {.min = 6, .want = 8, .weight = 2, .rank = 5},
        {.min = 8, .want = 8, .weight = 1, .rank = 3},
        {.min = 4, .want = 6, .rank = 6},
        {.min = 6, .want = 6, .rank = 4},
        {.min = 0, .want = 1, .rank = 2}, /* the brief line: only instead of a box */
        {.min = 1, .want = events_wish(r.h), .rank = 7},
        {.min = 1, .want = 1, .rank = 1},
    };
    int size[N];
    layout_split(r.h, part, N, size);
    if (size[2] == 0 || size[4] == 0) {
        part[5].min = 1;
        layout_split(r.h, part, N, size);
    }
    if (size[1] == 0 && size[2] == 0) /* nobody else takes the rest */
        size[0] = r.h - size[3] - size[4] - size[5] - size[6] - size[7];
    for (int i = 0; i < N; i++)
        l->box[box[i]] = layout_cut_top(&r, size[i]);
}

void overview_layout(struct rect r, int device_rows, struct overview_layout *ret)
{
    memset(ret, 0, sizeof *ret);
    if (r.w < TABLE_W || r.h < TABLE_H)
        ret->box[BOX_TINY] = r;
    else if (r.w >= TWO_COLUMNS)
        wide(r, device_rows, ret);
    else
        narrow(r, device_rows, ret);
}
