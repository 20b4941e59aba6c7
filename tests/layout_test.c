/* layout: parts never overflow, leave in the order of their rank and share what remains.
 * What a screen shows where is tested with the screen. */
#include <check.h>
#include <stdlib.h>

#include "tui/layout.h"

START_TEST(test_leaves_out_the_highest_rank)
{
    const struct layout_part p[] = {
        {.min = 5, .want = 5, .rank = 0}, {.min = 4, .want = 4, .rank = 2}, {.min = 3, .want = 3, .rank = 1}};
    int size[3];
    ck_assert_uint_eq(layout_split(12, p, 3, size), 3);
    ck_assert_int_eq(size[1], 4);
    ck_assert_uint_eq(layout_split(11, p, 3, size), 2);
    ck_assert_int_eq(size[0], 5);
    ck_assert_int_eq(size[1], 0);
    ck_assert_int_eq(size[2], 3);
    ck_assert_uint_eq(layout_split(3, p, 3, size), 1);
    ck_assert_int_eq(size[0], 3); /* rank 0 takes what there is */
}
END_TEST

START_TEST(test_grows_to_wishes_then_by_weight)
{
    const struct layout_part p[] = {{.min = 2, .want = 4, .weight = 1},
                                    {.min = 2, .want = 2, .weight = 3},
                                    {.min = 1, .want = 1, .weight = 0}};
    int size[3];
    layout_split(6, p, 3, size);
    ck_assert_int_eq(size[0], 3); /* one more for the one that still wishes */
    ck_assert_int_eq(size[1], 2);
    layout_split(15, p, 3, size);
    ck_assert_int_eq(size[0], 4 + 2);
    ck_assert_int_eq(size[1], 2 + 6);
    ck_assert_int_eq(size[2], 1);
}
END_TEST

START_TEST(test_a_part_that_is_not_there)
{
    const struct layout_part p[] = {{.min = 0, .want = 9, .weight = 9}, {.min = 1, .want = 1, .weight = 1}};
    int size[2];
    ck_assert_uint_eq(layout_split(8, p, 2, size), 1);
    ck_assert_int_eq(size[0], 0);
    ck_assert_int_eq(size[1], 8);
}
END_TEST

START_TEST(test_never_more_than_there_is)
{
    srand((unsigned)_i + 1);
    for (int round = 0; round < 2000; round++) {
        struct layout_part p[6];
        int size[6], total = rand() % 60, sum = 0;
        bool weight = false;
        for (int i = 0; i < 6; i++) {
            int min = rand() % 8;
            p[i] = (struct layout_part){min, min + rand() % 9, rand() % 3, rand() % 4};
        }
        layout_split(total, p, 6, size);
        for (int i = 0; i < 6; i++) {
            ck_assert_int_ge(size[i], 0);
            ck_assert(size[i] == 0 || size[i] >= p[i].min || p[i].rank == 0);
            weight |= size[i] > 0 && p[i].weight > 0;
            sum += size[i];
        }
        ck_assert_int_le(sum, total);
        ck_assert(!weight || sum == total); /* nothing is left over when somebody takes it */
    }
}
END_TEST

START_TEST(test_cuts)
{
    struct rect r = {3, 4, 20, 10};
    struct rect top = layout_cut_top(&r, 2), right = layout_cut_right(&r, 5);
    ck_assert_int_eq(top.y, 4);
    ck_assert_int_eq(top.h, 2);
    ck_assert_int_eq(r.y, 6);
    ck_assert_int_eq(right.x, 18);
    ck_assert_int_eq(right.h, 8);
    ck_assert_int_eq(r.w, 15);
    struct rect all = layout_cut_left(&r, 99), bottom = layout_cut_bottom(&r, 3);
    ck_assert_int_eq(all.w, 15);
    ck_assert(layout_empty(r) && layout_empty(bottom));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout");
    TCase *t = tcase_create("layout");
    tcase_add_test(t, test_leaves_out_the_highest_rank);
    tcase_add_test(t, test_grows_to_wishes_then_by_weight);
    tcase_add_test(t, test_a_part_that_is_not_there);
    tcase_add_loop_test(t, test_never_more_than_there_is, 0, 8);
    tcase_add_test(t, test_cuts);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
