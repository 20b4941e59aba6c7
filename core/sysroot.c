/* sysroot: reads files and folders below a directory descriptor that stands for "/".
 * Never writes, never resolves a link by itself, keeps no file open. */
#include "core/sysroot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sysroot {
    int fd;
    bool live;
};

#define TEXT_MAX 4096 /* an attribute of sysfs is one page at most */

/* fmt -> path relative to the root; the callers' va_list dance in one place. */
#define FORMAT_PATH(ret_rc, path, fmt)                                                                            \
    do {                                                                                                          \
        va_list ap_;                                                                                              \
        va_start(ap_, fmt);                                                                                       \
        ret_rc = format_path(path, fmt, ap_);                                                                     \
        va_end(ap_);                                                                                              \
    } while (0)

__attribute__((format(printf, 2, 0))) static int format_path(char path[PATH_MAX], const char *fmt, va_list ap)
{
    int len = vsnprintf(path, PATH_MAX, fmt, ap);
    if (len < 0 || len >= PATH_MAX)
        return -ENAMETOOLONG;
    size_t skip = strspn(path, "/");
    memmove(path, path + skip, (size_t)len - skip + 1);
    if (path[0] == '\0')
        str_copy(path, PATH_MAX, ".");
    return 0;
}

static int open_root(const char *path, int *ret_fd, struct err *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        int code = -errno;
        const char *why = errno == ENOENT    ? "no such folder"
                          : errno == ENOTDIR ? "is not a folder"
                                             : strerror(errno);
        return err_set(err, code, "sysroot %s: %s", path, why);
    }
    *ret_fd = fd;
    return 0;
}

int sysroot_open(const char *path, struct sysroot **ret, struct err *err)
{
    struct sysroot *root = malloc(sizeof *root);
    if (!root)
        return err_set(err, -ENOMEM, "out of memory");
    root->live = !path || strcmp(path, "/") == 0;
    int rc = open_root(path ? path : "/", &root->fd, err);
    if (rc < 0) {
        free(root);
        return rc;
    }
    *ret = root;
    return 0;
}

int sysroot_repoint(struct sysroot *root, const char *path, struct err *err)
{
    struct sysroot next = {.live = !path || strcmp(path, "/") == 0};
    int rc = open_root(path ? path : "/", &next.fd, err);
    if (rc < 0)
        return rc;
    close(root->fd);
    *root = next;
    return 0;
}

void sysroot_close(struct sysroot *root)
{
    if (!root)
        return;
    close(root->fd);
    free(root);
}

bool sysroot_is_live(const struct sysroot *root)
{
    return root->live;
}

