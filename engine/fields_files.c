/* fields_files: the words that say what to work on.
 * Rows only; what they mean to a file is target.c's. */
#include <errno.h>
#include <string.h>

#include "core/str.h"
#include "core/units.h"
#include "engine/job_rows.h"
#include "engine/target.h"

/* A name stands in lines and tables of others. */
static int check_name(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    char text[JOB_NAME];
    if (!str_copy(text, sizeof(text), value) || !strcmp(str_plain(text), value))
        return 0;
    return err_set(err, -EINVAL, "%s=%s: must not hold a control character", f->name, value);
}

/* "1m" or "1m-4m". */
static int read_filesize(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    char low[64];
    uint64_t size[2];
    const char *dash = strchr(value, '-');
    bool ok = str_format(low, sizeof(low), "%.*s", dash ? (int)(dash - value) : (int)strlen(value), value) &&
              units_parse_bytes(low, &size[0], NULL) == 0;
    size[1] = size[0];
    if (ok && dash)
        ok = units_parse_bytes(dash + 1, &size[1], NULL) == 0;
    if (!ok || size[1] > MAX_OFFSET || size[0] > size[1] || (!size[0] && dash))
        return err_set(err, -EINVAL, "%s=%s: must be a size or a range, like 1m or 64k-4m", f->name, value);
    memcpy(j->filesize, size, sizeof(size));
    return 0;
}

static void show_filesize(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    char low[UNITS_TEXT], high[UNITS_TEXT];
    units_exact_bytes(j->filesize[0], low);
    units_exact_bytes(j->filesize[1], high);
    if (j->filesize[0] == j->filesize[1])
        str_copy(dst, n, j->filesize[0] ? low : "0");
    else
        str_format(dst, n, "%s-%s", low, high);
}

static const struct job_field rows[] = {
    {.name = "name", .type = JOB_T_TEXT, AT(name), .def = "job1", .read = check_name,
     .help = "Name of the job in results and on the screen; without filename, of its files."},
    {.name = "filename", .type = JOB_T_TEXT, AT(filename), .def = "", .value = "PATH[:PATH]",
     .help = "File or block device to work on; a:b names two, \\: is a colon. Clones share them."},
    {.name = "directory", .type = JOB_T_TEXT, AT(directory), .def = "", .value = "DIR[:DIR]", .may_be_empty = true,
     .help = "Folder of the files; without filename each clone has files of its own, clones take turns with folders."},
    {.name = "filename_format", .type = JOB_T_TEXT, AT(filename_format), .def = "$jobname.$jobnum.$filenum",
     .value = "FORMAT", .help = "How files are named without filename: $jobname $jobnum $filenum $clientuid."},
    {.name = "opendir", .type = JOB_T_TEXT, AT(opendir), .def = "", .value = "DIR", .may_be_empty = true,
     .help = "Works on every regular file below this folder."},
    {.name = "nrfiles", .alias = "nr_files", .type = JOB_T_UINT, AT(nrfiles), .min = 1, .max = TARGET_MAX, .def = "1",
     .unit = "files", .help = "Files of each clone."},
    {.name = "openfiles", .type = JOB_T_UINT, AT(openfiles), .max = TARGET_MAX, .def = "0", .unit = "files",
     .help = "Files open at a time: all of them, so no less than nrfiles; 0 = all."},
    {.name = "size", .type = JOB_T_BYTES_PCT, AT(size), .max = MAX_OFFSET, .def = "0", .unit = "bytes",
     .help = "Bytes to work on, of all files of a clone together, or a share of each; 0 = all there is. Missing files "
             "are laid out with it."},
    {.name = "filesize", .type = JOB_T_OWN, AT(filesize), .def = "0", .value = "BYTES[-BYTES]", .read = read_filesize,
     .show = show_filesize, .help = "Size of each file, or a range to choose it from; size is then what is moved."},
    {.name = "offset", .alias = "fileoffset", .type = JOB_T_BYTES_PCT, AT(offset), .max = MAX_OFFSET, .def = "0",
     .unit = "bytes", .help = "Where in each target the region begins, in bytes or as a share of it."},
    {.name = "offset_increment", .type = JOB_T_BYTES_PCT, AT(offset_increment), .max = MAX_OFFSET, .def = "0",
     .unit = "bytes", .help = "Each clone begins that much further on than the one before."},
    {.name = "offset_align", .type = JOB_T_BYTES, AT(offset_align), .max = MAX_OFFSET, .def = "0", .unit = "bytes",
     .help = "An offset that is a share is rounded up to a multiple of it; 0 = of bs."},
    {.name = "allow_file_create", .type = JOB_T_BOOL, AT(allow_file_create), .def = "1",
     .help = "0 refuses to make a file that is missing."},
    {.name = "readonly", .type = JOB_T_BOOL, AT(readonly), .def = "0",
     .help = "1 refuses every rw that writes or trims."},
};

const struct job_section fields_files = SECTION("What to work on", rows);
