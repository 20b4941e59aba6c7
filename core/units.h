/* units: sizes, times and rates as people write them, both ways, from one table of scales.
 * Does not know which option a value belongs to; the caller adds the name to the sentence. */
#ifndef CORE_UNITS_H
#define CORE_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* All parsers take the whole text, accept a fraction where it makes a whole result ("1.5k"), ignore case
 * where fio does, and return 0 or -EINVAL / -ERANGE with *ret_bad (may be NULL) at the offending byte. */

/* fio's sizes: k m g t p = 1024^n, also kb, ki and kib …; no suffix = bytes. (fio by default takes kib as 1000, the
 * reverse of the standard; here it is 1024 as people mean it.) */
int units_parse_bytes(const char *s, uint64_t *ret, const char **ret_bad);

/* The same with fio's kb_base=1000: k kb m … = 1000^n, kib … = 1024^n. */
int units_parse_bytes_si(const char *s, uint64_t *ret, const char **ret_bad);

/* fio's times: d h m s ms us ns; no suffix = seconds. Result in ns. */
int units_parse_time_ns(const char *s, uint64_t *ret, const char **ret_bad);

/* As units_parse_time_ns, but no suffix = microseconds (fio's thinktime). */
int units_parse_time_us(const char *s, uint64_t *ret_ns, const char **ret_bad);

#define UNITS_TEXT 24
/* Exact and parseable, for options and JSON: 4096 -> "4k", 1000 -> "1000". */
void units_exact_bytes(uint64_t bytes, char dst[UNITS_TEXT]);
/* Exact and parseable: 1500000000 -> "1500ms", 10 s -> "10s". */
void units_exact_time(uint64_t ns, char dst[UNITS_TEXT]);

/* For people, at most 4 significant characters and a unit letter, NAN -> "--":
 * count 100700 -> "100.7k"; bytes (1024) "412.3M"; ns 210000 -> "210µs" (ASCII "210us" with ascii=1). */
void units_human_count(double v, char dst[UNITS_TEXT]);
void units_human_bytes(double v, char dst[UNITS_TEXT]);
void units_human_ns(double ns, int ascii, char dst[UNITS_TEXT]);

#endif
