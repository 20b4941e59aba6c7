/* main: finds the command, parses its line and runs it, under the keeper where it makes load.
 * Does nothing else. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/keeper.h"
#include "cli/output.h"

/* With stdin, stdout or stderr closed, the next file we open would take its place and be written to. */
static void fill_standard_fds(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

/* A job may have thousands of files; the soft limit is a courtesy to programs that use select(). */
static void allow_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) < 0 || files.rlim_cur >= files.rlim_max)
        return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

static int say(const struct command *c, const struct args *a)
{
    struct output out;
    struct err err = {0};
    if (output_open(&out, NULL, false, &err) < 0)
        return complain(&err, EXIT_FAILED);
    if (a->help)
        help_write(c, out.stream);
    else
        fputs("benchtop " BENCHTOP_VERSION "\n", out.stream);
    return output_close(&out, &err) < 0 ? complain(&err, EXIT_FAILED) : EXIT_DONE;
}

struct call {
    const struct command *command;
    const struct args *args;
};

static int carry_out(void *arg)
{
    const struct call *c = arg;
    return c->command->run(c->args);
}

static int run(const struct command *c, const struct args *a)
{
    struct call call = {c, a};
    if (a->help || a->version)
        return say(c, a);
    return c->kept ? keeper_run(carry_out, &call) : carry_out(&call);
}

int main(int argc, char **argv)
{
    struct args a;
    struct err err = {0};
    int taken;
    fill_standard_fds();
    allow_files();
    setlocale(LC_CTYPE, ""); /* numbers stay in C: JSON wants its points */
    signal(SIGPIPE, SIG_IGN);
    const struct command *c = command_find(argc, argv, &taken, &err);
    if (!c)
        return complain(&err, EXIT_REFUSED);
    bool right = args_parse(c->bit, argc - 1 - taken, argv + 1 + taken, &a, &err) == 0;
    int code = right ? run(c, &a) : complain(&err, EXIT_REFUSED);
    args_fini(&a);
    return code;
}
