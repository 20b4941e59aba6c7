/* glyph: one code point of text: decode, encode, width in columns, ASCII stand-in. Knows no cell and no colour.
 * Works in any locale: wcwidth() is asked where LC_CTYPE is UTF-8, a small table answers elsewhere. */
#ifndef TUI_GLYPH_H
#define TUI_GLYPH_H

#include <stddef.h>
#include <stdint.h>

/* Takes the next code point from *s (not at its end), cleaned. Broken UTF-8 becomes '?', one for each byte. */
uint32_t glyph_next(const char **s);

/* The code point itself, or '?' for a control character and what the terminal would not know how to draw. */
uint32_t glyph_clean(uint32_t ch);

/* Columns: 0 (combining and format characters), 1 or 2. Never negative. */
int glyph_width(uint32_t ch);

/* The same meaning in ASCII ('~' for U+2026, 'u' for a micro sign, '>' for a triangle), '?' without one. */
uint32_t glyph_ascii(uint32_t ch);

/* UTF-8 of a code point; returns the number of bytes (1-4). Not terminated. */
size_t glyph_encode(uint32_t ch, char dst[4]);

#endif
