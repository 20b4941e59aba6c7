/* fields_verify: the words about verifying what was written.
 * Rows and the reading of verify= itself; job_verify.c checks them against each other. */
#include <errno.h>
#include <string.h>

#include "core/str.h"
#include "engine/filler.h"
#include "engine/job_rows.h"

static const char *const kinds[] = {"0", "crc32c", "meta", "pattern"}; /* enum verify_kind */
static const char *const others[] = {"md5", "crc64", "crc32", "crc16", "crc7", "sha1", "sha256", "sha512",
                                     "sha3-224", "sha3-256", "sha3-384", "sha3-512", "xxhash", "null"};

static int read_verify(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    if (!strcmp(value, "crc32c-intel"))
        value = "crc32c";
    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (!strcmp(value, kinds[i])) {
            j->content.verify = i;
            return 0;
        }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (!strcmp(value, others[i]))
            return err_set(err, -EINVAL, "%s=%s: not one of ours; use crc32c", f->name, value);
    return err_set(err, -EINVAL, "%s=%s: must be crc32c, meta, pattern or 0", f->name, value);
}

static void show_verify(const struct job *j, const struct job_field *f, char *dst, size_t n)
{
    str_copy(dst, n, kinds[j->content.verify]);
}

static int read_pattern(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    struct filler pattern;
    return *value ? filler_parse(f->name, value, true, &pattern, err) : 0;
}

static const struct job_field rows[] = {
    {.name = "verify", .type = JOB_T_OWN, AT(content.verify), .def = "0", .value = "crc32c|meta|pattern|0",
     .read = read_verify, .show = show_verify,
     .help = "crc32c puts a header with a checksum into every block written and checks it when it is read; meta "
             "checks the header alone, pattern that all is verify_pattern."},
    {.name = "do_verify", .type = JOB_T_BOOL, AT(content.do_verify), .def = "1",
     .help = "1 reads back what was written once the writing is over; 0 leaves that to a later run."},
    {.name = "verify_only", .type = JOB_T_BOOL, AT(content.verify_only), .def = "0",
     .help = "1 writes nothing and verifies what an earlier run of the job wrote."},
    {.name = "verify_interval", .type = JOB_T_BYTES, AT(content.verify_interval), .max = 16u << 20, .def = "0",
     .help = "A header for every so many bytes; every bs must be a multiple; 0 = the smallest bs."},
    {.name = "verify_offset", .type = JOB_T_BYTES, AT(content.verify_offset), .max = 16u << 20, .def = "0",
     .help = "Where in its interval the header stands."},
    {.name = "verify_pattern", .type = JOB_T_TEXT, AT(content.verify_pattern), .def = "", .may_be_empty = true,
     .value = "PATTERN", .read = read_pattern,
     .help = "Writes and expects this instead of random data: as buffer_pattern, and %o is the offset of "
             "the block."},
    {.name = "verify_fatal", .type = JOB_T_BOOL, AT(content.verify_fatal), .def = "0",
     .help = "1 ends the job at the first block that is wrong; 0 goes on and counts them."},
    {.name = "verify_dump", .type = JOB_T_BOOL, AT(content.verify_dump), .def = "0",
     .help = "1 writes the first wrong block of each clone to FILE.OFFSET.received and .expected in the current "
             "folder."},
    {.name = "verify_backlog", .type = JOB_T_UINT, AT(content.verify_backlog), .max = 1u << 24, .def = "0",
     .unit = "writes", .help = "Reads back after every so many writes instead of at the end; 0 = at the end."},
    {.name = "verify_backlog_batch", .type = JOB_T_UINT, AT(content.verify_backlog_batch), .max = 1u << 24,
     .def = "0",
     .unit = "writes", .help = "So many are read back each time, the oldest first; 0 = verify_backlog."},
    {.name = "serialize_overlap", .type = JOB_T_BOOL, AT(content.serialize_overlap), .def = "0",
     .help = "1 issues no request while another one of the clone that shares a byte is in flight, when one "
             "of both "
             "writes; with verify that is always so."},
};

const struct job_section fields_verify = SECTION("Verifying", rows);
