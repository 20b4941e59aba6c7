#!/bin/sh
# make bench: benchtop against fio in alternation (ABBA, PAIRS pairs, default 7), same settings, same minute.
#     tests/bench.sh [WORD]   only the rows whose label holds WORD
# A row: IOPS of each (medians), the median of the pairwise ratios with its range (1.0 = as fast), user and system
# CPU time of the workers an I/O (ours / fio's), the goal and whether it was met. Rows on a device also compare the
# bytes of every run of ours with the device's own counter. SECS (2) is the length of a run, CPU_SECS (10) of those
# where CPU time is judged: it is counted in ticks. Then the cost of the console itself: drawing and sampling at
# 10 Hz on a terminal of 200x60. T_IO_URING=PATH of fio's t/io_uring (built from its sources) runs that, too, in every
# pair, at the same depth and batch, and prints ours as a part of it: goal 0.95. Needs root for the zram rows; measure on a quiet machine.
set -u
cd "$(dirname "$0")/.." || exit 2
B=${BUILD:-build}/benchtop
PAIRS=${PAIRS:-7}
SECS=${SECS:-2}
CPU_SECS=${CPU_SECS:-10}
ONLY=${1:-}
command -v fio >/dev/null && command -v jq >/dev/null || { echo "bench: needs fio and jq"; exit 1; }
tmp=$(mktemp -d)
dir=${BENCH_DIR:-$PWD/${BUILD:-build}}
file=$dir/bench.scratch
zram=
cleanup() {
    rm -rf "$tmp" "$file"
    [ -z "$zram" ] || { echo 1 >"/sys/block/zram$zram/reset"; echo "$zram" >/sys/class/zram-control/hot_remove; } 2>/dev/null
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# IOPS, user and system ns an I/O, bytes: of all rows, since fio may give one a clone.
Q='[.jobs[] | . as $j | .read, .write | {iops, io_bytes, n: .total_ios,
        user: ($j.usr_cpu / 100 * .runtime * 1e6), sys: ($j.sys_cpu / 100 * .runtime * 1e6)}] |
   (map(.n) | add + 0.001) as $n |
   [(map(.iops) | add), (map(.user) | add) * $clones / $n, (map(.sys) | add) * $clones / $n,
    (map(.io_bytes) | add)] | @tsv'
numbers() { jq -r --argjson clones "$clones" "$Q"; }
ours() { "$B" run "$@" --runtime="$secs" --time_based --group_reporting --output-format=json 2>>"$tmp/err" | numbers; }
fios() {
    fio --name=x --thread --readonly "$@" $also --runtime="$secs" --time_based --group_reporting \
        --output-format=json 2>>"$tmp/err" | numbers
}

sectors() { [ -z "$dev" ] || awk '{ print $3 + $7 }' "/sys/dev/block/$dev/stat"; }

# t/io_uring's mean IOPS with the options of a row: requests handed over one by one where the device completes them so.
peer() {
    t_file= t_engine= t_depth=1 t_bs=4096 t_random=0 t_direct=0 t_batch=32
    for o in "$@"; do
        v=${o#*=}
        case $o in
        --filename=*) t_file=$v ;;
        --ioengine=psync) t_engine="-S1 -B0 -F0" ;;
        --ioengine=libaio) t_engine="-a1 -B0 -F0" ;;
        --ioengine=io_uring) t_engine="-B1 -F1 -X1" ;;
        --iodepth=*) t_depth=$v ;;
        --bs=*) t_bs=$(echo "$v" | awk '{ print $1 * (/m$/ ? 1048576 : /k$/ ? 1024 : 1) }') ;;
        --rw=rand*) t_random=1 ;;
        --direct=*) t_direct=$v ;;
        esac
    done
    [ -n "$t_file" ] || return 0
    [ -z "$shared" ] || t_batch=1
    [ "$t_batch" -le "$t_depth" ] || t_batch=$t_depth
    "$T_IO_URING" -p0 $t_engine -n"$clones" -d"$t_depth" -s"$t_batch" -c"$t_batch" -b"$t_bs" -R$t_random -O"$t_direct" \
        -r$((secs + 1)) "$t_file" 2>>"$tmp/err" | awk -F'[=,]' '/^IOPS=/ { v = $2 + 0; if ($2 ~ /K/) v *= 1e3; if ($2 ~ /M/) v *= 1e6
            sum += v; n++ } END { if (n) printf "%.0f", sum / n }'
}

