/* guard_use: a picture of the machine around one block device, and the reasons in it that no option overrides:
 * what it is, what stands on it, what it stands on. Mounts are in guard_mounts.c, processes in guard_openers.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "core/str.h"
#include "engine/guard_internal.h"

static int disk_of(const struct guard_use *u, int i)
{
    const struct block_node *n = &u->tree.node[i];
    return n->kind == BLOCK_PARTITION ? n->parent : i;
}

static const struct guard_loop *loop_of(const struct guard_use *u, int node)
{
    for (size_t i = 0; i < u->loops.n; i++)
        if (u->loops.loop[i].node == node)
            return &u->loops.loop[i];
    return NULL;
}

static int backing_node(const struct guard_use *u, const struct guard_loop *l)
{
    if (!l || !l->known || !l->backing.is_block)
        return BLOCK_NONE;
    return blocktree_by_dev(&u->tree, major(l->backing.dev), minor(l->backing.dev));
}

static void add_node(int i, void *arg)
{
    struct guard_use *u = arg;
    u->in[i] = true;
}

/* A write to a loop on a device is a write to that device. */
static void add_below(struct guard_use *u)
{
    int b = u->node;
    while ((b = backing_node(u, loop_of(u, disk_of(u, b)))) != BLOCK_NONE && !u->below[b]) {
        u->below[b] = true;
        blocktree_overlap(&u->tree, b, add_node, u);
    }
}

/* The tree knows loops by the name of their backing device, the kernel by its number. */
static void add_loops(struct guard_use *u)
{
    bool grown;
    do {
        grown = false;
        for (size_t i = 0; i < u->loops.n; i++) {
            int b = backing_node(u, &u->loops.loop[i]), l = u->loops.loop[i].node;
            if (b != BLOCK_NONE && u->in[b] && !u->in[l]) {
                blocktree_overlap(&u->tree, l, add_node, u);
                grown = true;
            }
        }
    } while (grown);
}

static void add_ids(struct guard_use *u)
{
    for (size_t i = 0; i < u->tree.n; i++)
        if (u->in[i] && u->tree.node[i].have_dev)
            u->id[u->nid++] =
                (struct guard_id){.is_block = true, .dev = makedev(u->tree.node[i].major, u->tree.node[i].minor)};
    const struct guard_loop *own = loop_of(u, disk_of(u, u->node));
    if (own && own->known && !own->backing.is_block)
        u->id[u->nid++] = own->backing;
}

static int look(struct guard_use *u)
{
    int rc = guard_loops_read(u->world, &u->tree, &u->loops);
    if (rc < 0)
        return rc;
    u->in = calloc(u->tree.n, sizeof *u->in);
    u->below = calloc(u->tree.n, sizeof *u->below);
    u->id = calloc(u->tree.n + 1, sizeof *u->id);
    if (!u->in || !u->below || !u->id)
        return -ENOMEM;
    blocktree_overlap(&u->tree, u->node, add_node, u);
    add_below(u);
    add_loops(u);
    add_ids(u);
    return 0;
}

int guard_use_read(const struct guard_world *w, dev_t dev, const char *label, struct guard_use *ret,
                   struct err *err)
{
    struct guard_use u = {.world = w, .label = label};
    int rc = blocktree_read(w->root, &u.tree, err);
    if (rc < 0)
        return rc;
    u.node = blocktree_by_dev(&u.tree, major(dev), minor(dev));
    rc = u.node == BLOCK_NONE ? -ENODEV : look(&u);
    if (rc == 0) {
        *ret = u;
        return 0;
    }
    guard_use_fini(&u);
    if (rc == -ENODEV)
        return err_set(err, rc, GUARD_NO "device %u:%u is not in /sys/block, so what uses it cannot be told",
                       label, major(dev), minor(dev));
    return err_set(err, rc, GUARD_NO "what uses it cannot be told: %s", label, strerror(-rc));
}

void guard_use_fini(struct guard_use *u)
{
    blocktree_fini(&u->tree);
    guard_loops_fini(&u->loops);
    free(u->in);
    free(u->below);
    free(u->id);
    *u = (struct guard_use){0};
}

int guard_use_find(const struct guard_use *u, dev_t dev)
{
    int i = blocktree_by_dev(&u->tree, major(dev), minor(dev));
    return i != BLOCK_NONE && u->in[i] ? i : BLOCK_NONE;
}

