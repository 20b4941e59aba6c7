/* err: fills a struct err.
 * Does not print and does not know what any code means. */
#include "core/err.h"

#include <stdarg.h>
#include <stdio.h>

int err_set(struct err *err, int code, const char *fmt, ...)
{
    if (err) {
        va_list ap;
        va_start(ap, fmt);
        err->code = code;
        vsnprintf(err->text, sizeof err->text, fmt, ap);
        va_end(ap);
    }
    return code;
}
