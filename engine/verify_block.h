/* verify_block: one interval of verified data: a header that says what it is, and what follows from it; and what
 * is wrong with one that was read. Pure: no I/O, no memory of its own, no worker.
 *
 * The data of an interval is a function of its header (the run, the offset, which write of this place it is), so
 * what should be there is known again to the byte. The header tells apart what a checksum alone cannot: data that
 * lies in the wrong place, data of an earlier write, and data that was never written. */
#ifndef ENGINE_VERIFY_BLOCK_H
#define ENGINE_VERIFY_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/data.h"

enum verify_kind {
    VERIFY_NONE,
    VERIFY_CRC32C,  /* a checksum of the whole interval */
    VERIFY_META,    /* of the header alone */
    VERIFY_PATTERN, /* no header: verify_pattern and nothing else */
};

struct verify_header { /* little-endian, as the machine is; the checksum is of all the rest */
    uint32_t magic, crc;
    uint64_t offset; /* bytes, on the target */
    uint32_t len, kind;
    uint64_t generation; /* which write of this interval by its run: 1 … */
    uint64_t run;        /* a random number for each clone of each run */
};
#define VERIFY_MAGIC 0x46567462u /* "btVF" */

struct verify_spec {
    enum verify_kind kind;
    bool any_interval; /* it was not given: a reader takes what the headers say */
    uint32_t interval; /* bytes */
    uint32_t at;       /* where in it the header stands */
    struct data_spec data;
};

enum verify_fault {
    VERIFY_GOOD,
    VERIFY_NOT_WRITTEN, /* no header: never written, or overwritten by something else */
    VERIFY_MISDIRECTED, /* whole, but of another offset */
    VERIFY_STALE,       /* whole, but of an earlier write, or of another run */
    VERIFY_TORN,        /* partly of the write before */
    VERIFY_CORRUPTED,
    VERIFY_OTHER_SIZE, /* whole, but written with another verify_interval */
};
const char *verify_fault_name(enum verify_fault f);

#define VERIFY_SHOWN 16u
struct verify_finding {
    enum verify_fault fault;
    bool known;           /* what should be there is: byte, expected and found are */
    uint64_t offset, len; /* of the interval */
    uint64_t byte;        /* the first one that differs, on the target; where nothing is known: offset */
    uint64_t differing;   /* bytes */
    uint64_t said_offset, said_generation, generation; /* as the header has them; that was expected (0: any) */
    uint32_t said_len;
    bool other_run;       /* the header is of another run, or of another clone or job of this one */
    unsigned shown;
    unsigned char expected[VERIFY_SHOWN], found[VERIFY_SHOWN]; /* from `byte` on */
};

struct verify_known {    /* of what is read */
    uint64_t run;        /* expected; 0: any */
    uint64_t generation; /* expected; 0: any */
    uint64_t last_run;   /* of the last good one: a guess where a header is damaged */
};

/* The interval at `offset` of the write number `generation`, into p. */
void verify_make(const struct verify_spec *s, uint64_t run, uint64_t generation, uint64_t offset, void *p);

/* Is the interval at p, read from `offset`, what it should be? If not, says why in ret; `scratch` is of its size
 * and then holds what was expected, where that is known. *k learns the run. */
bool verify_check(const struct verify_spec *s, struct verify_known *k, uint64_t offset, const void *p,
                  void *scratch, struct verify_finding *ret);

/* The interval that a whole header at p was written with, when it is another one and fits into n bytes; else 0. */
uint32_t verify_learn(const struct verify_spec *s, uint64_t offset, const void *p, size_t n);

void verify_hex(const unsigned char *p, unsigned n, char *dst); /* dst: 2 * n + 1 */

/* The finding as a sentence about `path`. */
void verify_tell(const struct verify_finding *f, const char *path, char *dst, size_t n);

#endif
