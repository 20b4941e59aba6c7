/* target_names, target_place: names and regions are fio's; what fio 3.33 gave for the same words stands here. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "engine/target_names.h"
#include "engine/target_place.h"

#define MIB (1ull << 20)

static struct job job_of(const char *words)
{
    struct job j;
    char word[512];
    job_init(&j);
    while (str_next_word(&words, word, sizeof(word))) {
        struct err err = {0};
        char *value = strchr(word, '=');
        *value++ = '\0';
        ck_assert_msg(job_set(&j, word, value, &err) == 0, "%s", err.text);
    }
    return j;
}

static const struct {
    const char *words, *names; /* with a space between */
    size_t own;
} lists[] = {
    {"filename=a", "a", 0},
    {"filename=a:b\\:c numjobs=3", "a b:c", 0},
    {"filename=a:b directory=x:y", "x/a x/b", 0},
    {"filename=/a directory=/x/", "/x//a", 0},
    {"name=n", "n.0.0", 0},
    {"name=n numjobs=2", "n.0.0 n.1.0", 1},
    {"name=n nrfiles=2 numjobs=2", "n.0.0 n.0.1 n.1.0 n.1.1", 2},
    {"name=n nrfiles=2 numjobs=3 directory=A:B", "A/n.0.0 A/n.0.1 B/n.1.0 B/n.1.1 A/n.2.0 A/n.2.1", 2},
    {"name=n filename_format=$jobname-$jobnum-$filenum-$clientuid", "n-0-0-", 0},
    {"name=n filename_format=f.$filenum nrfiles=2 numjobs=2", "f.0 f.1", 0},
    {"name=n/m filename_format=$jobname/$filenum nrfiles=2", "n/m/0 n/m/1", 0},
    {"name=n filename_format=$x$jobnumber", "$x0ber", 0},
};

START_TEST(names_are_fio_s)
{
    struct job j = job_of(lists[_i].words);
    struct target_names n;
    struct err err = {0};
    char text[1024] = "";
    ck_assert_msg(target_names_read(&j, &n, &err) == 0, "%s", err.text);
    for (size_t i = 0; i < n.n; i++)
        str_format(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "", n.name[i]);
    ck_assert_str_eq(text, lists[_i].names);
    ck_assert_uint_eq(n.own, lists[_i].own);
    target_names_fini(&n);
}
END_TEST

static const struct {
    const char *words, *sentence;
} wrong[] = {
    {"filename=a::b", "empty name"},
    {"name=n nrfiles=2 filename_format=f", "$filenum"},
    {"name=n directory=A:B filename_format=f", "$jobnum"},
    {"opendir=/nowhere/at/all", "opendir=/nowhere/at/all"},
};

START_TEST(names_that_cannot_be)
{
    struct job j = job_of(wrong[_i].words);
    struct target_names n;
    struct err err = {0};
    ck_assert_int_lt(target_names_read(&j, &n, &err), 0);
    ck_assert_msg(strstr(err.text, wrong[_i].sentence) != NULL, "%s", err.text);
}
END_TEST

