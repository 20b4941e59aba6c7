/* job: reads and writes the fields of a job through the table in job_fields.c.
 * What holds between fields, retunes and knobs are in job_tune.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "core/units.h"
#include "engine/job.h"

static const char *const rw_names[] = {
    [JOB_READ] = "read",           [JOB_WRITE] = "write",       [JOB_TRIM] = "trim", [JOB_RANDREAD] = "randread",
    [JOB_RANDWRITE] = "randwrite", [JOB_RANDTRIM] = "randtrim", [JOB_RW] = "rw",     [JOB_RANDRW] = "randrw",
};
#define NRW (sizeof(rw_names) / sizeof(rw_names[0]))

bool job_reads(const struct job *j)
{
    return j->rw == JOB_READ || j->rw == JOB_RANDREAD || j->rw == JOB_RW || j->rw == JOB_RANDRW;
}

bool job_trims(const struct job *j)
{
    return j->rw == JOB_TRIM || j->rw == JOB_RANDTRIM;
}

bool job_writes(const struct job *j)
{
    return j->rw != JOB_READ && j->rw != JOB_RANDREAD;
}

bool job_random(const struct job *j)
{
    return j->rw == JOB_RANDREAD || j->rw == JOB_RANDWRITE || j->rw == JOB_RANDTRIM || j->rw == JOB_RANDRW;
}

const struct job_field *job_field_find(const char *name)
{
    for (size_t i = 0; i < job_nfields; i++) {
        const struct job_field *f = &job_fields[i];
        if (!strcmp(f->name, name) || (f->alias && !strcmp(f->alias, name)))
            return f;
    }
    return NULL;
}

/* Numbers of all widths: a field is a bool, an enum, an unsigned or a uint64_t. */
static uint64_t number_of(const struct job *j, const struct job_field *f)
{
    const char *at = (const char *)j + f->at;
    uint64_t v64;
    uint32_t v32;
    bool flag;
    if (f->len == sizeof(v64))
        return memcpy(&v64, at, sizeof(v64)), v64;
    if (f->len == sizeof(v32))
        return memcpy(&v32, at, sizeof(v32)), v32;
    return memcpy(&flag, at, sizeof(flag)), flag;
}

static void number_put(struct job *j, const struct job_field *f, uint64_t v)
{
    char *at = (char *)j + f->at;
    uint32_t v32 = (uint32_t)v;
    bool flag = v != 0;
    if (f->len == sizeof(v))
        memcpy(at, &v, sizeof(v));
    else if (f->len == sizeof(v32))
        memcpy(at, &v32, sizeof(v32));
    else
        memcpy(at, &flag, sizeof(flag));
}

static void number_text(const struct job_field *f, uint64_t v, char *dst, size_t n)
{
    char text[UNITS_TEXT];
    if (f->type == JOB_T_BYTES)
        units_exact_bytes(v, text);
    else if (f->type == JOB_T_TIME || f->type == JOB_T_TIME_US)
        units_exact_time(v, text);
    else
        snprintf(text, sizeof(text), "%llu", (unsigned long long)v);
    str_copy(dst, n, v == 0 ? "0" : text);
}

void job_get(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    if (f->type == JOB_T_TEXT)
        str_copy(dst, n, (const char *)j + f->at);
    else if (f->type == JOB_T_RW)
        str_copy(dst, n, j->rw < NRW ? rw_names[j->rw] : "?");
    else
        number_text(f, number_of(j, f), dst, n);
}

/* What would be right, as the end of a sentence: "512 to 16m, like 4k". */
static void wanted(const struct job_field *f, char *dst, size_t n)
{
    char lo[UNITS_TEXT], hi[UNITS_TEXT];
    number_text(f, f->min, lo, sizeof(lo));
    number_text(f, f->max, hi, sizeof(hi));
    switch (f->type) {
    case JOB_T_BOOL:
        str_copy(dst, n, "0 or 1");
        break;
    case JOB_T_BYTES:
        str_format(dst, n, f->max >= INT64_MAX ? "a size, like 1g" : "%s to %s, like 4k", lo, hi);
        break;
    case JOB_T_TIME:
        str_copy(dst, n, "a time up to ten years, like 30s or 2m");
        break;
    case JOB_T_TIME_US:
        str_copy(dst, n, "a time up to ten years, like 50us");
        break;
    default:
        str_format(dst, n, "%s to %s", lo, hi);
    }
}

static int parse_number(const struct job_field *f, const char *value, uint64_t *ret, const char **ret_bad)
{
    switch (f->type) {
    case JOB_T_BYTES:
        return units_parse_bytes(value, ret, ret_bad);
    case JOB_T_COUNT:
        return units_parse_count(value, ret, ret_bad);
    case JOB_T_TIME:
        return units_parse_time_ns(value, ret, ret_bad);
    case JOB_T_TIME_US:
        return units_parse_time_us(value, ret, ret_bad);
    default:
        return str_u64(value, ret, ret_bad);
    }
}