void guard_use_relation(const struct guard_use *u, int i, char dst[GUARD_LABEL])
{
    const struct block_node *n = &u->tree.node[i];
    if (i == u->node)
        str_copy(dst, GUARD_LABEL, "it");
    else if (n->parent == u->node)
        snprintf(dst, GUARD_LABEL, "its partition %s", n->name);
    else if (u->tree.node[u->node].parent == i)
        snprintf(dst, GUARD_LABEL, "its disk %s", n->name);
    else if (n->kind == BLOCK_PARTITION && n->parent == u->tree.node[u->node].parent)
        snprintf(dst, GUARD_LABEL, "%s, which overlaps it,", n->name);
    else
        snprintf(dst, GUARD_LABEL, u->below[i] ? "%s, on which it stands," : "%s, which stands on it,", n->name);
}

/* ---- the checks ---- */

/* As libblkid sees private volumes: LVM-<uuids>-<purpose>. */
static bool is_internal_volume(const struct block_node *n)
{
    if (str_starts(n->dm_uuid, "stratis-1-private"))
        return true;
    return str_starts(n->dm_uuid, "LVM-") && strchr(n->dm_uuid + strlen("LVM-"), '-') != NULL;
}

static int check_node(const struct guard_use *u, struct err *err)
{
    const struct block_node *n = &u->tree.node[u->node], *disk = &u->tree.node[disk_of(u, u->node)];
    if (n->hidden || disk->hidden || disk->kind == BLOCK_NVME_PATH)
        return err_set(err, -EPERM, GUARD_NO "it is a hidden path of a multipath device", u->label);
    if (n->kind == BLOCK_ROM)
        return err_set(err, -EPERM, GUARD_NO "it is an optical drive", u->label);
    if (is_internal_volume(n))
        return err_set(err, -EPERM, GUARD_NO "it is an internal volume of %s", u->label, n->dm_name);
    if (n->size_bytes == 0)
        return err_set(err, -ENOMEDIUM, GUARD_NO "it is empty (no medium, or size 0)", u->label);
    if (n->read_only || disk->read_only)
        return err_set(err, -EROFS, GUARD_NO "it is read-only", u->label);
    return 0;
}

static bool read_wwid(const struct guard_use *u, const struct block_node *n, char dst[GUARD_LABEL])
{
    return sysroot_text(u->world->root, dst, GUARD_LABEL, "sys/block/%s/device/wwid", n->sysname) == 0 ||
           sysroot_text(u->world->root, dst, GUARD_LABEL, "sys/block/%s/wwid", n->sysname) == 0;
}

/* Two disks with one world-wide name are one disk by two ways, whether or not a map was made of them. */
static int check_multipath(const struct guard_use *u, struct err *err)
{
    int disk = disk_of(u, u->node);
    char own[GUARD_LABEL], other[GUARD_LABEL];
    if (!read_wwid(u, &u->tree.node[disk], own) || !*own)
        return 0;
    for (int i = 0; i < (int)u->tree.n; i++) {
        const struct block_node *n = &u->tree.node[i];
        if (i == disk || n->kind == BLOCK_PARTITION || n->kind == BLOCK_NVME_PATH || n->hidden)
            continue;
        if (read_wwid(u, n, other) && strcmp(own, other) == 0)
            return err_set(err, -EPERM,
                           GUARD_NO "%s is the same disk by another path (%s); write to a multipath map", u->label,
                           n->name, own);
    }
    return 0;
}

/* Part of the target's own stack: the target, what it stands on, and the disks of these. */
static bool is_own(const struct guard_use *u, int i)
{
    bool own = i == u->node || u->below[i] || i == disk_of(u, u->node);
    for (int p = 0; p < (int)u->tree.n && !own; p++)
        own = u->below[p] && disk_of(u, p) == i;
    return own;
}

static int deny_member(const struct guard_use *u, int member, const struct block_node *h, struct err *err)
{
    char who[GUARD_LABEL];
    guard_use_relation(u, member, who);
    if (str_starts(h->dm_uuid, "mpath-"))
        return err_set(err, -EBUSY, GUARD_NO "%s is a path of the multipath map %s", u->label, who, h->dm_name);
    if (h->kind == BLOCK_LOOP)
        return err_set(err, -EBUSY, GUARD_NO "%s is the backing device of %s", u->label, who, h->name);
    return err_set(err, -EBUSY, GUARD_NO "%s is a member of %s%s%s%s", u->label, who, h->name,
                   *h->dm_name ? " (" : "", h->dm_name, *h->dm_name ? ")" : "");
}

