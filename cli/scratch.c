/* scratch: chooses folder, size, engine and direct I/O for the default job.
 * Writes nothing but an unnamed file of no bytes, to learn whether direct I/O works. */
#include "cli/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/str.h"
#include "core/units.h"
#include "engine/backend.h"

enum { MIB = 1 << 20 };
static const uint64_t most_bytes = 1ull << 30;

static int cache_folder(char *dst, size_t n, struct err *err)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool have_xdg = xdg && xdg[0] == '/'; /* a relative one is to be ignored, says the specification */
    if (!have_xdg && (!home || !home[0]))
        return err_set(err, -ENOENT,
                       "neither XDG_CACHE_HOME nor HOME is set; say where: --filename=FILE --size=1g");
    if (!str_format(dst, n, "%s%s/benchtop", have_xdg ? xdg : home, have_xdg ? "" : "/.cache"))
        return err_set(err, -ENAMETOOLONG, "the name of the cache folder is too long");
    return 0;
}

static int make_folders(char *path, struct err *err)
{
    for (char *p = path + 1;; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        char was = *p;
        *p = '\0';
        int rc = mkdir(path, 0700);
        if (rc < 0 && errno != EEXIST)
            return err_set(err, -errno, "%s: no scratch file can be made there: %s; say where: --filename=FILE",
                           path, strerror(errno));
        *p = was;
        if (!was)
            return 0;
    }
}

/* What the file has already counts as free: it is laid out anew only where it is too short. */
static int choose_size(const char *dir, const char *path, uint64_t *ret, struct err *err)
{
    struct statvfs fs;
    struct stat st;
    if (statvfs(dir, &fs) < 0)
        return err_set(err, -errno, "%s: %s", dir, strerror(errno));
    uint64_t have = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_blocks * 512 : 0;
    uint64_t size = ((uint64_t)fs.f_bavail * fs.f_frsize + have) / 10;
    size = size > most_bytes ? most_bytes : size / MIB * MIB;
    if (size < MIB)
        return err_set(err, -ENOSPC,
                       "%s: less than 10 MiB are free for the scratch file; say where: --filename=FILE", dir);
    *ret = size;
    return 0;
}

static bool direct_works(const char *dir, const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        fd = open(dir, O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    close(fd);
    return true;
}

static const char *best_engine(void)
{
    static const char *const wish[] = {"io_uring", "libaio"};
    struct backend_config cfg = {.depth = 1};
    for (size_t i = 0; i < sizeof(wish) / sizeof(wish[0]); i++) {
        const struct backend *b = backend_find(wish[i]);
        void *state = NULL;
        struct err why = {0};
        if (b && b->open(&cfg, &state, &why) == 0) {
            b->close(state);
            return wish[i];
        }
    }
    return "psync";
}

static void fill(struct job *j, const char *path, uint64_t size, bool direct)
{
    char text[UNITS_TEXT];
    const char *const word[][2] = {{"name", "scratch"},        {"rw", "randread"}, {"bs", "4k"},
                                   {"iodepth", "8"},           {"runtime", "10m"}, {"time_based", "1"},
                                   {"ioengine", best_engine()}};
    job_init(j);
    for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++)
        job_set(j, word[i][0], word[i][1], NULL);
    units_exact_bytes(size, text);
    job_set(j, "size", text, NULL);
    job_set(j, "direct", direct ? "1" : "0", NULL);
    for (char *to = j->filename; *path; *to++ = *path++) /* a colon in fio's list of names is "\:" */
        if (*path == ':')
            *to++ = '\\';
}

int scratch_job(struct job *ret, struct err *err)
{
    char dir[PATH_MAX / 2], path[PATH_MAX / 2 + 16];
    uint64_t size = 0;
    int rc = cache_folder(dir, sizeof(dir), err);
    if (rc == 0)
        rc = make_folders(dir, err);
    str_format(path, sizeof(path), "%s/scratch", dir);
    if (rc == 0)
        rc = choose_size(dir, path, &size, err);
    if (rc == 0)
        fill(ret, path, size, direct_works(dir, path));
    return rc;
}
