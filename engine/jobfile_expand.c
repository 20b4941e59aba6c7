/* jobfile_expand: ${VAR} and fio's $words in the values of a job file.
 * Knows no file; what the result means is the field's business. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/str.h"
#include "engine/jobfile.h"

static long pagesize(void)
{
    return sysconf(_SC_PAGESIZE);
}

static long mb_memory(void)
{
    return (long)((double)sysconf(_SC_PHYS_PAGES) * (double)pagesize() / (1 << 20));
}

static long ncpus(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN);
}

static const struct {
    const char *name;
    long (*value)(void);
} keywords[] = {{"$pagesize", pagesize}, {"$mb_memory", mb_memory}, {"$ncpus", ncpus}};

struct writer {
    char *dst;
    size_t n, len;
    bool full, counted; /* counted: a keyword was replaced */
};

static void put(struct writer *w, const char *s, size_t n)
{
    if (n >= w->n - w->len) {
        w->full = true;
        return;
    }
    memcpy(w->dst + w->len, s, n);
    w->len += n;
    w->dst[w->len] = '\0';
}

/* Takes "${NAME}" at *p. */
static int put_variable(struct writer *w, const char *key, const char *value, const char **p, struct err *err)
{
    char name[128];
    const char *begin = *p + 2, *end = strchr(begin, '}');
    if (!end || end == begin || !str_format(name, sizeof(name), "%.*s", (int)(end - begin), begin))
        return err_set(err, -EINVAL, "%s=%s: a variable is written ${NAME}", key, value);
    const char *text = getenv(name);
    if (!text)
        return err_set(err, -EINVAL, "%s=%s: the environment has no %s; set it, like %s=... benchtop run ...", key,
                       value, name, name);
    put(w, text, strlen(text));
    *p = end + 1;
    return 0;
}

static bool put_keyword(struct writer *w, const char **p)
{
    char text[24];
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        if (!str_starts(*p, keywords[i].name))
            continue;
        str_format(text, sizeof(text), "%ld", keywords[i].value());
        put(w, text, strlen(text));
        *p += strlen(keywords[i].name);
        w->counted = true;
        return true;
    }
    return false;
}

static bool is_number(const char *key)
{
    const struct job_field *f = job_field_find(key);
    return f && f->type != JOB_T_TEXT && f->type != JOB_T_ENUM && f->type != JOB_T_OWN && f->type != JOB_T_BOOL;
}

/* "2*3" of a number's value becomes "(2*3)": only then it is arithmetic. */
static void make_expression(struct writer *w)
{
    if (w->dst[0] == '(' || !strpbrk(w->dst, "+-*/%^") || w->len + 3 > w->n)
        return;
    memmove(w->dst + 1, w->dst, w->len);
    w->dst[0] = '(';
    w->len += 2;
    w->dst[w->len - 1] = ')';
    w->dst[w->len] = '\0';
}

int jobfile_expand(const char *key, const char *value, char *dst, size_t n, struct err *err)
{
    struct writer w = {.dst = dst, .n = n};
    *dst = '\0';
    for (const char *p = value; *p && !w.full;) {
        if (str_starts(p, "${")) {
            int rc = put_variable(&w, key, value, &p, err);
            if (rc < 0)
                return rc;
        } else if (*p != '$' || !put_keyword(&w, &p)) {
            put(&w, p++, 1);
        }
    }
    if (w.full)
        return err_set(err, -EINVAL, "%s: longer than %zu characters with its variables", key, n - 1);
    if (w.counted && is_number(key))
        make_expression(&w);
    return 0;
}
