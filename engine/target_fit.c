/* target_fit: regions, logical blocks and free space, and the sentences when a job does not fit them.
 * Opens and changes nothing. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/stat.h> /* struct statx with the fields glibc 2.36 does not know; never beside <sys/stat.h> */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/str.h"
#include "core/units.h"
#include "engine/job_pattern.h"
#include "engine/target_fit.h"
#include "engine/target_probe.h"

#define FILL_BYTES (1ull << 60)  /* of fill_device: more than any filesystem has */
#define NULL_BYTES (1ull << 40) /* "1 TiB of nothing" */

uint64_t target_file_size(int fd)
{
    off_t size = lseek(fd, 0, SEEK_END);
    return size < 0 ? 0 : (uint64_t)size;
}

static unsigned sysfs_block_of(unsigned major, unsigned minor, const char *below)
{
    char path[96];
    unsigned block = 0;
    snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%squeue/logical_block_size", major, minor, below);
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    int got = fscanf(f, "%u", &block);
    fclose(f);
    return got == 1 ? block : 0;
}

static unsigned sysfs_block(unsigned major, unsigned minor)
{
    unsigned block = sysfs_block_of(major, minor, "");
    return block ? block : sysfs_block_of(major, minor, "../"); /* a partition has no queue of its own */
}

/* What direct I/O on a file must be a multiple of; 0 = it is not possible at all. */
static unsigned file_block(const struct target *t)
{
    struct statx stx;
    struct statfs fs;
    memset(&stx, 0, sizeof(stx));
    if (syscall(SYS_statx, t->fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) == 0 && (stx.stx_mask & STATX_DIOALIGN))
        return stx.stx_dio_offset_align;
    unsigned block = sysfs_block(t->major, t->minor);
    if (block)
        return block;
    /* btrfs falls back to the page cache, silently, for anything below its own block. */
    if (fstatfs(t->fd, &fs) == 0 && fs.f_type == BTRFS_SUPER_MAGIC)
        return (unsigned)fs.f_bsize;
    return 512;
}

static int block_size(struct target *t, uint64_t *ret_bytes, unsigned *ret_block, struct err *err)
{
    int block = 0;
    if (ioctl(t->fd, BLKGETSIZE64, ret_bytes) < 0 || ioctl(t->fd, BLKSSZGET, &block) < 0)
        return err_set(err, -errno, "filename=%s: its size cannot be read: %s", t->path, strerror(errno));
    if (!*ret_bytes)
        return err_set(err, -ENXIO, "filename=%s: is empty (a device without a medium or a backing file)",
                       t->path);
    *ret_block = block > 0 ? (unsigned)block : 512;
    return 0;
}

static int capacity(struct target *t, const struct job *j, uint64_t *ret_bytes, unsigned *ret_block,
                    struct err *err)
{
    *ret_block = 1;
    if (t->is_null) {
        *ret_bytes = NULL_BYTES;
        return 0;
    }
    if (t->is_block)
        return block_size(t, ret_bytes, ret_block, err);
    uint64_t size = target_file_size(t->fd);
    *ret_bytes = size > t->promised ? size : t->promised;
    *ret_block = file_block(t);
    if (!*ret_block && j->direct)
        return err_set(err, -EINVAL, "filename=%s: direct=1 is not possible on it; use direct=0", t->path);
    return 0;
}

static int too_large(const struct target *t, const struct job *j, uint64_t has, struct err *err)
{
    char size[64], have[UNITS_TEXT], offset[64], step[64], behind[128] = "";
    job_get_named(j, j->filesize[0] ? "filesize" : "size", size, sizeof(size));
    job_get_named(j, "offset", offset, sizeof(offset));
    job_get_named(j, "offset_increment", step, sizeof(step));
    units_exact_bytes(has, have);
    if (t->place.offset)
        str_format(behind, sizeof(behind), " with offset=%s", offset);
    if (t->place.step && j->numjobs > 1)
        str_format(behind, sizeof(behind), " with offset_increment=%s and numjobs=%u", step, j->numjobs);
    const char *word = j->filesize[0] ? "filesize" : "size";
    return err_set(err, -EINVAL, "%s=%s%s: %s has only %s%s", word, size, behind, t->path, have,
                   t->is_block ? "" : " and was not made by benchtop, so it is not extended");
}

