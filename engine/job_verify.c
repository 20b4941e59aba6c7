/* job_verify: the words about verifying against each other and against the sizes of a job.
 * Makes and checks no data (verify.c). */
#include <errno.h>
#include <string.h>

#include "core/units.h"
#include "engine/job_pattern.h"
#include "engine/verify.h"

bool verify_on(const struct job *j)
{
    return j->content.verify != VERIFY_NONE;
}

static int needless(const struct job *j, struct err *err)
{
    static const char *const words[] = {"verify_only",    "verify_pattern",      "verify_interval",
                                        "verify_offset",  "verify_fatal",        "verify_dump",
                                        "verify_backlog", "verify_backlog_batch"};
    char text[JOB_PATTERN];
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        job_get_named(j, words[i], text, sizeof(text));
        if (job_is_set(j, words[i]) && *text && strcmp(text, "0"))
            return err_set(err, -EINVAL, "%s=%s: without verify it does nothing; add verify=crc32c", words[i],
                           text);
    }
    return 0;
}

static int check_sizes(const struct job *j, struct err *err)
{
    char interval[UNITS_TEXT], sizes[2048];
    struct pattern_spec s;
    int rc = job_pattern(j, &s, err);
    if (rc < 0)
        return rc;
    for (unsigned d = 0; d < DDIRS; d++) {
        uint64_t jump = (uint64_t)(s.jump < 0 ? -s.jump : s.jump), grid = j->content.verify_interval;
        if (!pattern_uses(&s, (enum ddir)d) || d == DDIR_TRIM)
            continue;
        if (blocksize_multiple(&s.bs[d], (uint32_t)grid) && jump % grid == 0 && s.align[d] % grid == 0)
            continue;
        units_exact_bytes(grid, interval);
        job_sizes_text(j, sizes, sizeof(sizes));
        return err_set(err, -EINVAL,
                       "%s=%.80s: with verify every size and place must be a multiple of verify_interval (%s)",
                       *j->bssplit ? "bssplit" : *j->bsrange ? "bsrange" : "bs", sizes, interval);
    }
    return 0;
}

static int check_words(const struct job *j, struct err *err)
{
    const struct job_content *c = &j->content;
    if (c->verify == VERIFY_PATTERN && !*c->verify_pattern)
        return err_set(err, -EINVAL, "verify=pattern: needs verify_pattern");
    if (c->dedupe_pct)
        return err_set(err, -EINVAL,
                       "dedupe_percentage=%u: with verify no two blocks are alike; give only one of both",
                       c->dedupe_pct);
    if (!strcmp(j->ioengine, "null"))
        return err_set(err, -EINVAL, "verify: ioengine=null keeps no data");
    if (c->verify_only && !job_writes(j) && j->rw != JOB_WRITE && j->rw != JOB_RANDWRITE)
        return err_set(err, -EINVAL, "verify_only: needs the rw=write or rw=randwrite that wrote the data");
    if (c->verify_only && j->time_based)
        return err_set(err, -EINVAL, "verify_only: cannot be time_based; it ends when all was read");
    if (c->verify != VERIFY_PATTERN && c->verify_offset + sizeof(struct verify_header) > c->verify_interval)
        return err_set(
            err, -EINVAL, "verify_offset=%lu: the header of %zu bytes must lie within verify_interval=%lu",
            (unsigned long)c->verify_offset, sizeof(struct verify_header), (unsigned long)c->verify_interval);
    return 0;
}

int verify_check_job(struct job *j, struct err *err)
{
    struct pattern_spec s;
    if (!verify_on(j))
        return needless(j, err);
    int rc = job_pattern(j, &s, err);
    if (rc < 0)
        return rc;
    if (!j->content.verify_interval)
        j->content.verify_interval = pattern_smallest(&s);
    rc = check_words(j, err);
    return rc < 0 ? rc : check_sizes(j, err);
}
