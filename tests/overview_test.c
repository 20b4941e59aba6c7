/* overview: golden screens down the ladder, each with assertions of what stands where; keys to orders; every size.
 * GENERATE=1 rewrites tests/golden/overview-*.txt; read the diff before you commit it. */
#include "tests/overview_rig.h"
#include "tui/screens/overview_layout.h"

static void golden(const char *name, const char *now)
{
    char path[256];
    snprintf(path, sizeof path, "tests/golden/overview-%s.txt", name);
    if (getenv("GENERATE")) {
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fputs(now, f);
        fclose(f);
        return;
    }
    static char want[200000];
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s is missing: GENERATE=1 writes it", path);
    want[fread(want, 1, sizeof want - 1, f)] = '\0';
    fclose(f);
    ck_assert_msg(strcmp(want, now) == 0, "%s differs; now it is\n%s", path, now);
}

START_TEST(test_golden)
{
    static const struct {
        int w, h;
        enum canvas_charset cs;
        const char *name;
    } row[] = {
        {200, 60, CHARSET_BRAILLE, "200x60"},     {160, 48, CHARSET_BRAILLE, "160x48"},
        {120, 40, CHARSET_BRAILLE, "120x40"},     {80, 24, CHARSET_BRAILLE, "80x24"},
        {80, 24, CHARSET_BLOCKS, "80x24-blocks"}, {80, 24, CHARSET_ASCII, "80x24-ascii"},
        {60, 18, CHARSET_BRAILLE, "60x18"},       {40, 24, CHARSET_BRAILLE, "40x24"},
        {40, 12, CHARSET_BRAILLE, "40x12"},       {80, 12, CHARSET_BRAILLE, "80x12"},
        {20, 5, CHARSET_BRAILLE, "20x5"},
    };
    open_screen();
    tick(TICKS);
    golden(row[_i].name, draw(row[_i].w, row[_i].h, row[_i].cs));
}
END_TEST

START_TEST(test_golden_roles)
{
    open_screen();
    tick(TICKS);
    draw(80, 24, CHARSET_BRAILLE);
    strbuf_reset(&text);
    canvas_dump_roles(&c, &text);
    golden("80x24-roles", text.s);
    int x, y;
    ck_assert(find("bss", 0, &x, &y) && y == 2);                   /* the marker of the selected row */
    ck_assert(find("wwww.wwwwwwww", 0, &x, &y) && y == 6);         /* GONE warns */
    ck_assert(find("bbbk.ddddd", 0, &x, &y) && y == 7);            /* s sort: the hot letter in the border */
    ck_assert(find("rrrr", 8, &x, &y) && find("WWWW", y, &x, &y)); /* reads above, writes below */
}
END_TEST

START_TEST(test_golden_before_the_first_sample)
{
    open_screen();
    golden("80x24-first", draw(80, 24, CHARSET_BRAILLE));
    has("--");
    has("◂32▸"); /* the job is known already */
    tick(1);
    draw(80, 24, CHARSET_BRAILLE);
    under("r/s", "nvme0n1", "--");
    under("queue", "nvme0n1", "--");
}
END_TEST

START_TEST(test_values_under_their_headings)
{
    open_screen();
    tick(TICKS);
    draw(80, 24, CHARSET_BRAILLE);
    under("r/s", "nvme0n1", "100.7k");
    under("w/s", "nvme0n1", "43.2k");
    under("rMB/s", "nvme0n1", "412.5");
    under("wMB/s", "nvme0n1", "176.9");
    under("await ms", "sdb", "2.47");
    under("queue", "sdb", "53.1");
    under("r/s", "sdb", "0"); /* known to be nothing */
    under("busy", "nvme0n1", "100%");
    under("°C", "nvme0n1", "54");
    under("°C", "md0", "--"); /* unknown */
    has("sdd           GONE 14:02:52");
    has("all disks: r 122.2k w 86.2k /s · 853.6 MB/s"); /* of leaves: md0 does not count */
    draw(200, 60, CHARSET_BRAILLE);
    under("read ms", "nvme0n1", "0.200");
    under("in flight", "nvme0n1", "32");
    has("stats off");
}
END_TEST

