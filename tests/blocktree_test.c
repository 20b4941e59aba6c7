/* Tests of core/blocktree.h on fake machines and on the live one.
 * Opens no device. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "core/blocktree.h"
#include "tests/fakeroot.h"

static struct fakeroot fake;
static struct sysroot *root;
static struct blocktree tree;

static void setup(void)
{
    fakeroot_init(&fake);
    ck_assert_int_eq(sysroot_open(fake.path, &root, NULL), 0);
}

static void teardown(void)
{
    blocktree_fini(&tree);
    sysroot_close(root);
    fakeroot_fini(&fake);
}

static void put(const char *file, const char *text)
{
    fakeroot_put(&fake, file, text);
}

static void read_tree(void)
{
    struct err err = {0};
    ck_assert_msg(blocktree_read(root, &tree, &err) == 0, "%s", err.text);
}

static int find(const char *name)
{
    int i = blocktree_by_name(&tree, name);
    ck_assert_msg(i >= 0, "no node %s", name);
    return i;
}

static const struct block_node *node(const char *name)
{
    return &tree.node[find(name)];
}

START_TEST(a_missing_sys_block_is_an_empty_tree)
{
    read_tree();
    ck_assert_uint_eq(tree.n, 0);
    ck_assert_int_eq(blocktree_by_name(&tree, "sda"), BLOCK_NONE);
    ck_assert_int_eq(blocktree_by_dev(&tree, 0, 0), BLOCK_NONE);
}
END_TEST

START_TEST(a_disk_and_its_partitions)
{
    put("sys/block/sda/dev", "8:0\n");
    put("sys/block/sda/size", "2048\n");
    put("sys/block/sda/ro", "1\n");
    put("sys/block/sda/removable", "1\n");
    put("sys/block/sda/diskseq", "17\n");
    put("sys/block/sda/queue/rotational", "1\n");
    put("sys/block/sda/sda2/partition", "2\n");
    put("sys/block/sda/sda10/partition", "10\n");
    put("sys/block/sda/sda10/dev", "259:3\n");
    put("sys/block/sda/sda10/size", "100\n");
    read_tree();
    ck_assert_uint_eq(tree.n, 3);
    ck_assert_str_eq(tree.node[0].name, "sda");
    ck_assert_str_eq(tree.node[1].name, "sda2");
    ck_assert_str_eq(tree.node[2].name, "sda10");
    ck_assert_int_eq(tree.node[0].kind, BLOCK_DISK);
    ck_assert_uint_eq(tree.node[0].size_bytes, 2048 * 512);
    ck_assert_int_eq(tree.node[0].diskseq, 17);
    ck_assert(tree.node[0].read_only && tree.node[0].removable && tree.node[0].have_dev);
    ck_assert_int_eq(tree.node[2].kind, BLOCK_PARTITION);
    ck_assert_int_eq(tree.node[2].parent, 0);
    ck_assert_int_eq(tree.node[2].diskseq, 17);
    ck_assert(!tree.node[1].have_dev);
    ck_assert_int_eq(blocktree_by_dev(&tree, 259, 3), 2);
    ck_assert_int_eq(blocktree_by_dev(&tree, 8, 0), 0);
}
END_TEST

START_TEST(a_bare_folder_is_a_disk_with_unknowns)
{
    fakeroot_dir(&fake, "sys/block/vda");
    read_tree();
    ck_assert_uint_eq(tree.n, 1);
    ck_assert_int_eq(tree.node[0].diskseq, -1);
    ck_assert_uint_eq(tree.node[0].size_bytes, 0);
    ck_assert(!tree.node[0].have_dev && !tree.node[0].hidden);
    ck_assert_int_eq(blocktree_by_dev(&tree, 0, 0), BLOCK_NONE);
}
END_TEST

START_TEST(links_are_followed_and_dangling_ones_left_out)
{
    char link[512];
    put("sys/devices/pci/block/sdb/dev", "8:16\n");
    put("sys/devices/pci/block/sdb/sdb1/partition", "1\n");
    fakeroot_path(&fake, "sys/block/sdb", link);
    ck_assert_int_eq(symlink("../devices/pci/block/sdb", link), 0);
    fakeroot_path(&fake, "sys/block/sdc", link);
    ck_assert_int_eq(symlink("../devices/gone", link), 0);
    read_tree();
    ck_assert_uint_eq(tree.n, 2);
    ck_assert_int_eq(node("sdb1")->parent, find("sdb"));
}
END_TEST

START_TEST(an_exclamation_mark_stands_for_a_slash)
{
    put("sys/block/cciss!c0d0/dev", "104:0\n");
    put("sys/block/cciss!c0d0/cciss!c0d0p1/partition", "1\n");
    read_tree();
    ck_assert_int_eq(node("cciss/c0d0")->kind, BLOCK_DISK);
    ck_assert_str_eq(node("cciss/c0d0p1")->sysname, "cciss!c0d0p1");
    ck_assert_int_eq(node("cciss/c0d0p1")->parent, find("cciss/c0d0"));
    ck_assert(blocktree_is_leaf(&tree, find("cciss/c0d0")));
}
END_TEST

static const struct {
    const char *name;
    enum block_kind kind;
    bool leaf;
} kinds[] = {
    {"sda", BLOCK_DISK, true},
    {"vdb", BLOCK_DISK, true},
    {"mmcblk0", BLOCK_DISK, true},
    {"nvme0n1", BLOCK_NVME, true},
    {"nvme0c1n1", BLOCK_NVME_PATH, false},
    {"zram0", BLOCK_ZRAM, false},
    {"ram0", BLOCK_RAM, false},
    {"loop7", BLOCK_LOOP, false},
    {"dm-3", BLOCK_DM, false},
    {"md127", BLOCK_MD, false},
    {"md_d0", BLOCK_MD, false},
    {"sr0", BLOCK_ROM, false},
    {"nbd4", BLOCK_NBD, true},
    {"bcache0", BLOCK_BCACHE, false},
    {"rbd4", BLOCK_OTHER, true},
    {"zd16", BLOCK_OTHER, false},
    {"drbd0", BLOCK_OTHER, false},
    {"pm-0", BLOCK_OTHER, true},
    {"nullb0", BLOCK_OTHER, true},
};

START_TEST(kinds_by_name)
{
    char dir[128];
    snprintf(dir, sizeof dir, "sys/block/%s", kinds[_i].name);
    fakeroot_dir(&fake, dir);
    read_tree();
    ck_assert_int_eq(block_kind_of_name(kinds[_i].name), kinds[_i].kind);
    ck_assert_int_eq(tree.node[0].kind, kinds[_i].kind);
    ck_assert_int_eq(blocktree_is_leaf(&tree, 0), kinds[_i].leaf);
}
END_TEST

START_TEST(a_folder_knows_better_than_a_name)
{
    put("sys/block/home/md/level", "raid1\n");
    put("sys/block/odd/dm/name", "vg-root\n");
    put("sys/block/odd/dm/uuid", "LVM-abc\n");
    read_tree();
    ck_assert_int_eq(node("home")->kind, BLOCK_MD);
    ck_assert_int_eq(node("odd")->kind, BLOCK_DM);
    ck_assert_str_eq(node("odd")->dm_name, "vg-root");
    ck_assert_str_eq(node("odd")->dm_uuid, "LVM-abc");
}
END_TEST

START_TEST(multipath_counts_the_head_and_not_its_paths)
{
    put("sys/block/nvme1n1/dev", "259:0\n");
    put("sys/block/nvme1c0n1/hidden", "1\n");
    put("sys/block/nvme1c2n1/hidden", "1\n");
    read_tree();
    ck_assert(blocktree_is_leaf(&tree, find("nvme1n1")));
    ck_assert(!blocktree_is_leaf(&tree, find("nvme1c0n1")));
    ck_assert_int_eq(node("nvme1c2n1")->parent, find("nvme1n1"));
    ck_assert(node("nvme1c0n1")->hidden);
    ck_assert_str_eq(block_kind_name(node("nvme1c0n1")->kind), "nvme-path");
}
END_TEST

static bool is_member(const char *holder, const char *member)
{
    const struct block_node *h = node(holder), *m = node(member);
    bool down = false, up = false;
    for (size_t i = 0; i < h->nmembers; i++)
        down |= h->members[i] == find(member);
    for (size_t i = 0; i < m->nholders; i++)
        up |= m->holders[i] == find(holder);
    ck_assert_int_eq(down, up);
    return down;
}

START_TEST(slaves_holders_and_md_members_make_the_same_edge)
{
    fakeroot_dir(&fake, "sys/block/sda/sda1");
    put("sys/block/sda/sda1/partition", "1\n");
    fakeroot_dir(&fake, "sys/block/sdb");
    put("sys/block/sdc/holders/md0/dev", "9:0\n");
    fakeroot_dir(&fake, "sys/block/dm-0/slaves/sda1");
    put("sys/block/md0/md/level", "raid1\n");
    put("sys/block/md0/md/dev-sdb/state", "in_sync\n");
    fakeroot_dir(&fake, "sys/block/md0/slaves/sdb");
    read_tree();
    ck_assert(is_member("dm-0", "sda1"));
    ck_assert(!is_member("dm-0", "sda"));
    ck_assert(is_member("md0", "sdb"));
    ck_assert(is_member("md0", "sdc"));
    ck_assert_uint_eq(node("md0")->nmembers, 2);
    ck_assert(!blocktree_is_leaf(&tree, find("md0")));
    ck_assert(blocktree_is_leaf(&tree, find("sdb")));
}
END_TEST

START_TEST(a_loop_stands_on_its_backing_device)
{
    fakeroot_dir(&fake, "sys/block/sda");
    put("sys/block/dm-0/dm/name", "vg-lv\n");
    put("sys/block/loop0/loop/backing_file", "/dev/sda\n");
    put("sys/block/loop1/loop/backing_file", "/dev/mapper/vg-lv (deleted)\n");
    put("sys/block/loop2/loop/backing_file", "/srv/a file.img\n");
    fakeroot_dir(&fake, "sys/block/loop3");
    read_tree();
    ck_assert(is_member("loop0", "sda"));
    ck_assert(is_member("loop1", "dm-0"));
    ck_assert_str_eq(node("loop2")->backing_file, "/srv/a file.img");
    ck_assert_uint_eq(node("loop2")->nmembers, 0);
    ck_assert_ptr_null(node("loop3")->backing_file);
}
END_TEST

static void collect(int i, void *arg)
{
    strcat(strcat(arg, " "), tree.node[i].name);
}

static void overlap(const char *name, const char *expected)
{
    char text[512] = "";
    blocktree_overlap(&tree, find(name), collect, text);
    ck_assert_str_eq(text, expected);
}

START_TEST(overlap_is_the_disk_the_partitions_and_all_that_stands_on_them)
{
    fakeroot_dir(&fake, "sys/block/sda/holders/md9");
    put("sys/block/sda/sda1/partition", "1\n");
    put("sys/block/sda/sda2/partition", "2\n");
    fakeroot_dir(&fake, "sys/block/sda/sda2/holders/dm-0");
    fakeroot_dir(&fake, "sys/block/dm-0/holders/dm-1");
    fakeroot_dir(&fake, "sys/block/dm-1");
    put("sys/block/loop4/loop/backing_file", "/dev/dm-1\n");
    put("sys/block/loop4/loop4p1/partition", "1\n");
    fakeroot_dir(&fake, "sys/block/md9");
    fakeroot_dir(&fake, "sys/block/sdb");
    read_tree();
    overlap("sda", " dm-0 dm-1 loop4 loop4p1 md9 sda sda1 sda2");
    overlap("sda1", " md9 sda sda1");
    overlap("sda2", " dm-0 dm-1 loop4 loop4p1 md9 sda sda2");
    overlap("dm-1", " dm-1 loop4 loop4p1");
    overlap("sdb", " sdb");
}
END_TEST

START_TEST(the_live_tree_agrees_with_itself)
{
    struct sysroot *live;
    ck_assert_int_eq(sysroot_open(NULL, &live, NULL), 0);
    ck_assert_int_eq(blocktree_read(live, &tree, NULL), 0);
    for (size_t i = 0; i < tree.n; i++) {
        const struct block_node *n = &tree.node[i];
        ck_assert_int_eq(blocktree_by_name(&tree, n->name), (int)i);
        if (n->have_dev)
            ck_assert_int_eq(blocktree_by_dev(&tree, n->major, n->minor), (int)i);
        if (n->kind == BLOCK_PARTITION)
            ck_assert_int_lt(n->parent, (int)i);
    }
    sysroot_close(live);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("blocktree");
    TCase *tc = tcase_create("tree");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_missing_sys_block_is_an_empty_tree);
    tcase_add_test(tc, a_disk_and_its_partitions);
    tcase_add_test(tc, a_bare_folder_is_a_disk_with_unknowns);
    tcase_add_test(tc, links_are_followed_and_dangling_ones_left_out);
    tcase_add_test(tc, an_exclamation_mark_stands_for_a_slash);
    tcase_add_loop_test(tc, kinds_by_name, 0, sizeof kinds / sizeof *kinds);
    tcase_add_test(tc, a_folder_knows_better_than_a_name);
    tcase_add_test(tc, multipath_counts_the_head_and_not_its_paths);
    tcase_add_test(tc, slaves_holders_and_md_members_make_the_same_edge);
    tcase_add_test(tc, a_loop_stands_on_its_backing_device);
    tcase_add_test(tc, overlap_is_the_disk_the_partitions_and_all_that_stands_on_them);
    tcase_add_test(tc, the_live_tree_agrees_with_itself);
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
