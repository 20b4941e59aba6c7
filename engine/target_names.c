/* target_names: from filename, directory, filename_format, nrfiles and opendir to a list of paths.
 * Whether they exist is not asked here. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "core/units.h"
#include "engine/target.h"
#include "engine/target_names.h"

#define DEEPEST 64 /* folders below opendir */

void target_names_fini(struct target_names *n)
{
    for (size_t i = 0; i < n->n; i++)
        free(n->name[i]);
    free(n->name);
    *n = (struct target_names){0};
}

static int add(struct target_names *n, const char *path, struct err *err)
{
    if (n->n == TARGET_MAX)
        return err_set(err, -EINVAL, "%s: more than %d files in one job", path, TARGET_MAX);
    if (!(n->n & (n->n - 1))) {
        char **more = realloc(n->name, (n->n ? 2 * n->n : 1) * sizeof(*more));
        if (!more)
            return err_set(err, -ENOMEM, "no memory for the names of %zu files", n->n);
        n->name = more;
    }
    n->name[n->n] = strdup(path);
    return n->name[n->n] ? (n->n++, 0) : err_set(err, -ENOMEM, "no memory for the names of %zu files", n->n);
}

/* "a:b\:c" -> "a", "b:c": the next name of a list; NULL after the last. */
static const char *next_name(const char *p, char dst[JOB_PATH])
{
    for (; *p && *p != ':'; p++) {
        if (*p == '\\' && p[1] == ':')
            p++;
        *dst++ = *p;
    }
    *dst = '\0';
    return *p ? p + 1 : NULL;
}

static size_t list_count(const char *list)
{
    char name[JOB_PATH];
    size_t n = 0;
    for (const char *p = list; p; n++)
        p = next_name(p, name);
    return n;
}

static void list_at(const char *list, size_t index, char dst[JOB_PATH])
{
    const char *p = list;
    do
        p = next_name(p, dst);
    while (index-- && p);
}

static int add_below(struct target_names *n, const char *dir, const char *name, struct err *err)
{
    char path[2 * JOB_PATH];
    str_format(path, sizeof(path), "%s%s%s", dir, *dir && dir[strlen(dir) - 1] != '/' ? "/" : "", name);
    return add(n, path, err);
}

static int from_list(const struct job *j, struct target_names *n, struct err *err)
{
    char name[JOB_PATH], dir[JOB_PATH];
    int rc = 0;
    list_at(j->directory, 0, dir);
    for (const char *p = j->filename; p && rc == 0;) {
        p = next_name(p, name);
        if (!*name && *j->filename)
            return err_set(err, -EINVAL, "filename=%s: an empty name beside a colon (\\: is a colon)",
                           j->filename);
        rc = add_below(n, dir, name, err);
    }
    return rc;
}

/* ---- opendir ---- */

static bool useful(const struct job *j, const struct stat *st)
{
    return S_ISREG(st->st_mode) && (uint64_t)st->st_size >= job_bs(j);
}

static int enter(const struct job *j, struct target_names *n, const char *dir, unsigned depth, struct err *err)
{
    struct dirent **e = NULL;
    struct stat st;
    char path[2 * JOB_PATH];
    int rc = 0, count = scandir(dir, &e, NULL, alphasort);
    if (count < 0)
        return err_set(err, -errno, "opendir=%s: %s", dir, strerror(errno));
    for (int i = 0; i < count; free(e[i++])) {
        if (rc < 0 || !strcmp(e[i]->d_name, ".") || !strcmp(e[i]->d_name, ".."))
            continue;
        if (!str_format(path, JOB_PATH, "%s/%s", dir, e[i]->d_name) || lstat(path, &st) < 0)
            continue;
        if (S_ISDIR(st.st_mode) && depth < DEEPEST)
            rc = enter(j, n, path, depth + 1, err);
        else if (useful(j, &st))
            rc = add(n, path, err);
    }
    free(e);
    return rc;
}

static int from_folder(const struct job *j, struct target_names *n, struct err *err)
{
    char bs[UNITS_TEXT];
    int rc = enter(j, n, j->opendir, 0, err);
    if (rc < 0 || n->n)
        return rc;
    units_exact_bytes(job_bs(j), bs);
    return err_set(err, -ENOENT, "opendir=%s: holds no file of at least one block (bs=%s)", j->opendir, bs);
}

/* ---- made names ---- */

static bool expand_word(const struct job *j, const char **p, unsigned clone, unsigned file, char *dst, size_t n)
{
    static const char *const words[] = {"$jobname", "$jobnum", "$filenum", "$clientuid"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (!str_starts(*p, words[i]))
            continue;
        *p += strlen(words[i]);
        if (i == 0)
            str_copy(dst, n, j->name);
        else if (i == 3)
            *dst = '\0'; /* there is no client */
        else
            snprintf(dst, n, "%u", i == 1 ? clone : file);
        return true;
    }
    return false;
}

static void expand(const struct job *j, unsigned clone, unsigned file, char dst[JOB_PATH])
{
    size_t len = 0;
    for (const char *p = j->filename_format; *p && len + JOB_NAME < JOB_PATH;) {
        if (!expand_word(j, &p, clone, file, dst + len, JOB_PATH - len))
            dst[len] = *p++, dst[len + 1] = '\0';
        len += strlen(dst + len);
    }
    dst[len] = '\0';
}

static int check_format(const struct job *j, struct err *err)
{
    if (j->nrfiles > 1 && !strstr(j->filename_format, "$filenum"))
        return err_set(err, -EINVAL, "filename_format=%s: with nrfiles=%u must hold $filenum", j->filename_format,
                       j->nrfiles);
    if (list_count(j->directory) > 1 && !strstr(j->filename_format, "$jobnum"))
        return err_set(err, -EINVAL, "filename_format=%s: with several folders in directory must hold $jobnum",
                       j->filename_format);
    return 0;
}

static int from_format(const struct job *j, struct target_names *n, struct err *err)
{
    char name[JOB_PATH], dir[JOB_PATH];
    size_t folders = list_count(j->directory);
    bool own = strstr(j->filename_format, "$jobnum") && j->numjobs > 1;
    int rc = check_format(j, err);
    for (unsigned k = 0; k < (own ? j->numjobs : 1); k++)
        for (unsigned f = 0; f < j->nrfiles && rc == 0; f++) {
            list_at(j->directory, k % folders, dir);
            expand(j, k, f, name);
            rc = add_below(n, dir, name, err);
        }
    n->own = own ? j->nrfiles : 0;
    for (const char *p = rc == 0 ? name : ""; (p = strchr(p, '/')); p++)
        n->folders++;
    return rc;
}

static bool named_after_device(const struct job *j)
{
    struct stat st;
    return j->nrfiles == 1 && stat(j->name, &st) == 0 && S_ISBLK(st.st_mode);
}

static int read_names(const struct job *j, struct target_names *n, struct err *err)
{
    if (*j->filename || !strcmp(j->ioengine, "null"))
        return from_list(j, n, err);
    if (*j->opendir)
        return from_folder(j, n, err);
    if (named_after_device(j))
        return add(n, j->name, err);
    return from_format(j, n, err);
}

int target_names_read(const struct job *j, struct target_names *ret, struct err *err)
{
    *ret = (struct target_names){0};
    int rc = read_names(j, ret, err);
    if (rc < 0)
        target_names_fini(ret);
    return rc;
}

size_t target_names_count(const struct job *j)
{
    if (*j->filename)
        return list_count(j->filename);
    return *j->opendir ? 0 : j->nrfiles;
}
