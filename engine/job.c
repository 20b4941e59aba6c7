/* job: reads and writes the fields of a job through the tables of job_fields.c.
 * Values by type are job_value.c's; what holds between fields, retunes and knobs are in job_tune.c. */
#include "engine/job.h"

#include <errno.h>
#include <string.h>

#include "core/str.h"
#include "core/units.h"
#include "engine/job_given.h"
#include "engine/job_pattern.h"
#include "engine/job_refused.h"
#include "engine/job_value.h"

bool job_reads(const struct job *j)
{
    return j->content.verify_only || j->rw == JOB_READ || j->rw == JOB_RANDREAD || j->rw == JOB_RW || j->rw == JOB_RANDRW;
}

bool job_trims(const struct job *j)
{
    return j->rw == JOB_TRIM || j->rw == JOB_RANDTRIM || j->rw == JOB_TRIMWRITE || j->rw == JOB_RANDTRIMWRITE;
}

bool job_writes(const struct job *j)
{
    return j->rw != JOB_READ && j->rw != JOB_RANDREAD && !j->content.verify_only;
}

bool job_random(const struct job *j)
{
    return j->rw == JOB_RANDREAD || j->rw == JOB_RANDWRITE || j->rw == JOB_RANDTRIM || j->rw == JOB_RANDRW ||
           j->rw == JOB_RANDTRIMWRITE;
}

const char *job_where(const struct job *j)
{
    return *j->filename ? j->filename : *j->opendir ? j->opendir : j->directory;
}

enum ddir job_ddir(const struct job *j)
{
    return job_reads(j) ? DDIR_READ : job_trims(j) ? DDIR_TRIM : DDIR_WRITE;
}

uint64_t job_bs(const struct job *j)
{
    struct blocksize b[DDIRS];
    job_sizes(j, b);
    return (uint64_t)blocksize_mean(&b[job_ddir(j)]);
}

void job_init(struct job *j)
{
    const struct job_field *f;
    memset(j, 0, sizeof(*j));
    for (size_t i = 0; (f = job_field(i)); i++)
        if (*f->def)
            job_value_set(j, f, f->def, NULL);
}

static void consider(const char *key, const char *word, unsigned *best, const char **nearest)
{
    unsigned d = word ? str_distance(key, word) : UINT32_MAX;
    if (d < *best || (d == *best && !*nearest)) {
        *best = d;
        *nearest = word;
    }
}

static int unknown(const char *key, struct err *err)
{
    const struct job_field *f;
    const char *nearest = NULL;
    unsigned best = (unsigned)(strlen(key) / 3) + 1;
    for (size_t i = 0; (f = job_field(i)); i++) {
        consider(key, f->name, &best, &nearest);
        consider(key, f->alias, &best, &nearest);
    }
    if (nearest)
        return err_set(err, -ENOENT, "unknown option %s; did you mean %s?", key, nearest);
    return err_set(err, -ENOENT, "unknown option %s", key);
}

/* The same share, from the other end. */
static int set_mix(struct job *j, const char *value, struct err *err)
{
    uint64_t writes;
    char reads[16];
    if (!value || str_u64(value, &writes, NULL) < 0 || writes > 100)
        return err_set(err, -EINVAL, "rwmixwrite=%s: must be 0 to 100", value ? value : "");
    str_format(reads, sizeof(reads), "%u", 100 - (unsigned)writes);
    return job_set(j, "rwmixread", reads, err);
}

/* Words that stand for another one's value, or for nothing. */
static int set_other(struct job *j, const char *key, const char *value, struct err *err)
{
    const char *v = value ? value : "1";
    if (!strcmp(key, "rwmixwrite"))
        return set_mix(j, value, err);
    if (!strcmp(key, "buffered")) {
        if (strcmp(v, "0") && strcmp(v, "1"))
            return err_set(err, -EINVAL, "%s=%s: must be 0 or 1", key, v);
        return job_set(j, "direct", *v == '0' ? "1" : "0", err);
    }
    int rc = job_given(j, key, value, err);
    if (rc == -EAGAIN)
        rc = job_refused(key, value, err);
    return rc == -EAGAIN ? unknown(key, err) : rc;
}

/* The place of a row in all sections: its bit in `set`. */
static size_t index_of(const struct job_field *f)
{
    size_t i = 0;
    while (job_field(i) && job_field(i) != f)
        i++;
    return i;
}

int job_set(struct job *j, const char *key, const char *value, struct err *err)
{
    const struct job_field *f = job_field_find(key);
    if (!f)
        return set_other(j, key, value, err);
    struct err local = {0};
    int rc = job_value_set(j, f, value, &local);
    if (rc < 0)
        return err_set(err, rc, "%s", local.text);
    size_t i = index_of(f);
    j->set[i / 64] |= 1ull << i % 64;
    return 0;
}

bool job_is_set(const struct job *j, const char *name)
{
    const struct job_field *f = job_field_find(name);
    size_t i = f ? index_of(f) : 0;
    return f && (j->set[i / 64] & 1ull << i % 64);
}

void job_get_named(const struct job *j, const char *name, char *dst, size_t n)
{
    const struct job_field *f = job_field_find(name);
    *dst = '\0';
    if (f)
        job_get(j, f, dst, n);
}
