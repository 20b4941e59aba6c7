/* fields_content: the words about what is written.
 * Rows only; data.c makes it. */
#include "engine/filler.h"
#include "engine/job_rows.h"

static int read_pattern(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    struct filler pattern;
    return *value ? filler_parse(f->name, value, false, &pattern, err) : 0;
}

static const char *const dedupe_modes[] = {"repeat", "working_set", NULL}; /* enum data_dedupe */

static const struct job_field rows[] = {
    {.name = "refill_buffers", .type = JOB_T_BOOL, AT(content.refill_buffers), .def = "0",
     .help = "1 fills every write with new random data, where scramble_buffers changes a word in each 512 bytes."},
    {.name = "scramble_buffers", .type = JOB_T_BOOL, AT(content.scramble_buffers), .def = "1",
     .help = "1 changes a word in each 512 bytes of every write, so that no two blocks are alike; 0 repeats the "
             "data."},
    {.name = "zero_buffers", .type = JOB_T_BOOL, AT(content.zero_buffers), .def = "0",
     .help = "1 writes zeros instead of random data."},
    {.name = "buffer_pattern", .type = JOB_T_TEXT, AT(content.pattern), .def = "", .may_be_empty = true,
     .value = "PATTERN", .read = read_pattern,
     .help = "Writes this over and over: 0xdeadbeef, a number, \"text\", 'file', or several of them."},
    {.name = "buffer_compress_percentage", .type = JOB_T_UINT, AT(content.compress_pct), .max = 100, .def = "0",
     .unit = "%", .help = "Makes what is written smaller by so much when it is compressed, each write anew."},
    {.name = "buffer_compress_chunk", .type = JOB_T_BYTES, AT(content.compress_chunk), .max = UINT32_MAX,
     .def = "512",
     .help = "The size of a random part and the compressible one behind it; 0 = a whole block."},
    {.name = "dedupe_percentage", .type = JOB_T_UINT, AT(content.dedupe_pct), .max = 100, .def = "0", .unit = "%",
     .help = "So many of the blocks written repeat an earlier one."},
    {.name = "dedupe_mode", .type = JOB_T_ENUM, AT(content.dedupe_mode), .words = dedupe_modes, .def = "repeat",
     .help = "repeat: duplicates are of the newest different block; working_set: of any of the first ones."},
    {.name = "dedupe_working_set_percentage", .type = JOB_T_UINT, AT(content.dedupe_set_pct), .max = 100,
     .def = "5",
     .unit = "%", .help = "The working set of dedupe_mode=working_set, of the size of the targets."},
};

const struct job_section fields_content = SECTION("What is written", rows);
