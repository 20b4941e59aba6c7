/* blocktree: builds the tree of block devices from the folders of sys/block and from nothing else.
 * Opens no device and follows no mount; what a device holds is the guard's business. */
#include "core/blocktree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

#define SECTOR_BYTES 512 /* of sysfs and diskstats, whatever the logical block is */

/* A folder of the kernel tells more than a name: md arrays may be called md_home or anything. */
static enum block_kind kind_of_folder(const struct sysroot *root, const char *dir, const char *name)
{
    if (sysroot_exists(root, "%s/dm", dir))
        return BLOCK_DM;
    if (sysroot_exists(root, "%s/md", dir))
        return BLOCK_MD;
    return block_kind_of_name(name);
}

static bool flag(const struct sysroot *root, const char *dir, const char *file)
{
    uint64_t v;
    return sysroot_u64(root, &v, "%s/%s", dir, file) == 0 && v != 0;
}

static void read_numbers(const struct sysroot *root, const char *dir, struct block_node *n)
{
    char dev[32];
    uint64_t sectors;
    int end = 0;
    if (sysroot_text(root, dev, sizeof dev, "%s/dev", dir) == 0)
        n->have_dev = sscanf(dev, "%u:%u%n", &n->major, &n->minor, &end) == 2 && !dev[end];
    if (!n->have_dev)
        n->major = n->minor = 0;
    if (sysroot_u64(root, &sectors, "%s/size", dir) == 0 && sectors <= UINT64_MAX / SECTOR_BYTES)
        n->size_bytes = sectors * SECTOR_BYTES;
    n->start_bytes = BLOCK_NO_START;
    if (sysroot_u64(root, &sectors, "%s/start", dir) == 0 && sectors <= UINT64_MAX / SECTOR_BYTES)
        n->start_bytes = sectors * SECTOR_BYTES;
    n->read_only = flag(root, dir, "ro");
}

static int read_backing(const struct sysroot *root, const char *dir, struct block_node *n)
{
    struct strbuf text = {0};
    int rc = sysroot_read(root, &text, "%s/loop/backing_file", dir);
    if (rc == 0 && text.len > 0) {
        if (text.s[text.len - 1] == '\n')
            text.s[text.len - 1] = '\0';
        n->backing_file = *text.s ? strdup(text.s) : NULL;
        rc = *text.s && !n->backing_file ? -ENOMEM : 0;
    }
    strbuf_fini(&text);
    return rc == -ENOMEM ? rc : 0;
}

static int read_disk(const struct sysroot *root, const char *sysname, struct block_node *ret)
{
    char dir[32 + BLOCK_NAME];
    struct block_node n = {.parent = BLOCK_NONE, .diskseq = -1};
    if (!str_copy(n.sysname, sizeof n.sysname, sysname))
        return -ENAMETOOLONG;
    snprintf(dir, sizeof dir, "sys/block/%s", sysname);
    str_copy(n.name, sizeof n.name, sysname);
    for (char *p = n.name; (p = strchr(p, '!'));)
        *p = '/';
    n.kind = kind_of_folder(root, dir, n.name);
    read_numbers(root, dir, &n);
    n.hidden = n.kind == BLOCK_NVME_PATH || flag(root, dir, "hidden");
    n.removable = flag(root, dir, "removable");
    if (sysroot_i64(root, &n.diskseq, "%s/diskseq", dir) < 0)
        n.diskseq = -1;
    sysroot_text(root, n.dm_name, sizeof n.dm_name, "%s/dm/name", dir);
    sysroot_text(root, n.dm_uuid, sizeof n.dm_uuid, "%s/dm/uuid", dir);
    int rc = read_backing(root, dir, &n);
    if (rc == 0)
        *ret = n;
    return rc;
}

static int read_partition(const struct sysroot *root, const struct block_node *disk, const char *sysname,
                          struct block_node *ret)
{
    char dir[32 + 2 * BLOCK_NAME];
    struct block_node n = {.kind = BLOCK_PARTITION, .diskseq = disk->diskseq, .removable = disk->removable};
    if (!str_copy(n.sysname, sizeof n.sysname, sysname))
        return -ENAMETOOLONG;
    snprintf(dir, sizeof dir, "sys/block/%s/%s", disk->sysname, sysname);
    str_copy(n.name, sizeof n.name, sysname);
    for (char *p = n.name; (p = strchr(p, '!'));)
        *p = '/';
    read_numbers(root, dir, &n);
    n.hidden = disk->hidden;
    *ret = n;
    return 0;
}

static struct block_node *push(struct blocktree *t)
{
    struct block_node *grown = reallocarray(t->node, t->n + 1, sizeof *grown);
    if (grown)
        t->node = grown;
    return grown ? &grown[t->n] : NULL;
}

