/* filler: reads a pattern and lays it over memory by doubling.
 * A file is read when the pattern is, never later. */
#include "engine/filler.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/str.h"

struct reading {
    const char *option, *text;
    struct filler *f;
    struct err *err;
};

static int wrong(const struct reading *r, const char *why)
{
    return err_set(r->err, -EINVAL, "%s=%s: %s", r->option, r->text, why);
}

static int put(const struct reading *r, const void *bytes, size_t n)
{
    struct filler *f = r->f;
    if (n > FILLER_MAX - f->len)
        return wrong(r, "a pattern has at most 512 bytes");
    memcpy(f->byte + f->len, bytes, n);
    f->len += (unsigned)n;
    return 0;
}

static int hex_digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* An odd number of digits has a zero before it. */
static int read_hex(const struct reading *r, const char **at)
{
    const char *p = *at + 2;
    size_t n = strspn(p, "0123456789abcdefABCDEF");
    if (!n)
        return wrong(r, "0x needs hex digits behind it");
    *at = p + n;
    for (unsigned byte = 0; n; n--) {
        byte = byte << 4 | (unsigned)hex_digit(*p++);
        unsigned char b = (unsigned char)byte;
        int rc = n % 2 ? put(r, &b, 1) : 0;
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int read_decimal(const struct reading *r, const char **at)
{
    char *end;
    errno = 0;
    long v = strtol(*at, &end, 10);
    if (errno || v < INT32_MIN || v > INT32_MAX)
        return wrong(r, "a decimal number must fit into 32 bits; write more in hex, like 0xdeadbeef");
    *at = end;
    unsigned char b[4] = {(unsigned char)v, (unsigned char)(v >> 8), (unsigned char)(v >> 16),
                          (unsigned char)(v >> 24)};
    size_t n = sizeof(b);
    while (n > 1 && !b[n - 1])
        n--;
    return put(r, b, n);
}

static int read_text(const struct reading *r, const char **at)
{
    const char *end = strchr(*at + 1, '"');
    if (!end)
        return wrong(r, "the closing \" is missing");
    int rc = put(r, *at + 1, (size_t)(end - *at - 1));
    *at = end + 1;
    return rc;
}

static int read_file(const struct reading *r, const char **at)
{
    char name[4096];
    const char *end = strchr(*at + 1, '\'');
    if (!end || (size_t)(end - *at) > sizeof(name))
        return wrong(r, "the closing ' is missing");
    str_format(name, sizeof(name), "%.*s", (int)(end - *at - 1), *at + 1);
    *at = end + 1;
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct filler *f = r->f;
    ssize_t n = fd < 0 ? -1 : read(fd, f->byte + f->len, FILLER_MAX - f->len);
    int code = n < 0 ? -errno : 0;
    if (fd >= 0)
        close(fd);
    if (n < 0)
        return err_set(r->err, code, "%s=%s: %s: %s", r->option, r->text, name, strerror(-code));
    f->len += (unsigned)n;
    return 0;
}

static int read_offset(const struct reading *r, const char **at)
{
    static const unsigned char room[sizeof(uint64_t)];
    struct filler *f = r->f;
    if (f->noffsets == FILLER_OFFSETS)
        return wrong(r, "%o stands there too often");
    f->at[f->noffsets++] = (uint16_t)f->len;
    *at += 2;
    return put(r, room, sizeof(room));
}

static int read_piece(const struct reading *r, const char **at, bool offsets)
{
    const char *p = *at;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
        return read_hex(r, at);
    if (isdigit((unsigned char)*p) || (*p == '-' && isdigit((unsigned char)p[1])))
        return read_decimal(r, at);
    if (*p == '"')
        return read_text(r, at);
    if (*p == '\'')
        return read_file(r, at);
    if (offsets && p[0] == '%' && p[1] == 'o')
        return read_offset(r, at);
    return wrong(r, offsets ? "must be 0xHEX, a number, \"text\", 'file' or %o"
                            : "must be 0xHEX, a number, \"text\" or 'file'");
}

int filler_parse(const char *option, const char *text, bool offsets, struct filler *ret, struct err *err)
{
    struct filler f = {.len = 0};
    struct reading r = {option, text, &f, err};
    for (const char *at = text; *at;) {
        int rc = read_piece(&r, &at, offsets);
        if (rc < 0)
            return rc;
    }
    if (!f.len)
        return wrong(&r, "there is no byte in it");
    *ret = f;
    return 0;
}

void filler_fill(const struct filler *f, void *p, size_t n, uint64_t offset)
{
    unsigned char *b = p;
    if (!f->len) {
        memset(p, 0, n);
        return;
    }
    size_t done = n < f->len ? n : f->len;
    memcpy(b, f->byte, done);
    for (unsigned i = 0; i < f->noffsets; i++)
        for (unsigned k = 0; k < sizeof(offset) && f->at[i] + k < n; k++)
            b[f->at[i] + k] = (unsigned char)(offset >> 8 * k);
    while (done < n) {
        size_t more = n - done < done ? n - done : done;
        memcpy(b + done, b, more);
        done += more;
    }
}
