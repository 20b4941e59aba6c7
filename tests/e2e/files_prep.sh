#!/bin/sh
# What becomes of files before and after a run: made and not laid out, appended to, filled, kept or removed.
set -u
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
dir=$(mktemp -d) || exit 1
mounted=
cleanup() {
    [ -z "$mounted" ] || umount "$dir/mnt"
    rm -rf "$dir"
}
trap cleanup EXIT
bad=0
fail() {
    echo "$*"
    cat "$dir/log"
    bad=1
}
run() { # exit code, words
    want=$1
    shift
    (cd "$dir/work" && "$BENCHTOP" run --name=a --output-format=json --output="$dir/out.json" "$@") >"$dir/log" 2>&1
    rc=$?
    [ $rc = "$want" ] || fail "$*: exit $rc"
}
fresh() {
    rm -rf "$dir/work"
    mkdir "$dir/work"
}
size() {
    stat -c %s "$dir/work/$1" 2>/dev/null || echo none
}
did() { # jq filter
    jq -e "$1" "$dir/out.json" >/dev/null || fail "not true: $1"
}
fresh
run 0 --size=1m --create_only=1
[ "$(size a.0.0)" = 1048576 ] || fail "create_only: $(size a.0.0) bytes"
did '.jobs[0].read.total_ios == 0'

# Made by this run: removed. There before: kept, and said.
run 0 --size=1m --rw=read --unlink=1
[ "$(size a.0.0)" = 1048576 ] && grep -q 'unlink: 1 files' "$dir/log" || fail "unlink: a file from before"
fresh
run 0 --size=1m --nrfiles=3 --rw=randrw --unlink=1
[ -z "$(ls "$dir/work")" ] || fail "unlink: $(ls "$dir/work") stay"
did '.jobs[0] | .read.io_bytes + .write.io_bytes == 1048572 or .read.io_bytes + .write.io_bytes == 1044480'

# Written without a layout: the file grows as it is written.
fresh
run 0 --size=1m --io_size=64k --rw=write --overwrite=0 --fallocate=none
[ "$(size a.0.0)" = 65536 ] || fail "overwrite=0: $(size a.0.0) bytes"
fresh
run 0 --size=1m --io_size=64k --rw=write --overwrite=0 --fallocate=truncate
[ "$(size a.0.0)" = 1048576 ] || fail "fallocate=truncate: $(size a.0.0) bytes"
fresh
run 0 --size=1m --io_size=64k --rw=write --overwrite=0 --fallocate=keep
[ "$(size a.0.0)" = 65536 ] || fail "fallocate=keep: $(size a.0.0) bytes"
fresh
run 0 --size=1m --io_size=64k --rw=write
[ "$(size a.0.0)" = 1048576 ] || fail "a layout comes first by default: $(size a.0.0) bytes"
run 2 --size=2m --rw=write --overwrite=0 --at='1ms rw=read'
grep -q 'overwrite=0' "$dir/log" || fail "what was not laid out is read"

# Appended: behind what is there; a stranger's file only when it is named.
fresh
run 0 --size=1m --rw=write
run 0 --size=64k --rw=write --file_append=1
[ "$(size a.0.0)" = $((1048576 + 65536)) ] || fail "file_append: $(size a.0.0) bytes"
head -c 10000 /dev/zero >"$dir/work/theirs"
run 2 --filename=theirs --size=64k --rw=write --file_append=1
[ "$(size theirs)" = 10000 ] || fail "a stranger's file grew"
run 0 --filename=theirs --size=64k --rw=write --file_append=1 --allow-write=theirs
[ "$(size theirs)" = 75536 ] || fail "file_append: $(size theirs) bytes"
[ "$(head -c 10000 "$dir/work/theirs" | tr -d '\0' | wc -c)" = 0 ] || fail "file_append wrote over what was there"

# Refused: what has no meaning.
run 2 --rw=read --size=1m --fill_device=1
run 2 --filename=theirs --rw=write --file_append=1
run 2 --size=1m --filename=missing --allow_file_create=0
[ "$(size missing)" = none ] || fail "allow_file_create=0 made a file"

# The page cache is warm after pre_read, whatever invalidate says.
fresh
run 0 --size=4m --rw=randread --pre_read=1 --fadvise_hint=random --write_hint=short
did '.jobs[0].read.io_bytes == 4194304'

# A full filesystem ends the job without an error.
truncate -s 64m "$dir/image"
mkdir "$dir/mnt"
if mkfs.ext4 -q "$dir/image" 2>/dev/null && mount -o loop "$dir/image" "$dir/mnt" 2>/dev/null; then
    mounted=1
    for engine in psync io_uring; do
        rm -f "$dir/mnt/big"
        run 0 --filename="$dir/mnt/big" --rw=write --bs=64k --fill_device=1 --ioengine=$engine --iodepth=4
        [ "$(df --output=avail "$dir/mnt" | tail -1)" -lt 64 ] || fail "fill_device: $(df "$dir/mnt")"
        did '.jobs[0] | .error == 0 and .write.io_bytes > 40000000'
    done
else
    echo "no loop mount: fill_device is not tested"
fi
exit $bad
