/* Tests of core/str: bounds, what a number is, where it goes wrong, growth. */
#include "core/str.h"

#include <errno.h>
#include <string.h>

#include "tests/suite.h"

START_TEST(copies_are_bounded_and_terminated)
{
    char b[4];
    ck_assert(str_copy(b, sizeof b, "abc"));
    ck_assert_str_eq(b, "abc");
    ck_assert(!str_copy(b, sizeof b, "abcd"));
    ck_assert_str_eq(b, "abc");
    ck_assert(!str_copy(b, 1, "x"));
    ck_assert_str_eq(b, "");
    ck_assert(str_format(b, sizeof b, "%d", 123));
    ck_assert(!str_format(b, sizeof b, "%d", 12345));
    ck_assert_str_eq(b, "123");
}
END_TEST

START_TEST(trim_cuts_both_ends)
{
    char a[] = " \t a b \r\n", b[] = " \n", c[] = "";
    ck_assert_str_eq(str_trim(a), "a b");
    ck_assert_str_eq(str_trim(b), "");
    ck_assert_str_eq(str_trim(c), "");
}
END_TEST

START_TEST(prefixes)
{
    ck_assert(str_starts("nvme0n1", "nvme"));
    ck_assert(str_starts("x", ""));
    ck_assert(!str_starts("nv", "nvme"));
}
END_TEST

static const struct {
    const char *text;
    int rc, bad; /* offset of the bad byte */
    uint64_t v;
} numbers[] = {
    {"0", 0, 0, 0},
    {"007", 0, 0, 7},
    {"18446744073709551615", 0, 0, UINT64_MAX},
    {"18446744073709551616", -ERANGE, 0, 0},
    {"99999999999999999999999x", -EINVAL, 23, 0},
    {"", -EINVAL, 0, 0},
    {"-1", -EINVAL, 0, 0},
    {"+1", -EINVAL, 0, 0},
    {" 1", -EINVAL, 0, 0},
    {"1 ", -EINVAL, 1, 0},
    {"12k", -EINVAL, 2, 0},
    {"0x10", -EINVAL, 1, 0},
};

START_TEST(numbers_name_the_bad_byte)
{
    const char *s = numbers[_i].text, *bad = s;
    uint64_t v = 42;
    ck_assert_int_eq(str_u64(s, &v, &bad), numbers[_i].rc);
    ck_assert_uint_eq(v, numbers[_i].rc ? 42 : numbers[_i].v);
    ck_assert_int_eq(bad - s, numbers[_i].bad);
    ck_assert_int_eq(str_u64(s, &v, NULL), numbers[_i].rc);
}
END_TEST

START_TEST(numbers_in_a_row)
{
    const char *p = "  12\t0 18446744073709551616 x7 8", *at;
    uint64_t v = 0;
    ck_assert(str_next_u64(&p, &v) && v == 12);
    ck_assert(str_next_u64(&p, &v) && v == 0);
    ck_assert(str_next_u64(&p, &v) && v == 0); /* wraps as a counter does */
    at = p;
    ck_assert(!str_next_u64(&p, &v));
    ck_assert_ptr_eq(p, at);
    char w[3];
    ck_assert(str_next_word(&p, w, sizeof w));
    ck_assert_str_eq(w, "x7");
    ck_assert(str_next_u64(&p, &v) && v == 8);
    ck_assert(!str_next_u64(&p, &v));
    ck_assert(!str_next_word(&p, w, sizeof w));
    p = "12ab";
    ck_assert(!str_next_u64(&p, &v));
}
END_TEST

START_TEST(words_are_bounded)
{
    const char *p = " nvme0n1 sda\n";
    char w[5];
    ck_assert(str_next_word(&p, w, sizeof w));
    ck_assert_str_eq(w, "nvme");
    ck_assert(str_next_word(&p, w, sizeof w));
    ck_assert_str_eq(w, "sda");
    ck_assert(!str_next_word(&p, w, sizeof w));
}
END_TEST

START_TEST(strbuf_grows_and_keeps_nul)
{
    struct strbuf b = {0};
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(strbuf_printf(&b, "%03d,", i), 0);
    ck_assert_uint_eq(b.len, 4000);
    ck_assert_int_eq(strncmp(b.s + 3996, "999,", 5), 0);
    strbuf_reset(&b);
    ck_assert_uint_eq(b.len, 0);
    ck_assert_str_eq(b.s, "");
    ck_assert_int_eq(strbuf_put(&b, "a\0b", 3), 0);
    ck_assert_uint_eq(b.len, 3);
    ck_assert_mem_eq(b.s, "a\0b", 4);
    strbuf_fini(&b);
    ck_assert_ptr_null(b.s);
    strbuf_reset(&b);
    strbuf_fini(&b);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("str");
    tcase_add_test(tc, copies_are_bounded_and_terminated);
    tcase_add_test(tc, trim_cuts_both_ends);
    tcase_add_test(tc, prefixes);
    tcase_add_loop_test(tc, numbers_name_the_bad_byte, 0, sizeof numbers / sizeof *numbers);
    tcase_add_test(tc, numbers_in_a_row);
    tcase_add_test(tc, words_are_bounded);
    tcase_add_test(tc, strbuf_grows_and_keeps_nul);
    return suite_run("str", tc);
}
