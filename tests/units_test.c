/* Tests of core/units: fio's suffixes, exact round trips, what people read. */
#include "core/units.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "tests/suite.h"

#define KI 1024ull
#define S 1000000000ull

typedef int parser(const char *s, uint64_t *ret, const char **ret_bad);

static const struct {
    parser *parse;
    const char *text;
    int rc, bad;
    uint64_t v;
} parsed[] = {
    {units_parse_bytes, "0", 0, 0, 0},
    {units_parse_bytes, "512", 0, 0, 512},
    {units_parse_bytes, "4k", 0, 0, 4096},
    {units_parse_bytes, "4K", 0, 0, 4096},
    {units_parse_bytes, "4kb", 0, 0, 4096},
    {units_parse_bytes, "4KiB", 0, 0, 4096},
    {units_parse_bytes, "4ki", 0, 0, 4096},
    {units_parse_bytes_si, "4ki", 0, 0, 4096},
    {units_parse_bytes_si, "4kib", 0, 0, 4096},
    {units_parse_bytes_si, "4k", 0, 0, 4000},
    {units_parse_bytes_si, "4KB", 0, 0, 4000},
    {units_parse_bytes_si, "1.5m", 0, 0, 1500000},
    {units_parse_bytes_si, "4x", -EINVAL, 1, 0},
    {units_parse_bytes, "1.5k", 0, 0, 1536},
    {units_parse_bytes, "1.50k", 0, 0, 1536},
    {units_parse_bytes, "2.0", 0, 0, 2},
    {units_parse_bytes, "1m", 0, 0, KI *KI},
    {units_parse_bytes, "3g", 0, 0, 3 * KI *KI *KI},
    {units_parse_bytes, "1t", 0, 0, KI *KI *KI *KI},
    {units_parse_bytes, "2p", 0, 0, 2 * KI *KI *KI *KI *KI},
    {units_parse_bytes, "16383p", 0, 0, 16383 * KI *KI *KI *KI *KI},
    {units_parse_bytes, "16384p", -ERANGE, 0, 0},
    {units_parse_bytes, "18446744073709551616", -ERANGE, 0, 0},
    {units_parse_bytes, "0.3k", -EINVAL, 1, 0},
    {units_parse_bytes, "1.5", -EINVAL, 1, 0},
    {units_parse_bytes, "0.00000000000000000001p", -EINVAL, 1, 0},
    {units_parse_bytes, "4x", -EINVAL, 1, 0},
    {units_parse_bytes, "4 k", -EINVAL, 1, 0},
    {units_parse_bytes, "4kk", -EINVAL, 1, 0},
    {units_parse_bytes, "k", -EINVAL, 0, 0},
    {units_parse_bytes, "", -EINVAL, 0, 0},
    {units_parse_bytes, "-4k", -EINVAL, 0, 0},
    {units_parse_bytes, "1.", -EINVAL, 2, 0},
    {units_parse_bytes, ".5k", -EINVAL, 0, 0},
    {units_parse_bytes, "1.5.5k", -EINVAL, 3, 0},
    {units_parse_time_ns, "10", 0, 0, 10 * S},
    {units_parse_time_ns, "10s", 0, 0, 10 * S},
    {units_parse_time_ns, "0.5", 0, 0, S / 2},
    {units_parse_time_ns, "100ms", 0, 0, S / 10},
    {units_parse_time_ns, "2m", 0, 0, 120 * S},
    {units_parse_time_ns, "2M", 0, 0, 120 * S},
    {units_parse_time_ns, "1h", 0, 0, 3600 * S},
    {units_parse_time_ns, "1.5d", 0, 0, 129600 * S},
    {units_parse_time_ns, "7us", 0, 0, 7000},
    {units_parse_time_ns, "7ns", 0, 0, 7},
    {units_parse_time_ns, "0.1ns", -EINVAL, 1, 0},
    {units_parse_time_ns, "10x", -EINVAL, 2, 0},
    {units_parse_time_ns, "1k", -EINVAL, 1, 0},
    {units_parse_time_ns, "1000000d", -ERANGE, 0, 0},
    {units_parse_time_us, "10", 0, 0, 10000},
    {units_parse_time_us, "1.5", 0, 0, 1500},
    {units_parse_time_us, "10ms", 0, 0, S / 100},
};

START_TEST(parses_as_fio_does)
{
    const char *s = parsed[_i].text, *bad = s;
    uint64_t v = 77;
    ck_assert_msg(parsed[_i].parse(s, &v, &bad) == parsed[_i].rc, "'%s'", s);
    ck_assert_msg(v == (parsed[_i].rc ? 77 : parsed[_i].v), "'%s' -> %llu", s, (unsigned long long)v);
    ck_assert_msg(bad - s == parsed[_i].bad, "'%s' bad at %d", s, (int)(bad - s));
    ck_assert_int_eq(parsed[_i].parse(s, &v, NULL), parsed[_i].rc);
}
END_TEST

