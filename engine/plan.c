/* plan: from a job and its targets to what a worker needs at hand.
 * All memory of the hot path is allocated here, in the caller's thread. */
#include "engine/plan.h"

#include <errno.h>
#include <stdlib.h>

#include "engine/verify.h"

#include "engine/job_pattern.h"

void pool_free(struct pool *p)
{
    if (!p)
        return;
    buffer_fini(&p->buffer);
    free(p->io);
    free(p->free);
    free(p->staged);
    free(p->done);
    free(p);
}

struct pool *pool_new(enum buffer_memory memory, unsigned slots, uint64_t bs, uint64_t gen)
{
    struct pool *p = calloc(1, sizeof(*p));
    if (!p)
        return NULL;
    p->gen = gen;
    p->slots = slots;
    p->io = calloc(slots, sizeof(*p->io));
    p->free = calloc(slots, sizeof(*p->free));
    p->staged = calloc(slots, sizeof(*p->staged));
    p->done = calloc(slots, sizeof(*p->done));
    if (!p->io || !p->free || !p->staged || !p->done || buffer_init(&p->buffer, memory, slots, bs) < 0) {
        pool_free(p);
        return NULL;
    }
    for (unsigned i = 0; i < slots; i++)
        p->io[i].slot = (uint16_t)i;
    return p;
}

/* As few as can be where memory is short: room for growth is a luxury. */
static struct pool *pool_for(const struct plan *p, struct pool *old)
{
    if (old && old->slots >= p->depth && old->buffer.stride >= p->most_bs)
        return old;
    uint64_t gen = old ? old->gen + 1 : 1;
    unsigned room = p->memory == BUFFER_HUGE ? p->depth : p->ring, slots = old && old->slots > room ? old->slots : room;
    struct pool *pool = pool_new(p->memory, slots, p->most_bs, gen);
    return pool ? pool : pool_new(p->memory, p->depth, p->most_bs, gen);
}

static int copy_targets(struct plan *p, const struct targets *set, unsigned clone, struct err *err)
{
    p->slice = targets_of(set, clone);
    p->ntargets = p->slice.n;
    p->region = calloc(p->ntargets, sizeof(*p->region));
    p->target = calloc(p->ntargets, sizeof(*p->target));
    if (!p->region || !p->target)
        return err_set(err, -ENOMEM, "no memory for a new version of the job");
    for (size_t i = 0; i < p->ntargets; i++) {
        const struct target *t = &p->slice.t[i];
        target_region(t, clone, &p->region[i].begin, &p->region[i].end);
        p->target[i] = (struct plan_target){t->fd, t->is_block, (uint8_t)(t->row - p->slice.row0)};
        if (!pattern_fits(pattern_needs(&p->pattern), &p->region[i]))
            return err_set(err, -EINVAL, "bs=%lu does not fit into the %lu bytes of %s: give a smaller bs",
                           (unsigned long)pattern_needs(&p->pattern),
                           (unsigned long)(p->region[i].end - p->region[i].begin), t->path);
    }
    return 0;
}

/* A pause after every request empties the queue each time, as in fio: one at a time. */
static unsigned depth_of(const struct job *j, const struct backend *be)
{
    bool each = j->thinktime_ns && j->think.blocks <= 1 && !j->think.iotime_ns;
    return be->sync || each || !j->iodepth ? 1 : j->iodepth;
}

static void set_pace(struct plan *p, const struct job *j)
{
    struct blocksize size[DDIRS];
    job_sizes(j, size);
    for (unsigned d = 0; d < DDIRS; d++) {
        p->pace.iops[d] = j->rate_iops[d];
        p->pace.bytes[d] = j->rate[d];
        p->pace.bs[d] = (uint64_t)blocksize_mean(&size[d]);
    }
    p->pace.poisson = j->rate_poisson;
    p->think = (struct plan_think){
        .ns = j->thinktime_ns,
        .spin_ns = j->think.spin_ns < j->thinktime_ns ? j->think.spin_ns : j->thinktime_ns,
        .iotime_ns = j->think.iotime_ns,
        .blocks = j->think.iotime_ns && !job_is_set(j, "thinktime_blocks") ? UINT64_MAX : j->think.blocks,
        .issue = j->think.issue,
        .unpaced = j->rate_ignore_thinktime,
    };
}

/* As in fio, the fewest that are waited for are also the most that are taken, unless it is said. */
static void set_batch(struct plan *p, const struct job *j)
{
    p->batch = j->batch;
    p->batched = job_is_set(j, "iodepth_batch_complete_min") || j->batch.complete_max;
    if (p->batched && p->batch.complete_max < p->batch.complete_min)
        p->batch.complete_max = p->batch.complete_min;
    if (p->batch.low >= p->depth)
        p->batch.low = 0;
}

