/* psync: one request at a time, done while submit waits: the lowest cost where depth 1 is enough.
 * Keeps nothing in flight. */
#include <errno.h>
#include <stdlib.h>

#include "engine/backends/blocking.h"

struct psync {
    struct io *done; /* finished, not yet collected */
};

static int psync_open(const struct backend_config *cfg, void **ret_state, struct err *err)
{
    struct psync *s = calloc(1, sizeof(*s));
    if (!s)
        return err_set(err, -ENOMEM, "psync: no memory");
    *ret_state = s;
    return 0;
}

static int psync_submit(void *state, struct io *const *ios, unsigned n)
{
    struct psync *s = state;
    if (!n || s->done)
        return 0;
    ios[0]->res = blocking_do(ios[0]);
    s->done = ios[0];
    return 1;
}

/* Nothing is ever in flight here: what is not finished now will not be after a wait. */
static int psync_reap(void *state, struct io **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
    struct psync *s = state;
    if (!max || !s->done)
        return 0;
    done[0] = s->done;
    s->done = NULL;
    return 1;
}

extern const struct backend backend_psync;
const struct backend backend_psync = {
    .name = "psync",
    .blurb = "pread and pwrite, one request at a time",
    .sync = true,
    .open = psync_open,
    .submit = psync_submit,
    .reap = psync_reap,
    .close = free,
};
