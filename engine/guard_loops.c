/* guard_loops: asks every attached loop device what stands behind it. The text in loop/backing_file is a name
 * of another time and namespace; the ioctl has the inode.
 * Decides nothing. */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/str.h"
#include "engine/guard_internal.h"

bool guard_id_equal(const struct guard_id *a, const struct guard_id *b)
{
    return a->is_block == b->is_block && a->dev == b->dev && (a->is_block || a->ino == b->ino);
}

/* The kernel writes device numbers as 12 bits of major and 20 of minor here. */
static dev_t decode(uint64_t huge)
{
    return makedev((huge & 0xfff00) >> 8, (huge & 0xff) | ((huge >> 12) & 0xfff00));
}

/* 0, -ENXIO when nothing is attached any more, or -errno. */
static int ask_kernel(const struct block_node *n, struct guard_id *ret)
{
    char path[16 + BLOCK_NAME];
    struct stat st;
    struct loop_info64 info;
    snprintf(path, sizeof path, "/dev/%s", n->name);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    int rc = -ENODEV;
    if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == makedev(n->major, n->minor))
        rc = ioctl(fd, LOOP_GET_STATUS64, &info) == 0 ? 0 : -errno;
    close(fd);
    if (rc == 0) {
        ret->is_block = info.lo_rdevice != 0;
        ret->dev = decode(ret->is_block ? info.lo_rdevice : info.lo_device);
        ret->ino = info.lo_inode;
    }
    return rc;
}

static int ask_name(const struct block_node *n, struct guard_id *ret)
{
    struct stat st;
    if (stat(n->backing_file, &st) < 0)
        return -errno;
    ret->is_block = S_ISBLK(st.st_mode);
    ret->dev = ret->is_block ? st.st_rdev : st.st_dev;
    ret->ino = st.st_ino;
    return 0;
}

static bool ask_tree(const struct blocktree *tree, const struct block_node *n, struct guard_id *ret)
{
    for (size_t i = 0; i < n->nmembers; i++) {
        const struct block_node *m = &tree->node[n->members[i]];
        *ret = (struct guard_id){.is_block = true, .dev = makedev(m->major, m->minor)};
        if (m->have_dev)
            return true;
    }
    return false;
}

/* -ENXIO when it was detached meanwhile. On a fake machine only the tree can be asked, and a file is any file. */
static int ask(const struct guard_world *w, const struct blocktree *tree, struct guard_loop *l)
{
    const struct block_node *n = &tree->node[l->node];
    if (!sysroot_is_live(w->root)) {
        l->known = ask_tree(tree, n, &l->backing) || !str_starts(n->backing_file, "/dev/");
        return 0;
    }
    int rc = ask_kernel(n, &l->backing);
    if (rc == -ENXIO)
        return rc;
    l->known = rc == 0 || ask_name(n, &l->backing) == 0 || ask_tree(tree, n, &l->backing);
    return 0;
}

int guard_loops_read(const struct guard_world *w, const struct blocktree *tree, struct guard_loops *ret)
{
    struct guard_loops l = {.loop = calloc(tree->n ? tree->n : 1, sizeof *l.loop)};
    if (!l.loop)
        return -ENOMEM;
    for (size_t i = 0; i < tree->n; i++) {
        l.loop[l.n] = (struct guard_loop){.node = (int)i};
        if (tree->node[i].backing_file && ask(w, tree, &l.loop[l.n]) == 0)
            l.n++;
    }
    *ret = l;
    return 0;
}

void guard_loops_fini(struct guard_loops *l)
{
    free(l->loop);
    *l = (struct guard_loops){0};
}
