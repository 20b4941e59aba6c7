/* jobfile: reads a job file and what it includes, section by section, and turns each into a job.
 * Checks no job and opens no target. */
#include "engine/jobfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/str.h"

#define BOM "\xef\xbb\xbf" /* what some editors put in front */
#define LINE_MAX_BYTES 8192
enum { DEEPEST = 16 }; /* includes in each other */

struct source { /* a file that is being read */
    const struct source *parent;
    const char *path;
    FILE *file;
    struct stat id;
    unsigned line, depth;
    char text[LINE_MAX_BYTES + 2]; /* of the line */
};

struct word { /* key=value of the section that is being read */
    char *key, *value; /* value NULL: a bare key; one allocation with key */
    char *path;        /* of the file it stands in */
    unsigned line;
};

struct reading {
    const char *const *sections;
    struct job global;
    struct job *jobs;
    size_t n;
    uint64_t seen;     /* bit i: sections[i] is there */
    struct word *word; /* of the section */
    size_t nwords;
    enum { NOWHERE, IN_GLOBAL, IN_JOB, IN_OTHER } where;
    struct err *err;
};

static int fail(const struct reading *r, const struct source *s, int code, const char *sentence)
{
    return err_set(r->err, code, "%s:%u: %s", s->path, s->line, sentence);
}

/* ---- a section's words ---- */

static void drop_words(struct reading *r)
{
    for (size_t i = 0; i < r->nwords; i++) {
        free(r->word[i].key);
        free(r->word[i].path);
    }
    r->nwords = 0;
}

static int add_word(struct reading *r, const struct source *s, const char *key, const char *value)
{
    size_t room = strlen(key) + 1 + (value ? strlen(value) + 1 : 0);
    struct word *more = realloc(r->word, (r->nwords + 1) * sizeof(*more));
    if (!more)
        return fail(r, s, -ENOMEM, "no memory for it");
    r->word = more;
    struct word *w = &more[r->nwords];
    *w = (struct word){.key = malloc(room), .path = strdup(s->path), .line = s->line};
    if (!w->key || !w->path) {
        free(w->key);
        free(w->path);
        return fail(r, s, -ENOMEM, "no memory for it");
    }
    strcpy(w->key, key);
    if (value)
        w->value = strcpy(w->key + strlen(key) + 1, value);
    r->nwords++;
    return 0;
}

static int set_word(struct job *j, const struct word *w, struct err *err)
{
    char value[JOB_PATH + 64];
    struct err why = {0};
    int rc = w->value ? jobfile_expand(w->key, w->value, value, sizeof(value), &why) : 0;
    if (rc == 0)
        rc = job_set(j, w->key, w->value ? value : NULL, &why);
    return rc < 0 ? err_set(err, rc, "%s:%u: %s", w->path, w->line, why.text) : 0;
}

/* What the section says, put into its job; kb_base first: it says what the sizes mean, wherever it stands. */
static int end_section(struct reading *r)
{
    struct job *j = r->where == IN_GLOBAL ? &r->global : r->where == IN_JOB ? &r->jobs[r->n - 1] : NULL;
    int rc = 0;
    for (int first = 1; first >= 0 && j; first--)
        for (size_t i = 0; i < r->nwords && rc == 0; i++)
            if ((strcmp(r->word[i].key, "kb_base") == 0) == first)
                rc = set_word(j, &r->word[i], r->err);
    drop_words(r);
    return rc;
}

static bool is_wanted(struct reading *r, const char *name)
{
    bool wanted = !r->sections || !r->sections[0];
    for (size_t i = 0; r->sections && r->sections[i]; i++)
        if (!strcmp(r->sections[i], name)) {
            r->seen |= 1ull << i % 64;
            wanted = true;
        }
    return wanted;
}

static int begin_job(struct reading *r, const struct source *s, const char *name)
{
    struct err e = {0};
    struct job *jobs = realloc(r->jobs, (r->n + 1) * sizeof(*jobs));
    if (!jobs)
        return fail(r, s, -ENOMEM, "no memory for the job");
    r->jobs = jobs;
    jobs[r->n] = r->global;
    int rc = job_set(&jobs[r->n++], "name", name, &e);
    return rc < 0 ? fail(r, s, rc, e.text) : 0;
}

static int begin_section(struct reading *r, const struct source *s, char *text)
{
    char *close = strrchr(text, ']');
    if (close)
        *close = '\0';
    const char *name = str_trim(text + 1);
    if (!close || !*name)
        return fail(r, s, -EINVAL, "a section is written [name]");
    if (s->parent)
        return fail(r, s, -EINVAL, "an included file holds options and no [section]");
    int rc = end_section(r);
    if (rc < 0)
        return rc;
    r->where = !strcmp(name, "global") ? IN_GLOBAL : is_wanted(r, name) ? IN_JOB : IN_OTHER;
    return r->where == IN_JOB ? begin_job(r, s, name) : 0;
}

/* ---- lines ---- */

static int read_source(struct reading *r, const char *path, const struct source *parent);

/* A relative path is meant from the folder of the file that names it. */
static int include(struct reading *r, const struct source *s, const char *name)
{
    char path[2 * JOB_PATH], value[JOB_PATH];
    struct err e = {0};
    const char *slash = strrchr(s->path, '/');
    int rc = jobfile_expand("include", name, value, sizeof(value), &e);
    if (rc < 0)
        return fail(r, s, rc, e.text);
    str_format(path, sizeof(path), "%.*s%s", value[0] == '/' || !slash ? 0 : (int)(slash - s->path + 1), s->path,
               value);
    return read_source(r, path, s);
}

