/* overview_events: the last events with their time, and the keys.
 * Events live only one frame; the state keeps the tail that can be shown. */
#include <stdio.h>
#include <string.h>

#include "core/str.h"
#include "tui/screens/overview.h"
#include "tui/widgets/table.h"

static enum role role_of(const char *kind)
{
    static const struct {
        const char *kind;
        enum role role;
    } roles[] = {{"error", ROLE_ERROR}, {"warning", ROLE_WARN}, {"device", ROLE_WARN}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strcmp(kind, roles[i].kind) == 0)
            return roles[i].role;
    return ROLE_TEXT;
}

/* Event `back` steps before the newest; NULL when there is none. */
static const struct overview_event *event_at(const struct overview *o, size_t back)
{
    if (back >= o->nevents || back >= OVERVIEW_EVENTS)
        return NULL;
    return &o->event[(o->nevents - 1 - back) % OVERVIEW_EVENTS];
}

static void add(struct overview *o, uint64_t time_ns, enum role role, const char *text)
{
    struct overview_event *to = &o->event[o->nevents++ % OVERVIEW_EVENTS];
    *to = (struct overview_event){.time_ns = time_ns, .role = role};
    str_copy(to->text, sizeof to->text, text);
}

void overview_events_say(struct overview *o, enum role role, const char *text)
{
    const struct overview_event *newest = event_at(o, 0);
    if (o->frame && (!newest || strcmp(newest->text, text) != 0))
        add(o, o->frame->time_ns, role, text);
}

/* "failed" alone helps nobody: the first error follows in words. */
static void say_failures(struct overview *o)
{
    for (size_t i = 0; i < o->frame->nload && i < 64; i++) {
        const struct frame_load *l = &o->frame->load[i];
        uint64_t bit = 1ull << i;
        bool failed = l->state == LOAD_FAILED && l->error[0];
        char text[OVERVIEW_EVENT_TEXT];
        if (failed && !(o->failed & bit)) {
            str_format(text, sizeof text, "%s: %s", l->name, l->error);
            add(o, o->frame->time_ns, ROLE_ERROR, text);
        }
        o->failed = failed ? o->failed | bit : o->failed & ~bit;
    }
}

void overview_events_update(struct overview *o)
{
    for (size_t i = 0; i < o->frame->nevents; i++) {
        const struct frame_event *e = &o->frame->events[i];
        add(o, e->time_ns, role_of(e->kind), e->text);
    }
    say_failures(o);
}

/* Returns the column behind it. */
static int draw_event(const struct overview_event *e, struct canvas *c, struct rect r)
{
    char t[16];
    int x = canvas_text(c, r, r.x, r.y, (struct style){.role = ROLE_DIM}, overview_time(t, e->time_ns)) + 1;
    table_text(c, (struct rect){x, r.y, r.x + r.w - x, 1}, (struct style){.role = e->role}, e->text);
    return x + canvas_width(e->text);
}

/* One line: the newest first, older ones behind it while whole ones fit. */
static void draw_line(const struct overview *o, struct canvas *c, struct rect r)
{
    const struct overview_event *e;
    int end = r.x + r.w, x = r.x;
    for (size_t i = 0; (e = event_at(o, i)) != NULL && x < end; i++) {
        if (i > 0 && x + 9 + canvas_width(e->text) > end)
            break;
        x = draw_event(e, c, (struct rect){x, r.y, end - x, 1}) + 3;
    }
}

void overview_draw_events(const struct overview *o, struct canvas *c, struct rect r)
{
    const struct label label[] = {{SIDE_TOP_LEFT, "events", {.role = ROLE_TITLE, .bold = true}, -1},
                                  {.text = NULL}};
    if (r.h < 4) {
        draw_line(o, c, (struct rect){r.x + 1, r.y, r.w - 2, 1});
        return;
    }
    struct rect in = canvas_box(c, r, label);
    for (int i = 0; i < in.h; i++) { /* the newest at the top, where the eye is */
        const struct overview_event *e = event_at(o, (size_t)i);
        if (e)
            draw_event(e, c, (struct rect){in.x, in.y + i, in.w, 1});
    }
}

/* "↑↓ device": the keys of two actions and one word; b ACT_NONE = one key. */
static const struct foot {
    enum action a, b;
    const char *word; /* NULL = the table's */
} foot[] = {
    {ACT_DEVICE_UP, ACT_DEVICE_DOWN, NULL},
    {ACT_KNOB_PREV, ACT_KNOB_NEXT, NULL},
    {ACT_KNOB_UP, ACT_KNOB_DOWN, "turn"},
    {ACT_START, ACT_NONE, NULL},
    {ACT_STOP, ACT_NONE, NULL},
    {ACT_PAUSE, ACT_NONE, NULL},
    {ACT_DEPTH_DOWN, ACT_DEPTH_UP, NULL},
    {ACT_BS_DOWN, ACT_BS_UP, NULL},
    {ACT_MIX_DOWN, ACT_MIX_UP, NULL},
    {ACT_RATE_DOWN, ACT_RATE_UP, NULL},
    {ACT_JOBS_DOWN, ACT_JOBS_UP, NULL},
    {ACT_PATTERN, ACT_NONE, NULL},
    {ACT_SINCE, ACT_NONE, NULL},
    {ACT_CHARSET, ACT_NONE, NULL},
};
static const struct foot always[] = {{ACT_HELP, ACT_NONE, NULL}, {ACT_QUIT, ACT_NONE, NULL}};

static int foot_width(const struct foot *f)
{
    const struct key_row *a = key_for(f->a), *b = key_for(f->b);
    return a ? canvas_width(a->name) + (b ? canvas_width(b->name) : 0) + 1 +
                   canvas_width(f->word ? f->word : a->word)
             : 0;
}

static int draw_foot(const struct foot *f, struct canvas *c, struct rect r, int x)
{
    const struct style key = {.role = ROLE_KEY, .bold = true}, word = {.role = ROLE_DIM};
    const struct key_row *a = key_for(f->a), *b = key_for(f->b);
    if (!a)
        return x;
    x = canvas_text(c, r, x, r.y, key, a->name);
    if (b)
        x = canvas_text(c, r, x, r.y, key, b->name);
    return canvas_text(c, r, x + 1, r.y, word, f->word ? f->word : a->word);
}

void overview_draw_footer(const struct overview *o, struct canvas *c, struct rect r)
{
    int x = r.x + 1, end = r.x + r.w;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        end -= foot_width(&always[i]) + 2;
    for (size_t i = 0; i < sizeof foot / sizeof *foot && x + foot_width(&foot[i]) <= end; i++)
        x = draw_foot(&foot[i], c, r, x) + 2;
    x = end + 1;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        x = draw_foot(&always[i], c, r, x) + 2;
}
