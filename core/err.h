/* err: a negative errno and the sentence that goes with it.
 * Does not print; only cli/ prints. */
#ifndef CORE_ERR_H
#define CORE_ERR_H

#define ERR_TEXT 512

/* The sentence is added once, where the context is known: it names the thing, the value and what would
 * be right ("bs=0: must be 512 to 16m"). No trailing newline, no program name. */
struct err {
    int code;            /* 0 or -errno */
    char text[ERR_TEXT]; /* "" while code is 0 */
};

/* Sets code and sentence (printf style) and returns code, so that a caller can `return err_set(...)`.
 * `err` may be NULL: then only the code is returned. Of a sentence beyond ERR_TEXT - 1 bytes the middle is left
 * out. It stays one line, whatever a name or a value holds (str_plain). */
int err_set(struct err *err, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
