#!/bin/sh
# The guard where an exclusive open succeeds and the device is in use or full all the same.
set -u
. "$(dirname "$0")/guard.inc"
mkdir "$dir/m"
is_free() { # the premise of this script: an exclusive open alone would let it through
    checks=$((checks + 1))
    "$guard" "$1" --excl >/dev/null || fail "$1: O_EXCL does not let it through"
}

# ---- nothing there: consent, and only for that very device ----
new_loop other 16M
other=$dev
new_loop empty 16M
empty=$dev
refuse "no option" "it is a block device; --allow-write=$empty would allow it" "$empty"
refuse "another device named" "--allow-write=$empty would allow it" "$empty" --allow-write="$other"
refuse "a file named" "--allow-write=$empty would allow it" "$empty" --allow-write="$dir/empty.img"
refuse "--readonly" "--readonly forbids every write" "$empty" --allow-write="$empty" --readonly
allow "empty and named" "$empty" --allow-write="$other" --allow-write="$empty"
ln -s "$empty" "$dir/by-id"
allow "by a symlink" "$dir/by-id" --allow-write="$empty"
allow "named by a symlink" "$empty" --allow-write="$dir/by-id"
mknod "$dir/node" b 7 "${empty#/dev/loop}"
refuse "a second node, the first named" "--allow-write=$dir/node would allow it" "$dir/node" --allow-write="$empty"
allow "a second node, named" "$dir/node" --allow-write="$dir/node"

# The link that was named points elsewhere by now.
mkfs.ext4 -q "$other"
ln -sfn "$other" "$dir/by-id"
refuse "link re-pointed, device named" "it holds ext4" "$dir/by-id" --allow-write="$empty"
refuse "link re-pointed, link named" "(${other#/dev/}) is not written: it holds ext4" \
    "$dir/by-id" --allow-write="$dir/by-id"
forget other

# A reopened claim writes, and what was written is data from then on.
checks=$((checks + 1))
[ "$("$guard" "$empty" --allow-write="$empty" --write)" = ok ] || fail "the claim does not write"
[ "$(head -c 8 "$empty")" = benchtop ] || fail "nothing was written"
refuse "our own earlier data" "data of an unknown kind; --overwrite=data would allow it" "$empty" --allow-write="$empty"
allow "data named" "$empty" --allow-write="$empty" --overwrite=data
forget empty

# ---- unknown data ----
new_loop start 16M
patch "$dev" 4194303 x
is_free "$dev"
refuse "one byte within the first 4 MiB" "data of an unknown kind" "$dev" --allow-write="$dev" --overwrite=ext4
new_loop end 16M
patch "$dev" 12582912 x
refuse "one byte within the last 4 MiB" "data of an unknown kind" "$dev" --allow-write="$dev"
refuse "data, nothing named" "--allow-write=$dev --overwrite=data would allow it" "$dev"
new_loop random 16M
dd if=/dev/urandom of="$dev" bs=1M count=16 status=none
refuse "random data (as of plain dm-crypt)" "data of an unknown kind" "$dev" --allow-write="$dev"
forget start end random

# ---- signatures ----
signature() { # NAME, --overwrite that does not fit: $dev holds NAME
    is_free "$dev"
    refuse "$1, not named" "it holds $1; --allow-write=$dev --overwrite=$1 would allow it" "$dev"
    refuse "$1, another named" "it holds $1; --overwrite=$1 would allow it" "$dev" --allow-write="$dev" --overwrite="$2"
    refuse "$1, device not named" "it holds $1; --allow-write=$dev would allow it" "$dev" --overwrite="$1"
    allow "$1, named" "$dev" --allow-write="$dev" --overwrite="$1"
}
new_loop sig 16M
mkfs.ext4 -q "$dev" && signature ext4 data
dd if=/dev/zero of="$dev" bs=1M count=16 status=none
mkswap "$dev" >/dev/null 2>&1 && signature swap ext4
dd if=/dev/zero of="$dev" bs=1M count=16 status=none
patch "$dev" 0 'LUKS\272\276\000\001' && signature crypto_LUKS LUKS
dd if=/dev/zero of="$dev" bs=1M count=16 status=none
# A physical volume of a volume group that is not active, with a wrong checksum at that.
patch "$dev" 512 'LABELONE\001\0\0\0\0\0\0\0\001\002\003\004\040\0\0\0LVM2 001' && signature LVM2_member ext4
dd if=/dev/zero of="$dev" bs=1M count=16 status=none
# A member of a stopped array (metadata 1.2).
patch "$dev" 4096 '\374\116\053\251\001\0\0\0' && patch "$dev" 4240 '\010\0\0\0\0\0\0\0'
signature linux_raid_member ext4
forget sig
new_loop zfs 64M # libblkid looks for no smaller pool
for i in 0 1 2 3 4 5 6 7; do patch "$dev" $((131072 + i * 1024)) '\014\261\272\0\0\0\0\0'; done
signature zfs_member ext4 # an exported pool
# Two at once: naming one is not enough.
patch "$dev" 0 'LUKS\272\276\000\001'
refuse "two signatures, one named" "; --overwrite=crypto_LUKS would" "$dev" --allow-write="$dev" --overwrite=zfs_member
refuse "two signatures, the other named" "; --overwrite=zfs_member would" \
    "$dev" --allow-write="$dev" --overwrite=crypto_LUKS
allow "two signatures, both named" "$dev" --allow-write="$dev" --overwrite=zfs_member --overwrite=crypto_LUKS
forget zfs
if command -v mkfs.xfs >/dev/null; then
    new_loop xfs 320M
    mkfs.xfs -q -f "$dev" && refuse "xfs" "it holds xfs" "$dev" --allow-write="$dev" --overwrite=ext4
    forget xfs