# A pair of runs, whichever first, and what the device counted during ours (0: no device).
pair() { # parity, options…
    parity=$1
    shift
    [ "$parity" = 0 ] || b=$(fios "$@")
    before=$(sectors)
    a=$(ours "$@")
    after=$(sectors)
    t=
    [ -z "${T_IO_URING:-}" ] || t=$(peer "$@")
    [ "$parity" = 1 ] || b=$(fios "$@")
    echo "$a $b $(((${after:-0} - ${before:-0}) * 512)) ${t:-0}"
}

# A row of the table. Goals: the least ratio of IOPS ("-": none), and of ours, the most user time as a part of fio's.
row() { # label, goal, most user time, options…
    label=$1 goal=$2 user=$3
    shift 3
    case $label in *"$ONLY"*) ;; *) return ;; esac
    clones=1 secs=$SECS
    [ "$user" = - ] || secs=$CPU_SECS
    for o in "$@"; do case $o in --numjobs=*) clones=${o#*=} ;; esac; done
    : >"$tmp/pairs"
    i=0
    while [ $i -lt "$PAIRS" ]; do
        pair $((i % 2)) "$@" >>"$tmp/pairs"
        i=$((i + 1))
    done
    awk -v label="$label" -v goal="$goal" -v most="$user" -v dev="$dev" -v shared="$shared" '
        NF == 10 { n++; if ($10 > 0) { p[++np] = $10; q[np] = $1 / $10 }
            r[n] = $1 / $5; a[n] = $1; b[n] = $5; ua[n] = $2; ub[n] = $6; sa[n] = $3; sb[n] = $7
            if (dev != "" && $9 != $4 && !(shared && $9 > $4 && $9 < 1.05 * $4)) off[++noff] = sprintf("%.0f of %.0f", $9, $4) }
        function med(v, n,   i, j, t) { for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j-1] > v[j]; j--) { t = v[j]; v[j] = v[j-1]; v[j-1] = t }
            return n % 2 ? v[(n+1)/2] : (v[n/2] + v[n/2+1]) / 2 }
        END { if (!n) { printf "%-30s no result\n", label; exit }
            m = med(r, n); u = med(ua, n); f = med(ub, n); ok = 1; want = ""
            if (goal != "-") { want = ">= " goal; ok = m >= goal }
            if (most != "-") { want = want " user <= " most; if (u > most * f) ok = 0 }
            if (want == "") verdict = ""; else verdict = ok ? "met" : "MISSED"
            printf "%-30s %9.0f %9.0f  %5.2f %5.2f-%-5.2f %6.0f /%6.0f %6.0f /%6.0f  %-22s %s\n", label, med(a, n), med(b, n), m, r[1], r[n], u, f, med(sa, n), med(sb, n), want, verdict
            if (np) { m = med(q, np); printf "%-30s %9s %9.0f  %5.2f %5.2f-%-5.2f %30s  %-22s %s\n", "    of t/io_uring", "", med(p, np), m, q[1], q[np], "", ">= 0.95", (m >= 0.95 ? "met" : "MISSED") }
            for (i = 1; i <= noff; i++) print "    the device counted other bytes than the result: " off[i] }' "$tmp/pairs"
}

# Ours alone: wall and user time an I/O of a worker that never waits.
alone() { # label, most ns, options…
    label=$1 goal=$2
    shift 2
    case $label in *"$ONLY"*) ;; *) return ;; esac
    clones=1 secs=$SECS
    : >"$tmp/runs"
    i=0
    while [ $i -lt "$PAIRS" ]; do
        ours "$@" >>"$tmp/runs"
        i=$((i + 1))
    done
    sort -n "$tmp/runs" | awk -v label="$label" -v goal="$goal" 'NF == 4 { n++; a[n] = $1; u[n] = $2 }
        END { if (!n) { printf "%-30s no result\n", label; exit }
            m = a[int((n + 1) / 2)]; ns = 1e9 / m
            printf "%-30s %9.0f %9s  %5.1f ns an I/O (%.1f-%.1f), user %.1f  %27s %s\n", label, m, "", ns, 1e9 / a[n], 1e9 / a[1], u[int((n + 1) / 2)], "<= " goal " ns", ns <= goal ? "met" : "MISSED" }'
}

