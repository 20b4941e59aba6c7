#!/bin/sh
# The guard on regular files: only ours or named ones, and nobody else's store.
set -u
. "$(dirname "$0")/guard.inc"
# The sums of refuse and allow are of *.img.
new_file() {
    file=$dir/$1.img
    dd if=/dev/urandom of="$file" bs=64k count=16 status=none
}
new_file theirs
refuse "not ours" "was not made by benchtop; --allow-write=$file would allow it" "$file"
refuse "another file named" "was not made by benchtop" "$file" --allow-write="$dir/nothing"
refuse "a signature is no consent" "was not made by benchtop" "$file" --overwrite=data
allow "named" "$file" --allow-write="$file"
ln -s theirs.img "$dir/link"
refuse "by a symlink" "was not made by benchtop" "$dir/link"
allow "named by a symlink" "$file" --allow-write="$dir/link"
refuse "--readonly" "--readonly" "$file" --allow-write="$file" --readonly
ln "$file" "$dir/hard"
refuse "hard links" "has 2 names" "$file" --allow-write="$file"
rm "$dir/hard"

new_file ours
if said=$("$guard" "$file" --mark); then
    allow "ours" "$file"
    refuse "ours, --readonly" "--readonly" "$file" --readonly
else
    skip "ours: $said"
fi

# Somebody's store, whoever made it and whatever was named.
on_loop "$file"
refuse "behind a loop" "it is the backing file of ${dev#/dev/}" "$file" --allow-write="$file"
losetup -d "$dev"
allow "not behind a loop any more" "$file" --allow-write="$file"
background sh -c 'exec 9<"$2"; touch "$1/ready"; exec sleep 1000' - "$dir" "$file"
refuse "open elsewhere (an image of a guest)" "it is open in sleep (process $pid)" "$file" --allow-write="$file"
end "$pid"
new_file swap
chmod 600 "$file"
if mkswap "$file" >/dev/null 2>&1 && swapon "$file" 2>/dev/null; then
    swaps=$file
    refuse "active swap" "it is active swap" "$file" --allow-write="$file"
    swapoff "$file"
else
    skip "swap file: not on this filesystem"
fi
allow "swap that is not on" "$file" --allow-write="$file"

# A symlink to a device is that device, with its own checks.
new_loop device 16M
ln -s "$dev" "$dir/image"
refuse "a link to a device" "(${dev#/dev/}) is not written: it is a block device" "$dir/image"
allow "a link to a device, named" "$dir/image" --allow-write="$dev"

# A mistyped device name.
typo=/dev/benchtop-guard-test.$$
extra=$typo
if echo x >"$typo" 2>/dev/null; then
    refuse "a file in /dev" "it is a regular file in /dev" "$typo" --allow-write="$typo"
else
    skip "a file in /dev: cannot be made here"
fi
refuse "a file of the kernel" "a file of the kernel" /proc/self/comm --allow-write=/proc/self/comm
refuse "a character device" "it is a character device" /dev/null --allow-write=/dev/null
refuse "a folder" "it is a folder" "$dir" --allow-write="$dir"

mkdir "$dir/ro" && mount -t tmpfs none "$dir/ro" && echo x >"$dir/ro/file" && mount -o remount,ro "$dir/ro" || exit 1
refuse "a read-only filesystem" "Read-only file system" "$dir/ro/file" --allow-write="$dir/ro/file"
finish 20
