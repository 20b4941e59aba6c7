/* keeper: exit codes, death in every form, signals once, stop and continue, the terminal afterwards. */
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#include "cli/keeper.h"
#include "tests/pty.h"

static void say(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        _exit(98);
}

/* "{pid 123}" for the test, which kills it. */
static void say_pid(const char *word)
{
    char line[64];
    snprintf(line, sizeof line, "{%s %d}", word, (int)getpid());
    say(line);
}

static pid_t pid_after(struct pty *p, const char *word)
{
    char want[32];
    snprintf(want, sizeof want, "{%s ", word);
    pty_wait(p, want);
    pid_t pid = atoi(p->bytes + p->from);
    pty_wait(p, "}");
    ck_assert_int_gt(pid, 1);
    return pid;
}

/* The program on the terminal: a keeper whose child does as told. */
static int keep(void *child)
{
    say_pid("keeper");
    return keeper_run((int (*)(void *))child, NULL);
}

static void take_screen(void)
{
    struct termios raw;
    keeper_screen(true);
    tcgetattr(STDIN_FILENO, &raw);
    cfmakeraw(&raw);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    say("\033[?1049h\033[?25l");
}

static int rest(void *arg)
{
    say_pid("child");
    for (;;)
        pause();
    return 97;
}

static int rest_with_screen(void *arg)
{
    take_screen();
    return rest(arg);
}

static void check_code(struct pty *p, int code)
{
    int status = pty_end(p);
    ck_assert_msg(WIFEXITED(status), "status %#x", status);
    ck_assert_msg(WEXITSTATUS(status) == code, "code %d: %s", WEXITSTATUS(status), p->bytes);
}

static void check_restored(struct pty *p)
{
    struct termios now;
    ck_assert_int_eq(tcgetattr(p->fd, &now), 0);
    ck_assert_uint_eq(now.c_lflag, p->before.c_lflag);
    ck_assert_uint_eq(now.c_oflag, p->before.c_oflag);
    ck_assert_uint_eq(now.c_iflag, p->before.c_iflag);
    ck_assert_ptr_nonnull(strstr(p->bytes, "\033[?25h\033[?1049l"));
}

static int give_0(void *arg)
{
    return 0;
}
static int give_77(void *arg)
{
    return 77;
}
static int leave_5(void *arg)
{
    keeper_leave(5);
}
static int (*const givers[])(void *) = {give_0, give_77, leave_5};
static const int given[] = {0, 77, 5};

START_TEST(hands_on_the_code)
{
    struct pty p;
    pty_start(&p, 80, 24, keep, givers[_i]);
    check_code(&p, given[_i]);
    ck_assert_ptr_null(strstr(p.bytes, "\033")); /* no screen was taken, none is given back */
    pty_free(&p);
}
END_TEST

START_TEST(works_without_a_terminal)
{
    pid_t pid = fork();
    if (pid == 0) {
        setsid();
        close(STDIN_FILENO);
        signal(SIGCHLD, SIG_IGN); /* inherited from a careless parent */
        _exit(keeper_run(give_77, NULL));
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(WEXITSTATUS(status), 77);
}
END_TEST

static const int deadly[] = {SIGKILL, SIGUSR2, SIGABRT};

START_TEST(rescues_the_terminal_of_a_killed_child)
{
    struct pty p;
    pty_start(&p, 80, 24, keep, rest_with_screen);
    kill(pid_after(&p, "child"), deadly[_i]);
    check_code(&p, 128 + deadly[_i]);
    check_restored(&p);
    pty_wait(&p, "benchtop: killed by signal");
    pty_free(&p);
}
END_TEST

static volatile sig_atomic_t interrupts;

static void count(int sig)
{
    interrupts++;
    say("{interrupt}");
}

static void report(int sig)
{
    char line[64];
    snprintf(line, sizeof line, "{%d after %d}", sig, (int)interrupts);
    say(line);
    _exit(9);
}

static int count_interrupts(void *arg)
{
    struct sigaction whole = {.sa_handler = count};
    sigfillset(&whole.sa_mask); /* a second one is counted before the report begins */
    sigaction(SIGINT, &whole, NULL);
    signal(SIGTERM, report);
    signal(SIGHUP, report);
    return rest(arg);
}

START_TEST(passes_signals_on_but_a_key_once)
{
    struct pty p;
    pty_start(&p, 80, 24, keep, count_interrupts);
    pid_after(&p, "child");
    pty_type(&p, "\003");
    pty_wait(&p, "{interrupt}");
    kill(p.pid, _i ? SIGHUP : SIGTERM);
    pty_wait(&p, _i ? "{1 after 1}" : "{15 after 1}");
    check_code(&p, 9);
    pty_free(&p);
}
END_TEST

START_TEST(child_outlives_no_keeper)
{
    struct pty p;
    pty_start(&p, 80, 24, keep, count_interrupts);
    pid_after(&p, "child");
    kill(p.pid, SIGKILL);
    pty_wait(&p, " after 0}"); /* TERM, or HUP where the keeper led the session */
    pty_end(&p);
    pty_free(&p);
}
END_TEST

static int deaf(void *arg)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    take_screen();
    return rest(arg);
}

