/* fields_files: the words that say what to work on.
 * Rows only; what they mean to a file is target.c's. */
#include <errno.h>
#include <string.h>

#include "core/str.h"
#include "engine/job_rows.h"

/* A name stands in lines and tables of others. */
static int check_name(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    char text[JOB_NAME];
    if (!str_copy(text, sizeof(text), value) || !strcmp(str_plain(text), value))
        return 0;
    return err_set(err, -EINVAL, "%s=%s: must not hold a control character", f->name, value);
}

static const struct job_field rows[] = {
    {.name = "name", .type = JOB_T_TEXT, AT(name), .def = "job1", .read = check_name,
     .help = "Name of the job in results and on the screen."},
    {.name = "filename", .type = JOB_T_TEXT, AT(filename), .def = "", .value = "PATH[:PATH]",
     .help = "File or block device to work on; a:b names two, \\: is a colon."},
    {.name = "size", .type = JOB_T_BYTES, AT(size), .max = MAX_OFFSET, .def = "0", .unit = "bytes",
     .help = "Bytes of each target to work on; 0 = all of it. A missing file is laid out with this size."},
    {.name = "offset", .type = JOB_T_BYTES, AT(offset), .max = MAX_OFFSET, .def = "0", .unit = "bytes",
     .help = "Where in each target the region begins."},
    {.name = "readonly", .type = JOB_T_BOOL, AT(readonly), .def = "0",
     .help = "1 refuses every rw that writes or trims."},
};

const struct job_section fields_files = SECTION("What to work on", rows);
