/* seat: where a thread runs, where its memory lies and with what priority, asked of the kernel itself. */
#include "engine/seat.h"

#include <check.h>
#include <errno.h>
#include <linux/ioprio.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/str.h"

static int set_all(struct job *j, const char *words, struct err *err)
{
    char word[256];
    job_init(j);
    job_set(j, "filename", "/tmp/x", NULL);
    while (str_next_word(&words, word, sizeof(word))) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        int rc = job_set(j, word, value, err);
        if (rc < 0)
            return rc;
    }
    return job_check(j, NULL, 0, err);
}

struct taken {
    const char *words;
    unsigned clone;
    int rc, nice, ioprio, mode;
    unsigned long nodes[SEAT_NODES / (8 * sizeof(long))];
    cpu_set_t cpus;
    struct err err;
};

/* On a thread of its own: most of it cannot be taken back. */
static void *take(void *arg)
{
    struct taken *t = arg;
    struct job j;
    struct seat s;
    t->rc = set_all(&j, t->words, &t->err);
    if (t->rc == 0)
        t->rc = seat_of(&j, t->clone, &s, &t->err);
    if (t->rc < 0)
        return NULL;
    t->rc = seat_take(&s, &t->err);
    seat_fini(&s);
    t->nice = getpriority(PRIO_PROCESS, (id_t)gettid());
    t->ioprio = (int)syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0);
    if (syscall(SYS_get_mempolicy, &t->mode, t->nodes, (unsigned long)SEAT_NODES, NULL, 0ul) < 0)
        t->mode = -1;
    sched_getaffinity(0, sizeof(t->cpus), &t->cpus);
    return NULL;
}

static struct taken taken_by(const char *words, unsigned clone)
{
    struct taken t = {.words = words, .clone = clone};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, take, &t), 0);
    pthread_join(thread, NULL);
    return t;
}

static unsigned cpus_here(unsigned cpu[2])
{
    cpu_set_t set;
    unsigned n = 0;
    sched_getaffinity(0, sizeof(set), &set);
    for (unsigned i = 0; i < CPU_SETSIZE && n < 2; i++)
        if (CPU_ISSET(i, &set))
            cpu[n++] = i;
    return n;
}

START_TEST(nothing_said_changes_nothing)
{
    cpu_set_t before;
    sched_getaffinity(0, sizeof(before), &before);
    struct taken t = taken_by("", 0);
    ck_assert_msg(t.rc == 0, "%s", t.err.text);
    ck_assert_int_eq(t.nice, getpriority(PRIO_PROCESS, 0));
    ck_assert_int_eq(IOPRIO_PRIO_CLASS(t.ioprio), IOPRIO_PRIO_CLASS(syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0)));
    ck_assert(CPU_EQUAL(&before, &t.cpus));
}
END_TEST

START_TEST(clones_split_the_cpus_in_turn)
{
    unsigned cpu[2];
    if (cpus_here(cpu) < 2)
        return;
    char words[96];
    snprintf(words, sizeof(words), "cpus_allowed=%u,%u cpus_allowed_policy=split", cpu[0], cpu[1]);
    for (unsigned clone = 0; clone < 4; clone++) {
        struct taken t = taken_by(words, clone);
        ck_assert_msg(t.rc == 0, "%s", t.err.text);
        ck_assert_int_eq(CPU_COUNT(&t.cpus), 1);
        ck_assert(CPU_ISSET(cpu[clone % 2], &t.cpus));
    }
    snprintf(words, sizeof(words), "cpus_allowed=%u,%u cpus_allowed_policy=shared", cpu[0], cpu[1]);
    struct taken all = taken_by(words, 1);
    ck_assert_int_eq(CPU_COUNT(&all.cpus), 2);
}
END_TEST

START_TEST(a_mask_is_a_list)
{
    struct job j;
    char text[64];
    job_init(&j);
    ck_assert_int_eq(job_set(&j, "cpumask", "34", NULL), 0);
    ck_assert_str_eq(j.cpus_allowed, "1,5");
    job_get_named(&j, "cpumask", text, sizeof(text));
    ck_assert_str_eq(text, "34");
    ck_assert(job_is_set(&j, "cpus_allowed"));
    struct err err = {0};
    ck_assert_int_eq(job_set(&j, "cpumask", "0", &err), -EINVAL);
    ck_assert_ptr_nonnull(strstr(err.text, "cpumask=0"));
}
END_TEST

