/* cmd_shot: `benchtop shot SCREEN`: one screen drawn without a terminal, as text, ANSI or SVG.
 * Shows the machine alone: there is no load in it. */
#include <errno.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/machine.h"
#include "cli/output.h"
#include "core/str.h"
#include "tui/canvas.h"
#include "tui/screen.h"
#include "tui/theme.h"

enum { ANSI_COLOURS = 16777216 };

static int find_screen(const struct args *a, const struct screen **ret, struct err *err)
{
    char names[256] = "";
    for (size_t i = 0; screens[i]; i++) {
        size_t len = strlen(names);
        str_format(names + len, sizeof(names) - len, "%s%s", i ? ", " : "", screens[i]->name);
    }
    if (a->words.n != 1)
        return err_set(err, -EINVAL, "shot takes one SCREEN: %s", names);
    *ret = screen_find(a->words.word[0]);
    return *ret ? 0 : err_set(err, -ENOENT, "no screen %s; there is %s", a->words.word[0], names);
}

static enum canvas_charset charset_of(const char *word)
{
    if (word && !strcmp(word, "ascii"))
        return CHARSET_ASCII;
    return word && !strcmp(word, "blocks") ? CHARSET_BLOCKS : CHARSET_BRAILLE;
}

static int draw(const struct args *a, const struct screen *s, const struct frame *f, struct canvas *c,
                struct err *err)
{
    void *state = NULL;
    struct screen_env env = {.interval_ns = f->dt_ns, .label = ""};
    if (canvas_init(c, a->width, a->height) < 0 || s->open(&env, &state) < 0)
        return err_set(err, -ENOMEM, "no memory for the screen");
    c->charset = charset_of(a->charset);
    s->update(state, f);
    s->draw(state, c, (struct rect){0, 0, c->w, c->h});
    s->close(state);
    return 0;
}

static void dump(const struct args *a, const struct canvas *c, const struct theme *t, FILE *out)
{
    struct strbuf text = {0};
    if (a->format == FORMAT_SVG)
        canvas_dump_svg(c, t, &text);
    else if (a->format == FORMAT_ANSI)
        canvas_dump_ansi(c, t, ANSI_COLOURS, &text);
    else
        canvas_dump_text(c, &text);
    fwrite(text.s, 1, text.len, out);
    strbuf_fini(&text);
}

static int shoot(const struct args *a, const struct screen *s, const struct theme *t, FILE *out, struct err *err)
{
    struct frame *f = NULL;
    struct canvas c = {0};
    int rc = machine_read_twice(a, &f, err);
    if (rc == 0)
        rc = draw(a, s, f, &c, err);
    if (rc == 0)
        dump(a, &c, t, out);
    canvas_fini(&c);
    frame_unref(f);
    return rc;
}

int cmd_shot(const struct args *a)
{
    struct theme theme;
    const struct screen *s = NULL;
    struct output out = {0};
    struct err err = {0};
    if (find_screen(a, &s, &err) < 0 || theme_load(a->theme, &theme, &err) < 0 ||
        output_open(&out, a->output, false, &err) < 0 || shoot(a, s, &theme, out.stream, &err) < 0) {
        output_drop(&out);
        return complain(&err, EXIT_REFUSED);
    }
    return output_close(&out, &err) < 0 ? complain(&err, EXIT_FAILED) : EXIT_DONE;
}
