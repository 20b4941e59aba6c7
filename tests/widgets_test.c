/* widgets: what plain values become in a canvas, in each charset.
 * Frames and screens are tested elsewhere. */
#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/widgets/bars.h"
#include "tui/widgets/cores.h"
#include "tui/widgets/fill.h"
#include "tui/widgets/graph.h"
#include "tui/widgets/meter.h"
#include "tui/widgets/number.h"
#include "tui/widgets/sparkline.h"
#include "tui/widgets/table.h"

static struct canvas c;
static struct strbuf dump;

static void begin(int w, int h, enum canvas_charset cs)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    ck_assert_int_eq(canvas_init(&c, w, h), 0);
    c.charset = cs;
}

static struct rect whole(void)
{
    return (struct rect){0, 0, c.w, c.h};
}

static void expect(const char *text)
{
    strbuf_reset(&dump);
    canvas_dump_text(&c, &dump);
    ck_assert_str_eq(dump.s, text);
    strbuf_fini(&dump);
    canvas_fini(&c);
}

START_TEST(test_numbers)
{
    static const struct {
        const char *(*fn)(char *, double);
        double v;
        const char *text;
    } row[] = {
        {number_count, 100700, "100.7k"}, {number_count, NAN, "--"},    {number_count, 0, "0"},
        {number_mb, 412.34e6, "412.3"},   {number_mb, 0, "0"},          {number_mb, NAN, "--"},
        {number_mb, 100e9, "100000"},     {number_ms, 0.2149, "0.215"}, {number_ms, 2000, "2000"},
        {number_ms, NAN, "--"},           {number_pct, 104.4, "104%"},  {number_pct, NAN, "--"},
        {number_share, 0.712, "71.2%"},   {number_share, 1, "100%"},    {number_share, 0.0031, "0.31%"},
        {number_share, 1e-9, "<.001%"},   {number_clock, 42, "00:42"},  {number_clock, 3723, "1:02:03"},
        {number_clock, NAN, "--"},
    };
    char dst[UNITS_TEXT];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        ck_assert_str_eq(row[i].fn(dst, row[i].v), row[i].text);
}
END_TEST

START_TEST(test_steps)
{
    ck_assert_int_eq(fill_steps(NAN, 1, 8), 0);
    ck_assert_int_eq(fill_steps(0, 1, 8), 0);
    ck_assert_int_eq(fill_steps(1e-9, 1, 8), 1); /* a little is not nothing */
    ck_assert_int_eq(fill_steps(0.5, 1, 8), 4);
    ck_assert_int_eq(fill_steps(7, 1, 8), 8);
    ck_assert_int_eq(fill_steps(1, 0, 8), 0);
}
END_TEST

START_TEST(test_sparkline_tells_a_gap_from_zero)
{
    const double v[] = {0, 50, NAN, 100};
    begin(6, 1, CHARSET_BLOCKS);
    sparkline_draw(&c, whole(), ROLE_READ, v, 4, 0);
    ck_assert_int_eq(c.cell[2].role, ROLE_DIM);
    ck_assert_int_eq(c.cell[3].role, ROLE_READ);
    expect("  ▁▄ █\n");
    begin(3, 1, CHARSET_ASCII); /* the newest ones when there is less room */
    sparkline_draw(&c, whole(), ROLE_READ, v, 4, 0);
    expect("= @\n");
}
END_TEST

START_TEST(test_meter)
{
    begin(8, 1, CHARSET_BRAILLE);
    meter_draw(&c, whole(), (struct style){.role = ROLE_CPU}, 33, 64);
    expect("████▏\n");
    begin(8, 1, CHARSET_ASCII);
    meter_progress(&c, whole(), (struct style){.role = ROLE_GOOD}, 1, 2);
    expect("####----\n");
    begin(8, 1, CHARSET_BLOCKS);
    meter_draw(&c, whole(), (struct style){.role = ROLE_CPU}, NAN, 64);
    expect("\n");
}
END_TEST

START_TEST(test_bars)
{
    const struct bar b[] = {
        {.label = "<128µs", .share = 0.75}, {.label = "<256µs", .share = 0.25}, {.label = "<512µs"}};
    begin(24, 3, CHARSET_BLOCKS);
    bars_draw(&c, whole(), b, 3);
    expect("<128µs ██████████  75.0%\n<256µs ███▍        25.0%\n<512µs\n");
}
END_TEST

START_TEST(test_graph_is_mirrored)
{
    const double up[] = {NAN, 1, 2, 3}, down[] = {NAN, 1, 0, 2};
    struct graph g = {up, down, 4, 1, 0, 3, ROLE_READ, ROLE_WRITE};
    begin(4, 6, CHARSET_BLOCKS);
    graph_draw(&c, whole(), &g);
    ck_assert_int_eq(c.cell[3].role, ROLE_READ);
    ck_assert_int_eq(c.cell[3].level, 100); /* the top row is always the top colour */
    ck_assert_int_eq(c.cell[2 * 4 + 1].level, c.cell[2 * 4 + 3].level);
    ck_assert_int_eq(c.cell[4 * 4 + 1].role, ROLE_WRITE);
    expect("   █\n  ██\n ███\n ───\n █ █\n   █\n");
    begin(2, 4, CHARSET_BRAILLE);
    g.up_rows = 2;
    g.unit = 2;
    graph_draw(&c, whole(), &g);
    expect(" ⢠\n⢠⣿\n──\n⠘⢸\n");
}
END_TEST

