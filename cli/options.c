/* options: benchtop's own options, one row each, and how each value is read.
 * fio's words are not here: they come from the table of job fields. */
#include <errno.h>
#include <string.h>

#include "cli/args.h"
#include "core/clock.h"
#include "core/str.h"
#include "core/units.h"

static int set_flag(struct args *a, const struct option *o, const char *value, struct err *err)
{
    if (value)
        return err_set(err, -EINVAL, "--%s=%s: --%s takes no value", o->name, value, o->name);
    *(bool *)((char *)a + o->at) = true;
    return 0;
}

static int set_text(struct args *a, const struct option *o, const char *value, struct err *err)
{
    *(const char **)((char *)a + o->at) = value;
    return 0;
}

static int set_more(struct args *a, const struct option *o, const char *value, struct err *err)
{
    struct words *w = (struct words *)((char *)a + o->at);
    if (w->n == ARGS_WORDS)
        return err_set(err, -EINVAL, "--%s=%s: at most %d of them", o->name, value, ARGS_WORDS);
    w->word[w->n++] = value;
    return 0;
}

static int set_time(struct args *a, const struct option *o, const char *value, struct err *err)
{
    char lo[UNITS_TEXT], hi[UNITS_TEXT];
    uint64_t ns = 0;
    int rc = units_parse_time_ns(value, &ns, NULL);
    if (rc < 0 || ns < o->min || ns > o->max) {
        units_exact_time(o->min, lo);
        units_exact_time(o->max, hi);
        return err_set(err, -EINVAL, "--%s=%s: must be a time from %s to %s, like 500ms", o->name, value, lo, hi);
    }
    *(uint64_t *)((char *)a + o->at) = ns;
    return 0;
}

static const struct {
    const char *word;
    unsigned cmds;
} formats[FORMATS] = {
    [FORMAT_NORMAL] = {"normal", CMD_RUN | CMD_LIST},
    [FORMAT_JSON] = {"json", CMD_RUN | CMD_LIST | CMD_FRAME},
    [FORMAT_NDJSON] = {"ndjson", CMD_RUN},
    [FORMAT_CSV] = {"csv", CMD_RUN},
    [FORMAT_TEXT] = {"text", CMD_SHOT},
    [FORMAT_ANSI] = {"ansi", CMD_SHOT},
    [FORMAT_SVG] = {"svg", CMD_SHOT},
    [FORMAT_FIO] = {"fio", CMD_EXPORT},
};

/* The words of a format stand in the option's own row ("text,ansi,svg"); fio's json+ is our json. */
static int set_format(struct args *a, const struct option *o, const char *value, struct err *err)
{
    const char *word = !strcmp(value, "json+") ? "json" : value;
    for (int f = 0; f < FORMATS; f++)
        if (!strcmp(word, formats[f].word) && (formats[f].cmds & o->cmds)) {
            a->format = (enum format)f;
            return 0;
        }
    return err_set(err, -EINVAL, "--%s=%s: must be one of %s", o->name, value, o->value);
}

static int set_size(struct args *a, const struct option *o, const char *value, struct err *err)
{
    char text[32];
    uint64_t w = 0, h = 0;
    char *x = str_copy(text, sizeof(text), value) ? strpbrk(text, "xX") : NULL;
    if (x)
        *x = '\0';
    if (!x || str_u64(text, &w, NULL) < 0 || str_u64(x + 1, &h, NULL) < 0 || !w || !h || w > 1000 || h > 1000)
        return err_set(err, -EINVAL, "--%s=%s: must be WIDTHxHEIGHT in cells, 1x1 to 1000x1000, like 80x24",
                       o->name, value);
    a->width = (int)w;
    a->height = (int)h;
    return 0;
}

static int set_charset(struct args *a, const struct option *o, const char *value, struct err *err)
{
    if (strcmp(value, "braille") && strcmp(value, "blocks") && strcmp(value, "ascii"))
        return err_set(err, -EINVAL, "--%s=%s: must be braille, blocks or ascii", o->name, value);
    return set_text(a, o, value, err);
}

static int set_factor(struct args *a, const struct option *o, const char *value, struct err *err)
{
    const char *eq = strchr(value, '=');
    if (!eq || eq == value)
        return err_set(err, -EINVAL, "--%s=%s: must be key=value, like --factor=scheduler=none", o->name, value);
    return set_more(a, o, value, err);
}

/* Kept in the order of their times; equal times in the order given. */
static int set_at(struct args *a, const struct option *o, const char *value, struct err *err)
{
    struct run_at at = {.job = ORDER_ALL_JOBS};
    struct err why = {0};
    size_t i = a->nat;
    if (job_parse_at(value, &at.at_ns, at.words, sizeof(at.words), &why) < 0)
        return err_set(err, why.code, "%s", why.text);
    if (a->nat == ARGS_WORDS)
        return err_set(err, -EINVAL, "--%s=%s: at most %d of them", o->name, value, ARGS_WORDS);
    for (; i > 0 && a->at[i - 1].at_ns > at.at_ns; i--)
        a->at[i] = a->at[i - 1];
    a->at[i] = at;
    a->nat++;
    return 0;
}

