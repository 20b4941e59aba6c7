/* number: numbers of steady width for tables.
 * What is unknown is "--" and never 0; what is 0 is "0". */
#include "tui/widgets/number.h"

#include <math.h>
#include <stdio.h>

static const char *none(char *dst)
{
    snprintf(dst, UNITS_TEXT, "%s", NUMBER_NONE);
    return dst;
}

const char *number_fixed(char *dst, double v, int decimals)
{
    if (isnan(v))
        return none(dst);
    if (v == 0)
        decimals = 0;
    snprintf(dst, UNITS_TEXT, "%.*f", decimals, v);
    return dst;
}

const char *number_count(char *dst, double v)
{
    units_human_count(v, dst);
    return dst;
}

const char *number_bytes(char *dst, double bytes)
{
    units_human_bytes(bytes, dst);
    return dst;
}

const char *number_ns(char *dst, double ns, int ascii)
{
    units_human_ns(ns, ascii, dst);
    return dst;
}

const char *number_mb(char *dst, double bytes)
{
    double mb = bytes / 1e6;
    return number_fixed(dst, mb, mb >= 9999.95 ? 0 : 1);
}

const char *number_ms(char *dst, double ms)
{
    return number_fixed(dst, ms, ms >= 99.995 ? 0 : ms >= 0.9995 ? 2 : 3);
}

const char *number_pct(char *dst, double pct)
{
    number_fixed(dst, pct, 0);
    if (!isnan(pct))
        snprintf(dst, UNITS_TEXT, "%.0f%%", pct);
    return dst;
}

const char *number_share(char *dst, double part)
{
    double pct = part * 100;
    if (isnan(pct))
        return none(dst);
    int decimals = pct >= 99.95 ? 0 : pct >= 1 ? 1 : pct >= 0.1 ? 2 : 3;
    if (pct > 0 && pct < 0.001)
        snprintf(dst, UNITS_TEXT, "<.001%%");
    else
        snprintf(dst, UNITS_TEXT, "%.*f%%", pct == 0 ? 0 : decimals, pct);
    return dst;
}

const char *number_clock(char *dst, double seconds)
{
    if (isnan(seconds) || seconds < 0)
        return none(dst);
    unsigned long s = (unsigned long)seconds;
    if (s >= 3600)
        snprintf(dst, UNITS_TEXT, "%lu:%02lu:%02lu", s / 3600 % 1000000, s / 60 % 60, s % 60);
    else
        snprintf(dst, UNITS_TEXT, "%02lu:%02lu", s / 60, s % 60);
    return dst;
}
