/* guardcheck: asks the guard for a writing descriptor and says what it said; for the end-to-end scripts.
 * guardcheck PATH [--allow-write=P]... [--overwrite=S]... [--readonly] [--twice] [--hold] [--write] [--mark]
 * [--excl] Prints "ok" and exits 0, or prints the sentence and exits 2. Writes nothing unless told --write or
 * --mark. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/str.h"
#include "engine/guard.h"

#define MANY 16

struct options {
    const char *allow[MANY], *overwrite[MANY];
    struct guard_policy policy;
    bool twice, hold, write, mark, excl;
};

static bool value(const char *arg, const char *key, const char **list, size_t *n)
{
    if (!str_starts(arg, key) || *n == MANY)
        return false;
    list[(*n)++] = arg + strlen(key);
    return true;
}

static bool flag(const char *arg, const char *key, bool *set)
{
    if (strcmp(arg, key) != 0)
        return false;
    return *set = true;
}

static bool parse(const char *arg, struct options *o)
{
    return value(arg, "--allow-write=", o->allow, &o->policy.nallow_write) ||
           value(arg, "--overwrite=", o->overwrite, &o->policy.noverwrite) ||
           flag(arg, "--readonly", &o->policy.readonly) || flag(arg, "--twice", &o->twice) ||
           flag(arg, "--hold", &o->hold) || flag(arg, "--write", &o->write) || flag(arg, "--mark", &o->mark) ||
           flag(arg, "--excl", &o->excl);
}

static int mark(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    int rc = fd < 0 ? -errno : guard_mark_ours(fd);
    printf("%s\n", rc == 0 ? "ok" : strerror(-rc));
    return rc == 0 ? 0 : 2;
}

/* What a worker does with the claim: its own flags, through /proc/self/fd, never the name again. */
static bool reopen_and_write(int claim)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", claim);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    return fd >= 0 && pwrite(fd, "benchtop", 8, 0) == 8 && fsync(fd) == 0;
}

/* What a tool without a guard would ask: is an exclusive open granted? */
static int exclusive(const char *path)
{
    int fd = open(path, O_RDWR | O_EXCL | O_CLOEXEC);
    printf("%s\n", fd >= 0 ? "ok" : strerror(errno));
    return fd >= 0 ? 0 : 2;
}

int main(int argc, char **argv)
{
    struct options o = {.policy = {.allow_write = o.allow, .overwrite = o.overwrite}};
    struct err err = {0};
    char c;
    for (int i = 2; i < argc; i++)
        if (!parse(argv[i], &o))
            return fprintf(stderr, "guardcheck: %s?\n", argv[i]), 3;
    if (argc < 2)
        return 3;
    if (o.mark)
        return mark(argv[1]);
    if (o.excl)
        return exclusive(argv[1]);
    int fd = guard_open_write(argv[1], &o.policy, &err);
    if (fd >= 0 && o.twice)
        fd = guard_open_write(argv[1], &o.policy, &err);
    if (fd < 0)
        return printf("%s\n", err.text), 2;
    if (o.write && !reopen_and_write(fd))
        return printf("the claim does not write: %s\n", strerror(errno)), 3;
    printf("ok\n");
    fflush(stdout);
    while (o.hold && read(STDIN_FILENO, &c, 1) > 0)
        ;
    return 0;
}
