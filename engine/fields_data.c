/* fields_data: the words about what is written and when it must be safe.
 * Rows only; buffer.c fills and the worker syncs. */
#include "engine/job_rows.h"

static const struct job_field rows[] = {
    {.name = "fsync", .type = JOB_T_UINT, AT(fsync), .max = UINT32_MAX, .def = "0", .unit = "writes", .live = true,
     .help = "Syncs the file after every so many writes; 0 = never."},
    {.name = "end_fsync", .type = JOB_T_BOOL, AT(end_fsync), .def = "0",
     .help = "1 syncs the files once the job has written its data."},
};

const struct job_section fields_data = SECTION("Data and syncing", rows);
