/* run_task: reads /proc/self/task: the CPU time of workers and of io_uring's helper threads.
 * Decides nothing; the conductor asks about once a second. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/str.h"
#include "engine/run_task.h"

static bool read_task_file(pid_t tid, const char *name, char *dst, size_t n)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/task/%d/%s", (int)tid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t got = read(fd, dst, n - 1);
    close(fd);
    dst[got > 0 ? got : 0] = '\0';
    return got > 0;
}

static uint64_t field_after(const char *text, const char *label)
{
    const char *p = strstr(text, label);
    uint64_t v = 0;
    if (p && (p += strlen(label)))
        str_next_u64(&p, &v);
    return v;
}

void task_usage_add(pid_t tid, struct task_usage *ret)
{
    char text[4096], word[32];
    uint64_t user = 0, system = 0, minor = 0, major = 0, tick = NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);
    if (read_task_file(tid, "stat", text, sizeof(text))) {
        const char *p = strrchr(text, ')'); /* the name may hold anything */
        p = p ? p + 1 : text;
        for (int i = 0; i < 7; i++) /* state … flags: proc(5), fields 3 to 9 */
            str_next_word(&p, word, sizeof(word));
        str_next_u64(&p, &minor);
        str_next_word(&p, word, sizeof(word)); /* of children */
        str_next_u64(&p, &major);
        str_next_word(&p, word, sizeof(word));
        str_next_u64(&p, &user);
        str_next_u64(&p, &system);
    }
    ret->user_ns += user * tick;
    ret->system_ns += system * tick;
    ret->minflt += minor;
    ret->majflt += major;
    if (read_task_file(tid, "status", text, sizeof(text)))
        ret->ctx +=
            field_after(text, "\nvoluntary_ctxt_switches:") + field_after(text, "\nnonvoluntary_ctxt_switches:");
}

/* The clock of a thread by its number, as pthread_getcpuclockid makes it (linux/posix-timers: ~tid << 3, per
 * thread and CPUCLOCK_SCHED); helpers of io_uring belong to our thread group, so we may read theirs. */
static uint64_t thread_ns(pid_t tid)
{
    struct timespec ts;
    clockid_t id = (clockid_t)(~(unsigned)tid << 3) | 6;
    return clock_gettime(id, &ts) < 0 ? 0 : (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

static bool is_nameless(void)
{
    static const char first[] = "pid:[4026531836]"; /* PROC_PID_INIT_INO: the same on every machine */
    char ns[64] = "";
    return readlink("/proc/self/ns/pid", ns, sizeof(ns) - 1) > 0 && strcmp(ns, first) != 0;
}

/* False when thread `tid` is none. */
static bool is_helper(pid_t tid, struct task_helper *ret)
{
    char comm[32];
    if (!read_task_file(tid, "comm", comm, sizeof(comm)))
        return false;
    bool poller = str_starts(comm, "iou-sqp-");
    if (!poller && !str_starts(comm, "iou-wrk-"))
        return false;
    *ret = (struct task_helper){.tid = tid, .owner = (pid_t)atoi(comm + 8), .poller = poller};
    return true;
}

static void note_helper(struct task_table *t, struct task_helper h)
{
    pid_t tid = h.tid, owner = t->nameless ? 0 : h.owner;
    uint64_t ns = thread_ns(tid);
    for (size_t i = 0; i < t->n; i++)
        if (t->row[i].tid == tid && t->row[i].owner == owner && ns >= t->row[i].ns) {
            t->row[i].ns = ns;
            return;
        }
    struct task_helper *row = realloc(t->row, (t->n + 1) * sizeof(*row));
    if (!row)
        return;
    t->row = row;
    t->row[t->n++] = (struct task_helper){.tid = tid, .owner = owner, .poller = h.poller, .ns = ns};
}

void task_table_read(struct task_table *t)
{
    DIR *dir = opendir("/proc/self/task");
    struct dirent *e;
    t->nameless = is_nameless();
    while (dir && (e = readdir(dir))) {
        struct task_helper h;
        pid_t tid = (pid_t)atoi(e->d_name);
        if (tid > 0 && is_helper(tid, &h))
            note_helper(t, h);
    }
    if (dir)
        closedir(dir);
}

static uint64_t sum(const struct task_table *t, pid_t owner, bool pollers)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < t->n; i++)
        if ((!owner || t->row[i].owner == owner) && (pollers || !t->row[i].poller))
            ns += t->row[i].ns;
    return ns;
}

uint64_t task_table_ns(const struct task_table *t, pid_t owner)
{
    return sum(t, owner, true);
}

uint64_t task_table_punted_ns(const struct task_table *t, pid_t owner)
{
    return sum(t, owner, false);
}

void task_table_settle(struct task_table *t, pid_t owner)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->row[i].owner == owner)
            t->row[i].owner = -1;
}

void task_table_fini(struct task_table *t)
{
    free(t->row);
    *t = (struct task_table){0};
}
