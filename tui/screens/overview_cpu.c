/* overview_cpu: every thread beside its sibling, where the time goes, the memory, the temperatures.
 * Siblings are those of the frame: as last seen online. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "tui/layout.h"
#include "tui/screens/overview.h"
#include "tui/widgets/cores.h"
#include "tui/widgets/number.h"

#define THREADS 1024

struct machine { /* the frame's CPUs as the widget wants them */
    struct core core[THREADS];
    struct core_thread thread[THREADS];
    size_t ncores, nthreads, packages, offline;
    size_t known; /* cores with a place; the rest are CPUs that were offline from the start and tell nothing */
    bool uniform; /* every package has as many cores */
};

static size_t core_threads(const struct frame *f, const struct frame_cpu *cpu, struct core_thread *ret,
                           size_t most)
{
    size_t n = 0;
    for (size_t s = 0; s < (cpu->nsiblings ? cpu->nsiblings : 1) && n < most; s++) {
        unsigned id = cpu->nsiblings ? cpu->siblings[s] : cpu->id;
        const struct frame_cpu *t = frame_find_cpu(f, id);
        if (t)
            ret[n++] = (struct core_thread){id, t->online, t->busy_pct};
    }
    return n;
}

static int compare_cores(const void *pa, const void *pb)
{
    const struct core *a = pa, *b = pb;
    int pack_a = a->package < 0 ? 1 << 20 : a->package, pack_b = b->package < 0 ? 1 << 20 : b->package;
    return pack_a != pack_b ? pack_a - pack_b : (int)a->first - (int)b->first;
}

static bool is_known(const struct machine *m, const struct core *core)
{
    return core->package >= 0 || m->thread[core->first].online;
}

/* Those that nobody knows the place of follow the last one in its row: they are no package of their own. */
static void append_unknown(struct machine *m)
{
    m->known = m->ncores;
    while (m->known > 0 && !is_known(m, &m->core[m->known - 1]))
        m->known--;
    for (size_t i = m->known; i < m->ncores && m->known > 0; i++)
        m->core[i].package = m->core[m->known - 1].package;
}

static void count_packages(struct machine *m)
{
    size_t in_first = 0, in_this = 0;
    m->uniform = true;
    for (size_t i = 0; i < m->known; i++) {
        if (i == 0 || m->core[i].package != m->core[i - 1].package) {
            m->uniform &= m->packages < 2 || in_this == in_first;
            m->packages++;
            in_this = 0;
        }
        in_this++;
        in_first += m->packages == 1;
    }
    m->uniform &= m->packages < 2 || in_this == in_first;
}

/* Each CPU that is the first of its siblings makes a core. */
static void collect(const struct frame *f, struct machine *m)
{
    m->ncores = m->nthreads = m->packages = m->offline = m->known = 0;
    for (size_t i = 0; i < f->ncpus && m->ncores < THREADS; i++) {
        const struct frame_cpu *cpu = &f->cpus[i];
        m->offline += !cpu->online;
        if (cpu->nsiblings && cpu->siblings[0] != cpu->id && frame_find_cpu(f, cpu->siblings[0]))
            continue;
        size_t n = core_threads(f, cpu, m->thread + m->nthreads, THREADS - m->nthreads);
        m->core[m->ncores++] = (struct core){cpu->package, m->nthreads, n};
        m->nthreads += n;
    }
    qsort(m->core, m->ncores, sizeof *m->core, compare_cores);
    append_unknown(m);
    count_packages(m);
}

static const char *smt_text(const struct frame_smt *s)
{
    bool never = strncmp(s->control, "not", 3) == 0 || (s->control[0] == '\0' && s->threads_per_core == 1);
    if (s->active == FRAME_YES)
        return "SMT on";
    if (never)
        return "no SMT";
    if (s->active == FRAME_UNKNOWN)
        return "SMT " NUMBER_NONE;
    return strcmp(s->control, "on") == 0 && s->threads_per_core > 1 ? "SMT on, siblings offline" : "SMT off";
}

static void title_text(const struct frame *f, const struct machine *m, char *dst, size_t n)
{
    char off[32] = "";
    if (m->offline)
        str_format(off, sizeof off, ", %zu offline", m->offline);
    if (m->packages > 1 && m->uniform)
        str_format(dst, n, "%zu×%zu cores %s%s", m->packages, m->known / m->packages, smt_text(&f->smt), off);
    else
        str_format(dst, n, "%zu core%s %s%s", m->known, m->known == 1 ? "" : "s", smt_text(&f->smt), off);
}

struct part {                           /* "usr   9%": a word, a value of steady width, a unit */
    const char *before, *value, *after; /* value NULL: this machine has no such thing */
    int w;                              /* columns of the value */
};

