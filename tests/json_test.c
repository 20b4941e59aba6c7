/* Tests of core/json: what is written is valid, honest and comes back. */
#include "core/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

/* The text of a document, which is freed. */
static char *text_of(struct json *v, int indent)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert_int_eq(json_write(v, f, indent), 0);
    fclose(f);
    json_free(v);
    return text;
}

static void assert_text(struct json *v, const char *want)
{
    char *text = text_of(v, 0);
    ck_assert_str_eq(text, want);
    free(text);
}

START_TEST(keys_keep_their_order)
{
    struct json *o = json_object(), *a = json_array();
    json_put_u64(o, "z", 1);
    json_put_i64(o, "a", -2);
    json_put_bool(o, "m", true);
    json_put_null(o, "n");
    json_put_tri(o, "t", -1);
    json_put_tri(o, "f", 0);
    json_put_tri(o, "y", 1);
    json_add_u64(a, 3);
    json_add_text(a, "x");
    json_add(a, json_object());
    json_add(a, NULL);
    json_put(o, "l", a);
    json_put(o, "nil", NULL);
    assert_text(o, "{\"z\":1,\"a\":-2,\"m\":true,\"n\":null,\"t\":null,\"f\":false,\"y\":true,"
                   "\"l\":[3,\"x\",{},null],\"nil\":null}\n");
}
END_TEST

static const struct {
    double v;
    const char *want;
} nums[] = {
    {0.1, "{\"v\":0.1}\n"},       {5, "{\"v\":5.0}\n"},          {NAN, "{\"v\":null}\n"},
    {INFINITY, "{\"v\":null}\n"}, {-INFINITY, "{\"v\":null}\n"}, {123456789.125, "{\"v\":123456789.125}\n"},
};

START_TEST(numbers_are_honest)
{
    struct json *o = json_object();
    json_put_num(o, "v", nums[_i].v);
    assert_text(o, nums[_i].want);
}
END_TEST

/* Every double is a JSON number that reads back within 15 digits. */
START_TEST(numbers_come_back)
{
    for (double v = 1e-12; v < 1e22; v *= 3.7) {
        struct json *o = json_object();
        json_put_num(o, "v", v);
        char *text = text_of(o, 0);
        struct json *back = json_parse(text, NULL);
        ck_assert_msg(back != NULL, "%s", text);
        ck_assert_double_eq_tol(json_num(json_get(back, "v")) / v, 1, 1e-14);
        json_free(back);
        free(text);
    }
}
END_TEST

START_TEST(large_counters_stay_numbers)
{
    struct json *o = json_object();
    json_put_u64(o, "a", INT64_MAX);
    json_put_u64(o, "b", UINT64_MAX);
    char *text = text_of(o, 0);
    ck_assert_ptr_nonnull(strstr(text, "\"a\":9223372036854775807,"));
    struct json *back = json_parse(text, NULL);
    ck_assert_double_eq_tol(json_num(json_get(back, "b")) / 18446744073709551615.0, 1, 1e-14);
    json_free(back);
    free(text);
}
END_TEST

#define BAD "\xef\xbf\xbd"
static const struct {
    const char *in, *out;
} texts[] = {
    {"plain", "plain"},
    {"µs \xf0\x9f\x92\xbe", "µs \xf0\x9f\x92\xbe"},
    {"a\xff z", "a" BAD " z"},
    {"\x80", BAD},
    {"cut \xe2\x82", "cut " BAD BAD},
    {"overlong \xc0\xaf", "overlong " BAD BAD},
    {"\xe0\x80\x80", BAD BAD BAD},
    {"surrogate \xed\xa0\x80", "surrogate " BAD BAD BAD},
    {"beyond \xf4\x90\x80\x80", "beyond " BAD BAD BAD BAD},
    {"\xf5\x80", BAD BAD},
    {"mixed \xc3\xa9\xc3", "mixed \xc3\xa9" BAD},
    {"tab\t\"q\"\x01", "tab\t\"q\"\x01"},
};

START_TEST(broken_text_is_repaired)
{
    struct json *o = json_object();
    json_put_text(o, "t", texts[_i].in);
    json_put_text(o, "nil", NULL);
    char *text = text_of(o, 2);
    struct json *back = json_parse(text, NULL);
    ck_assert_ptr_nonnull(back);
    ck_assert_str_eq(json_text(json_get(back, "t")), texts[_i].out);
    ck_assert(json_is_null(json_get(back, "nil")));
    json_free(back);
    free(text);
}
END_TEST

START_TEST(reading_says_what_is_not_there)
{
    struct json *v = json_parse("{\"a\":[1,2.5,\"x\",null]}", NULL);
    const struct json *a = json_get(v, "a");
    ck_assert_uint_eq(json_size(v), 1);
    ck_assert_uint_eq(json_size(a), 4);
    ck_assert_double_eq(json_num(json_at(a, 0)), 1);
    ck_assert_double_eq(json_num(json_at(a, 1)), 2.5);
    ck_assert_double_nan(json_num(json_at(a, 2)));
    ck_assert_ptr_null(json_text(json_at(a, 0)));
    ck_assert(json_is_null(json_at(a, 3)) && !json_is_null(json_at(a, 0)));
    ck_assert_ptr_null(json_at(a, 4));
    ck_assert_ptr_null(json_get(v, "b"));
    ck_assert_ptr_null(json_get(a, "a"));
    ck_assert_double_nan(json_num(NULL));
    ck_assert_ptr_null(json_text(NULL));
    ck_assert(!json_is_null(NULL));
    ck_assert_uint_eq(json_size(NULL), 0);
    json_free(v);
    json_free(NULL);
}
END_TEST

START_TEST(bad_documents_get_a_sentence)
{
    static const char *const bad[] = {"", "{", "{\"a\":1", "{\"a\":NaN}", "[1] 2", "{\"a\":1,\"a\":2}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err e = {0};
        ck_assert_ptr_null(json_parse(bad[i], &e));
        ck_assert_int_eq(e.code, -EINVAL);
        ck_assert_ptr_nonnull(strstr(e.text, "line 1"));
    }
}
END_TEST

START_TEST(a_full_disk_is_noticed)
{
    FILE *f = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(f);
    struct json *o = json_object();
    ck_assert_int_eq(json_write(o, f, 0), -ENOSPC);
    json_free(o);
    fclose(f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("json");
    tcase_add_test(tc, keys_keep_their_order);
    tcase_add_loop_test(tc, numbers_are_honest, 0, sizeof nums / sizeof *nums);
    tcase_add_test(tc, numbers_come_back);
    tcase_add_test(tc, large_counters_stay_numbers);
    tcase_add_loop_test(tc, broken_text_is_repaired, 0, sizeof texts / sizeof *texts);
    tcase_add_test(tc, reading_says_what_is_not_there);
    tcase_add_test(tc, bad_documents_get_a_sentence);
    tcase_add_test(tc, a_full_disk_is_noticed);
    return suite_run("json", tc);
}
