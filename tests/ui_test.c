/* ui and term on a terminal of their own: keys, quitting, signals, sizes, a lost terminal, unknown types. */
#include <check.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include "tests/pty.h"
#include "tui/term.h"
#include "tui/ui.h"

/* A screen that shows the size it has and a letter that moves on with each action meant for it. */
struct state {
    int letter;
};

static int dummy_open(const struct screen_env *env, void **ret_state)
{
    *ret_state = calloc(1, sizeof(struct state));
    return *ret_state ? 0 : -ENOMEM;
}

static bool dummy_act(void *state, enum action a, struct order *ret_order)
{
    if (a == ACT_START || a == ACT_STOP)
        return false;
    ((struct state *)state)->letter++;
    if (a == ACT_DEPTH_UP)
        *ret_order = (struct order){.kind = ORDER_RETUNE, .text = "iodepth=16"};
    return true;
}

static void dummy_update(void *state, const struct frame *frame)
{
}

static void dummy_draw(const void *state, struct canvas *c, struct rect r)
{
    struct style plain = {.role = ROLE_TEXT}, read = {.role = ROLE_READ, .level = 60};
    char letters[7] = {0};
    setlocale(LC_ALL, "C"); /* as a library in another thread may do at any time */
    memset(letters, 'A' + ((const struct state *)state)->letter % 26, 6);
    canvas_printf(c, r, 0, 0, plain, "[%dx%d]", r.w, r.h);
    canvas_text(c, r, 0, 1, plain, letters);
    canvas_text(c, r, 0, 2, read, "µ⣿");
}

static const struct screen dummy = {"dummy", "", dummy_open, dummy_act, dummy_update, dummy_draw, free};
const struct screen *const screens[] = {&dummy, NULL};

struct setup {
    const char *term, *lc, *colorterm, *theme;
    bool patient;   /* the first quit is not enough */
    int redirected; /* 1: stdin is /dev/null */
    int wake;       /* 1: the run is over at once */
};

/* Every order goes to the terminal's other side as a line: "order 3 text". */
static bool take_order(void *arg, const struct order *o)
{
    struct setup *s = arg;
    char line[300];
    int n = snprintf(line, sizeof line, "{order %d %s}", o->kind, o->text);
    if (write(STDERR_FILENO, line, (size_t)n) != n)
        return false;
    if (o->kind != ORDER_QUIT)
        return true;
    bool stay = s->patient;
    s->patient = false;
    return stay;
}

static bool woken(void *arg)
{
    return false;
}

