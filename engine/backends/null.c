/* null: requests that are done at once, to measure the engine itself; with a script, requests that take exactly
 * the time it says. Touches no device. */
#include <errno.h>
#include <stdlib.h>

#include "engine/backend.h"

struct null {
    struct backend_config cfg;
    uint64_t served; /* requests taken so far: the place in the script */
    unsigned n;
    struct flight {
        struct io *io;
        uint64_t due_ns; /* 0 without a script: done already */
    } flight[];
};

static int null_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    struct null *s = calloc(1, sizeof(*s) + cfg->depth * sizeof(s->flight[0]));
    if (!s)
        return err_set(err, -ENOMEM, "null: no memory for %u requests", cfg->depth);
    s->cfg = *cfg;
    *ret_state = s;
    return 0;
}

static uint64_t due(struct null *s, uint64_t now_ns)
{
    return s->cfg.nscript ? now_ns + s->cfg.script_ns[s->served++ % s->cfg.nscript] : 0;
}

static int null_submit(void *state, struct io *const *ios, unsigned n)
{
    struct null *s = state;
    uint64_t now = s->cfg.nscript ? clock_mono_ns(s->cfg.clock) : 0;
    unsigned taken = 0;
    while (taken < n && s->n < s->cfg.depth) {
        struct io *io = ios[taken++];
        io->res = io->ddir == DDIR_SYNC ? 0 : (int32_t)io->len;
        s->flight[s->n++] = (struct flight){io, due(s, now)};
    }
    return (int)taken;
}

static unsigned earliest(const struct null *s)
{
    unsigned best = 0;
    for (unsigned i = 1; i < s->n; i++)
        if (s->flight[i].due_ns < s->flight[best].due_ns)
            best = i;
    return best;
}

static void wait_until(struct null *s, uint64_t t_ns)
{
    if (!s->cfg.clock)
        clock_sleep_until(t_ns);
    else if (t_ns > s->cfg.clock->mono_ns)
        clock_advance(s->cfg.clock, t_ns - s->cfg.clock->mono_ns);
}

/* In the order they finish; those of one instant in the order they came. */
static int reap_scripted(struct null *s, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
    uint64_t deadline = clock_mono_ns(s->cfg.clock) + timeout_ns;
    unsigned got = 0;
    while (got < max && s->n) {
        unsigned i = earliest(s);
        uint64_t due_ns = s->flight[i].due_ns;
        if (got < min)
            wait_until(s, due_ns < deadline ? due_ns : deadline);
        if (clock_mono_ns(s->cfg.clock) < due_ns)
            break;
        done[got++] = s->flight[i].io;
        s->n--;
        for (; i < s->n; i++)
            s->flight[i] = s->flight[i + 1];
    }
    if (got < min && !s->n)
        wait_until(s, deadline);
    return (int)got;
}

static int null_reap(void *state, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
    struct null *s = state;
    if (s->cfg.nscript)
        return reap_scripted(s, done, min, max, timeout_ns);
    unsigned got = 0;
    while (got < max && s->n)
        done[got++] = s->flight[--s->n].io;
    return (int)got;
}

extern const struct backend backend_null;
const struct backend backend_null = {
    .name = "null",
    .blurb = "does nothing, at once: what the engine itself costs",
    .open = null_open,
    .submit = null_submit,
    .reap = null_reap,
    .close = free,
};
