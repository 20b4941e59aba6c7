/* target_fit: what size, region and block size must be on one target. The inside of target.h, for target*.c
 * alone. */
#ifndef ENGINE_TARGET_FIT_H
#define ENGINE_TARGET_FIT_H

#include "engine/target.h"

uint64_t target_file_size(int fd); /* st_size; 0 when unknown */

/* Sets begin, end and logical_block of an open target (or of a null one) and checks the job against them. */
int target_set_region(struct target *t, const struct job *j, struct err *err);

/* target_guard.c: are they the same device or file? The guard's descriptor of a target: a peer's claim of the same
 * device, the one of targets_pass_files, or a new one. Takes all regular files of a set through the guard at once:
 * what exists has a passed_fd then. */
bool target_same(const struct target *a, const struct target *b);
int target_claim(struct target *t, const struct guard_policy *policy, const struct target_peers *peers,
                 struct err *err);
int targets_pass_files(struct targets *ts, const struct guard_policy *policy, struct err *err);

/* target_prep.c: does a job write this file without a layout? Sets space aside for one that was made. Passes on
 * write_hint. */
bool target_grows(const struct target *t, const struct job *j);
int target_reserve(const struct target *t, struct err *err);
int target_hint(const struct target *t, const struct job *j, struct err *err);

/* target_layout.c: how long other jobs of the run will have made the same file before any of them starts. */
uint64_t target_promised(const struct target *t, const struct target_peers *peers);

/* Removes a file that this run made, if its name still stands for it. */
void target_unlink(const struct target *t);

/* Have the filesystems room for all that is to be laid out? */
int targets_check_space(const struct targets *t, struct err *err);

#endif
