/* target_fit: what size, region and block size must be on one target. The inside of target.h, for target*.c alone. */
#ifndef ENGINE_TARGET_FIT_H
#define ENGINE_TARGET_FIT_H

#include "engine/target.h"

uint64_t target_file_size(int fd); /* st_size; 0 when unknown */

/* Sets begin, end and logical_block of an open target (or of a null one) and checks the job against them. */
int target_set_region(struct target *t, const struct job *j, struct err *err);

/* Removes a file that this run made, if its name still stands for it. */
void target_unlink(const struct target *t);

/* Has the filesystem room for [layout_from, end)? */
int target_check_space(const struct target *t, struct err *err);

#endif