static int set_number(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    char want[96];
    uint64_t v = 0;
    const char *bad = NULL;
    wanted(f, want, sizeof(want));
    int rc = parse_number(f, value, &v, &bad);
    if (rc == -EINVAL && bad && *bad && *value)
        return err_set(err, -EINVAL, "%s=%s: \"%s\" is not understood; must be %s", f->name, value, bad, want);
    uint64_t max = f->type == JOB_T_BOOL ? 1 : f->max;
    if (rc < 0 || v < f->min || v > max)
        return err_set(err, -EINVAL, "%s=%s: must be %s", f->name, value, want);
    number_put(j, f, v);
    return 0;
}

static int set_rw(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    for (size_t i = 0; i < NRW; i++)
        if (!strcmp(value, rw_names[i]) || (i == JOB_RW && !strcmp(value, "readwrite"))) {
            j->rw = (enum job_rw)i;
            return 0;
        }
    return err_set(err, -EINVAL, "%s=%s: must be read, write, trim, randread, randwrite, randtrim, rw or randrw",
                   f->name, value);
}

/* A name stands in lines and tables of others. */
static bool has_control(const char *s)
{
    char text[JOB_NAME];
    return str_copy(text, sizeof(text), s) && strcmp(str_plain(text), s) != 0;
}

static int set_text(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    if (strlen(value) >= f->len)
        return err_set(err, -EINVAL, "%s: longer than %zu characters", f->name, f->len - 1);
    if (!*value && !*f->def && strcmp(f->name, "cpus_allowed"))
        return err_set(err, -EINVAL, "%s=: must not be empty", f->name);
    if (!strcmp(f->name, "name") && has_control(value))
        return err_set(err, -EINVAL, "%s=%s: must not hold a control character", f->name, value);
    str_copy((char *)j + f->at, f->len, value);
    return 0;
}

static int set_field(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    if (!value && f->type != JOB_T_BOOL)
        return err_set(err, -EINVAL, "%s: needs a value, like %s=%s", f->name, f->name,
                       *f->def && strcmp(f->def, "0") ? f->def : "...");
    if (f->type == JOB_T_TEXT)
        return set_text(j, f, value, err);
    if (f->type == JOB_T_RW)
        return set_rw(j, f, value, err);
    return set_number(j, f, value ? value : "1", err);
}

void job_init(struct job *j)
{
    memset(j, 0, sizeof(*j));
    for (size_t i = 0; i < job_nfields; i++)
        if (*job_fields[i].def)
            set_field(j, &job_fields[i], job_fields[i].def, NULL);
}

static int unknown(const char *key, struct err *err)
{
    const char *nearest = NULL;
    unsigned best = (unsigned)(strlen(key) / 3) + 1;
    for (size_t i = 0; i < job_nfields; i++) {
        const char *words[] = {job_fields[i].name, job_fields[i].alias};
        for (size_t w = 0; w < 2 && words[w]; w++) {
            unsigned d = str_distance(key, words[w]);
            if (d <= best && (d < best || !nearest))
                best = d, nearest = words[w];
        }
    }
    if (nearest)
        return err_set(err, -ENOENT, "unknown option %s; did you mean %s?", key, nearest);
    return err_set(err, -ENOENT, "unknown option %s", key);
}

/* Words of fio that ask for what is so anyway, and the only value that is true here. */
static const struct {
    const char *name, *only, *why;
} given[] = {
    {"thread", "1", "clones are threads"},
    {"loops", "1", "the data is passed once, or use time_based"},
    {"buffered", NULL, NULL}, /* the inverse of direct */
};

static int set_given(struct job *j, const char *key, const char *value, struct err *err)
{
    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
        if (strcmp(given[i].name, key))
            continue;
        const char *v = value ? value : "1";
        if (given[i].only) {
            if (!strcmp(v, given[i].only))
                return 0;
            return err_set(err, -EINVAL, "%s=%s: must be %s; %s", key, v, given[i].only, given[i].why);
        }
        if (strcmp(v, "0") && strcmp(v, "1"))
            return err_set(err, -EINVAL, "%s=%s: must be 0 or 1", key, v);
        return job_set(j, "direct", *v == '0' ? "1" : "0", err);
    }
    return -ENOENT;
}

int job_set(struct job *j, const char *key, const char *value, struct err *err)
{
    const struct job_field *f = job_field_find(key);
    if (!f) {
        int rc = set_given(j, key, value, err);
        return rc == -ENOENT ? unknown(key, err) : rc;
    }
    struct err local = {0};
    int rc = set_field(j, f, value, &local);
    if (rc < 0)
        return err_set(err, rc, "%s", local.text);
    j->set |= 1ull << (f - job_fields);
    return 0;
}
