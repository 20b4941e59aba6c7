/* layout: shares lengths and cuts rectangles, in whole cells.
 * Draws nothing; the same input always gives the same geometry. */
#include "tui/layout.h"

static int at_most(int v, int limit)
{
    if (v > limit)
        v = limit;
    return v < 0 ? 0 : v;
}

static int sum(const int *size, size_t n)
{
    int s = 0;
    for (size_t i = 0; i < n; i++)
        s += size[i];
    return s;
}

/* The part that goes first when there is no room: the highest rank, the later one among equals. n = none. */
static size_t least(const struct layout_part *part, size_t n, const int *size)
{
    size_t worst = n;
    for (size_t i = 0; i < n; i++)
        if (size[i] > 0 && part[i].rank > 0 && (worst == n || part[i].rank >= part[worst].rank))
            worst = i;
    return worst;
}

static void take_minima(int total, const struct layout_part *part, size_t n, int *size)
{
    for (size_t i = 0; i < n; i++)
        size[i] = part[i].min > 0 ? part[i].min : 0;
    while (sum(size, n) > total) {
        size_t i = least(part, n, size);
        if (i == n)
            break;
        size[i] = 0;
    }
    int left = at_most(total, total);
    for (size_t i = 0; i < n; i++) { /* only parts of rank 0 can still be too long */
        size[i] = at_most(size[i], left);
        left -= size[i];
    }
}

static int grow_to_wishes(int left, const struct layout_part *part, size_t n, int *size)
{
    for (bool grew = true; grew && left > 0;) {
        grew = false;
        for (size_t i = 0; i < n && left > 0; i++) {
            if (size[i] == 0 || size[i] >= part[i].want)
                continue;
            size[i]++;
            left--;
            grew = true;
        }
    }
    return left;
}

static void share_rest(int left, const struct layout_part *part, size_t n, int *size)
{
    int weights = 0;
    for (size_t i = 0; i < n; i++)
        weights += size[i] > 0 ? part[i].weight : 0;
    for (size_t i = 0; i < n && weights > 0; i++) {
        if (size[i] == 0 || part[i].weight == 0)
            continue;
        int more = left * part[i].weight / weights; /* of what is left, so the last one gets it all */
        size[i] += more;
        left -= more;
        weights -= part[i].weight;
    }
}

size_t layout_split(int total, const struct layout_part *part, size_t n, int *ret_size)
{
    take_minima(total, part, n, ret_size);
    int left = grow_to_wishes(at_most(total, total) - sum(ret_size, n), part, n, ret_size);
    share_rest(left, part, n, ret_size);
    size_t shown = 0;
    for (size_t i = 0; i < n; i++)
        shown += ret_size[i] > 0;
    return shown;
}

struct rect layout_cut_top(struct rect *r, int h)
{
    struct rect cut = {r->x, r->y, r->w, at_most(h, r->h)};
    r->y += cut.h;
    r->h -= cut.h;
    return cut;
}

struct rect layout_cut_bottom(struct rect *r, int h)
{
    h = at_most(h, r->h);
    r->h -= h;
    return (struct rect){r->x, r->y + r->h, r->w, h};
}

struct rect layout_cut_left(struct rect *r, int w)
{
    struct rect cut = {r->x, r->y, at_most(w, r->w), r->h};
    r->x += cut.w;
    r->w -= cut.w;
    return cut;
}

struct rect layout_cut_right(struct rect *r, int w)
{
    w = at_most(w, r->w);
    r->w -= w;
    return (struct rect){r->x + r->w, r->y, w, r->h};
}

bool layout_empty(struct rect r)
{
    return r.w <= 0 || r.h <= 0;
}
