/* job_tune: what holds between the fields of a job, its retunes and the steps of its knobs.
 * Knows no device: alignment and size against a target are target.c's. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/str.h"
#include "core/units.h"
#include "engine/backend.h"
#include "engine/job.h"
#include "engine/target_names.h"
#include "engine/data.h"
#include "engine/job_engine.h"
#include "engine/seat.h"
#include "engine/job_pattern.h"
#include "engine/verify.h"
#include "engine/job_value.h"

static int check_region(const struct job *j, struct err *err)
{
    char size[UNITS_TEXT], bs[UNITS_TEXT], offset[UNITS_TEXT];
    units_exact_bytes(j->size.bytes, size);
    struct pattern_spec s;
    int rc = job_pattern(j, &s, err);
    if (rc < 0)
        return rc;
    units_exact_bytes(pattern_needs(&s), bs);
    units_exact_bytes(j->offset.bytes, offset);
    if (j->size.bytes && j->size.bytes < pattern_needs(&s))
        return err_set(err, -EINVAL, "size=%s: must be at least one block, bs=%s", size, bs);
    if (j->size.bytes > INT64_MAX - j->offset.bytes)
        return err_set(err, -EINVAL, "offset=%s: with size=%s beyond the largest file", offset, size);
    return 0;
}

static int check_files(const struct job *j, struct err *err)
{
    size_t files = target_names_count(j);
    bool named = job_is_set(j, "name"); /* as fio wants it of a job whose files it names */
    bool made = *j->directory || j->prep.fill || *j->opendir || (named && (j->size.bytes || j->filesize[0]));
    if (!*j->filename && !made && strcmp(j->ioengine, "null") && *j->name != '/')
        return err_set(err, -EINVAL, "filename: missing; name a file or a block device, like filename=/dev/sdX");
    if (*j->opendir && (*j->filename || *j->directory))
        return err_set(err, -EINVAL, "opendir=%s: names the files itself; leave filename and directory out",
                       j->opendir);
    if (j->prep.append && !j->size.bytes && !j->filesize[0])
        return err_set(err, -EINVAL, "file_append=1: needs a size, like size=1g: how much to append");
    if (j->prep.fill && (j->rw != JOB_WRITE || j->size.bytes || j->size.pct || j->filesize[0]))
        return err_set(err, -EINVAL,
                       "fill_device=1: writes in order until the filesystem is full: rw=write, without size");
    if (j->openfiles && files && j->openfiles < files)
        return err_set(err, -EINVAL, "openfiles=%u: all %zu files stay open; leave it out, or lower nrfiles",
                       j->openfiles, files);
    return 0;
}

static bool limits(const uint64_t rate[DDIRS])
{
    return rate[DDIR_READ] || rate[DDIR_WRITE] || rate[DDIR_TRIM];
}

static int check_steady(const struct job *j, struct err *err)
{
    char text[64], dur[64];
    job_get_named(j, "steadystate", text, sizeof(text));
    job_get_named(j, "steadystate_duration", dur, sizeof(dur));
    if (j->steady.what == JOB_STEADY_NONE ? j->steady.dur_ns || j->steady.ramp_ns : j->steady.dur_ns < NSEC_PER_SEC)
        return err_set(err, -EINVAL, "steadystate=%s: must be given with a window of at least a second (ss_dur=%s), like "
                       "steadystate=iops:2%% ss_dur=30s", text, dur);
    return 0;
}

static int check_time(const struct job *j, struct err *err)
{
    char rate[64], iops[64];
    if (j->time_based && !j->runtime_ns)
        return err_set(err, -EINVAL, "time_based=1: needs a runtime, like runtime=30s");
    int rc = check_steady(j, err);
    if (rc < 0)
        return rc;
    if (limits(j->rate) && limits(j->rate_iops)) {
        job_get_named(j, "rate", rate, sizeof(rate));
        job_get_named(j, "rate_iops", iops, sizeof(iops));
        return err_set(err, -EINVAL, "rate=%s: give rate or rate_iops, not both (rate_iops=%s)", rate, iops);
    }
    return 0;
}

static int check_write(const struct job *j, struct err *err)
{
    char rw[64];
    job_get_named(j, "rw", rw, sizeof(rw));
    if (j->readonly && job_writes(j))
        return err_set(err, -EINVAL, "rw=%s: readonly=1 allows only read and randread", rw);
    return 0;
}

