/* help_page: the page of keys, made from the table of keys. Handles no key. */
#ifndef TUI_HELP_PAGE_H
#define TUI_HELP_PAGE_H

#include "tui/canvas.h"

/* Draws it over what is there, centred in r; `top` is the first line shown. Any size from 1x1. */
void help_page_draw(struct canvas *c, struct rect r, int top);

/* The largest useful `top` in r; 0 when all of it fits. */
int help_page_last_top(struct rect r);

#endif
