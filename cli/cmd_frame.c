/* cmd_frame: `benchtop frame`: the machine between two readings, as one JSON document.
 * Makes no load. */
#include <errno.h>

#include "cli/cmd.h"
#include "cli/machine.h"
#include "cli/output.h"
#include "results/frame_json.h"

static int write_frame(const struct frame *f, struct output *out, struct err *err)
{
    int rc = output_json(out, frame_json(f), 2, err);
    return rc < 0 ? rc : output_close(out, err);
}

int cmd_frame(const struct args *a)
{
    struct output out;
    struct frame *f = NULL;
    struct err err = {0};
    if (a->words.n) {
        err_set(&err, -EINVAL, "frame takes no word: %s", a->words.word[0]);
        return complain(&err, EXIT_REFUSED);
    }
    if (output_open(&out, a->output, false, &err) < 0)
        return complain(&err, EXIT_REFUSED);
    if (machine_read_twice(a, &f, &err) < 0) {
        output_drop(&out);
        return complain(&err, EXIT_REFUSED);
    }
    int rc = write_frame(f, &out, &err);
    frame_unref(f);
    return rc < 0 ? complain(&err, EXIT_FAILED) : EXIT_DONE;
}
