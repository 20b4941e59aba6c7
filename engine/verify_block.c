/* verify_block: makes intervals and finds out what is wrong with one.
 * That one is good costs a checksum; only what is not is made again to compare. */
#include "engine/verify_block.h"

#include <inttypes.h>
#include <string.h>

#include "core/str.h"
#include "engine/crc32c.h"

#define SECTOR 512u
#define GUESSES 8u /* generations tried where a header is damaged */

static const char *const names[] = {
    [VERIFY_GOOD] = "good",
    [VERIFY_NOT_WRITTEN] = "not written",
    [VERIFY_MISDIRECTED] = "misdirected",
    [VERIFY_STALE] = "stale",
    [VERIFY_TORN] = "torn",
    [VERIFY_CORRUPTED] = "corrupted",
    [VERIFY_OTHER_SIZE] = "other verify_interval",
};

const char *verify_fault_name(enum verify_fault f)
{
    return names[f];
}

/* ---- making ---- */

/* Of the interval, or of the header alone, without the word that holds it. */
static uint32_t checksum(const struct verify_spec *s, const unsigned char *p, size_t len)
{
    const unsigned char *h = p + s->at;
    size_t word = offsetof(struct verify_header, crc), behind = word + sizeof(uint32_t);
    if (s->kind == VERIFY_META)
        return crc32c(crc32c(0, h, word), h + behind, sizeof(struct verify_header) - behind);
    return crc32c(crc32c(0, p, s->at + word), h + behind, len - s->at - behind);
}

static uint64_t seed_of(uint64_t run, uint64_t generation, uint64_t offset)
{
    return rng_mix(run ^ rng_mix(offset + 1)) + generation;
}

void verify_make(const struct verify_spec *s, uint64_t run, uint64_t generation, uint64_t offset, void *p)
{
    unsigned char *b = p;
    data_fill(&s->data, seed_of(run, generation, offset), offset, p, s->interval);
    if (s->kind == VERIFY_PATTERN)
        return;
    struct verify_header h = {VERIFY_MAGIC, 0, offset, s->interval, s->kind, generation, run};
    memcpy(b + s->at, &h, sizeof(h));
    h.crc = checksum(s, p, s->interval);
    memcpy(b + s->at, &h, sizeof(h));
}

/* ---- finding out ---- */

static struct verify_header header_of(const struct verify_spec *s, const void *p)
{
    struct verify_header h;
    memcpy(&h, (const unsigned char *)p + s->at, sizeof(h));
    return h;
}

static size_t count_differing(const unsigned char *a, const unsigned char *b, size_t n, size_t *ret_first)
{
    size_t k = 0;
    *ret_first = n;
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) {
            *ret_first = k ? *ret_first : i;
            k++;
        }
    return k;
}

struct guess { /* what may have been meant to stand there */
    uint64_t run, generation;
    size_t differing, first;
};

static void consider(const struct verify_spec *s, uint64_t run, uint64_t generation, uint64_t offset,
                     const unsigned char *p, unsigned char *scratch, struct guess *best)
{
    struct guess g = {run, generation, 0, 0};
    verify_make(s, run, generation, offset, scratch);
    g.differing = count_differing(scratch, p, s->interval, &g.first);
    if (g.differing < best->differing)
        *best = g;
}

/* The header is damaged, or the data is: the fields that are right explain most of it. */
static struct guess guess(const struct verify_spec *s, const struct verify_known *k, uint64_t offset,
                          const unsigned char *p, unsigned char *scratch)
{
    struct verify_header h = header_of(s, p);
    struct guess best = {.differing = SIZE_MAX};
    uint64_t runs[2] = {k->run ? k->run : h.run, k->last_run};
    if (k->generation) {
        consider(s, k->run, k->generation, offset, p, scratch, &best);
        return best;
    }
    for (int r = 0; r < 2; r++) {
        consider(s, runs[r], h.generation, offset, p, scratch, &best);
        for (uint64_t g = 1; g <= GUESSES; g++)
            consider(s, runs[r], g, offset, p, scratch, &best);
    }
    return best;
}

/* Is one part of it, up to a sector, of this write and the other of the one before? `scratch` holds this one. */
static bool is_torn(const struct verify_spec *s, const struct guess *g, uint64_t offset, const unsigned char *p,
                    const unsigned char *scratch)
{
    unsigned char old[65536];
    size_t n = s->interval, cut = 0, first;
    if (g->generation < 2 || n > sizeof(old) || n < 2 * SECTOR)
        return false;
    verify_make(s, g->run, g->generation - 1, offset, old);
    if (g->first >= SECTOR) {
        cut = g->first / SECTOR * SECTOR;
        return !memcmp(p + cut, old + cut, n - cut);
    }
    count_differing(p, old, n, &first);
    cut = first / SECTOR * SECTOR;
    return cut && cut < n && !memcmp(p + cut, scratch + cut, n - cut);
}

static void show(struct verify_finding *f, const unsigned char *p, const unsigned char *expected, size_t from,
                 size_t n)
{
    f->known = true;
    f->byte = f->offset + from;
    f->shown = (unsigned)(n - from < VERIFY_SHOWN ? n - from : VERIFY_SHOWN);
    memcpy(f->expected, expected + from, f->shown);
    memcpy(f->found, p + from, f->shown);
}

