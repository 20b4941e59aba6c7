/* args_test: options land where they belong, bad ones get a sentence that names the option, the value and what
 * would be right, and --help speaks of every row. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/cmd.h"
#include "tests/suite.h"

static struct args a;
static struct err err;

static int parse(unsigned cmd, const char *line) /* words separated by '|' */
{
    static char text[1024];
    static char *argv[64];
    int argc = 0;
    snprintf(text, sizeof(text), "%s", line);
    for (char *p = text, *w; (w = strsep(&p, "|"));)
        argv[argc++] = w;
    err = (struct err){0};
    args_fini(&a);
    return args_parse(cmd, argc, argv, &a, &err);
}

START_TEST(test_job_words_keep_their_order)
{
    ck_assert_int_eq(parse(CMD_RUN, "my.job|--bs=4k|--direct|--rw=randread|--bs=8k"), 0);
    ck_assert_uint_eq(a.words.n, 1);
    ck_assert_str_eq(a.words.word[0], "my.job");
    ck_assert_uint_eq(a.njob, 4);
    ck_assert_str_eq(a.job[0].key, "bs");
    ck_assert_str_eq(a.job[0].value, "4k");
    ck_assert_str_eq(a.job[1].key, "direct");
    ck_assert_ptr_null(a.job[1].value);
    ck_assert_str_eq(a.job[3].value, "8k");
}
END_TEST

START_TEST(test_own_options)
{
    ck_assert_int_eq(parse(CMD_RUN, "--allow-write=/dev/a|--allow-write=b=c|--output-format=ndjson|"
                                    "--status-interval=50ms|--no-store|--factor=k=v"),
                     0);
    ck_assert_uint_eq(a.allow_write.n, 2);
    ck_assert_str_eq(a.allow_write.word[1], "b=c");
    ck_assert_int_eq(a.format, FORMAT_NDJSON);
    ck_assert_uint_eq(a.status_interval_ns, 50000000);
    ck_assert(a.no_store);
    ck_assert_str_eq(a.factors.word[0], "k=v");
    ck_assert_int_eq(parse(CMD_CONSOLE, "--run|--interval=100ms"), 0);
    ck_assert(a.run_now);
    ck_assert_uint_eq(a.interval_ns, 100000000);
}
END_TEST

START_TEST(test_at_is_sorted_and_stable)
{
    ck_assert_int_eq(parse(CMD_RUN, "--at=2s bs=8k|--at=1s iodepth=4|--at=2s iodepth=8"), 0);
    ck_assert_uint_eq(a.nat, 3);
    ck_assert_uint_eq(a.at[0].at_ns, 1000000000);
    ck_assert_str_eq(a.at[0].words, "iodepth=4");
    ck_assert_str_eq(a.at[1].words, "bs=8k");
    ck_assert_str_eq(a.at[2].words, "iodepth=8");
}
END_TEST

START_TEST(test_size_is_the_screen_of_shot_and_the_bytes_of_run)
{
    ck_assert_int_eq(parse(CMD_SHOT, "overview|--size=200x60|--format=svg"), 0);
    ck_assert_int_eq(a.width, 200);
    ck_assert_int_eq(a.height, 60);
    ck_assert_int_eq(a.format, FORMAT_SVG);
    ck_assert_int_eq(parse(CMD_RUN, "--size=1g"), 0);
    ck_assert_str_eq(a.job[0].key, "size");
    ck_assert_int_eq(parse(CMD_SHOT, "overview"), 0);
    ck_assert_int_eq(a.width, 80);
    ck_assert_int_eq(a.height, 24);
}
END_TEST

/* Each mistake: the sentence holds both texts. */
static const struct {
    unsigned cmd;
    const char *line, *names, *advice;
} wrong[] = {
    {CMD_RUN, "--iodepht=4", "--iodepht", "--iodepth?"},
    {CMD_RUN, "--alow-write=/dev/x", "--alow-write", "--allow-write?"},
    {CMD_RUN, "--zzzzzzzz=1", "--zzzzzzzz", "--help"},
    {CMD_RUN, "--bs=0", "bs=0", "512 to 16m"},
    {CMD_RUN, "--iodepth=100000", "iodepth=100000", "1 to 4096"},
    {CMD_RUN, "--bs", "bs", "needs a value"},
    {CMD_RUN, "--output", "--output", "--output=FILE"},
    {CMD_RUN, "--allow-write=", "--allow-write", "needs a value"},
    {CMD_RUN, "--no-store=1", "--no-store=1", "takes no value"},
    {CMD_RUN, "--output-format=xml", "--output-format=xml", "normal,json,ndjson,csv"},
    {CMD_RUN, "--status-interval=1ms", "--status-interval=1ms", "10ms"},
    {CMD_RUN, "--status-interval=soon", "--status-interval=soon", "a time"},
    {CMD_RUN, "--at=iodepth=4", "iodepth=4", "at"},
    {CMD_RUN, "--factor=plain", "--factor=plain", "key=value"},
    {CMD_RUN, "--dt=1s", "--dt", "option of frame"},
    {CMD_FRAME, "--iodepth=4", "--iodepth", "option of the console"},
    {CMD_FRAME, "--output-format=csv", "--output-format=csv", "json"},
    {CMD_FRAME, "--intervall=1s", "--intervall", "--interval?"},
    {CMD_SHOT, "--size=80", "--size=80", "80x24"},
    {CMD_SHOT, "--size=0x24", "--size=0x24", "1x1"},
    {CMD_SHOT, "--size=80x24x3", "--size=80x24x3", "80x24"},
    {CMD_SHOT, "--size=1001x1", "--size=1001x1", "1000x1000"},
    {CMD_SHOT, "--format=png", "--format=png", "text,ansi,svg"},
    {CMD_RUN, "-b", "-b", "--key=value"},
};

