#!/bin/sh
# make bench: benchtop against fio in alternation (ABBA, PAIRS pairs, default 7), same settings, same minute.
# Prints IOPS of each, the median of the pairwise ratios (ours / fio's; 1.0 = as fast) and user CPU per I/O.
# Then the cost of the console itself: drawing and sampling at 10 Hz on a terminal of 200x60.
# Needs root for the zram rows; measure on a quiet machine.
set -u
cd "$(dirname "$0")/.." || exit 2
B=${BUILD:-build}/benchtop
PAIRS=${PAIRS:-7}
SECS=${SECS:-2}
ONLY=${1:-}
command -v fio >/dev/null && command -v jq >/dev/null || { echo "bench: needs fio and jq"; exit 1; }
tmp=$(mktemp -d)
file=${BENCH_DIR:-$PWD/${BUILD:-build}}/bench.scratch
zram=
cleanup() {
    rm -rf "$tmp" "$file"
    [ -z "$zram" ] || { echo 1 >"/sys/block/zram$zram/reset"; echo "$zram" >/sys/class/zram-control/hot_remove; } 2>/dev/null
}
trap cleanup EXIT
trap 'exit 130' INT TERM

Q='.jobs[0] | [.read.iops + .write.iops, (.usr_cpu*10000000/((.read.iops + .write.iops)+0.001))] | @tsv'
ours() { "$B" run "$@" --runtime="$SECS" --time_based --output-format=json 2>>"$tmp/err" | jq -r "$Q"; }
fios() { fio --name=x --thread --readonly "$@" --runtime="$SECS" --time_based --output-format=json 2>>"$tmp/err" | jq -r "$Q"; }

row() { # label, options…
    label=$1
    shift
    case $label in *"$ONLY"*) ;; *) return ;; esac
    : >"$tmp/pairs"
    i=0
    while [ $i -lt "$PAIRS" ]; do
        if [ $((i % 2)) = 0 ]; then a=$(ours "$@") b=$(fios "$@"); else b=$(fios "$@") a=$(ours "$@"); fi
        echo "$a $b" >>"$tmp/pairs"
        i=$((i + 1))
    done
    awk -v label="$label" '
        NF == 4 { n++; r[n] = $1 / $3; a[n] = $1; b[n] = $3; ua[n] = $2; ub[n] = $4 }
        function med(v, n,   i, j, t) { for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j-1] > v[j]; j--) { t = v[j]; v[j] = v[j-1]; v[j-1] = t }
            return n % 2 ? v[(n+1)/2] : (v[n/2] + v[n/2+1]) / 2 }
        END { if (!n) { printf "%-28s no result\n", label; exit }
            m = med(r, n); printf "%-28s %9.0f %9.0f   %5.2f  (%.2f-%.2f, %d pairs)  user ns/IO %4.0f vs %4.0f\n", label, med(a, n), med(b, n), m, r[1], r[n], n, med(ua, n), med(ub, n) }' "$tmp/pairs"
}

console() { # label, options…
    case $1 in *"$ONLY"*) ;; *) return ;; esac
    label=$1
    shift
    "${BUILD:-build}/tests/bench_console" "$label" "$B" "$@"
}

printf '%-28s %9s %9s   %5s\n' "4k randread" "ours" "fio" "ratio"
row "null d1" --ioengine=null --size=1g --rw=randread --bs=4k
if [ "$(id -u)" = 0 ] && [ -r /sys/class/zram-control/hot_add ]; then
    zram=$(cat /sys/class/zram-control/hot_add)
    echo 1g >"/sys/block/zram$zram/disksize"
    Z="--filename=/dev/zram$zram --rw=randread --bs=4k --direct=1"
    row "zram psync d1" $Z --ioengine=psync
    row "zram libaio d1" $Z --ioengine=libaio
    row "zram libaio d32" $Z --ioengine=libaio --iodepth=32
fi
"$B" run --filename="$file" --size=256m --rw=read --bs=1m --output-format=json >/dev/null || { echo "bench: no scratch file"; exit 1; }
cat "$file" >/dev/null
C="--filename=$file --size=256m --rw=randread --bs=4k --invalidate=0"
row "page cache psync d1" $C --ioengine=psync
row "page cache libaio d1" $C --ioengine=libaio
row "page cache libaio d32" $C --ioengine=libaio --iodepth=32
row "page cache io_uring d1" $C --ioengine=io_uring
row "page cache io_uring d32" $C --ioengine=io_uring --iodepth=32
D="--filename=$file --size=256m --rw=randread --bs=4k --direct=1"
row "direct psync d1" $D --ioengine=psync
row "direct libaio d1" $D --ioengine=libaio
row "direct libaio d32" $D --ioengine=libaio --iodepth=32
row "direct io_uring d32" $D --ioengine=io_uring --iodepth=32
M="--filename=$file --size=256m --rw=randrw --bs=4k --direct=1 --ioengine=io_uring --iodepth=8"
console "console 200x60 randread" $D --ioengine=io_uring --iodepth=8
console "console 200x60 randrw dark" $M --theme=dark
[ ! -s "$tmp/err" ] || sort "$tmp/err" | uniq -c | head -5 >&2