static int signals_to_fd(void)
{
    static const int wanted[] = {SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        sigaddset(&set, wanted[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC);
}

static void put_env(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

/* 0, the signal, or 100 after a sentence. */
static int program(void *arg)
{
    struct setup *s = arg;
    struct theme theme;
    struct err err = {0};
    int sig = 0;
    put_env("TERM", s->term);
    put_env("LC_ALL", s->lc ? s->lc : "C");
    put_env("COLORTERM", s->colorterm);
    unsetenv("NO_COLOR");
    unsetenv("LINES");
    unsetenv("COLUMNS");
    if (s->redirected)
        close(STDIN_FILENO);
    if (theme_load(s->theme, &theme, &err) != 0)
        return 99;
    struct ui_opts o = {.theme = &theme,
                        .order = take_order,
                        .arg = s,
                        .wake = woken,
                        .signal_fd = signals_to_fd(),
                        .wake_fd = s->wake ? eventfd(1, EFD_CLOEXEC) : -1};
    if (ui_run(&o, &sig, &err) == 0)
        return sig;
    fprintf(stderr, "{%s}", err.text);
    return 100;
}

static void start(struct pty *p, struct setup *s, int w, int h)
{
    if (!s->term)
        s->term = "xterm-256color";
    pty_start(p, w, h, program, s);
}

/* It left with this code and the terminal is as it was. */
static void check_left(struct pty *p, int code)
{
    int status = pty_end(p);
    struct termios now;
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == code, "status %#x: %s", status, p->bytes);
    if (p->fd < 0)
        return;
    ck_assert_int_eq(tcgetattr(p->fd, &now), 0); /* a pty's two ends share their settings */
    ck_assert_uint_eq(now.c_lflag, p->before.c_lflag);
    ck_assert_uint_eq(now.c_iflag, p->before.c_iflag);
    ck_assert_uint_eq(now.c_oflag, p->before.c_oflag);
    pty_wait(p, "\033[?1049l");
    pty_free(p);
}

START_TEST(draws_at_once_and_quits)
{
    struct pty p;
    start(&p, &(struct setup){0}, 80, 24);
    pty_wait(&p, "\033[?1049h");
    pty_wait(&p, "[80x24]");
    pty_wait(&p, "AAAAAA");
    pty_type(&p, "q");
    pty_wait(&p, "{order 7 }");
    check_left(&p, 0);
}
END_TEST

START_TEST(keys_become_actions_and_orders)
{
    struct pty p;
    start(&p, &(struct setup){0}, 80, 24);
    pty_wait(&p, "AAAAAA");
    pty_type(&p, "\033[B"); /* arrows as terminals send them outside and inside keypad mode: one action each */
    pty_wait(&p, "BBBBBB");
    pty_type(&p, "\033OA");
    pty_wait(&p, "CCCCCC");
    pty_type(&p, "I");
    pty_wait(&p, "{order 5 iodepth=16}");
    pty_wait(&p, "DDDDDD");
    pty_type(&p, "b");
    pty_wait(&p, "{order 1 }");
    pty_type(&p, "k");
    pty_wait(&p, "{order 2 }");
    pty_type(&p, "\033"); /* means nothing */
    pty_type(&p, "\x0c");
    pty_wait(&p, "[80x24]");
    pty_wait(&p, "DDDDDD");
    pty_type(&p, "q");
    check_left(&p, 0);
}
END_TEST

START_TEST(help_opens_scrolls_and_closes)
{
    struct pty p;
    start(&p, &(struct setup){0}, 60, 12);
    pty_wait(&p, "AAAAAA");
    pty_type(&p, "?");
    pty_wait(&p, "any key closes");
    ck_assert_ptr_nonnull(strstr(p.bytes, "Start the load"));
    ck_assert_ptr_null(strstr(p.bytes, "Stop the load and leave"));
    for (int i = 0; i < 60; i++)
        pty_type(&p, "\033[B");
    pty_type(&p, "\x0c"); /* whole lines, not what differs */
    pty_wait(&p, "Stop the load and leave");
    pty_type(&p, "q"); /* closes the page, no more */
    pty_wait(&p, "[60x12]");
    pty_type(&p, "I");
    pty_wait(&p, "BBBBBB");
    ck_assert_ptr_null(strstr(p.bytes, "{order 7"));
    pty_type(&p, "q");
    check_left(&p, 0);
}
END_TEST

START_TEST(second_asking_leaves)
{
    struct pty p;
    start(&p, &(struct setup){.patient = true}, 80, 24);
    pty_wait(&p, "AAAAAA");
    pty_type(&p, "q");
    pty_wait(&p, "{order 7 }");
    pty_wait(&p, "stopping");
    pty_type(&p, "I"); /* still answering */
    pty_wait(&p, "BBBBBB");
    pty_type(&p, _i ? "\003" : "q");
    pty_wait(&p, "{order 7 }");
    check_left(&p, 0);
}
END_TEST

static const int ending[] = {SIGTERM, SIGHUP, SIGINT};

START_TEST(signals_end_it)
{
    struct pty p;
    start(&p, &(struct setup){0}, 80, 24);
    pty_wait(&p, "AAAAAA");
    kill(p.pid, ending[_i]);
    check_left(&p, ending[_i]);
}
END_TEST

START_TEST(interrupt_key_ends_it)
{
    struct pty p;
    start(&p, &(struct setup){0}, 80, 24);
    pty_wait(&p, "AAAAAA");
    pty_type(&p, "\003");
    check_left(&p, SIGINT);
}
END_TEST

START_TEST(lost_terminal_ends_it)
{
    struct pty p;
    start(&p, &(struct setup){0}, 80, 24);
    pty_wait(&p, "AAAAAA");
    pty_hang_up(&p);
    int status = pty_end(&p);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), SIGHUP);
    pty_free(&p);
}
END_TEST

