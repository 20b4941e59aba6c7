/* theme: every form of value, gradients, fallbacks, the nearest colour, looks without colour. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/theme.h"

static const struct {
    const char *line;
    int r, g, b; /* -1: the terminal's own; -2: not read, so the built-in one */
} forms[] = {
    {"theme[main_fg]=\"#0a1B2c\"", 0x0a, 0x1b, 0x2c},
    {"theme[main_fg]=\"#7f\"", 0x7f, 0x7f, 0x7f},
    {"theme[main_fg]=\"10 20 255\"", 10, 20, 255},
    {"theme[main_fg]=\"\"", -1, 0, 0},
    {"theme[main_fg]=", -1, 0, 0},
    {"theme[main_fg]=#010203  ", 1, 2, 3},
    {"theme[main_fg]=  \"#010203\" # a remark", 1, 2, 3},
    {"  theme[main_fg] = '#010203'", 1, 2, 3},
    {"theme[main_fg]=\"#010203\"\r", 1, 2, 3},
    {"[main_fg]=#010203", 1, 2, 3},
    {"#theme[main_fg]=\"#010203\"", -2, 0, 0},
    {"theme[main_fg]=\"#12345\"", -2, 0, 0},
    {"theme[main_fg]=\"#xyzxyz\"", -2, 0, 0},
    {"theme[main_fg]=\"1 2\"", -2, 0, 0},
    {"theme[main_fg]=\"1 2 256\"", -2, 0, 0},
    {"theme[main_fg", -2, 0, 0},
    {"theme[main_fg]", -2, 0, 0},
    {"theme[no_such_key]=\"#010203\"", -2, 0, 0},
    {"", -2, 0, 0},
};
enum { FORMS = sizeof forms / sizeof *forms };

START_TEST(value_forms)
{
    struct theme t = {0}, plain = {0};
    char text[256];
    theme_parse("", &plain);
    ck_assert(plain.fg[ROLE_TEXT][0].set);
    snprintf(text, sizeof text, "# head\n%s\ntheme[title]=\"#ff0000\"", forms[_i].line);
    theme_parse(text, &t);
    struct rgb got = t.fg[ROLE_TEXT][0];
    ck_assert_int_eq(t.fg[ROLE_TITLE][0].r, 255); /* a bad line does not stop the next */
    if (forms[_i].r == -1)
        ck_assert(!got.set);
    else if (forms[_i].r == -2)
        ck_assert_mem_eq(&got, &plain.fg[ROLE_TEXT][0], sizeof got);
    else {
        ck_assert(got.set);
        ck_assert_int_eq(got.r, forms[_i].r);
        ck_assert_int_eq(got.g, forms[_i].g);
        ck_assert_int_eq(got.b, forms[_i].b);
    }
}
END_TEST

static int red(const struct theme *t, enum role role, int level)
{
    ck_assert(t->fg[role][level].set);
    return t->fg[role][level].r;
}

START_TEST(gradients)
{
    struct theme t = {0};
    theme_parse("theme[temp_start]=\"#000000\"\ntheme[temp_mid]=\"#640000\"\ntheme[temp_end]=\"#000000\"\n"
                "theme[download_start]=\"#000000\"\ntheme[download_mid]=\"\"\ntheme[download_end]=\"#c80000\"\n"
                "theme[upload_start]=\"#330000\"\ntheme[upload_mid]=\"\"\ntheme[upload_end]=\"\"\n"
                "theme[cached_start]=\"#440000\"\n",
                &t);
    ck_assert_int_eq(red(&t, ROLE_TEMP, 0), 0);
    ck_assert_int_eq(red(&t, ROLE_TEMP, 25), 50);
    ck_assert_int_eq(red(&t, ROLE_TEMP, 50), 100);
    ck_assert_int_eq(red(&t, ROLE_TEMP, 75), 50);
    ck_assert_int_eq(red(&t, ROLE_TEMP, 100), 0);
    ck_assert_int_eq(red(&t, ROLE_READ, 0), 0);
    ck_assert_int_eq(red(&t, ROLE_READ, 50), 100);
    ck_assert_int_eq(red(&t, ROLE_READ, 100), 200);
    for (int i = 0; i <= 100; i++) {
        ck_assert_int_eq(red(&t, ROLE_WRITE, i), 0x33);
        ck_assert_int_eq(red(&t, ROLE_QUEUE, i), 0x44); /* a start alone is flat */
    }
}
END_TEST

