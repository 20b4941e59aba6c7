/* overview_reader: what somebody must be able to read off the overview: whole words, whole numbers, the reason of
 * a failure, why a key did nothing, and no rows of things that are not there. */
#include "tests/overview_rig.h"
#include "tui/help_page.h"

static void hasnt(const char *what)
{
    int x, y;
    ck_assert_msg(!find(what, 0, &x, &y), "\"%s\" is on the screen\n%.3500s", what, text.s);
}

static void unused_loop(struct frame *f, struct frame_load *l)
{
    struct frame_dev *d = (struct frame_dev *)f->devs;
    d[0].size_bytes = NAN;
}

START_TEST(test_unused_loops_are_no_rows)
{
    struct order order;
    open_screen();
    tick(TICKS);
    draw(120, 40, CHARSET_BRAILLE);
    has("+1 more"); /* the idle loop, which holds a file */
    for (int i = 0; i < 20; i++)
        screen->act(state, ACT_DEVICE_DOWN, &order);
    draw(120, 40, CHARSET_BRAILLE);
    has("▸loop0");
    screen->close(state);
    machine.tweak = unused_loop;
    open_screen();
    tick(10);
    for (int i = 0; i < 20; i++)
        screen->act(state, ACT_DEVICE_DOWN, &order);
    draw(120, 40, CHARSET_BRAILLE);
    hasnt("loop0");
    hasnt(" more├");
    has("▸sdd"); /* the last that is one */
}
END_TEST

static void pulled_loop(struct frame *f, struct frame_load *l)
{
    struct frame_dev *d = (struct frame_dev *)f->devs;
    d[0].size_bytes = NAN;
    d[0].state = FRAME_DEV_GONE;
    d[0].read_iops = d[0].write_iops = d[0].read_bytes_per_s = d[0].write_bytes_per_s = NAN;
}

static void busy_loop(struct frame *f, struct frame_load *l)
{
    struct frame_dev *d = (struct frame_dev *)f->devs;
    d[0].read_iops = 100;
    d[0].read_bytes_per_s = 409600;
}

START_TEST(test_what_worked_is_not_gone_silently)
{
    machine.tweak = busy_loop;
    open_screen();
    tick(10);
    machine.tweak = pulled_loop;
    tick(31); /* long enough to be forgotten */
    draw(120, 40, CHARSET_BRAILLE);
    has("loop0         GONE 14:02:52");
}
END_TEST

static void long_name(struct frame *f, struct frame_load *l)
{
    struct frame_dev *d = (struct frame_dev *)f->devs;
    d[3].name = frame_text(f, "cciss/c0d0p1");
    d[3].read_iops = 5;
}

START_TEST(test_names_are_whole)
{
    machine.tweak = long_name;
    open_screen();
    tick(TICKS);
    draw(80, 24, CHARSET_BRAILLE);
    has("└ cciss/c0d0p1 ");
    draw(120, 40, CHARSET_BRAILLE);
    has("└ cciss/c0d0p1 ");
}
END_TEST

START_TEST(test_small_screens_show_no_half_numbers)
{
    open_screen();
    tick(TICKS);
    draw(10, 3, CHARSET_BRAILLE);
    ck_assert_str_eq(text.s, "589.4 MB/s\n143.9\n791µs p99\n"); /* kIOPS has no room */
    draw(7, 3, CHARSET_BRAILLE);
    ck_assert_str_eq(text.s, "589.4\n143.9\n791µs\n");
    draw(4, 3, CHARSET_BRAILLE);
    ck_assert_str_eq(text.s, "\n\n\n");
    draw(60, 18, CHARSET_BRAILLE);
    has("┤MB/s├"); /* the unit of the scale, where the values have no room */
}
END_TEST

static void many_clones(void)
{
    job.numjobs = 12;
    job_set(&job, "rate_iops", "20000", NULL);
}

START_TEST(test_rate_says_the_whole)
{
    many_clones();
    open_screen();
    tick(3);
    draw(80, 24, CHARSET_BRAILLE);
    has("rate ◂20k/s▸ =480k/s"); /* both directions of twelve clones */
    has("mix ◂70%▸");            /* and its neighbour is whole */
    draw(200, 60, CHARSET_BRAILLE);
    has("rate ◂20k/s▸ ×12 r+w=480k/s mix ◂70%▸");
    job.numjobs = 1;
    job.rw = JOB_READ;
    tick(3);
    draw(80, 24, CHARSET_BRAILLE);
    has("rate ◂20k/s▸ "); /* one clone in one direction is the whole */
    hasnt("=20k/s");
}
END_TEST

