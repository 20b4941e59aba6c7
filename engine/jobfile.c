/* jobfile: feeds a job file to inih line by line and turns what it finds into jobs.
 * Checks no job and opens no target. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>

#include "core/str.h"
#include "engine/jobfile.h"

/* A key without "=" reaches the handler with this value: inih itself may refuse it, as it was built. */
#define BARE "\001"
/* The value of a line that is longer than inih was built for: it waits in `value`. */
#define LONG "\002"
#define BOM "\xef\xbb\xbf" /* what some editors put in front */
#define LINE_MAX_BYTES (JOB_PATH + 256)

struct reading {
    const char *path;
    FILE *file;
    unsigned line;
    char text[LINE_MAX_BYTES + 2]; /* of the line */
    const char *value;             /* of LONG */
    struct job global;
    struct job *jobs;
    size_t n;
    bool in_global, in_job;
    struct err *err;
    int rc; /* the first failure; nothing is read after it */
};

static int fail(struct reading *r, int code, const char *sentence)
{
    if (!r->rc)
        r->rc = err_set(r->err, code, "%s:%u: %s", r->path, r->line, sentence);
    return r->rc;
}

static int begin_section(struct reading *r, char *text)
{
    struct err e = {0};
    char *close = strrchr(text, ']');
    if (!close || close == text + 1)
        return fail(r, -EINVAL, "a section is written [name]");
    *close = '\0';
    const char *name = text + 1;
    r->in_global = !strcmp(name, "global");
    r->in_job = !r->in_global;
    if (r->in_global)
        return 0;
    struct job *jobs = realloc(r->jobs, (r->n + 1) * sizeof(*jobs));
    if (!jobs)
        return fail(r, -ENOMEM, "no memory for the job");
    r->jobs = jobs;
    r->jobs[r->n] = r->global;
    int rc = job_set(&r->jobs[r->n++], "name", name, &e);
    return rc < 0 ? fail(r, rc, e.text) : 0;
}

static char *cut_comment(char *text)
{
    char *comment = strstr(text, " ;");
    if (comment)
        *comment = '\0';
    return text;
}

/* One line as inih shall see it: no indentation (it would continue the line before), always an "=", and short. */
static int rewrite(struct reading *r, char *dst, size_t n)
{
    bool marked = r->line == 1 && str_starts(r->text, BOM);
    char *text = str_trim(r->text + (marked ? strlen(BOM) : 0)), *equals = strchr(text, '=');
    if (*text == '[' && begin_section(r, cut_comment(text)) < 0)
        return r->rc;
    if (!*text || strchr(";#[", *text)) {
        *dst = '\0'; /* inih needs no section: they are counted here */
        return 0;
    }
    if (equals == text || (!equals && strchr(text, ':')))
        return fail(r, -EINVAL, "an option is written key=value");
    if (equals ? str_copy(dst, n, text) : str_format(dst, n, "%s=" BARE, text))
        return 0;
    if (!equals || (size_t)(equals - text) + sizeof("=" LONG) > n)
        return fail(r, -EINVAL, "an option is written key=value");
    r->value = str_trim(cut_comment(equals + 1));
    *equals = '\0';
    str_format(dst, n, "%s=" LONG, text);
    return 0;
}

/* False at the end of the file, and where the line is none. */
static bool get_line(struct reading *r)
{
    char sentence[64];
    memset(r->text, '\n', sizeof(r->text));
    if (!fgets(r->text, sizeof(r->text), r->file))
        return false;
    r->line++;
    const char *end = memrchr(r->text, '\0', sizeof(r->text));
    if (strlen(r->text) != (size_t)(end - r->text)) {
        fail(r, -EINVAL, "is not text: a NUL stands in the line");
    } else if (!strchr(r->text, '\n') && !feof(r->file)) {
        str_format(sentence, sizeof(sentence), "the line is longer than %d characters", LINE_MAX_BYTES);
        fail(r, -EINVAL, sentence);
    }
    return r->rc == 0;
}

static char *read_line(char *str, int n, void *arg)
{
    struct reading *r = arg;
    if (r->rc || !get_line(r))
        return NULL;
    return rewrite(r, str, (size_t)n) < 0 ? NULL : str;
}

static int take(void *arg, const char *section, const char *key, const char *value)
{
    struct reading *r = arg;
    struct err e = {0};
    char sentence[256];
    if (!strcmp(value, LONG))
        value = r->value;
    if (!r->in_global && !r->in_job) {
        str_format(sentence, sizeof(sentence), "%.64s stands before the first [section]", key);
        return fail(r, -EINVAL, sentence), 0;
    }
    if (strstr(value, "${")) {
        str_format(sentence, sizeof(sentence), "%.64s=%.128s: variables of the environment are not expanded", key,
                   value);
        return fail(r, -EINVAL, sentence), 0;
    }
    struct job *j = r->in_global ? &r->global : &r->jobs[r->n - 1];
    int rc = job_set(j, key, !strcmp(value, BARE) ? NULL : value, &e);
    if (rc < 0)
        fail(r, rc, e.text);
    return rc == 0;
}

static int parse(struct reading *r)
{
    int line = ini_parse_stream(read_line, r, take, r);
    if (r->rc)
        return r->rc;
    if (ferror(r->file))
        return err_set(r->err, -EIO, "%s: cannot be read", r->path);
    if (line > 0) {
        r->line = (unsigned)line;
        return fail(r, -EINVAL, "an option is written key=value");
    }
    if (line < 0)
        return err_set(r->err, -ENOMEM, "%s: no memory to read it", r->path);
    if (!r->n)
        return err_set(r->err, -EINVAL, "%s: has no job; a job begins with a line [name]", r->path);
    return 0;
}

static int override_all(struct reading *r, int (*override)(struct job *, void *, struct err *), void *arg)
{
    for (size_t i = 0; override && i < r->n; i++) {
        int rc = override(&r->jobs[i], arg, r->err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

int jobfile_read(const char *path, int (*override)(struct job *j, void *arg, struct err *err), void *arg,
                 struct job **ret, size_t *ret_n, struct err *err)
{
    struct reading r = {.path = path, .err = err};
    r.file = fopen(path, "re");
    if (!r.file)
        return err_set(err, -errno, "%s: cannot be opened: %s", path, strerror(errno));
    job_init(&r.global);
    int rc = parse(&r);
    fclose(r.file);
    if (rc == 0)
        rc = override_all(&r, override, arg);
    if (rc < 0) {
        free(r.jobs);
        return rc;
    }
    *ret = r.jobs;
    *ret_n = r.n;
    return 0;
}