void target_region(const struct target *t, unsigned clone, uint64_t *ret_begin, uint64_t *ret_end)
{
    target_place_region(&t->place, clone, ret_begin, ret_end);
    if (t->logical_block > 1 && *ret_end > *ret_begin && *ret_end - *ret_begin >= t->logical_block)
        *ret_end -= (*ret_end - *ret_begin) % t->logical_block;
}

static int behind_end(const struct target *t, const struct job *j, uint64_t begin, struct err *err)
{
    char offset[64], have[UNITS_TEXT];
    const char *word = begin > t->place.offset && t->place.step ? "offset_increment" : "offset";
    job_get_named(j, word, offset, sizeof(offset));
    units_exact_bytes(t->place.bound, have);
    return err_set(err, -EINVAL, "%s=%s: %s has only %s", word, offset, t->path, have);
}

/* The clones that work on this target: all, or the one it belongs to. */
static unsigned clones_of(const struct target *t, const struct job *j)
{
    return t->place.step ? j->numjobs : 1;
}

static int span(struct target *t, const struct job *j, struct err *err)
{
    for (unsigned k = 0; k < clones_of(t, j); k++) {
        unsigned clone = t->owner ? t->owner - 1 : k;
        uint64_t begin, end;
        target_place_region(&t->place, clone, &begin, &end);
        if (begin >= end)
            return behind_end(t, j, begin, err);
        t->begin = k && t->begin < begin ? t->begin : begin;
        t->end = k && t->end > end ? t->end : end;
        if (t->owner)
            break;
    }
    return 0;
}

static int set_end(struct target *t, const struct job *j, uint64_t has, struct err *err)
{
    char size[64];
    job_get_named(j, "size", size, sizeof(size));
    bool file = !t->is_block && !t->is_null;
    t->grows = target_grows(t, j);
    int rc = target_place_of(j, t->files, t->index, has, file && j->prep.append, &t->place);
    if (rc == 0 && file && j->prep.fill) {
        t->place.bytes = FILL_BYTES;
        t->place.bound = UINT64_MAX;
    }
    if (rc < 0)
        return err_set(err, -EINVAL, "offset, offset_increment and size=%s: beyond the largest file", size);
    if (!t->is_block && !t->is_null && !has && t->place.bytes == UINT64_MAX && !j->filesize[0])
        return err_set(err, -EINVAL, "filename=%s: is empty; name a file with data", t->path);
    rc = span(t, j, err);
    if (rc < 0)
        return rc;
    bool asked = t->grows && (j->prep.append || j->prep.fill); /* and allowed: it passed the guard */
    if (t->end > has && !t->is_null && !asked && (t->is_block || !(t->created || guard_is_ours(t->fd))))
        return too_large(t, j, has, err);
    return 0;
}

static int not_fit(const char *word, const char *text, const struct target *t, const char *because, struct err *err)
{
    return err_set(err, -EINVAL, "%s=%s: with %s must be a multiple of %u, the logical block of %s", word, text,
                   because, t->logical_block, t->path);
}

static int not_multiple(const char *word, uint64_t value, const struct target *t, const char *because,
                        struct err *err)
{
    char text[UNITS_TEXT];
    units_exact_bytes(value, text);
    return not_fit(word, text, t, because, err);
}

static const char *sizes_word(const struct job *j)
{
    return *j->bssplit ? "bssplit" : *j->bsrange ? "bsrange" : "bs";
}

static int sizes_fit(const struct target *t, const struct job *j, const struct pattern_spec *s, const char *because,
                     struct err *err)
{
    char text[1024];
    job_sizes_text(j, text, sizeof(text));
    for (unsigned d = 0; d < DDIRS; d++)
        if (pattern_uses(s, d) && !blocksize_multiple(&s->bs[d], t->logical_block))
            return not_fit(sizes_word(j), text, t, because, err);
    return 0;
}

/* Offsets and lengths of requests are multiples of the logical block. */
static int aligned(const struct target *t, const struct job *j, const struct pattern_spec *s, struct err *err)
{
    const char *because = j->direct ? "direct=1" : j->engine.zeroes ? "write_zeroes=1" : "a trim";
    char rw[64];
    uint64_t block = t->logical_block, jump = (uint64_t)(s->jump < 0 ? -s->jump : s->jump);
    if (block <= 1)
        return 0;
    int rc = sizes_fit(t, j, s, because, err);
    if (rc < 0)
        return rc;
    if (t->place.offset % block && !t->place.align)
        return not_multiple("offset", t->place.offset, t, because, err);
    if (t->place.align % block)
        return not_multiple("offset_align", t->place.align, t, because, err);
    if (t->place.step % block && !t->place.align)
        return not_multiple("offset_increment", t->place.step, t, because, err);
    if (jump % block) {
        job_get_named(j, "rw", rw, sizeof(rw));
        return not_fit("rw", rw, t, because, err);
    }
    for (unsigned d = 0; d < DDIRS; d++)
        if (s->align[d] % block)
            return not_multiple("blockalign", s->align[d], t, because, err);
    if (s->zone_range % block || s->zone_skip % block)
        return not_multiple(s->zone_skip % block ? "zoneskip" : "zonerange",
                            s->zone_skip % block ? s->zone_skip : s->zone_range, t, because, err);
    return 0;
}

