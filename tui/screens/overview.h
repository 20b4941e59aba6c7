/* overview: what the parts of the overview share: its state and the box each part draws. Private to tui/screens/.
 * The state keeps the newest frame, the histories that a frame has not, and what the user chose. */
#ifndef TUI_SCREENS_OVERVIEW_H
#define TUI_SCREENS_OVERVIEW_H

#include "core/frame.h"
#include "core/series.h"
#include "tui/screen.h"

#define OVERVIEW_ROWS 512     /* devices that are listed; more are counted only */
#define OVERVIEW_HISTORIES 64 /* devices that have a history: those that did I/O, the idlest gives way */
#define OVERVIEW_EVENTS 64
#define OVERVIEW_EVENT_TEXT 160

/* Two resolutions: seconds for sparklines and the near past, ten seconds for the hour. */
enum { FINE, COARSE, RESOLUTIONS };

struct overview_history {
    struct series read[RESOLUTIONS], write[RESOLUTIONS]; /* bytes/s */
    bool ready;                                          /* memory is there */
    int row;                                             /* whose it is; -1 = free */
    uint64_t busy_ns;                                    /* monotonic time of the last I/O */
};

/* How much a device matters in a list that is too short for all. */
enum overview_class {
    CLASS_BUSY,
    CLASS_IDLE,
    CLASS_IDLE_PART,
    CLASS_IDLE_PSEUDO,
    CLASS_UNUSED, /* a loop without a file and the like: never a row */
    CLASSES
};

struct overview_row {
    char name[64];
    int history;       /* -1 = none: it never did I/O */
    int parent, depth; /* row it is drawn under, -1 = none */
    enum overview_class class;
    double key_bytes, key_iops, key_await; /* smoothed over seconds, so that rows do not jump */
    uint64_t seen_ns;                      /* monotonic time of the first sight */
    uint64_t gone_ns;                      /* real time it was first seen gone, 0 = it is there */
};

enum overview_sort { SORT_BYTES, SORT_IOPS, SORT_AWAIT, SORT_NAME, SORTS };

struct overview_event {
    uint64_t time_ns;
    enum role role;
    char text[OVERVIEW_EVENT_TEXT];
};

struct overview {
    struct screen_env env;
    const struct frame *frame; /* newest, referenced; NULL before the first */

    struct overview_row row[OVERVIEW_ROWS]; /* row[i] is frame->devs[i] */
    size_t nrows;
    uint16_t order[OVERVIEW_ROWS];   /* all of them, as drawn */
    uint64_t sorted_ns, moved_ns;    /* monotonic time of the last sort and selection */
    bool ordered, sorted_with_rates; /* order[] belongs to row[]; rates were known then */
    int wish_rows, wish_name;        /* rows of the device table, columns of its names; they only grow */
    enum overview_sort sort;
    bool flat;
    char selected[64]; /* "": the job's own device */

    struct overview_history history[OVERVIEW_HISTORIES], total, load;
    int zoom;

    struct overview_event event[OVERVIEW_EVENTS];
    size_t nevents; /* ever; slot = number % OVERVIEW_EVENTS */
    uint64_t failed; /* a bit for each of the first 64 jobs: it has failed, and that was said */

    size_t job_at; /* the job the knobs turn */
    int knob;
    struct job job; /* its newest version; valid while have_job */
    bool have_job;
    int hold; /* frames for which `job` may be newer than what the run says */
    bool since, other_direction;
};

/* overview_history.c */
int overview_history_init(struct overview *o);
void overview_history_fini(struct overview *o);
void overview_history_update(struct overview *o);
/* n values (NAN = gap) of slots of the present zoom, oldest first; pair: slots are drawn two a cell. s has all
 * resolutions. */
void overview_history_slots(const struct overview *o, const struct series *s, bool pair, double *ret, size_t n);
void overview_history_seconds(const struct overview *o, const struct series *s, double *ret, size_t n);
uint64_t overview_zoom_ns(const struct overview *o); /* width of a slot */
void overview_zoom(struct overview *o, int dir);     /* +1 = a longer time */

/* overview_rows.c */
void overview_rows_update(struct overview *o);
void overview_rows_sort(struct overview *o);
void overview_rows_select(struct overview *o, int dir);
int overview_rows_selected(const struct overview *o); /* row, or -1: none chosen and the job has no device */
size_t overview_rows_listed(const struct overview *o); /* all but the unused ones */
/* Rows that fit into `room` lines, in order; the selected one is always among them. Returns how many. */
size_t overview_rows_visible(const struct overview *o, size_t room, uint16_t *ret);

/* overview_act.c */
bool overview_act(void *state, enum action a, struct order *ret_order);
void overview_job_update(struct overview *o);

/* overview_load.c: what the load says, also where there is none */
const struct frame_load *overview_load(const struct overview *o); /* the chosen job's row, NULL = none */
struct overview_sum {
    double iops, bytes_per_s, p99_ns; /* p99 of the slowest direction */
};
struct overview_sum overview_load_sum(const struct overview *o);
double overview_load_bytes(const struct frame *f, enum frame_ddir d); /* per second, all jobs; NAN unknown */
struct overview_state {                                               /* RUN 00:42, in its colour */
    char text[48];
    struct style style;
};
struct overview_state overview_load_state(const struct frame_load *l, bool with_time);
struct overview_state overview_state(const struct overview *o, bool with_time);
bool overview_does(const struct frame_load *l, enum frame_ddir d);              /* by its rw word */
const char *overview_time(char dst[16], uint64_t real_ns);                      /* local hh:mm:ss, "--" for 0 */
const char *overview_key(char *dst, size_t n, enum action a, const char *word); /* "d tree", for a label */

/* overview_knobs.c */
struct overview_knob {
    const char *field, *word; /* in the job table, on the screen */
};
extern const struct overview_knob overview_knob_table[];
extern const int overview_nknobs;
bool overview_knob_usable(const struct overview *o, int knob);
/* The knobs flow over lines of r.w columns; draws r.h of them, the chosen one's among them, when c is set. Returns
 * the lines they take. */
int overview_knobs(const struct overview *o, struct canvas *c, struct rect r);

/* overview_buckets.c */
void overview_draw_buckets(struct canvas *c, struct rect r, const struct frame_dir *d, bool since);

/* overview_events.c */
void overview_events_update(struct overview *o);
void overview_events_say(struct overview *o, enum role role, const char *text); /* of the screen's own; not twice */

/* One box each; r is never empty. */
void overview_draw_devices(const struct overview *o, struct canvas *c, struct rect r);
void overview_draw_graph(const struct overview *o, struct canvas *c, struct rect r);
void overview_draw_latency(const struct overview *o, struct canvas *c, struct rect r);
void overview_draw_cpu(const struct overview *o, struct canvas *c, struct rect r);
void overview_draw_job(const struct overview *o, struct canvas *c, struct rect r);
void overview_draw_events(const struct overview *o, struct canvas *c, struct rect r);
void overview_draw_footer(const struct overview *o, struct canvas *c, struct rect r);
void overview_draw_brief(const struct overview *o, struct canvas *c, struct rect r); /* the load in one line */
void overview_draw_tiny(const struct overview *o, struct canvas *c, struct rect r);  /* where nothing else fits */

#endif
