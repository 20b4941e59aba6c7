/* glyph: one code point of text: decode, encode, width in columns, ASCII stand-in.
 * Does no layout and looks at no more than one character. */
#include "tui/glyph.h"

#include <stdbool.h>
#include <stdlib.h>
#include <wchar.h>

struct range {
    uint32_t first, last;
};

/* Both ascending. Only for locales without UTF-8, where wcwidth() knows nothing beyond ASCII. */
static const struct range zero_width[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f}, {0x200b, 0x200f}, {0x202a, 0x202e},
    {0x2060, 0x2064}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef},
};
static const struct range two_wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x4dbf},   {0x4e00, 0xa4cf},   {0xa960, 0xa97c},
    {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
    {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

static const struct {
    char ascii;
    const wchar_t *stands_for;
} stand_ins[] = {
    {' ', L"\u00a0°"}, {'u', L"µμ"},  {'x', L"×✗"},  {'.', L"·▂░"}, {'-', L"–—−▃▍▎"}, {'~', L"…"}, {'\'', L"‘’"},
    {'"', L"“”▀▔"},    {'1', L"¹"},   {'2', L"²"},   {'3', L"³"},   {'+', L"±✓▅"},    {'/', L"÷"}, {'<', L"≤←◀◂↵"},
    {'>', L"≥→▶▸"},    {'^', L"↑▲▴"}, {'v', L"↓▼▾"}, {'|', L"↕▏"},  {'*', L"•●◆▆"},   {'o', L"○"}, {'!', L"⚠"},
    {'S', L"Σ"},       {'_', L"▁"},   {'=', L"▄▌▐"}, {':', L"▒"},   {'#', L"▇█▉▊▋▓"},
};

static bool in_ranges(const struct range *r, size_t n, uint32_t ch)
{
    for (size_t i = 0; i < n && r[i].first <= ch; i++)
        if (ch <= r[i].last)
            return true;
    return false;
}

/* Boxes, blocks and braille: most of a screen, and one column in every locale's table. */
static bool is_drawing(uint32_t ch)
{
    return (ch >= 0x2500 && ch <= 0x259f) || (ch >= 0x2800 && ch <= 0x28ff);
}

static int table_width(uint32_t ch)
{
    if (in_ranges(zero_width, sizeof zero_width / sizeof *zero_width, ch))
        return 0;
    return in_ranges(two_wide, sizeof two_wide / sizeof *two_wide, ch) ? 2 : 1;
}

int glyph_width(uint32_t ch)
{
    if (ch < 0x7f)
        return ch >= ' ' ? 1 : 0;
    if (is_drawing(ch))
        return 1;
    int w = MB_CUR_MAX > 1 ? wcwidth((wchar_t)ch) : -1;
    return w >= 0 ? w : table_width(ch);
}

/* Length of the sequence that byte starts; 0 when it starts none. */
static int sequence(unsigned char c, uint32_t *ret)
{
    static const struct {
        unsigned char mask, lead;
    } form[] = {{0x80, 0x00}, {0xe0, 0xc0}, {0xf0, 0xe0}, {0xf8, 0xf0}};
    for (int n = 0; n < 4; n++)
        if ((c & form[n].mask) == form[n].lead) {
            *ret = c & (unsigned char)~form[n].mask;
            return n + 1;
        }
    return 0;
}

static bool valid(uint32_t ch, int n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return ch >= least[n] && ch <= 0x10ffff && !(ch >= 0xd800 && ch <= 0xdfff);
}

uint32_t glyph_clean(uint32_t ch)
{
    if ((ch >= ' ' && ch < 0x7f) || is_drawing(ch))
        return ch;
    if (ch < 0xa0 || ch > 0x10ffff || (ch >= 0xd800 && ch <= 0xdfff))
        return '?';
    return MB_CUR_MAX == 1 || wcwidth((wchar_t)ch) >= 0 ? ch : '?';
}

uint32_t glyph_next(const char **s)
{
    const unsigned char *p = (const unsigned char *)*s;
    uint32_t ch = 0;
    int n = sequence(*p, &ch);
    for (int i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) { /* also the terminating 0 */
            n = 0;
            break;
        }
        ch = ch << 6 | (p[i] & 0x3f);
    }
    if (n == 0 || !valid(ch, n)) {
        *s += 1;
        return '?';
    }
    *s += n;
    return glyph_clean(ch);
}

static uint32_t box_ascii(uint32_t ch)
{
    return wcschr(L"─━┄┅┈┉╌═", (wchar_t)ch) ? '-' : wcschr(L"│┃┆┇┊┋╎║", (wchar_t)ch) ? '|' : '+';
}

uint32_t glyph_ascii(uint32_t ch)
{
    if (ch < 0x7f)
        return ch;
    if (ch >= 0x2500 && ch <= 0x257f)
        return box_ascii(ch);
    if (ch >= 0x2800 && ch <= 0x28ff)
        return ch == 0x2800 ? ' ' : ':';
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
        if (wcschr(stand_ins[i].stands_for, (wchar_t)ch))
            return (unsigned char)stand_ins[i].ascii;
    return '?';
}

size_t glyph_encode(uint32_t ch, char dst[4])
{
    if (ch < 0x80) {
        dst[0] = (char)ch;
        return 1;
    }
    size_t n = ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n - 1; i > 0; i--, ch >>= 6)
        dst[i] = (char)(0x80 | (ch & 0x3f));
    dst[0] = (char)(lead[n] | ch);
    return n;
}
