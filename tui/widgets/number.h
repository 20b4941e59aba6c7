/* number: values as text of steady width for tables: unknown is "--", decimals do not come and go.
 * Parses nothing (core/units.h). */
#ifndef TUI_WIDGETS_NUMBER_H
#define TUI_WIDGETS_NUMBER_H

#include <stddef.h>

#include "core/units.h"

#define NUMBER_NONE "--"

/* All write into dst[UNITS_TEXT] and return it, so that they can stand in an argument list. */
const char *number_count(char *dst, double v);          /* 0, 512, 100.7k, 1.2M */
const char *number_mb(char *dst, double bytes);         /* MB (10^6) with one decimal: 412.3 */
const char *number_bytes(char *dst, double bytes);      /* 1024-based with its letter: 31.9G */
const char *number_ms(char *dst, double ms);            /* 0.21, 12.40, 151, 12345 */
const char *number_ns(char *dst, double ns, int ascii); /* 210µs */
const char *number_pct(char *dst, double pct);          /* 7%, 100% */
const char *number_share(char *dst, double part);       /* 0.71 -> 71.0%, small ones to 0.001% */
const char *number_fixed(char *dst, double v, int decimals);
const char *number_clock(char *dst, double seconds); /* 00:42, 1:02:03 */

#endif
