/* worker_verify: the requests of a worker that verifies, or keeps overlapping ones apart: which may start, what
 * they write, what came of those that read, and the read-back at the end. The rest of the loop is in worker.c;
 * what is right and wrong knows verify.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/worker_state.h"

int worker_checks_new(const struct job *j, const struct plan *p, unsigned slots, uint64_t run,
                      struct worker_checks **ret, struct err *err)
{
    struct worker_checks *c = calloc(1, sizeof(*c));
    int rc = c ? overlap_init(&c->overlap, slots) : -ENOMEM;
    if (rc < 0) {
        free(c);
        return err_set(err, rc, "no memory for verify");
    }
    c->verifies = verify_on(j);
    c->reads_back = c->verifies && j->content.do_verify;
    if (c->verifies &&
        (rc = verify_init(&c->verify, j, &p->data, p->region, p->ntargets, p->most_bs, run, err)) < 0) {
        worker_checks_free(c);
        return rc;
    }
    *ret = c;
    return 0;
}

void worker_checks_free(struct worker_checks *c)
{
    if (!c)
        return;
    overlap_fini(&c->overlap);
    verify_fini(&c->verify);
    free(c);
}

static struct verify_piece piece_of(const struct io *io)
{
    return (struct verify_piece){io->offset, io->target, io->len};
}

static const char *path_of(const struct worker *w, const struct io *io)
{
    return w->plan->slice.t[io->target].path;
}

/* ---- starting ---- */

static bool conflicts(const struct worker *w, const struct io *io)
{
    return overlap_conflicts(&w->checks->overlap, io->target, io->offset, io->len, io->ddir != DDIR_READ);
}

static void add(struct worker *w, const struct io *io)
{
    overlap_add(&w->checks->overlap, io->slot, io->target, io->offset, io->len, io->ddir != DDIR_READ);
}

bool worker_may_overlap(struct worker *w, struct io *io)
{
    if (!conflicts(w, io)) {
        add(w, io);
        return true;
    }
    w->checks->parked = io;
    w->nstaged--;
    return false;
}

bool worker_unpark(struct worker *w)
{
    struct io *io = w->checks->parked;
    if (!io)
        return true;
    if (conflicts(w, io))
        return false;
    w->checks->parked = NULL;
    w->pool->staged[w->nstaged++] = io;
    add(w, io);
    worker_load(w, io);
    return true;
}

void worker_verify_write(struct worker *w, struct io *io)
{
    struct worker_checks *c = w->checks;
    struct verify_piece p = piece_of(io);
    if (verify_fits(&c->verify, &p)) {
        verify_write(&c->verify, &p, io->buf);
        return;
    }
    verify_forget(&c->verify, &p);
    worker_fail(w, -EINVAL, "verify: a write of %u bytes at %llu of %s does not fit verify_interval=%u", io->len,
                (unsigned long long)io->offset, path_of(w, io), c->verify.grid);
}

/* ---- reading back ---- */

static bool stage_check(struct worker *w, const struct verify_piece *p)
{
    struct io *io = worker_stage(w, DDIR_READ, p->target, p->offset, p->len);
    io->buf = buffer_of(&w->pool->buffer, io->slot);
    w->checks->checking[io->slot / 64] |= 1ull << io->slot % 64;
    return worker_may_overlap(w, io);
}

int worker_fill_checks(struct worker *w)
{
    struct worker_checks *c = w->checks;
    struct verify_piece p;
    bool back = atomic_load_explicit(&c->reading_back, memory_order_relaxed);
    if (c->parked)
        return worker_unpark(w) ? 1 : -1;
    if (!c->verifies)
        return 0;
    if (back ? verify_next(&c->verify, w->plan->most_bs, &p) : verify_due(&c->verify, &p))
        return stage_check(w, &p) ? 1 : -1;
    if (!back)
        return 0;
    w->hold |= HOLD_DONE;
    return -1;
}

/* ---- what came of them ---- */

static bool take_checking(struct worker_checks *c, unsigned slot)
{
    uint64_t *word = &c->checking[slot / 64], bit = 1ull << slot % 64;
    bool was = *word & bit;
    *word &= ~bit;
    return was;
}

static void check_read(struct worker *w, const struct io *io)
{
    struct verify *v = &w->checks->verify;
    struct verify_piece p = piece_of(io);
    p.len = (uint32_t)io->res;
    if (verify_read(v, &p, io->buf, path_of(w, io)) || !v->fatal)
        return;
    worker_tell_verify(w);
}

/* What did not arrive as a whole may stand there or not. */
static void check_write(struct worker *w, const struct io *io)
{
    struct verify *v = &w->checks->verify;
    struct verify_piece p = piece_of(io);
    uint32_t done = io->res < 0 ? 0 : (uint32_t)io->res;
    if (io->ddir == DDIR_TRIM || done < io->len) {
        p.offset += io->ddir == DDIR_TRIM ? 0 : done;
        p.len -= io->ddir == DDIR_TRIM ? 0 : done;
        verify_forget(v, &p);
    } else {
        verify_wrote(v, &p);
    }
}

void worker_checked(struct worker *w, struct io *io)
{
    struct worker_checks *c = w->checks;
    bool checking = take_checking(c, io->slot);
    if (checking && io->res <= 0)
        worker_fail_io(w, io);
    else if (!checking)
        worker_record(w, io);
    if (io->ddir == DDIR_SYNC)
        return;
    overlap_remove(&c->overlap, io->slot);
    if (!c->verifies)
        return;
    if (io->ddir != DDIR_READ)
        check_write(w, io);
    else if (io->res > 0)
        check_read(w, io);
}

/* What is wrong with the first, once: the job has failed. */
void worker_tell_verify(struct worker *w)
{
    const struct verify_count *n = &w->checks->verify.count;
    char text[ERR_TEXT];
    if (!w->checks->verifies || !n->failures)
        return;
    verify_tell(&n->first, n->path, text, sizeof(text));
    if (!w->checks->verify.fatal && tolerates(&w->plan->tolerance, DDIR_READ, EILSEQ)) {
        if (!w->tolerated.code)
            err_set(&w->tolerated, -EILSEQ, "%s", text);
        return;
    }
    worker_fail(w, -EILSEQ, "%s", text);
}

/* ---- the phase at the end ---- */

/* From the device, not from the page cache. */
static void drop_cache(struct worker *w)
{
    for (size_t t = 0; t < w->plan->ntargets; t++) {
        (void)!fdatasync(w->plan->target[t].fd);
        posix_fadvise(w->plan->target[t].fd, 0, 0, POSIX_FADV_DONTNEED);
    }
}

void worker_read_back(struct worker *w)
{
    struct worker_checks *c = w->checks;
    bool writes = c->reads_back && c->verify.writes;
    if (writes && !(w->hold & (HOLD_STOP | HOLD_FAIL | HOLD_GATE)) && !w->broken) {
        drop_cache(w);
        verify_rewind(&c->verify);
        atomic_store_explicit(&c->reading_back, true, memory_order_release);
        w->hold &= ~(unsigned)HOLD_DONE;
        worker_loop(w);
    }
    worker_tell_verify(w);
}