static void failing(struct frame *f, struct frame_load *l)
{
    l->state = LOAD_FAILED;
    l->errors = 2;
    l->error = "read at offset 11821056 of /dev/nvme0n1: Input/output error";
}

START_TEST(test_failure_is_told_in_full)
{
    struct order order;
    int x, y;
    open_screen();
    tick(TICKS);
    machine.tweak = failing;
    tick(3);
    draw(80, 24, CHARSET_BRAILLE);
    ck_assert(find("read at offset 11821056 of /dev/nvme0n1: Input/output error", 0, &x, &y));
    ck_assert_int_eq(y, 22); /* the line of events */
    ck_assert_int_eq(cell(x, y)->role, ROLE_ERROR);
    ck_assert(find("2 errors: read at offset 11821056", 0, &x, &y));
    has("of /dev/nvme0n1: Input/output");
    machine.tweak = NULL;
    screen->act(state, ACT_START, &order);
    machine.tweak = failing; /* too soon for a frame in between */
    tick(2);
    draw(120, 40, CHARSET_BRAILLE);
    ck_assert(find(": read at offset", 30, &x, &y) && find(": read at offset", y + 1, &x, &y));
}
END_TEST

START_TEST(test_a_key_without_effect_says_why)
{
    static const struct {
        enum action action;
        const char *says;
    } row[] = {
        {ACT_DEPTH_UP, "depth stays 1: psync takes one request at a time"},
        {ACT_MIX_UP, "mix is for rw and randrw; this job is randread"},
        {ACT_JOBS_DOWN, "numjobs is at its lowest"},
    };
    int x, y;
    job.rw = JOB_RANDREAD;
    job.numjobs = job.iodepth = 1;
    strcpy(job.ioengine, "psync");
    open_screen();
    tick(3);
    for (int again = 0; again < 200; again++) {
        struct order order = {0};
        ck_assert(screen->act(state, row[_i].action, &order));
        ck_assert_int_eq(order.kind, ORDER_NONE);
    }
    draw(120, 40, CHARSET_BRAILLE);
    ck_assert(find(row[_i].says, 0, &x, &y));
    ck_assert(!find(row[_i].says, y + 1, &x, &y)); /* once */
}
END_TEST

START_TEST(test_the_pattern_turns_at_once)
{
    struct order order = {0};
    open_screen();
    tick(3);
    draw(80, 24, CHARSET_BRAILLE);
    has("randrw 70/30 nvme0n1");
    ck_assert(screen->act(state, ACT_PATTERN, &order));
    ck_assert_str_eq(order.text, "rw=rw");
    ck_assert(screen->act(state, ACT_MIX_UP, &order));
    draw(80, 24, CHARSET_BRAILLE); /* before any frame knows */
    has("│rw 75/25 nvme0n1");
}
END_TEST

/* Sentences break at blanks; on the smallest screens a word has to do. Scrolling reaches the last key. */
START_TEST(test_help_is_whole_at_every_width)
{
    static const struct {
        int w, h;
        const char *first, *last;
    } row[] = {
        {40, 12, " b     Start the load; after it ended,", "       more leaves a hung device"},
        {20, 8, " b     start", " q     quit"},
        {80, 24, " b     Start the load; after it ended, the same jobs again.", " once more leaves a hung"}};
    struct rect all = {0, 0, row[_i].w, row[_i].h};
    int last = help_page_last_top(all);
    open_screen();
    draw(all.w, all.h, CHARSET_BRAILLE);
    help_page_draw(&c, all, 0);
    strbuf_reset(&text);
    canvas_dump_text(&c, &text);
    has(row[_i].first);
    help_page_draw(&c, all, last + 7); /* as after a screen that was smaller */
    strbuf_reset(&text);
    canvas_dump_text(&c, &text);
    has(row[_i].last);
    has("any key closes");
}
END_TEST

static void unknown_siblings(struct frame *f, struct frame_load *l)
{
    for (size_t i = f->ncpus / 2; i < f->ncpus; i++) {
        struct frame_cpu *cpu = (struct frame_cpu *)&f->cpus[i];
        cpu->package = cpu->core = -1;
        cpu->nsiblings = 0;
        ((struct frame_cpu *)&f->cpus[i - f->ncpus / 2])->nsiblings = 1;
    }
}

