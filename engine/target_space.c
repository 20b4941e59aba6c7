/* target_space: have the filesystems room for what is to be laid out? Each is asked once.
 * Writes nothing. */
#include <errno.h>

#include "core/units.h"
#include "engine/layout.h"
#include "engine/target_fit.h"

/* What a layout will need more than the file has; holes are counted when they are written. */
static uint64_t layout_needs(const struct target *t)
{
    uint64_t size = t->layout_fd < 0 || t->grows ? UINT64_MAX : target_file_size(t->layout_fd);
    uint64_t from = size > t->layout_from ? size : t->layout_from;
    return from < t->layout_end ? t->layout_end - from : 0;
}

/* All files on the filesystem of target i, asked once for each filesystem. */
static int check_space(const struct targets *s, size_t i, struct err *err)
{
    char need[UNITS_TEXT], have[UNITS_TEXT];
    uint64_t bytes = 0, room = layout_free_bytes(s->t[i].layout_fd);
    size_t files = 0;
    for (size_t k = i; k < s->n; k++)
        if (s->t[k].layout_fd >= 0 && s->t[k].major == s->t[i].major && s->t[k].minor == s->t[i].minor) {
            bytes += layout_needs(&s->t[k]);
            files++;
        }
    if (bytes <= room)
        return 0;
    units_human_bytes((double)bytes, need);
    units_human_bytes((double)room, have);
    return err_set(err, -ENOSPC,
                   "filename=%s: no space for its layout%s: %s more are needed, its filesystem has %s free",
                   s->t[i].path, files > 1 ? " and that of the other files" : "", need, have);
}

int targets_check_space(const struct targets *s, struct err *err)
{
    unsigned major = 0, minor = 0;
    bool seen = false;
    int rc = 0;
    for (size_t i = 0; i < s->n && rc == 0; i++) {
        const struct target *t = &s->t[i];
        if (t->layout_fd < 0 || (seen && t->major == major && t->minor == minor))
            continue;
        rc = check_space(s, i, err);
        seen = true;
        major = t->major;
        minor = t->minor;
    }
    return rc;
}