static int check_stack(const struct guard_use *u, struct err *err)
{
    for (int i = 0; i < (int)u->tree.n; i++) {
        const struct block_node *n = &u->tree.node[i];
        for (size_t k = 0; u->in[i] && k < n->nholders; k++)
            if (!(is_own(u, i) && is_own(u, n->holders[k])))
                return deny_member(u, i, &u->tree.node[n->holders[k]], err);
    }
    return 0;
}

static int check_bcache(const struct guard_use *u, struct err *err)
{
    char who[GUARD_LABEL];
    for (int i = 0; i < (int)u->tree.n; i++) {
        const struct block_node *n = &u->tree.node[i];
        bool part = n->kind == BLOCK_PARTITION;
        if (!u->in[i] || n->kind == BLOCK_BCACHE)
            continue;
        if (!sysroot_exists(u->world->root, "sys/block/%s%s%s/bcache", part ? u->tree.node[n->parent].sysname : "",
                            part ? "/" : "", n->sysname))
            continue;
        guard_use_relation(u, i, who);
        return err_set(err, -EBUSY, GUARD_NO "%s is part of a bcache", u->label, who);
    }
    return 0;
}

static int check_loop(const struct guard_use *u, const struct guard_loop *l, struct err *err)
{
    const char *name = u->tree.node[l->node].name;
    const struct guard_loop *own = loop_of(u, disk_of(u, u->node));
    char who[GUARD_LABEL];
    if (!l->known)
        return err_set(err, -EPERM, GUARD_NO "%s is in use and its backing store cannot be looked at", u->label,
                       name);
    if (is_own(u, l->node))
        return 0;
    if (own && guard_id_equal(&own->backing, &l->backing))
        return err_set(err, -EBUSY, GUARD_NO "%s has the same backing store", u->label, name);
    int b = guard_use_find(u, l->backing.dev);
    if (b == BLOCK_NONE)
        return 0;
    guard_use_relation(u, b, who);
    return err_set(err, -EBUSY, GUARD_NO "%s is the backing device of %s", u->label, who, name);
}

static int check_loops(const struct guard_use *u, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; i < u->loops.n && rc == 0; i++)
        rc = check_loop(u, &u->loops.loop[i], err);
    return rc;
}

static int check_md_line(const struct guard_use *u, char *line, struct err *err)
{
    char *rest = NULL, who[GUARD_LABEL];
    const char *array = strtok_r(line, " ", &rest);
    for (char *word; array && (word = strtok_r(NULL, " ", &rest));) {
        char *bracket = strchr(word, '[');
        if (!bracket)
            continue;
        *bracket = '\0';
        int i = blocktree_by_name(&u->tree, word);
        if (i == BLOCK_NONE || !u->in[i])
            continue;
        guard_use_relation(u, i, who);
        return err_set(err, -EBUSY, GUARD_NO "%s is a member of the array %s", u->label, who, array);
    }
    return 0;
}

/* "md0 : active raid1 sdb1[1](F) sda1[0]"; other lines of an array are indented and hold no device. */
static int check_md(const struct guard_use *u, struct err *err)
{
    struct strbuf text = {0};
    int rc = sysroot_read(u->world->root, &text, "proc/mdstat");
    if (rc < 0)
        return rc == -ENOENT ? 0 : err_set(err, rc, GUARD_NO "/proc/mdstat: %s", u->label, strerror(-rc));
    char *rest = NULL;
    for (char *line = text.s ? strtok_r(text.s, "\n", &rest) : NULL; line && rc == 0;
         line = strtok_r(NULL, "\n", &rest))
        if (*line != ' ' && *line != '\t' && strstr(line, " : "))
            rc = check_md_line(u, line, err);
    strbuf_fini(&text);
    return rc;
}

int guard_use_check(const struct guard_use *u, struct err *err)
{
    static int (*const checks[])(const struct guard_use *, struct err *) = {
        check_node,         check_multipath,   guard_mounts_check,
        guard_system_check, guard_swaps_check, guard_filesystems_check,
        check_stack,        check_bcache,      check_loops,
        check_md,
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof checks / sizeof *checks && rc == 0; i++)
        rc = checks[i](u, err);
    return rc;
}
