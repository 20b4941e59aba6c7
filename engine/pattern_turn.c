/* pattern_turn: which target the next request of a rare walk goes to, and when the whole is done.
 * Where in the target is pattern_draw.c's. */
#include "engine/pattern.h"

#include <errno.h>
#include <string.h>

#include "core/str.h"

static const struct {
    const char *name;
    enum service_kind kind;
} services[] = {
    {"roundrobin", SERVICE_ROUNDROBIN}, {"sequential", SERVICE_SEQUENTIAL}, {"random", SERVICE_RANDOM},
};

static int service_each(const char *text, const char *rest, struct service_spec *s, struct err *err)
{
    uint64_t each = 1;
    const char *bad;
    if (*rest == ':' && (str_u64(rest + 1, &each, &bad) < 0 || !each || each > UINT32_MAX))
        return err_set(err, -EINVAL, "file_service_type=%s: must be a number of requests, like random:8", text);
    s->each = (unsigned)each;
    return 0;
}

int service_parse(const char *text, struct service_spec *ret, struct err *err)
{
    size_t n = strcspn(text, ":");
    struct service_spec s = {0};
    const char *rest;
    int rc;
    for (size_t i = 0; i < sizeof(services) / sizeof(services[0]); i++) {
        if (strlen(services[i].name) != n || strncmp(text, services[i].name, n))
            continue;
        s.kind = services[i].kind;
        if ((rc = service_each(text, text + n, &s, err)) == 0)
            *ret = s;
        return rc;
    }
    s.kind = SERVICE_SKEWED;
    rc = dist_parse("file_service_type", text, &s.dist, &rest, NULL);
    if (rc < 0 || s.dist.kind == DIST_ZONED || s.dist.kind == DIST_ZONED_ABS)
        return err_set(err, -EINVAL, "file_service_type=%s: must be roundrobin, sequential, random, zipf, pareto or "
                       "normal, like random:8 or zipf:1.2", text);
    *ret = s;
    return 0;
}

static void step(struct pattern *p)
{
    p->turn = p->turn + 1 < p->n ? p->turn + 1 : 0;
}

bool pattern_find_turn(struct pattern *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (!pattern_exhausted(p, &p->walk[p->turn]))
            return true;
        step(p);
        p->turn_left = 0;
    }
    return false;
}

/* A skewed choice, and a limit for all together, know no share of each target. */
static bool has_shares(const struct pattern *p)
{
    return !p->limit_bytes && p->spec.service.kind != SERVICE_SKEWED;
}

void pattern_set_turns(struct pattern *p)
{
    const struct service_spec *s = &p->spec.service;
    uint64_t sum = 0;
    p->limit_ios = p->spec.endless ? 0 : p->spec.ios; /* time_based goes on, as in fio */
    p->limit_bytes = p->spec.endless ? 0 : p->spec.io_bytes;
    if (s->kind == SERVICE_SKEWED && !p->limit_bytes && !p->spec.endless) {
        for (size_t i = 0; i < p->n; i++)
            sum += p->walk[i].limit;
        p->limit_bytes = sum;
    }
    for (size_t i = 0; i < p->n && !has_shares(p); i++)
        p->walk[i].limit = UINT64_MAX;
    if (s->kind == SERVICE_SKEWED && p->service_n != p->n)
        dist_init(&p->service, &s->dist, p->n, false, p->seed);
    p->service_n = p->n;
}

static uint64_t turn_length(const struct pattern *p)
{
    const struct service_spec *s = &p->spec.service;
    if (s->kind == SERVICE_SEQUENTIAL)
        return p->walk[p->turn].bytes / p->bs * p->bs;
    return s->each ? s->each : 1;
}

static void draw_turn(struct pattern *p)
{
    if (p->spec.service.kind == SERVICE_RANDOM)
        p->turn = rng_below(&p->rng, p->n);
    else if (p->spec.service.kind == SERVICE_SKEWED)
        p->turn = dist_next(&p->service, &p->rng);
}

static bool whole_done(const struct pattern *p)
{
    return (p->limit_bytes && p->issued >= p->limit_bytes) || (p->limit_ios && p->ios >= p->limit_ios);
}

bool pattern_choose(struct pattern *p)
{
    if (whole_done(p))
        return false;
    if (!p->turn_left)
        draw_turn(p);
    if (!pattern_find_turn(p))
        return false;
    if (!p->turn_left)
        p->turn_left = turn_length(p);
    return true;
}

bool pattern_rare_ended(struct pattern *p)
{
    if (whole_done(p))
        return true;
    for (size_t i = 0, t = p->turn; i < p->n; i++, t = t + 1 < p->n ? t + 1 : 0)
        if (!pattern_exhausted(p, &p->walk[t]))
            return false;
    return true;
}

void pattern_took(struct pattern *p, uint32_t len)
{
    uint64_t used = p->spec.service.kind == SERVICE_SEQUENTIAL ? len : 1;
    p->walk[p->turn].issued += len;
    p->issued += len;
    p->ios++;
    p->turn_left = p->turn_left > used ? p->turn_left - used : 0;
    if (!p->turn_left)
        step(p);
}
