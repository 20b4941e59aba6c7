#!/bin/sh
# Layout on a small filesystem of our own: no space, read-only, killed half-way and continued, stopped, kept.
set -u
fail() { echo "FAIL: $1" && exit 1; }
skip() { echo "$1" && exit 77; }
[ "$(id -u)" = 0 ] || skip "needs root for a loop device"
command -v mkfs.ext4 >/dev/null || skip "needs mkfs.ext4"
dir=$(mktemp -d)
loop=
cleanup() {
    umount "$dir/mnt" 2>/dev/null
    [ -z "$loop" ] || losetup -d "$loop"
    rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
truncate -s 96m "$dir/img"
loop=$(losetup -f --show "$dir/img" 2>/dev/null) || skip "no loop device"
mkfs.ext4 -q -m 0 "$loop" || fail "mkfs"
mkdir "$dir/mnt"
mount "$loop" "$dir/mnt" 2>/dev/null || skip "cannot mount here"
file=$dir/mnt/data

refused() { # what the sentence must hold, options...
    want=$1
    shift
    "$BENCHTOP" run --no-store --output="$dir/out" "$@" 2>"$dir/err"
    rc=$?
    [ $rc = 2 ] || fail "exit $rc instead of 2 for $*: $(cat "$dir/err")"
    [ "$(wc -l <"$dir/err")" = 1 ] || fail "not one sentence: $(cat "$dir/err")"
    grep -q -- "$want" "$dir/err" || fail "no \"$want\" in: $(cat "$dir/err")"
}

# No space: said before a byte is written, and nothing stays.
refused 'no space for its layout' --filename="$file" --size=1g
[ ! -e "$file" ] || fail "a file stays after a refusal for lack of space"

# A layout that is killed goes on where it was; what it had written stays as it was.
"$BENCHTOP" run --no-store --filename="$file" --size=64m --output="$dir/out" 2>"$dir/err" &
pid=$!
n=0
while [ "$(stat -c %s "$file" 2>/dev/null || echo 0)" -lt 4194304 ]; do
    n=$((n + 1))
    [ $n -lt 3000 ] || fail "no layout: $(cat "$dir/err")"
    sleep 0.01
done
child=$(pgrep -P $pid) # the keeper has a child that does the work
kill -9 ${child:-$pid}
wait $pid 2>/dev/null
had=$(stat -c %s "$file")
head -c 4194304 "$file" | md5sum >"$dir/before"
"$BENCHTOP" run --no-store --filename="$file" --size=64m --bs=64k --output-format=json --output="$dir/out" 2>"$dir/err" ||
    fail "the second run: $(cat "$dir/err")"
[ "$(stat -c %s "$file")" = 67108864 ] || fail "the file has $(stat -c %s "$file") bytes"
[ "$(stat -c %b "$file")" -ge 131072 ] || fail "the file has holes"
head -c 4194304 "$file" | md5sum | cmp -s - "$dir/before" || fail "what was laid out ($had bytes) was written again"
[ "$(jq '.jobs[0].read.total_ios' "$dir/out")" = 1024 ] || fail "not all of it was read"

# A whole file is used as it is: same bytes, same time.
stat -c '%i %y' "$file" >"$dir/before"
"$BENCHTOP" run --no-store --filename="$file" --size=64m --bs=64k --output="$dir/out" 2>"$dir/err" || fail "the third run"
stat -c '%i %y' "$file" | cmp -s - "$dir/before" || fail "a whole file was laid out again"

# Growing beyond the free space is refused, and the file keeps its length.
refused 'no space for its layout' --filename="$file" --size=512m
[ "$(stat -c %s "$file")" = 67108864 ] || fail "a refused extension changed the file"

# SIGINT during the layout: the new file goes, exit 130.
rm "$file"
"$BENCHTOP" run --no-store --filename="$file" --size=80m --output="$dir/out" 2>"$dir/err" &
pid=$!
n=0
while [ ! -s "$file" ] && kill -0 $pid 2>/dev/null && [ $n -lt 3000 ]; do
    n=$((n + 1))
    sleep 0.01
done
kill -TERM $pid 2>/dev/null
wait $pid
rc=$?
# The layout may have been quicker than the signal: then the file is whole.
[ ! -e "$file" ] || [ "$(stat -c %s "$file")" = 83886080 ] || fail "a stopped layout left $(stat -c %s "$file") bytes (exit $rc)"
[ $rc = 143 ] || [ $rc = 0 ] || fail "exit $rc after SIGTERM during the layout: $(cat "$dir/err")"
rm -f "$file"

# A read-only filesystem: no file can be made, what is there can be read.
"$BENCHTOP" run --no-store --filename="$file" --size=8m --output="$dir/out" 2>"$dir/err" || fail "8m: $(cat "$dir/err")"
mount -o remount,ro "$dir/mnt" || fail "remount"
refused 'Read-only file system' --filename="$dir/mnt/new" --size=1m
refused 'Read-only file system\|read-only' --filename="$file" --size=16m
"$BENCHTOP" run --no-store --filename="$file" --output-format=json --output="$dir/out" 2>"$dir/err" ||
    fail "reading on a read-only filesystem: $(cat "$dir/err")"
[ "$(jq '.jobs[0].read.total_ios' "$dir/out")" = 2048 ] || fail "not all of 8m was read"
exit 0