#define AT(member) .at = offsetof(struct args, member)
#define ANY_TIME .min = NSEC_PER_USEC, .max = 24 * 3600 * NSEC_PER_SEC
#define TICK .min = 10 * NSEC_PER_MSEC, .max = 3600 * NSEC_PER_SEC
#define MACHINE (CMD_FRAME | CMD_SHOT | CMD_LIST)

const struct option options[] = {
    {.name = "help", .help = "Says what there is and exits.", .cmds = CMD_ALL, .set = set_flag, AT(help)},
    {.name = "version", .help = "Says the version and exits.", .cmds = CMD_ALL, .set = set_flag, AT(version)},
    {.name = "run", .help = "Starts the job at once.", .cmds = CMD_CONSOLE, .set = set_flag, AT(run_now)},
    {.name = "allow-write", .value = "PATH", .help = "Lets this very device or file be written; once for each.",
     .cmds = CMD_LOAD, .set = set_more, AT(allow_write)},
    {.name = "overwrite", .value = "SIGNATURE", .help = "Also lets go what the refusal named, or \"data\".",
     .cmds = CMD_LOAD, .set = set_more, AT(overwrite)},
    {.name = "section", .value = "NAME", .help = "Of the job file only the section of this name; once for each.",
     .cmds = CMD_LOAD, .set = set_more, AT(sections)},
    {.name = "at", .value = "'TIME WORDS'",
     .help = "Retunes the running job at that time, like --at='2s iodepth=32 bs=64k'.", .cmds = CMD_LOAD,
     .set = set_at},
    {.name = "label", .value = "NAME", .help = "Names a set of stored runs.", .cmds = CMD_LOAD, .set = set_text,
     AT(label)},
    {.name = "factor", .value = "KEY=VALUE", .help = "Notes what was varied by hand; once for each.",
     .cmds = CMD_LOAD, .set = set_factor, AT(factors)},
    {.name = "note", .value = "TEXT", .help = "Goes with the stored run.", .cmds = CMD_LOAD, .set = set_text,
     AT(note)},
    {.name = "no-store", .help = "Keeps no record of the run.", .cmds = CMD_LOAD, .set = set_flag, AT(no_store)},
    {.name = "output-format", .value = "normal,json,ndjson,csv", .help = "How the result is written.",
     .cmds = CMD_RUN, .set = set_format},
    {.name = "output-format", .value = "json", .help = "How the frame is written.", .cmds = CMD_FRAME,
     .set = set_format},
    {.name = "output-format", .value = "normal,json", .help = "How the list is written.", .cmds = CMD_LIST,
     .set = set_format},
    {.name = "format", .value = "text,ansi,svg", .help = "How the screen is written.", .cmds = CMD_SHOT,
     .set = set_format},
    {.name = "output", .value = "FILE",
     .help = "Writes there instead of to stdout; but for live lines, the file appears only when it is whole.",
     .cmds = CMD_RUN | MACHINE | CMD_EXPORT | CMD_HELP, .set = set_text, AT(output)},
    {.name = "format", .value = "fio", .help = "Which program's job file; fio's is the only one.", .cmds = CMD_EXPORT,
     .set = set_format},
    {.name = "man", .help = "Writes the man page, as roff.", .cmds = CMD_HELP, .set = set_flag, AT(man)},
    {.name = "status-interval", .value = "TIME",
     .help = "Time between ndjson lines, csv rows and progress; default 1s.", .cmds = CMD_RUN, .set = set_time,
     AT(status_interval_ns), TICK},
    {.name = "interval", .value = "TIME",
     .help = "Time between two readings; default 500ms on the console, else 1s.",
     .cmds = CMD_CONSOLE | CMD_FRAME | CMD_SHOT, .set = set_time, AT(interval_ns), TICK},
    {.name = "sysroot", .value = "DIR", .help = "Reads the machine whose proc and sys lie there instead of /.",
     .cmds = MACHINE, .set = set_text, AT(sysroot)},
    {.name = "then", .value = "DIR", .help = "The second reading of that machine.", .cmds = CMD_FRAME | CMD_SHOT,
     .set = set_text, AT(then)},
    {.name = "dt", .value = "TIME", .help = "The time between the two readings; default 1s.",
     .cmds = CMD_FRAME | CMD_SHOT, .set = set_time, AT(dt_ns), ANY_TIME},
    {.name = "size", .value = "WxH", .help = "Columns and rows of the screen; default 80x24.", .cmds = CMD_SHOT,
     .set = set_size},
    {.name = "charset", .value = "braille,blocks,ascii", .help = "What graphs are drawn with.", .cmds = CMD_SHOT,
     .set = set_charset, AT(charset)},
    {.name = "theme", .value = "NAME", .help = "Colours: a name of `list themes` or a file.",
     .cmds = CMD_CONSOLE | CMD_SHOT, .set = set_text, AT(theme)},
};
const size_t noptions = sizeof(options) / sizeof(options[0]);

const struct option *option_find(const char *name, unsigned cmd)
{
    for (size_t i = 0; i < noptions; i++)
        if ((options[i].cmds & cmd) && !strcmp(options[i].name, name))
            return &options[i];
    return NULL;
}
