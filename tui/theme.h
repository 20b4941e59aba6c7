/* theme: roles to colours. Reads btop's .theme syntax; colour numbers and escape codes live here and in term.c
 * alone. Knows no widget. */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"

/* What a cell means. Meaning is never by colour alone: a mono terminal shows the same text. */
enum role {
    ROLE_TEXT,
    ROLE_DIM,      /* unknown, offline, idle, axis text */
    ROLE_TITLE,    /* box titles, headings */
    ROLE_KEY,      /* the hot letter of a key */
    ROLE_BORDER,
    ROLE_SELECTED, /* selected row or knob (reversed on mono) */
    ROLE_GOOD,
    ROLE_WARN,
    ROLE_ERROR,
    ROLE_READ,     /* gradients from here on: use a level */
    ROLE_WRITE,
    ROLE_LATENCY,
    ROLE_CPU,
    ROLE_TEMP,
    ROLE_QUEUE,
    ROLES
};

struct rgb {
    uint8_t r, g, b;
    bool set;     /* false: the terminal's own colour */
    uint8_t ansi; /* 1-16: colour ansi-1 of the terminal's own sixteen (r g b: xterm's there); 0: r g b */
};

struct theme {
    char name[64];
    struct rgb bg;
    struct rgb fg[ROLES][101]; /* flat roles use index 0; gradients 0-100 */
    struct rgb selected_bg;
};

/* Name ("dark", "terminal") or path of a .theme file; searched in ./themes, the installed share folder and the
 * user's btop folders. NULL = "terminal": the terminal's own palette, or no colour at all where the environment has
 * NO_COLOR. 0 or -errno with a sentence. */
int theme_load(const char *name, struct theme *ret, struct err *err);

/* No colour at all (NO_COLOR): meaning stays in the text and in bold, dim and reverse. */
void theme_mono(struct theme *ret);

/* The terminal's own sixteen colours; works on dark and on light ones. */
void theme_terminal(struct theme *ret);

/* The text of a .theme file over the built-in dark colours. Unknown keys and broken values are skipped, as btop
 * does; so nothing fails. name is left alone. */
void theme_parse(const char *text, struct theme *ret);

/* Every theme that theme_load finds by name, best place first; a name may come twice, then the first counts. */
void theme_each(void (*each)(void *arg, const char *name, const char *where), void *arg);

/* True when it asks for more than the terminal's own sixteen colours. */
bool theme_needs_rgb(const struct theme *t);

/* Nearest colour by RGB distance among the n colours of the xterm palette (256: cube and greys with their
 * true levels 0,95,135,175,215,255; 16; 8); -1 for an unset colour. With n > 256 (direct colour) 0xRRGGBB,
 * but 0-7 for those eight of the terminal's own. */
int theme_nearest(struct rgb c, int n);

/* What a role looks like on a terminal of so many colours (0: mono). -1 = the terminal's own. Roles without a
 * colour get an attribute, and a colour that would vanish in the background becomes that of the text. */
struct look {
    int fg, bg;
    bool bold, dim, underline, reverse;
};
struct look theme_look(const struct theme *t, enum role role, int level, int colours);

/* The SGR escape for a look, starting from nothing; returns its length. */
enum { THEME_SGR = 64 };
int theme_sgr(const struct look *l, int colours, char dst[THEME_SGR]);
extern const char theme_sgr_reset[];

/* "#rrggbb" of a colour number of theme_look() with 16777216 colours, or what stands in for the terminal's own. */
void theme_hex(int colour, bool background, char dst[8]);

#endif
