/* mmap: the file or device is mapped; a request is a copy from or to the mapping, and the page faults are the I/O.
 * Goes through the page cache; a sync is an msync. One request at a time. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/backends/blocking.h"

struct map {
    unsigned char *at; /* NULL: not mapped */
    uint64_t len;
    bool writable;
    int fd;
};

struct mapped {
    struct in_place one; /* first: in_place_reap */
    bool random;
    struct map map[BLOCKING_FILES];
};

/* ---- a page that the kernel cannot give: SIGBUS in the thread that touched it ---- */

static __thread sigjmp_buf *volatile copying; /* where to go on; NULL: the signal is not ours */

static void bus_error(int sig)
{
    if (copying)
        siglongjmp(*copying, 1);
    signal(sig, SIG_DFL); /* the fault comes again and ends the process */
}

static void catch_bus_errors(void)
{
    struct sigaction sa = {.sa_handler = bus_error, .sa_flags = SA_NODEFER};
    sigaction(SIGBUS, &sa, NULL);
}

/* Workers start with all signals blocked, and a blocked fault kills. */
static void let_bus_errors_in(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    sigset_t set;
    pthread_once(&once, catch_bus_errors);
    sigemptyset(&set);
    sigaddset(&set, SIGBUS);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* False when a page of the mapping could not be had. */
static bool copy(void *to, const void *from, size_t len)
{
    sigjmp_buf here;
    if (sigsetjmp(here, 0)) {
        copying = NULL;
        return false;
    }
    copying = &here;
    memcpy(to, from, len);
    copying = NULL;
    return true;
}

/* ---- mapping ---- */

static void unmap(struct map *m)
{
    if (m->at)
        munmap(m->at, m->len);
    *m = (struct map){0};
}

/* -errno, or 0 and the size. */
static int size_of(int fd, uint64_t *ret)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return -errno;
    *ret = (uint64_t)st.st_size;
    return S_ISBLK(st.st_mode) && ioctl(fd, BLKGETSIZE64, ret) < 0 ? -errno : 0;
}

static int map_file(const struct mapped *s, struct map *m, int fd)
{
    uint64_t len;
    unmap(m);
    int r = size_of(fd, &len);
    if (r < 0 || !len)
        return r;
    bool writable = (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
    void *at = mmap(NULL, len, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return -errno;
    madvise(at, len, s->random ? MADV_RANDOM : MADV_SEQUENTIAL);
    *m = (struct map){at, len, writable, fd};
    return 0;
}

static void mmap_renew(void *state, bool random)
{
    struct mapped *s = state;
    s->random = random;
    for (size_t i = 0; i < BLOCKING_FILES; i++)
        unmap(&s->map[i]);
}

/* ---- requests ---- */

/* What a read or write of a file that became shorter would have answered. */
static int32_t why_not(const struct io *io)
{
    uint64_t size;
    int r = size_of(io->fd, &size);
    if (r < 0)
        return r;
    return io->ddir == DDIR_READ && io->offset + io->len > size ? 0 : -EIO;
}

static int32_t transfer(const struct map *m, const struct io *io)
{
    if (io->ddir == DDIR_WRITE && !m->writable)
        return -EBADF;
    if (io->offset >= m->len)
        return 0;
    uint64_t left = m->len - io->offset;
    size_t len = io->len < left ? io->len : (size_t)left;
    unsigned char *at = m->at + io->offset;
    bool whole = io->ddir == DDIR_READ ? copy(io->buf, at, len) : copy(at, io->buf, len);
    return whole ? (int32_t)len : why_not(io);
}

static int32_t mmap_do(struct mapped *s, const struct io *io)
{
    struct map *m = &s->map[io->target % BLOCKING_FILES];
    if (io->ddir == DDIR_TRIM)
        return blocking_trim(io);
    if (!m->at || m->fd != io->fd) {
        int r = map_file(s, m, io->fd);
        if (r < 0 || !m->at)
            return r;
    }
    if (io->ddir != DDIR_SYNC)
        return transfer(m, io);
    return msync(m->at, m->len, MS_SYNC) < 0 ? -errno : 0;
}

static int mmap_submit(void *state, struct io *const *ios, unsigned n)
{
    if (!in_place_take(state, ios, n))
        return 0;
    ios[0]->res = mmap_do(state, ios[0]);
    return 1;
}

static int mmap_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    struct mapped *s = calloc(1, sizeof(*s));
    if (!s)
        return err_set(err, -ENOMEM, "mmap: no memory");
    let_bus_errors_in();
    *ret_state = s;
    return 0;
}

static void mmap_close(void *state)
{
    mmap_renew(state, false);
    free(state);
}

extern const struct backend backend_mmap;
const struct backend backend_mmap = {
    .name = "mmap",
    .blurb = "copies from and to a mapping of the file: page faults are the I/O, through the page cache",
    .sync = true,
    .cached = true,
    .open = mmap_open,
    .submit = mmap_submit,
    .reap = in_place_reap,
    .renew = mmap_renew,
    .close = mmap_close,
};
