/* job_value: one field of a job from and to exact text, by a table of types.
 * Knows no field by name: what is special to one stands in its row. */
#include "engine/job_value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/expr.h"
#include "core/str.h"
#include "core/units.h"

static void plain_text(uint64_t v, char dst[UNITS_TEXT])
{
    snprintf(dst, UNITS_TEXT, "%llu", (unsigned long long)v);
}

/* What is a whole number in a job: how it is read and shown, and what stands for it in help. */
static const struct kind {
    int (*parse)(const char *s, uint64_t *ret, const char **ret_bad);
    void (*show)(uint64_t v, char dst[UNITS_TEXT]);
    const char *value, *like; /* like: the end of the sentence that says what would be right; NULL: the range */
} kinds[] = {
    [JOB_T_BYTES] = {units_parse_bytes, units_exact_bytes, "BYTES", NULL},
    [JOB_T_COUNT] = {units_parse_bytes, plain_text, "N", NULL}, /* fio's k is 1024 here too */
    [JOB_T_UINT] = {units_parse_bytes, plain_text, "N", NULL},
    [JOB_T_BOOL] = {str_u64, plain_text, "0|1", "0 or 1"},
    [JOB_T_TIME] = {units_parse_time_ns, units_exact_time, "TIME", "a time up to ten years, like 30s or 2m"},
    [JOB_T_TIME_US] = {units_parse_time_us, units_exact_time, "TIME", "a time up to ten years, like 50us"},
    [JOB_T_BYTES_PCT] = {units_parse_bytes, units_exact_bytes, "BYTES|N%", "a size or a share, like 1g or 50%"},
    [JOB_T_OWN] = {0},
};

static bool is_number(const struct job_field *f)
{
    return f->type != JOB_T_BYTES_PCT && kinds[f->type].parse;
}

static void *place(struct job *j, const struct job_field *f, unsigned i)
{
    return (char *)j + f->at + i * f->len;
}

/* Numbers of all widths: a field is a bool, an enum, an unsigned or a uint64_t. */
static uint64_t number_of(const struct job *j, const struct job_field *f, unsigned i)
{
    const char *at = (const char *)j + f->at + i * f->len;
    uint64_t v64;
    uint32_t v32;
    bool flag;
    if (f->len == sizeof(v64))
        return memcpy(&v64, at, sizeof(v64)), v64;
    if (f->len == sizeof(v32))
        return memcpy(&v32, at, sizeof(v32)), v32;
    return memcpy(&flag, at, sizeof(flag)), flag;
}

static void number_put(struct job *j, const struct job_field *f, unsigned i, uint64_t v)
{
    uint32_t v32 = (uint32_t)v;
    bool flag = v != 0;
    if (f->len == sizeof(v))
        memcpy(place(j, f, i), &v, sizeof(v));
    else if (f->len == sizeof(v32))
        memcpy(place(j, f, i), &v32, sizeof(v32));
    else
        memcpy(place(j, f, i), &flag, sizeof(flag));
}

void job_bytes_text(const struct job *j, uint64_t v, char dst[UNITS_TEXT])
{
    if (v && !j->kb_si)
        units_exact_bytes(v, dst);
    else
        plain_text(v, dst);
}

static void number_text(const struct job *j, const struct job_field *f, uint64_t v, char dst[UNITS_TEXT])
{
    if (kinds[f->type].show == units_exact_bytes)
        job_bytes_text(j, v, dst);
    else if (v)
        kinds[f->type].show(v, dst);
    else
        str_copy(dst, UNITS_TEXT, "0");
}

/* ---- showing ---- */

/* Word i of an enum without its second spellings; NULL behind the last. */
static const char *word_of(const struct job_field *f, uint64_t i, char *dst, size_t n)
{
    uint64_t at = 0;
    while (at < i && f->words[at])
        at++;
    if (!f->words[at])
        return NULL;
    str_copy(dst, n, f->words[at]);
    dst[strcspn(dst, "|")] = '\0';
    return dst;
}