START_TEST(test_busy_first_and_members_below)
{
    int x, nvme, md, sda, sdb, sdc;
    open_screen();
    tick(TICKS);
    draw(200, 60, CHARSET_BRAILLE);
    ck_assert(find("▸nvme0n1", 0, &x, &nvme) && find("md0", 0, &x, &md) && find("├ sda", 0, &x, &sda) &&
              find("└ sdb", 0, &x, &sdb) && find(" sdc", 0, &x, &sdc));
    ck_assert_int_lt(nvme, md);
    ck_assert_int_eq(sda, md + 1);
    ck_assert_int_eq(sdb, md + 2);
    ck_assert_int_lt(sdb, sdc);
    ck_assert(!find("loop0", 0, &x, &sdc)); /* idle loops are last, and out of the list while it is full */
    has("+1 more");
}
END_TEST

START_TEST(test_latency)
{
    open_screen();
    tick(TICKS);
    draw(80, 24, CHARSET_BRAILLE);
    under("p50", "now", "189µs");
    under("p99", "now", "791µs");
    under("p99.9", "now", "1.50ms");
    under("max", "now", "9.10ms");
    under("max", "all", "14.2ms"); /* three slow ones, long ago */
    has("<256µs");
    has("71.0%");
    struct order order = {0};
    has("bars: now");
    ck_assert(screen->act(state, ACT_SINCE, &order));
    draw(80, 24, CHARSET_BRAILLE);
    has("bars: all");
    has("┤read├");
    screen->act(state, ACT_SINCE, &order);
    draw(80, 24, CHARSET_BRAILLE);
    has("┤write├"); /* a mixed job: the other direction is next */
    draw(200, 60, CHARSET_BRAILLE);
    has("latency, read");
    has("latency, write");
}
END_TEST

START_TEST(test_siblings_are_neighbours)
{
    int x, y;
    open_screen();
    tick(TICKS);
    draw(80, 24, CHARSET_BRAILLE);
    has("2×8 cores SMT on");
    ck_assert(find("2×8", 0, &x, &y));
    ck_assert_uint_eq(cell(4, y + 1)->ch, 0x2588); /* cpu 0: 95 % */
    ck_assert_uint_eq(cell(5, y + 1)->ch, 0x2582); /* cpu 16, its sibling: 20 % */
    ck_assert_uint_eq(cell(6, y + 1)->ch, ' ');
    ck_assert_uint_eq(cell(7, y + 1)->ch, 0x2583); /* cpu 1: 40 % */
    ck_assert_int_eq(cell(4, y + 1)->role, ROLE_CPU);
}
END_TEST

START_TEST(test_smt_off)
{
    int x, y;
    machine.smt_off = true;
    open_screen();
    tick(3);
    draw(80, 24, CHARSET_BRAILLE);
    has("SMT off, 16 offline");
    ck_assert(find("SMT off", 0, &x, &y));
    ck_assert_uint_eq(cell(4, y + 1)->ch, 0x2588);
    ck_assert_uint_eq(cell(5, y + 1)->ch, 0x00b7); /* its sibling is there, and off */
    ck_assert_int_eq(cell(5, y + 1)->role, ROLE_DIM);
}
END_TEST

START_TEST(test_many_threads_are_counted)
{
    machine.cpus = 256;
    open_screen();
    tick(3);
    golden("80x24-256cpus", draw(80, 24, CHARSET_BRAILLE));
    has("2×64 cores SMT on");
    has("+130 more"); /* 42 columns, three rows */
    draw(120, 40, CHARSET_BRAILLE);
    int x, y;
    ck_assert(!find(" more ─", 20, &x, &y));
}
END_TEST

