/* term: the terminal: canvas out, keys in. The only curses file (with theme.c, the only one with colours).
 * newterm() never exits: an unknown TERM falls back, with one line of notice. */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "tui/canvas.h"
#include "tui/theme.h"

struct term;

/* Takes the screen. notice (bounded, "" = none): "TERM=foo is unknown, using xterm-256color". -ENOTTY with a
 * sentence when stdin or stdout is not a terminal. */
int term_open(const struct theme *theme, struct term **ret, char *notice, size_t n, struct err *err);
void term_close(struct term *t); /* the terminal as it was; idempotent, NULL is fine */

void term_size(const struct term *t, int *ret_w, int *ret_h);
enum canvas_charset term_charset(const struct term *t); /* from the locale: braille, or ASCII without UTF-8 */
/* Sends what differs from the last canvas. */
void term_draw(struct term *t, const struct canvas *c);
void term_redraw(struct term *t); /* next draw repaints everything (^L, after resume) */
/* Next key or -1 when none waits; KEY_CODE_RESIZE after a resize (size is already new). *ret_gone = true when the
 * terminal is lost (EOF, EIO, POLLHUP). Never blocks. */
int term_key(struct term *t, bool *ret_gone);
void term_suspend(struct term *t); /* ^Z: gives the screen back */
void term_resume(struct term *t);

#endif
