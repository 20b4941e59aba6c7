/* units: sizes and times from and to text, by tables of scales.
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

#define KIB (1ull << 10)
#define MIB (1ull << 20)
#define GIB (1ull << 30)
#define TIB (1ull << 40)
#define PIB (1ull << 50)
#define DAY_NS (86400 * NSEC_PER_SEC)

#define KB 1000ull
#define MB (KB * KB)
#define GB (KB * MB)
#define TB (KB * GB)
#define PB (KB * TB)
#define BYTE_SCALES(k, m, g, t, p) \
    {"b", 1}, {"k", k}, {"kb", k}, {"ki", KIB}, {"kib", KIB}, {"m", m}, {"mb", m}, {"mi", MIB}, {"mib", MIB}, \
    {"g", g}, {"gb", g}, {"gi", GIB}, {"gib", GIB}, {"t", t}, {"tb", t}, {"ti", TIB}, {"tib", TIB}, {"p", p}, \
    {"pb", p}, {"pi", PIB}, {"pib", PIB}, {NULL, 0}

static const struct scale byte_scales[] = {BYTE_SCALES(KIB, MIB, GIB, TIB, PIB)};
static const struct scale si_scales[] = {BYTE_SCALES(KB, MB, GB, TB, PB)};

static const struct scale time_scales[] = {
    {"ns", 1},
    {"nsec", 1},
    {"us", NSEC_PER_USEC},
    {"usec", NSEC_PER_USEC},
    {"ms", NSEC_PER_MSEC},
    {"msec", NSEC_PER_MSEC},
    {"s", NSEC_PER_SEC},
    {"sec", NSEC_PER_SEC},
    {"m", 60 * NSEC_PER_SEC},
    {"min", 60 * NSEC_PER_SEC},
    {"h", 3600 * NSEC_PER_SEC},
    {"d", DAY_NS},
    {NULL, 0},
};

/* A decimal number taken apart: whole + frac / frac_div. */
struct decimal {
    uint64_t whole, frac, frac_div;
    bool over;     /* whole does not fit */
    bool too_fine; /* more digits after the point than can make a whole result */
};

static int fail_at(const char **ret_bad, const char *where, int code)
{
    *ret_bad = where;
    return code;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits after the point; zeros at the end add nothing, digits beyond 18 cannot make a whole result. */
static const char *take_fraction(const char *p, struct decimal *d)
{
    const char *end = p;
    while (is_digit(*end))
        end++;
    const char *last = end;
    while (last > p && last[-1] == '0')
        last--;
    d->too_fine = last - p > 18;
    for (; p < last && !d->too_fine; p++) {
        d->frac = d->frac * 10 + (uint64_t)(*p - '0');
        d->frac_div *= 10;
    }
    return end;
}

/* Digits, a fraction if there is one; returns where the suffix begins, or NULL with *ret_bad set. */
static const char *take_decimal(const char *s, struct decimal *d, const char **ret_bad)
{
    const char *p = s;
    for (; is_digit(*p); p++)
        if (__builtin_mul_overflow(d->whole, 10, &d->whole) ||
            __builtin_add_overflow(d->whole, (uint64_t)(*p - '0'), &d->whole))
            d->over = true;
    const char *digits_end = p;
    if (p > s && *p == '.')
        p = take_fraction(digits_end + 1, d);
    if (p == s || p == digits_end + 1) {
        *ret_bad = p;
        return NULL;
    }
    return p;
}

/* A number times the scale of its suffix; without one it counts `bare`. */
static int parse_scaled(const char *s, const struct scale *table, uint64_t bare, uint64_t *ret,
                        const char **ret_bad)
{
    const char *ignored;
    ret_bad = ret_bad ? ret_bad : &ignored;
    struct decimal d = {.frac_div = 1};
    const char *suffix = take_decimal(s, &d, ret_bad);
    if (!suffix)
        return -EINVAL;
    const struct scale *scale = table;
    while (scale->suffix && strcasecmp(scale->suffix, suffix) != 0)
        scale++;
    if (*suffix && !scale->suffix)
        return fail_at(ret_bad, suffix, -EINVAL);
    uint64_t mult = *suffix ? scale->mult : bare;
    unsigned __int128 frac = (unsigned __int128)d.frac * mult;
    if (d.too_fine || frac % d.frac_div != 0)
        return fail_at(ret_bad, strchr(s, '.'), -EINVAL);
    unsigned __int128 v = (unsigned __int128)d.whole * mult + frac / d.frac_div;
    if (d.over || v > UINT64_MAX)
        return fail_at(ret_bad, s, -ERANGE);
    *ret = (uint64_t)v;
    return 0;
}

int units_parse_bytes(const char *s, uint64_t *ret, const char **ret_bad)
{
    return parse_scaled(s, byte_scales, 1, ret, ret_bad);
}

int units_parse_bytes_si(const char *s, uint64_t *ret, const char **ret_bad)
{
    return parse_scaled(s, si_scales, 1, ret, ret_bad);
}

int units_parse_time_ns(const char *s, uint64_t *ret, const char **ret_bad)
{
    return parse_scaled(s, time_scales, NSEC_PER_SEC, ret, ret_bad);
}

int units_parse_time_us(const char *s, uint64_t *ret_ns, const char **ret_bad)
{
    return parse_scaled(s, time_scales, NSEC_PER_USEC, ret_ns, ret_bad);
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
        {"p", PIB}, {"t", TIB}, {"g", GIB}, {"m", MIB}, {"k", KIB}, {"", 1},
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
