/* canvas: clipping, widths, broken text, boxes and labels at every size, dumps. */
#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/canvas.h"
#include "tui/glyph.h"

static const struct style text = {.role = ROLE_TEXT};

static struct rect all(const struct canvas *c)
{
    return (struct rect){0, 0, c->w, c->h};
}

/* The canvas as text; freed by the caller. */
static char *dump(const struct canvas *c)
{
    struct strbuf b = {0};
    canvas_dump_text(c, &b);
    return b.s;
}

static void check_dump(const struct canvas *c, const char *want)
{
    char *got = dump(c);
    ck_assert_str_eq(got, want);
    free(got);
}

START_TEST(text_is_put_and_clipped)
{
    struct canvas c;
    ck_assert_int_eq(canvas_init(&c, 8, 2), 0);
    ck_assert_int_eq(canvas_text(&c, all(&c), 2, 0, text, "hello world"), 13);
    ck_assert_int_eq(canvas_text(&c, (struct rect){1, 1, 3, 1}, 0, 1, text, "abcdef"), 6);
    canvas_text(&c, all(&c), 0, 7, text, "below");
    canvas_text(&c, all(&c), 0, -1, text, "above");
    canvas_text(&c, all(&c), -3, 0, text, "xyzA");
    check_dump(&c, "A hello\n bcd\n");
    canvas_fini(&c);
}
END_TEST

START_TEST(right_aligned_ends_before_its_column)
{
    struct canvas c;
    canvas_init(&c, 10, 1);
    canvas_text_right(&c, all(&c), 9, 0, text, "4.2 µs");
    check_dump(&c, "   4.2 µs\n");
    canvas_fini(&c);
}
END_TEST

START_TEST(broken_text_becomes_question_marks)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"a\tb\x1b[0m", "a?b?[0m"},   {"\xff\xfe", "??"}, {"x\xc3", "x?"},
        {"\xe2\x82", "??"},           {"\xc0\xaf", "??"}, {"\xed\xa0\x80", "???"},
        {"\xf5\x80\x80\x80", "????"}, {"\x7f", "?"},      {"\xc2\x9b", "?"},
        {"é\xcc\x81", "é"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct canvas c;
        char want[32];
        canvas_init(&c, 12, 1);
        canvas_text(&c, all(&c), 0, 0, text, rows[i].in);
        snprintf(want, sizeof want, "%s\n", rows[i].out);
        check_dump(&c, want);
        canvas_fini(&c);
    }
}
END_TEST

/* The same columns in a UTF-8 locale and in C: a golden screen must not depend on it. */
static const char *const locales[] = {"C", "C.UTF-8"};

START_TEST(wide_characters_take_two_columns_or_none)
{
    ck_assert_ptr_nonnull(setlocale(LC_CTYPE, locales[_i]));
    ck_assert_int_eq(canvas_width("磁盘a"), 5);
    ck_assert_int_eq(canvas_width("▂▃▅⣿µ°–…"), 8);
    ck_assert_int_eq(canvas_width("e\xcc\x81"), 1);
    struct canvas c;
    canvas_init(&c, 5, 1);
    canvas_text(&c, all(&c), 0, 0, text, "磁盘卷");
    check_dump(&c, "磁盘\n"); /* the third would be cut */
    ck_assert_uint_eq(c.cell[1].ch, 0);
    canvas_text(&c, all(&c), 1, 0, text, "x"); /* onto a right half */
    check_dump(&c, " x盘\n");
    canvas_text(&c, all(&c), 2, 0, text, "y"); /* onto a left half */
    check_dump(&c, " xy\n");
    canvas_text(&c, (struct rect){1, 0, 4, 1}, 0, 0, text, "磁"); /* left half clipped away */
    check_dump(&c, "  y\n");
    canvas_fini(&c);
}
END_TEST

