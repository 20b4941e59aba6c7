/* fields_pattern: the words that say which requests come: direction, order and size.
 * Rows only; job_pattern.c reads them for pattern.c. The finer points of the order are in fields_draw.c. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/str.h"
#include "core/units.h"
#include "engine/blocksize.h"
#include "engine/job_rows.h"

static const char *const rw_words[] = {
    [JOB_READ] = "read",           [JOB_WRITE] = "write",         [JOB_TRIM] = "trim",
    [JOB_RANDREAD] = "randread",   [JOB_RANDWRITE] = "randwrite", [JOB_RANDTRIM] = "randtrim",
    [JOB_RW] = "rw",               [JOB_RANDRW] = "randrw",       [JOB_TRIMWRITE] = "trimwrite",
    [JOB_RANDTRIMWRITE] = "randtrimwrite",
};
#define NRW (sizeof(rw_words) / sizeof(rw_words[0]))

static bool find_rw(const char *text, size_t n, enum job_rw *ret)
{
    if (n == 9 && !strncmp(text, "readwrite", n))
        return *ret = JOB_RW, true;
    for (size_t i = 0; i < NRW; i++)
        if (strlen(rw_words[i]) == n && !strncmp(text, rw_words[i], n))
            return *ret = (enum job_rw)i, true;
    return false;
}

/* What stands behind the colon: a number of requests, or bytes with a sign. */
static int read_nr(const struct job *j, const char *value, const char *nr, int64_t *ret, struct err *err)
{
    uint64_t v;
    const char *bad, *digits = *nr == '-' ? nr + 1 : nr;
    bool negative = *nr == '-', ok = units_parse_bytes(digits, &v, &bad) == 0 && v && v <= INT64_MAX;
    if (job_random(j) && (!ok || negative || v > UINT32_MAX))
        return err_set(err, -EINVAL, "rw=%s: behind a random pattern must stand a number of requests, like randread:8",
                       value);
    if (!ok)
        return err_set(err, -EINVAL, "rw=%s: behind a sequential pattern must stand the bytes to pass over, like read:8k "
                       "or read:-8k", value);
    *ret = negative ? -(int64_t)v : (int64_t)v;
    return 0;
}

static int read_rw(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    struct job next = *j;
    size_t n = strcspn(value, ":");
    int rc = 0;
    next.rw_nr = 0;
    if (!find_rw(value, n, &next.rw))
        return err_set(err, -EINVAL, "%s=%s: must be read, write, trim, randread, randwrite, randtrim, rw, randrw, "
                       "trimwrite or randtrimwrite", f->name, value);
    if (value[n])
        rc = read_nr(&next, value, value + n + 1, &next.rw_nr, err);
    if (rc == 0) {
        j->rw = next.rw;
        j->rw_nr = next.rw_nr;
    }
    return rc;
}

static void show_rw(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    char nr[UNITS_TEXT];
    const char *word = j->rw < NRW ? rw_words[j->rw] : "?";
    (void)f;
    if (job_random(j))
        snprintf(nr, sizeof(nr), "%lld", (long long)j->rw_nr);
    else
        units_exact_bytes((uint64_t)(j->rw_nr < 0 ? -j->rw_nr : j->rw_nr), nr);
    if (j->rw_nr)
        str_format(dst, n, "%s:%s%s", word, j->rw_nr < 0 ? "-" : "", nr);
    else
        str_copy(dst, n, word);
}

static int check_range(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    struct blocksize b[DDIRS];
    (void)j, (void)f;
    return *value ? blocksize_parse_range(value, false, b, err) : 0;
}

static int check_split(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    struct blocksize b[DDIRS];
    (void)j, (void)f;
    return *value ? blocksize_parse_split(value, b, err) : 0;
}

static const struct job_field rows[] = {
    {.name = "rw", .alias = "readwrite", .type = JOB_T_OWN, .read = read_rw, .show = show_rw, .def = "read",
     .value = "PATTERN[:N]", .live = true,
     .help = "read, write, trim, rw (mixed) or trimwrite in order, or at random (rand...). In order :N passes over N "
             "bytes after each request, :-N goes backward; at random N requests come from one offset on."},
    {.name = "rwmixread", .type = JOB_T_UINT, AT(rwmixread), .max = 100, .def = "50", .unit = "percent",
     .live = true, .help = "Share of reads in a mixed rw; rwmixwrite=30 says the same as rwmixread=70."},
    {.name = "bs", .alias = "blocksize", .type = JOB_T_BYTES, AT_EACH(bs), .min = BLOCKSIZE_MIN, .max = BLOCKSIZE_MAX,
     .def = "4k", .unit = "bytes", .live = true, .help = "Size of one request; 4k,64k is for reads and for the rest."},
    {.name = "bsrange", .alias = "blocksize_range", .type = JOB_T_TEXT, AT(bsrange), .def = "", .may_be_empty = true,
     .value = "MIN-MAX[,...]", .live = true, .read = check_range,
     .help = "Sizes from a range, multiples of its smallest, each as often; goes before bs."},
    {.name = "bssplit", .type = JOB_T_TEXT, AT(bssplit), .def = "", .may_be_empty = true,
     .value = "BS/PCT:...[,...]", .live = true, .read = check_split,
     .help = "Sizes with their share of the requests, like 4k/10:64k/50:32k/40 (shares left out divide the rest); "
             "goes before bsrange and bs."},
    {.name = "bs_unaligned", .alias = "blocksize_unaligned", .type = JOB_T_BOOL, AT(bs_unaligned), .def = "0",
     .help = "1 takes every number of bytes in bsrange."},
    {.name = "bs_is_seq_rand", .type = JOB_T_BOOL, AT(bs_is_seq_rand), .def = "0",
     .help = "1: of bs=a,b the first is for sequential requests, the second for random ones."},
    {.name = "blockalign", .alias = "ba", .type = JOB_T_BYTES, AT_EACH(blockalign), .max = MAX_OFFSET, .def = "0",
     .unit = "bytes", .help = "Random offsets are multiples of it and drawn with replacement; 0 = of bs."},
};

const struct job_section fields_pattern = SECTION("Which requests", rows);