/* O_NONBLOCK: a fake machine that has a FIFO must not hang us; files of /proc and /sys do not mind. */
static int open_file(const struct sysroot *root, const char *path)
{
    int fd = openat(root->fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return fd < 0 ? -errno : fd;
}

static ssize_t read_some(int fd, char *dst, size_t n)
{
    ssize_t got;
    do
        got = read(fd, dst, n);
    while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : got;
}

/* Doubles the room, so that files of /proc, whose size stat() gives as 0, may have any length. */
static int grow(struct strbuf *buf)
{
    size_t cap = buf->cap < TEXT_MAX ? TEXT_MAX : buf->cap * 2;
    char *s = realloc(buf->s, cap);
    if (!s)
        return -ENOMEM;
    buf->s = s;
    buf->cap = cap;
    return 0;
}

static int read_all(int fd, struct strbuf *buf)
{
    for (;;) {
        if (buf->len + 1 >= buf->cap) {
            int rc = grow(buf);
            if (rc < 0)
                return rc;
        }
        ssize_t got = read_some(fd, buf->s + buf->len, buf->cap - buf->len - 1);
        if (got < 0)
            return (int)got;
        buf->len += (size_t)got;
        buf->s[buf->len] = '\0';
        if (got == 0)
            return 0;
    }
}

int sysroot_read(const struct sysroot *root, struct strbuf *buf, const char *fmt, ...)
{
    char path[PATH_MAX];
    int rc;
    FORMAT_PATH(rc, path, fmt);
    strbuf_reset(buf);
    int fd = rc < 0 ? rc : open_file(root, path);
    if (fd < 0)
        return fd;
    rc = read_all(fd, buf);
    close(fd);
    if (rc < 0)
        strbuf_reset(buf);
    return rc;
}

/* The first line of a file, trimmed; returns its start within `line`. */
static int first_line(const struct sysroot *root, const char *path, char line[TEXT_MAX], char **ret)
{
    int fd = open_file(root, path);
    if (fd < 0)
        return fd;
    size_t len = 0;
    ssize_t got;
    do {
        got = read_some(fd, line + len, TEXT_MAX - 1 - len);
        len += got > 0 ? (size_t)got : 0;
    } while (got > 0 && len < TEXT_MAX - 1 && !memchr(line, '\n', len));
    close(fd);
    if (got < 0)
        return (int)got;
    line[len] = '\0';
    line[strcspn(line, "\n")] = '\0';
    *ret = str_trim(line);
    return 0;
}

int sysroot_text(const struct sysroot *root, char *dst, size_t n, const char *fmt, ...)
{
    char path[PATH_MAX], line[TEXT_MAX], *text;
    int rc;
    FORMAT_PATH(rc, path, fmt);
    dst[0] = '\0';
    rc = rc < 0 ? rc : first_line(root, path, line, &text);
    if (rc == 0)
        str_copy(dst, n, text);
    return rc;
}

int sysroot_u64(const struct sysroot *root, uint64_t *ret, const char *fmt, ...)
{
    char path[PATH_MAX], line[TEXT_MAX], *text;
    int rc;
    FORMAT_PATH(rc, path, fmt);
    rc = rc < 0 ? rc : first_line(root, path, line, &text);
    return rc < 0 ? rc : str_u64(text, ret, NULL) < 0 ? -EINVAL : 0;
}

int sysroot_i64(const struct sysroot *root, int64_t *ret, const char *fmt, ...)
{
    char path[PATH_MAX], line[TEXT_MAX], *text;
    int rc;
    FORMAT_PATH(rc, path, fmt);
    rc = rc < 0 ? rc : first_line(root, path, line, &text);
    if (rc < 0)
        return rc;
    bool negative = text[0] == '-';
    uint64_t v;
    if (str_u64(text + negative, &v, NULL) < 0 || v > (uint64_t)INT64_MAX + negative)
        return -EINVAL;
    *ret = negative ? (int64_t)(0 - v) : (int64_t)v;
    return 0;
}

bool sysroot_exists(const struct sysroot *root, const char *fmt, ...)
{
    char path[PATH_MAX];
    int rc;
    FORMAT_PATH(rc, path, fmt);
    return rc == 0 && faccessat(root->fd, path, F_OK, 0) == 0;
}

int sysroot_link(const struct sysroot *root, char *dst, size_t n, const char *fmt, ...)
{
    char path[PATH_MAX], target[PATH_MAX];
    int rc;
    FORMAT_PATH(rc, path, fmt);
    dst[0] = '\0';
    if (rc < 0)
        return rc;
    ssize_t len = readlinkat(root->fd, path, target, sizeof target - 1);
    if (len < 0)
        return -errno;
    target[len] = '\0';
    str_copy(dst, n, target);
    return 0;
}

struct names {
    char **name;
    size_t n, cap;
};

static int names_put(struct names *l, const char *name)
{
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 16;
        char **grown = realloc(l->name, cap * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        l->name = grown;
        l->cap = cap;
    }
    l->name[l->n] = strdup(name);
    return l->name[l->n] ? (l->n++, 0) : -ENOMEM;
}

static int read_names(DIR *dir, struct names *l)
{
    for (;;) {
        errno = 0;
        const struct dirent *e = readdir(dir);
        if (!e)
            return -errno;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        int rc = names_put(l, e->d_name);
        if (rc < 0)
            return rc;
    }
}

static int by_version(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

int sysroot_list(const struct sysroot *root, char ***ret_names, size_t *ret_n, const char *fmt, ...)
{
    char path[PATH_MAX];
    int rc;
    FORMAT_PATH(rc, path, fmt);
    *ret_n = 0;
    if (rc < 0)
        return rc;
    int fd = openat(root->fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    DIR *dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return -ENOMEM;
    }
    struct names l = {0};
    rc = read_names(dir, &l);
    closedir(dir);
    if (rc < 0) {
        sysroot_free_names(l.name, l.n);
        return rc;
    }
    if (l.n > 1)
        qsort(l.name, l.n, sizeof *l.name, by_version);
    *ret_names = l.name;
    *ret_n = l.n;
    return 0;
}

void sysroot_free_names(char **names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
}