static int zones_fit(const struct target *t, const struct pattern_spec *s, uint64_t room, struct err *err)
{
    char need[UNITS_TEXT], region[UNITS_TEXT];
    uint64_t most = 0;
    for (unsigned d = 0; d < DDIRS; d++)
        most = zones_bytes(&s->zones[d]) > most ? zones_bytes(&s->zones[d]) : most;
    if (most <= room)
        return 0;
    units_exact_bytes(most, need);
    units_exact_bytes(room, region);
    return err_set(err, -EINVAL, "random_distribution=zoned_abs: its zones take %s, there are %s to work on in %s", need,
                   region, t->path);
}

/* Of the smallest region of a clone. */
static uint64_t room_of(const struct target *t, const struct job *j)
{
    uint64_t least = UINT64_MAX, begin, end;
    for (unsigned k = 0; k < clones_of(t, j); k++) {
        target_region(t, t->owner ? t->owner - 1 : k, &begin, &end);
        uint64_t room = end > begin ? end - begin : 0;
        least = room < least ? room : least;
    }
    return least;
}

static int fit(const struct target *t, const struct job *j, struct err *err)
{
    char bs[1024], region[UNITS_TEXT];
    struct pattern_spec s;
    int rc = job_pattern(j, &s, err);
    if (rc < 0 || (rc = aligned(t, j, &s, err)) < 0)
        return rc;
    uint64_t room = room_of(t, j);
    if (pattern_needs(&s) > room) {
        job_sizes_text(j, bs, sizeof(bs));
        units_exact_bytes(room, region);
        return err_set(err, -EINVAL, "%s=%s: larger than the %s to work on in %s", sizes_word(j), bs,
                       room ? region : "0", t->path);
    }
    return zones_fit(t, &s, room, err);
}

int target_set_region(struct target *t, const struct job *j, struct err *err)
{
    uint64_t has;
    unsigned block;
    int rc = capacity(t, j, &has, &block, err);
    if (rc < 0 || (rc = set_end(t, j, has, err)) < 0)
        return rc;
    t->layout_end = t->end;
    if (!t->is_null)
        t->logical_block = j->direct || (t->is_block && (job_trims(j) || j->engine.zeroes)) ? block : 1;
    if (t->logical_block > 1 && t->end - t->begin >= t->logical_block)
        t->end -= (t->end - t->begin) % t->logical_block;
    return fit(t, j, err);
}

bool targets_lack(const struct targets *s, const struct job *j)
{
    uint64_t begin, end;
    bool lack = s->own && s->own * j->numjobs > s->n;
    for (size_t i = 0; i < s->n && !lack && !s->own; i++) {
        target_region(&s->t[i], j->numjobs - 1, &begin, &end);
        lack = s->t[i].place.step && end > s->t[i].end;
    }
    return lack;
}

int targets_fit(const struct targets *t, const struct job *j, struct err *err)
{
    bool reopen = false;
    if (targets_lack(t, j))
        return err_set(err, -EBUSY,
                       "numjobs=%u: there are files, or regions of them, for fewer clones: stop the run first",
                       j->numjobs);
    int able = job_trims(j) ? targets_probe(t, j, err) : 0;
    if (able < 0)
        return able;
    for (size_t i = 0; i < t->n; i++) {
        struct target x = t->t[i];
        int block;
        if (x.is_block && (job_trims(j) || j->engine.zeroes) && ioctl(x.fd, BLKSSZGET, &block) == 0)
            x.logical_block = (unsigned)block;
        if (x.grows && (job_reads(j) || job_trims(j)))
            return err_set(err, -EINVAL,
                           "rw: %s is written without a layout (overwrite=0), so it can only be written", x.path);
        int rc = fit(&x, j, err);
        if (rc < 0)
            return rc;
        reopen = reopen || (job_writes(j) && !x.is_null && !x.writable);
    }
    return reopen;
}