console() { # label, options…
    case $1 in *"$ONLY"*) ;; *) return ;; esac
    label=$1
    shift
    "${BUILD:-build}/tests/bench_console" "$label" "$B" "$@"
}

also= dev= shared=
printf '%-30s %9s %9s  %5s %11s %14s %14s  %s\n' "4k randread, $PAIRS pairs" ours fio ratio range "user ns/IO" \
    "system ns/IO" goal
alone "null batch 1" 90 --ioengine=null --size=1g --rw=randread --bs=4k
alone "null batch 32" 60 --ioengine=null --size=1g --rw=randread --bs=4k --iodepth=32
row "null d1" - - --ioengine=null --size=1g --rw=randread --bs=4k
if [ "$(id -u)" = 0 ] && [ -r /sys/class/zram-control/hot_add ]; then
    zram=$(cat /sys/class/zram-control/hot_add)
    echo 1g >"/sys/block/zram$zram/disksize"
    dev=$(cat "/sys/block/zram$zram/dev")
    Z="--filename=/dev/zram$zram --rw=randread --bs=4k --direct=1"
    row "zram psync d1" 1.4 - $Z --ioengine=psync
    row "zram libaio d1" - - $Z --ioengine=libaio
    row "zram libaio d32" 1.8 - $Z --ioengine=libaio --iodepth=32
    also="--iodepth_batch=16 --iodepth_batch_complete=16"
    row "zram libaio d32, fio batch 16" 1.2 - $Z --ioengine=libaio --iodepth=32
    also=
    row "zram libaio d32, 2 jobs" 1.4 - $Z --ioengine=libaio --iodepth=32 --numjobs=2
    dev=
else
    echo "the zram rows need root and the module zram"
fi
"$B" run --filename="$file" --size=256m --rw=read --bs=1m --output-format=json >/dev/null || { echo "bench: no scratch file"; exit 1; }
cat "$file" >/dev/null
C="--filename=$file --size=256m --rw=randread --bs=4k --invalidate=0"
row "page cache psync d1" 1.2 - $C --ioengine=psync
row "page cache io_uring d1" 1.2 - $C --ioengine=io_uring
row "page cache io_uring d32" 1.25 - $C --ioengine=io_uring --iodepth=32
row "page cache libaio d1" - - $C --ioengine=libaio
row "page cache libaio d32" - - $C --ioengine=libaio --iodepth=32
# The filesystem's own device, where it has one; others may use it, too.
dev=$(stat -c '%Hd:%Ld' "$file") shared=1
[ -r "/sys/dev/block/$dev/stat" ] || dev=
fs=$(stat -f -c %T "$dir")
[ "$fs" != ext2/ext3 ] || fs=ext4
D="--filename=$file --size=256m --bs=4k --direct=1"
row "$fs direct psync d1" 0.97 0.33 $D --rw=randread --ioengine=psync
row "$fs direct io_uring d1" 0.97 0.33 $D --rw=randread --ioengine=io_uring
row "$fs direct io_uring d32" 0.97 0.33 $D --rw=randread --ioengine=io_uring --iodepth=32
row "$fs direct libaio d32" 0.97 0.33 $D --rw=randread --ioengine=libaio --iodepth=32
for bs in 64k 256k 1m; do
    row "$fs direct io_uring read $bs d8" 0.97 0.33 --filename="$file" --size=256m --bs=$bs --direct=1 --rw=read \
        --ioengine=io_uring --iodepth=8
done
M="$D --rw=randrw --ioengine=io_uring --iodepth=8"
console "console 200x60 randread" $D --rw=randread --ioengine=io_uring --iodepth=8
console "console 200x60 randrw dark" $M --theme=dark
[ ! -s "$tmp/err" ] || sort "$tmp/err" | uniq -c | head -5 >&2
