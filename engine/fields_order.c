/* fields_order: the words about which job begins when, and what else ends when one does.
 * Rows only; run_order.c follows them. */
#include "engine/job_rows.h"

static const char *const exit_words[] = {"group", "all", "stonewall", NULL}; /* enum job_exit_what */

static const char *const continue_words[] = {"none|0", "read", "write", "io", "verify", "all|1", NULL}; /* enum job_continue */

static const struct job_field rows[] = {
    {.name = "stonewall", .alias = "wait_for_previous", .type = JOB_T_BOOL, AT(stonewall), .def = "0",
     .help = "1 begins this job when all before it have ended; it begins a reporting group."},
    {.name = "wait_for", .type = JOB_T_TEXT, AT(wait_for), .def = "", .may_be_empty = true, .value = "NAME",
     .help = "Begins this job when the one of that name, which stands before it, has ended."},
    {.name = "exitall", .type = JOB_T_BOOL, AT(exitall), .def = "0",
     .help = "1 in any job: when one ends, it stops those that its exit_what names."},
    {.name = "exitall_on_error", .type = JOB_T_BOOL, AT(exitall_on_error), .def = "0",
     .help = "1 in any job: when one ends in error, it stops those that its exit_what names."},
    {.name = "exit_what", .type = JOB_T_ENUM, AT(exit_what), .def = "group", .words = exit_words,
     .help = "What exitall stops: the jobs of its group, all, or those that run now (those after a stonewall begin)."},
    {.name = "continue_on_error", .type = JOB_T_ENUM, AT(continue_on_error), .def = "none", .words = continue_words,
     .live = true,
     .help = "Which requests may fail with EIO or EILSEQ without ending the job; they are counted, and the first is said."},
    {.name = "ignore_error", .type = JOB_T_TEXT, AT(ignore_error), .def = "", .may_be_empty = true, .live = true,
     .read = job_read_errors, .value = "READ,WRITE,VERIFY",
     .help = "The errors that do not end the job, of reads, writes and verify, like EIO,ENOSPC:EIO,EILSEQ."},
};

const struct job_section fields_order = SECTION("Order of jobs", rows);
