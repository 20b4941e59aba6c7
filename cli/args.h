/* args: the command line as values. One table of options (options.c) makes the parser and --help; the words that
 * describe a workload come from engine/job.h. Prints nothing and opens nothing. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "engine/run.h"

enum { /* commands, as bits: which options belong to which */
    CMD_CONSOLE = 1,
    CMD_RUN = 2,
    CMD_FRAME = 4,
    CMD_SHOT = 8,
    CMD_LIST = 16,
    CMD_EXPORT = 32,
    CMD_HELP = 64,
    CMD_LOAD = CMD_CONSOLE | CMD_RUN | CMD_EXPORT, /* those that take fio's words */
    CMD_ALL = 127,
};

enum format {
    FORMAT_NORMAL, FORMAT_JSON, FORMAT_NDJSON, FORMAT_CSV, /* of run; some of list and frame */
    FORMAT_TEXT, FORMAT_ANSI, FORMAT_SVG,                  /* of shot */
    FORMAT_FIO,                                            /* of export */
    FORMATS
};

#define ARGS_WORDS 1024
struct words { /* texts in the order they were given */
    const char *word[ARGS_WORDS + 1]; /* NULL behind the last */
    size_t n;
};

struct setting { /* one of fio's words, as it was given */
    const char *key, *value; /* value NULL: a bare flag */
};

struct args {
    struct words words;         /* JOBFILE, SCREEN, WHAT … */
    struct setting *job;        /* fio's words in their order */
    size_t njob;
    struct words allow_write, overwrite, factors, sections;
    struct run_at *at;          /* of --at, ascending by time */
    size_t nat;
    bool help, version, run_now, no_store, man;
    enum format format;         /* of --output-format or --format; the command's own where none was given */
    const char *output, *theme, *sysroot, *then, *label, *note, *charset;
    uint64_t interval_ns, status_interval_ns, dt_ns; /* 0: not given */
    int width, height;
    char *text;                 /* private: the memory of keys */
    size_t text_len;
};

/* Parses what follows the command word. `cmd` is its bit. Texts are borrowed from argv, which must stay. 0,
 * or -EINVAL / -ENOENT / -ENOMEM with a sentence that names the option and what would be right. args_fini either
 * way. */
int args_parse(unsigned cmd, int argc, char *const *argv, struct args *ret, struct err *err);
void args_fini(struct args *a);

struct option {
    const char *name, *value, *help; /* value: what stands behind the "=", NULL for a flag */
    unsigned cmds;
    int (*set)(struct args *a, const struct option *o, const char *value, struct err *err);
    size_t at;                       /* of the member that set() writes */
    uint64_t min, max;               /* of a time */
};
extern const struct option options[];
extern const size_t noptions;

/* The option of this name for this command, NULL when the command has none. */
const struct option *option_find(const char *name, unsigned cmd);

#endif