/* Whole, two blanks between, over the lines of the rectangle; returns how many that were. */
static int draw_parts(struct canvas *c, struct rect r, const struct part *part, size_t n)
{
    const struct style dim = {.role = ROLE_DIM}, text = {.role = ROLE_TEXT};
    struct rect row = {r.x, r.y, r.w, 1};
    int x = row.x;
    for (size_t i = 0; i < n; i++) {
        if (!part[i].value)
            continue;
        int before = canvas_width(part[i].before), after = canvas_width(part[i].after);
        int value = before + (before > 0) + part[i].w, w = value + (after > 0) + after;
        if (x + w > row.x + row.w && x > row.x) {
            x = row.x;
            row.y++;
        }
        if (row.y >= r.y + r.h || w > row.w)
            return r.h;
        canvas_text(c, row, x, row.y, dim, part[i].before);
        canvas_text_right(c, row, x + value, row.y, text, part[i].value);
        canvas_text(c, row, x + value + 1, row.y, dim, part[i].after);
        x += w + 2;
    }
    return row.y - r.y + 1;
}

static double or_zero(double v)
{
    return isnan(v) ? 0 : v;
}

static int draw_time(const struct frame *f, struct canvas *c, struct rect r)
{
    const struct frame_cpu *t = &f->cpu_total;
    char usr[UNITS_TEXT], sys[UNITS_TEXT], wait[UNITS_TEXT], irq[UNITS_TEXT], steal[UNITS_TEXT], idle[UNITS_TEXT];
    const struct part part[] = {
        {"usr", number_pct(usr, t->user_pct + or_zero(t->nice_pct) + or_zero(t->guest_pct)), "", 4},
        {"sys", number_pct(sys, t->system_pct), "", 4},
        {"wait", number_pct(wait, t->iowait_pct), "", 4},
        {"irq", number_pct(irq, t->irq_pct + t->softirq_pct), "", 4},
        {"steal", number_pct(steal, t->steal_pct), "", 4},
        {"idle", number_pct(idle, t->idle_pct), "", 4},
    };
    return draw_parts(c, r, part, sizeof part / sizeof *part);
}

static double mean_ghz(const struct frame *f)
{
    double sum = 0;
    int n = 0;
    for (size_t i = 0; i < f->ncpus; i++)
        if (f->cpus[i].online && f->cpus[i].mhz > 0) {
            sum += f->cpus[i].mhz;
            n++;
        }
    return n ? sum / n / 1000 : NAN;
}

static double hottest(const struct frame *f)
{
    double max = NAN;
    for (size_t i = 0; i < f->ncpus; i++)
        max = fmax(max, f->cpus[i].temp_c);
    for (size_t i = 0; i < f->nsensors; i++) {
        const struct frame_sensor *s = &f->sensors[i];
        bool cpu = strstr(s->chip, "coretemp") || strstr(s->chip, "k10temp") || strstr(s->chip, "zenpower");
        if (cpu && strcmp(s->kind, "temp") == 0)
            max = fmax(max, s->value);
    }
    return max;
}

static bool has_temps(const struct frame *f)
{
    bool has = !isnan(hottest(f));
    for (size_t i = 0; i < f->nsensors; i++)
        has |= strcmp(f->sensors[i].kind, "temp") == 0;
    return has;
}

static int draw_machine(const struct frame *f, struct canvas *c, struct rect r)
{
    double mhz = mean_ghz(f);
    char ghz[UNITS_TEXT], temp[UNITS_TEXT], avail[UNITS_TEXT], dirty[UNITS_TEXT], back[UNITS_TEXT];
    const struct part part[] = {
        {"", isnan(mhz) ? NULL : number_fixed(ghz, mhz, 2), "GHz", 4},
        {"", has_temps(f) ? number_fixed(temp, hottest(f), 0) : NULL, "°C", 2},
        {"free", number_bytes(avail, f->memory.available_bytes), "", 6},
        {"dirty", number_bytes(dirty, f->memory.dirty_bytes), "", 6},
        {"writeback", number_bytes(back, f->memory.writeback_bytes), "", 6},
    };
    return draw_parts(c, r, part, sizeof part / sizeof *part);
}

static bool has_pressure(const struct frame *f)
{
    return !isnan(f->pressure_cpu.some_pct) || !isnan(f->pressure_io.some_pct) ||
           !isnan(f->pressure_memory.some_pct);
}

/* Of time in which some task waited for it. */
static int draw_pressure(const struct frame *f, struct canvas *c, struct rect r)
{
    char cpu[UNITS_TEXT], io[UNITS_TEXT], memory[UNITS_TEXT];
    const struct part part[] = {{"pressure: cpu", number_pct(cpu, f->pressure_cpu.some_pct), "", 4},
                                {"io", number_pct(io, f->pressure_io.some_pct), "", 4},
                                {"memory", number_pct(memory, f->pressure_memory.some_pct), "", 4}};
    return draw_parts(c, r, part, sizeof part / sizeof *part);
}

