/* output: where a command's answer goes: stdout, or a file that appears only when it is whole.
 * Formats nothing. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/err.h"
#include "core/json.h"

struct output {
    FILE *stream;     /* write here */
    const char *path; /* NULL = stdout; borrowed */
    char *text;       /* what was written so far, unless it is live */
    size_t len;
};

/* path NULL is stdout. live: every line goes out at once (output_flush), to a file directly; else all of it at
 * output_close, to a regular file by a rename. 0, or -errno with a sentence: nothing was made then. */
int output_open(struct output *o, const char *path, bool live, struct err *err);

int output_flush(struct output *o, struct err *err); /* 0 or -errno (disk full, -EPIPE …) with a sentence */
/* A document, then output_flush; gives `doc` away. indent 0 = one line. */
int output_json(struct output *o, struct json *doc, int indent, struct err *err);
int output_close(struct output *o, struct err *err); /* likewise; a second close is fine */
void output_drop(struct output *o);                  /* nothing (more) is written; nothing is left behind */

#endif