/* Nobody reads what it writes: it stops drawing, but signals it must hear. */
START_TEST(stalled_terminal_is_left)
{
    struct pty p;
    start(&p, &(struct setup){0}, 80, 24);
    pty_wait(&p, "AAAAAA");
    for (int i = 0; i < 400; i++) {
        pty_type(&p, "\x0c");
        usleep(1000);
    }
    kill(p.pid, SIGTERM);
    int status = 0;
    uint64_t end = clock_now_ns() + 5 * NSEC_PER_SEC;
    while (waitpid(p.pid, &status, WNOHANG) == 0 && clock_now_ns() < end)
        usleep(5000);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == SIGTERM, "status %#x", status);
    pty_free(&p);
}
END_TEST

START_TEST(end_of_the_run_wakes_it)
{
    struct pty p;
    start(&p, &(struct setup){.wake = 1}, 80, 24);
    check_left(&p, 0);
}
END_TEST

/* No shell could wake us here, so the stop key must not stop us for ever. */
START_TEST(stop_key_without_a_shell)
{
    struct pty p;
    start(&p, &(struct setup){0}, 80, 24);
    pty_wait(&p, "AAAAAA");
    pty_type(&p, "\032");
    pty_wait(&p, "\033[?1049l");
    pty_wait(&p, "\033[?1049h");
    pty_wait(&p, "AAAAAA");
    pty_type(&p, "q");
    check_left(&p, 0);
}
END_TEST

START_TEST(every_size)
{
    static const int sizes[][2] = {{40, 12}, {20, 5}, {7, 3},     {2, 2},  {200, 60},
                                   {1, 1},   {1, 50}, {500, 200}, {80, 24}};
    struct pty p;
    start(&p, &(struct setup){0}, 80, 24);
    pty_wait(&p, "AAAAAA");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char want[32];
        pty_resize(&p, sizes[i][0], sizes[i][1]);
        snprintf(want, sizeof want, "[%dx%d]", sizes[i][0], sizes[i][1]);
        pty_wait(&p, sizes[i][0] >= 7 ? want : "[");
        pty_type(&p, "?");
        pty_type(&p, "x");
    }
    pty_type(&p, "q");
    check_left(&p, 0);
}
END_TEST

static const struct {
    const char *term, *notice;
} types[] = {
    {"no-such-terminal", "TERM=no-such-terminal is unknown, using xterm-256color"},
    {"xterm-no-such-thing", "TERM=xterm-no-such-thing is unknown, using xterm-256color"},
    {"vt100-nothing", "TERM=vt100-nothing is unknown, using vt100"},
    {"", "TERM is not set, using xterm-256color"},
};

START_TEST(unknown_types_fall_back_with_a_line)
{
    struct pty p;
    start(&p, &(struct setup){.term = types[_i].term}, 80, 24);
    pty_wait(&p, "AAAAAA");
    pty_wait(&p, types[_i].notice);
    pty_type(&p, "q");
    int status = pty_end(&p);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pty_free(&p);
}
END_TEST

static const struct setup refused[] = {{.term = "dumb"}, {.redirected = 1}};
static const char *const why[] = {"TERM=dumb cannot move its cursor", "standard input is not a terminal"};

START_TEST(what_is_no_terminal_gets_a_sentence)
{
    struct pty p;
    struct setup s = refused[_i];
    start(&p, &s, 80, 24);
    pty_wait(&p, why[_i]);
    int status = pty_end(&p);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 100);
    pty_free(&p);
}
END_TEST

/* µ⣿ in the read colour, as each terminal gets it. */
static const struct {
    struct setup setup;
    const char *want;
} pictures[] = {
    {{.term = "xterm-256color", .lc = "C.UTF-8", .theme = "themes/dark.theme"}, "\033[38;5;73m\033[48;5;233mµ⣿"},
    {{.term = "xterm-256color", .lc = "C.UTF-8"}, "\033[96mµ⣿"},
    {{.term = "xterm", .lc = "C.UTF-8"}, "\033[36mµ⣿"},
    {{.term = "xterm"}, "\033[36mu:"},
    {{.term = "vt100", .theme = "themes/dark.theme"}, "u:"},
    {{.term = "linux", .lc = "C.UTF-8"}, "\033[36mµ⣿"},
};

START_TEST(colours_and_characters_by_terminal)
{
    struct pty p;
    struct setup s = pictures[_i].setup;
    start(&p, &s, 80, 24);
    pty_wait(&p, pictures[_i].want);
    pty_type(&p, "q");
    int status = pty_end(&p);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (strcmp(s.term, "vt100") == 0)
        ck_assert_ptr_null(strstr(p.bytes, "\033[38"));
    pty_free(&p);
}
END_TEST