static void set_start(struct plan *p, const struct job *j)
{
    struct rng r;
    rng_seed(&r, p->seed + 1);
    p->start_ns = rng_below(&r, j->startdelay_ns[1] - j->startdelay_ns[0] + 1);
}

/* Room to grow without a new ring, as long as all clones together stay far below what a machine grants. */
static unsigned ring_of(const struct job *j, const struct backend *be, unsigned depth)
{
    unsigned share = PLAN_ROOM_ALL / (j->numjobs ? j->numjobs : 1), room = share < PLAN_ROOM ? share : PLAN_ROOM;
    return be->sync || depth > room ? depth : room;
}

static int no_memory(const struct plan *p, struct err *err)
{
    if (p->memory == BUFFER_HUGE)
        return err_set(err, -ENOMEM, "iomem=mmaphuge: the machine has no huge pages of 2m free for %u buffers of %lu bytes "
                                     "(sysctl vm.nr_hugepages)", p->depth, (unsigned long)p->most_bs);
    return err_set(err, -ENOMEM, "no memory for %u buffers of %lu bytes: lower iodepth, bs or numjobs", p->depth,
                   (unsigned long)p->most_bs);
}

static int equip(struct plan *p, struct pool *old, bool fill, struct err *err)
{
    p->pool = pool_for(p, old);
    if (!p->pool)
        return no_memory(p, err);
    if (!pattern_writes(p->pattern.rw) || p->pool->buffer.write)
        return 0;
    if (buffer_map_write(&p->pool->buffer, &p->data) < 0) {
        if (p->pool != old)
            pool_free(p->pool);
        return no_memory(p, err);
    }
    if (fill)
        buffer_fill(&p->pool->buffer, &p->data, p->pool->gen);
    return 0;
}

/* io_size and the working set of duplicates, where in percent, are of all regions of the clone. */
static int set_content(struct plan *p, const struct job *j, struct err *err)
{
    unsigned __int128 bytes = 0;
    for (size_t i = 0; i < p->ntargets; i++)
        bytes += p->region[i].end - p->region[i].begin;
    if (j->io_size.pct)
        p->pattern.io_bytes = (uint64_t)(bytes * j->io_size.pct / 100);
    else if (j->filesize[0] && !j->io_size.bytes)
        p->pattern.io_bytes = j->size.bytes < bytes ? j->size.bytes : 0; /* with filesize that is what size is left for */
    int r = data_plan(&j->content, (uint64_t)(bytes / p->mean_bs), &p->data, err);
    if (verify_on(j)) { /* each block is made for its place */
        p->data.how = DATA_MADE;
        p->data.once = false;
    }
    return r;
}

static int set_pattern(struct plan *p, const struct job *j, unsigned clone, struct err *err)
{
    int r = job_pattern(j, &p->pattern, err);
    if (r < 0)
        return r;
    p->seed = rng_mix(job_seed(j) + clone + 1);
    p->mean_bs = job_bs(j);
    p->most_bs = pattern_largest(&p->pattern);
    return 0;
}

int plan_new(const struct job *j, unsigned clone, const struct targets *t, uint64_t version, const struct backend *be,
             struct pool *pool, bool fill, struct plan **ret, struct err *err)
{
    struct plan *p = calloc(1, sizeof(*p));
    if (!p)
        return err_set(err, -ENOMEM, "no memory for a new version of the job");
    p->version = version;
    p->depth = depth_of(j, be);
    p->ring = ring_of(j, be, p->depth);
    set_pace(p, j);
    set_batch(p, j);
    tolerance_of(j, &p->tolerance);
    p->fsync = j->fsync;
    p->fill = j->prep.fill;
    p->fdatasync = j->fdatasync;
    p->end_fsync = j->end_fsync || j->fsync_on_close; /* files are closed once */
    p->memory = j->iomem;
    p->registerfiles = j->registerfiles;
    p->fixedbufs = j->fixedbufs;
    int r = set_pattern(p, j, clone, err);
    set_start(p, j);
    if (r == 0)
        r = copy_targets(p, t, clone, err);
    if (r == 0)
        r = set_content(p, j, err);
    if (r == 0)
        r = equip(p, pool, fill, err);
    if (r < 0) {
        plan_free(p);
        return r;
    }
    *ret = p;
    return 0;
}

void plan_free(struct plan *p)
{
    if (!p)
        return;
    free(p->region);
    free(p->target);
    free(p);
}
