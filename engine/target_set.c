/* target_set: the memory of a set of targets, whose clone each one is, and in which row it is counted.
 * Opens and closes nothing. */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "engine/target.h"

int targets_alloc(struct targets *ret, size_t n)
{
    *ret = (struct targets){.t = calloc(n ? n : 1, sizeof(*ret->t))};
    if (!ret->t)
        return -ENOMEM;
    for (; ret->n < n; ret->n++)
        ret->t[ret->n] = (struct target){
            .fd = -1, .claim_fd = -1, .layout_fd = -1, .passed_fd = -1, .logical_block = 1, .files = 1,
            .place = {.bytes = UINT64_MAX}};
    return 0;
}

struct target_slice targets_of(const struct targets *t, unsigned clone)
{
    struct target_slice s = {.t = t->t, .n = t->n};
    if (t->own) {
        s.t += t->own * clone;
        s.n = t->own;
    }
    unsigned last = 0;
    s.row0 = s.n ? s.t[0].row : 0;
    for (size_t i = 0; i < s.n; i++) {
        s.row0 = s.t[i].row < s.row0 ? s.t[i].row : s.row0;
        last = s.t[i].row > last ? s.t[i].row : last;
    }
    s.nrows = last - s.row0 + 1;
    return s;
}

static bool in_row(const struct target_row *r, const struct target *t, const char *name)
{
    return r->major == t->major && r->minor == t->minor && !strcmp(r->name, name);
}

/* The row of a name, a new one if need be; where there are too many the last takes all that is left. */
static int find_row(struct targets *s, struct target *t, const char *name)
{
    for (t->row = (unsigned)(s->nrows ? s->nrows - 1 : 0); s->nrows; t->row--) {
        if (in_row(&s->row[t->row], t, name)) {
            s->row[t->row].files++;
            return 0;
        }
        if (!t->row)
            break;
    }
    if (s->nrows == TARGET_ROWS) {
        t->row = TARGET_ROWS - 1;
        s->row[t->row].files++;
        return 0;
    }
    char *copy = strdup(name);
    if (!copy)
        return -ENOMEM;
    t->row = (unsigned)s->nrows;
    s->row[s->nrows++] = (struct target_row){.name = copy, .major = t->major, .minor = t->minor, .files = 1};
    return 0;
}

static const char *folder_of(char *path)
{
    return dirname(path);
}

/* "/data/ (1000 files)"; the last of too many rows speaks for other folders, too. */
static int name_folder(const struct targets *s, struct target_row *r)
{
    char text[JOB_PATH + 64];
    bool others = s->nrows == TARGET_ROWS && r == &s->row[s->nrows - 1];
    if (r->files < 2)
        return 0;
    str_format(text, sizeof(text), "%s/ %s(%zu files)", r->name, others ? "and others " : "", r->files);
    char *copy = strdup(text);
    if (!copy)
        return -ENOMEM;
    free(r->name);
    r->name = copy;
    return 0;
}

static int group_folders(struct targets *s)
{
    char path[JOB_PATH];
    int rc = 0;
    for (size_t i = 0; i < s->n && rc == 0; i++) {
        str_copy(path, sizeof(path), s->t[i].path);
        rc = find_row(s, &s->t[i], s->t[i].is_block ? s->t[i].path : folder_of(path));
    }
    for (size_t i = 0; i < s->nrows && rc == 0; i++)
        rc = name_folder(s, &s->row[i]);
    return rc;
}

static int one_each(struct targets *s)
{
    for (; s->nrows < s->n; s->nrows++) {
        struct target *t = &s->t[s->nrows];
        char *name = strdup(t->path);
        if (!name)
            return -ENOMEM;
        t->row = (unsigned)s->nrows;
        s->row[s->nrows] = (struct target_row){.name = name, .major = t->major, .minor = t->minor, .files = 1};
    }
    return 0;
}

int targets_group(struct targets *s)
{
    s->row = calloc(s->n < TARGET_ROWS ? s->n + 1 : TARGET_ROWS, sizeof(*s->row));
    if (!s->row)
        return -ENOMEM;
    return s->n <= TARGET_ROWS ? one_each(s) : group_folders(s);
}
