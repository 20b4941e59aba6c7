/* help: --help of the program and of each command, written from the tables: commands, options, job fields.
 * Knows no option by name. */
#include <inttypes.h>
#include <string.h>

#include "cli/cmd.h"
#include "core/str.h"
#include "core/units.h"

enum { COLUMN = 30, WIDTH = 100 }; /* where the sentences begin and end */

/* The sentence from COLUMN on, broken between words. */
static void sentence(FILE *out, const char *text)
{
    while (strlen(text) > WIDTH - COLUMN) {
        size_t n = WIDTH - COLUMN;
        while (n > 1 && text[n] != ' ')
            n--;
        fprintf(out, "%.*s\n%*s", (int)n, text, COLUMN, "");
        text += n + (text[n] == ' ');
    }
    fprintf(out, "%s\n", text);
}

static void row(FILE *out, const char *left, const char *right)
{
    if (strlen(left) > COLUMN - 4)
        fprintf(out, "  %s\n%*s", left, COLUMN, "");
    else
        fprintf(out, "  %-*s", COLUMN - 2, left);
    sentence(out, right);
}

static void options_write(unsigned cmd, FILE *out)
{
    char left[96];
    fputs("\nOptions\n", out);
    for (size_t i = 0; i < noptions; i++) {
        const struct option *o = &options[i];
        if (!(o->cmds & cmd))
            continue;
        str_format(left, sizeof(left), "--%s%s%s", o->name, o->value ? "=" : "", o->value ? o->value : "");
        row(out, left, o->help);
    }
}

/* "bytes, 512 to 16m, like 4k, default 4k": what may stand behind the "=". */
void help_range(const struct job_field *f, char *dst, size_t n)
{
    char range[256];
    job_field_range(f, range, sizeof(range));
    if (f->type == JOB_T_ENUM)
        range[0] = '\0';
    str_format(dst, n, "%s%s%s%s%s%s", f->unit ? f->unit : "", f->unit ? ", " : "", range, range[0] ? ", " : "",
               f->def[0] ? "default " : "no default", f->def);
}

static void field_write(const struct job_field *f, FILE *out)
{
    char left[128], value[96], range[512];
    job_field_value(f, value, sizeof(value));
    str_format(left, sizeof(left), f->type == JOB_T_BOOL ? "--%s[=0]%s%s" : "--%s%s%s", f->name,
               f->type == JOB_T_BOOL ? "" : "=", f->type == JOB_T_BOOL ? "" : value);
    if (f->live)
        strcat(left, " *");
    help_range(f, range, sizeof(range));
    row(out, left, f->help);
    fprintf(out, "%*s(%s)\n", COLUMN, "", range);
}

void help_field(const struct job_field *f, FILE *out)
{
    field_write(f, out);
    if (f->alias)
        fprintf(out, "%*salso spelled %s\n", COLUMN, "", f->alias);
    if (f->live)
        fprintf(out, "%*s* may change while the job runs\n", COLUMN, "");
}

static void fields_write(FILE *out)
{
    fputs("\nThe workload, in fio's words (also in a JOBFILE; here they win)\n", out);
    for (size_t s = 0; job_sections[s]; s++) {
        fprintf(out, "\n%s\n", job_sections[s]->heading);
        for (size_t i = 0; i < job_sections[s]->n; i++)
            field_write(&job_sections[s]->field[i], out);
    }
    fputs("\n  * may change while the job runs: by key on the console, by --at anywhere.\n"
          "  Sizes take k m g t (1024), times ms s m h: --size=1g, --runtime=30s.\n"
          "  [,...]: read,write,trim of their own, as in fio: bs=4k,64k.\n",
          out);
}

static void commands_write(FILE *out)
{
    fputs("\nCommands\n", out);
    for (size_t i = 0; i < ncommands; i++)
        row(out, commands[i].usage, commands[i].blurb);
    fputs("\n`benchtop COMMAND --help` tells a command's own options, `benchtop help WORD` one of fio's words.\n", out);
}

void help_write(const struct command *c, FILE *out)
{
    fprintf(out, "%s\n%s\n", c->usage, c->blurb);
    if (c->bit == CMD_CONSOLE)
        commands_write(out);
    options_write(c->bit, out);
    if (c->bit & CMD_LOAD)
        fields_write(out);
}