/* It does not add up. */
static enum verify_fault explain(const struct verify_spec *s, const struct verify_known *k, const unsigned char *p,
                                 unsigned char *scratch, struct verify_finding *f)
{
    struct verify_header h = header_of(s, p);
    struct guess g = guess(s, k, f->offset, p, scratch);
    bool ours = h.magic == VERIFY_MAGIC || (h.offset == f->offset && h.len == s->interval);
    f->differing = g.differing;
    if (!k->generation && !ours)
        return VERIFY_NOT_WRITTEN;
    verify_make(s, g.run, g.generation, f->offset, scratch);
    bool alike = header_of(s, scratch).crc == h.crc; /* then only the length is damaged */
    if (h.magic == VERIFY_MAGIC && h.offset == f->offset && h.len != s->interval && !alike)
        return VERIFY_OTHER_SIZE;
    if (!k->generation && g.differing > s->interval / 2 && !s->data.plain)
        return VERIFY_CORRUPTED; /* more than can be guessed from */
    show(f, p, scratch, g.first, s->interval);
    f->generation = g.generation;
    if (is_torn(s, &g, f->offset, p, scratch))
        return VERIFY_TORN;
    return ours || g.differing < s->interval / 2 ? VERIFY_CORRUPTED : VERIFY_NOT_WRITTEN;
}

/* It is whole; is it what belongs here? */
static enum verify_fault place(const struct verify_spec *s, const struct verify_known *k,
                               const struct verify_header *h, uint64_t offset)
{
    if (h->len != s->interval)
        return VERIFY_OTHER_SIZE;
    if (h->offset != offset)
        return VERIFY_MISDIRECTED;
    if ((k->run && h->run != k->run) || (k->generation && h->generation != k->generation))
        return VERIFY_STALE;
    return VERIFY_GOOD;
}

static bool check_pattern(const struct verify_spec *s, const unsigned char *p, unsigned char *scratch,
                          struct verify_finding *f)
{
    size_t first;
    verify_make(s, 0, 0, f->offset, scratch);
    if (!memcmp(p, scratch, s->interval))
        return true;
    f->fault = VERIFY_CORRUPTED;
    f->differing = count_differing(scratch, p, s->interval, &first);
    show(f, p, scratch, first, s->interval);
    return false;
}

bool verify_check(const struct verify_spec *s, struct verify_known *k, uint64_t offset, const void *p,
                  void *scratch, struct verify_finding *ret)
{
    struct verify_finding f = {.offset = offset, .len = s->interval, .byte = offset, .generation = k->generation};
    if (s->kind == VERIFY_PATTERN) {
        bool good = check_pattern(s, p, scratch, &f);
        if (!good)
            *ret = f;
        return good;
    }
    struct verify_header h = header_of(s, p);
    bool whole = h.magic == VERIFY_MAGIC && h.crc == checksum(s, p, s->interval);
    f.fault = whole ? place(s, k, &h, offset) : explain(s, k, p, scratch, &f);
    if (f.fault == VERIFY_GOOD) {
        k->last_run = h.run;
        return true;
    }
    f.said_offset = h.offset;
    f.said_generation = h.generation;
    f.said_len = h.len;
    f.other_run = k->run && h.run != k->run;
    if (whole && k->generation) {
        size_t first;
        verify_make(s, k->run, k->generation, offset, scratch);
        f.differing = count_differing(scratch, p, s->interval, &first);
        show(&f, p, scratch, first < s->interval ? first : 0, s->interval);
    }
    *ret = f;
    return false;
}

uint32_t verify_learn(const struct verify_spec *s, uint64_t offset, const void *p, size_t n)
{
    struct verify_header h = header_of(s, p);
    bool other = h.magic == VERIFY_MAGIC && h.offset == offset && h.len != s->interval && h.len <= n &&
                 h.len >= s->at + sizeof(h);
    return other && h.crc == checksum(s, p, h.len) ? h.len : 0;
}

/* ---- telling ---- */

void verify_hex(const unsigned char *p, unsigned n, char *dst)
{
    static const char digit[] = "0123456789abcdef";
    for (unsigned i = 0; i < n; i++) {
        *dst++ = digit[p[i] >> 4];
        *dst++ = digit[p[i] & 15];
    }
    *dst = '\0';
}

static void tell_why(const struct verify_finding *f, char *dst, size_t n)
{
    switch (f->fault) {
    case VERIFY_NOT_WRITTEN:
        str_copy(dst, n, "not written: there is no header of a verified write");
        break;
    case VERIFY_MISDIRECTED:
        str_format(dst, n, "misdirected: it was written for offset %" PRIu64, f->said_offset);
        break;
    case VERIFY_STALE:
        if (f->other_run)
            str_copy(dst, n, "stale: it was not written by this clone but by an earlier run, or by somebody else");
        else
            str_format(dst, n, "stale: it is write %" PRIu64 " of this place, the last was write %" PRIu64,
                       f->said_generation, f->generation);
        break;
    case VERIFY_OTHER_SIZE:
        str_format(dst, n, "it was written with verify_interval=%u: give that, and a bs that is a multiple",
                   f->said_len);
        break;
    default:
        str_copy(dst, n, names[f->fault]);
        break;
    }
}

void verify_tell(const struct verify_finding *f, const char *path, char *dst, size_t n)
{
    char why[160], bytes[160] = "", expected[2 * VERIFY_SHOWN + 1], found[2 * VERIFY_SHOWN + 1];
    tell_why(f, why, sizeof(why));
    if (f->known) {
        verify_hex(f->expected, f->shown, expected);
        verify_hex(f->found, f->shown, found);
        str_format(bytes, sizeof(bytes), "; expected %s, found %s, %" PRIu64 " bytes differ", expected, found,
                   f->differing);
    }
    str_format(dst, n, "verify of %.180s, byte %" PRIu64 " (block of %" PRIu64 " at %" PRIu64 "): %s%s", path,
               f->byte, f->len, f->offset, why, bytes);
}