static bool is_key(const char *key)
{
    const char *p = key;
    while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '_' || *p == '-')
        p++;
    return *key && !*p;
}

static int take_option(struct reading *r, const struct source *s, char *text)
{
    char sentence[256], *equals = strchr(text, '='), *value = equals ? str_trim(equals + 1) : NULL;
    if (equals)
        *equals = '\0';
    char *key = str_trim(text);
    if (!is_key(key))
        return fail(r, s, -EINVAL, "an option is written key=value");
    if (r->where == NOWHERE) {
        str_format(sentence, sizeof(sentence), "%.64s stands before the first [section]", key);
        return fail(r, s, -EINVAL, sentence);
    }
    return r->where == IN_OTHER ? 0 : add_word(r, s, key, value);
}

static int take_line(struct reading *r, struct source *s)
{
    bool marked = s->line == 1 && str_starts(s->text, BOM);
    char *text = s->text + (marked ? strlen(BOM) : 0);
    text[strcspn(text, ";#")] = '\0'; /* a comment, wherever it stands */
    text = str_trim(text);
    if (!*text)
        return 0;
    if (*text == '[')
        return begin_section(r, s, text);
    if (str_starts(text, "include ") || str_starts(text, "include\t"))
        return r->where == IN_OTHER ? 0 : include(r, s, str_trim(text + strlen("include ")));
    return take_option(r, s, text);
}

/* 1, 0 at the end of the file, or -errno. */
static int get_line(struct reading *r, struct source *s)
{
    char sentence[64];
    memset(s->text, '\n', sizeof(s->text));
    if (!fgets(s->text, sizeof(s->text), s->file))
        return ferror(s->file) ? err_set(r->err, -EIO, "%s: cannot be read: %s", s->path, strerror(errno)) : 0;
    s->line++;
    const char *end = memrchr(s->text, '\0', sizeof(s->text));
    if (strlen(s->text) != (size_t)(end - s->text))
        return fail(r, s, -EINVAL, "is not text: a NUL stands in the line");
    if (!strchr(s->text, '\n') && !feof(s->file)) {
        str_format(sentence, sizeof(sentence), "the line is longer than %d characters", LINE_MAX_BYTES);
        return fail(r, s, -EINVAL, sentence);
    }
    return 1;
}

/* ---- files ---- */

static int read_lines(struct reading *r, struct source *s)
{
    int rc;
    while ((rc = get_line(r, s)) > 0)
        if ((rc = take_line(r, s)) < 0)
            return rc;
    return rc;
}

static int open_source(struct reading *r, struct source *s)
{
    const struct source *p = s->parent;
    char sentence[ERR_TEXT];
    s->file = strcmp(s->path, "-") || p ? fopen(s->path, "re") : stdin;
    if (!s->file || fstat(fileno(s->file), &s->id) < 0) {
        int rc = -errno;
        str_format(sentence, sizeof(sentence), "%s: cannot be opened: %s", s->path, strerror(-rc));
        return p ? fail(r, p, rc, sentence) : err_set(r->err, rc, "%s", sentence);
    }
    for (; p; p = p->parent)
        if (p->id.st_dev == s->id.st_dev && p->id.st_ino == s->id.st_ino) {
            str_format(sentence, sizeof(sentence), "%s includes itself", s->path);
            return fail(r, s->parent, -ELOOP, sentence);
        }
    if (s->depth > DEEPEST)
        return fail(r, s->parent, -ELOOP, "files include each other too deep");
    return 0;
}

static int read_source(struct reading *r, const char *path, const struct source *parent)
{
    struct source *s = calloc(1, sizeof(*s));
    if (!s)
        return err_set(r->err, -ENOMEM, "%s: no memory to read it", path);
    s->parent = parent;
    s->path = path;
    s->depth = parent ? parent->depth + 1 : 0;
    int rc = open_source(r, s);
    if (rc == 0)
        rc = read_lines(r, s);
    if (s->file && s->file != stdin)
        fclose(s->file);
    free(s);
    return rc;
}

static int check_sections(const struct reading *r, const char *path)
{
    for (size_t i = 0; r->sections && r->sections[i]; i++)
        if (!(r->seen & 1ull << i % 64))
            return err_set(r->err, -EINVAL, "--section=%s: %s has no such section", r->sections[i], path);
    if (!r->n)
        return err_set(r->err, -EINVAL, "%s: has no job; a job begins with a line [name]", path);
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

int jobfile_read(const char *path, const char *const *sections,
                 int (*override)(struct job *j, void *arg, struct err *err), void *arg, struct job **ret,
                 size_t *ret_n, struct err *err)
{
    struct reading r = {.sections = sections, .err = err};
    job_init(&r.global);
    int rc = read_source(&r, path, NULL);
    if (rc == 0)
        rc = end_section(&r);
    if (rc == 0)
        rc = check_sections(&r, path);
    if (rc == 0)
        rc = override_all(&r, override, arg);
    drop_words(&r);
    free(r.word);
    if (rc < 0) {
        free(r.jobs);
        return rc;
    }
    *ret = r.jobs;
    *ret_n = r.n;
    return 0;
}
