/* fields_pattern: the words that say which requests come, and in what order.
 * Rows only; pattern.c draws them. */
#include "engine/job_rows.h"

static const char *const rw_words[] = {
    [JOB_READ] = "read",           [JOB_WRITE] = "write",       [JOB_TRIM] = "trim",    [JOB_RANDREAD] = "randread",
    [JOB_RANDWRITE] = "randwrite", [JOB_RANDTRIM] = "randtrim", [JOB_RW] = "rw|readwrite", [JOB_RANDRW] = "randrw",
    NULL,
};

static const struct job_field rows[] = {
    {.name = "rw", .alias = "readwrite", .type = JOB_T_ENUM, AT(rw), .words = rw_words, .def = "read", .live = true,
     .help = "Pattern: one direction or a mix (rw, randrw), in order or at random (rand...)."},
    {.name = "rwmixread", .type = JOB_T_UINT, AT(rwmixread), .max = 100, .def = "50", .unit = "percent",
     .live = true, .help = "Share of reads in a mixed rw."},
    {.name = "bs", .alias = "blocksize", .type = JOB_T_BYTES, AT_EACH(bs), .min = 512, .max = 16u << 20, .def = "4k",
     .unit = "bytes", .live = true, .help = "Size of one request; 4k,64k is for reads and for the rest."},
};

const struct job_section fields_pattern = SECTION("Which requests", rows);