static const struct {
    const char *words;
    size_t files, index;
    uint64_t has;
    unsigned clone;
    uint64_t begin, end;
} places[] = {
    {"size=0", 1, 0, MIB, 0, 0, MIB},
    {"size=1m", 1, 0, 0, 0, 0, MIB},
    {"size=1m", 3, 0, 0, 0, 0, 349525},
    {"size=1000999 bs=512", 1000, 0, 0, 0, 0, 1000 + 512},
    {"size=1000999 bs=512", 1000, 1, 0, 0, 0, 1000},
    {"size=1m filesize=100k", 3, 2, 0, 0, 0, 102400},
    {"size=1m offset=100k", 2, 0, 0, 0, 102400, 626688},
    {"size=1m offset=100k offset_increment=300k", 2, 0, 0, 1, 409600, 933888},
    {"offset=30%", 1, 0, MIB, 0, 315392, MIB},
    {"offset=30% offset_align=64k", 1, 0, MIB, 0, 327680, MIB},
    {"offset=30% size=30%", 1, 0, MIB, 0, 315392, 315392 + 76 * 4096},
    {"size=33%", 1, 0, MIB, 0, 0, 84 * 4096},
    {"offset=100k size=80%", 1, 0, MIB, 0, 102400, 102400 + 204 * 4096},
    {"offset=512k size=80%", 1, 0, MIB, 0, MIB / 2, MIB},
    {"offset_increment=25%", 1, 0, MIB, 3, 3 * MIB / 4, MIB},
    {"offset_increment=25% size=25%", 1, 0, MIB, 2, MIB / 2, 3 * MIB / 4},
    {"offset=10% offset_increment=10%", 1, 0, MIB, 1, 212992, MIB},
    {"filesize=1m offset=300k", 1, 0, 0, 0, 300 * 1024, MIB},
    {"filesize=1m size=50%", 1, 0, 0, 0, 0, MIB / 2},
};

START_TEST(regions_are_fio_s)
{
    struct job j = job_of(places[_i].words);
    struct target_place p;
    uint64_t begin, end;
    ck_assert_int_eq(target_place_of(&j, places[_i].files, places[_i].index, places[_i].has, false, &p), 0);
    target_place_region(&p, places[_i].clone, &begin, &end);
    ck_assert_uint_eq(begin, places[_i].begin);
    ck_assert_uint_eq(end, places[_i].end);
}
END_TEST

START_TEST(a_range_of_sizes_is_the_same_in_every_run)
{
    struct job j = job_of("filesize=100k-200k");
    struct target_place p, again;
    bool differ = false;
    uint64_t first = 0;
    for (size_t i = 0; i < 100; i++) {
        ck_assert_int_eq(target_place_of(&j, 100, i, 0, false, &p), 0);
        ck_assert_int_eq(target_place_of(&j, 100, i, 0, false, &again), 0);
        ck_assert_uint_eq(p.bound, again.bound);
        ck_assert_uint_ge(p.bound, 100 * 1024);
        ck_assert_uint_le(p.bound, 200 * 1024);
        ck_assert_uint_eq(p.bound % 4096, 0);
        first = i ? first : p.bound;
        differ |= p.bound != first;
    }
    ck_assert(differ);
}
END_TEST

START_TEST(appending_begins_at_the_end)
{
    struct job j = job_of("size=64k offset=8k offset_increment=1m");
    struct target_place p;
    uint64_t begin, end;
    ck_assert_int_eq(target_place_of(&j, 1, 0, 10000, true, &p), 0);
    target_place_region(&p, 3, &begin, &end);
    ck_assert_uint_eq(begin, 10000);
    ck_assert_uint_eq(end, 10000 + 65536);
}
END_TEST

START_TEST(nothing_wraps)
{
    struct job j = job_of("size=0");
    struct target_place p;
    j.offset_increment.bytes = INT64_MAX / 8;
    ck_assert_int_eq(target_place_of(&j, 1, 0, MIB, false, &p), -EINVAL);
    j = job_of("size=0");
    j.size.bytes = j.offset.bytes = INT64_MAX - 5;
    ck_assert_int_eq(target_place_of(&j, 1, 0, MIB, false, &p), -EINVAL);
}
END_TEST

#define N(rows) ((int)(sizeof(rows) / sizeof(rows[0])))

int main(void)
{
    Suite *s = suite_create("names");
    TCase *t = tcase_create("names");
    tcase_add_loop_test(t, names_are_fio_s, 0, N(lists));
    tcase_add_loop_test(t, names_that_cannot_be, 0, N(wrong));
    tcase_add_loop_test(t, regions_are_fio_s, 0, N(places));
    tcase_add_test(t, a_range_of_sizes_is_the_same_in_every_run);
    tcase_add_test(t, appending_begins_at_the_end);
    tcase_add_test(t, nothing_wraps);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
