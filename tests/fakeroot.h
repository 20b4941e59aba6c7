/* fakeroot: a throw-away folder of plain files that stands for a machine, for unit tests.
 * Knows no format: a test writes what the kernel would show. */
#ifndef TESTS_FAKEROOT_H
#define TESTS_FAKEROOT_H

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fakeroot {
    char path[64];
};

static inline void fakeroot_init(struct fakeroot *r)
{
    snprintf(r->path, sizeof r->path, "/tmp/fakeroot.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(r->path));
}

/* Makes the folders of `file` below the root and returns the whole path in a buffer of the caller. */
static inline void fakeroot_path(const struct fakeroot *r, const char *file, char dst[512])
{
    snprintf(dst, 512, "%s/%s", r->path, file);
    for (char *p = dst + strlen(r->path) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = '\0';
        mkdir(dst, 0755);
    }
}

static inline void fakeroot_put(const struct fakeroot *r, const char *file, const char *text)
{
    char path[512];
    fakeroot_path(r, file, path);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_ge(fputs(text, f), 0);
    ck_assert_int_eq(fclose(f), 0);
}

static inline void fakeroot_dir(const struct fakeroot *r, const char *dir)
{
    char path[512];
    fakeroot_path(r, dir, path);
    mkdir(path, 0755);
}

static inline int fakeroot_unlink(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

static inline void fakeroot_fini(struct fakeroot *r)
{
    nftw(r->path, fakeroot_unlink, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
