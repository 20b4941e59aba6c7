/* fields_data: the words about what is written and when it must be safe.
 * Rows only; buffer.c fills and the worker syncs. */
#include "engine/job_rows.h"

static const char *const sync_words[] = {"none|0", "sync|1", "dsync", NULL};

static const struct job_field rows[] = {
    {.name = "fsync", .type = JOB_T_UINT, AT(fsync), .max = UINT32_MAX, .def = "0", .unit = "writes", .live = true,
     .help = "Syncs the file after every so many writes; 0 = never."},
    {.name = "fdatasync", .type = JOB_T_UINT, AT(fdatasync), .max = UINT32_MAX, .def = "0", .unit = "writes",
     .live = true, .help = "Syncs the data of the file after every so many writes, not what else is known of it."},
    {.name = "sync", .type = JOB_T_ENUM, AT(sync), .words = sync_words, .def = "none",
     .help = "sync or dsync: every write is on stable storage before it is done (O_SYNC, O_DSYNC)."},
    {.name = "fsync_on_close", .type = JOB_T_BOOL, AT(fsync_on_close), .def = "0",
     .help = "1 syncs files that were written before they are closed, which is at the end of the job."},
    {.name = "write_zeroes", .type = JOB_T_BOOL, AT(engine.zeroes), .def = "0",
     .help = "1 writes no data: the device or filesystem is told to zero the range (psync, libaio, io_uring)."},
    {.name = "end_fsync", .type = JOB_T_BOOL, AT(end_fsync), .def = "0",
     .help = "1 syncs the files once the job has written its data."},
};

const struct job_section fields_data = SECTION("Data and syncing", rows);
