/* commands: the table of commands, and the words that all of them speak on stderr.
 * What a command does is in its own file. */
#include "cli/cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "core/str.h"

const struct command commands[] = {
    {"", "benchtop [--run] [JOBFILE] [--KEY=VALUE ...]",
     "The console: a workload and the whole machine on one screen.", CMD_CONSOLE, true, cmd_console},
    {"run", "benchtop run [JOBFILE] [--KEY=VALUE ...]", "The same workload without a screen.", CMD_RUN, true,
     cmd_run},
    {"frame", "benchtop frame [--KEY=VALUE ...]", "Reads the machine twice and prints one frame as JSON.",
     CMD_FRAME, false, cmd_frame},
    {"shot", "benchtop shot SCREEN [--KEY=VALUE ...]", "Draws one screen without a terminal.", CMD_SHOT, false,
     cmd_shot},
    {"list", "benchtop list devices,backends,sources,screens,themes,labs", "Says what there is.", CMD_LIST, false,
     cmd_list},
    {"export", "benchtop export [JOBFILE] [--KEY=VALUE ...] [--format=fio]", "Writes the workload as a job file of fio's.",
     CMD_EXPORT, false, cmd_export},
    {"help", "benchtop help [COMMAND|WORD ...] [--man]", "Says what a command or one word is, or writes the man page.",
     CMD_HELP, false, cmd_help},
};
const size_t ncommands = sizeof(commands) / sizeof(commands[0]);

static int unknown_command(const char *word, struct err *err)
{
    const char *nearest = NULL;
    unsigned best = (unsigned)strlen(word) / 3 + 1;
    for (size_t i = 1; i < ncommands; i++) {
        unsigned d = str_distance(word, commands[i].name);
        if (d <= best && (!nearest || d < best)) {
            best = d;
            nearest = commands[i].name;
        }
    }
    if (nearest)
        return err_set(err, -ENOENT, "unknown command %s, and no such job file; did you mean %s?", word, nearest);
    return err_set(err, -ENOENT, "unknown command %s, and no such job file; --help lists the commands", word);
}

const struct command *command_find(int argc, char *const *argv, int *ret_taken, struct err *err)
{
    *ret_taken = 0;
    if (argc < 2 || argv[1][0] == '-')
        return &commands[0];
    for (size_t i = 1; i < ncommands; i++)
        if (!strcmp(argv[1], commands[i].name)) {
            *ret_taken = 1;
            return &commands[i];
        }
    if (access(argv[1], F_OK) == 0)
        return &commands[0];
    unknown_command(argv[1], err);
    return NULL;
}

int complain(const struct err *err, int code)
{
    if (err->code == -EPIPE) /* whoever read us has seen enough */
        return EXIT_FAILED;
    fprintf(stderr, "benchtop: %s\n", err->text);
    return code;
}

void note(const char *fmt, ...)
{
    char text[2 * ERR_TEXT];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    fprintf(stderr, "benchtop: %s\n", str_plain(text));
}
