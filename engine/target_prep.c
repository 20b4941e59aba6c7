/* target_prep: what is done to open files and devices around a run: space set aside, hints, pre-reading, removal.
 * Writes no data. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/target_fit.h"

#define CHUNK (1u << 20)

bool target_grows(const struct target *t, const struct job *j)
{
    bool file = !t->is_block && !t->is_null;
    return file && !job_reads(j) && !job_trims(j) && (!j->prep.overwrite || j->prep.append || j->prep.fill);
}

/* Where a filesystem cannot set space aside, it is done without, as in fio. */
int target_reserve(const struct target *t, struct err *err)
{
    int rc = 0;
    off_t end = (off_t)t->layout_end;
    if (t->reserve == JOB_FALLOCATE_NATIVE || t->reserve == JOB_FALLOCATE_KEEP)
        rc = fallocate(t->layout_fd, t->reserve == JOB_FALLOCATE_KEEP ? FALLOC_FL_KEEP_SIZE : 0, 0, end) < 0
                 ? -errno
                 : 0;
    else if (t->reserve == JOB_FALLOCATE_POSIX)
        rc = -posix_fallocate(t->layout_fd, 0, end);
    else if (t->reserve == JOB_FALLOCATE_TRUNCATE)
        rc = ftruncate(t->layout_fd, end) < 0 ? -errno : 0;
    if (rc == 0 || rc == -EOPNOTSUPP || rc == -ENOSYS)
        return 0;
    return err_set(err, rc, "filename=%s: space cannot be set aside (fallocate): %s", t->path, strerror(-rc));
}

int target_hint(const struct target *t, const struct job *j, struct err *err)
{
    uint64_t life = j->prep.hint + 1; /* RWH_WRITE_LIFE_NONE is 1 */
    if (!j->prep.hint || !t->writable || fcntl(t->fd, F_SET_RW_HINT, &life) == 0)
        return 0;
    return err_set(err, -errno, "write_hint: %s takes none: %s", t->path, strerror(errno));
}

void targets_advise(const struct targets *s, const struct job *j)
{
    int advice = job_random(j) ? POSIX_FADV_RANDOM : POSIX_FADV_SEQUENTIAL;
    if (j->prep.advice == JOB_ADVICE_RANDOM)
        advice = POSIX_FADV_RANDOM;
    if (j->prep.advice == JOB_ADVICE_SEQUENTIAL)
        advice = POSIX_FADV_SEQUENTIAL;
    for (size_t i = 0; i < s->n && j->prep.advice != JOB_ADVICE_NONE; i++)
        if (!s->t[i].is_null)
            posix_fadvise(s->t[i].fd, 0, 0, advice);
}

/* Through a descriptor of its own: O_DIRECT would go past the page cache. */
static int pre_read(const struct target *t, char *buf, _Atomic bool *stop, struct err *err)
{
    char self[64];
    snprintf(self, sizeof(self), "/proc/self/fd/%d", t->fd);
    int rc = 0, fd = open(self, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(err, -errno, "filename=%s: cannot be opened for reading: %s", t->path, strerror(errno));
    for (uint64_t at = t->begin; at < t->end && rc == 0;) {
        ssize_t n = pread(fd, buf, t->end - at < CHUNK ? t->end - at : CHUNK, (off_t)at);
        if (stop && atomic_load(stop))
            rc = err_set(err, -ECANCELED, "%s: pre_read was stopped", t->path);
        else if (n < 0 && errno != EINTR)
            rc = err_set(err, -errno, "filename=%s: pre_read: %s", t->path, strerror(errno));
        else if (n == 0)
            break;
        at += n > 0 ? (uint64_t)n : 0;
    }
    close(fd);
    return rc;
}

int targets_pre_read(const struct targets *s, _Atomic bool *stop, struct err *err)
{
    char *buf = malloc(CHUNK);
    int rc = buf ? 0 : err_set(err, -ENOMEM, "no memory to read the files");
    for (size_t i = 0; i < s->n && rc == 0; i++)
        if (!s->t[i].is_null)
            rc = pre_read(&s->t[i], buf, stop, err);
    free(buf);
    return rc;
}

size_t targets_unlink(struct targets *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct target *t = &s->t[i];
        if (t->created)
            target_unlink(t);
        else
            kept += !t->is_block && !t->is_null;
        t->created = false;
    }
    return kept;
}
