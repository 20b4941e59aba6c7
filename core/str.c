/* str: bounded copies, number parsing that names the bad character, growable text.
 * Knows nothing of units (units.c) or files (sysroot.c). */
#include "core/str.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool str_copy(char *dst, size_t n, const char *src)
{
    size_t len = strlen(src);
    size_t take = len < n ? len : n - 1;
    memcpy(dst, src, take);
    dst[take] = '\0';
    return take == len;
}

bool str_format(char *dst, size_t n, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int len = vsnprintf(dst, n, fmt, ap);
    va_end(ap);
    return len >= 0 && (size_t)len < n;
}

char *str_trim(char *s)
{
    while (is_blank(*s))
        s++;
    size_t n = strlen(s);
    while (n > 0 && is_blank(s[n - 1]))
        n--;
    s[n] = '\0';
    return s;
}

char *str_plain(char *s)
{
    for (unsigned char *p = (unsigned char *)s; *p; p++) {
        bool c1 = p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0; /* U+0080 to U+009F, among them one that begins escapes */
        if (*p < ' ' || *p == 0x7f || c1)
            *p = '?';
        if (c1)
            *++p = '?';
    }
    return s;
}

bool str_starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static int fail_at(const char **ret_bad, const char *where, int code)
{
    if (ret_bad)
        *ret_bad = where;
    return code;
}

int str_u64(const char *s, uint64_t *ret, const char **ret_bad)
{
    uint64_t v = 0;
    const char *p = s;
    bool over = false;
    for (; is_digit(*p); p++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
            over = true;
    if (p == s || *p != '\0')
        return fail_at(ret_bad, p, -EINVAL);
    if (over)
        return fail_at(ret_bad, s, -ERANGE);
    *ret = v;
    return 0;
}

bool str_next_u64(const char **p, uint64_t *ret)
{
    const char *s = *p;
    while (is_blank(*s))
        s++;
    if (!is_digit(*s))
        return false;
    uint64_t v = 0;
    for (; is_digit(*s); s++)
        v = v * 10 + (uint64_t)(*s - '0');
    if (*s != '\0' && !is_blank(*s))
        return false; /* "12ab" is a word, not a number */
    *ret = v;
    *p = s;
    return true;
}

bool str_next_word(const char **p, char *dst, size_t n)
{
    const char *s = *p;
    while (is_blank(*s))
        s++;
    if (*s == '\0')
        return false;
    size_t len = 0;
    for (; *s != '\0' && !is_blank(*s); s++)
        if (len + 1 < n)
            dst[len++] = *s;
    dst[len] = '\0';
    *p = s;
    return true;
}

/* Makes room for `more` bytes and the terminator. */
static int reserve(struct strbuf *b, size_t more)
{
    size_t need = b->len + more + 1;
    if (need <= b->cap)
        return 0;
    size_t cap = b->cap ? b->cap : 64;
    while (cap < need)
        cap *= 2;
    char *s = realloc(b->s, cap);
    if (!s)
        return -ENOMEM;
    b->s = s;
    b->cap = cap;
    return 0;
}

int strbuf_put(struct strbuf *b, const char *s, size_t n)
{
    int rc = reserve(b, n);
    if (rc < 0)
        return rc;
    if (n > 0)
        memcpy(b->s + b->len, s, n);
    b->len += n;
    b->s[b->len] = '\0';
    return 0;
}

int strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int len = vsnprintf(NULL, 0, fmt, ap);
    int rc = len < 0 ? -EINVAL : reserve(b, (size_t)len);
    if (rc == 0) {
        vsnprintf(b->s + b->len, (size_t)len + 1, fmt, again);
        b->len += (size_t)len;
    }
    va_end(again);
    va_end(ap);
    return rc;
}

void strbuf_reset(struct strbuf *b)
{
    b->len = 0;
    if (b->s)
        b->s[0] = '\0';
}

void strbuf_fini(struct strbuf *b)
{
    free(b->s);
    *b = (struct strbuf){0};
}

unsigned str_distance(const char *a, const char *b)
{
    enum { MAX = 24 };
    unsigned d[MAX + 1][MAX + 1];
    size_t la = strnlen(a, MAX), lb = strnlen(b, MAX);
    for (size_t i = 0; i <= la; i++)
        for (size_t k = 0; k <= lb; k++) {
            if (!i || !k) {
                d[i][k] = (unsigned)(i + k);
                continue;
            }
            unsigned best = d[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
            unsigned gap = 1 + (d[i - 1][k] < d[i][k - 1] ? d[i - 1][k] : d[i][k - 1]);
            best = gap < best ? gap : best;
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] && d[i - 2][k - 2] + 1 < best)
                best = d[i - 2][k - 2] + 1;
            d[i][k] = best;
        }
    return d[la][lb];
}
