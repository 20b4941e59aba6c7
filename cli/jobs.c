/* jobs: puts job file and command line together and checks each job.
 * What a word means is the job's table's business. */
#include "cli/jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/result_log.h"
#include "engine/job_given.h"
#include "engine/jobfile.h"

static bool is_name(const struct setting *s)
{
    return !strcmp(s->key, "name");
}

static size_t count_names(const struct args *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->njob; i++)
        n += is_name(&a->job[i]);
    return n;
}

/* kb_base first: it says what the sizes mean, wherever it stands. */
static int apply(struct job *j, const struct setting *s, size_t n, struct err *err)
{
    int rc = 0;
    for (int first = 1; first >= 0; first--)
        for (size_t i = 0; i < n && rc == 0; i++)
            if ((strcmp(s[i].key, "kb_base") == 0) == first)
                rc = job_set(j, s[i].key, s[i].value, err);
    return rc;
}

static int override(struct job *j, void *arg, struct err *err)
{
    const struct args *a = arg;
    return apply(j, a->job, a->njob, err);
}

static int from_file(const struct args *a, struct job **ret, size_t *ret_n, struct err *err)
{
    int rc = jobfile_read(a->words.word[0], a->sections.word, override, (void *)a, ret, ret_n, err);
    if (rc == 0 && count_names(a) && *ret_n > 1) {
        return err_set(err, -EINVAL, "--name: %s has %zu jobs with names of their own", a->words.word[0], *ret_n);
    }
    return rc;
}

/* The words of job i: from its --name up to the next. */
static int apply_own(struct job *j, const struct args *a, size_t i, struct err *err)
{
    size_t from = 0, to, seen = 0;
    for (from = 0; from < a->njob; from++)
        if (is_name(&a->job[from]) && seen++ == i)
            break;
    for (to = from; to < a->njob && (to == from || !is_name(&a->job[to])); to++)
        ;
    return apply(j, &a->job[from], to - from, err);
}

static int from_words(const struct args *a, const struct job *base, struct job **ret, size_t *ret_n,
                      struct err *err)
{
    size_t names = count_names(a), n = names ? names : 1, globals = 0;
    struct job *jobs = calloc(n, sizeof(*jobs));
    if (!jobs)
        return err_set(err, -ENOMEM, "no memory for %zu jobs", n);
    while (globals < a->njob && !is_name(&a->job[globals]))
        globals++;
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        if (base)
            jobs[i] = *base;
        else
            job_init(&jobs[i]);
        rc = apply(&jobs[i], a->job, globals, err);
        if (rc == 0)
            rc = apply_own(&jobs[i], a, i, err);
    }
    if (rc < 0) {
        free(jobs);
        return rc;
    }
    *ret = jobs;
    *ret_n = n;
    return 0;
}

static int check(struct job *jobs, size_t n, struct strbuf *notes, struct err *err)
{
    char text[256];
    const char *given;
    for (size_t i = 0; i < n; i++) {
        struct err why = {0};
        const char *who = n > 1 ? jobs[i].name : "", *colon = n > 1 ? ": " : "";
        int rc = job_check(&jobs[i], text, sizeof(text), &why);
        if (rc < 0)
            return err_set(err, rc, "%s%s%s", who, colon, why.text);
        if (text[0])
            strbuf_printf(notes, "%s%s%s\n", who, colon, text);
        for (size_t k = 0; (given = job_given_note(&jobs[i], k)); k++)
            strbuf_printf(notes, "%s%s%s\n", who, colon, given);
        result_log_note(&jobs[i], notes);
    }
    return 0;
}

int jobs_build_quiet(const struct args *a, const struct job *base, struct job **ret, size_t *ret_n,
                     struct strbuf *notes, struct err *err)
{
    struct job *jobs = NULL;
    size_t n = 0;
    if (a->sections.n && !a->words.n)
        return err_set(err, -EINVAL, "--section=%s: is of a job file, and there is none", a->sections.word[0]);
    if (a->words.n > 1)
        return err_set(err, -EINVAL, "%s: only one JOBFILE at a time", a->words.word[1]);
    int rc = a->words.n ? from_file(a, &jobs, &n, err) : from_words(a, base, &jobs, &n, err);
    if (rc == 0)
        rc = check(jobs, n, notes, err);
    if (rc < 0) {
        free(jobs);
        return rc;
    }
    *ret = jobs;
    *ret_n = n;
    return 0;
}

void jobs_say_notes(struct strbuf *notes)
{
    char *save = NULL;
    for (char *line = notes->s ? strtok_r(notes->s, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save))
        note("%s", line);
    strbuf_fini(notes);
}

int jobs_build(const struct args *a, const struct job *base, struct job **ret, size_t *ret_n, struct err *err)
{
    struct strbuf notes = {0};
    int rc = jobs_build_quiet(a, base, ret, ret_n, &notes, err);
    if (rc == 0)
        jobs_say_notes(&notes);
    strbuf_fini(&notes);
    return rc;
}

bool jobs_have_target(const struct args *a)
{
    bool have = a->words.n > 0;
    for (size_t i = 0; i < a->njob; i++) {
        const struct setting *s = &a->job[i];
        have |= !strcmp(s->key, "filename") || !strcmp(s->key, "directory") || !strcmp(s->key, "opendir");
        have |= !strcmp(s->key, "ioengine") && s->value && !strcmp(s->value, "null");
    }
    return have;
}
