/* blocking: requests done in place, in the thread that asks: what every kernel can do, for the backends that
 * have no better way for it. Keeps no state. */
#ifndef ENGINE_BACKENDS_BLOCKING_H
#define ENGINE_BACKENDS_BLOCKING_H

#include <stdint.h>

#include "engine/backend.h"

/* Each does the request and returns bytes done (a sync: 0) or -errno: the res of the request. */
int32_t blocking_read(const struct io *io);
int32_t blocking_write(const struct io *io);
int32_t blocking_trim(const struct io *io); /* block device: discard; file: a hole, its size unchanged */
int32_t blocking_sync(const struct io *io);

int32_t blocking_do(const struct io *io); /* the one of the four that io->ddir names */

#endif
