#!/bin/sh
# The guard where the kernel itself holds the device: mounted in every way, swap, journal, stacks, read-only.
set -u
. "$(dirname "$0")/guard.inc"
mkdir "$dir/m" "$dir/m2"

# Mounted: by its name, a symlink, a second node; with every option that could be thought to help.
new_loop mounted 16M
mounted=$dev
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$mounted" || exit 1
mount "$mounted" "$dir/m" || exit 1
ln -s "$mounted" "$dir/by-id"
mknod "$dir/node" b 7 "${mounted#/dev/loop}"
all="--overwrite=ext4 --overwrite=data"
refuse "mounted, no option" "it is mounted on $dir/m (ext4)" "$mounted"
refuse "mounted" "it is mounted on $dir/m (ext4)" "$mounted" --allow-write="$mounted" $all
refuse "mounted, symlink" "it is mounted on $dir/m" "$dir/by-id" --allow-write="$dir/by-id" $all
refuse "mounted, second node" "(${mounted#/dev/}) is not written: it is mounted on $dir/m" \
    "$dir/node" --allow-write="$dir/node" $all

# Its only mount is a bind mount elsewhere.
mkdir "$dir/m/sub" && mount --bind "$dir/m/sub" "$dir/m2" && umount "$dir/m" || exit 1
refuse "bind mount" "it is mounted on $dir/m2" "$mounted" --allow-write="$mounted" $all

# Unmounted lazily while a file in it is open: in no table any more.
background sh -c 'exec 8>"$1/m2/file"; touch "$1/ready"; exec sleep 1000' - "$dir"
umount -l "$dir/m2" || exit 1
refuse "lazily unmounted" "belongs to a live ext4 filesystem" "$mounted" --allow-write="$mounted" $all
end "$pid"
allow "free again" "$mounted" --allow-write="$mounted" --overwrite=ext4

# Mounted only in another mount namespace.
# In a chroot that is no mount point unshare cannot make the new namespace private by itself.
ns="unshare -m"
$ns true 2>/dev/null || ns="unshare -m --propagation unchanged"
background $ns sh -c 'mount "$2" "$1/m" && touch "$1/ready"; exec sleep 1000' - "$dir" "$mounted"
grep -q " $dir/m " /proc/self/mountinfo && fail "the mount is in our namespace too"
refuse "another mount namespace" "it is mounted on $dir/m (ext4), as process $pid sees it" \
    "$mounted" --allow-write="$mounted" $all
end "$pid"

# Asked from inside a chroot, whose own table does not show the mounts outside. Nothing of the system is bound
# into it: a copy of the program, and a /proc, a /sys and a node of its own.
root=$dir/root
mkdir "$root" "$root/proc" "$root/sys" "$root/dev"
ldd "$guard" | grep -o '/[^ )]*' | while read -r lib; do
    mkdir -p "$root/${lib%/*}" && cp -L "$lib" "$root/$lib"
done
cp "$guard" "$root/guardcheck" && mknod "$root$mounted" b 7 "${mounted#/dev/loop}"
mount -t proc none "$root/proc" && mount -t sysfs none "$root/sys" && mount "$mounted" "$dir/m" || exit 1
checks=$((checks + 1))
said=$(chroot "$root" /guardcheck "$mounted" --allow-write="$mounted" $all 2>&1)
case $said in
*"it is mounted on "*"(ext4), as process "*) ;;
*) fail "mounted outside of our root: $said" ;;
esac
umount "$dir/m" "$root/proc" "$root/sys"