START_TEST(own_keys_and_what_stands_in_for_them)
{
    struct theme t = {0};
    const char *cpu = "theme[cpu_start]=\"#000001\"\ntheme[cpu_mid]=\"#000003\"\ntheme[cpu_end]=\"#000005\"\n";
    theme_parse(cpu, &t);
    ck_assert_int_eq(t.fg[ROLE_LATENCY][100].b, 5); /* latency goes by cpu_* */
    ck_assert_int_eq(t.fg[ROLE_GOOD][0].b, 1);
    ck_assert_int_eq(t.fg[ROLE_WARN][0].b, 3);
    ck_assert_int_eq(t.fg[ROLE_ERROR][0].b, 5);
    char text[512];
    snprintf(text, sizeof text, "%stheme[lat_start]=\"#09\"\ntheme[err_fg]=\"#07\"\n", cpu);
    theme_parse(text, &t);
    ck_assert_int_eq(t.fg[ROLE_LATENCY][100].b, 9);
    ck_assert_int_eq(t.fg[ROLE_CPU][100].b, 5);
    ck_assert_int_eq(t.fg[ROLE_ERROR][0].b, 7);
    theme_parse("theme[main_bg]=\"\"\n", &t);
    ck_assert(!t.bg.set);
}
END_TEST

static void palette(int i, int rgb[3])
{
    static const int level[6] = {0, 95, 135, 175, 215, 255};
    for (int k = 0; k < 3; k++)
        rgb[k] = i >= 232 ? 8 + 10 * (i - 232) : level[(i - 16) / (k == 0 ? 36 : k == 1 ? 6 : 1) % 6];
}

static double error_of(struct rgb c, int index)
{
    int p[3];
    palette(index, p);
    return sqrt(pow(c.r - p[0], 2) + pow(c.g - p[1], 2) + pow(c.b - p[2], 2));
}

/* The rounding that takes the cube for evenly spaced. */
static int rounded(struct rgb c)
{
    int g = (int)lround(c.r / 11.0);
    if (g == lround(c.g / 11.0) && g == lround(c.b / 11.0))
        return 232 + (g > 23 ? 23 : g);
    return 16 + 36 * (int)lround(c.r / 51.0) + 6 * (int)lround(c.g / 51.0) + (int)lround(c.b / 51.0);
}

START_TEST(nearest_is_the_nearest)
{
    double sum = 0, sum_rounded = 0;
    unsigned seed = 1;
    for (int n = 0; n < 2000; n++) {
        struct rgb c = {(uint8_t)(rand_r(&seed) >> 4), (uint8_t)(rand_r(&seed) >> 4),
                        (uint8_t)(rand_r(&seed) >> 4), true, 0};
        int got = theme_nearest(c, 256);
        double least = 1e9;
        for (int i = 16; i < 256; i++)
            least = fmin(least, error_of(c, i));
        ck_assert_int_ge(got, 16);
        ck_assert_int_le(got, 255);
        ck_assert_double_eq_tol(error_of(c, got), least, 1e-9);
        sum += error_of(c, got);
        sum_rounded += error_of(c, rounded(c));
    }
    ck_assert_double_lt(sum, 0.6 * sum_rounded);
}
END_TEST

START_TEST(nearest_of_few_and_of_many)
{
    struct rgb red_one = {250, 10, 5, true, 0}, none = {0}, yellow = {0, 0, 0, true, 4},
               bright = {127, 127, 127, true, 9};
    ck_assert_int_eq(theme_nearest(red_one, 16), 9);
    ck_assert_int_eq(theme_nearest(red_one, 8), 1);
    ck_assert_int_eq(theme_nearest(red_one, 1 << 24), 0xfa0a05);
    ck_assert_int_eq(theme_nearest(none, 256), -1);
    ck_assert_int_eq(theme_nearest(red_one, 0), -1);
    ck_assert_int_eq(theme_nearest(yellow, 256), 3); /* the terminal's own, whatever it is there */
    ck_assert_int_eq(theme_nearest(yellow, 1 << 24), 3);
    ck_assert_int_eq(theme_nearest(bright, 256), 8);
    ck_assert_int_eq(theme_nearest(bright, 8), -1);                              /* not black on black */
    ck_assert_int_eq(theme_nearest((struct rgb){0, 0, 3, true, 0}, 1 << 24), 8); /* 0-7 would be the palette */
}
END_TEST

