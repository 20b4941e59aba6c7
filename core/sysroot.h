/* sysroot: a run-time root: reads files below a directory that stands for "/", so that one binary reads the
 * live machine and fake ones. Read only; all paths are relative ("proc/stat"), links are followed as they are.
 * The idea is util-linux's lib/path.c. */
#ifndef CORE_SYSROOT_H
#define CORE_SYSROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/str.h"

struct sysroot; /* thread-safe for reading once open */

/* path NULL or "/" is the live machine. 0, or -errno with a sentence (no such folder, not a folder). */
int sysroot_open(const char *path, struct sysroot **ret, struct err *err);
/* Points an open root at another folder (the second reading of a fake machine). On failure unchanged.
 * Not while another thread reads. */
int sysroot_repoint(struct sysroot *root, const char *path, struct err *err);
void sysroot_close(struct sysroot *root);
bool sysroot_is_live(const struct sysroot *root);

/* Whole file into buf (reset first), of any length; NUL bytes are kept. 0 or -errno (-ENOENT: not on this
 * machine; -EOPNOTSUPP …: the read itself failed). buf is empty on failure. */
int sysroot_read(const struct sysroot *root, struct strbuf *buf, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* First line, blanks cut, bounded. 0 or -errno; dst is "" on failure. */
int sysroot_text(const struct sysroot *root, char *dst, size_t n, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* A file that holds one decimal number. 0, -errno, or -EINVAL when it holds something else. */
int sysroot_u64(const struct sysroot *root, uint64_t *ret, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int sysroot_i64(const struct sysroot *root, int64_t *ret, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool sysroot_exists(const struct sysroot *root, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The target text of a symbolic link (not resolved); -EINVAL when it is no link. */
int sysroot_link(const struct sysroot *root, char *dst, size_t n, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Names in a folder, sorted by name (strverscmp: sda before sdb, cpu2 before cpu10), without "." and "..".
 * Free with sysroot_free_names. 0 or -errno; *ret_n is 0 on failure. */
int sysroot_list(const struct sysroot *root, char ***ret_names, size_t *ret_n, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void sysroot_free_names(char **names, size_t n);

#endif