START_TEST(ascii_has_nothing_else)
{
    struct canvas c;
    canvas_init(&c, 24, 3);
    c.charset = CHARSET_ASCII;
    struct label labels[] = {{SIDE_TOP_LEFT, "1 µ", text, 0}, {0}};
    struct rect in = canvas_box(&c, all(&c), labels);
    ck_assert_int_eq(canvas_text(&c, in, in.x, in.y, text, "▸nvme… 4µs ◂8▸ 磁z"), 18 + 1);
    check_dump(&c, "+-|1 u|----------------+\n"
                   "|>nvme~ 4us <8> ??z    |\n"
                   "+----------------------+\n");
    canvas_fini(&c);
}
END_TEST

START_TEST(box_carries_labels_in_order_of_importance)
{
    struct canvas c;
    canvas_init(&c, 40, 3);
    struct label labels[] = {
        {SIDE_TOP_LEFT, "1 devices", {.role = ROLE_TITLE}, 0},
        {SIDE_TOP_RIGHT, "RUN 00:42", text, -1},
        {SIDE_TOP_RIGHT, "0.5 s", text, -1},
        {SIDE_TOP_RIGHT, "too long to stand there", text, -1},
        {SIDE_BOTTOM_LEFT, "d tree", text, 0},
        {SIDE_BOTTOM_LEFT, "s sort", text, 0},
        {SIDE_BOTTOM_RIGHT, "", text, -1},
        {SIDE_BOTTOM_RIGHT, "588 MB/s", text, -1},
        {0},
    };
    struct rect in = canvas_box(&c, all(&c), labels);
    ck_assert_int_eq(in.x, 1);
    ck_assert_int_eq(in.y, 1);
    ck_assert_int_eq(in.w, 38);
    ck_assert_int_eq(in.h, 1);
    check_dump(&c, "╭─┤1 devices├──────┤RUN 00:42├─┤0.5 s├─╮\n"
                   "│                                      │\n"
                   "╰─┤d tree├┤s sort├──────────┤588 MB/s├─╯\n");
    canvas_fini(&c);
}
END_TEST

START_TEST(hot_letter_has_its_role)
{
    struct canvas c;
    struct strbuf b = {0};
    canvas_init(&c, 14, 2);
    struct label labels[] = {{SIDE_TOP_LEFT, "d tree", {.role = ROLE_TITLE}, 0}, {0}};
    canvas_box(&c, all(&c), labels);
    canvas_dump_roles(&c, &b);
    ck_assert_str_eq(b.s, "bbbk.TTTTbbbbb\nbbbbbbbbbbbbbb\n");
    strbuf_fini(&b);
    canvas_fini(&c);
}
END_TEST

START_TEST(roles_show_what_a_blank_shows)
{
    struct canvas c;
    struct strbuf b = {0};
    canvas_init(&c, 4, 1);
    canvas_text(&c, all(&c), 0, 0, (struct style){.role = ROLE_SELECTED}, "a ");
    canvas_text(&c, all(&c), 2, 0, (struct style){.role = ROLE_READ, .level = 7}, " x");
    canvas_dump_roles(&c, &b);
    ck_assert_str_eq(b.s, "ss.r\n");
    ck_assert_uint_eq(c.cell[3].level, 7);
    strbuf_fini(&b);
    canvas_fini(&c);
}
END_TEST

/* Any rectangle on any canvas: nothing is written outside (ASan watches), the border stays inside the rectangle.
 */
START_TEST(boxes_of_every_size)
{
    static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 3}, {5, 2}, {20, 5}, {80, 24}, {500, 200}};
    struct label labels[] = {{SIDE_TOP_LEFT, "title", text, 0},
                             {SIDE_TOP_RIGHT, "磁盘", text, -1},
                             {SIDE_BOTTOM_LEFT, "left", text, 1},
                             {SIDE_BOTTOM_RIGHT, "right", text, -1},
                             {0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct canvas c;
        ck_assert_int_eq(canvas_init(&c, sizes[i][0], sizes[i][1]), 0);
        for (int w = -1; w <= 40; w++)
            for (int h = -1; h <= 4; h++)
                for (int x = -2; x <= 2; x++) {
                    struct rect in = canvas_box(&c, (struct rect){x, -1, w, h}, labels);
                    ck_assert_int_ge(in.w, 0);
                    ck_assert_int_le(in.w, w > 2 ? w - 2 : 0);
                    ck_assert_int_le(in.h, h > 2 ? h - 2 : 0);
                }
        canvas_clear(&c);
        struct rect in = canvas_box(&c, all(&c), labels);
        canvas_text(&c, in, in.x, in.y, text, "a text that is longer than most of these");
        if (c.w >= 2 && c.h >= 2) {
            ck_assert_uint_eq(c.cell[0].ch, 0x256d);
            ck_assert_uint_eq(c.cell[c.w * c.h - 1].ch, 0x256f);
        } else
            ck_assert_int_eq(in.w * in.h, 0);
        canvas_fini(&c);
    }
}
END_TEST

