/* backends: the table of ways to the kernel; a new one is one more line.
 * Knows nothing of what they do. */
#include "engine/backend.h"

#include <string.h>

extern const struct backend backend_psync, backend_libaio, backend_io_uring, backend_null;

const struct backend *const backends[] = {
    &backend_psync,
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