else
    skip "xfs: no mkfs.xfs"
fi

# ---- partition tables ----
if command -v sgdisk >/dev/null; then
    new_loop gpt 32M
    sgdisk -o -n 1:2048:20000 "$dev" >/dev/null 2>&1
    refuse "GPT" "it holds " "$dev" --allow-write="$dev" --overwrite=data
    allow "GPT named" "$dev" --allow-write="$dev" --overwrite=gpt --overwrite=PMBR
    # An ext4 in a partition that only the table knows: the kernel may not read tables at all.
    mkfs.ext4 -q -E offset=1048576 "$dev" 8M 2>/dev/null
    delpart "$dev" 1 2>/dev/null
    refuse "ext4 in a partition of the table" "--overwrite=ext4 would allow it" \
        "$dev" --allow-write="$dev" --overwrite=gpt --overwrite=PMBR
    # Only the backup is left: blkid -p calls that nothing.
    dd if=/dev/zero of="$dev" bs=512 count=60000 conv=notrunc status=none
    sync "$dev"
    [ -z "$(blkid -p -o value -s PTTYPE "$dev")" ] || skip "blkid does find the backup GPT here"
    is_free "$dev"
    refuse "backup GPT only" "it holds gpt; --overwrite=gpt would allow it" "$dev" --allow-write="$dev"
    forget gpt
else
    skip "partition tables: no sgdisk"
fi

# ---- a loop on it ----
new_loop below 16M
below=$dev
on_loop "$below"
above=$dev
is_free "$below"
refuse "a loop on it" "it is the backing device of ${above#/dev/}" "$below" --allow-write="$below"
allow "the loop above" "$above" --allow-write="$above"
mkfs.ext4 -q "$above" && mount "$above" "$dir/m" || exit 1
refuse "a mounted loop on it" "${above#/dev/}, which stands on it, is mounted on $dir/m" \
    "$below" --allow-write="$below" --overwrite=ext4
umount "$dir/m"
losetup -d "$above"
mount "$below" "$dir/m" || exit 1
on_loop "$below"
refuse "the loop above a mounted one" "${below#/dev/}, on which it stands, is mounted on $dir/m" \
    "$dev" --allow-write="$dev" --overwrite=ext4
umount "$dir/m"
losetup -d "$dev"
mknod "$dir/below" b 7 "${below#/dev/loop}"
on_loop "$dir/below" # by a node whose name tells nothing
refuse "a loop on a second node of it" "it is the backing device of ${dev#/dev/}" \
    "$below" --allow-write="$below" --overwrite=ext4
losetup -d "$dev"
on_loop "$dir/below.img" # two loops over one file
refuse "another loop over the same file" "${dev#/dev/} has the same backing store" \
    "$below" --allow-write="$below" --overwrite=ext4
losetup -d "$dev"
allow "nothing on it any more" "$below" --allow-write="$below" --overwrite=ext4
forget below

# ---- another opener ----
new_loop opened 16M
opened=$dev
opener() { # REDIRECTION DEVICE: a process that has it open
    background sh -c "exec 9$1\"\$2\"; touch \"\$1/ready\"; exec sleep 1000" - "$dir" "$2"
}
opener '<>' "$opened"
is_free "$opened"
refuse "open for writing elsewhere" "it is open in sleep (process $pid)" "$opened" --allow-write="$opened"
end "$pid"
opener '<' "$opened"
refuse "open for reading elsewhere" "it is open in sleep (process $pid)" "$opened" --allow-write="$opened"
end "$pid"
mknod "$dir/opened" b 7 "${opened#/dev/loop}"
opener '<>' "$dir/opened"
refuse "open by a second node" "it is open in sleep (process $pid)" "$opened" --allow-write="$opened"
end "$pid"
opener '<>' "$dir/opened.img"
refuse "its backing file open elsewhere" "the file behind it is open in sleep" "$opened" --allow-write="$opened"
end "$pid"
if addpart "$opened" 1 2048 20000 && [ -b "${opened}p1" ]; then
    opener '<>' "${opened}p1"
    refuse "its partition open elsewhere" "its partition ${opened#/dev/}p1 is open in sleep" \
        "$opened" --allow-write="$opened"
    end "$pid"
    opener '<>' "$opened"
    refuse "the disk of a partition open elsewhere" "its disk ${opened#/dev/} is open in sleep" \
        "${opened}p1" --allow-write="${opened}p1"
    end "$pid"
    delpart "$opened" 1
else
    skip "partitions: addpart does not work here"
fi
allow "closed again" "$opened" --allow-write="$opened"
forget opened

# ---- from inside a container whose view of processes ends at its own ----
if unshare --pid --fork --mount-proc true 2>/dev/null; then
    new_loop inside 16M
    checks=$((checks + 1))
    said=$(unshare --pid --fork --mount-proc "$guard" "$dev" --allow-write="$dev" 2>&1)
    case $said in
    *"who else has it open cannot be told"*) ;;
    *) fail "in a PID namespace: $said" ;;
    esac
else
    skip "a PID namespace: unshare cannot make one here"
fi

# ---- an unwritten zram of our own ----
if [ -r /sys/class/zram-control/hot_add ] && zrams=$(cat /sys/class/zram-control/hot_add); then
    z=/dev/zram$zrams
    echo 16M >"/sys/block/zram$zrams/disksize"
    allow "zram, unwritten" "$z" --allow-write="$z"
    refuse "zram, not named" "it is a block device; --allow-write=$z would allow it" "$z"
else
    skip "zram: not in this kernel"
fi
finish 60