/* The entry that ncurses-term has and ncurses-base has not. */
static const char direct_entry[] =
    "xterm-direct|direct colour,\n\tRGB, ccc@, colors#0x1000000, pairs#0x7FFF, initc@, oc@, op=\\E[39;49m,\n"
    "\tsetab=\\E[%?%p1%{8}%<%t4%p1%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,\n"
    "\tsetaf=\\E[%?%p1%{8}%<%t3%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,\n"
    "\tuse=xterm-256color,\n";

START_TEST(true_colour_where_the_terminal_says_so)
{
    char dir[] = "/tmp/benchtop-terminfo-XXXXXX", path[64], command[160];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/source", dir);
    FILE *f = fopen(path, "w");
    fputs(direct_entry, f);
    fclose(f);
    snprintf(command, sizeof command, "tic -x -o %s %s", dir, path);
    ck_assert_int_eq(system(command), 0);
    snprintf(path, sizeof path, "%s:", dir); /* and the usual places */
    setenv("TERMINFO_DIRS", path, 1);
    struct pty p;
    struct setup s = {.lc = "C.UTF-8", .colorterm = _i ? "truecolor" : NULL, .theme = "themes/dark.theme"};
    start(&p, &s, 80, 24);
    pty_wait(&p, _i ? "\033[38;2;67;181;170m" : "\033[38;5;73m");
    pty_type(&p, "q");
    check_left(&p, 0);
    snprintf(command, sizeof command, "rm -r %s", dir);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(an_unchanged_picture_costs_nothing)
{
    struct pty p;
    start(&p, &(struct setup){0}, 200, 60);
    pty_wait(&p, "AAAAAA");
    while (pty_read(&p, 200))
        ;
    size_t before = p.len;
    for (int i = 0; i < 20; i++)
        pty_type(&p, "\x02"); /* keys without meaning: drawn each time, nothing sent */
    pty_type(&p, "I");
    pty_wait(&p, "BBBBBB");
    ck_assert_uint_lt(p.len - before, 200);
    pty_type(&p, "q");
    check_left(&p, 0);
}
END_TEST

START_TEST(names_to_try)
{
    char n[TERM_NAMES][TERM_NAME];
    term_names("tmux-256color", true, n);
    static const char *const want[] = {"tmux-direct", "tmux-256color", "tmux", "xterm-256color",
                                       "xterm",       "vt100",         ""};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        ck_assert_str_eq(n[i], want[i]);
    term_names("a-b-c-d-e-f-g-h", false, n);
    ck_assert_str_eq(n[0], "a-b-c-d-e-f-g-h");
    char longest[200];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    term_names(longest, true, n);
    ck_assert_str_eq(n[0], "xterm-256color");
    term_names(NULL, true, n);
    ck_assert_str_eq(n[0], "xterm-256color");
}
END_TEST

#define LOOP(tc, test, rows) tcase_add_loop_test(tc, test, 0, (int)(sizeof rows / sizeof *rows))

int main(void)
{
    TCase *tc = tcase_create("ui");
    tcase_set_timeout(tc, 30);
    tcase_add_test(tc, draws_at_once_and_quits);
    tcase_add_test(tc, keys_become_actions_and_orders);
    tcase_add_test(tc, help_opens_scrolls_and_closes);
    tcase_add_loop_test(tc, second_asking_leaves, 0, 2);
    LOOP(tc, signals_end_it, ending);
    tcase_add_test(tc, interrupt_key_ends_it);
    tcase_add_test(tc, lost_terminal_ends_it);
    tcase_add_test(tc, stalled_terminal_is_left);
    tcase_add_test(tc, end_of_the_run_wakes_it);
    tcase_add_test(tc, stop_key_without_a_shell);
    tcase_add_test(tc, every_size);
    LOOP(tc, unknown_types_fall_back_with_a_line, types);
    LOOP(tc, what_is_no_terminal_gets_a_sentence, refused);
    LOOP(tc, colours_and_characters_by_terminal, pictures);
    tcase_add_loop_test(tc, true_colour_where_the_terminal_says_so, 0, 2);
    tcase_add_test(tc, an_unchanged_picture_costs_nothing);
    tcase_add_test(tc, names_to_try);
    Suite *s = suite_create("ui");
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
