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

static void count_packages(struct machine *m)
{
    size_t in_first = 0, in_this = 0;
    m->uniform = true;
    for (size_t i = 0; i < m->ncores; i++) {
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
    m->ncores = m->nthreads = m->packages = m->offline = 0;
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
        str_format(dst, n, "%zu×%zu cores %s%s", m->packages, m->ncores / m->packages, smt_text(&f->smt), off);
    else
        str_format(dst, n, "%zu core%s %s%s", m->ncores, m->ncores == 1 ? "" : "s", smt_text(&f->smt), off);
}

struct part { /* "usr   9%": a word, a value of steady width, a unit */
    const char *before, *value, *after;
    int w; /* columns of the value */
};

/* Those that fit whole, two blanks between. */
static void draw_parts(struct canvas *c, struct rect row, const struct part *part, size_t n)
{
    const struct style dim = {.role = ROLE_DIM}, text = {.role = ROLE_TEXT};
    int x = row.x;
    for (size_t i = 0; i < n; i++) {
        int before = canvas_width(part[i].before), after = canvas_width(part[i].after);
        int value = before + (before > 0) + part[i].w, w = value + (after > 0) + after;
        if (x + w > row.x + row.w)
            return;
        canvas_text(c, row, x, row.y, dim, part[i].before);
        canvas_text_right(c, row, x + value, row.y, text, part[i].value);
        canvas_text(c, row, x + value + 1, row.y, dim, part[i].after);
        x += w + 2;
    }
}

static double or_zero(double v)
{
    return isnan(v) ? 0 : v;
}

static void draw_time(const struct frame *f, struct canvas *c, struct rect row)
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
    draw_parts(c, row, part, sizeof part / sizeof *part);
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

static void draw_machine(const struct frame *f, struct canvas *c, struct rect row)
{
    char ghz[UNITS_TEXT], temp[UNITS_TEXT], avail[UNITS_TEXT], dirty[UNITS_TEXT], back[UNITS_TEXT];
    const struct part part[] = {
        {"", number_fixed(ghz, mean_ghz(f), 2), "GHz", 4},
        {"", number_fixed(temp, hottest(f), 0), "°C", 2},
        {"free", number_bytes(avail, f->memory.available_bytes), "", 6},
        {"dirty", number_bytes(dirty, f->memory.dirty_bytes), "", 6},
        {"writeback", number_bytes(back, f->memory.writeback_bytes), "", 6},
    };
    draw_parts(c, row, part, sizeof part / sizeof *part);
}

static void pressure_text(char *dst, const struct frame_pressure *p)
{
    char some[UNITS_TEXT];
    bool off = p->state && p->state[0] && strcmp(p->state, "on") != 0;
    str_format(dst, UNITS_TEXT, "%s", off ? "off" : number_pct(some, p->some_pct));
}

static void draw_pressure(const struct frame *f, struct canvas *c, struct rect row)
{
    char cpu[UNITS_TEXT], io[UNITS_TEXT], memory[UNITS_TEXT];
    pressure_text(cpu, &f->pressure_cpu);
    pressure_text(io, &f->pressure_io);
    pressure_text(memory, &f->pressure_memory);
    const struct part part[] = {{"pressure: cpu", cpu, "", 4}, {"io", io, "", 4}, {"memory", memory, "", 4}};
    draw_parts(c, row, part, sizeof part / sizeof *part);
}

/* Temperatures of everything that has one, in the frame's order. */
static void draw_temps(const struct frame *f, struct canvas *c, struct rect row)
{
    char line[256] = "";
    size_t len = 0;
    for (size_t i = 0; i < f->nsensors && len + 48 < sizeof line; i++) {
        const struct frame_sensor *s = &f->sensors[i];
        if (strcmp(s->kind, "temp") != 0 || isnan(s->value))
            continue;
        len += (size_t)snprintf(line + len, sizeof line - len, "%.16s %.16s %.0f  ", s->chip, s->label, s->value);
    }
    canvas_text(c, row, row.x, row.y, (struct style){.role = ROLE_DIM}, len ? "°C " : "no temperatures");
    canvas_text(c, row, row.x + 3 + (len ? 0 : row.w), row.y, (struct style){.role = ROLE_TEXT}, line);
}

static void (*const lines[])(const struct frame *f, struct canvas *c,
                             struct rect row) = {draw_time, draw_machine, draw_pressure, draw_temps};
enum { LINES = sizeof lines / sizeof *lines };

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
    for (int i = 0; i < LINES && in.h > 0; i++)
        lines[i](f, c, layout_cut_top(&in, 1));
    return m->nthreads - plan.threads;
}

static void self_text(const struct overview *o, char *dst, size_t n)
{
    char pct[UNITS_TEXT], missed[48] = "";
    number_fixed(pct, o->frame ? o->frame->self.cpu_pct : NAN, 1);
    if (o->frame && o->frame->self.missed)
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
