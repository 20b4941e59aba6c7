/* job_given: fio's words that are taken without doing anything, each with what that means.
 * A value that would have to do something is refused with the same sentence. */
#include "engine/job_given.h"

#include <errno.h>
#include <string.h>

#include "core/str.h"

#define LATENCY "latency stays on: it costs no clock read of its own"

static const struct given {
    const char *word;
    const char *natural; /* values that say what is so; "" = any */
    const char *noted;   /* values that change nothing, which is said; NULL = none */
    const char *why;
} given[] = {
    {"thread", "1", "0", "thread: clones are threads here, not processes"},
    {"gtod_reduce", "0", "1", "gtod_reduce: " LATENCY},
    {"disable_lat", "0", "1", "disable_lat: " LATENCY},
    {"disable_clat", "0", "1", "disable_clat: " LATENCY},
    {"disable_slat", "0", "1", "disable_slat: changes nothing; submission is not timed for each request"},
    {"disable_bw_measurement", "0", "1", "disable_bw_measurement: changes nothing; rates are read from outside the loop"},
    {"disable_bw", "0", "1", "disable_bw: changes nothing; rates are read from outside the loop"},
    {"clocksource", "clock_gettime", "cpu|gettimeofday", "clocksource: the kernel's clock is read, once a batch"},
    {"create_serialize", "1", "0", "create_serialize: files are laid out one after the other"},
    {"create_on_open", "0", NULL, "files are laid out before the run"},
    {"allow_mounted_write", "0", NULL, "name what may be written: --allow-write=PATH; what is mounted never is"},
    {"unit_base", "8|0", NULL, "results are in bytes"},
    {"lockfile", "none", NULL, "files are not locked"},
    {"nonvectored", "1", NULL, "a request names one buffer"},
    {"userspace_reap", "1", NULL, "the completion ring is read without a system call"},
    {"userspace_libaio_reap", "1", NULL, "the completion ring is read without a system call"},
    {"softrandommap", "0|1", NULL, "no order needs a map"},
    {"verify_async", "0", NULL, "a checksum is faster than to hand the block to another thread"},
    {"verify_state_save", "0", NULL, "what was written says itself what it is: verify_only needs no state"},
    {"verify_state_load", "0", NULL, "what was written says itself what it is: verify_only needs no state"},
    {"experimental_verify", "0", NULL, "there is one way to verify"},
    {"trim_percentage", "0", NULL, "trimmed blocks are not verified"},
    {"trim_verify_zero", "0", NULL, "trimmed blocks are not verified"},
    {"unique_filename", "", NULL, "it is of runs over the network"},
    {"max-jobs", "", NULL, "there is room for all"},
    {"warnings-fatal", "", NULL, "what is not understood is always refused"},
    {"eta", "auto", "never|always", "eta: the progress line is written to a terminal only"},
};
#define NGIVEN (sizeof(given) / sizeof(given[0]))
_Static_assert(NGIVEN <= 64, "struct job's `given` has a bit for each");

static bool is_one_of(const char *value, const char *words)
{
    size_t n = strlen(value);
    for (; words && *words; words += strspn(words, "|")) {
        size_t len = strcspn(words, "|");
        if (len == n && !strncmp(words, value, n))
            return true;
        words += len;
    }
    return false;
}

int job_given(struct job *j, const char *word, const char *value, struct err *err)
{
    const char *v = value ? value : "1";
    for (size_t i = 0; i < NGIVEN; i++) {
        const struct given *g = &given[i];
        if (strcmp(g->word, word))
            continue;
        if (!*g->natural || is_one_of(v, g->natural)) {
            j->given &= ~(1ull << i);
            return 0;
        }
        if (!is_one_of(v, g->noted)) {
            const char *second = strchr(g->natural, '|');
            return err_set(err, -EINVAL, "%s=%s: must be %.*s%s%s; %s", word, v, (int)strcspn(g->natural, "|"),
                           g->natural, second ? " or " : "", second ? second + 1 : "", g->why);
        }
        j->given |= 1ull << i;
        return 0;
    }
    return -EAGAIN;
}

const char *job_given_note(const struct job *j, size_t i)
{
    for (size_t w = 0; w < NGIVEN; w++)
        if ((j->given & 1ull << w) && i-- == 0)
            return given[w].why;
    return NULL;
}
