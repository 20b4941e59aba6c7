/* overview: the first screen: devices, throughput, latency, CPU, the job and its knobs, events, keys.
 * The boxes are drawn by overview_*.c; here are the hooks. */
#include "tui/screens/overview.h"

#include <errno.h>
#include <stdlib.h>

#include "tui/layout.h"
#include "tui/screens/overview_layout.h"

static void close_overview(void *state)
{
    struct overview *o = state;
    if (!o)
        return;
    overview_history_fini(o);
    frame_unref(o->frame);
    free(o);
}

static int open_overview(const struct screen_env *env, void **ret_state)
{
    struct overview *o = calloc(1, sizeof *o);
    if (!o)
        return -ENOMEM;
    o->env = *env;
    o->wish_rows = 2;
    if (overview_history_init(o) < 0) {
        close_overview(o);
        return -ENOMEM;
    }
    overview_job_update(o);
    *ret_state = o;
    return 0;
}

static void update_overview(void *state, const struct frame *frame)
{
    struct overview *o = state;
    const struct frame *before = o->frame;
    o->frame = frame_ref(frame);
    frame_unref(before);
    overview_rows_update(o);
    overview_history_update(o);
    overview_events_update(o);
    overview_job_update(o);
}

static void (*const draw_box[BOXES])(const struct overview *o, struct canvas *c, struct rect r) = {
    [BOX_DEVICES] = overview_draw_devices, [BOX_GRAPH] = overview_draw_graph,
    [BOX_LATENCY] = overview_draw_latency, [BOX_CPU] = overview_draw_cpu,
    [BOX_JOB] = overview_draw_job,         [BOX_BRIEF] = overview_draw_brief,
    [BOX_EVENTS] = overview_draw_events,   [BOX_FOOTER] = overview_draw_footer,
    [BOX_TINY] = overview_draw_tiny,
};

static void draw_overview(const void *state, struct canvas *c, struct rect r)
{
    const struct overview *o = state;
    struct overview_layout l;
    overview_layout(r, o->wish_rows, &l);
    for (int i = 0; i < BOXES; i++)
        if (!layout_empty(l.box[i]))
            draw_box[i](o, c, l.box[i]);
}

extern const struct screen overview_screen;
const struct screen overview_screen = {
    .name = "overview",
    .blurb = "Devices, throughput, latency, cores and the load with its knobs, on one screen.",
    .open = open_overview,
    .act = overview_act,
    .update = update_overview,
    .draw = draw_overview,
    .close = close_overview,
};