START_TEST(kills_a_child_that_cannot_answer)
{
    struct pty p;
    pty_start(&p, 80, 24, keep, deaf);
    pid_after(&p, "child");
    kill(p.pid, SIGTERM);
    check_code(&p, 128 + SIGKILL);
    check_restored(&p);
    pty_free(&p);
}
END_TEST

static void *sleep_on(void *arg)
{
    for (;;)
        pause();
    return NULL;
}

/* Its first thread is gone while another stays, as after a kill with a thread that hangs in the kernel. */
static int half_dead(void *arg)
{
    pthread_t thread;
    pthread_create(&thread, NULL, sleep_on, NULL);
    take_screen();
    say_pid("child");
    return (int)syscall(SYS_exit, 3);
}

START_TEST(a_zombie_with_a_thread_left_counts_as_dead)
{
    struct pty p;
    pty_start(&p, 80, 24, keep, half_dead);
    pid_t child = pid_after(&p, "child");
    check_code(&p, 3);
    check_restored(&p);
    pty_wait(&p, "still hangs in the kernel");
    ck_assert_int_eq(kill(child, SIGKILL), 0); /* it was there still */
    pty_free(&p);
}
END_TEST

START_TEST(what_was_ignored_stays_ignored)
{
    struct pty p;
    signal(SIGHUP, SIG_IGN); /* nohup */
    pty_start(&p, 80, 24, keep, rest);
    pid_after(&p, "child");
    kill(p.pid, SIGHUP);
    kill(p.pid, SIGTERM);
    check_code(&p, 128 + SIGTERM);
    pty_free(&p);
}
END_TEST

static void woken(int sig)
{
    say("{on again}");
}

static int stoppable(void *arg)
{
    signal(SIGCONT, woken);
    return rest(arg);
}

static pid_t job_in_foreground(void)
{
    pid_t job = fork();
    if (job != 0)
        return job;
    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(STDIN_FILENO, getpid());
    signal(SIGTTOU, SIG_DFL);
    _exit(keep(stoppable));
}

/* A shell with job control: a job of its own in the foreground, back to the shell when it stops, then `fg`. */
static int shell(void *arg)
{
    int status;
    pid_t job = job_in_foreground();
    if (waitpid(job, &status, WUNTRACED) != job || !WIFSTOPPED(status))
        return 90;
    say("{prompt}");
    kill(-job, SIGCONT);
    waitpid(job, &status, WUNTRACED);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 91;
}

START_TEST(stops_and_goes_on_with_its_child)
{
    struct pty p;
    pty_start(&p, 80, 24, shell, NULL);
    pid_t keeper = pid_after(&p, "keeper");
    pid_t child = pid_after(&p, "child");
    if (_i)
        kill(child, SIGSTOP); /* by anybody */
    else
        pty_type(&p, "\032");
    pty_wait(&p, "{prompt}");
    pty_wait(&p, "{on again}");
    kill(keeper, SIGTERM);
    check_code(&p, 128 + SIGTERM);
    pty_free(&p);
}
END_TEST

/* A shell that leaves a stopped job alone. */
static int idle_shell(void *arg)
{
    int status;
    pid_t job = job_in_foreground();
    while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status))
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 91;
}

static void stop(pid_t pid)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    kill(pid, SIGSTOP);
    while (!strstr(line, ") T ")) {
        FILE *f = fopen(path, "r");
        ck_assert_ptr_nonnull(f);
        ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
        fclose(f);
    }
}

/* Both were stopped, and the keeper is continued first: its child's stop is no new one to follow. */
START_TEST(an_old_stop_is_not_followed)
{
    struct pty p;
    pty_start(&p, 80, 24, idle_shell, NULL);
    pid_t keeper = pid_after(&p, "keeper");
    pid_t child = pid_after(&p, "child");
    stop(keeper);
    stop(child);
    kill(keeper, SIGCONT);
    pty_wait(&p, "{on again}");
    kill(keeper, SIGTERM);
    check_code(&p, 128 + SIGTERM);
    pty_free(&p);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("keeper");
    tcase_set_timeout(tc, 30);
    tcase_add_loop_test(tc, hands_on_the_code, 0, 3);
    tcase_add_test(tc, works_without_a_terminal);
    tcase_add_loop_test(tc, rescues_the_terminal_of_a_killed_child, 0, 3);
    tcase_add_loop_test(tc, passes_signals_on_but_a_key_once, 0, 2);
    tcase_add_test(tc, child_outlives_no_keeper);
    tcase_add_test(tc, kills_a_child_that_cannot_answer);
    tcase_add_test(tc, a_zombie_with_a_thread_left_counts_as_dead);
    tcase_add_test(tc, what_was_ignored_stays_ignored);
    tcase_add_loop_test(tc, stops_and_goes_on_with_its_child, 0, 2);
    tcase_add_test(tc, an_old_stop_is_not_followed);
    Suite *s = suite_create("keeper");
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
