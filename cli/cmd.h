/* cmd: the table of commands and what they share to speak with people. */
#ifndef CLI_CMD_H
#define CLI_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/args.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_REFUSED = 2, EXIT_SIGNAL = 128 }; /* EXIT_SIGNAL + n */

struct command {
    const char *name;        /* "" for the console */
    const char *usage, *blurb;
    unsigned bit;
    bool kept;               /* makes load or takes the terminal: runs as the child of the keeper */
    int (*run)(const struct args *a); /* the exit code */
};
extern const struct command commands[];
extern const size_t ncommands;

int cmd_console(const struct args *a);
int cmd_run(const struct args *a);
int cmd_frame(const struct args *a);
int cmd_shot(const struct args *a);
int cmd_list(const struct args *a);
int cmd_export(const struct args *a);
int cmd_help(const struct args *a);

/* The command of argv[1] and how many words it took (0 or 1); a first word that is neither a command nor a file
 * is an error with a sentence. */
const struct command *command_find(int argc, char *const *argv, int *ret_taken, struct err *err);

/* Help: of the program (c = the console's row) or of one command. */
void help_write(const struct command *c, FILE *out);
void help_field(const struct job_field *f, FILE *out);              /* of one of fio's words */
void help_range(const struct job_field *f, char *dst, size_t n);    /* "bytes, 512 to 16m, like 4k, default 4k" */
void man_write(FILE *out);                                          /* the man page */

/* The sentence on stderr, with the program's name; returns `code`. A closed pipe is silent, and EXIT_FAILED. */
int complain(const struct err *err, int code);
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