/* The shortest list that reads back as the same three. */
static void each_text(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    uint64_t v[DDIRS];
    char text[DDIRS][UNITS_TEXT];
    for (unsigned i = 0; i < DDIRS; i++) {
        v[i] = number_of(j, f, i);
        number_text(j, f, v[i], text[i]);
    }
    if (v[DDIR_WRITE] != v[DDIR_TRIM])
        str_format(dst, n, "%s,%s,%s", text[DDIR_READ], text[DDIR_WRITE], text[DDIR_TRIM]);
    else if (v[DDIR_READ] != v[DDIR_WRITE])
        str_format(dst, n, "%s,%s", text[DDIR_READ], text[DDIR_WRITE]);
    else
        str_copy(dst, n, text[DDIR_READ]);
}

static void float_text(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    double v;
    memcpy(&v, (const char *)j + f->at, sizeof(v));
    for (int digits = 6; digits <= 17; digits++)
        if (str_format(dst, n, "%.*g", digits, v) && strtod(dst, NULL) == v)
            return;
}

static void amount_text(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    struct job_amount a;
    char text[UNITS_TEXT];
    memcpy(&a, (const char *)j + f->at, sizeof(a));
    number_text(j, f, a.bytes, text);
    if (a.pct)
        str_format(dst, n, "%u%%", (unsigned)a.pct);
    else
        str_copy(dst, n, text);
}

void job_get(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    char text[UNITS_TEXT];
    if (f->type == JOB_T_OWN)
        f->show(j, f, dst, n);
    else if (f->type == JOB_T_TEXT)
        str_copy(dst, n, (const char *)j + f->at);
    else if (f->type == JOB_T_ENUM)
        str_copy(dst, n, word_of(f, number_of(j, f, 0), text, sizeof(text)) ? text : "?");
    else if (f->type == JOB_T_FLOAT)
        float_text(j, f, dst, n);
    else if (f->type == JOB_T_BYTES_PCT)
        amount_text(j, f, dst, n);
    else if (f->each)
        each_text(j, f, dst, n);
    else {
        number_text(j, f, number_of(j, f, 0), text);
        str_copy(dst, n, text);
    }
}

/* ---- what would be right ---- */

/* "read, write or trim"; with "|" between them it is a value in help. */
static void words_text(const struct job_field *f, const char *comma, const char *last, char *dst, size_t n)
{
    char word[64];
    size_t len = 0;
    *dst = '\0';
    for (size_t i = 0; word_of(f, i, word, sizeof(word)) && len < n; i++)
        len += (size_t)snprintf(dst + len, n - len, "%s%s", !i ? "" : f->words[i + 1] ? comma : last, word);
}

const char *job_field_value(const struct job_field *f, char *dst, size_t n)
{
    if (f->value)
        str_copy(dst, n, f->value);
    else if (f->type == JOB_T_ENUM)
        words_text(f, "|", "|", dst, n);
    else if (f->type == JOB_T_TEXT || f->type == JOB_T_OWN)
        str_copy(dst, n, "TEXT");
    else if (f->type == JOB_T_FLOAT)
        str_copy(dst, n, "N.N");
    else
        str_format(dst, n, "%s%s", kinds[f->type].value, f->each ? "[,...]" : "");
    return dst;
}

void job_field_range(const struct job_field *f, char *dst, size_t n)
{
    static const struct job binary = {0};
    char lo[UNITS_TEXT], hi[UNITS_TEXT];
    *dst = '\0';
    if (f->type == JOB_T_ENUM) {
        words_text(f, ", ", " or ", dst, n);
    } else if (f->type == JOB_T_FLOAT) {
        str_format(dst, n, "%llu to %llu", (unsigned long long)f->min, (unsigned long long)f->max);
    } else if (kinds[f->type].like) {
        str_copy(dst, n, kinds[f->type].like);
    } else if (f->type == JOB_T_BYTES && f->max >= INT64_MAX) {
        str_copy(dst, n, "a size, like 1g");
    } else if (is_number(f)) {
        number_text(&binary, f, f->min, lo);
        number_text(&binary, f, f->max, hi);
        str_format(dst, n, "%s to %s%s", lo, hi, f->type == JOB_T_BYTES ? ", like 4k" : "");
    }
}

