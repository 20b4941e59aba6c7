/* json: building, writing and reading documents over jansson.
 * Does not know what a document means. Out of memory aborts: half a document would be a lie. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#undef json_is_null /* a macro there, a function here */
#include "core/json.h"
#include "core/str.h"

static json_t *raw(const struct json *v)
{
    return (json_t *)v;
}

static struct json *wrap(json_t *v)
{
    if (!v)
        abort();
    return (struct json *)v;
}

struct json *json_new_object(void)
{
    return wrap((json_object)()); /* the brackets keep our macro away */
}

struct json *json_new_array(void)
{
    return wrap((json_array)());
}

void json_free(struct json *v)
{
    json_decref(raw(v));
}

/* Length of the UTF-8 sequence that begins at s, 0 when it is broken (overlong, surrogate, cut …). */
static size_t utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    size_t n = s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) /* a NUL ends it here */
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool not_a_character = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
    return overlong || not_a_character ? 0 : n;
}

/* Each broken byte becomes U+FFFD, the replacement character. */
static json_t *repaired(const char *s)
{
    struct strbuf b = {0};
    int rc = 0;
    while (*s && rc == 0) {
        size_t n = utf8_length((const unsigned char *)s);
        rc = n ? strbuf_put(&b, s, n) : strbuf_put(&b, "\xef\xbf\xbd", 3);
        s += n ? n : 1;
    }
    json_t *v = rc == 0 ? json_string(b.s) : NULL;
    strbuf_fini(&b);
    return v;
}

static struct json *text_value(const char *s)
{
    if (!s)
        return NULL;
    json_t *v = json_string(s);
    return wrap(v ? v : repaired(s));
}

static struct json *u64_value(uint64_t v)
{
    return wrap(v <= INT64_MAX ? json_integer((json_int_t)v) : json_real((double)v));
}

void json_put(struct json *obj, const char *key, struct json *value)
{
    if (json_object_set_new(raw(obj), key, value ? raw(value) : json_null()) < 0)
        abort();
}

void json_put_u64(struct json *obj, const char *key, uint64_t v)
{
    json_put(obj, key, u64_value(v));
}

void json_put_i64(struct json *obj, const char *key, int64_t v)
{
    json_put(obj, key, wrap(json_integer(v)));
}

void json_put_num(struct json *obj, const char *key, double v)
{
    json_put(obj, key, isfinite(v) ? wrap(json_real(v)) : NULL);
}

void json_put_text(struct json *obj, const char *key, const char *s)
{
    json_put(obj, key, text_value(s));
}

void json_put_bool(struct json *obj, const char *key, bool v)
{
    json_put(obj, key, wrap(json_boolean(v)));
}

void json_put_tri(struct json *obj, const char *key, int v)
{
    json_put(obj, key, v < 0 ? NULL : wrap(json_boolean(v)));
}

void json_put_null(struct json *obj, const char *key)
{
    json_put(obj, key, NULL);
}

void json_add(struct json *arr, struct json *value)
{
    if (json_array_append_new(raw(arr), value ? raw(value) : json_null()) < 0)
        abort();
}

void json_add_u64(struct json *arr, uint64_t v)
{
    json_add(arr, u64_value(v));
}

void json_add_text(struct json *arr, const char *s)
{
    json_add(arr, text_value(s));
}

int json_write(const struct json *v, FILE *out, int indent)
{
    size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(15);
    flags |= indent > 0 ? JSON_INDENT((size_t)indent) : JSON_COMPACT;
    errno = 0;
    if (json_dumpf(raw(v), out, flags) == 0 && fputc('\n', out) != EOF && fflush(out) == 0)
        return 0;
    return errno ? -errno : -EIO;
}

struct json *json_parse(const char *text, struct err *err)
{
    json_error_t e;
    json_t *v = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &e);
    if (!v)
        err_set(err, -EINVAL, "JSON, line %d, column %d: %s", e.line, e.column, e.text);
    return (struct json *)v;
}

const struct json *json_get(const struct json *obj, const char *key)
{
    return (const struct json *)json_object_get(raw(obj), key);
}

const struct json *json_at(const struct json *arr, size_t i)
{
    return (const struct json *)json_array_get(raw(arr), i);
}

size_t json_size(const struct json *v)
{
    return json_is_array(raw(v)) ? json_array_size(raw(v)) : json_object_size(raw(v));
}

double json_num(const struct json *v)
{
    return json_is_number(raw(v)) ? json_number_value(raw(v)) : NAN;
}

const char *json_text(const struct json *v)
{
    return json_string_value(raw(v));
}

bool json_is_null(const struct json *v)
{
    return v && json_typeof(raw(v)) == JSON_NULL;
}
