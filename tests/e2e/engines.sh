#!/bin/sh
# Every ioengine, with its options, on a loop device: the bytes it counts are the bytes the device counts, and what a
# device cannot do is refused before the start. A file cut under a mapping is an error, not a crash.
set -u
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
for t in losetup jq; do command -v $t >/dev/null || { echo "needs $t"; exit 77; }; done
tmp=$(mktemp -d) || exit 1
loop=
other=
pid=
zram=
cleanup() {
    [ -n "$pid" ] && kill "$pid" && wait "$pid"
    [ -n "$loop" ] && losetup -d "$loop"
    [ -n "$other" ] && losetup -d "$other"
    umount "$tmp/ram"
    [ -n "$zram" ] && echo "$zram" >/sys/class/zram-control/hot_remove
    rm -rf "$tmp"
} 2>/dev/null
trap cleanup EXIT
trap 'exit 130' INT TERM
bad=0
fail() { echo "$1" && bad=1; }
head -c 67108864 /dev/urandom >"$tmp/img"
loop=$(losetup -f --show "$tmp/img") || { echo "no loop device"; exit 77; }
sys=/sys/block/$(basename "$loop")
stat() { awk -v f="$1" '{ print $f }' "$sys/stat"; } # 7: sectors written, 14: discarded, 16: flushes
json=$tmp/out.json
run() { # words: on the loop device
    "$BENCHTOP" run --filename="$loop" --size=8m --bs=4k --allow-write="$loop" --overwrite=data --no-store \
        --output-format=json --output="$json" "$@" 2>"$tmp/err"
}
can_uring() { "$BENCHTOP" run --filename="$loop" --size=1m --ioengine=io_uring --no-store >/dev/null 2>"$tmp/err"; }
counted() { # field of the device's stat, member of the result, words
    field=$1 member=$2
    shift 2
    before=$(stat "$field")
    if ! run "$@"; then
        fail "$*: exit $?: $(cat "$tmp/err")"
        return
    fi
    ours=$(jq ".jobs[0].$member.io_bytes" "$json")
    theirs=$((($(stat "$field") - before) * 512))
    [ "$ours" -gt 0 ] && [ "$ours" = "$theirs" ] || fail "$*: we counted $ours bytes, the device $theirs"
}
engines="psync sync pvsync pvsync2 libaio"
can_uring && engines="$engines io_uring"
for e in $engines; do
    counted 7 write --ioengine="$e" --direct=1 --iodepth=8 --rw=randrw --runtime=300ms --time_based
done
for e in psync libaio $(echo "$engines" | grep -o io_uring); do
    counted 14 trim --ioengine="$e" --iodepth=8 --rw=randtrim --io_size=2m
    counted 7 write --ioengine="$e" --direct=1 --iodepth=8 --rw=write --write_zeroes=1
    [ "$(dd if="$loop" bs=1M count=8 status=none | tr -d '\0' | head -c 1 | wc -c)" = 0 ] || fail "$e: write_zeroes left data"
done
counted 7 write --ioengine=libaio --direct=1 --iodepth=8 --rw=randwrite --cmdprio_percentage=30 --cmdprio_class=2
case $engines in
*io_uring)
    counted 7 write --ioengine=io_uring --direct=1 --iodepth=8 --rw=randwrite --sqthread_poll=1
    counted 7 write --ioengine=io_uring --direct=1 --iodepth=8 --rw=randwrite --force_async=2
    ;;
esac

# What must be safe
run --direct=1 --rw=randwrite --io_size=256k --fdatasync=1 || fail "fdatasync: $(cat "$tmp/err")"
jq -e '.jobs[0] | .sync.total_ios == .write.total_ios' "$json" >/dev/null || fail "fdatasync=1: not after every write"
before=$(stat 16)
run --direct=1 --rw=randwrite --io_size=256k --sync=dsync || fail "dsync: $(cat "$tmp/err")"
n=$(jq '.jobs[0].write.total_ios' "$json")
[ $(($(stat 16) - before)) -ge "$n" ] || fail "sync=dsync: $n writes, $(($(stat 16) - before)) flushes"

# Refused before the start
refused() { # what the sentence must have, words
    has=$1
    shift
    run "$@"
    rc=$?
    [ $rc = 2 ] && grep -q -- "$has" "$tmp/err" || fail "$*: exit $rc: $(cat "$tmp/err")"
    [ "$(wc -l <"$tmp/err")" -le 1 ] || fail "$*: more than a sentence"
}
[ "$(cat "$sys/queue/io_poll")" = 1 ] || refused 'hipri=1: the device of .* no poll queues' --ioengine=pvsync2 --hipri --direct=1 --rw=read
refused 'use libaio or io_uring' --ioengine=posixaio --rw=read
refused 'ioengine=mmap: goes through the page cache' --ioengine=mmap --direct=1 --rw=read
# ramfs punches no holes, so a loop device on it cannot discard.
mkdir "$tmp/ram" && mount -t ramfs none "$tmp/ram" 2>"$tmp/err" && head -c 33554432 /dev/urandom >"$tmp/ram/img" &&
    other=$(losetup -f --show "$tmp/ram/img")
if [ -n "$other" ] && [ "$(cat "/sys/block/$(basename "$other")/queue/discard_max_bytes")" = 0 ]; then
    whole=$loop
    loop=$other
    refused 'cannot discard' --rw=trim
    loop=$whole
fi

# A file that is cut while it is mapped
cp "$tmp/img" "$tmp/cut"
"$BENCHTOP" run --filename="$tmp/cut" --ioengine=mmap --rw=randread --runtime=20s --time_based --no-store >"$tmp/out" 2>&1 &
pid=$!
i=0
while ! grep -qs "$tmp/cut" /proc/[0-9]*/maps && [ $i -lt 200 ]; do sleep 0.05; i=$((i + 1)); done
: >"$tmp/cut"
wait "$pid"
rc=$?
pid=
[ $rc = 1 ] && grep -q "read at offset .* of $tmp/cut: short read at end" "$tmp/out" || fail "a cut file: exit $rc: $(cat "$tmp/out")"

# A device that io_uring must wait for in a thread of its own
if [ "${engines##*io_uring}" = "" ] && zram=$(cat /sys/class/zram-control/hot_add 2>/dev/null) && [ -n "$zram" ]; then
    echo 64M >"/sys/block/zram$zram/disksize"
    "$BENCHTOP" run --filename="/dev/zram$zram" --ioengine=io_uring --direct=1 --iodepth=8 --rw=randread --runtime=2s \
        --time_based --no-store --output-format=json --output="$json" 2>"$tmp/err" || fail "zram: $(cat "$tmp/err")"
    jq -e '[.benchtop.events[] | select(.text | contains("iou-wrk"))] | length == 1' "$json" >/dev/null ||
        fail "zram: not said once that io_uring goes through iou-wrk"
    jq -e '.jobs[0].benchtop.cpu_ns_per_io.helpers > 100' "$json" >/dev/null || fail "zram: helpers cost nothing?"
fi
exit $bad
