/* expr: arithmetic in a value, as fio has it: "(2*1024k)", "(3+4)m".
 * Knows no units: the caller says what a suffix multiplies with. */
#ifndef CORE_EXPR_H
#define CORE_EXPR_H

#include <stdint.h>

/* The factor of a suffix ("k" -> 1024), 0 when it is none. */
typedef double (*expr_scale)(const char *suffix);

/* + - * / % ^ and parentheses; ^ binds strongest and to the right, % before * and /. A number, or a parenthesis, may
 * have a suffix. Whole numbers divide to whole numbers, as in fio. 0, or -EINVAL with *ret_bad (may be NULL) at the
 * byte that is not understood, or -ERANGE: divided by zero, or not a number. */
int expr_eval(const char *s, expr_scale scale, long double *ret, const char **ret_bad);

#endif
