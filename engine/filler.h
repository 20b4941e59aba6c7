/* filler: a pattern of bytes as fio spells it, repeated over memory: 0xdeadbeef, -12, "abcd", 'file', %o, and any
 * of them after each other. Knows no job. */
#ifndef ENGINE_FILLER_H
#define ENGINE_FILLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

#define FILLER_MAX 512u /* bytes, as in fio; of a longer file the beginning */
#define FILLER_OFFSETS 16u

struct filler {
    unsigned char byte[FILLER_MAX];
    unsigned len;      /* 0: no pattern, zeros */
    unsigned noffsets; /* places that take the offset of the block (8 bytes, little-endian) */
    uint16_t at[FILLER_OFFSETS];
};

/* "0x…" is bytes in hex, the first one first; a decimal number its bytes, lowest first, as few as hold it;
 * "text"; 'name of a file'; %o, where `offsets` says so. `option` begins the sentence. 0 or -errno. */
int filler_parse(const char *option, const char *text, bool offsets, struct filler *ret, struct err *err);

/* n bytes at p; the pattern begins at p. */
void filler_fill(const struct filler *f, void *p, size_t n, uint64_t offset);

#endif
