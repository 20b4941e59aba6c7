/* err: fills a struct err.
 * Does not print and does not know what any code means. */
#include "core/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

#define GAP " ... "

/* A byte that continues a UTF-8 character. */
static int continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Who gives a value of 5000 characters still wants to read what would be right: the middle goes. */
static void put_ends(char *dst, const char *text, size_t len)
{
    size_t head = ERR_TEXT / 3, tail = ERR_TEXT - 1 - head - strlen(GAP);
    while (head && continues(text[head]))
        head--;
    const char *end = text + len - tail;
    while (continues(*end))
        end++;
    memcpy(dst, text, head);
    strcpy(dst + head, GAP);
    strcat(dst, end);
}

static void put_long(struct err *err, const char *fmt, va_list ap)
{
    char *text = NULL;
    int len = vasprintf(&text, fmt, ap);
    if (len < 0)
        return; /* no memory: its beginning is there */
    put_ends(err->text, text, (size_t)len);
    free(text);
}

int err_set(struct err *err, int code, const char *fmt, ...)
{
    va_list ap;
    if (!err)
        return code;
    va_start(ap, fmt);
    int len = vsnprintf(err->text, sizeof(err->text), fmt, ap);
    va_end(ap);
    err->code = code;
    if (len >= ERR_TEXT) {
        va_start(ap, fmt);
        put_long(err, fmt, ap);
        va_end(ap);
    }
    str_plain(err->text);
    return code;
}