/* Temperatures of everything that has one, in the frame's order. */
static int draw_temps(const struct frame *f, struct canvas *c, struct rect row)
{
    char line[256] = "";
    size_t len = 0;
    for (size_t i = 0; i < f->nsensors && len + 48 < sizeof line; i++) {
        const struct frame_sensor *s = &f->sensors[i];
        if (strcmp(s->kind, "temp") != 0 || isnan(s->value))
            continue;
        len += (size_t)snprintf(line + len, sizeof line - len, "%.16s %.16s %.0f  ", s->chip, s->label, s->value);
    }
    canvas_text(c, row, row.x, row.y, (struct style){.role = ROLE_DIM}, "°C ");
    canvas_text(c, row, row.x + 3, row.y, (struct style){.role = ROLE_TEXT}, line);
    return 1;
}

static bool always(const struct frame *f)
{
    return true;
}

/* What this machine does not tell has no line. Each draws into what is left and says how many lines that took. */
static const struct line {
    int (*draw)(const struct frame *f, struct canvas *c, struct rect r);
    bool (*applies)(const struct frame *f);
} lines[] = {{draw_time, always}, {draw_machine, always}, {draw_pressure, has_pressure}, {draw_temps, has_temps}};
enum { LINES = sizeof lines / sizeof *lines };

/* One line each, and what is left over for those that need more. */
static void draw_lines(const struct frame *f, struct canvas *c, struct rect in)
{
    int spare = in.h;
    for (int i = 0; i < LINES; i++)
        spare -= lines[i].applies(f);
    for (int i = 0; i < LINES && in.h > 0; i++) {
        if (!lines[i].applies(f))
            continue;
        int took = lines[i].draw(f, c, (struct rect){in.x, in.y, in.w, spare > 0 ? 1 + spare : 1});
        layout_cut_top(&in, took);
        spare -= took - 1;
    }
}

/* The cores get all but a few lines; what they leave is for the other lines. */
static size_t draw_inside(const struct frame *f, struct canvas *c, struct rect in, const struct machine *m)
{
    const struct cores k = {m->core, m->ncores, m->thread};
    int text = in.h >= 10 ? LINES : in.h >= 4 ? 2 : in.h >= 2 ? 1 : 0;
    struct cores_plan plan = cores_plan(&k, in.w, in.h - text);
    if (plan.threads < m->nthreads && text > 1) /* rather all threads than all lines */
        plan = cores_plan(&k, in.w, in.h - 1);
    cores_draw(c, layout_cut_top(&in, plan.rows), &k, &plan);
    if (in.h > LINES)
        layout_cut_top(&in, 1);
    draw_lines(f, c, in);
    return m->nthreads - plan.threads;
}

static void self_text(const struct overview *o, char *dst, size_t n)
{
    char pct[UNITS_TEXT], missed[48] = "";
    str_copy(dst, n, "");
    if (!o->frame || isnan(o->frame->self.cpu_pct)) /* a screen that nobody runs has no cost */
        return;
    number_fixed(pct, o->frame->self.cpu_pct, 1);
    if (o->frame->self.missed)
        str_format(missed, sizeof missed, ", missed %llu", (unsigned long long)o->frame->self.missed);
    str_format(dst, n, "self %s%%%s", pct, missed);
}

void overview_draw_cpu(const struct overview *o, struct canvas *c, struct rect r)
{
    struct machine m;
    char title[96] = NUMBER_NONE, self[96], more[32] = "";
    m.ncores = m.nthreads = 0;
    if (o->frame && o->frame->ncpus) {
        collect(o->frame, &m);
        title_text(o->frame, &m, title, sizeof title);
    }
    self_text(o, self, sizeof self);
    const struct label label[] = {{SIDE_TOP_LEFT, "cpu", {.role = ROLE_TITLE, .bold = true}, -1},
                                  {SIDE_TOP_RIGHT, title, {.role = ROLE_TEXT}, -1},
                                  {SIDE_BOTTOM_RIGHT, self, {.role = ROLE_DIM}, -1},
                                  {.text = NULL}};
    struct rect in = canvas_box(c, r, label);
    if (!o->frame || layout_empty(in))
        return;
    size_t hidden = draw_inside(o->frame, c, in, &m);
    if (hidden) {
        str_format(more, sizeof more, " +%zu more ", hidden);
        canvas_text(c, r, r.x + 2, r.y + r.h - 1, (struct style){.role = ROLE_TEXT}, more);
    }
}