/* SMT was off from the start: the kernel does not say whose siblings the offline ones are. */
START_TEST(test_offline_cpus_are_no_cores)
{
    int x, y;
    machine.smt_off = true;
    machine.cpus = 16;
    machine.tweak = unknown_siblings;
    open_screen();
    tick(3);
    draw(80, 24, CHARSET_BRAILLE);
    has("2×4 cores SMT off, 8 offline");
    ck_assert(find("│ 1 ", 12, &x, &y)); /* the packages have their rows */
    has("· · · · · · · ·");
    ck_assert(find("· · ·", 0, &x, &y) && cell(x, y)->role == ROLE_DIM);
}
END_TEST

static void nothing_known(struct frame *f, struct frame_load *l)
{
    f->pressure_cpu = f->pressure_io = f->pressure_memory = (struct frame_pressure){NAN, NAN, "unsupported"};
    f->nsensors = 0;
    for (size_t i = 0; i < f->ncpus; i++)
        ((struct frame_cpu *)&f->cpus[i])->temp_c = ((struct frame_cpu *)&f->cpus[i])->mhz = NAN;
}

START_TEST(test_what_a_machine_has_not_takes_no_line)
{
    open_screen();
    tick(TICKS);
    draw(200, 60, CHARSET_BRAILLE);
    has("pressure: cpu   1%  io  12%");
    has("2.90 GHz  58 °C  free");
    machine.tweak = nothing_known;
    tick(1);
    draw(200, 60, CHARSET_BRAILLE);
    hasnt("pressure");
    hasnt("GHz");
    has("│free  47.5G  dirty");
}
END_TEST

static void resting(struct frame *f, struct frame_load *l)
{
    l->state = LOAD_PAUSED;
}

START_TEST(test_bars_of_a_pause_are_of_all)
{
    open_screen();
    tick(3);
    draw(120, 40, CHARSET_BRAILLE);
    has("bars: last interval");
    machine.tweak = resting;
    tick(1);
    draw(120, 40, CHARSET_BRAILLE);
    has("bars: since start");
}
END_TEST

static void reader_and_writer(struct frame *f, struct frame_load *l)
{
    struct frame_load *two = frame_load_new(f, 2);
    two[0] = two[1] = *l;
    two[0].name = "reader";
    two[0].rw = "randread";
    two[1].name = "writer";
    two[1].rw = "randwrite";
}

START_TEST(test_jobs_have_their_names_and_one_scale)
{
    int x, y, axis, top;
    machine.tweak = reader_and_writer;
    env.njobs = 2;
    open_screen();
    tick(3);
    draw(80, 24, CHARSET_BRAILLE);
    has("│reader: ");
    ck_assert(find("│0 ", 0, &x, &axis) && find("┤nvme0n1├", 0, &x, &top));
    ck_assert_int_lt(axis - top, 5); /* the writer's half is as good as the reader's */
    ck_assert(find("-20 s", 0, &x, &y) && y == axis);
    hasnt("-1 min"); /* one axis, one unit */
    draw(200, 60, CHARSET_BRAILLE);
    has("reader: randread 4k ×");
    has("writer: randwrite 4k ×");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("overview_reader");
    TCase *t = tcase_create("overview_reader");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_unused_loops_are_no_rows);
    tcase_add_test(t, test_what_worked_is_not_gone_silently);
    tcase_add_test(t, test_names_are_whole);
    tcase_add_test(t, test_the_pattern_turns_at_once);
    tcase_add_loop_test(t, test_help_is_whole_at_every_width, 0, 3);
    tcase_add_test(t, test_small_screens_show_no_half_numbers);
    tcase_add_test(t, test_rate_says_the_whole);
    tcase_add_test(t, test_failure_is_told_in_full);
    tcase_add_loop_test(t, test_a_key_without_effect_says_why, 0, 3);
    tcase_add_test(t, test_offline_cpus_are_no_cores);
    tcase_add_test(t, test_what_a_machine_has_not_takes_no_line);
    tcase_add_test(t, test_bars_of_a_pause_are_of_all);
    tcase_add_test(t, test_jobs_have_their_names_and_one_scale);
    tcase_set_timeout(t, 30);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
