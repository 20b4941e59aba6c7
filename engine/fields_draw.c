/* fields_draw: the finer words about the order of requests, and how much of it is done.
 * Rows only; job_pattern.c reads them for pattern.c. */
#include <errno.h>
#include <string.h>

#include "engine/job_rows.h"
#include "engine/pattern.h"

static const char *const sequencer_words[] = {"sequential", "identical", NULL};
static const char *const generator_words[] = {"tausworthe", "tausworthe64", "lfsr", NULL};
static const char *const zone_words[] = {"none", "strided"};

static int check_dist(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    struct dist_spec s;
    struct zones z[DDIRS];
    const char *rest;
    (void)j;
    int rc = dist_parse(f->name, value, &s, &rest, err);
    if (rc == 0 && (s.kind == DIST_ZONED || s.kind == DIST_ZONED_ABS))
        rc = zones_parse(rest, s.kind == DIST_ZONED_ABS, z, err);
    return rc;
}

static int check_service(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    struct service_spec s;
    (void)j, (void)f;
    return service_parse(value, &s, err);
}

static int read_zonemode(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    if (!strcmp(value, "zbd"))
        return err_set(err, -EINVAL, "%s=zbd: zoned devices are not written in their zones here; use strided, or none",
                       f->name);
    for (unsigned i = 0; i < 2; i++)
        if (!strcmp(value, zone_words[i])) {
            j->zonemode = (enum job_zones)i;
            return 0;
        }
    return err_set(err, -EINVAL, "%s=%s: must be none or strided", f->name, value);
}

static void show_zonemode(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    (void)f;
    strncpy(dst, zone_words[j->zonemode], n - 1);
    dst[n - 1] = '\0';
}

static const struct job_field rows[] = {
    {.name = "rw_sequencer", .type = JOB_T_ENUM, AT(rw_sequencer), .words = sequencer_words, .def = "sequential",
     .help = "What the N requests of rw=rand...:N do: go on in order, or stay at the offset (identical)."},
    {.name = "percentage_random", .type = JOB_T_UINT, AT_EACH(percentage_random), .max = 100, .def = "100",
     .unit = "percent", .live = true,
     .help = "Share of the requests of a random pattern that are; the others go on behind the one before."},
    {.name = "random_distribution", .type = JOB_T_TEXT, AT(random_distribution), .def = "random",
     .value = "KIND[:...]", .live = true, .read = check_dist,
     .help = "random; zipf:THETA, pareto:H or normal:DEV, each with :CENTER (0 to 1) behind it; "
             "zoned:ACCESS/SIZE:... in percent, zoned_abs with sizes in bytes. All but random draw with replacement."},
    {.name = "norandommap", .type = JOB_T_BOOL, AT(norandommap), .def = "0",
     .help = "1 draws random blocks with replacement; 0: each block once a pass, without a map in memory."},
    {.name = "random_generator", .type = JOB_T_ENUM, AT(random_generator), .words = generator_words,
     .def = "tausworthe", .help = "tausworthe and tausworthe64 go by norandommap; lfsr: each block once a pass even then. "
     "None needs memory for it, for any number of blocks."},
    {.name = "randseed", .type = JOB_T_COUNT, AT(randseed), .max = UINT64_MAX, .def = "0",
     .help = "Another order for each number; the same one gives the same order again."},
    {.name = "randrepeat", .type = JOB_T_BOOL, AT(randrepeat), .def = "1",
     .help = "0 gives another order each time; 1 the same, unless randseed says which."},
    {.name = "allrandrepeat", .type = JOB_T_BOOL, AT(allrandrepeat), .def = "0",
     .help = "1 asks for the same order again even with randrepeat=0."},
    {.name = "io_size", .alias = "io_limit", .type = JOB_T_BYTES_PCT, AT(io_size), .max = MAX_OFFSET, .def = "0",
     .unit = "bytes", .help = "Bytes to do in all, less or more than there is to work on, or its percentage; 0 = one "
                              "pass over each target. Not of time_based jobs."},
    {.name = "number_ios", .type = JOB_T_COUNT, AT(number_ios), .max = MAX_OFFSET, .def = "0", .unit = "requests",
     .help = "Ends each clone after so many requests (of trimwrite: trims), if nothing else ended it before; 0 = never. "
             "Not of time_based jobs."},
    {.name = "loops", .type = JOB_T_UINT, AT(loops), .min = 1, .max = UINT32_MAX, .def = "1", .unit = "passes",
     .help = "How often the data is passed."},
    {.name = "file_service_type", .type = JOB_T_TEXT, AT(file_service_type), .def = "roundrobin", .value = "KIND[:N]",
     .read = check_service, .help = "Which of several targets is next: roundrobin, sequential (one after the other) or "
     "random, :N requests at a time; or zipf, pareto or normal as in random_distribution."},
    {.name = "zonemode", .type = JOB_T_OWN, .read = read_zonemode, .show = show_zonemode, .def = "none",
     .value = "none|strided", .help = "strided works in a window of zonerange bytes and moves it on after zonesize bytes, "
     "by zonerange and zoneskip; random blocks in it are drawn with replacement."},
    {.name = "zonesize", .type = JOB_T_BYTES, AT(zonesize), .max = MAX_OFFSET, .def = "0", .unit = "bytes",
     .help = "Bytes to do in one window of zonemode=strided."},
    {.name = "zonerange", .type = JOB_T_BYTES, AT(zonerange), .max = MAX_OFFSET, .def = "0", .unit = "bytes",
     .help = "Size of a window of zonemode=strided; 0 = zonesize."},
    {.name = "zoneskip", .type = JOB_T_BYTES, AT(zoneskip), .max = MAX_OFFSET, .def = "0", .unit = "bytes",
     .help = "Bytes between two windows of zonemode=strided."},
};

const struct job_section fields_draw = SECTION("In what order", rows);