START_TEST(test_graph_scale_is_round)
{
    ck_assert_double_eq_tol(graph_unit(412e6, 3, 177e6, 2, 1e6), 200e6, 1);
    ck_assert_double_eq_tol(graph_unit(0, 3, 0, 2, 1e6), 1e6, 1);
    ck_assert_double_eq_tol(graph_unit(NAN, 3, NAN, 2, 1e6), 1e6, 1);
    ck_assert_double_eq_tol(graph_unit(3e6, 3, 5e6, 2, 0), 2.5e6, 1);
    ck_assert_double_eq_tol(graph_unit(100e9, 1, 0, 1, 0), 100e9, 1);
}
END_TEST

START_TEST(test_sentences_wrap_at_blanks)
{
    struct rect two = {0, 0, 12, 2};
    const struct style st = {.role = ROLE_ERROR};
    ck_assert_int_eq(table_wrap(NULL, two, st, "read at 4096: none"), 2);
    ck_assert_int_eq(table_wrap(NULL, two, st, ""), 0);
    ck_assert_int_eq(table_wrap(NULL, (struct rect){0, 0, 4, 1}, st, "unbreakable"), 3);
    ck_assert_int_eq(table_wrap(NULL, (struct rect){0, 0, 2, 1}, st, "µµµ"), 2); /* columns, not bytes */
    begin(12, 2, CHARSET_BRAILLE);
    ck_assert_int_eq(table_wrap(&c, two, st, "read at 4096: no such device"), 3);
    expect("read at\n4096: no su…\n"); /* all of the rest in the last line, as far as it goes */
}
END_TEST

START_TEST(test_table_drops_and_cuts)
{
    static const struct table_column col[] = {
        {.head = "NAME", .width = 6, .most = 10, .left = true}, {"r/s", 6, 0, 1, false}, {"w/s", 6, 0, 2, false}};
    struct table t;
    begin(16, 2, CHARSET_BRAILLE);
    table_fit(&t, col, 3, whole());
    ck_assert_int_eq(t.w[2], 0);
    ck_assert_int_eq(t.w[0], 9);
    table_heads(&c, &t, 0, (struct style){.role = ROLE_TITLE});
    table_cell(&c, &t, 0, 1, (struct style){0}, "a-long-name");
    table_cell(&c, &t, 1, 1, (struct style){0}, "100.7k");
    table_cell(&c, &t, 2, 1, (struct style){0}, "nowhere");
    expect("NAME         r/s\na-long-n… 100.7k\n");
}
END_TEST

static const struct core_thread threads[] = {{0, true, 100}, {4, true, 25},  {1, true, 50}, {5, false, NAN},
                                             {2, true, 0},   {6, true, NAN}, {3, true, 4},  {7, true, 99}};
static const struct core pairs[] = {{0, 0, 2}, {0, 2, 2}, {1, 4, 2}, {1, 6, 2}};
static const struct cores machine = {pairs, 4, threads};

START_TEST(test_cores_as_meters)
{
    struct cores_plan p = cores_plan(&machine, 60, 2);
    ck_assert_int_eq(p.style, CORES_METERS);
    ck_assert_int_eq(p.rows, 2);
    begin(60, 2, CHARSET_BLOCKS);
    cores_draw(&c, whole(), &machine, &p);
    expect("  0 ██████ 100% █▌      25%     1 ███     50% ·       off\n"
           "  2          0%          --     3 ▎        4% ██████  99%\n");
}
END_TEST

START_TEST(test_cores_as_pairs_then_a_strip)
{
    struct cores_plan p = cores_plan(&machine, 12, 2);
    ck_assert_int_eq(p.style, CORES_BARS);
    begin(12, 2, CHARSET_BLOCKS);
    cores_draw(&c, whole(), &machine, &p);
    ck_assert_int_eq(c.cell[6].role, ROLE_CPU);
    ck_assert_int_eq(c.cell[7].role, ROLE_DIM); /* off-line */
    expect(" 0 █▂ ▄·\n 1 ▁- ▁█\n");
    p = cores_plan(&machine, 5, 2);
    ck_assert_int_eq(p.style, CORES_STRIP);
    ck_assert_uint_eq(p.threads, 8);
    begin(5, 2, CHARSET_ASCII);
    cores_draw(&c, whole(), &machine, &p);
    expect("@:=x\n.-.@\n"); /* no core is torn apart */
}
END_TEST

START_TEST(test_many_threads)
{
    enum { N = 256 };
    static struct core_thread t[N];
    static struct core k[N / 2];
    for (unsigned i = 0; i < N; i++)
        t[i] = (struct core_thread){i, true, i % 100};
    for (size_t i = 0; i < N / 2; i++)
        k[i] = (struct core){i >= N / 4, i * 2, 2};
    struct cores m = {k, N / 2, t};
    ck_assert_uint_eq(cores_plan(&m, 44, 6).threads, N);
    struct cores_plan p = cores_plan(&m, 44, 3);
    ck_assert_int_eq(p.style, CORES_STRIP);
    ck_assert_uint_eq(p.threads, 3 * 44);
    ck_assert_int_eq(p.rows, 3);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("widgets");
    TCase *t = tcase_create("widgets");
    tcase_add_test(t, test_numbers);
    tcase_add_test(t, test_steps);
    tcase_add_test(t, test_sparkline_tells_a_gap_from_zero);
    tcase_add_test(t, test_meter);
    tcase_add_test(t, test_bars);
    tcase_add_test(t, test_graph_is_mirrored);
    tcase_add_test(t, test_graph_scale_is_round);
    tcase_add_test(t, test_sentences_wrap_at_blanks);
    tcase_add_test(t, test_table_drops_and_cuts);
    tcase_add_test(t, test_cores_as_meters);
    tcase_add_test(t, test_cores_as_pairs_then_a_strip);
    tcase_add_test(t, test_many_threads);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
