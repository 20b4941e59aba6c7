/* overview_load: the load in words and sums: its state, its time, its totals.
 * Draws nothing; "no load" has its words too. */
#include "tui/screens/overview.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/clock.h"
#include "core/str.h"
#include "tui/widgets/number.h"

static const struct {
    const char *word;
    enum role role;
} state_words[] = {
    [LOAD_READY] = {"READY", ROLE_TEXT},       [LOAD_LAYOUT] = {"LAYOUT", ROLE_WARN},
    [LOAD_RAMP] = {"RAMP", ROLE_WARN},         [LOAD_RUNNING] = {"RUN", ROLE_GOOD},
    [LOAD_PAUSED] = {"PAUSED", ROLE_WARN},     [LOAD_STALLED] = {"STALLED", ROLE_ERROR},
    [LOAD_STOPPING] = {"STOPPING", ROLE_WARN}, [LOAD_DONE] = {"DONE", ROLE_GOOD},
    [LOAD_FAILED] = {"FAILED", ROLE_ERROR},
};

const struct frame_load *overview_load(const struct overview *o)
{
    return o->frame && o->job_at < o->frame->nload ? &o->frame->load[o->job_at] : NULL;
}

bool overview_does(const struct frame_load *l, enum frame_ddir d)
{
    const char *rw = str_starts(l->rw, "rand") ? l->rw + 4 : l->rw;
    bool mixed = strcmp(rw, "rw") == 0 || strcmp(rw, "readwrite") == 0;
    static const char *const word[FRAME_DDIRS] = {"read", "write", "trim"};
    return strcmp(rw, word[d]) == 0 || (mixed && d != FRAME_TRIM);
}

struct overview_sum overview_load_sum(const struct overview *o)
{
    struct overview_sum sum = {NAN, NAN, NAN};
    for (size_t i = 0; o->frame && i < o->frame->nload; i++)
        for (int d = 0; d < FRAME_DDIRS; d++) {
            const struct frame_dir *dir = &o->frame->load[i].dir[d];
            if (!isnan(dir->iops)) {
                sum.iops = (isnan(sum.iops) ? 0 : sum.iops) + dir->iops;
                sum.bytes_per_s = (isnan(sum.bytes_per_s) ? 0 : sum.bytes_per_s) + dir->bytes_per_s;
            }
            sum.p99_ns = fmax(sum.p99_ns, dir->clat.p99);
        }
    return sum;
}

double overview_load_bytes(const struct frame *f, enum frame_ddir d)
{
    double sum = NAN;
    for (size_t i = 0; i < f->nload; i++) {
        double v = f->load[i].dir[d].bytes_per_s;
        if (!isnan(v))
            sum = isnan(sum) ? v : sum + v;
    }
    return sum;
}

static void state_tail(const struct frame_load *l, char *dst, size_t n)
{
    char t[UNITS_TEXT];
    if (l->state == LOAD_LAYOUT && !isnan(l->layout_pct))
        snprintf(dst, n, " %.0f%%", floor(l->layout_pct));
    else if (l->state == LOAD_STALLED)
        snprintf(dst, n, " %.1f s", l->stalled_s);
    else if (l->elapsed_s > 0)
        snprintf(dst, n, " %s", number_clock(t, l->elapsed_s));
}

struct overview_state overview_load_state(const struct frame_load *l, bool with_time)
{
    struct overview_state s = {.style = {.role = state_words[l->state].role, .bold = true}};
    char tail[24] = "";
    if (with_time)
        state_tail(l, tail, sizeof tail);
    str_format(s.text, sizeof s.text, "%s%s", state_words[l->state].word, tail);
    return s;
}

struct overview_state overview_state(const struct overview *o, bool with_time)
{
    const struct frame_load *l = overview_load(o);
    struct overview_state s = {.style = {.role = ROLE_DIM}};
    if (l)
        return overview_load_state(l, with_time);
    bool coming = !o->frame && o->env.njobs > 0;
    str_copy(s.text, sizeof s.text, coming ? NUMBER_NONE : "IDLE");
    return s;
}

const char *overview_time(char dst[16], uint64_t real_ns)
{
    time_t t = (time_t)(real_ns / NSEC_PER_SEC);
    struct tm tm;
    if (!real_ns || !localtime_r(&t, &tm))
        snprintf(dst, 16, "%s", "--:--:--");
    else
        snprintf(dst, 16, "%02u:%02u:%02u", tm.tm_hour % 100u, tm.tm_min % 100u, tm.tm_sec % 100u);
    return dst;
}

const char *overview_key(char *dst, size_t n, enum action a, const char *word)
{
    const struct key_row *k = key_for(a);
    str_format(dst, n, "%s %s", k ? k->name : "", word);
    return dst;
}
