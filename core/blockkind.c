/* blockkind: what the kernel's name of a block device tells about its kind.
 * Reads nothing: sysfs (blocktree.c) knows partitions and oddly named arrays better. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/blocktree.h"
#include "core/str.h"

static const char *const kind_names[] = {
    [BLOCK_DISK] = "disk",
    [BLOCK_PARTITION] = "partition",
    [BLOCK_DM] = "dm",
    [BLOCK_MD] = "md",
    [BLOCK_LOOP] = "loop",
    [BLOCK_NVME] = "nvme",
    [BLOCK_NVME_PATH] = "nvme-path",
    [BLOCK_ZRAM] = "zram",
    [BLOCK_RAM] = "ram",
    [BLOCK_NBD] = "nbd",
    [BLOCK_ROM] = "rom",
    [BLOCK_BCACHE] = "bcache",
    [BLOCK_OTHER] = "other",
};

/* The first row whose prefix fits and is followed by what it says. */
static const struct kind_row {
    const char *prefix;
    enum { ANY, DIGIT, LETTER } next;
    enum block_kind kind;
} kind_rows[] = {
    {"dm-", DIGIT, BLOCK_DM},     {"md_", ANY, BLOCK_MD},          {"md", DIGIT, BLOCK_MD},
    {"loop", DIGIT, BLOCK_LOOP},  {"nvme", DIGIT, BLOCK_NVME},     {"zram", DIGIT, BLOCK_ZRAM},
    {"ram", DIGIT, BLOCK_RAM},    {"nbd", DIGIT, BLOCK_NBD},       {"sr", DIGIT, BLOCK_ROM},
    {"scd", DIGIT, BLOCK_ROM},    {"bcache", DIGIT, BLOCK_BCACHE}, {"sd", LETTER, BLOCK_DISK},
    {"hd", LETTER, BLOCK_DISK},   {"vd", LETTER, BLOCK_DISK},      {"xvd", LETTER, BLOCK_DISK},
    {"dasd", LETTER, BLOCK_DISK}, {"ubd", LETTER, BLOCK_DISK},     {"mmcblk", DIGIT, BLOCK_DISK},
    {"pmem", DIGIT, BLOCK_DISK},  {"cciss/", ANY, BLOCK_DISK},     {"ida/", ANY, BLOCK_DISK},
};

const char *block_kind_name(enum block_kind k)
{
    return (size_t)k < sizeof kind_names / sizeof *kind_names ? kind_names[k] : "other";
}

bool block_nvme_path(const char *name, unsigned *ret_subsystem, unsigned *ret_namespace)
{
    unsigned controller;
    int end = 0;
    return sscanf(name, "nvme%uc%un%u%n", ret_subsystem, &controller, ret_namespace, &end) == 3 && !name[end];
}

static bool row_fits(const struct kind_row *row, const char *name)
{
    if (!str_starts(name, row->prefix))
        return false;
    unsigned char next = (unsigned char)name[strlen(row->prefix)];
    return row->next == ANY || (row->next == DIGIT ? isdigit(next) != 0 : isalpha(next) != 0);
}

enum block_kind block_kind_of_name(const char *name)
{
    unsigned subsystem, nsid;
    if (block_nvme_path(name, &subsystem, &nsid))
        return BLOCK_NVME_PATH;
    for (size_t i = 0; i < sizeof kind_rows / sizeof *kind_rows; i++)
        if (row_fits(&kind_rows[i], name))
            return kind_rows[i].kind;
    return BLOCK_OTHER;
}