START_TEST(test_mistakes_get_their_sentence)
{
    ck_assert_int_lt(parse(wrong[_i].cmd, wrong[_i].line), 0);
    ck_assert_msg(strstr(err.text, wrong[_i].names) != NULL, "'%s' does not name %s", err.text, wrong[_i].names);
    ck_assert_msg(strstr(err.text, wrong[_i].advice) != NULL, "'%s' does not say %s", err.text, wrong[_i].advice);
    ck_assert_ptr_null(strchr(err.text, '\n'));
}
END_TEST

START_TEST(test_double_dash_ends_the_options)
{
    ck_assert_int_eq(parse(CMD_RUN, "--|--bs=4k"), 0);
    ck_assert_uint_eq(a.words.n, 1);
    ck_assert_str_eq(a.words.word[0], "--bs=4k");
    ck_assert_uint_eq(a.njob, 0);
}
END_TEST

START_TEST(test_the_first_word_is_the_command)
{
    int taken = -1;
    err = (struct err){0};
    const struct command *c = command_find(3, (char *[]){"benchtop", "frame", "--dt=1s"}, &taken, &err);
    ck_assert_ptr_nonnull(c);
    ck_assert_int_eq(c->bit, CMD_FRAME);
    ck_assert_int_eq(taken, 1);
    c = command_find(2, (char *[]){"benchtop", "--run"}, &taken, &err);
    ck_assert_int_eq(c->bit, CMD_CONSOLE);
    ck_assert_int_eq(taken, 0);
    c = command_find(2, (char *[]){"benchtop", "/dev/null"}, &taken, &err); /* a job file by its being there */
    ck_assert_int_eq(c->bit, CMD_CONSOLE);
    ck_assert_ptr_null(command_find(2, (char *[]){"benchtop", "fraem"}, &taken, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "did you mean frame?"));
    ck_assert_ptr_null(command_find(2, (char *[]){"benchtop", "census-of-all"}, &taken, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "unknown command census-of-all"));
}
END_TEST

static void squeeze(char *s) /* one blank for each run of them: sentences are broken into lines */
{
    char *to = s;
    for (; *s; s++)
        if (!strchr(" \n", *s))
            *to++ = *s;
        else if (to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
}

/* Every option and every field of a command is in its help, and nothing of the others. */
START_TEST(test_help_comes_from_the_tables)
{
    const struct command *c = &commands[_i];
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    help_write(c, out);
    fclose(out);
    squeeze(text);
    for (size_t i = 0; i < noptions; i++)
        if (options[i].cmds & c->bit)
            ck_assert_msg(strstr(text, options[i].help) != NULL, "%s: no %s", c->name, options[i].name);
    for (size_t i = 0; job_field(i); i++)
        ck_assert_int_eq(strstr(text, job_field(i)->help) != NULL, (c->bit & CMD_LOAD) != 0);
    if (c->bit == CMD_RUN)
        ck_assert_ptr_nonnull(strstr(text, "(bytes, 512 to 16m, like 4k, default 4k)"));
    free(text);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("args");
    tcase_add_test(t, test_job_words_keep_their_order);
    tcase_add_test(t, test_own_options);
    tcase_add_test(t, test_at_is_sorted_and_stable);
    tcase_add_test(t, test_size_is_the_screen_of_shot_and_the_bytes_of_run);
    tcase_add_loop_test(t, test_mistakes_get_their_sentence, 0, sizeof(wrong) / sizeof(wrong[0]));
    tcase_add_test(t, test_double_dash_ends_the_options);
    tcase_add_test(t, test_the_first_word_is_the_command);
    tcase_add_loop_test(t, test_help_comes_from_the_tables, 0, 5);
    return suite_run("args", t);
}
