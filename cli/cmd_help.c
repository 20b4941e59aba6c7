/* cmd_help: `benchtop help`: of the program, of a command, of one word, or the man page.
 * What is said comes from the tables; help.c and man.c write it. */
#include <errno.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/output.h"
#include "engine/job_given.h"
#include "engine/job_refused.h"

static const struct command *command_named(const char *name)
{
    for (size_t i = 1; i < ncommands; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

/* A word of fio's that is no field: what is said of it when it is given. */
static int other_word(const char *word, FILE *out, struct err *err)
{
    struct job j;
    job_init(&j);
    int rc = job_set(&j, word, NULL, err);
    if (rc == -ENOENT)
        return rc;
    const char *said = job_given_note(&j, 0);
    fprintf(out, "%s\n", rc < 0 ? err->text : said ? said : "It is taken, and is so anyway.");
    *err = (struct err){0};
    return 0;
}

static int help_of(const char *word, FILE *out, struct err *err)
{
    while (*word == '-')
        word++;
    const struct job_field *f = job_field_find(word);
    const struct command *c = command_named(word);
    bool option = false;
    if (f) {
        help_field(f, out);
        return 0;
    }
    if (c) {
        help_write(c, out);
        return 0;
    }
    for (size_t i = 0; i < noptions; i++)
        if (!strcmp(options[i].name, word)) {
            fprintf(out, "--%s%s%s: %s\n", word, options[i].value ? "=" : "", options[i].value ? options[i].value : "",
                    options[i].help);
            option = true;
        }
    return option ? 0 : other_word(word, out, err);
}

int cmd_help(const struct args *a)
{
    struct output out;
    struct err err = {0};
    int rc = output_open(&out, a->output, false, &err);
    if (rc < 0)
        return complain(&err, EXIT_REFUSED);
    if (a->man)
        man_write(out.stream);
    else if (!a->words.n)
        help_write(&commands[0], out.stream);
    for (size_t i = 0; rc == 0 && !a->man && i < a->words.n; i++) {
        if (i)
            fputc('\n', out.stream);
        rc = help_of(a->words.word[i], out.stream, &err);
    }
    if (rc < 0) {
        output_drop(&out);
        return complain(&err, EXIT_REFUSED);
    }
    return output_close(&out, &err) < 0 ? complain(&err, EXIT_FAILED) : EXIT_DONE;
}
