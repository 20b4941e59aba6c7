/* args: walks argv once: options to their setters, fio's words aside in their order, the rest as words.
 * Knows no option by name: they are rows of options.c and of the job's table. */
#include "cli/args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "engine/job.h"

/* Which commands have the option, as the end of a sentence. */
static const char *owner(const char *name, unsigned *ret_cmds)
{
    static const char *const who[] = {"the console", "run", "frame", "shot", "list", "export", "help"};
    unsigned cmds = job_field_find(name) ? CMD_LOAD : 0;
    for (size_t i = 0; i < noptions; i++)
        if (!strcmp(options[i].name, name))
            cmds |= options[i].cmds;
    *ret_cmds = cmds;
    for (unsigned bit = 0; bit < sizeof(who) / sizeof(who[0]); bit++)
        if (cmds & 1u << bit)
            return who[bit];
    return NULL;
}

struct nearest {
    const char *key, *word;
    unsigned best;
};

static void consider(struct nearest *n, const char *word)
{
    unsigned d = word ? str_distance(n->key, word) : n->best;
    if (d < n->best) {
        n->best = d;
        n->word = word;
    }
}

static int unknown(unsigned cmd, const char *key, struct err *err)
{
    struct nearest near = {.key = key, .best = (unsigned)strlen(key) / 3 + 2};
    unsigned cmds;
    const char *who = owner(key, &cmds);
    if (who)
        return err_set(err, -ENOENT, "unknown option --%s here; it is an option of %s", key, who);
    for (size_t i = 0; i < noptions; i++)
        if (options[i].cmds & cmd)
            consider(&near, options[i].name);
    const struct job_field *f;
    for (size_t i = 0; (cmd & CMD_LOAD) && (f = job_field(i)); i++) {
        consider(&near, f->name);
        consider(&near, f->alias);
    }
    if (near.word)
        return err_set(err, -ENOENT, "unknown option --%s; did you mean --%s?", key, near.word);
    return err_set(err, -ENOENT, "unknown option --%s; --help lists them", key);
}

/* A job's word is tried on a job of its own, so that its sentence comes now and names the option. */
static int add_job_word(struct args *a, unsigned cmd, const char *key, const char *value, struct err *err)
{
    struct job scratch;
    struct err why = {0};
    job_init(&scratch);
    int rc = job_set(&scratch, key, value, &why);
    if (rc == -ENOENT)
        return unknown(cmd, key, err);
    if (rc < 0)
        return err_set(err, rc, "%s", why.text);
    a->job[a->njob++] = (struct setting){key, value};
    return 0;
}

static int set_own(struct args *a, const struct option *o, const char *value, struct err *err)
{
    if (o->value && (!value || !*value))
        return err_set(err, -EINVAL, "--%s needs a value: --%s=%s", o->name, o->name, o->value);
    return o->set(a, o, value, err);
}

static int take_option(struct args *a, unsigned cmd, const char *text, struct err *err)
{
    size_t len = strcspn(text, "=");
    const char *value = text[len] ? text + len + 1 : NULL;
    char *key = a->text + a->text_len;
    memcpy(key, text, len);
    key[len] = '\0';
    a->text_len += len + 1;
    /* fio's overwrite is 0 or 1; ours names what may be destroyed. */
    bool word = !strcmp(key, "overwrite") && (!value || !strcmp(value, "0") || !strcmp(value, "1"));
    const struct option *o = word ? NULL : option_find(key, cmd);
    if (o)
        return set_own(a, o, value, err);
    return cmd & CMD_LOAD ? add_job_word(a, cmd, key, value, err) : unknown(cmd, key, err);
}

static int take_dashed(struct args *a, const char *word, struct err *err)
{
    if (strcmp(word, "-h"))
        return err_set(err, -EINVAL, "%s: options are written --key=value", word);
    a->help = true;
    return 0;
}

static int take_word(struct args *a, const char *word, struct err *err)
{
    if (a->words.n == ARGS_WORDS)
        return err_set(err, -EINVAL, "%s: too many words", word);
    a->words.word[a->words.n++] = word;
    return 0;
}

static int alloc(struct args *a, int argc, char *const *argv, struct err *err)
{
    size_t text = 1;
    for (int i = 0; i < argc; i++)
        text += strlen(argv[i]) + 1;
    a->text = malloc(text);
    a->job = calloc((size_t)argc + 1, sizeof(*a->job));
    a->at = calloc(ARGS_WORDS, sizeof(*a->at));
    return a->text && a->job && a->at ? 0 : err_set(err, -ENOMEM, "no memory for the command line");
}

int args_parse(unsigned cmd, int argc, char *const *argv, struct args *ret, struct err *err)
{
    bool only_words = false;
    *ret = (struct args){.width = 80, .height = 24};
    ret->format = cmd == CMD_SHOT ? FORMAT_TEXT : cmd == CMD_FRAME ? FORMAT_JSON : FORMAT_NORMAL;
    int rc = alloc(ret, argc, argv, err);
    for (int i = 0; i < argc && rc == 0; i++) {
        if (!only_words && !strcmp(argv[i], "--"))
            only_words = true;
        else if (!only_words && str_starts(argv[i], "--"))
            rc = take_option(ret, cmd, argv[i] + 2, err);
        else if (!only_words && argv[i][0] == '-' && argv[i][1])
            rc = take_dashed(ret, argv[i], err);
        else
            rc = take_word(ret, argv[i], err);
    }
    return rc;
}

void args_fini(struct args *a)
{
    free(a->text);
    free(a->job);
    free(a->at);
    *a = (struct args){0};
}
