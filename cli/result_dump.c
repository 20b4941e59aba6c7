/* result_dump: names and writes the files.
 * A block that is not kept (no memory) has none. */
#include "cli/result_dump.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/output.h"
#include "core/str.h"

static int write_one(const struct verify_count *n, const char *what, const void *p, struct err *err)
{
    char name[256];
    struct output out;
    const char *base = strrchr(n->path, '/');
    str_format(name, sizeof(name), "%.200s.%" PRIu64 ".%s", base ? base + 1 : n->path, n->first.offset, what);
    int rc = output_open(&out, name, false, err);
    if (rc < 0)
        return rc;
    fwrite(p, 1, n->dump->len, out.stream);
    return output_close(&out, err);
}

static int write_clone(const struct verify_count *n, struct err *err)
{
    if (!n->failures || !n->dump)
        return 0;
    int rc = write_one(n, "received", n->dump->byte, err);
    return rc == 0 && n->first.known ? write_one(n, "expected", n->dump->byte + n->dump->len, err) : rc;
}

int result_dump_write(struct run *run, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; i < run_njobs(run) && rc == 0; i++)
        for (unsigned k = 0; k < run_nclones(run, i) && rc == 0; k++) {
            struct run_job_result *res = run_result_clone(run, i, k);
            rc = res ? write_clone(&res->verify, err) : err_set(err, -ENOMEM, "no memory for verify_dump");
            run_result_free(res);
        }
    return rc;
}
