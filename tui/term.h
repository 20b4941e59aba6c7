/* term: the terminal: canvas out, keys in. The only curses file (with theme.c, the only one with colours).
 * newterm() never exits: an unknown TERM falls back, with one line of notice. */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "tui/canvas.h"
#include "tui/theme.h"

struct term;

/* Takes the screen, for the calling thread, whose LC_CTYPE is the environment's meanwhile. notice (bounded, "" =
 * none): "TERM=foo is unknown, using xterm-256color". -ENOTTY with a sentence when stdin or stdout is not a
 * terminal or cannot move its cursor. */
int term_open(const struct theme *theme, struct term **ret, char *notice, size_t n, struct err *err);
void term_close(struct term *t); /* the terminal as it was; NULL is fine */

void term_size(const struct term *t, int *ret_w, int *ret_h);
enum canvas_charset term_charset(const struct term *t); /* from the locale: braille, or ASCII without UTF-8 */
int term_colours(const struct term *t); /* 16777216, 256, 16, 8 or 0 */
/* Sends what differs from the last canvas. What lies outside the terminal is left out. */
void term_draw(struct term *t, const struct canvas *c);
/* False while the terminal takes no bytes (a stopped or slow line): drawing now would block. */
bool term_ready(const struct term *t);
void term_redraw(struct term *t); /* next draw repaints everything (^L, after resume) */
void term_resized(struct term *t); /* on SIGWINCH: asks for the size and repaints everything */
/* Next key or -1 when none waits. *ret_gone = true when the terminal is lost (end of file, EIO, hang-up). Never
 * blocks but for the 25 ms that tell Esc from the keys that begin with it. */
int term_key(struct term *t, bool *ret_gone);
void term_suspend(struct term *t); /* ^Z: gives the screen back */
void term_resume(struct term *t); /* takes it again, whatever was done to it meanwhile; also without a suspend */

/* Names to try for a terminal type, best first, "" behind the last: a direct-colour one when wanted,
 * TERM itself, TERM without its last suffixes, xterm-256color, xterm, vt100. NULL is an unset TERM. */
enum { TERM_NAMES = 12, TERM_NAME = 64 };
void term_names(const char *term, bool direct, char names[TERM_NAMES][TERM_NAME]);

/* Bytes that bring a terminal back from whatever a killed program has left it in: for the keeper, which knows only
 * that the screen was taken. A terminal that is in order stays so. */
extern const char term_rescue[];

#endif
