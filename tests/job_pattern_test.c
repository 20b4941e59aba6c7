/* job_pattern: words of fio's about the order of requests, from text to the pattern and back; what does not go
 * together; seeds. */
#include "engine/job_pattern.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/str.h"

#define N(a) (int)(sizeof(a) / sizeof((a)[0]))

static int set_words(struct job *j, const char *words, struct err *err)
{
    char word[512];
    job_init(j);
    job_set(j, "ioengine", "null", NULL);
    while (str_next_word(&words, word, sizeof(word))) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        int rc = job_set(j, word, value, err);
        if (rc < 0)
            return rc;
    }
    return job_check(j, NULL, 0, err);
}

static struct pattern_spec spec_of(const char *words)
{
    struct job j;
    struct pattern_spec s;
    struct err e = {0};
    ck_assert_msg(set_words(&j, words, &e) == 0 && job_pattern(&j, &s, &e) == 0, "%s: %s", words, e.text);
    return s;
}

static const struct { const char *words, *field, *text; } shown[] = {
    {"rw=randread:8", "rw", "randread:8"},       {"rw=read:8k", "rw", "read:8k"},
    {"rw=write:-4096", "rw", "write:-4k"},       {"rw=readwrite", "rw", "rw"},
    {"rw=randtrimwrite", "rw", "randtrimwrite"}, {"rw=read:8k rw=write", "rw", "write"},
    {"rwmixwrite=30", "rwmixread", "70"},        {"io_limit=50%", "io_size", "50%"},
    {"percentage_random=100,50", "percentage_random", "100,50"}, {"softrandommap=1 ba=1k", "blockalign", "1k"},
    {"zonemode=strided zonesize=1m", "zonemode", "strided"}, {"norandommap", "norandommap", "1"},
    {"blocksize_range=4k-8k", "bsrange", "4k-8k"}, {"bssplit=4k/50:8k/ bssplit=", "bssplit", ""},
};

START_TEST(words_read_back)
{
    struct job j;
    struct err e = {0};
    char text[256];
    ck_assert_msg(set_words(&j, shown[_i].words, &e) == 0, "%s", e.text);
    job_get_named(&j, shown[_i].field, text, sizeof(text));
    ck_assert_str_eq(text, shown[_i].text);
}
END_TEST

START_TEST(sizes_go_before_each_other)
{
    struct pattern_spec s = spec_of("bs=8k,16k bsrange=4k-64k bssplit=1k/50:2k/50");
    ck_assert_uint_eq(s.bs[DDIR_WRITE].max, 2048);
    s = spec_of("bsrange=4k-64k bs=8k");
    ck_assert_uint_eq(s.bs[DDIR_READ].max, 65536);
    s = spec_of("bsrange=4k-65k bs_unaligned=1");
    ck_assert_uint_eq(s.bs[DDIR_READ].max, 65 << 10);
    s = spec_of("rw=write bs=8k,16k");
    ck_assert_uint_eq(pattern_largest(&s), 16384);
    ck_assert_uint_eq(pattern_smallest(&s), 16384);
    ck_assert(pattern_plain(&s));
    ck_assert(!pattern_uses(&s, DDIR_READ));
}
END_TEST

START_TEST(a_new_size_is_not_hidden)
{
    struct job j, next;
    ck_assert_int_eq(set_words(&j, "bsrange=4k-8k bssplit=4k/50:8k/50", NULL), 0);
    ck_assert_uint_eq(job_bs(&j), 6144);
    ck_assert_int_eq(job_retune(&j, "bs=16k", &next, NULL), 0);
    ck_assert_uint_eq(job_bs(&next), 16384);
    ck_assert_int_eq(job_retune(&j, "bsrange=16k-32k", &next, NULL), 0);
    ck_assert_uint_eq(job_bs(&next), 24576);
    ck_assert_int_eq(job_retune(&j, "rwmixwrite=20 rw=randrw", &next, NULL), 0);
    ck_assert_uint_eq(next.rwmixread, 80);
}
END_TEST

START_TEST(the_plain_pattern_stays_plain)
{
    static const char *const plain[] = {"rw=read", "rw=randread", "rw=randrw rwmixread=70", "rw=randwrite bs=64k",
                                        "rw=randread loops=3", "rw=randread random_generator=lfsr",
                                        "rw=randread random_generator=lfsr norandommap=1", "rw=trimwrite",
                                        "rw=read norandommap=0 percentage_random=50", "rw=write ba=1k",
                                        "rw=randread ba=4k", "rw=randread:1 randseed=7 randrepeat=0"};
    static const char *const rare[] = {"rw=read:4k", "rw=randread:2", "rw=randread norandommap",
                                       "rw=randread random_distribution=zipf", "rw=randread percentage_random=99",
                                       "rw=rw bs=4k,8k", "rw=read bsrange=4k-8k", "rw=read io_size=1m",
                                       "rw=read number_ios=5", "rw=read file_service_type=random",
                                       "rw=read zonesize=1m", "rw=randread ba=1k", "rw=randread bs_is_seq_rand"};
    for (int i = 0; i < N(plain); i++) {
        struct pattern_spec s = spec_of(plain[i]);
        ck_assert_msg(pattern_plain(&s), "%s", plain[i]);
    }
    for (int i = 0; i < N(rare); i++) {
        struct pattern_spec s = spec_of(rare[i]);
        ck_assert_msg(!pattern_plain(&s), "%s", rare[i]);
    }
}
END_TEST