START_TEST(priorities_are_the_thread_s)
{
    struct taken t = taken_by("nice=7 prio=3", 0);
    ck_assert_msg(t.rc == 0, "%s", t.err.text);
    ck_assert_int_eq(t.nice, 7);
    ck_assert_int_eq(t.ioprio, (int)IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 3));
    t = taken_by("prioclass=3", 0);
    ck_assert_int_eq(IOPRIO_PRIO_CLASS(t.ioprio), IOPRIO_CLASS_IDLE);
    ck_assert_int_ne(getpriority(PRIO_PROCESS, 0), 7);
}
END_TEST

START_TEST(what_needs_a_privilege_says_so)
{
    if (geteuid() == 0 && (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0))
        return;
    struct rlimit none = {0};
    setrlimit(RLIMIT_NICE, &none);
    struct taken t = taken_by(_i ? "prioclass=1" : "nice=-5", 0);
    ck_assert_int_lt(t.rc, 0);
    ck_assert_ptr_nonnull(strstr(t.err.text, _i ? "prioclass=1" : "nice=-5"));
    ck_assert_ptr_nonnull(strstr(t.err.text, "needs root"));
}
END_TEST

static bool has_nodes(void)
{
    return access("/sys/devices/system/node/node0/cpulist", F_OK) == 0;
}

START_TEST(memory_lies_where_it_was_asked_for)
{
    static const struct {
        const char *words;
        int mode;
        unsigned long nodes;
    } row[] = {
        {"numa_mem_policy=bind:0", MPOL_BIND, 1},
        {"numa_mem_policy=interleave:all", MPOL_INTERLEAVE, 1},
        {"numa_mem_policy=prefer:0", MPOL_PREFERRED, 1},
        {"numa_mem_policy=local", MPOL_LOCAL, 0},
        {"numa_mem_policy=default", MPOL_DEFAULT, 0},
    };
    if (!has_nodes())
        return;
    struct taken t = taken_by(row[_i].words, 0);
    ck_assert_msg(t.rc == 0, "%s", t.err.text);
    if (t.mode < 0)
        return; /* a kernel without memory policies */
    ck_assert_int_eq(t.mode, row[_i].mode);
    if (row[_i].nodes)
        ck_assert_uint_eq(t.nodes[0] & 1, 1);
}
END_TEST

START_TEST(a_node_stands_for_its_cpus)
{
    if (!has_nodes())
        return;
    struct taken t = taken_by("numa_cpu_nodes=all", 0);
    cpu_set_t mine;
    sched_getaffinity(0, sizeof(mine), &mine);
    ck_assert_msg(t.rc == 0 || strstr(t.err.text, "cpuset"), "%s", t.err.text);
    if (t.rc == 0)
        ck_assert(CPU_EQUAL(&mine, &t.cpus));
}
END_TEST

static const struct {
    const char *words, *says;
} refused[] = {
    {"numa_cpu_nodes=99", "numa_cpu_nodes=99: this machine has no memory node 99"},
    {"numa_cpu_nodes=x", "numa_cpu_nodes=x: must be numbers of memory nodes"},
    {"numa_cpu_nodes=0 cpus_allowed=0", "give this or cpus_allowed, not both"},
    {"numa_mem_policy=bind:99", "numa_mem_policy=99: this machine has no memory node 99"},
    {"numa_mem_policy=bind", "numa_mem_policy=bind: needs nodes"},
    {"numa_mem_policy=local:0", "numa_mem_policy=local:0: takes no nodes"},
    {"numa_mem_policy=near:0", "must be default, local"},
    {"nice=20", "nice=20: must be -20 to 19"},
    {"nice=x", "nice=x: must be -20 to 19"},
    {"prio=8", "prio=8: must be 0 to 7"},
    {"prioclass=4", "prioclass=4: must be 0 to 3"},
    {"cpus_allowed_policy=own", "must be shared or split"},
    {"cpumask=x", "cpumask=x: must be a number"},
};

START_TEST(nonsense_is_refused_by_name)
{
    struct job j;
    struct err err = {0};
    ck_assert_int_lt(set_all(&j, refused[_i].words, &err), 0);
    ck_assert_msg(strstr(err.text, refused[_i].says), "\"%s\"", err.text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("seat");
    TCase *c = tcase_create("seat");
    suite_add_tcase(s, c);
    tcase_add_test(c, nothing_said_changes_nothing);
    tcase_add_test(c, clones_split_the_cpus_in_turn);
    tcase_add_test(c, a_mask_is_a_list);
    tcase_add_test(c, priorities_are_the_thread_s);
    tcase_add_loop_test(c, what_needs_a_privilege_says_so, 0, 2);
    tcase_add_loop_test(c, memory_lies_where_it_was_asked_for, 0, 5);
    tcase_add_test(c, a_node_stands_for_its_cpus);
    tcase_add_loop_test(c, nonsense_is_refused_by_name, 0, (int)(sizeof(refused) / sizeof(refused[0])));
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