START_TEST(test_knobs)
{
    struct order order = {0};
    int x, y;
    open_screen();
    tick(TICKS);
    draw(80, 24, CHARSET_BRAILLE);
    has("rate ◂500/s▸ ×3 r+w=3k/s");
    has("mix ◂70%▸");
    ck_assert(find("◂32▸", 0, &x, &y));
    ck_assert(cell(x, y)->reverse && cell(x + 1, y)->reverse); /* the chosen one */
    ck_assert(find("◂4k▸", 0, &x, &y) && !cell(x, y)->reverse);
    ck_assert(screen->act(state, ACT_KNOB_NEXT, &order));
    ck_assert_int_eq(order.kind, ORDER_NONE);
    draw(80, 24, CHARSET_BRAILLE);
    ck_assert(cell(x, y)->reverse);
    ck_assert(screen->act(state, ACT_KNOB_UP, &order));
    ck_assert_int_eq(order.kind, ORDER_RETUNE);
    ck_assert_str_eq(order.text, "bs=8k");
    ck_assert_int_eq(order.job, 0);
    draw(80, 24, CHARSET_BRAILLE);
    has("◂8k▸"); /* at once, not with the next frame */
    tick(4);
    draw(80, 24, CHARSET_BRAILLE);
    has("◂4k▸"); /* the run did not take it: its word counts */
}
END_TEST

START_TEST(test_keys_to_orders)
{
    static const struct {
        enum action action;
        enum order_kind kind;
        const char *text;
    } row[] = {
        {ACT_DEPTH_UP, ORDER_RETUNE, "iodepth=64"},
        {ACT_DEPTH_DOWN, ORDER_RETUNE, "iodepth=16"},
        {ACT_BS_DOWN, ORDER_RETUNE, "bs=2k"},
        {ACT_MIX_UP, ORDER_RETUNE, "rwmixread=75"},
        {ACT_MIX_DOWN, ORDER_RETUNE, "rwmixread=65"},
        {ACT_JOBS_UP, ORDER_RETUNE, "numjobs=4"},
        {ACT_JOBS_DOWN, ORDER_RETUNE, "numjobs=2"},
        {ACT_RATE_UP, ORDER_RETUNE, "rate_iops=1000"},
        {ACT_RATE_DOWN, ORDER_RETUNE, "rate_iops=200"},
        {ACT_PATTERN, ORDER_RETUNE, "rw=rw"},
        {ACT_PAUSE, ORDER_PAUSE, ""},
        {ACT_STOP, ORDER_STOP, ""},
        {ACT_START, ORDER_NONE, ""}, /* it runs */
    };
    struct order order = {0};
    open_screen();
    tick(3);
    ck_assert_msg(screen->act(state, row[_i].action, &order), "not taken");
    ck_assert_int_eq(order.kind, row[_i].kind);
    ck_assert_str_eq(order.text, row[_i].text);
}
END_TEST

static void paused(struct frame *f, struct frame_load *l)
{
    l->state = LOAD_PAUSED;
}

static void layout(struct frame *f, struct frame_load *l)
{
    l->state = LOAD_LAYOUT;
    l->layout_pct = 43.2;
}

static void stalled(struct frame *f, struct frame_load *l)
{
    l->state = LOAD_STALLED;
    l->stalled_s = 3.2;
    ((struct frame_dev *)f->devs)[2].state = FRAME_DEV_STALLED;
}

static void failed(struct frame *f, struct frame_load *l)
{
    l->state = LOAD_FAILED;
    l->errors = 3;
    l->error = "/dev/nvme0n1: read at 4096: Input/output error";
}

static void reads_beside_a_flood_of_writes(struct frame *f, struct frame_load *l)
{
    l->rw = "randread";
    ((struct frame_dev *)f->devs)[2].write_bytes_per_s = 4e9;
}

START_TEST(test_graph_of_a_load_of_reads)
{
    int x, y, axis;
    machine.tweak = reads_beside_a_flood_of_writes;
    open_screen();
    tick(TICKS);
    draw(80, 24, CHARSET_BRAILLE);
    ck_assert(find("│0 ", 0, &x, &axis) && find("┤nvme0n1├", 0, &x, &y));
    ck_assert_int_gt(axis - y, 4);                                   /* most rows are above the axis */
    ck_assert(find("│400 ", y, &x, &y) || find("│800 ", y, &x, &y)); /* the flood does not press them flat */
    has("│5000 ");
}
END_TEST

