/* man: the man page, written from the tables that --help is written from.
 * Knows no option by name. */
#include <string.h>

#include "cli/cmd.h"
#include "core/str.h"

/* Text as roff takes it: no line begins a request, a hyphen stays one that can be copied. */
static void text(FILE *out, const char *s)
{
    if (*s == '.' || *s == '\'')
        fputs("\\&", out);
    for (; *s; s++) {
        if (*s == '\\')
            fputs("\\e", out);
        else if (*s == '-')
            fputs("\\-", out);
        else
            fputc(*s, out);
    }
}

static void line(FILE *out, const char *s)
{
    text(out, s);
    fputc('\n', out);
}

static void tag(FILE *out, const char *name, const char *equals, const char *value)
{
    fputs(".TP\n\\fB", out);
    text(out, name);
    fputs("\\fR", out);
    text(out, equals);
    fputs("\\fI", out);
    text(out, value);
    fputs("\\fR\n", out);
}

static void commands_section(FILE *out)
{
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; i < ncommands; i++) {
        tag(out, commands[i].usage, "", "");
        line(out, commands[i].blurb);
    }
}

static void options_section(FILE *out)
{
    char name[64];
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < noptions; i++) {
        const struct option *o = &options[i];
        str_format(name, sizeof(name), "--%s", o->name);
        tag(out, name, o->value ? "=" : "", o->value ? o->value : "");
        line(out, o->help);
    }
}

static void field(FILE *out, const struct job_field *f)
{
    char name[64], value[128], range[512];
    str_format(name, sizeof(name), "--%s", f->name);
    tag(out, name, "=", job_field_value(f, value, sizeof(value)));
    line(out, f->help);
    help_range(f, range, sizeof(range));
    fputs(".br\n", out);
    line(out, range);
    if (f->alias) {
        str_format(value, sizeof(value), "Also spelled %s.", f->alias);
        line(out, value);
    }
    if (f->live)
        line(out, "May change while the job runs.");
}

static void workload_section(FILE *out)
{
    fputs(".SH WORKLOAD\nfio's words, in fio's meaning; on the command line and in a job file.\n", out);
    for (size_t s = 0; job_sections[s]; s++) {
        fprintf(out, ".SS %s\n", job_sections[s]->heading);
        for (size_t i = 0; i < job_sections[s]->n; i++)
            field(out, &job_sections[s]->field[i]);
    }
}

static const char jobfile_section[] =
    ".SH JOB FILES\n"
    "A line [name] begins a job, [global] holds what the jobs below it start from. ; and # begin a comment.\n"
    "include FILE reads options from another file. ${VAR} is the environment's; $pagesize, $mb_memory and $ncpus are\n"
    "numbers. A number in parentheses is arithmetic: size=(2*1024)k. Options of the command line win.\n";

static const char exit_section[] =
    ".SH EXIT STATUS\n"
    "0 done; 1 the run failed; 2 refused or wrong usage, one sentence on stderr; 128+n stopped by signal n.\n"
    ".SH SEE ALSO\n.BR fio (1),\n.BR iostat (1)\n";

void man_write(FILE *out)
{
    fputs(".TH BENCHTOP 1 \"\" \"benchtop " BENCHTOP_VERSION "\"\n.SH NAME\n", out);
    fputs("benchtop \\- runs storage workloads and shows what every layer did\n.SH SYNOPSIS\n", out);
    for (size_t i = 0; i < ncommands; i++) {
        line(out, commands[i].usage);
        fputs(".br\n", out);
    }
    commands_section(out);
    options_section(out);
    workload_section(out);
    fputs(jobfile_section, out);
    fputs(exit_section, out);
}
