/* fill: which code point stands for how much, in three charsets.
 * Knows neither colours nor places. */
#include "tui/widgets/fill.h"

#include <math.h>

static int clamp(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

uint32_t fill_rise(enum canvas_charset cs, int eighths)
{
    int n = clamp(eighths, 0, 8);
    if (cs == CHARSET_ASCII)
        return (uint32_t) " .:-=+*#@"[n];
    return n ? 0x2580u + (uint32_t)n : ' '; /* ▁ to █ */
}

uint32_t fill_run(enum canvas_charset cs, int eighths)
{
    int n = clamp(eighths, 0, 8);
    if (cs == CHARSET_ASCII)
        return (uint32_t) " ---====#"[n];
    return n ? 0x2590u - (uint32_t)n : ' '; /* ▏ to █ */
}

uint32_t fill_hang(enum canvas_charset cs, int eighths)
{
    int n = clamp(eighths, 0, 8);
    if (cs == CHARSET_ASCII)
        return (uint32_t) " '':-=+*#"[n];
    return n == 0 ? ' ' : n <= 2 ? 0x2594 : n <= 6 ? 0x2580 : 0x2588; /* ▔ ▀ █ */
}

uint32_t fill_braille_rise(int left, int right)
{
    static const uint8_t l[] = {0, 0x40, 0x44, 0x46, 0x47}, r[] = {0, 0x80, 0xa0, 0xb0, 0xb8};
    uint32_t bits = l[clamp(left, 0, 4)] | r[clamp(right, 0, 4)];
    return bits ? 0x2800 + bits : ' ';
}

uint32_t fill_braille_hang(int left, int right)
{
    static const uint8_t l[] = {0, 0x01, 0x03, 0x07, 0x47}, r[] = {0, 0x08, 0x18, 0x38, 0xb8};
    uint32_t bits = l[clamp(left, 0, 4)] | r[clamp(right, 0, 4)];
    return bits ? 0x2800 + bits : ' ';
}

uint32_t fill_line(enum canvas_charset cs)
{
    return cs == CHARSET_ASCII ? '-' : 0x2500;
}

uint32_t fill_dot(enum canvas_charset cs)
{
    return cs == CHARSET_ASCII ? 'x' : 0x00b7;
}

int fill_steps(double value, double full, int steps)
{
    if (isnan(value) || value <= 0 || !(full > 0))
        return 0;
    double n = value / full * steps;
    if (n >= steps)
        return steps;
    return n < 1 ? 1 : (int)(n + 0.5);
}