START_TEST(each_word_reaches_the_pattern)
{
    struct pattern_spec s = spec_of("rw=randread:8 rw_sequencer=identical percentage_random=75,50,25 io_size=3m "
                                    "number_ios=9 loops=2 file_service_type=zipf:1.3 time_based runtime=1");
    ck_assert_uint_eq(s.run, 8);
    ck_assert(s.identical && s.endless);
    ck_assert_int_eq(s.jump, 0);
    ck_assert_uint_eq(s.sequential_pct[DDIR_READ], 25);
    ck_assert_uint_eq(s.sequential_pct[DDIR_TRIM], 75);
    ck_assert_uint_eq(s.io_bytes, 3 << 20);
    ck_assert_uint_eq(s.ios, 9);
    ck_assert_uint_eq(s.loops, 2);
    ck_assert_int_eq(s.service.kind, SERVICE_SKEWED);
    ck_assert_double_eq(s.service.dist.param, 1.3);
    s = spec_of("rw=write:-8k zonesize=1m zoneskip=2m");
    ck_assert_int_eq(s.jump, -8192);
    ck_assert_uint_eq(s.run, 0);
    ck_assert_uint_eq(s.zone_range, 1 << 20);
    ck_assert_uint_eq(s.zone_skip, 2 << 20);
    s = spec_of("rw=read zonesize=1m zonemode=none");
    ck_assert_uint_eq(s.zone_range, 0);
    s = spec_of("rw=randwrite random_distribution=zoned_abs:60/1g:40/2g,100/4g");
    ck_assert_uint_eq(zones_bytes(&s.zones[DDIR_READ]), 3ull << 30);
    ck_assert_uint_eq(zones_bytes(&s.zones[DDIR_TRIM]), 4ull << 30);
}
END_TEST

static const struct { const char *words, *has; } bad[] = {
    {"rw=sideways", "rw=sideways: must be read"},
    {"rw=randread:-8", "number of requests"},
    {"rw=randread:0", "number of requests"},
    {"rw=read:x", "bytes to pass over"},
    {"rw=read:", "bytes to pass over"},
    {"rwmixwrite=101", "rwmixwrite=101: must be 0 to 100"},
    {"softrandommap=2", "softrandommap=2: must be 0 or 1"},
    {"bssplit=4k/50:8k/60", "bssplit=4k/50:8k/60: the percentages"},
    {"bsrange=8k-4k", "bsrange=8k-4k"},
    {"zonemode=zbd", "zonemode=zbd"},
    {"zonemode=striped", "must be none or strided"},
    {"zonemode=strided", "needs a zonesize"},
    {"zonesize=1k", "zonerange=1k: smaller"},
    {"rw=randread zonesize=1m random_distribution=zipf", "zipf: zonemode=strided"},
    {"random_distribution=zoned:50/10", "add up to 100"},
    {"random_distribution=zopf", "must be random, zipf"},
    {"file_service_type=zoned", "file_service_type=zoned: must be roundrobin"},
    {"file_service_type=random:0", "number of requests"},
    {"random_generator=mersenne", "tausworthe, tausworthe64 or lfsr"},
    {"percentage_random=101", "percentage_random=101"},
    {"loops=0", "loops=0"},
    {"size=3k bsrange=4k-64k", "at least one block"},
};

START_TEST(what_cannot_be_is_told)
{
    struct job j;
    struct err e = {0};
    ck_assert_msg(set_words(&j, bad[_i].words, &e) == -EINVAL, "%s was taken", bad[_i].words);
    ck_assert_msg(strstr(e.text, bad[_i].has), "%s", e.text);
}
END_TEST

static uint64_t seed_of(const char *words)
{
    struct job j;
    ck_assert_int_eq(set_words(&j, words, NULL), 0);
    return job_seed(&j);
}

START_TEST(seeds)
{
    ck_assert_uint_eq(seed_of("rw=read"), seed_of("rw=write"));
    ck_assert_uint_eq(seed_of("randseed=5"), seed_of("randseed=5 name=x randrepeat=0"));
    ck_assert_uint_ne(seed_of("randseed=5"), seed_of("randseed=6"));
    ck_assert_uint_ne(seed_of("randseed=0"), seed_of("rw=read"));
    ck_assert_uint_ne(seed_of("name=a"), seed_of("name=b"));
    ck_assert_uint_ne(seed_of("randrepeat=0"), seed_of("randrepeat=0"));
    ck_assert_uint_eq(seed_of("randrepeat=0 allrandrepeat=1"), seed_of("rw=read"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("job_pattern");
    TCase *c = tcase_create("job_pattern");
    suite_add_tcase(s, c);
    tcase_add_loop_test(c, words_read_back, 0, N(shown));
    tcase_add_test(c, sizes_go_before_each_other);
    tcase_add_test(c, a_new_size_is_not_hidden);
    tcase_add_test(c, the_plain_pattern_stays_plain);
    tcase_add_test(c, each_word_reaches_the_pattern);
    tcase_add_loop_test(c, what_cannot_be_is_told, 0, N(bad));
    tcase_add_test(c, seeds);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
