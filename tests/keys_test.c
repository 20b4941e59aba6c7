/* keys: no key twice, every action has a key, every row can be shown. */
#include <check.h>
#include <stdbool.h>
#include <string.h>

#include "tui/canvas.h"
#include "tui/keys.h"

START_TEST(no_key_twice)
{
    for (size_t i = 0; i < key_nrows; i++) {
        ck_assert_int_eq(key_action(key_rows[i].key), key_rows[i].action);
        for (size_t k = i + 1; k < key_nrows; k++)
            ck_assert_msg(key_rows[i].key != key_rows[k].key, "%s twice", key_rows[i].name);
    }
}
END_TEST

START_TEST(every_action_has_a_key_and_a_sentence)
{
    for (int a = ACT_NONE + 1; a < ACTIONS; a++) {
        const struct key_row *row = key_for((enum action)a);
        ck_assert_msg(row != NULL, "action %d has no key", a);
        ck_assert(row->name[0] && row->word[0]);
        ck_assert_msg(strlen(row->sentence) >= 5 && row->sentence[strlen(row->sentence) - 1] == '.', "%s: %s",
                      row->name, row->sentence);
    }
    ck_assert_ptr_null(key_for(ACT_NONE));
}
END_TEST

START_TEST(the_help_fits_80_columns)
{
    for (size_t i = 0; i < key_nrows; i++) {
        ck_assert_int_le(canvas_width(key_rows[i].name), 5);
        ck_assert_msg(canvas_width(key_rows[i].sentence) <= 68, "%s", key_rows[i].sentence);
    }
}
END_TEST

START_TEST(groups_stand_together)
{
    for (size_t i = 1; i < key_nrows; i++)
        for (size_t k = 0; k + 1 < i; k++)
            ck_assert(strcmp(key_rows[k].group, key_rows[i].group) != 0 ||
                      strcmp(key_rows[i - 1].group, key_rows[i].group) == 0);
}
END_TEST

START_TEST(other_keys_mean_nothing)
{
    ck_assert_int_eq(key_action(-1), ACT_NONE);
    ck_assert_int_eq(key_action(0), ACT_NONE);
    ck_assert_int_eq(key_action(KEY_CODE_ESC), ACT_NONE);
    ck_assert_int_eq(key_action(KEY_CODE_RESIZE), ACT_NONE);
    ck_assert_int_eq(key_action(0xe9), ACT_NONE);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("keys");
    tcase_add_test(tc, no_key_twice);
    tcase_add_test(tc, every_action_has_a_key_and_a_sentence);
    tcase_add_test(tc, the_help_fits_80_columns);
    tcase_add_test(tc, groups_stand_together);
    tcase_add_test(tc, other_keys_mean_nothing);
    Suite *s = suite_create("keys");
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