/* ---- reading ---- */

static int not_right(const struct job_field *f, const char *value, const char *bad, struct err *err)
{
    char want[512];
    job_field_range(f, want, sizeof(want));
    if (bad && *bad && *value)
        return err_set(err, -EINVAL, "%s=%s: \"%s\" is not understood; must be %s", f->name, value, bad, want);
    return err_set(err, -EINVAL, "%s=%s: must be %s", f->name, value, want);
}

static int parse_bytes(const struct job *j, const char *s, uint64_t *ret, const char **ret_bad)
{
    return j->kb_si ? units_parse_bytes_si(s, ret, ret_bad) : units_parse_bytes(s, ret, ret_bad);
}

static int parse_hex(const char *s, uint64_t *ret, const char **ret_bad)
{
    char *end;
    errno = 0;
    *ret = strtoull(s, &end, 16);
    *ret_bad = end;
    return errno ? -ERANGE : *end || end == s + 2 ? -EINVAL : 0;
}

/* In arithmetic a time counts microseconds, as in fio. */
static double scale_time(const char *suffix)
{
    uint64_t ns;
    char text[16];
    bool ok = str_format(text, sizeof(text), "1%s", suffix) && units_parse_time_us(text, &ns, NULL) == 0;
    return ok ? (double)ns / NSEC_PER_USEC : 0;
}

static double scale_bytes(const char *suffix)
{
    uint64_t v;
    char text[16];
    return str_format(text, sizeof(text), "1%s", suffix) && units_parse_bytes(text, &v, NULL) == 0 ? (double)v : 0;
}

static double scale_si(const char *suffix)
{
    uint64_t v;
    char text[16];
    return str_format(text, sizeof(text), "1%s", suffix) && units_parse_bytes_si(text, &v, NULL) == 0 ? (double)v : 0;
}

/* A fraction that is left over goes, as in fio. */
static int parse_expression(const struct job *j, const struct job_field *f, const char *s, uint64_t *ret,
                            const char **ret_bad)
{
    bool time = f->type == JOB_T_TIME || f->type == JOB_T_TIME_US;
    long double v;
    int rc = expr_eval(s, time ? scale_time : j->kb_si ? scale_si : scale_bytes, &v, ret_bad);
    if (rc == 0 && time)
        v *= NSEC_PER_USEC;
    if (rc < 0 || v < 0 || v >= 18446744073709551616.0L)
        return rc < 0 ? rc : -ERANGE;
    *ret = (uint64_t)v;
    return 0;
}

static int parse_any(const struct job *j, const struct job_field *f, const char *s, uint64_t *ret,
                     const char **ret_bad)
{
    if (*s == '(')
        return parse_expression(j, f, s, ret, ret_bad);
    if (kinds[f->type].parse != units_parse_bytes)
        return kinds[f->type].parse(s, ret, ret_bad);
    return s[0] == '0' && (s[1] | 32) == 'x' ? parse_hex(s, ret, ret_bad) : parse_bytes(j, s, ret, ret_bad);
}

/* `whole` is what was written behind "=", for the sentence. */
static int parse_number(const struct job *j, const struct job_field *f, const char *text, const char *whole,
                        uint64_t *ret, struct err *err)
{
    uint64_t v = 0;
    const char *bad = NULL;
    int rc = parse_any(j, f, text, &v, &bad);
    uint64_t max = f->type == JOB_T_BOOL ? 1 : f->max;
    if (rc < 0 || v < f->min || v > max)
        return not_right(f, whole, rc == -EINVAL ? bad : NULL, err);
    *ret = v;
    return 0;
}

static int set_number(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    uint64_t v;
    int rc = parse_number(j, f, value, value, &v, err);
    if (rc == 0)
        number_put(j, f, 0, v);
    return rc;
}

