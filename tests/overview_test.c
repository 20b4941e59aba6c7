/* overview: golden screens down the ladder, each with assertions of what stands where; keys to orders; every size.
 * GENERATE=1 rewrites tests/golden/overview-*.txt; read the diff before you commit it. */
#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/synthetic.h"
#include "tui/screen.h"
#include "tui/screens/overview_layout.h"

#define TICKS 41 /* the last one is seq 40: round values, 14:03:07 */

static struct synthetic machine;
static const struct screen *screen;
static struct screen_env env = {.interval_ns = 500 * NSEC_PER_MSEC, .label = ""};
static struct job job;
static void *state;
static struct canvas c;
static struct strbuf text;

static void newest_job(void *arg, size_t i, struct job *ret)
{
    (void)arg;
    (void)i;
    *ret = job;
}

static void setup(void)
{
    setenv("TZ", "UTC", 1);
    setlocale(LC_CTYPE, "C.UTF-8");
    synthetic_init(&machine);
    screen = screen_find("overview");
    ck_assert_ptr_nonnull(screen);
    ck_assert_int_eq(canvas_init(&c, 1, 1), 0);
    job_init(&job);
    job.rw = JOB_RANDRW;
    job.rwmixread = 70;
    job.bs = 4096;
    job.iodepth = 32;
    job.numjobs = 3;
    job.rate_iops = 500;
    strcpy(job.filename, "/dev/nvme0n1");
    strcpy(job.ioengine, "io_uring");
    env.njobs = 1;
    env.job = newest_job;
}

static void open_screen(void)
{
    ck_assert_int_eq(screen->open(&env, &state), 0);
}

static void tick(int n)
{
    for (int i = 0; i < n; i++) {
        struct frame *f = synthetic_tick(&machine);
        screen->update(state, f);
        frame_unref(f);
    }
}

static const char *draw(int w, int h, enum canvas_charset cs)
{
    ck_assert_int_eq(canvas_resize(&c, w, h), 0);
    c.charset = cs;
    screen->draw(state, &c, (struct rect){0, 0, w, h});
    strbuf_reset(&text);
    canvas_dump_text(&c, &text);
    return text.s;
}

static void teardown(void)
{
    screen->close(state);
    state = NULL;
    canvas_fini(&c);
    strbuf_fini(&text);
    frame_pool_free(machine.pool);
}

static void golden(const char *name, const char *now)
{
    char path[256];
    snprintf(path, sizeof path, "tests/golden/overview-%s.txt", name);
    if (getenv("GENERATE")) {
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fputs(now, f);
        fclose(f);
        return;
    }
    static char want[200000];
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s is missing: GENERATE=1 writes it", path);
    want[fread(want, 1, sizeof want - 1, f)] = '\0';
    fclose(f);
    ck_assert_msg(strcmp(want, now) == 0, "%s differs; now it is\n%s", path, now);
}

/* Line that holds `what`, NULL = none; *ret_column in columns, not bytes. */
static bool find(const char *what, int from_y, int *ret_x, int *ret_y)
{
    const char *line = text.s;
    for (int y = 0; *line; y++) {
        const char *end = strchr(line, '\n');
        char buf[4096];
        snprintf(buf, sizeof buf, "%.*s", (int)(end - line), line);
        const char *at = y >= from_y ? strstr(buf, what) : NULL;
        if (at) {
            buf[at - buf] = '\0';
            *ret_x = canvas_width(buf);
            *ret_y = y;
            return true;
        }
        line = end + 1;
    }
    return false;
}

static void has(const char *what)
{
    int x, y;
    ck_assert_msg(find(what, 0, &x, &y), "\"%s\" is not on the screen\n%s", what, text.s);
}

static const struct cell *cell(int x, int y)
{
    ck_assert(x >= 0 && y >= 0 && x < c.w && y < c.h);
    return &c.cell[y * c.w + x];
}

/* The value whose last character stands under the last character of the heading. */
static void under(const char *heading, const char *row, const char *value)
{
    int hx, hy, x, y, end;
    char got[32] = "";
    ck_assert_msg(find(heading, 0, &hx, &hy), "no heading %s\n%s", heading, text.s);
    ck_assert_msg(find(row, hy + 1, &x, &y), "no row %s\n%s", row, text.s);
    end = hx + canvas_width(heading) - 1;
    for (x = end; x > 0 && cell(x, y)->ch != ' '; x--)
        ;
    for (int i = 0; x < end && i < 30; i++)
        got[i] = (char)cell(++x, y)->ch;
    ck_assert_msg(strcmp(got, value) == 0, "%s of %s is \"%s\" and not \"%s\"\n%s", heading, row, got, value, text.s);
}

START_TEST(test_golden)
{
    static const struct {
        int w, h;
        enum canvas_charset cs;
        const char *name;
    } row[] = {
        {200, 60, CHARSET_BRAILLE, "200x60"}, {160, 48, CHARSET_BRAILLE, "160x48"}, {120, 40, CHARSET_BRAILLE, "120x40"},
        {80, 24, CHARSET_BRAILLE, "80x24"},   {80, 24, CHARSET_BLOCKS, "80x24-blocks"}, {80, 24, CHARSET_ASCII, "80x24-ascii"},
        {60, 18, CHARSET_BRAILLE, "60x18"},   {40, 24, CHARSET_BRAILLE, "40x24"},   {40, 12, CHARSET_BRAILLE, "40x12"},
        {80, 12, CHARSET_BRAILLE, "80x12"},   {20, 5, CHARSET_BRAILLE, "20x5"},
    };
    open_screen();
    tick(TICKS);
    golden(row[_i].name, draw(row[_i].w, row[_i].h, row[_i].cs));
}
END_TEST

START_TEST(test_golden_roles)
{
    open_screen();
    tick(TICKS);
    draw(80, 24, CHARSET_BRAILLE);
    strbuf_reset(&text);
    canvas_dump_roles(&c, &text);
    golden("80x24-roles", text.s);
}
END_TEST

START_TEST(test_golden_before_the_first_sample)
{
    open_screen();
    golden("80x24-first", draw(80, 24, CHARSET_BRAILLE));
    has("--");
    has("◂32▸"); /* the job is known already */
    tick(1);
    draw(80, 24, CHARSET_BRAILLE);
    under("r/s", "nvme0n1", "--");
    under("aqu", "nvme0n1", "--");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("overview");
    TCase *t = tcase_create("overview");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_golden, 0, 11);
    tcase_add_test(t, test_golden_roles);
    tcase_add_test(t, test_golden_before_the_first_sample);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
