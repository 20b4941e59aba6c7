/* Tests of /proc/meminfo: fields by name, kB of 1024 bytes, unknown where missing.
 * The source is no more than the parser. */
#include "monitors/memory.h"
#include "tests/rig.h"
#include "tests/suite.h"

START_TEST(fields_by_name_in_any_order)
{
    struct frame_memory m =
        memory_parse("Writeback:    3 kB\nZswapped:  9 kB\nMemTotal:   1000 kB\nBalloon: 7 kB\nCached: 5 kB\n"
                     "Dirty:             20 kB\nSwapCached: 77 kB\nWritebackTmp: 88 kB\nMemAvailable: 600 kB\n");
    ck_near(m.total_bytes, 1000 * 1024);
    ck_near(m.available_bytes, 600 * 1024);
    ck_near(m.dirty_bytes, 20 * 1024);
    ck_near(m.writeback_bytes, 3 * 1024);
    ck_near(m.cached_bytes, 5 * 1024);
}
END_TEST

/* Before 3.14 there is no MemAvailable; MemFree says something else. */
START_TEST(what_is_missing_is_unknown)
{
    struct frame_memory m = memory_parse("MemTotal: 1000 kB\nMemFree: 100 kB\nHugePages_Total: 5\nDirty: x kB\n");
    ck_near(m.total_bytes, 1000 * 1024);
    ck_unknown(m.available_bytes);
    ck_unknown(m.dirty_bytes);
    ck_unknown(m.cached_bytes);
    ck_unknown(memory_parse("Dirty: 18446744073709551615 kB\n").dirty_bytes);
    ck_unknown(memory_parse("").total_bytes);
    ck_unknown(memory_parse("MemTotal").total_bytes);
}
END_TEST

START_TEST(a_file_that_goes_away_is_unknown)
{
    struct rig rig;
    rig_init(&rig);
    rig_tick(&rig, 0);
    ck_near(rig.frame->memory.total_bytes, 1000 * 1024);
    rig_remove(&rig, "proc/meminfo");
    rig_tick(&rig, 1000);
    ck_unknown(rig.frame->memory.total_bytes);
    rig_fini(&rig);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("memory");
    tcase_add_test(tc, fields_by_name_in_any_order);
    tcase_add_test(tc, what_is_missing_is_unknown);
    tcase_add_test(tc, a_file_that_goes_away_is_unknown);
    return suite_run("memory", tc);
}