static const struct {
    uint64_t v;
    const char *bytes, *time;
} exact[] = {
    {0, "0", "0s"},
    {1, "1", "1ns"},
    {1000, "1000", "1us"},
    {4096, "4k", "4096ns"},
    {1536, "1536", "1536ns"},
    {1ull << 20, "1m", "1048576ns"},
    {3ull << 30, "3g", "3221225472ns"},
    {1500000000, "1500000000", "1500ms"},
    {10 * S, "9765625k", "10s"},
    {90 * S, "87890625k", "90s"},
    {120 * S, "117187500k", "2m"},
    {86400 * S, "84375000000k", "1d"},
    {UINT64_MAX, "18446744073709551615", "18446744073709551615ns"},
};

START_TEST(exact_text_comes_back_exactly)
{
    char b[UNITS_TEXT];
    uint64_t v = ~exact[_i].v;
    units_exact_bytes(exact[_i].v, b);
    ck_assert_str_eq(b, exact[_i].bytes);
    ck_assert_int_eq(units_parse_bytes(b, &v, NULL), 0);
    ck_assert_uint_eq(v, exact[_i].v);
    v = ~exact[_i].v;
    units_exact_time(exact[_i].v, b);
    ck_assert_str_eq(b, exact[_i].time);
    ck_assert_int_eq(units_parse_time_ns(b, &v, NULL), 0);
    ck_assert_uint_eq(v, exact[_i].v);
}
END_TEST

static const struct {
    double v;
    const char *count, *bytes, *ns, *ascii;
} human[] = {
    {NAN, "--", "--", "--", "--"},
    {INFINITY, "--", "--", "--", "--"},
    {0, "0", "0", "0ns", "0ns"},
    {0.25, "0.25", "0.25", "0ns", "0ns"},
    {12.34, "12.3", "12.3", "12ns", "12ns"},
    {512, "512", "512", "512ns", "512ns"},
    {999, "999", "999", "999ns", "999ns"},
    {999.7, "1.0k", "1.0k", "1.00µs", "1.00us"},
    {1000, "1.0k", "1.0k", "1.00µs", "1.00us"},
    {4096, "4.1k", "4.0k", "4.10µs", "4.10us"},
    {100700, "100.7k", "98.3k", "101µs", "101us"},
    {210000, "210.0k", "205.1k", "210µs", "210us"},
    {999960, "1.0M", "976.5k", "1.00ms", "1.00ms"},
    {1024000, "1.0M", "1.0M", "1.02ms", "1.02ms"},
    {432328409, "432.3M", "412.3M", "432ms", "432ms"},
    {3.6e12, "3.6T", "3.3T", "3600s", "3600s"},
    {-2500, "-2.5k", "-2.4k", "-2.50µs", "-2.50us"},
};

START_TEST(people_read_four_digits)
{
    char b[UNITS_TEXT];
    units_human_count(human[_i].v, b);
    ck_assert_str_eq(b, human[_i].count);
    units_human_bytes(human[_i].v, b);
    ck_assert_str_eq(b, human[_i].bytes);
    units_human_ns(human[_i].v, 0, b);
    ck_assert_str_eq(b, human[_i].ns);
    units_human_ns(human[_i].v, 1, b);
    ck_assert_str_eq(b, human[_i].ascii);
}
END_TEST

/* Columns of tables rely on it. */
START_TEST(human_text_never_outgrows_its_column)
{
    char b[UNITS_TEXT];
    for (double v = 1e-3; v < 1e18; v *= 1.0117) {
        units_human_count(v, b);
        ck_assert_msg(strlen(b) <= 6, "%g -> %s", v, b);
        units_human_bytes(v, b);
        ck_assert_msg(strlen(b) <= 6, "%g -> %s", v, b);
        units_human_ns(v < 9e12 ? v : 1, 1, b);
        ck_assert_msg(strlen(b) <= 6, "%g -> %s", v, b);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("units");
    tcase_add_loop_test(tc, parses_as_fio_does, 0, sizeof parsed / sizeof *parsed);
    tcase_add_loop_test(tc, exact_text_comes_back_exactly, 0, sizeof exact / sizeof *exact);
    tcase_add_loop_test(tc, people_read_four_digits, 0, sizeof human / sizeof *human);
    tcase_add_test(tc, human_text_never_outgrows_its_column);
    return suite_run("units", tc);
}
