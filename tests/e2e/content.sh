#!/bin/sh
# What arrives in the file is as compressible and as repeated as was asked, through every engine, at any depth.
set -u
BENCHTOP=${BENCHTOP:-$PWD/${BUILD:-build}/benchtop}
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
fails=0
fail() {
    echo "FAIL: $*"
    fails=$((fails + 1))
}
cat >"$dir/measure.py" <<'P'
import sys, zlib
name, bs, compress, dedupe = sys.argv[1], *map(int, sys.argv[2:5])
data = open(name, 'rb').read()
block = [data[i:i + bs] for i in range(0, len(data), bs)]
saved = 100 - 100 * sum(len(zlib.compress(b)) for b in block) / len(data)
repeated = 100 - 100 * len(set(block)) / len(block)
print('saves %.2f %%, repeats %.2f %%' % (saved, repeated))
sys.exit(abs(max(saved, 0) - compress) > 2 or abs(repeated - dedupe) > 2)
P
# content BS COMPRESS DEDUPE options: written once, each block
content() {
    bs=$1 compress=$2 dedupe=$3
    shift 3
    rm -f "$dir/data"
    "$BENCHTOP" run --filename="$dir/data" --size=4m --bs="$bs" "$@" >/dev/null 2>"$dir/stderr"
    rc=$?
    [ $rc = 2 ] && grep -q io_uring "$dir/stderr" && return # not allowed here
    [ $rc = 0 ] || { fail "bs=$bs $*: exit $rc: $(cat "$dir/stderr")"; return; }
    said=$(python3 "$dir/measure.py" "$dir/data" "$bs" "$compress" "$dedupe") ||
        fail "bs=$bs $*: asked for $compress and $dedupe, $said"
}
for engine in psync libaio io_uring; do
    depth=16
    case $engine in psync) depth=1 ;; esac
    set -- --ioengine=$engine --iodepth=$depth
    content 4096 0 0 "$@" --rw=write
    content 4096 0 0 "$@" --rw=randwrite --refill_buffers
    content 4096 50 0 "$@" --rw=write --buffer_compress_percentage=50
    content 16384 30 0 "$@" --rw=randwrite --buffer_compress_percentage=30
    content 65536 80 0 "$@" --rw=randwrite --buffer_compress_percentage=80 --buffer_compress_chunk=4k
    content 4096 0 30 "$@" --rw=randwrite --dedupe_percentage=30
    content 8192 0 70 "$@" --rw=write --dedupe_percentage=70 --dedupe_mode=working_set
    content 8192 60 40 "$@" --rw=randwrite --dedupe_percentage=40 --buffer_compress_percentage=60
done
# A pattern is the whole of it, with the options of before and behind.
content 4096 100 100 --rw=write --ioengine=psync --zero_buffers
[ "$(tr -d '\0' <"$dir/data" | wc -c)" = 0 ] || fail "zero_buffers: not only zeros"
content 4096 98 100 --rw=write --ioengine=psync '--buffer_pattern="abcd"-12'
[ "$(od -An -tx1 -N8 "$dir/data" | tr -d ' ')" = 61626364f4ffffff ] || fail "buffer_pattern: $(od -An -tx1 -N8 "$dir/data")"
[ $fails = 0 ] || exit 1
