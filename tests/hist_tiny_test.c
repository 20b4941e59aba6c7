/* The properties of hist_test.c over a histogram of four buckets an octave, where edges happen all the time.
 * Defines all of hist.c here, so the library's own copy is not linked. */
#define HIST_BITS 2
#include "core/hist.c"

#include "tests/hist_test.c"