static int check_seat(const struct job *j, struct err *err)
{
    struct seat p;
    struct err e = {0};
    int rc = seat_of(j, 0, &p, &e);
    if (rc < 0)
        return err_set(err, rc, "%s", e.text);
    seat_fini(&p);
    return 0;
}

/* To read into, and to write from unless all writes share that. */
static unsigned buffers_each(const struct job *j, const struct pattern_spec *s)
{
    struct data_spec data;
    bool shared = data_plan(&j->content, 1, &data, NULL) < 0 || (data.how == DATA_SHARED && !verify_on(j));
    bool read = strcmp(j->ioengine, "null") && (job_reads(j) || verify_on(j)); /* null touches none */
    return read + (pattern_writes(s->rw) && !shared);
}

/* Each request in flight has buffers of its own; beyond all memory the machine would kill at random. */
static int check_memory(const struct job *j, const struct backend *be, struct err *err)
{
    char bs[UNITS_TEXT], need[UNITS_TEXT], have[UNITS_TEXT];
    struct pattern_spec s;
    if (job_pattern(j, &s, err) < 0)
        return -EINVAL;
    uint32_t most = pattern_largest(&s);
    double bytes = (double)j->numjobs * (be->sync ? 1 : j->iodepth) * (double)most * buffers_each(j, &s);
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (memory <= 0 || bytes <= memory)
        return 0;
    units_exact_bytes(most, bs);
    units_human_bytes(bytes, need);
    units_human_bytes(memory, have);
    return err_set(err, -EINVAL,
                   "iodepth=%u: with numjobs=%u and bs=%s needs %s of buffers, the machine has %s of memory: lower one "
                   "of the three", j->iodepth, j->numjobs, bs, need, have);
}

int job_check(struct job *j, char *note, size_t note_n, struct err *err)
{
    const struct backend *be;
    if (note && note_n)
        *note = '\0';
    int rc = job_find_engine(j, &be, err);
    if (rc < 0)
        return rc;
    if ((rc = job_check_engine(j, be, err)) < 0)
        return rc;
    if ((rc = check_files(j, err)) < 0 || (rc = check_region(j, err)) < 0 || (rc = check_time(j, err)) < 0 ||
        (rc = check_write(j, err)) < 0 || (rc = check_seat(j, err)) < 0 ||
        (rc = verify_check_job(j, err)) < 0 || (rc = check_memory(j, be, err)) < 0)
        return rc;
    if (be->sync && j->iodepth > 1) {
        if (note && note_n)
            str_format(note, note_n, "iodepth=%u: %s is synchronous and runs at 1; raise numjobs instead",
                       j->iodepth, be->name);
        j->iodepth = 1;
    }
    return 0;
}

/* What goes before a word would hide its new value. */
static void uncover(struct job *j, const struct job_field *f)
{
    if (f && (!strcmp(f->name, "bs") || !strcmp(f->name, "bsrange")))
        *j->bssplit = '\0';
    if (f && !strcmp(f->name, "bs"))
        *j->bsrange = '\0';
}

static int retune_word(struct job *j, char *word, struct err *err)
{
    char *value = strchr(word, '=');
    if (value)
        *value++ = '\0';
    const struct job_field *f = job_field_find(word);
    if (f && !f->live)
        return err_set(err, -EINVAL, "%s: cannot change while the job runs", word);
    uncover(j, f);
    return job_set(j, word, value, err);
}

int job_retune_note(const struct job *old, const char *words, struct job *ret, char *note, size_t note_n,
                    struct err *err)
{
    struct job j = *old;
    char word[512];
    size_t n = 0;
    int rc;
    while (str_next_word(&words, word, sizeof(word))) {
        n++;
        if ((rc = retune_word(&j, word, err)) < 0)
            return rc;
    }
    if (!n)
        return err_set(err, -EINVAL, "a change needs words, like iodepth=16");
    if ((rc = job_check(&j, note, note_n, err)) < 0)
        return rc;
    *ret = j;
    return 0;
}

int job_retune(const struct job *old, const char *words, struct job *ret, struct err *err)
{
    return job_retune_note(old, words, ret, NULL, 0, err);
}

