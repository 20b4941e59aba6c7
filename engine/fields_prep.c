/* fields_prep: the words that say what becomes of files before and after the run.
 * Rows only; what they do is target*.c's and run*.c's. */
#include <stddef.h>

#include "engine/job_rows.h"

static const char *const fallocates[] = {"none|0", "native", "posix|1", "keep", "truncate", NULL};
static const char *const advices[] = {"0|none", "1", "random", "sequential", NULL};
static const char *const hints[] = {"none", "short", "medium", "long", "extreme", NULL};

static const struct job_field rows[] = {
    {.name = "overwrite", .type = JOB_T_BOOL, AT(prep.overwrite), .def = "1",
     .help = "0 writes a missing file without laying it out first, where the job only writes. On the command line "
             "--overwrite=NAME is another option: see --allow-write."},
    {.name = "fallocate", .type = JOB_T_ENUM, AT(prep.fallocate), .words = fallocates, .def = "native",
     .help = "How space is set aside for a file that is made and not laid out (overwrite=0). What is laid out has real "
             "data all the same."},
    {.name = "file_append", .type = JOB_T_BOOL, AT(prep.append), .def = "0",
     .help = "1 begins at the end of each file; needs a size."},
    {.name = "fill_device", .alias = "fill_fs", .type = JOB_T_BOOL, AT(prep.fill), .def = "0",
     .help = "1 writes files on and on, until their filesystem is full; for rw=write."},
    {.name = "create_fsync", .type = JOB_T_BOOL, AT(prep.sync), .def = "1",
     .help = "0 does not sync a file after its layout: its writeback goes on into the run."},
    {.name = "create_only", .type = JOB_T_BOOL, AT(prep.only), .def = "0",
     .help = "1 ends the job when its files are laid out."},
    {.name = "pre_read", .type = JOB_T_BOOL, AT(prep.read), .def = "0",
     .help = "1 reads the regions into the page cache before the start; invalidate is off then."},
    {.name = "fadvise_hint", .type = JOB_T_ENUM, AT(prep.advice), .words = advices, .def = "1",
     .help = "What the kernel is told of the order of requests: nothing, 1 (as rw is), random or sequential."},
    {.name = "write_hint", .type = JOB_T_ENUM, AT(prep.hint), .words = hints, .def = "none",
     .help = "How long data will live, as the kernel and some drives are told."},
    {.name = "unlink", .type = JOB_T_BOOL, AT(prep.unlink), .def = "0",
     .help = "1 removes the files at the end that this run made; what existed before is kept."},
};

const struct job_section fields_prep = SECTION("Files before and after the run", rows);
