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
    bool set; /* false: the terminal's own colour */
};

struct theme {
    char name[64];
    struct rgb bg;
    struct rgb fg[ROLES][101]; /* flat roles use index 0; gradients 0-100 */
    struct rgb selected_bg;
};

/* Name ("dark", "terminal") or path of a .theme file; searched in ./themes, the installed share folder and the
 * user's btop folders. NULL = "terminal": the terminal's own palette. 0 or -errno with a sentence. */
int theme_load(const char *name, struct theme *ret, struct err *err);

/* Nearest colour by RGB distance among the n colours of the xterm palette (256: cube and greys with their true
 * levels 0,95,135,175,215,255; 16; 8); -1 for an unset colour. */
int theme_nearest(struct rgb c, int n);

#endif
