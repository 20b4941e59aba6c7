/* expr: a descent through the grammar, one function a level of binding.
 * No units and no rounding: long double holds every whole number of 64 bits. */
#include "core/expr.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

enum { DEEPEST = 64 }; /* parentheses and signs in each other */

struct reader {
    const char *at;
    expr_scale scale;
    int depth;
    int rc; /* of the first failure, at `at` */
};

static long double sum(struct reader *r);

static long double fail(struct reader *r, int rc)
{
    if (!r->rc)
        r->rc = rc;
    return 0;
}

static char peek(struct reader *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
    return r->rc ? '\0' : *r->at;
}

static bool take(struct reader *r, char c)
{
    if (peek(r) != c || r->rc)
        return false;
    r->at++;
    return true;
}

static long double suffixed(struct reader *r, long double v)
{
    char suffix[8];
    size_t n = 0;
    while (isalpha((unsigned char)r->at[n]))
        n++;
    if (!n)
        return v;
    str_copy(suffix, n < sizeof(suffix) ? n + 1 : sizeof(suffix), r->at);
    double factor = n < sizeof(suffix) ? r->scale(suffix) : 0;
    if (factor <= 0)
        return fail(r, -EINVAL);
    r->at += n;
    return v * (long double)factor;
}

static long double number(struct reader *r)
{
    char digits[40];
    size_t n = strspn(r->at, "0123456789.");
    if (!n || n >= sizeof(digits))
        return fail(r, -EINVAL);
    str_copy(digits, n + 1, r->at);
    char *end;
    long double v = strtold(digits, &end);
    if (*end)
        return fail(r, -EINVAL);
    r->at += n;
    return suffixed(r, v);
}

static long double atom(struct reader *r)
{
    if (!take(r, '(')) {
        peek(r);
        return r->rc ? 0 : number(r);
    }
    if (++r->depth > DEEPEST)
        return fail(r, -EINVAL);
    long double v = sum(r);
    r->depth--;
    if (!take(r, ')'))
        return fail(r, -EINVAL);
    return suffixed(r, v);
}

static long double power(struct reader *r)
{
    bool negative = take(r, '-');
    if (++r->depth > DEEPEST)
        return fail(r, -EINVAL);
    long double v = negative ? power(r) : atom(r);
    if (!negative && take(r, '^'))
        v = powl(v, power(r));
    r->depth--;
    return negative ? -v : v;
}

static long double divide(struct reader *r, long double a, long double b, bool rest)
{
    bool whole = a == truncl(a) && b == truncl(b);
    if (b == 0 || (rest && !whole))
        return fail(r, -ERANGE);
    if (rest)
        return fmodl(a, b);
    return whole ? truncl(a / b) : a / b;
}

static long double rest(struct reader *r)
{
    long double v = power(r);
    while (take(r, '%'))
        v = divide(r, v, power(r), true);
    return v;
}

static long double product(struct reader *r)
{
    long double v = rest(r);
    for (;;) {
        if (take(r, '*'))
            v *= rest(r);
        else if (take(r, '/'))
            v = divide(r, v, rest(r), false);
        else
            return v;
    }
}

static long double sum(struct reader *r)
{
    long double v = product(r);
    for (;;) {
        if (take(r, '+'))
            v += product(r);
        else if (take(r, '-'))
            v -= product(r);
        else
            return v;
    }
}

int expr_eval(const char *s, expr_scale scale, long double *ret, const char **ret_bad)
{
    struct reader r = {.at = s, .scale = scale};
    long double v = sum(&r);
    if (!r.rc && peek(&r))
        r.rc = -EINVAL;
    if (!r.rc && !isfinite(v))
        r.rc = -ERANGE;
    if (r.rc && ret_bad)
        *ret_bad = r.at;
    if (!r.rc)
        *ret = v;
    return r.rc;
}
