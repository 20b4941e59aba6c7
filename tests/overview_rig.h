/* overview_rig: the overview over the synthetic machine, drawn as text, and questions about what stands where.
 * Has no test of its own. */
#ifndef TESTS_OVERVIEW_RIG_H
#define TESTS_OVERVIEW_RIG_H

#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/synthetic.h"
#include "tui/glyph.h"
#include "tui/screen.h"

#define TICKS 41 /* the last one is seq 40: round values, 14:03:07 */

static struct synthetic machine;
static const struct screen *screen;
static struct screen_env env = {.interval_ns = 500 * NSEC_PER_MSEC, .label = ""};
static struct job job;
static void *state;
static struct canvas c;
static struct strbuf text;

static inline void newest_job(void *arg, size_t i, struct job *ret)
{
    (void)arg;
    (void)i;
    *ret = job;
}

static inline void setup(void)
{
    setenv("TZ", "UTC", 1);
    setlocale(LC_CTYPE, "C.UTF-8");
    synthetic_init(&machine);
    screen = screen_find("overview");
    ck_assert_ptr_nonnull(screen);
    ck_assert_int_eq(canvas_init(&c, 1, 1), 0);
    job_init(&job);
    job.rw = JOB_RANDRW;
    job.rwmixread = 70;
    job_set(&job, "bs", "4k", NULL);
    job.iodepth = 32;
    job.numjobs = 3;
    job_set(&job, "rate_iops", "500", NULL);
    strcpy(job.filename, "/dev/nvme0n1");
    strcpy(job.ioengine, "io_uring");
    env.njobs = 1;
    env.job = newest_job;
}

static inline void open_screen(void)
{
    ck_assert_int_eq(screen->open(&env, &state), 0);
}

static inline void tick(int n)
{
    for (int i = 0; i < n; i++) {
        struct frame *f = synthetic_tick(&machine);
        screen->update(state, f);
        frame_unref(f);
    }
}

static inline const char *draw(int w, int h, enum canvas_charset cs)
{
    ck_assert_int_eq(canvas_resize(&c, w, h), 0);
    c.charset = cs;
    screen->draw(state, &c, (struct rect){0, 0, w, h});
    strbuf_reset(&text);
    canvas_dump_text(&c, &text);
    return text.s;
}

static inline void teardown(void)
{
    screen->close(state);
    state = NULL;
    canvas_fini(&c);
    strbuf_fini(&text);
    frame_pool_free(machine.pool);
}

/* Line that holds `what`, NULL = none; *ret_column in columns, not bytes. */
static inline bool find(const char *what, int from_y, int *ret_x, int *ret_y)
{
    const char *line = text.s;
    for (int y = 0; *line; y++) {
        const char *end = strchr(line, '\n');
        char buf[4096];
        snprintf(buf, sizeof buf, "%.*s", (int)(end - line), line);
        const char *at = y >= from_y ? strstr(buf, what) : NULL;
        if (at) {
            buf[at - buf] = '\0';
            *ret_x = canvas_width(buf);
            *ret_y = y;
            return true;
        }
        line = end + 1;
    }
    return false;
}

static inline void has(const char *what)
{
    int x, y;
    ck_assert_msg(find(what, 0, &x, &y), "\"%s\" is not on the screen\n%.3500s", what, text.s);
}

static inline const struct cell *cell(int x, int y)
{
    ck_assert(x >= 0 && y >= 0 && x < c.w && y < c.h);
    return &c.cell[y * c.w + x];
}

/* The value whose last character stands under the last character of the heading. */
static inline void under(const char *heading, const char *row, const char *value)
{
    int hx, hy, x, y, end;
    char got[64] = "";
    size_t n = 0;
    ck_assert_msg(find(heading, 0, &hx, &hy), "no heading %s\n%.3500s", heading, text.s);
    ck_assert_msg(find(row, hy + 1, &x, &y), "no row %s\n%.3500s", row, text.s);
    end = hx + canvas_width(heading) - 1;
    for (x = end; x > 0 && cell(x, y)->ch != ' '; x--)
        ;
    while (x < end && n < sizeof got - 5)
        n += glyph_encode(cell(++x, y)->ch, got + n);
    ck_assert_msg(strcmp(got, value) == 0, "%s of %s is \"%s\" and not \"%s\"\n%.3500s", heading, row, got, value,
                  text.s);
}

#endif
