#!/bin/sh
# verify finds one flipped byte among all that was written at depth 32 with overlapping random writes, and says where it
# is; and it never says so without cause. SIZE=4g RUNS=100 for the whole proof (TMPDIR: where the file lies).
set -u
BENCHTOP=${BENCHTOP:-$PWD/${BUILD:-build}/benchtop}
SIZE=${SIZE:-128m} RUNS=${RUNS:-6} FLIPS=${FLIPS:-10}
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
dir=$(mktemp -d) || exit 1
pid=
trap '[ -n "$pid" ] && kill "$pid" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
fails=0
fail() {
    echo "FAIL: $*"
    fails=$((fails + 1))
}
bytes_of() {
    case $1 in
    *g) echo $((${1%g} << 30)) ;;
    *m) echo $((${1%m} << 20)) ;;
    *) echo "$1" ;;
    esac
}
total=$(bytes_of "$SIZE")
file=$dir/data
load() { # SIZE options: rc, and what it says in $dir/json
    size=$1
    shift
    "$BENCHTOP" run --filename="$file" --size="$size" --verify=crc32c --verify_interval=4k --output-format=json \
        --output="$dir/json" "$@" 2>"$dir/stderr"
    rc=$?
}
is() { # FILTER WHAT
    jq -e ".jobs[0].benchtop.verify | $1" "$dir/json" >/dev/null ||
        fail "$2: $(jq -c '.jobs[0].benchtop.verify' "$dir/json") $(head -n 1 "$dir/stderr")"
}
good() { # WHAT
    [ "$rc" = 0 ] || fail "$1: exit $rc: $(head -n 1 "$dir/stderr")"
    is '.failures == 0 and .checked > 0 and .first == null' "$1"
}
byte_at() { od -An -tx1 -j "$1" -N 1 "$file" | tr -d ' \n'; }
poke() { # OFFSET HEX
    printf "\\$(printf %03o $((0x$2)))" | dd of="$file" bs=1 seek="$1" conv=notrunc status=none
}
flip() { poke "$1" "$(printf %02x $((0x$(byte_at "$1") ^ 0x10)))"; }
# A random number below $1, the same in each run.
seed=12345
below() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    high=$seed
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    picked=$(((high * 2147483648 + seed) % $1))
}

# Every block is written, then half as much again over them: all sizes, anywhere, 32 in flight.
load "$SIZE" --rw=write --bs=64k --ioengine=libaio --iodepth=32 --do_verify=0
[ "$rc" = 0 ] || fail "writing: exit $rc: $(cat "$dir/stderr")"
load "$SIZE" --rw=randwrite --bsrange=4k-64k --norandommap --ioengine=libaio --iodepth=32 --io_size=$((total / 2))
good "overlapping writes, read back"
load "$SIZE" --rw=read --bs=256k --ioengine=libaio --iodepth=8
good "a later run reads it"
is ".checked_bytes == $total" "a later run reads all of it"

# One byte, anywhere: found, and its place, and what it was.
n=0
while [ $n -lt "$FLIPS" ]; do
    n=$((n + 1))
    below "$total"
    at=$picked
    [ $n = 1 ] && at=$((at / 4096 * 4096 + 9)) # in a header
    was=$(byte_at "$at")
    flip "$at"
    load "$SIZE" --rw=read --bs=64k --ioengine=libaio --iodepth=8
    [ "$rc" = 1 ] || fail "a flipped byte at $at: exit $rc"
    is ".failures == 1 and .first.offset == $at and .first.reason == \"corrupted\"" "a flipped byte at $at"
    is ".first.expected[0:2] == \"$was\" and .first.found[0:2] == \"$(byte_at "$at")\"" "what was at $at"
    is ".checked_bytes == $total" "the rest is read all the same"
    grep -q "byte $at " "$dir/stderr" || fail "the sentence does not say byte $at: $(cat "$dir/stderr")"
    [ $n = 1 ] && (
        cd "$dir" || exit 1
        load "$SIZE" --rw=read --bs=64k --verify_dump=1
        block=$((at / 4096 * 4096))
        cmp -s "data.$block.expected" "data.$block.received" && exit 1
        [ "$(cmp -l "data.$block.expected" "data.$block.received" | wc -l)" = 1 ]
    ) || [ $n != 1 ] || fail "verify_dump does not show the one byte"
    poke "$at" "$was"
done
load "$SIZE" --rw=randwrite --bs=4k --verify_only --ioengine=libaio --iodepth=32
good "put right again"

# A block in the place of another, and one that was never written.
load 8m --rw=write --bs=4k --ioengine=psync --do_verify=0
dd if="$file" of="$file" bs=4k skip=3 seek=7 count=1 conv=notrunc status=none
load 8m --rw=read --bs=4k
is '.failures == 1 and .first.reason == "misdirected" and .first.block_offset == 28672' "a misdirected block"
dd if=/dev/zero of="$file" bs=4k seek=7 count=1 conv=notrunc status=none
load 8m --rw=read --bs=4k
is '.failures == 1 and .first.reason == "not written" and .first.block_offset == 28672' "a block of zeros"

# The writing run itself sees what goes wrong under it.
"$BENCHTOP" run --filename="$file" --size=4m --verify=crc32c --rw=write --bs=4k --rate=4m --output-format=ndjson \
    --status-interval=50ms >"$dir/live" 2>"$dir/stderr" &
pid=$!
n=0
until jq -es '[.[].load[].write_iops // 0] | map(select(. > 0)) | length > 5' "$dir/live" >/dev/null 2>&1; do
    n=$((n + 1))
    [ $n -lt 400 ] || break
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
done
flip 5000
wait "$pid"
rc=$?
pid=
[ $rc = 1 ] || fail "a byte flipped while it wrote: exit $rc: $(cat "$dir/stderr")"
grep -q "byte 5000 .*corrupted" "$dir/stderr" || fail "a byte flipped while it wrote: $(cat "$dir/stderr")"

# Never without cause.
n=0
while [ $n -lt "$RUNS" ]; do
    n=$((n + 1))
    case $((n % 3)) in
    0) engine=psync ;;
    1) engine=libaio ;;
    2) engine=io_uring ;;
    esac
    "$BENCHTOP" list backends 2>/dev/null | grep -q "^$engine" || engine=libaio
    [ $engine = psync ] && depth=1 || depth=32
    case $((n % 5)) in
    0) set -- --rw=randrw --bsrange=4k-64k --norandommap --loops=3 ;;
    1) set -- --rw=randwrite --bsrange=4k-64k --norandommap --loops=3 ;;
    2) set -- --rw=randwrite --bs=4k --loops=4 --verify_backlog=$((n * 7)) ;;
    3) set -- --rw=randrw --bs=4k,16k --norandommap --random_distribution=zipf:1.2 --loops=3 ;;
    4) set -- --rw=randwrite --bssplit=4k/50:32k/50 --time_based --runtime=0.3 --buffer_compress_percentage=$((n % 90)) ;;
    esac
    load 4m --ioengine=$engine --iodepth=$depth "$@"
    [ "$rc" = 2 ] && grep -q "io_uring" "$dir/stderr" && continue # not allowed here
    good "run $n: $engine $*"
done
[ $fails = 0 ] || exit 1
echo "verify: $FLIPS flips in $SIZE found, $RUNS runs without a false failure"