/* Only its partitions are folders of a disk that begin with the disk's own name. */
static bool is_partition(const struct sysroot *root, const struct block_node *disk, const char *name)
{
    static const char *const signs[] = {"partition", "dev", "stat", "size"};
    if (!str_starts(name, disk->sysname) || !name[strlen(disk->sysname)])
        return false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (sysroot_exists(root, "sys/block/%s/%s/%s", disk->sysname, name, signs[i]))
            return true;
    return false;
}

static int add_partitions(const struct sysroot *root, struct blocktree *t, int disk, char **names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!is_partition(root, &t->node[disk], names[i]))
            continue;
        struct block_node *p = push(t);
        if (!p)
            return -ENOMEM;
        if (read_partition(root, &t->node[disk], names[i], p) == 0) {
            p->parent = disk;
            t->n++;
        }
    }
    return 0;
}

/* A disk and its partitions; one that is gone by now is no error. */
static int add_disk(const struct sysroot *root, struct blocktree *t, const char *sysname)
{
    char **names = NULL;
    size_t n = 0;
    struct block_node *d = push(t);
    if (!d)
        return -ENOMEM;
    int rc = read_disk(root, sysname, d);
    if (rc < 0)
        return rc == -ENOMEM ? rc : 0;
    rc = sysroot_list(root, &names, &n, "sys/block/%s", sysname);
    if (rc < 0) {
        free(d->backing_file);
        return rc == -ENOMEM ? rc : 0;
    }
    int disk = (int)t->n++;
    rc = add_partitions(root, t, disk, names, n);
    sysroot_free_names(names, n);
    return rc;
}

static int push_index(int **list, size_t *n, int index)
{
    for (size_t i = 0; i < *n; i++)
        if ((*list)[i] == index)
            return 0;
    int *grown = reallocarray(*list, *n + 1, sizeof *grown);
    if (!grown)
        return -ENOMEM;
    grown[(*n)++] = index;
    *list = grown;
    return 0;
}

static int link_nodes(struct blocktree *t, int holder, int member)
{
    if (holder == BLOCK_NONE || member == BLOCK_NONE || holder == member)
        return 0;
    struct block_node *h = &t->node[holder], *m = &t->node[member];
    int rc = push_index(&h->members, &h->nmembers, member);
    return rc < 0 ? rc : push_index(&m->holders, &m->nholders, holder);
}

static int by_sysname(const struct blocktree *t, const char *sysname)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->node[i].sysname, sysname) == 0)
            return (int)i;
    return BLOCK_NONE;
}

/* slaves/, holders/ and an array's md/dev-X all say the same; a small fake machine may have any one of them. */
static int link_folder(const struct sysroot *root, struct blocktree *t, int i, const char *folder,
                       const char *prefix, bool inverse)
{
    const struct block_node *n = &t->node[i];
    const char *disk = n->kind == BLOCK_PARTITION ? t->node[n->parent].sysname : NULL;
    char **names = NULL;
    size_t count;
    int rc = sysroot_list(root, &names, &count, "sys/block/%s%s%s/%s", disk ? disk : "", disk ? "/" : "",
                          n->sysname, folder);
    if (rc < 0)
        return rc == -ENOMEM ? rc : 0;
    for (size_t k = 0; k < count && rc >= 0; k++) {
        if (!str_starts(names[k], prefix))
            continue;
        int other = by_sysname(t, names[k] + strlen(prefix));
        rc = inverse ? link_nodes(t, other, i) : link_nodes(t, i, other);
    }
    sysroot_free_names(names, count);
    return rc;
}

/* "/dev/sda1", "/dev/mapper/vg-lv"; " (deleted)" when the node was removed meanwhile. */
static int backing_node(const struct blocktree *t, const char *path)
{
    static const char gone[] = " (deleted)";
    char name[256];
    if (!str_starts(path, "/dev/") || !str_copy(name, sizeof name, path + strlen("/dev/")))
        return BLOCK_NONE;
    size_t len = strlen(name);
    if (len >= sizeof gone && strcmp(name + len - (sizeof gone - 1), gone) == 0)
        name[len - (sizeof gone - 1)] = '\0';
    int i = blocktree_by_name(t, name);
    for (size_t k = 0; i == BLOCK_NONE && str_starts(name, "mapper/") && k < t->n; k++)
        if (strcmp(t->node[k].dm_name, name + strlen("mapper/")) == 0)
            i = (int)k;
    return i;
}

static void link_head(struct blocktree *t, struct block_node *path)
{
    unsigned subsystem, nsid;
    char head[BLOCK_NAME];
    if (path->kind != BLOCK_NVME_PATH || !block_nvme_path(path->name, &subsystem, &nsid))
        return;
    snprintf(head, sizeof head, "nvme%un%u", subsystem, nsid);
    path->parent = blocktree_by_name(t, head);
}