START_TEST(fill_and_resize)
{
    struct canvas c;
    canvas_init(&c, 4, 2);
    canvas_fill(&c, (struct rect){-5, 0, 7, 9}, text, 0x2588);
    check_dump(&c, "██\n██\n");
    canvas_fill(&c, all(&c), text, 0x78c1); /* wide: every second column */
    check_dump(&c, "磁磁\n磁磁\n");
    ck_assert_int_eq(canvas_resize(&c, 2, 4), 0);
    check_dump(&c, "\n\n\n\n");
    ck_assert_int_eq(canvas_resize(&c, 0, -3), 0); /* never smaller than a cell */
    ck_assert_int_eq(c.w * c.h, 1);
    canvas_fini(&c);
}
END_TEST

START_TEST(ansi_dump_carries_colours_and_resets)
{
    struct canvas c;
    struct theme t;
    struct strbuf b = {0};
    theme_terminal(&t);
    canvas_init(&c, 6, 2);
    canvas_text(&c, all(&c), 0, 0, (struct style){.role = ROLE_ERROR}, "ab");
    canvas_text(&c, all(&c), 2, 0, text, "cd");
    canvas_dump_ansi(&c, &t, 16, &b);
    ck_assert_str_eq(b.s, "\033[0;31mab\033[0mcd\033[0m\n\033[0m\n");
    strbuf_reset(&b);
    canvas_dump_ansi(&c, &t, 0, &b); /* the meaning stays without colour */
    ck_assert_str_eq(b.s, "\033[0;1;7mab\033[0mcd\033[0m\n\033[0m\n");
    strbuf_fini(&b);
    canvas_fini(&c);
}
END_TEST

START_TEST(svg_dump_is_text_that_can_be_found)
{
    struct canvas c;
    struct theme t;
    struct strbuf b = {0};
    theme_terminal(&t);
    canvas_init(&c, 12, 2);
    canvas_text(&c, all(&c), 1, 1, text, "p99 < 1 & x");
    canvas_dump_svg(&c, &t, &b);
    ck_assert_ptr_nonnull(strstr(b.s, "width=\"108\" height=\"36\""));
    ck_assert_ptr_nonnull(strstr(b.s, ">p99 &lt; 1 &amp; x</text>"));
    ck_assert_str_eq(b.s + b.len - 7, "</svg>\n");
    strbuf_fini(&b);
    canvas_fini(&c);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("canvas");
    tcase_add_test(tc, text_is_put_and_clipped);
    tcase_add_test(tc, right_aligned_ends_before_its_column);
    tcase_add_test(tc, broken_text_becomes_question_marks);
    tcase_add_loop_test(tc, wide_characters_take_two_columns_or_none, 0, 2);
    tcase_add_test(tc, ascii_has_nothing_else);
    tcase_add_test(tc, box_carries_labels_in_order_of_importance);
    tcase_add_test(tc, hot_letter_has_its_role);
    tcase_add_test(tc, roles_show_what_a_blank_shows);
    tcase_add_test(tc, boxes_of_every_size);
    tcase_add_test(tc, fill_and_resize);
    tcase_add_test(tc, ansi_dump_carries_colours_and_resets);
    tcase_add_test(tc, svg_dump_is_text_that_can_be_found);
    Suite *s = suite_create("canvas");
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
