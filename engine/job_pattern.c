/* job_pattern: what each word about the order of requests means to pattern.h.
 * The rows of these words are in fields_pattern.c and fields_draw.c. */
#include "engine/job_pattern.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "core/str.h"
#include "core/units.h"

void job_sizes(const struct job *j, struct blocksize ret[DDIRS])
{
    if (*j->bssplit && blocksize_parse_split(j->bssplit, ret, NULL) == 0)
        return;
    if (*j->bsrange && blocksize_parse_range(j->bsrange, j->bs_unaligned, ret, NULL) == 0)
        return;
    for (unsigned d = 0; d < DDIRS; d++)
        blocksize_one(&ret[d], (uint32_t)j->bs[d]);
}

void job_sizes_text(const struct job *j, char *dst, size_t n)
{
    if (*j->bssplit || *j->bsrange)
        str_copy(dst, n, *j->bssplit ? j->bssplit : j->bsrange);
    else
        job_get_named(j, "bs", dst, n);
}

static int set_dist(const struct job *j, struct pattern_spec *s, struct err *err)
{
    const char *rest;
    int rc = dist_parse("random_distribution", j->random_distribution, &s->dist, &rest, err);
    if (rc == 0 && (s->dist.kind == DIST_ZONED || s->dist.kind == DIST_ZONED_ABS))
        rc = zones_parse(rest, s->dist.kind == DIST_ZONED_ABS, s->zones, err);
    return rc;
}

static void set_order(const struct job *j, struct pattern_spec *s)
{
    bool random = job_random(j);
    s->jump = random ? 0 : j->rw_nr;
    s->run = random && j->rw_nr > 0 ? (unsigned)j->rw_nr : 0;
    s->identical = j->rw_sequencer == JOB_SEQUENCER_IDENTICAL;
    s->again = j->norandommap && j->random_generator != JOB_GENERATOR_LFSR;
    for (unsigned d = 0; d < DDIRS && random; d++) {
        s->sequential_pct[d] = 100 - j->percentage_random[d];
        s->align[d] = j->blockalign[d] == s->bs[d].min ? 0 : j->blockalign[d];
    }
}

static int set_strides(const struct job *j, struct pattern_spec *s, struct err *err)
{
    bool strided = j->zonemode == JOB_ZONES_STRIDED || (!job_is_set(j, "zonemode") && j->zonesize);
    if (!strided)
        return 0;
    if (!j->zonesize)
        return err_set(err, -EINVAL, "zonemode=strided: needs a zonesize, like zonesize=1m");
    s->zone_size = j->zonesize;
    s->zone_range = j->zonerange ? j->zonerange : j->zonesize;
    s->zone_skip = j->zoneskip;
    char range[UNITS_TEXT];
    units_exact_bytes(s->zone_range, range);
    if (s->zone_range < pattern_smallest(s))
        return err_set(err, -EINVAL, "zonerange=%s: smaller than a request", range);
    if (s->dist.kind != DIST_RANDOM && job_random(j))
        return err_set(err, -EINVAL, "random_distribution=%s: zonemode=strided allows only random",
                       j->random_distribution);
    return 0;
}

int job_pattern(const struct job *j, struct pattern_spec *ret, struct err *err)
{
    memset(ret, 0, sizeof(*ret));
    ret->rw = j->content.verify_only ? JOB_READ : j->rw;
    ret->rwmixread = j->rwmixread;
    ret->endless = j->time_based;
    ret->bs_by_order = j->bs_is_seq_rand;
    ret->io_bytes = j->io_size.bytes;
    ret->ios = j->number_ios;
    ret->loops = j->loops;
    job_sizes(j, ret->bs);
    set_order(j, ret);
    int rc = set_dist(j, ret, err);
    if (rc == 0)
        rc = set_strides(j, ret, err);
    if (rc == 0)
        rc = service_parse(j->file_service_type, &ret->service, err);
    return rc;
}

/* Jobs of one run that are clones of each other in all but their name do not walk in step. */
static uint64_t name_hash(const char *name)
{
    uint64_t h = 0xcbf29ce484222325ull; /* FNV-1a */
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 0x100000001b3ull;
    return h;
}

uint64_t job_seed(const struct job *j)
{
    uint64_t fresh = 0;
    if (job_is_set(j, "randseed"))
        return rng_mix(j->randseed + 1);
    if (!j->randrepeat && !j->allrandrepeat && getrandom(&fresh, sizeof(fresh), 0) == sizeof(fresh))
        return fresh;
    return name_hash(j->name);
}