START_TEST(test_states_of_the_load)
{
    static const struct {
        void (*tweak)(struct frame *f, struct frame_load *l);
        const char *title, *says;
        enum action action;
        enum order_kind kind;
    } row[] = {
        {paused, "PAUSED", "◂32▸", ACT_PAUSE, ORDER_RESUME},
        {layout, "LAYOUT 43%", "layout 43%", ACT_PAUSE, ORDER_NONE},
        {stalled, "STALLED 3.2 s", "STALLED", ACT_STOP, ORDER_STOP},
        {failed, "FAILED", "3 errors: /dev/nvme0n1: read at", ACT_START, ORDER_START},
    };
    struct order order = {0};
    machine.tweak = row[_i].tweak;
    open_screen();
    tick(3);
    draw(80, 24, CHARSET_BRAILLE);
    has(row[_i].title);
    has(row[_i].says);
    if (row[_i].tweak == stalled)
        under("await ms", "nvme0n1", "STALLED");
    screen->act(state, row[_i].action, &order);
    ck_assert_int_eq(order.kind, row[_i].kind);
}
END_TEST

static void helped(struct frame *f, struct frame_load *l)
{
    l->helpers_pct = 33;
}

START_TEST(test_what_the_kernel_s_helpers_cost)
{
    open_screen();
    tick(3);
    draw(120, 40, CHARSET_BRAILLE);
    has("cpu 87%  "); /* nothing is known of helpers */
    machine.tweak = helped;
    tick(1);
    draw(120, 40, CHARSET_BRAILLE);
    has("cpu 87% +33% ");
}
END_TEST

/* A second job like the first, but of reads alone. */
static void second_job(struct frame *f, struct frame_load *l)
{
    struct frame_load *two = frame_load_new(f, 2);
    two[0] = two[1] = *l;
    two[1].rw = "randread";
    two[1].name = "second";
    two[1].state = LOAD_PAUSED;
}

static void waiting_job(struct frame *f, struct frame_load *l)
{
    struct frame_load *two = frame_load_new(f, 2);
    two[0] = two[1] = *l;
    two[0].state = LOAD_READY; /* it waits for the second */
    two[1].name = "second";
}

START_TEST(test_orders_while_the_job_on_screen_waits)
{
    struct order order = {0};
    machine.tweak = waiting_job;
    open_screen();
    tick(3);
    screen->act(state, ACT_STOP, &order);
    ck_assert_int_eq(order.kind, ORDER_STOP);
    screen->act(state, ACT_START, &order);
    ck_assert_int_eq(order.kind, ORDER_NONE);
}
END_TEST

START_TEST(test_two_jobs)
{
    struct order order = {0};
    int x, y;
    machine.tweak = second_job;
    env.njobs = 2;
    open_screen();
    tick(3);
    draw(200, 60, CHARSET_BRAILLE);
    has("┤job 1 of 2├");
    has("2 jobs  287.8k/s  1178.8 MB/s");
    has("▸1  RUN");
    has(" 2  PAUSED");
    for (int i = 0; i < 5; i++)
        ck_assert(screen->act(state, ACT_KNOB_NEXT, &order));
    draw(200, 60, CHARSET_BRAILLE); /* past the last knob stands the next job's first */
    has("┤job 2 of 2├");
    has("latency, read of job 2");
    ck_assert(!find("latency, write", 0, &x, &y));
    ck_assert(screen->act(state, ACT_KNOB_UP, &order));
    ck_assert_int_eq(order.job, 1);
    ck_assert_str_eq(order.text, "iodepth=64");
}
END_TEST

START_TEST(test_without_a_load)
{
    struct order order = {0};
    int x, y;
    machine.load = false;
    env.job = NULL;
    env.njobs = 0;
    open_screen();
    tick(TICKS);
    golden("80x24-idle", draw(80, 24, CHARSET_BRAILLE));
    has("┤IDLE├");
    has("no load");
    has("┤all disks├");
    ck_assert(screen->act(state, ACT_DEPTH_UP, &order));
    ck_assert(screen->act(state, ACT_START, &order));
    ck_assert_int_eq(order.kind, ORDER_NONE);
    ck_assert(!find("0 r", 99, &x, &y));
}
END_TEST