# A partition is mounted: the disk and the partition, but not the other partition.
new_loop parted 32M
parted=$dev
if addpart "$parted" 1 2048 30000 && addpart "$parted" 2 32768 30000 && [ -b "${parted}p2" ]; then
    mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "${parted}p1" && mount "${parted}p1" "$dir/m" || exit 1
    name=${parted#/dev/}
    refuse "disk of a mounted partition" "its partition ${name}p1 is mounted on $dir/m" \
        "$parted" --allow-write="$parted" $all
    refuse "mounted partition" "it is mounted on $dir/m" "${parted}p1" --allow-write="${parted}p1" $all
    allow "partition beside it" "${parted}p2" --allow-write="${parted}p2"
    refuse "partition, disk allowed" "--allow-write=${parted}p2 would allow" "${parted}p2" --allow-write="$parted"
    umount "$dir/m"
    refuse "disk, its partition holds ext4" "it holds ext4" "$parted" --allow-write="$parted"
    allow "disk, ext4 named" "$parted" --allow-write="$parted" --overwrite=ext4
    # The whole disk is mounted: its partitions.
    delpart "$parted" 1
    dd if="$dir/mounted.img" of="$parted" bs=1M status=none && mount "$parted" "$dir/m" || exit 1
    refuse "partition of a mounted disk" "its disk $name is mounted on $dir/m" \
        "${parted}p2" --allow-write="${parted}p2" $all
    umount "$dir/m"
else
    skip "partitions: addpart does not work here"
fi

# The second disk of a btrfs: mountinfo names the first, under an anonymous number.
if command -v mkfs.btrfs >/dev/null && grep -qw btrfs /proc/filesystems; then
    new_loop btrfs1 128M
    first=$dev
    new_loop btrfs2 128M
    mkfs.btrfs -q -d single -m single "$first" "$dev" >/dev/null 2>&1 && mount "$first" "$dir/m" || exit 1
    refuse "first disk of a btrfs" "mounted on $dir/m (btrfs)" "$first" --allow-write="$first" --overwrite=btrfs
    refuse "second disk of a btrfs" "belongs to a live btrfs filesystem" "$dev" --allow-write="$dev" --overwrite=btrfs
    umount "$dir/m"
    refuse "btrfs, not mounted" "it holds btrfs; --overwrite=btrfs would allow it" "$dev" --allow-write="$dev"
    forget btrfs1 btrfs2
else
    skip "btrfs: no mkfs.btrfs or no kernel support"
fi

forget parted
# The external journal of an ext4: only the claim shows it.
new_loop journal 16M
journal=$dev
new_loop journaled 16M
if mke2fs -q -O journal_dev -b 4096 "$journal" >/dev/null 2>&1 &&
    mkfs.ext4 -q -b 4096 -J device="$journal" -E lazy_itable_init=0 "$dev" && mount "$dev" "$dir/m"; then
    refuse "external journal" "the kernel says that it is in use" \
        "$journal" --allow-write="$journal" --overwrite=jbd --overwrite=ext4
    umount "$dir/m"
    refuse "external journal, idle" "it holds jbd" "$journal" --allow-write="$journal"
else
    skip "external journal: mke2fs or mount would not"
fi

forget journal journaled
new_loop swap 16M
mkswap "$dev" >/dev/null 2>&1
refuse "swap that is not on" "it holds swap; --overwrite=swap would allow it" "$dev" --allow-write="$dev"
if swapon "$dev"; then
    swaps=$dev
    refuse "active swap" "it is active swap" "$dev" --allow-write="$dev" --overwrite=swap
    swapoff "$dev"
else
    skip "active swap: swapon would not"
fi

forget swap
new_loop member 16M
if dmsetup create "guardtest$$" --table "0 16384 linear $dev 0" 2>/dev/null; then
    refuse "under device mapper" "it is a member of dm-" "$dev" --allow-write="$dev"
    dmsetup remove "guardtest$$"
else
    skip "device mapper: not in this kernel (a fake machine has it in guard_test)"
fi
if mdadm --build "/dev/md/guardtest$$" --force --level=linear --raid-devices=1 "$dev" >/dev/null 2>&1; then
    refuse "member of an array" "it is a member of md" "$dev" --allow-write="$dev"
    mdadm --stop "/dev/md/guardtest$$" >/dev/null 2>&1
else
    skip "md: not in this kernel (a fake machine has it in guard_test)"
fi

forget member
new_loop readonly 1M -r
refuse "read-only" "it is read-only" "$dev" --allow-write="$dev"
gone=$dev
losetup -d "$gone"
refuse "size 0" "it is empty" "$gone" --allow-write="$gone"

# While we hold a device nobody can claim it, a second one of us neither.
new_loop held 16M
held=$dev
dd if="$dir/mounted.img" of="$held" bs=1M status=none
mkfifo "$dir/fifo"
"$guard" "$held" --allow-write="$held" --overwrite=ext4 --hold <"$dir/fifo" >"$dir/said" &
pid=$!
pids="$pid $pids"
exec 3>"$dir/fifo"
n=0
while [ "$(cat "$dir/said")" != ok ] && [ $n -lt 100 ]; do sleep 0.05 && n=$((n + 1)); done
checks=$((checks + 1))
mount "$held" "$dir/m" 2>/dev/null && { fail "a held device was mounted"; umount "$dir/m"; }
refuse "held by another benchtop" "it is open in guardcheck (process $pid)" \
    "$held" --allow-write="$held" --overwrite=ext4
exec 3>&-
wait "$pid" || fail "the holder ended with $?"
allow "no longer held" "$held" --allow-write="$held" --overwrite=ext4
refuse "twice in one process" "the kernel says that it is in use" \
    "$held" --allow-write="$held" --overwrite=ext4 --twice
finish 20
