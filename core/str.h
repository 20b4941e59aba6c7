/* str: bounded text, growable text and number parsing that names the bad character.
 * Knows nothing of units (units.h) or files (sysroot.h). */
#ifndef CORE_STR_H
#define CORE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies at most n-1 bytes and always terminates; true when all of it fitted. n must be > 0. */
bool str_copy(char *dst, size_t n, const char *src);

/* snprintf that returns true when all of it fitted. */
bool str_format(char *dst, size_t n, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Cuts blanks (space, tab, CR, LF) at both ends in place; returns the first kept byte of `s`. */
char *str_trim(char *s);

/* Puts a '?' for every control character, in place: a line stays a line and a terminal as it is. Returns s. */
char *str_plain(char *s);

bool str_starts(const char *s, const char *prefix);

/* Parses a whole decimal number (no sign, no blanks). 0, or -EINVAL with *ret_bad at the first byte that
 * does not belong, or -ERANGE. ret_bad may be NULL; ret is untouched on failure. */
int str_u64(const char *s, uint64_t *ret, const char **ret_bad);

/* Takes the next decimal number from *p, skipping leading blanks: true and *p behind it; false and *p
 * untouched when the next word is not a number. Values above 2^64-1 wrap as the kernel's counters do. */
bool str_next_u64(const char **p, uint64_t *ret);

/* Takes the next blank-separated word from *p into dst (bounded); false at the end of the text. */
bool str_next_word(const char **p, char *dst, size_t n);

/* Edits (insert, delete, change, swap of neighbours) that turn a into b, of their first 24 bytes: for "did you mean". */
unsigned str_distance(const char *a, const char *b);

/* Growable text, always terminated once something was put. Zero-initialise; strbuf_fini frees. */
struct strbuf {
    char *s;
    size_t len, cap;
};
/* Both return 0 or -ENOMEM (text as before). */
int strbuf_put(struct strbuf *b, const char *s, size_t n);
int strbuf_printf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_reset(struct strbuf *b); /* empty again, memory kept */
void strbuf_fini(struct strbuf *b);

#endif
