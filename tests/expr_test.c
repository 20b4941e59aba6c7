/* Tests of core/expr: what binds how, suffixes, and where it is not understood. */
#include "core/expr.h"

#include <errno.h>
#include <string.h>

#include "tests/suite.h"

static double scale(const char *suffix)
{
    return !strcmp(suffix, "k") ? 1024 : 0;
}

static const struct {
    const char *text;
    int rc, bad;
    double v;
} cases[] = {
    {"(2*3)", 0, 0, 6},          {"(2+3*4)", 0, 0, 14},       {"(2*3)k", 0, 0, 6144},
    {"(2k*3)", 0, 0, 6144},      {"(2^3^2)", 0, 0, 512},      {"(10%4*2)", 0, 0, 4},
    {"(7/2)", 0, 0, 3},          {"(7.0/2.5)", 0, 0, 2.8},    {"(-3+5)", 0, 0, 2},
    {"((2+3)*(4-1))", 0, 0, 15}, {"( 2 * 3 )", 0, 0, 6},      {"(2*-3)", 0, 0, -6},
    {"(1/0)", -ERANGE, 4, 0},    {"(5%0)", -ERANGE, 4, 0},    {"(2*", -EINVAL, 3, 0},
    {"(2*3", -EINVAL, 4, 0},     {"(2*3)x", -EINVAL, 5, 0},   {"2**3", -EINVAL, 2, 0},
    {"", -EINVAL, 0, 0},         {"(9^9999999)", -ERANGE, 11, 0},
};

START_TEST(evaluates)
{
    long double v = 77;
    const char *s = cases[_i].text, *bad = s;
    ck_assert_msg(expr_eval(s, scale, &v, &bad) == cases[_i].rc, "%s", s);
    ck_assert_double_eq_tol((double)v, cases[_i].rc ? 77 : cases[_i].v, 1e-12);
    ck_assert_msg(bad - s == cases[_i].bad, "%s: bad at %d", s, (int)(bad - s));
}
END_TEST

START_TEST(depth_is_bounded)
{
    char text[4000];
    long double v;
    memset(text, '(', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    ck_assert_int_eq(expr_eval(text, scale, &v, NULL), -EINVAL);
    memset(text, '-', sizeof(text) - 1);
    ck_assert_int_eq(expr_eval(text, scale, &v, NULL), -EINVAL);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("expr");
    tcase_add_loop_test(t, evaluates, 0, (int)(sizeof(cases) / sizeof(cases[0])));
    tcase_add_test(t, depth_is_bounded);
    return suite_run("expr", t);
}
