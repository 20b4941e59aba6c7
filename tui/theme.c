/* theme: roles to colours: the built-in themes, the nearest palette entry, SGR escapes.
 * Reads no file (theme_file.c) and sends nothing to a terminal (term.c). */
#include "tui/theme.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* xterm's default palette; a terminal may have others there. */
static const uint8_t sixteen[16][3] = {
    {0, 0, 0},     {205, 0, 0},     {0, 205, 0},     {205, 205, 0},   {0, 0, 238}, {205, 0, 205},
    {0, 205, 205}, {229, 229, 229}, {127, 127, 127}, {255, 0, 0},     {0, 255, 0}, {255, 255, 0},
    {92, 92, 255}, {255, 0, 255},   {0, 255, 255},   {255, 255, 255},
};
static const uint8_t cube_level[6] = {0, 95, 135, 175, 215, 255};
enum { DIRECT = 1 << 24, BRIGHT_BLACK = 8 };

const char theme_sgr_reset[] = "\033[0m";

static int square(int a)
{
    return a * a;
}

static int distance(struct rgb c, int r, int g, int b)
{
    return square(c.r - r) + square(c.g - g) + square(c.b - b);
}

static int nearest_level(int v)
{
    int best = 0;
    for (int i = 1; i < 6; i++)
        if (square(v - cube_level[i]) < square(v - cube_level[best]))
            best = i;
    return best;
}

/* The cube's axes are independent, so the nearest of 216 is the nearest on each. The first sixteen are left out:
 * nobody knows what the user has put there. */
static int nearest_256(struct rgb c)
{
    int r = nearest_level(c.r), g = nearest_level(c.g), b = nearest_level(c.b);
    int best = 16 + 36 * r + 6 * g + b, least = distance(c, cube_level[r], cube_level[g], cube_level[b]);
    for (int i = 0; i < 24; i++) {
        int v = 8 + 10 * i, d = distance(c, v, v, v);
        if (d < least) {
            least = d;
            best = 232 + i;
        }
    }
    return best;
}

