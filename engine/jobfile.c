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

struct reading {
    const char *path;
    FILE *file;
    unsigned line;
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
    char sentence[128];
    char *close = strrchr(text, ']');
    if (!close || close == text + 1)
        return fail(r, -EINVAL, "a section is written [name]");
    *close = '\0';
    const char *name = text + 1;
    r->in_global = !strcmp(name, "global");
    r->in_job = !r->in_global;
    if (r->in_global)
        return 0;
    if (strlen(name) >= JOB_NAME) {
        str_format(sentence, sizeof(sentence), "the name of a job is longer than %d characters", JOB_NAME - 1);
        return fail(r, -EINVAL, sentence);
    }
    struct job *jobs = realloc(r->jobs, (r->n + 1) * sizeof(*jobs));
    if (!jobs)
        return fail(r, -ENOMEM, "no memory for the job");
    r->jobs = jobs;
    r->jobs[r->n] = r->global;
    str_copy(r->jobs[r->n].name, JOB_NAME, name);
    r->n++;
    return 0;
}

/* One line as inih shall see it: no indentation (it would continue the line before) and always an "=". */
static int rewrite(struct reading *r, char *line, int n)
{
    char *text = str_trim(line);
    if (text != line)
        memmove(line, text, strlen(text) + 1);
    if (!*line || *line == ';' || *line == '#')
        return 0;
    if (*line == '[') {
        char copy[512];
        str_copy(copy, sizeof(copy), line);
        char *comment = strstr(copy, " ;");
        if (comment)
            *comment = '\0';
        return begin_section(r, copy);
    }
    if (strchr(line, '='))
        return 0;
    if (strchr(line, ':') || strlen(line) + sizeof("=" BARE) > (size_t)n)
        return fail(r, -EINVAL, "an option is written key=value");
    strcat(line, "=" BARE);
    return 0;
}

static char *read_line(char *str, int n, void *arg)
{
    struct reading *r = arg;
    if (r->rc || !fgets(str, n, r->file))
        return NULL;
    r->line++;
    if (!strchr(str, '\n') && !feof(r->file)) {
        char sentence[64];
        str_format(sentence, sizeof(sentence), "the line is longer than %d characters", n - 2);
        fail(r, -EINVAL, sentence);
        return NULL;
    }
    return rewrite(r, str, n) < 0 ? NULL : str;
}

static int take(void *arg, const char *section, const char *key, const char *value)
{
    struct reading *r = arg;
    struct err e = {0};
    char sentence[256];
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