static int set_each(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    uint64_t v[DDIRS];
    unsigned i, d = 0;
    char part[64];
    for (i = 0; i < DDIRS; i++)
        v[i] = number_of(j, f, i);
    for (const char *p = value;; p++) {
        size_t len = strcspn(p, ",");
        if (len >= sizeof(part))
            return not_right(f, value, NULL, err);
        if (d == DDIRS)
            return err_set(err, -EINVAL, "%s=%s: at most three values: for reads, writes and trims", f->name, value);
        memcpy(part, p, len);
        part[len] = '\0';
        int rc = len || !*value ? parse_number(j, f, part, value, &v[d], err) : 0;
        if (rc < 0)
            return rc;
        d++;
        for (i = d; len && !p[len] && i < DDIRS; i++)
            v[i] = v[d - 1]; /* the last one is for those that follow as well */
        p += len;
        if (!*p)
            break;
    }
    for (i = 0; i < DDIRS; i++)
        number_put(j, f, i, v[i]);
    return 0;
}

/* Does the word stand in "rw|readwrite"? */
static bool spelled(const char *words, const char *value)
{
    size_t n = strlen(value);
    for (; *words; words += strspn(words, "|")) {
        size_t len = strcspn(words, "|");
        if (len == n && !strncmp(words, value, n))
            return true;
        words += len;
    }
    return false;
}

static int set_enum(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    for (size_t i = 0; f->words[i]; i++)
        if (spelled(f->words[i], value)) {
            number_put(j, f, 0, i);
            return 0;
        }
    return not_right(f, value, NULL, err);
}

static int set_float(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    char *end;
    bool plain = *value && strspn(value, "0123456789.") == strlen(value);
    double v = strtod(value, &end);
    if (!plain || *end || v < (double)f->min || v > (double)f->max)
        return not_right(f, value, NULL, err);
    memcpy(place(j, f, 0), &v, sizeof(v));
    return 0;
}

static int set_amount(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    struct job_amount a = {0};
    char number[16];
    uint64_t v;
    size_t len = strlen(value);
    int rc = 0;
    if (len && value[len - 1] == '%') {
        bool ok = str_format(number, sizeof(number), "%.*s", (int)len - 1, value);
        if (!ok || str_u64(number, &v, NULL) < 0 || v > 100)
            return err_set(err, -EINVAL, "%s=%s: a share must be 0%% to 100%%", f->name, value);
        a.pct = v;
    } else {
        rc = parse_number(j, f, value, value, &a.bytes, err);
    }
    if (rc == 0)
        memcpy(place(j, f, 0), &a, sizeof(a));
    return rc;
}

static int set_text(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    if (strlen(value) >= f->len)
        return err_set(err, -EINVAL, "%s: longer than %zu characters", f->name, f->len - 1);
    if (!*value && !f->may_be_empty)
        return err_set(err, -EINVAL, "%s=: must not be empty", f->name);
    int rc = f->read ? f->read(j, f, value, err) : 0;
    if (rc == 0)
        str_copy(place(j, f, 0), f->len, value);
    return rc;
}

int job_value_set(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    char like[32];
    if (!value)
        value = f->type == JOB_T_BOOL ? "1" : f->bare;
    if (!value) {
        bool shown = *f->def && strcmp(f->def, "0");
        return err_set(err, -EINVAL, "%s: needs a value, like %s=%s", f->name, f->name,
                       shown ? f->def : job_field_value(f, like, sizeof(like)));
    }
    switch (f->type) {
    case JOB_T_TEXT:
        return set_text(j, f, value, err);
    case JOB_T_ENUM:
        return set_enum(j, f, value, err);
    case JOB_T_FLOAT:
        return set_float(j, f, value, err);
    case JOB_T_BYTES_PCT:
        return set_amount(j, f, value, err);
    case JOB_T_OWN:
        return f->read(j, f, value, err);
    default:
        return f->each ? set_each(j, f, value, err) : set_number(j, f, value, err);
    }
}