START_TEST(test_selection_moves_the_graph)
{
    struct order order = {0};
    open_screen();
    tick(TICKS);
    ck_assert(screen->act(state, ACT_DEVICE_DOWN, &order));
    draw(80, 24, CHARSET_BRAILLE); /* the row below nvme0n1 is its idle partition */
    has("┤nvme0n1p1├");
    has("▸└ nvme0n1p1");
    screen->act(state, ACT_DEVICE_DOWN, &order);
    draw(80, 24, CHARSET_BRAILLE);
    has("┤md0├");
    has("▸md0");
    has("r   88.1  w   88.1 MB/s");
    for (int i = 0; i < 20; i++)
        screen->act(state, ACT_DEVICE_DOWN, &order);
    draw(80, 24, CHARSET_BRAILLE);
    has("▸loop0"); /* the last of all is shown while it is selected */
    for (int i = 0; i < 20; i++)
        screen->act(state, ACT_DEVICE_UP, &order);
    draw(80, 24, CHARSET_BRAILLE);
    has("▸nvme0n1");
}
END_TEST

START_TEST(test_rows_stay_between_sorts)
{
    struct order order = {0};
    int x, before, after;
    open_screen();
    tick(20);
    draw(80, 24, CHARSET_BRAILLE);
    ck_assert(find(" md0", 0, &x, &before));
    machine.load = false; /* nvme0n1 falls idle */
    tick(2);
    draw(80, 24, CHARSET_BRAILLE);
    ck_assert(find(" md0", 0, &x, &after));
    ck_assert_int_eq(before, after);
    tick(40);
    draw(80, 24, CHARSET_BRAILLE);
    ck_assert(find(" md0", 0, &x, &after));
    ck_assert_int_lt(after, before); /* after some seconds the busy one is first */
    ck_assert(screen->act(state, ACT_SORT, &order) && screen->act(state, ACT_TREE, &order));
    draw(80, 24, CHARSET_BRAILLE);
    has("sort: IOPS");
    has("d list");
}
END_TEST

START_TEST(test_events)
{
    int x, y;
    open_screen();
    tick(TICKS);
    draw(80, 24, CHARSET_BRAILLE);
    ck_assert(find("14:02:52 sdd gone, was 512 r/s", 0, &x, &y));
    ck_assert_int_eq(y, 22);
    has("14:02:51 depth 16 → 32");
}
END_TEST

START_TEST(test_zoom)
{
    struct order order = {0};
    open_screen();
    tick(TICKS);
    draw(80, 24, CHARSET_BRAILLE);
    has("-20 s");
    for (int i = 0; i < 9; i++)
        ck_assert(screen->act(state, ACT_ZOOM_OUT, &order));
    draw(80, 24, CHARSET_BRAILLE);
    has("-40 min");
    for (int i = 0; i < 9; i++)
        screen->act(state, ACT_ZOOM_IN, &order);
    draw(80, 24, CHARSET_BRAILLE);
    has("-20 s");
}
END_TEST

/* A frame changes what it must: an unchanged one changes nothing, one with a new clock only the clock. */
START_TEST(test_a_quiet_tick_changes_little)
{
    static struct cell before[80 * 24];
    int changed = 0;
    machine.load = false;
    env.job = NULL;
    env.njobs = 0;
    open_screen();
    tick(TICKS);
    draw(80, 24, CHARSET_BRAILLE);
    memcpy(before, c.cell, sizeof before);
    machine.dt_ns = 100 * NSEC_PER_MSEC;
    tick(1);
    draw(80, 24, CHARSET_BRAILLE);
    for (int i = 0; i < 80 * 24; i++)
        changed += memcmp(&before[i], &c.cell[i], sizeof before[i]) != 0;
    ck_assert_int_le(changed, 40); /* the newest slot of each graph */
}
END_TEST

