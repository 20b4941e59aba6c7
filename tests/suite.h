/* suite: runs one test case as a suite; what every main() of a Check binary ends with.
 * Knows no test. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>

static inline int suite_run(const char *name, TCase *tc)
{
    Suite *s = suite_create(name);
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}

#endif
