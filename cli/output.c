/* output: collects an answer in memory and puts it out in one piece, or line by line when it is live.
 * Prints no error: that is the command's part. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"

#define LINKS_MOST 40 /* as many as the kernel follows */

static int broken(const struct output *o, int code, struct err *err)
{
    return err_set(err, code, "%s: cannot be written: %s", o->path ? o->path : "stdout", strerror(-code));
}

/* The file beside, that becomes the output when it is whole. */
static int open_beside(const char *path, char tmp[PATH_MAX])
{
    if (!str_format(tmp, PATH_MAX, "%s.tmp.%d", path, (int)getpid()))
        return -ENAMETOOLONG;
    int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return fd < 0 ? -errno : fd;
}

/* What a link leads to, also where nothing is there yet: the link stays, the file is made. */
static const char *follow(const char *path, char real[PATH_MAX])
{
    char link[PATH_MAX], next[PATH_MAX];
    if (realpath(path, real))
        return real;
    if (!str_copy(real, PATH_MAX, path))
        return path;
    for (int i = 0; i < LINKS_MOST; i++) {
        ssize_t n = readlink(real, link, sizeof(link) - 1);
        if (n < 0)
            return real;
        link[n] = '\0';
        char *slash = strrchr(real, '/');
        int dir = slash && *link != '/' ? (int)(slash - real) + 1 : 0;
        if (!str_format(next, sizeof(next), "%.*s%s", dir, real, link))
            return path;
        str_copy(real, PATH_MAX, next);
    }
    return path; /* in a circle */
}

/* Only a trial tells: root may write everywhere, but not every filesystem takes files. */
static int try_place(const char *path)
{
    char real[PATH_MAX], tmp[PATH_MAX];
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return 0;
    int fd = open_beside(follow(path, real), tmp);
    if (fd < 0)
        return fd;
    close(fd);
    unlink(tmp);
    return 0;
}

/* Said before any work is done: a result that cannot be kept is known now. */
static int check_place(const char *path, struct err *err)
{
    char dir[PATH_MAX], real[PATH_MAX];
    struct stat st;
    if (stat(path, &st) < 0 && errno == ELOOP)
        return err_set(err, -ELOOP, "output=%s: is a link that leads in a circle", path);
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return err_set(err, -EISDIR, "output=%s: is a folder; name a file", path);
    if (stat(path, &st) == 0 && S_ISBLK(st.st_mode))
        return err_set(err, -EPERM, "output=%s: is a block device; name a file", path);
    if (!str_copy(dir, sizeof(dir), follow(path, real)))
        return err_set(err, -ENAMETOOLONG, "output: the name of the file is too long");
    char *slash = strrchr(dir, '/');
    if (slash)
        slash[slash == dir] = '\0';
    int rc = try_place(path);
    if (rc < 0)
        return err_set(err, rc, "output=%s: no file can be made in %s: %s", path, slash ? dir : ".", strerror(-rc));
    return 0;
}

/* Never a block device, whatever the name led to before. */
static int open_sink(const char *path, int flags)
{
    struct stat st;
    int fd = open(path, flags | O_WRONLY | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) == 0 && !S_ISBLK(st.st_mode))
        return fd;
    close(fd);
    return -EPERM;
}

static FILE *open_stream(const char *path)
{
    int fd = open_sink(path, O_CREAT | O_TRUNC);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd < 0)
        errno = -fd;
    else if (!f)
        close(fd);
    return f;
}

int output_open(struct output *o, const char *path, bool live, struct err *err)
{
    *o = (struct output){.path = path};
    int rc = path ? check_place(path, err) : 0;
    if (rc < 0)
        return rc;
    if (!live)
        o->stream = open_memstream(&o->text, &o->len);
    else if (path)
        o->stream = open_stream(path);
    else
        o->stream = stdout;
    return o->stream ? 0 : broken(o, -errno, err);
}

int output_flush(struct output *o, struct err *err)
{
    errno = 0;
    if (fflush(o->stream) == 0 && !ferror(o->stream))
        return 0;
    return broken(o, errno ? -errno : -EIO, err);
}

int output_json(struct output *o, struct json *doc, int indent, struct err *err)
{
    int rc = json_write(doc, o->stream, indent);
    json_free(doc);
    return rc < 0 ? broken(o, rc, err) : output_flush(o, err);
}

static int write_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t done = write(fd, p, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? -errno : -EIO;
        p += done;
        n -= (size_t)done;
    }
    return 0;
}

/* Beside the file, then renamed over it: a reader sees the old one or the whole new one. */
static int replace(const char *path, const char *text, size_t n)
{
    char tmp[PATH_MAX];
    int fd = open_beside(path, tmp);
    if (fd < 0)
        return fd;
    int rc = write_all(fd, text, n);
    if (close(fd) < 0 && rc == 0)
        rc = -errno;
    if (rc == 0 && rename(tmp, path) < 0)
        rc = -errno;
    if (rc < 0)
        unlink(tmp);
    return rc;
}

static int put_out(const struct output *o)
{
    char real[PATH_MAX];
    struct stat st;
    if (!o->path)
        return write_all(STDOUT_FILENO, o->text, o->len);
    const char *path = follow(o->path, real); /* a link stays a link */
    if (stat(path, &st) < 0 || S_ISREG(st.st_mode))
        return replace(path, o->text, o->len);
    int fd = open_sink(path, 0); /* a pipe, a terminal, /dev/null: nothing to rename over */
    if (fd < 0)
        return fd;
    int rc = write_all(fd, o->text, o->len);
    close(fd);
    return rc;
}

int output_close(struct output *o, struct err *err)
{
    if (!o->stream)
        return 0;
    int rc = output_flush(o, err);
    bool collected = o->text != NULL;
    if (rc == 0 && collected) {
        int code = put_out(o);
        rc = code < 0 ? broken(o, code, err) : 0;
    }
    if (o->stream != stdout && fclose(o->stream) != 0 && rc == 0)
        rc = broken(o, -errno, err);
    free(o->text);
    *o = (struct output){0};
    return rc;
}

void output_drop(struct output *o)
{
    if (o->stream && o->stream != stdout)
        fclose(o->stream);
    free(o->text);
    *o = (struct output){0};
}