void job_diff(const struct job *old, const struct job *new_job, char *dst, size_t n)
{
    const struct job_field *f;
    size_t len = 0;
    *dst = '\0';
    for (size_t i = 0; (f = job_field(i)) && len < n; i++) {
        char a[JOB_PATH], b[JOB_PATH];
        job_get(old, f, a, sizeof(a));
        job_get(new_job, f, b, sizeof(b));
        if (!strcmp(a, b))
            continue;
        len += (size_t)snprintf(dst + len, n - len, "%s%s %.64s → %.64s", len ? ", " : "", f->name, a, b);
    }
}

/* The next value of a knob; false = it stands at the end. */
static bool step_double(uint64_t v, int dir, uint64_t min, uint64_t max, uint64_t *ret)
{
    uint64_t p = 1;
    while (p < v)
        p *= 2; /* smallest power of two >= v */
    uint64_t next = dir < 0 ? p / 2 : p > v ? p : p * 2;
    if (next < min || next > max)
        return false;
    *ret = next;
    return true;
}

#define RATE_TOP 1000000ull /* the step above it is "unlimited" */

static bool step_rate(uint64_t v, int dir, uint64_t *ret)
{
    static const unsigned lead[] = {1, 2, 5};
    uint64_t below = 0, above = 0;
    for (uint64_t scale = 1; scale <= RATE_TOP; scale *= 10)
        for (size_t i = 0; i < 3 && lead[i] * scale <= RATE_TOP; i++) {
            uint64_t s = lead[i] * scale;
            if (v == 0 || s < v)
                below = s;
            else if (s > v && !above)
                above = s;
        }
    if (dir < 0 ? !below : v == 0)
        return false;
    *ret = dir < 0 ? below : above; /* nothing above: 0, unlimited */
    return true;
}

static bool step_plain(uint64_t v, int dir, uint64_t by, uint64_t min, uint64_t max, uint64_t *ret)
{
    if (dir < 0 ? v <= min : v >= max)
        return false;
    uint64_t next = dir < 0 ? (v - min < by ? min : v - by) : v + by;
    *ret = next > max ? max : next;
    return true;
}

static bool step_value(const struct job *j, const char *name, int dir, uint64_t *ret)
{
    const struct job_field *f = job_field_find(name);
    const struct backend *be = backend_find(j->ioengine);
    if (!f)
        return false;
    if (!strcmp(f->name, "iodepth"))
        return !(be && be->sync) && step_double(j->iodepth, dir, f->min, f->max, ret);
    if (!strcmp(f->name, "bs"))
        return step_double(job_bs(j), dir, f->min, f->max, ret);
    if (!strcmp(f->name, "rwmixread"))
        return (j->rw == JOB_RW || j->rw == JOB_RANDRW) && step_plain(j->rwmixread, dir, 5, 0, 100, ret);
    if (!strcmp(f->name, "numjobs"))
        return step_plain(j->numjobs, dir, 1, f->min, f->max, ret);
    if (!strcmp(f->name, "rate_iops"))
        return step_rate(j->rate_iops[job_ddir(j)], dir, ret);
    return false;
}

bool job_step(const struct job *j, const char *name, int dir, char *dst, size_t n)
{
    uint64_t v = 0;
    char text[UNITS_TEXT];
    if (!step_value(j, name, dir, &v))
        return false;
    if (!strcmp(name, "bs"))
        job_bytes_text(j, v, text);
    else
        snprintf(text, sizeof(text), "%llu", (unsigned long long)v);
    /* A limit in bytes gives way to the one in requests: they exclude each other. */
    const char *also = limits(j->rate) && v && !strcmp(name, "rate_iops") ? " rate=0" : "";
    return str_format(dst, n, "%s=%s%s", name, text, also);
}

int job_parse_at(const char *text, uint64_t *ret_at_ns, char *words, size_t n, struct err *err)
{
    char when[64];
    const char *p = text;
    uint64_t at;
    if (!str_next_word(&p, when, sizeof(when)) || units_parse_time_ns(when, &at, NULL) < 0)
        return err_set(err, -EINVAL, "at=%s: must be a time and words, like \"2s iodepth=32\"", text);
    while (*p == ' ' || *p == '\t')
        p++;
    if (!*p)
        return err_set(err, -EINVAL, "at=%s: says when but not what, like \"2s iodepth=32\"", text);
    if (!str_copy(words, n, p))
        return err_set(err, -EINVAL, "at=%s: longer than %zu characters", text, n - 1);
    *ret_at_ns = at;
    return 0;
}
