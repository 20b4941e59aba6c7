/* fill: partial blocks, braille dots and their ASCII stand-ins, by charset. Draws nothing itself. */
#ifndef TUI_WIDGETS_FILL_H
#define TUI_WIDGETS_FILL_H

#include <stdint.h>

#include "tui/canvas.h"

/* A cell filled from below, from the left or from above by n eighths (0-8; 0 = blank). ASCII has a ramp instead of
 * heights; from above blocks know halves only. */
uint32_t fill_rise(enum canvas_charset cs, int eighths);
uint32_t fill_run(enum canvas_charset cs, int eighths);
uint32_t fill_hang(enum canvas_charset cs, int eighths);

/* Two columns of 0-4 dots in one braille cell, counted from below or from above. */
uint32_t fill_braille_rise(int left, int right);
uint32_t fill_braille_hang(int left, int right);

uint32_t fill_line(enum canvas_charset cs); /* a piece of a horizontal line */
uint32_t fill_dot(enum canvas_charset cs);  /* something that is there but off */

/* How many of `steps` a value fills: rounded, but at least 1 for anything above 0; 0 for NAN. */
int fill_steps(double value, double full, int steps);

#endif