static int link_all(const struct sysroot *root, struct blocktree *t)
{
    int rc = 0;
    for (int i = 0; i < (int)t->n && rc >= 0; i++) {
        link_head(t, &t->node[i]);
        rc = link_folder(root, t, i, "slaves", "", false);
        if (rc >= 0)
            rc = link_folder(root, t, i, "holders", "", true);
        if (rc >= 0 && t->node[i].kind == BLOCK_MD)
            rc = link_folder(root, t, i, "md", "dev-", false);
        if (rc >= 0 && t->node[i].backing_file)
            rc = link_nodes(t, i, backing_node(t, t->node[i].backing_file));
    }
    return rc;
}

int blocktree_read(const struct sysroot *root, struct blocktree *ret, struct err *err)
{
    struct blocktree t = {0};
    char **names = NULL;
    size_t n;
    int rc = sysroot_list(root, &names, &n, "sys/block");
    if (rc < 0 && rc != -ENOENT)
        return err_set(err, rc, "sys/block cannot be listed: %s", strerror(-rc));
    for (size_t i = 0; i < n && rc >= 0; i++)
        rc = add_disk(root, &t, names[i]);
    sysroot_free_names(names, n);
    if (n > 0 && rc >= 0)
        rc = link_all(root, &t);
    if (rc < 0 && rc != -ENOENT) {
        blocktree_fini(&t);
        return err_set(err, rc, "the block devices cannot be read: %s", strerror(-rc));
    }
    *ret = t;
    return 0;
}

void blocktree_fini(struct blocktree *t)
{
    for (size_t i = 0; i < t->n; i++) {
        free(t->node[i].members);
        free(t->node[i].holders);
        free(t->node[i].backing_file);
    }
    free(t->node);
    *t = (struct blocktree){0};
}

int blocktree_by_name(const struct blocktree *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->node[i].name, name) == 0)
            return (int)i;
    return BLOCK_NONE;
}

int blocktree_by_dev(const struct blocktree *t, unsigned major, unsigned minor)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->node[i].have_dev && t->node[i].major == major && t->node[i].minor == minor)
            return (int)i;
    return BLOCK_NONE;
}

bool blocktree_is_leaf(const struct blocktree *t, int i)
{
    static const bool real[BLOCK_OTHER + 1] = {
        [BLOCK_DISK] = true, [BLOCK_NVME] = true, [BLOCK_NBD] = true, [BLOCK_OTHER] = true};
    const struct block_node *n = &t->node[i];
    if (n->hidden || n->nmembers > 0 || n->backing_file || !real[n->kind])
        return false;
    /* Stacked on disks of this machine without saying so in slaves/. */
    return !str_starts(n->name, "zd") && !str_starts(n->name, "drbd");
}

static void mark_overlap(const struct blocktree *t, int i, bool *seen)
{
    if (seen[i])
        return;
    seen[i] = true;
    for (int k = 0; k < (int)t->n; k++)
        if (t->node[k].parent == i)
            mark_overlap(t, k, seen);
    for (size_t k = 0; k < t->node[i].nholders; k++)
        mark_overlap(t, t->node[i].holders[k], seen);
}

/* The disk of a partition overlaps it, but its other partitions do not. */
static void mark_disk(const struct blocktree *t, int disk, bool *seen)
{
    seen[disk] = true;
    for (size_t k = 0; k < t->node[disk].nholders; k++)
        mark_overlap(t, t->node[disk].holders[k], seen);
}

/* Partitions may lie within one another: BSD slices in theirs, or what a broken table says. */
static bool is_crossed(const struct block_node *a, const struct block_node *b)
{
    if (a->parent != b->parent || a->start_bytes == BLOCK_NO_START || b->start_bytes == BLOCK_NO_START)
        return false;
    const struct block_node *first = a->start_bytes <= b->start_bytes ? a : b, *second = first == a ? b : a;
    return second->start_bytes - first->start_bytes < first->size_bytes && second->size_bytes > 0;
}

static void mark_siblings(const struct blocktree *t, int part, bool *seen)
{
    for (int k = 0; k < (int)t->n; k++)
        if (t->node[k].kind == BLOCK_PARTITION && is_crossed(&t->node[part], &t->node[k]))
            mark_overlap(t, k, seen);
}

void blocktree_overlap(const struct blocktree *t, int i, void (*fn)(int node, void *arg), void *arg)
{
    bool *seen = calloc(t->n, sizeof *seen);
    if (seen) {
        mark_overlap(t, i, seen);
        if (t->node[i].parent != BLOCK_NONE)
            mark_disk(t, t->node[i].parent, seen);
        if (t->node[i].kind == BLOCK_PARTITION)
            mark_siblings(t, i, seen);
    }
    /* Without memory everything may overlap: whoever asks is about to write. */
    for (int k = 0; k < (int)t->n; k++)
        if (!seen || seen[k])
            fn(k, arg);
    free(seen);
}
