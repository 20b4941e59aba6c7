/* data: what is written: random, pattern or zeros, so much of it compressible, so many blocks of it repeated.
 * Does no I/O and owns no memory; buffer.h has that.
 *
 * How, from cheap to dear:
 *   shared     all writes take windows of one area that was filled once (buffer.h)
 *   scrambled  each request has memory of its own, filled once; each write puts another word into each 512
 *              bytes, so that no two blocks are alike (fio's default)
 *   made       each write is made anew from a seed: the same seed is the same data, so a duplicate needs no
 *              memory */
#ifndef ENGINE_DATA_H
#define ENGINE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "engine/filler.h"
#include "engine/job_content.h"
#include "engine/rng.h"

enum data_how { DATA_SHARED, DATA_SCRAMBLED, DATA_MADE };
enum data_dedupe { DATA_REPEAT, DATA_WORKING_SET };

struct data_spec {
    enum data_how how;
    bool plain;            /* no random byte: zeros or the pattern alone */
    bool once;             /* shared and plain: one window */
    unsigned compress_pct; /* of each chunk only so much is random, the rest is the pattern; 0: all is random */
    uint64_t chunk;        /* UINT64_MAX: a block */
    unsigned dedupe_pct;
    enum data_dedupe dedupe;
    uint64_t set_blocks; /* blocks of the working set */
    struct filler filler;
};

/* From the words of a job. `blocks`: what its targets have, for the working set. 0 or -errno with a sentence. */
int data_plan(const struct job_content *j, uint64_t blocks, struct data_spec *ret, struct err *err);

/* Random bytes of each chunk for which zlib makes a block of bs bytes smaller by pct percent. */
uint64_t data_random_bytes(uint64_t bs, uint64_t chunk, unsigned pct);

/* The data of a seed: always the same. */
void data_fill(const struct data_spec *s, uint64_t seed, uint64_t offset, void *p, size_t n);

struct data {        /* of one worker: which data comes next */
    uint64_t seed;   /* its own: no two workers write the same */
    uint64_t unique; /* different blocks so far */
    uint64_t last;   /* the newest of them */
    unsigned due;    /* hundredths of a duplicate that are owed */
    struct rng rng;
};

void data_init(struct data *d, uint64_t seed);

/* Data for the next write, into its own memory p, which was filled by the same spec before, or is zero; `room` is
 * the whole of that memory. Not for DATA_SHARED. */
void data_next(struct data *d, const struct data_spec *s, uint64_t offset, void *p, size_t n, size_t room);

#endif
