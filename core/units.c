/* units: sizes, times and counts from and to text, by tables of scales.
 * Does not know which option a value belongs to. */
#include "core/units.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "core/clock.h"
#include "core/str.h"

struct scale {
    const char *suffix; /* compared without case */
    uint64_t mult;
};

#define KIB 1024ull
#define DAY_NS (86400 * NSEC_PER_SEC)

/* In each table the first row is what a number without a suffix means. */
static const struct scale byte_scales[] = {
    {"", 1},
    {"b", 1},
    {"k", KIB},
    {"kb", KIB},
    {"kib", KIB},
    {"m", KIB *KIB},
    {"mb", KIB *KIB},
    {"mib", KIB *KIB},
    {"g", KIB *KIB *KIB},
    {"gb", KIB *KIB *KIB},
    {"gib", KIB *KIB *KIB},
    {"t", KIB *KIB *KIB *KIB},
    {"tb", KIB *KIB *KIB *KIB},
    {"tib", KIB *KIB *KIB *KIB},
    {"p", KIB *KIB *KIB *KIB *KIB},
    {"pb", KIB *KIB *KIB *KIB *KIB},
    {"pib", KIB *KIB *KIB *KIB *KIB},
    {NULL, 0},
};

#define TIME_SCALES                                                                                               \
    {"ns", 1}, {"nsec", 1}, {"us", NSEC_PER_USEC}, {"usec", NSEC_PER_USEC}, {"ms", NSEC_PER_MSEC},                \
        {"msec", NSEC_PER_MSEC}, {"s", NSEC_PER_SEC}, {"sec", NSEC_PER_SEC}, {"m", 60 * NSEC_PER_SEC},            \
        {"min", 60 * NSEC_PER_SEC}, {"h", 3600 * NSEC_PER_SEC}, {"d", DAY_NS},                                    \
    {                                                                                                             \
        NULL, 0                                                                                                   \
    }

static const struct scale time_scales_s[] = {{"", NSEC_PER_SEC}, TIME_SCALES};
static const struct scale time_scales_us[] = {{"", NSEC_PER_USEC}, TIME_SCALES};

static const struct scale count_scales[] = {
    {"", 1}, {"k", 1000}, {"m", 1000000}, {"g", 1000000000}, {NULL, 0},
};

/* A decimal number taken apart: whole + frac / frac_div. */
struct decimal {
    uint64_t whole, frac, frac_div;
    bool over; /* whole does not fit */
};

