/* cmd_list: `benchtop list WHAT…`: devices, backends, sources, screens, themes, labs, as a table or as JSON.
 * Every list comes from the table that makes the thing work. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/machine.h"
#include "cli/output.h"
#include "core/json.h"
#include "core/str.h"
#include "core/units.h"
#include "engine/backend.h"
#include "engine/run.h"
#include "monitors/monitors.h"
#include "tui/canvas.h"
#include "tui/screen.h"
#include "tui/theme.h"

static struct json *add_row(struct json *rows, const char *name, const char *blurb)
{
    struct json *o = json_object();
    json_put_text(o, "name", name);
    json_put_text(o, "blurb", blurb);
    json_add(rows, o);
    return o;
}

static void device_row(const struct frame_dev *d, struct json *rows)
{
    char size[UNITS_TEXT], blurb[512];
    units_human_count(d->size_bytes, size); /* decimal, as on the label of a drive: 500.1GB */
    str_format(blurb, sizeof(blurb), "%s%s%s, %s%s%s%s%s%s%s", d->kind, d->parent[0] ? " of " : "", d->parent,
               size, isnan(d->size_bytes) ? "" : "B", d->model[0] ? ", " : "", d->model,
               d->backing_file[0] ? ", " : "", d->backing_file, d->hidden ? ", hidden" : "");
    struct json *o = add_row(rows, d->name, blurb);
    json_put_text(o, "kind", d->kind[0] ? d->kind : NULL);
    json_put_text(o, "parent", d->parent[0] ? d->parent : NULL);
    json_put_text(o, "model", d->model[0] ? d->model : NULL);
    json_put_num(o, "size_bytes", d->size_bytes);
    json_put_bool(o, "hidden", d->hidden);
}

static int list_devices(const struct args *a, struct json *rows, struct err *err)
{
    struct machine m = {0};
    int rc = machine_open(&m, a->sysroot, false, MACHINE_ALL, err);
    if (rc == 0) {
        struct frame *f = sampler_tick(m.sampler);
        for (size_t i = 0; i < f->ndevs; i++)
            device_row(&f->devs[i], rows);
        frame_unref(f);
    }
    machine_close(&m);
    return rc;
}

static int list_backends(const struct args *a, struct json *rows, struct err *err)
{
    for (size_t i = 0; backends[i]; i++)
        json_put_bool(add_row(rows, backends[i]->name, backends[i]->blurb), "sync", backends[i]->sync);
    return 0;
}

/* A monitor is tried on this machine: that is the only way to know. */
static void source_row(struct machine *m, const struct source *s, struct json *rows)
{
    char blurb[512];
    struct err why = {0};
    int rc = m ? sampler_add(m->sampler, s, &why) : 0;
    const char *state = rc == 0 ? "" : rc == -ENOENT ? " (not on this machine)" : " (cannot be read)";
    str_format(blurb, sizeof(blurb), "%s%s", s->blurb, state);
    json_put_bool(add_row(rows, s->name, blurb), "available", rc == 0);
}

static int list_sources(const struct args *a, struct json *rows, struct err *err)
{
    struct machine m = {0};
    int rc = machine_open(&m, a->sysroot, false, MACHINE_NONE, err);
    for (size_t i = 0; rc == 0 && monitors[i]; i++)
        source_row(&m, monitors[i], rows);
    if (rc == 0)
        source_row(NULL, &load_source, rows);
    machine_close(&m);
    return rc;
}

static int list_screens(const struct args *a, struct json *rows, struct err *err)
{
    for (size_t i = 0; screens[i]; i++)
        add_row(rows, screens[i]->name, screens[i]->blurb);
    return 0;
}

static void theme_row(void *arg, const char *name, const char *where)
{
    struct json *rows = arg;
    for (size_t i = 0; i < json_size(rows); i++) /* the first of a name is the one that is loaded */
        if (!strcmp(json_text(json_get(json_at(rows, i), "name")), name))
            return;
    add_row(rows, name, where);
}

static int list_themes(const struct args *a, struct json *rows, struct err *err)
{
    theme_each(theme_row, rows);
    return 0;
}

static int list_labs(const struct args *a, struct json *rows, struct err *err)
{
    return 0; /* none yet */
}

static const struct {
    const char *name;
    int (*list)(const struct args *a, struct json *rows, struct err *err);
} lists[] = {
    {"devices", list_devices}, {"backends", list_backends}, {"sources", list_sources},
    {"screens", list_screens}, {"themes", list_themes},     {"labs", list_labs},
};
enum { LISTS = sizeof(lists) / sizeof(lists[0]) };

static int find_list(const char *word, size_t *ret, struct err *err)
{
    for (size_t i = 0; i < LISTS; i++)
        if (!strcmp(word, lists[i].name)) {
            *ret = i;
            return 0;
        }
    return err_set(err, -ENOENT, "list %s: must be devices, backends, sources, screens, themes or labs", word);
}

static void print_table(const struct json *rows, FILE *out)
{
    int widest = 0;
    for (size_t i = 0; i < json_size(rows); i++) {
        int w = canvas_width(json_text(json_get(json_at(rows, i), "name")));
        widest = w > widest ? w : widest;
    }
    for (size_t i = 0; i < json_size(rows); i++) {
        const char *name = json_text(json_get(json_at(rows, i), "name"));
        const char *blurb = json_text(json_get(json_at(rows, i), "blurb"));
        fprintf(out, "%s%*s%s\n", name, widest - canvas_width(name) + 2, "", blurb);
    }
}

static int one_list(const struct args *a, const char *word, bool heading, FILE *out, struct err *err)
{
    size_t i = 0;
    struct json *rows = json_array();
    int rc = find_list(word, &i, err);
    if (rc == 0)
        rc = lists[i].list(a, rows, err);
    if (rc == 0 && a->format == FORMAT_JSON)
        json_write(rows, out, 2);
    else if (rc == 0) {
        if (heading)
            fprintf(out, "%s\n", word);
        print_table(rows, out);
    }
    json_free(rows);
    return rc;
}

/* "devices,backends" names two, as two words do. */
static int all_lists(const struct args *a, FILE *out, struct err *err)
{
    char text[512], *rest = text, *word;
    size_t n = 0;
    str_copy(text, sizeof(text), a->words.n ? a->words.word[0] : "");
    for (size_t i = 1; i < a->words.n; i++)
        str_format(text + strlen(text), sizeof(text) - strlen(text), ",%s", a->words.word[i]);
    bool several = strchr(text, ',') != NULL;
    if (!text[0])
        return err_set(err, -EINVAL, "list what? devices, backends, sources, screens, themes or labs");
    if (several && a->format == FORMAT_JSON)
        return err_set(err, -EINVAL, "list %s: as JSON one list at a time", text);
    for (int rc = 0; (word = strsep(&rest, ","));) {
        if (several && n++)
            fputc('\n', out);
        rc = one_list(a, word, several, out, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

int cmd_list(const struct args *a)
{
    struct output out;
    struct err err = {0};
    if (output_open(&out, a->output, false, &err) < 0)
        return complain(&err, EXIT_REFUSED);
    if (all_lists(a, out.stream, &err) < 0) {
        output_drop(&out);
        return complain(&err, EXIT_REFUSED);
    }
    return output_close(&out, &err) < 0 ? complain(&err, EXIT_FAILED) : EXIT_DONE;
}
