/* tolerance: reads the lists of errors and looks codes up in them.
 * Does not know what failed. */
#include "engine/tolerance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "engine/job_rows.h"

/* "EIO" or "5"; 0: neither. */
static int code_of(const char *word)
{
    uint64_t v;
    for (int e = 1; e < 134; e++)
        if (strerrorname_np(e) && !strcmp(strerrorname_np(e), word))
            return e;
    return str_u64(word, &v, NULL) == 0 && v > 0 && v < 4096 ? (int)v : 0;
}

static bool add(struct tolerance *t, unsigned kind, const char *word)
{
    if (t->n[kind] == TOLERANCE_CODES)
        return false;
    int code = t->code[kind][t->n[kind]++] = code_of(word);
    return code != 0;
}

/* READ,WRITE,VERIFY, each a list with colons; false where it is not. */
static bool parse(const char *text, struct tolerance *t)
{
    char copy[JOB_ERRORS], *lists = copy, *list;
    unsigned kind = 0;
    if (!str_copy(copy, sizeof(copy), text))
        return false;
    for (; (list = strsep(&lists, ",")); kind++)
        for (list = *list ? list : NULL; list;)
            if (kind == TOLERANCE_KINDS || !add(t, kind, strsep(&list, ":")))
                return false;
    return kind <= TOLERANCE_KINDS;
}

int job_read_errors(struct job *j, const struct job_field *f, const char *value, struct err *err)
{
    struct tolerance t = {{0}, {{0}}};
    (void)j;
    if (parse(value, &t))
        return 0;
    return err_set(err, -EINVAL, "%s=%s: must be errors of reads, of writes and of verify, like EIO,ENOSPC:EIO,EILSEQ",
                   f->name, value);
}

void tolerance_of(const struct job *j, struct tolerance *ret)
{
    static const unsigned kinds[] = {
        [JOB_CONTINUE_READ] = 1u << TOLERATE_READ,
        [JOB_CONTINUE_WRITE] = 1u << TOLERATE_WRITE,
        [JOB_CONTINUE_IO] = 1u << TOLERATE_READ | 1u << TOLERATE_WRITE,
        [JOB_CONTINUE_VERIFY] = 1u << TOLERATE_VERIFY,
        [JOB_CONTINUE_ALL] = 1u << TOLERATE_READ | 1u << TOLERATE_WRITE | 1u << TOLERATE_VERIFY,
    };
    *ret = (struct tolerance){{0}, {{0}}};
    if (j->ignore_error[0])
        parse(j->ignore_error, ret);
    for (unsigned k = 0; k < TOLERANCE_KINDS; k++)
        if (!ret->n[k] && (kinds[j->continue_on_error] & 1u << k)) {
            ret->n[k] = 2;
            ret->code[k][0] = EIO;
            ret->code[k][1] = EILSEQ;
        }
}

bool tolerates(const struct tolerance *t, enum ddir d, int code)
{
    code = code < 0 ? -code : code;
    unsigned kind = code == EILSEQ ? TOLERATE_VERIFY : d == DDIR_READ ? TOLERATE_READ : TOLERATE_WRITE;
    for (unsigned i = 0; i < t->n[kind]; i++)
        if (t->code[kind][i] == code)
            return true;
    return false;
}
