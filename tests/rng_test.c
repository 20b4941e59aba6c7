/* rng: same seed, same numbers; ranges are kept and filled evenly; filled memory does not repeat. */
#include "engine/rng.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(the_same_seed_gives_the_same_run)
{
    struct rng a, b, c;
    rng_seed(&a, 1);
    rng_seed(&b, 1);
    rng_seed(&c, 2);
    unsigned same = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t v = rng_next(&a);
        ck_assert_uint_eq(v, rng_next(&b));
        same += v == rng_next(&c);
    }
    ck_assert_uint_eq(same, 0);
}
END_TEST

START_TEST(below_stays_below_and_is_even)
{
    struct rng r;
    rng_seed(&r, (uint64_t)_i);
    unsigned count[7] = {0};
    for (int i = 0; i < 70000; i++) {
        uint64_t v = rng_below(&r, 7);
        ck_assert_uint_lt(v, 7);
        count[v]++;
    }
    for (int i = 0; i < 7; i++) /* 10000 each; six standard deviations */
        ck_assert_msg(count[i] > 9440 && count[i] < 10560, "%d came %u times", i, count[i]);
    ck_assert_uint_eq(rng_below(&r, 1), 0);
}
END_TEST

START_TEST(fill_reaches_every_byte_and_no_further)
{
    struct rng r;
    rng_seed(&r, 3);
    unsigned char buf[64];
    unsigned changed[64] = {0};
    size_t n = (size_t)_i;
    for (int round = 0; round < 40; round++) {
        memset(buf, 0, sizeof(buf));
        rng_fill(&r, buf, n);
        for (size_t i = 0; i < sizeof(buf); i++)
            changed[i] += buf[i] != 0;
    }
    for (size_t i = 0; i < sizeof(buf); i++)
        ck_assert_int_eq(changed[i] > 0, i < n);
}
END_TEST

/* Random bytes have 8 bits of entropy each: their counts are even, and no word comes twice. */
START_TEST(filled_memory_does_not_compress)
{
    struct rng r;
    rng_seed(&r, 4);
    static unsigned char buf[1 << 20];
    rng_fill(&r, buf, sizeof(buf));
    unsigned count[256] = {0};
    for (size_t i = 0; i < sizeof(buf); i++)
        count[buf[i]]++;
    for (int i = 0; i < 256; i++) /* 4096 each; six standard deviations */
        ck_assert_msg(count[i] > 3712 && count[i] < 4480, "byte %d came %u times", i, count[i]);
    for (size_t i = 4096; i < sizeof(buf); i += 4096)
        ck_assert_int_ne(memcmp(buf, buf + i, 4096), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rng");
    TCase *c = tcase_create("rng");
    suite_add_tcase(s, c);
    tcase_add_test(c, the_same_seed_gives_the_same_run);
    tcase_add_loop_test(c, below_stays_below_and_is_even, 0, 10);
    tcase_add_loop_test(c, fill_reaches_every_byte_and_no_further, 0, 33);
    tcase_add_test(c, filled_memory_does_not_compress);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