/* Cells outside or of two boxes, and cells of none: both 0. */
static int misplaced(int w, int h, int rows)
{
    static uint8_t owner[80 * 240];
    struct overview_layout l;
    int bad = 0, area = 0;
    memset(owner, 0, sizeof owner);
    overview_layout((struct rect){0, 0, w, h}, rows, &l);
    for (int b = 0; b < BOXES; b++) {
        struct rect r = l.box[b];
        bad += r.w > 0 && r.h > 0 && (r.x < 0 || r.y < 0 || r.x + r.w > w || r.y + r.h > h);
        for (int y = r.y; y < r.y + r.h && !bad; y++)
            for (int x = r.x; x < r.x + r.w; x++, area++)
                bad += owner[y * w + x]++;
    }
    return bad + w * h - area;
}

START_TEST(test_boxes_stay_inside_and_apart)
{
    open_screen();
    for (int h = 1; h <= 80; h++)
        for (int w = 1; w <= 240; w += w < 90 ? 1 : 15) {
            int bad = misplaced(w, h, _i * 4);
            if (bad)
                ck_abort_msg("%dx%d: %d cells", w, h, bad);
        }
}
END_TEST

START_TEST(test_every_size)
{
    static const enum canvas_charset cs[] = {CHARSET_BRAILLE, CHARSET_BLOCKS, CHARSET_ASCII};
    machine.cpus = _i == 1 ? 256 : 0;
    open_screen();
    tick(_i == 2 ? 0 : TICKS);
    for (int h = 1; h <= 70; h += h < 30 ? 1 : 3)
        for (int w = 1; w <= 220; w += w < 100 ? 1 : 7) {
            draw(w, h, cs[_i]);
            if (text.len < (size_t)h) /* a line each, whatever is in it */
                ck_abort_msg("%dx%d: nothing drawn", w, h);
        }
}
END_TEST

START_TEST(test_a_machine_of_nothing)
{
    struct frame *f = frame_begin(machine.pool);
    open_screen();
    screen->update(state, f);
    frame_unref(f);
    for (int w = 1; w < 210; w += 9)
        for (int h = 1; h < 64; h += 3)
            draw(w, h, CHARSET_BRAILLE);
    struct order order = {0};
    for (int a = 0; a < ACTIONS; a++)
        screen->act(state, (enum action)a, &order);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("overview");
    TCase *t = tcase_create("overview");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_golden, 0, 11);
    tcase_add_test(t, test_golden_roles);
    tcase_add_test(t, test_golden_before_the_first_sample);
    tcase_add_test(t, test_values_under_their_headings);
    tcase_add_test(t, test_busy_first_and_members_below);
    tcase_add_test(t, test_latency);
    tcase_add_test(t, test_siblings_are_neighbours);
    tcase_add_test(t, test_smt_off);
    tcase_add_test(t, test_many_threads_are_counted);
    tcase_add_test(t, test_knobs);
    tcase_add_loop_test(t, test_keys_to_orders, 0, 13);
    tcase_add_test(t, test_graph_of_a_load_of_reads);
    tcase_add_loop_test(t, test_states_of_the_load, 0, 4);
    tcase_add_test(t, test_what_the_kernel_s_helpers_cost);
    tcase_add_test(t, test_orders_while_the_job_on_screen_waits);
    tcase_add_test(t, test_two_jobs);
    tcase_add_test(t, test_without_a_load);
    tcase_add_test(t, test_selection_moves_the_graph);
    tcase_add_test(t, test_rows_stay_between_sorts);
    tcase_add_test(t, test_events);
    tcase_add_test(t, test_zoom);
    tcase_add_test(t, test_a_quiet_tick_changes_little);
    tcase_add_loop_test(t, test_boxes_stay_inside_and_apart, 0, 4);
    tcase_add_loop_test(t, test_every_size, 0, 3);
    tcase_add_test(t, test_a_machine_of_nothing);
    tcase_set_timeout(t, 30);
    suite_add_tcase(s, t);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
