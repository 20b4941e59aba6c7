/* cmd_export: `benchtop export`: a job as a job file of fio's: the words that were given, in fio's spelling.
 * Runs nothing and opens no target. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/jobs.h"
#include "cli/output.h"
#include "core/str.h"

/* Words that fio's job files do not have, and what to do there. */
static const struct {
    const char *name, *instead;
} own[] = {
    {"readonly", "fio --readonly does it"},
    {"write_zeroes", "fio has no such word"},
    {"kb_base", "sizes are written out, with k = 1024"},
};

static const char *fio_instead(const char *name)
{
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (!strcmp(own[i].name, name))
            return own[i].instead;
    return NULL;
}

/* In a job file ; and # begin a comment wherever they stand, and ${ a variable. */
static int check_text(const char *name, const char *text, struct err *err)
{
    if (!strpbrk(text, ";#") && !strstr(text, "${"))
        return 0;
    return err_set(err, -EINVAL, "%s=%s: a job file of fio's cannot hold ; # or ${ in a value", name, text);
}

/* The sizes of a job with kb_base=1000 are plain numbers already: fio reads them the same with its own base. */
static int write_field(const struct job *j, const struct job_field *f, FILE *out, struct err *err)
{
    char text[JOB_PATH];
    const char *instead = fio_instead(f->name);
    if (!job_is_set(j, f->name) || !strcmp(f->name, "name"))
        return 0;
    job_get(j, f, text, sizeof(text));
    if (instead) {
        fprintf(out, "; %s=%s: %s\n", f->name, text, instead);
        return 0;
    }
    int rc = check_text(f->name, text, err);
    if (rc == 0 && text[0])
        fprintf(out, "%s=%s\n", f->name, text);
    return rc;
}

static int write_job(const struct job *j, FILE *out, struct err *err)
{
    const struct job_field *f;
    if (strpbrk(j->name, "[];#") || !strcmp(j->name, "global"))
        return err_set(err, -EINVAL, "name=%s: cannot be the name of a section", j->name);
    fprintf(out, "\n[%s]\n", j->name);
    int rc = 0;
    for (size_t i = 0; rc == 0 && (f = job_field(i)); i++)
        rc = write_field(j, f, out, err);
    return rc;
}

/* fio starts a process a clone where it is not told otherwise. */
static int write_jobs(const struct job *jobs, size_t n, FILE *out, struct err *err)
{
    fputs("; written by benchtop " BENCHTOP_VERSION " for fio 3.33\n[global]\nthread=1\n", out);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = write_job(&jobs[i], out, err);
    return rc;
}

int cmd_export(const struct args *a)
{
    struct output out;
    struct err err = {0};
    struct job *jobs = NULL;
    size_t n = 0;
    if (jobs_build(a, NULL, &jobs, &n, &err) < 0)
        return complain(&err, EXIT_REFUSED);
    int rc = output_open(&out, a->output, false, &err);
    if (rc == 0 && (rc = write_jobs(jobs, n, out.stream, &err)) < 0)
        output_drop(&out);
    free(jobs);
    if (rc < 0)
        return complain(&err, EXIT_REFUSED);
    return output_close(&out, &err) < 0 ? complain(&err, EXIT_FAILED) : EXIT_DONE;
}
