/* result_text: the result as fio writes it for people, line for line where the number is the same.
 * Escape-free. */
#ifndef CLI_RESULT_TEXT_H
#define CLI_RESULT_TEXT_H

#include <stdio.h>

#include "cli/result.h"

/* The summary of --output-format=normal. */
void result_text(const struct result *r, FILE *out);

#endif
