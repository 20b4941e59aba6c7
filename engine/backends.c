/* backends: the table of ways to the kernel; a new one is one more line.
 * Knows nothing of what they do. */
#include "engine/backend.h"

#include <linux/fs.h>
#include <linux/ioprio.h>
#include <string.h>

extern const struct backend backend_psync, backend_sync, backend_pvsync, backend_pvsync2, backend_mmap;
extern const struct backend backend_libaio, backend_io_uring, backend_null;

const struct backend *const backends[] = {
    &backend_psync,
    &backend_sync,
    &backend_pvsync,
    &backend_pvsync2,
    &backend_mmap,
    &backend_libaio,
    &backend_io_uring,
    &backend_null,
    NULL,
};

const struct backend *backend_find(const char *name)
{
    for (const struct backend *const *b = backends; *b; b++)
        if (!strcmp((*b)->name, name))
            return *b;
    return NULL;
}

/* fio's other engines: what to use instead. */
static const struct {
    const char *name, *instead;
} others[] = {
    {"posixaio", "use libaio or io_uring"},
    {"vsync", "use psync or pvsync"},
    {"io_uring_cmd", "use io_uring on the block device of the namespace"},
    {"sg", "use io_uring or libaio on the block device"},
    {"splice", "use psync"},
    {"falloc", "rw=trim on a file punches holes"},
    {"ftruncate", "there is no engine for sizes of files; rw=trim on a file punches holes"},
    {"e4defrag", "there is no engine for the layout of files"},
    {"filecreate", "there is no engine for names of files"},
    {"filestat", "there is no engine for names of files"},
    {"filedelete", "there is no engine for names of files"},
    {"cpuio", "there is no load without I/O; ioengine=null does none"},
    {"exec", "commands are not run from a job"},
    {"net", "there is no load on networks"},
    {"netsplice", "there is no load on networks"},
    {"libpmem", "use mmap"},
    {"dev-dax", "use mmap on the device"},
    {"pmemblk", "use mmap"},
    {"rbd", "map the image (rbd map) and use io_uring on the device"},
    {"gfapi", "mount the volume and use io_uring on a file of it"},
    {"mtd", "use psync on a file of a filesystem on it"},
    {"http", "there is no load on object stores"},
    {"nfs", "mount the export and use psync or io_uring on a file of it"},
    {"hdfs", "mount it and use psync on a file of it"},
    {"libblkio", "use io_uring on the block device"},
    {"libcufile", "use io_uring on the file"},
    {"rados", "map an image (rbd map) and use io_uring on the device"},
    {"rdma", "there is no load on networks"},
    {"nbd", "attach it (nbd-client) and use io_uring on the device"},
};

const char *backend_instead(const char *name)
{
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (!strcmp(others[i].name, name))
            return others[i].instead;
    return NULL;
}

#ifndef RWF_DONTCACHE /* Linux 6.14 */
#define RWF_DONTCACHE 0x80
#endif

void backend_prio_init(struct backend_prio *p, const struct backend_options *o)
{
    *p = (struct backend_prio){0};
    for (unsigned d = 0; d < DDIRS; d++) {
        p->pct[d] = d == DDIR_TRIM ? 0 : (uint8_t)o->prio_pct[d];
        p->value[d] = (uint16_t)IOPRIO_PRIO_VALUE(o->prio_class[d], o->prio[d]);
        p->on |= p->pct[d] != 0;
    }
}

uint32_t backend_rwf(const struct backend_options *o)
{
    return (o->hipri ? (uint32_t)RWF_HIPRI : 0) | (o->nowait ? (uint32_t)RWF_NOWAIT : 0) |
           (o->uncached ? (uint32_t)RWF_DONTCACHE : 0);
}
