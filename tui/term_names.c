/* term_names: which terminal types to try for a TERM, best first, and the bytes that rescue a terminal.
 * Knows no curses: whether a type loads is for term.c to find out. That it does not is common: ssh from a new
 * terminal, sudo, a bare container. */
#include <stdio.h>
#include <string.h>

#include "tui/term.h"

/* Scroll region, attributes, character set, insert mode, wrap, cursor keys, keypad, mouse, paste, cursor, screen.
 */
const char term_rescue[] =
    "\033[r\033[0m\033(B\033[4l\033[?7h\033[?1l\033>\033[?1000l\033[?1002l\033[?1003l\033[?1006l"
    "\033[?2004l\033[?25h\033[?1049l";

static void add(char names[TERM_NAMES][TERM_NAME], const char *name)
{
    for (int i = 0; i < TERM_NAMES - 1; i++) {
        if (strcmp(names[i], name) == 0)
            return;
        if (!names[i][0]) {
            snprintf(names[i], TERM_NAME, "%s", name);
            return;
        }
    }
}

static bool cut_suffix(char *name)
{
    char *dash = strrchr(name, '-');
    if (!dash || dash == name)
        return false;
    *dash = 0;
    return true;
}

static bool is_xterm(const char *term)
{
    return strncmp(term, "xterm", 5) == 0;
}

/* The -direct entry has the name without "-256color": xterm-direct, tmux-direct. */
static void add_direct(char names[TERM_NAMES][TERM_NAME], const char *term)
{
    char base[TERM_NAME - 8], name[TERM_NAME];
    snprintf(base, sizeof base, "%s", term);
    char *depth = strstr(base, "-256color");
    if (depth)
        *depth = 0;
    snprintf(name, sizeof name, "%s-direct", base);
    add(names, name);
    if (is_xterm(term))
        add(names, "xterm-direct");
}

void term_names(const char *term, bool direct, char names[TERM_NAMES][TERM_NAME])
{
    char name[TERM_NAME];
    memset(names, 0, (size_t)TERM_NAMES * TERM_NAME);
    if (term && *term && strlen(term) < TERM_NAME - 8) {
        if (direct)
            add_direct(names, term);
        add(names, term);
        snprintf(name, sizeof name, "%s", term);
        for (int i = 0; i < 3 && cut_suffix(name); i++) {
            if (strcmp(name, "xterm") == 0) /* xterm-kitty and the like have 256 colours */
                add(names, "xterm-256color");
            add(names, name);
        }
    }
    add(names, "xterm-256color");
    add(names, "xterm");
    add(names, "vt100");
}
