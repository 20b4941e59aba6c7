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

static void number_text(const struct job_field *f, uint64_t v, char dst[UNITS_TEXT])
{
    if (f->type == JOB_T_BYTES && v)
        units_exact_bytes(v, dst);
    else if (f->type == JOB_T_COUNT || f->type == JOB_T_UINT || !v)
        str_format(dst, UNITS_TEXT, "%" PRIu64, v);
    else
        units_exact_time(v, dst);
}

/* "bytes, 512 to 16m, default 4k": what may stand behind the "=". */
static void range_text(const struct job_field *f, char *dst, size_t n)
{
    char lo[UNITS_TEXT], hi[UNITS_TEXT], range[2 * UNITS_TEXT + 8] = "";
    bool number = f->type != JOB_T_TEXT && f->type != JOB_T_RW && f->type != JOB_T_BOOL;
    if (number && f->max && f->max < INT64_MAX / 64) {
        number_text(f, f->min, lo);
        number_text(f, f->max, hi);
        str_format(range, sizeof(range), "%s to %s, ", lo, hi);
    } else if (f->type == JOB_T_BOOL) {
        str_copy(range, sizeof(range), "0 or 1, ");
    }
    str_format(dst, n, "%s%s%s%s%s", f->unit ? f->unit : "", f->unit ? ", " : "", range,
               f->def[0] ? "default " : "no default", f->def);
}

static const char *const value_words[] = {
    [JOB_T_TEXT] = "=TEXT", [JOB_T_BYTES] = "=BYTES", [JOB_T_COUNT] = "=N",      [JOB_T_UINT] = "=N",
    [JOB_T_BOOL] = "[=0]",  [JOB_T_TIME] = "=TIME",   [JOB_T_TIME_US] = "=TIME", [JOB_T_RW] = "=PATTERN",
};

static void fields_write(FILE *out)
{
    char left[64], range[128];
    fputs("\nThe workload, in fio's words (also in a JOBFILE; here they win)\n", out);
    for (size_t i = 0; i < job_nfields; i++) {
        const struct job_field *f = &job_fields[i];
        str_format(left, sizeof(left), "--%s%s%s", f->name, value_words[f->type], f->live ? " *" : "");
        range_text(f, range, sizeof(range));
        row(out, left, f->help);
        fprintf(out, "%*s(%s)\n", COLUMN, "", range);
    }
    fputs("\n  * may change while the job runs: by key on the console, by --at anywhere.\n"
          "  Sizes take k m g t (1024), times ms s m h: --size=1g, --runtime=30s.\n",
          out);
}

static void commands_write(FILE *out)
{
    fputs("\nCommands\n", out);
    for (size_t i = 0; i < ncommands; i++)
        row(out, commands[i].usage, commands[i].blurb);
    fputs("\n`benchtop COMMAND --help` tells a command's own options.\n", out);
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