START_TEST(looks_without_colour_still_differ)
{
    struct theme t;
    theme_mono(&t);
    struct look error = theme_look(&t, ROLE_ERROR, 0, 256), selected = theme_look(&t, ROLE_SELECTED, 0, 256);
    struct look plain = theme_look(&t, ROLE_TEXT, 0, 256), dim = theme_look(&t, ROLE_DIM, 0, 256);
    ck_assert(error.fg == -1 && error.bold && error.reverse);
    ck_assert(selected.reverse && !selected.bold);
    ck_assert(!plain.bold && !plain.reverse && !plain.dim);
    ck_assert(dim.dim);
    theme_terminal(&t);
    ck_assert(!theme_needs_rgb(&t));
    error = theme_look(&t, ROLE_ERROR, 0, 8);
    ck_assert(error.fg == 1 && !error.reverse);
    ck_assert_int_eq(theme_look(&t, ROLE_CPU, 100, 8).fg, 1);
    ck_assert_int_eq(theme_look(&t, ROLE_CPU, 400, 8).fg, 1);
    ck_assert_int_eq(theme_look(&t, ROLE_CPU, -3, 8).fg, 2);
}
END_TEST

static const int depths[] = {8, 16, 256, 1 << 24};
static const char *const shipped[] = {"dark", "light", "contrast", "mono"};

/* No role may vanish in its background, whatever the number of colours. */
START_TEST(shipped_themes_can_be_read)
{
    char path[64];
    struct theme t;
    struct err err = {0};
    snprintf(path, sizeof path, "themes/%s.theme", shipped[_i]);
    ck_assert_msg(theme_load(path, &t, &err) == 0, "%s", err.text);
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++)
        for (int role = 0; role < ROLES; role++)
            for (int level = 0; level <= 100; level += 10) {
                struct look l = theme_look(&t, (enum role)role, level, depths[d]);
                ck_assert_msg(l.fg < 0 || l.fg != l.bg, "%s: role %d, %d colours", path, role, depths[d]);
            }
}
END_TEST

START_TEST(themes_are_found_by_name_and_by_path)
{
    char dir[] = "/tmp/benchtop-theme-XXXXXX", path[128];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    setenv("XDG_CONFIG_HOME", dir, 1);
    snprintf(path, sizeof path, "%s/btop", dir);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    strcat(path, "/themes");
    ck_assert_int_eq(mkdir(path, 0700), 0);
    strcat(path, "/mine-of-all.theme");
    FILE *f = fopen(path, "w");
    fputs("theme[main_fg]=\"#010203\"\n", f);
    fclose(f);
    struct theme t;
    struct err err = {0};
    ck_assert_int_eq(theme_load("mine-of-all", &t, &err), 0);
    ck_assert_int_eq(t.fg[ROLE_TEXT][0].b, 3);
    ck_assert_str_eq(t.name, "mine-of-all");
    ck_assert_int_eq(theme_load(path, &t, &err), 0);
    ck_assert_int_eq(t.fg[ROLE_TEXT][0].b, 3);
    unsetenv("NO_COLOR");
    ck_assert_int_eq(theme_load(NULL, &t, &err), 0);
    ck_assert_str_eq(t.name, "terminal");
    setenv("NO_COLOR", "1", 1);
    ck_assert_int_eq(theme_load(NULL, &t, &err), 0);
    ck_assert_str_eq(t.name, "mono");
    ck_assert_int_eq(theme_load("terminal", &t, &err), 0); /* asked for */
    ck_assert_str_eq(t.name, "terminal");
    ck_assert_int_lt(theme_load("no-such-theme", &t, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, "no-such-theme"));
    ck_assert_int_lt(theme_load("", &t, &err), 0);
    ck_assert_int_lt(theme_load("/tmp/", &t, &err), 0);
    unlink(path);
    for (int i = 0; i < 3; i++) {
        *strrchr(path, '/') = 0;
        rmdir(path);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("theme");
    tcase_add_loop_test(tc, value_forms, 0, FORMS);
    tcase_add_test(tc, gradients);
    tcase_add_test(tc, own_keys_and_what_stands_in_for_them);
    tcase_add_test(tc, nearest_is_the_nearest);
    tcase_add_test(tc, nearest_of_few_and_of_many);
    tcase_add_test(tc, looks_without_colour_still_differ);
    tcase_add_loop_test(tc, shipped_themes_can_be_read, 0, sizeof shipped / sizeof *shipped);
    tcase_add_test(tc, themes_are_found_by_name_and_by_path);
    Suite *s = suite_create("theme");
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
