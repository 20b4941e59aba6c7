/* The check value, known vectors (RFC 3720, B.4), and that instruction and table agree on any length and start. */
#include "engine/crc32c.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(known_values)
{
    unsigned char zero[32] = {0}, ones[32], up[32];
    memset(ones, 0xff, sizeof(ones));
    for (unsigned i = 0; i < sizeof(up); i++)
        up[i] = (unsigned char)i;
    uint32_t (*const fn[])(uint32_t, const void *, size_t) = {crc32c, crc32c_table};
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(fn[i](0, "123456789", 9), 0xe3069283);
        ck_assert_uint_eq(fn[i](0, zero, 32), 0x8a9136aa);
        ck_assert_uint_eq(fn[i](0, ones, 32), 0x62a8ab43);
        ck_assert_uint_eq(fn[i](0, up, 32), 0x46dd794e);
        ck_assert_uint_eq(fn[i](0, "", 0), 0);
    }
}
END_TEST

START_TEST(pieces_make_the_whole)
{
    unsigned char b[300];
    srand(1);
    for (size_t i = 0; i < sizeof(b); i++)
        b[i] = (unsigned char)rand();
    for (size_t from = 0; from < 9; from++)
        for (size_t n = 0; n + from < sizeof(b); n++) {
            uint32_t whole = crc32c_table(0, b + from, n);
            ck_assert_uint_eq(crc32c(0, b + from, n), whole);
            ck_assert_uint_eq(crc32c(crc32c(0, b + from, n / 3), b + from + n / 3, n - n / 3), whole);
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("crc32c");
    TCase *c = tcase_create("crc32c");
    suite_add_tcase(s, c);
    tcase_add_test(c, known_values);
    tcase_add_test(c, pieces_make_the_whole);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
