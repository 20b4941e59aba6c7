/* fields_io: the words that say how requests reach the kernel.
 * Rows only; the backends do it. */
#include "engine/job_rows.h"

static const char *const memories[] = {"malloc|mmap", "mmapshared", "mmaphuge", NULL}; /* enum buffer_memory */

static const struct job_field rows[] = {
    {.name = "ioengine", .type = JOB_T_TEXT, AT(ioengine), .def = "psync", .value = "NAME",
     .help = "How requests reach the kernel: psync, sync, pvsync, pvsync2, mmap, libaio, io_uring or null (no I/O at all)."},
    {.name = "iodepth", .type = JOB_T_UINT, AT(iodepth), .min = 1, .max = JOB_MAX_DEPTH, .def = "1",
     .unit = "requests", .live = true, .help = "Requests kept in flight by each clone; needs an asynchronous ioengine."},
    {.name = "iodepth_batch_submit", .alias = "iodepth_batch", .type = JOB_T_UINT, AT(batch.submit), .max = JOB_MAX_DEPTH,
     .def = "0", .unit = "requests", .help = "Requests handed to the kernel together; 0 = as many as are best."},
    {.name = "iodepth_batch_complete_min", .alias = "iodepth_batch_complete", .type = JOB_T_UINT, AT(batch.complete_min),
     .max = JOB_MAX_DEPTH, .def = "1", .unit = "requests",
     .help = "Completions waited for together, 20 ms at most; 0 = looks and does not wait. Given, it is the most taken, too."},
    {.name = "iodepth_batch_complete_max", .type = JOB_T_UINT, AT(batch.complete_max), .max = JOB_MAX_DEPTH, .def = "0",
     .unit = "requests", .help = "Completions taken together at most; 0 = all that are there."},
    {.name = "iodepth_low", .type = JOB_T_UINT, AT(batch.low), .max = JOB_MAX_DEPTH, .def = "0", .unit = "requests",
     .help = "A full queue is filled again only when so few are left in it; 0 = at once."},
    {.name = "registerfiles", .type = JOB_T_BOOL, AT(registerfiles), .def = "1",
     .help = "io_uring: 1 tells the kernel of the files in advance, where it takes them (fio's default is 0)."},
    {.name = "fixedbufs", .type = JOB_T_BOOL, AT(fixedbufs), .def = "1",
     .help = "io_uring: 1 tells the kernel of the buffers in advance, where it takes them (fio's default is 0)."},
    {.name = "direct", .type = JOB_T_BOOL, AT(direct), .def = "0",
     .help = "1 goes past the page cache (O_DIRECT); bs and offset must fit the logical block."},
    {.name = "iomem", .alias = "mem", .type = JOB_T_ENUM, AT(iomem), .words = memories, .def = "malloc",
     .help = "Memory of the buffers, always mapped and page-aligned: private, shared, or in huge pages of 2m."},
    {.name = "iomem_align", .alias = "mem_align", .type = JOB_T_BYTES, AT(iomem_align), .max = 4096, .def = "0",
     .unit = "bytes", .help = "What addresses of buffers must be a multiple of; they always are one of 4k."},
    {.name = "invalidate", .type = JOB_T_BOOL, AT(invalidate), .def = "1",
     .help = "1 drops the page cache of the targets before the start."},
};

const struct job_section fields_io = SECTION("How requests are made", rows);