static int nearest_named(struct rgb c, int n)
{
    int best = 0, least = INT_MAX;
    for (int i = 0; i < n; i++) {
        int d = distance(c, sixteen[i][0], sixteen[i][1], sixteen[i][2]);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

/* Direct-colour terminals take 0-7 for their palette, so the darkest blues move by a shade that nobody sees. */
static int direct(struct rgb c)
{
    int packed = c.r << 16 | c.g << 8 | c.b;
    return packed < 8 ? 8 : packed;
}

int theme_nearest(struct rgb c, int n)
{
    if (!c.set || n < 8)
        return -1;
    if (c.ansi && c.ansi <= 8)
        return c.ansi - 1;
    if (c.ansi && n <= 256)
        return n >= 16 ? c.ansi - 1 : c.ansi - 1 == BRIGHT_BLACK ? -1 : c.ansi - 1 - 8;
    if (n > 256)
        return direct(c);
    return n == 256 ? nearest_256(c) : nearest_named(c, n >= 16 ? 16 : 8);
}

static struct rgb named(int i)
{
    return (struct rgb){sixteen[i][0], sixteen[i][1], sixteen[i][2], true, (uint8_t)(i + 1)};
}

static void name_theme(struct theme *t, const char *name)
{
    snprintf(t->name, sizeof t->name, "%s", name);
}

void theme_mono(struct theme *ret)
{
    *ret = (struct theme){0};
    name_theme(ret, "mono");
}

/* Sixteen colours have no shades: a gradient is steps, three at 33 and 66 or two at 50. */
static void steps(struct theme *t, enum role role, int start, int mid, int end)
{
    for (int i = 0; i <= 100; i++)
        t->fg[role][i] = named(mid < 0 ? (i < 50 ? start : end) : i < 33 ? start : i < 66 ? mid : end);
}

void theme_terminal(struct theme *ret)
{
    enum { RED = 1, GREEN, YELLOW, BLUE, MAGENTA, CYAN };
    *ret = (struct theme){0};
    name_theme(ret, "terminal");
    ret->fg[ROLE_DIM][0] = ret->fg[ROLE_BORDER][0] = named(BRIGHT_BLACK);
    ret->fg[ROLE_KEY][0] = named(CYAN);
    ret->fg[ROLE_GOOD][0] = named(GREEN);
    ret->fg[ROLE_WARN][0] = named(YELLOW);
    ret->fg[ROLE_ERROR][0] = named(RED);
    steps(ret, ROLE_READ, CYAN, -1, CYAN + 8);
    steps(ret, ROLE_WRITE, MAGENTA, -1, MAGENTA + 8);
    steps(ret, ROLE_LATENCY, GREEN, YELLOW, RED);
    steps(ret, ROLE_CPU, GREEN, YELLOW, RED);
    steps(ret, ROLE_TEMP, BLUE, YELLOW, RED);
    steps(ret, ROLE_QUEUE, BLUE, -1, BLUE + 8);
}

static bool plain_rgb(struct rgb c)
{
    return c.set && !c.ansi;
}

bool theme_needs_rgb(const struct theme *t)
{
    for (int role = 0; role < ROLES; role++)
        if (plain_rgb(t->fg[role][0]) || plain_rgb(t->fg[role][100]))
            return true;
    return plain_rgb(t->bg) || plain_rgb(t->selected_bg);
}

/* What a role keeps where it has no colour. */
static const struct look bare[ROLES] = {
    [ROLE_DIM] = {.dim = true},
    [ROLE_TITLE] = {.bold = true},
    [ROLE_KEY] = {.bold = true, .underline = true},
    [ROLE_SELECTED] = {.reverse = true},
    [ROLE_WARN] = {.bold = true},
    [ROLE_ERROR] = {.bold = true, .reverse = true},
};

static int visible(const struct theme *t, int fg, int bg, int colours)
{
    if (colours > 16 || fg < 0)
        return fg;
    if (bg < 0)
        return fg == 0 ? -1 : fg; /* black on what is mostly black */
    return fg == bg ? theme_nearest(t->fg[ROLE_TEXT][0], colours) : fg;
}

struct look theme_look(const struct theme *t, enum role role, int level, int colours)
{
    level = role < ROLE_READ ? 0 : level < 0 ? 0 : level > 100 ? 100 : level;
    int bg = theme_nearest(role == ROLE_SELECTED ? t->selected_bg : t->bg, colours);
    int fg = visible(t, theme_nearest(t->fg[role][level], colours), bg, colours);
    bool own = fg < 0 && !(role == ROLE_SELECTED && bg >= 0);
    struct look look = own ? bare[role] : (struct look){0};
    look.fg = fg;
    look.bg = bg;
    look.bold |= role == ROLE_TITLE;
    return look;
}

static int put_colour(char *dst, size_t n, int colour, int colours, bool background)
{
    int base = background ? 40 : 30;
    if (colour < 0)
        return 0;
    if (colour < 8)
        return snprintf(dst, n, ";%d", base + colour);
    if (colours > 256)
        return snprintf(dst, n, ";%d;2;%d;%d;%d", base + 8, colour >> 16, colour >> 8 & 0xff, colour & 0xff);
    if (colour < 16)
        return snprintf(dst, n, ";%d", base + 60 + colour - 8);
    return snprintf(dst, n, ";%d;5;%d", base + 8, colour);
}

int theme_sgr(const struct look *l, int colours, char dst[THEME_SGR])
{
    int n = snprintf(dst, THEME_SGR, "\033[0%s%s%s%s", l->bold ? ";1" : "", l->dim ? ";2" : "",
                     l->underline ? ";4" : "", l->reverse ? ";7" : "");
    n += put_colour(dst + n, THEME_SGR - (size_t)n, l->fg, colours, false);
    n += put_colour(dst + n, THEME_SGR - (size_t)n, l->bg, colours, true);
    dst[n++] = 'm';
    dst[n] = 0;
    return n;
}

void theme_hex(int colour, bool background, char dst[8])
{
    static const uint8_t own[2][3] = {{208, 208, 208}, {16, 16, 16}};
    if (colour >= 8)
        snprintf(dst, 8, "#%06x", (unsigned)colour & 0xffffff);
    else {
        const uint8_t *v = colour < 0 ? own[background] : sixteen[colour];
        snprintf(dst, 8, "#%02x%02x%02x", v[0], v[1], v[2]);
    }
}