static int fail_at(const char **ret_bad, const char *where, int code)
{
    if (ret_bad)
        *ret_bad = where;
    return code;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits after the point; zeros at the end add nothing, digits beyond 18 cannot make a whole result. */
static const char *take_fraction(const char *p, struct decimal *d, bool *ret_too_fine)
{
    const char *end = p;
    while (is_digit(*end))
        end++;
    const char *last = end;
    while (last > p && last[-1] == '0')
        last--;
    *ret_too_fine = last - p > 18;
    for (; p < last && !*ret_too_fine; p++) {
        d->frac = d->frac * 10 + (uint64_t)(*p - '0');
        d->frac_div *= 10;
    }
    return end;
}

static int parse_scaled(const char *s, const struct scale *table, uint64_t *ret, const char **ret_bad)
{
    struct decimal d = {.frac_div = 1};
    const char *p = s, *point = NULL;
    bool too_fine = false;
    for (; is_digit(*p); p++)
        if (__builtin_mul_overflow(d.whole, 10, &d.whole) ||
            __builtin_add_overflow(d.whole, (uint64_t)(*p - '0'), &d.whole))
            d.over = true;
    if (p == s)
        return fail_at(ret_bad, p, -EINVAL);
    if (*p == '.') {
        point = p;
        p = take_fraction(p + 1, &d, &too_fine);
        if (p == point + 1)
            return fail_at(ret_bad, p, -EINVAL);
    }
    const struct scale *scale = table;
    while (scale->suffix && strcasecmp(scale->suffix, p) != 0)
        scale++;
    if (!scale->suffix)
        return fail_at(ret_bad, p, -EINVAL);
    unsigned __int128 frac = (unsigned __int128)d.frac * scale->mult;
    if (too_fine || frac % d.frac_div != 0)
        return fail_at(ret_bad, point, -EINVAL);
    unsigned __int128 v = (unsigned __int128)d.whole * scale->mult + frac / d.frac_div;
    if (d.over || v > UINT64_MAX)
        return fail_at(ret_bad, s, -ERANGE);
    *ret = (uint64_t)v;
    return 0;
}

int units_parse_bytes(const char *s, uint64_t *ret, const char **ret_bad)
{
    return parse_scaled(s, byte_scales, ret, ret_bad);
}

int units_parse_time_ns(const char *s, uint64_t *ret, const char **ret_bad)
{
    return parse_scaled(s, time_scales_s, ret, ret_bad);
}

int units_parse_time_us(const char *s, uint64_t *ret_ns, const char **ret_bad)
{
    return parse_scaled(s, time_scales_us, ret_ns, ret_bad);
}

int units_parse_count(const char *s, uint64_t *ret, const char **ret_bad)
{
    return parse_scaled(s, count_scales, ret, ret_bad);
}

/* The largest row that divides v. Rows go down; the last has mult 1. */
static void exact(uint64_t v, const struct scale *down, char dst[UNITS_TEXT])
{
    while (v % down->mult != 0)
        down++;
    str_format(dst, UNITS_TEXT, "%llu%s", (unsigned long long)(v / down->mult), down->suffix);
}

void units_exact_bytes(uint64_t bytes, char dst[UNITS_TEXT])
{
    static const struct scale down[] = {
        {"p", KIB * KIB * KIB * KIB * KIB},
        {"t", KIB * KIB * KIB * KIB},
        {"g", KIB * KIB * KIB},
        {"m", KIB * KIB},
        {"k", KIB},
        {"", 1},
    };
    exact(bytes, bytes ? down : &down[5], dst);
}

void units_exact_time(uint64_t ns, char dst[UNITS_TEXT])
{
    static const struct scale down[] = {
        {"d", DAY_NS},       {"h", 3600 * NSEC_PER_SEC}, {"m", 60 * NSEC_PER_SEC},
        {"s", NSEC_PER_SEC}, {"ms", NSEC_PER_MSEC},      {"us", NSEC_PER_USEC},
        {"ns", 1},
    };
    exact(ns, ns ? down : &down[3], dst);
}

/* Steps up while the text would show 1000 or more: 999.96k becomes 1.0M, and so does 1000k of 1024 each. */
static void human(double v, double base, char dst[UNITS_TEXT])
{
    static const char letters[] = "kMGTPE";
    if (!isfinite(v)) {
        str_copy(dst, UNITS_TEXT, "--");
        return;
    }
    double a = fabs(v);
    if (a < 999.5) {
        bool whole = a == floor(a);
        str_format(dst, UNITS_TEXT, whole || a >= 99.95 ? "%.0f" : a < 9.995 ? "%.2f" : "%.1f", v);
        return;
    }
    size_t i = 0;
    for (v /= base; fabs(v) >= 999.95 && i + 2 < sizeof letters; i++)
        v /= base;
    str_format(dst, UNITS_TEXT, "%.1f%c", v, letters[i]);
}

void units_human_count(double v, char dst[UNITS_TEXT])
{
    human(v, 1000, dst);
}

void units_human_bytes(double v, char dst[UNITS_TEXT])
{
    human(v, 1024, dst);
}

void units_human_ns(double ns, int ascii, char dst[UNITS_TEXT])
{
    static const char *const units[][2] = {{"ns", "ns"}, {"µs", "us"}, {"ms", "ms"}, {"s", "s"}};
    if (!isfinite(ns)) {
        str_copy(dst, UNITS_TEXT, "--");
        return;
    }
    size_t i = 0;
    for (; fabs(ns) >= 999.5 && i < 3; i++)
        ns /= 1000;
    int digits = i == 0 || fabs(ns) >= 99.95 ? 0 : fabs(ns) >= 9.995 ? 1 : 2;
    str_format(dst, UNITS_TEXT, "%.*f%s", digits, ns, units[i][ascii ? 1 : 0]);
}
