/* keys: key -> action -> sentence. The one table from which help, footer and man page come. */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum action {
    ACT_NONE,
    ACT_QUIT, ACT_HELP, ACT_START, ACT_STOP, ACT_PAUSE,
    ACT_DEVICE_UP, ACT_DEVICE_DOWN,
    ACT_KNOB_PREV, ACT_KNOB_NEXT, ACT_KNOB_UP, ACT_KNOB_DOWN,
    ACT_DEPTH_UP, ACT_DEPTH_DOWN, ACT_BS_UP, ACT_BS_DOWN, ACT_MIX_UP, ACT_MIX_DOWN,
    ACT_RATE_UP, ACT_RATE_DOWN, ACT_JOBS_UP, ACT_JOBS_DOWN,
    ACT_PATTERN,          /* next rw of the same risk: sequential <-> random */
    ACT_SINCE,            /* histogram: last interval <-> since start */
    ACT_TREE, ACT_SORT, ACT_ZOOM_IN, ACT_ZOOM_OUT, ACT_CHARSET, ACT_REDRAW,
    ACTIONS
};

struct key_row {
    int key;              /* a character, or a KEY_ code below */
    enum action action;
    const char *name;     /* "q", "↑", "^L": as shown */
    const char *word;     /* footer: "quit" */
    const char *sentence; /* help: one sentence */
    const char *group;    /* help heading: "load", "view", "console" */
};
extern const struct key_row key_rows[];
extern const size_t key_nrows;

/* Keys beyond characters, the terminal's and the fake one's alike (not curses' numbers). */
enum { KEY_CODE_UP = 0x110000, KEY_CODE_DOWN, KEY_CODE_LEFT, KEY_CODE_RIGHT, KEY_CODE_F1, KEY_CODE_ESC,
       KEY_CODE_ENTER, KEY_CODE_RESIZE };

enum action key_action(int key); /* ACT_NONE for a key without meaning */
const struct key_row *key_for(enum action a); /* first row of an action; NULL */

#endif
