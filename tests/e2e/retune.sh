#!/bin/sh
# A running load is retuned through --at: every change shows in the frames within 100 ms, byte totals equal the
# device's, threads stay but for numjobs.
set -u
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
for t in jq losetup; do command -v $t >/dev/null || { echo "needs $t"; exit 77; }; done
tmp=$(mktemp -d)
loop=
pid=
cleanup() {
    [ -n "$pid" ] && kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
    [ -n "$loop" ] && losetup -d "$loop"
    rm -rf "$tmp"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
head -c 134217728 /dev/urandom >"$tmp/img"
loop=$(losetup -f --show "$tmp/img") || { echo "no loop device"; exit 77; }
dev=$(basename "$loop")
sectors() { awk '{ print $3 }' "/sys/block/$dev/stat"; }
bad=0
false_() { echo "FALSE: $*"; bad=1; }
# A mixed retune writes, so the whole chain needs the guard's word; the image is unknown data.
allow="--allow-write=$loop --overwrite=data"
wsectors() { awk '{ print $7 }' "/sys/block/$dev/stat"; }

run() { # engine
    "$BENCHTOP" run --filename="$loop" --rw=randread --bs=4k --iodepth=4 --ioengine="$1" --direct=1 --runtime=6 --time_based $allow \
        --at='1s iodepth=16' --at='2s bs=16k rw=randrw rwmixread=70' --at='3s rate_iops=500' --at='4s rate_iops=0 numjobs=3' \
        --at='5s numjobs=1' --output-format=ndjson --status-interval=50ms >"$tmp/nd" 2>"$tmp/err" &
    pid=$!
    : >"$tmp/tids"
    : >"$tmp/runnable"
    while kill -0 "$pid" 2>/dev/null; do
        # The workers are threads of the keeper's child.
        for c in $(cat "/proc/$pid/task/$pid/children" 2>/dev/null) "$pid"; do
            for t in /proc/"$c"/task/*/comm; do
                read -r name <"$t" 2>/dev/null && case $name in bt-w*) echo "$t $name" ;; esac
            done
        done 2>/dev/null | sort | tr '\n' ';' >>"$tmp/tids"
        echo >>"$tmp/tids"
        awk '{ print $4 + 0 }' /proc/loadavg >>"$tmp/runnable"
        sleep 0.05
    done
    wait "$pid" || false_ "$1: exit $?: $(cat "$tmp/err")"
    pid=
}
# Beside others who want the same CPUs a change takes what they leave: then it must come, but no time is promised.
crowded() { awk -v cpus="$(nproc)" '{ n += $1 } END { exit !(n > (2 * cpus + 1) * NR) }' "$tmp/runnable"; }
for engine in libaio io_uring psync; do
    r0=$(sectors) w0=$(wsectors)
    run $engine
    r1=$(sectors) w1=$(wsectors)
    jq -s -e . "$tmp/nd" >/dev/null || { false_ "$engine: not ndjson"; continue; }
    late=0.15 seen=5
    crowded && late=0.9 seen=0 && echo "$engine: the machine is busy with other work"
    depth=16
    [ $engine = psync ] && depth=1
    jq -s -e --argjson depth $depth --argjson late $late --arg e $engine '
        # the start of the load: the first frame that runs
        ([.[] | select(.load[0].state == "running")][0].time_ns) as $t0
        | [.[] | select(.load != null and .load[0] != null) | {t: ((.time_ns - $t0) / 1e9), l: .load[0]}] as $f
        | def at($s): [$f[] | select(.t >= $s)][0].l;
        def span($a; $b): [$f[] | select(.t >= $a and .t <= $b) | .l];
        def mean(g): (map(g) | add / length);
        def top(g): (map(g) | max);
        (at(0.9).iodepth == (if $e == "psync" then 1 else 4 end)) and (at(1 + $late).iodepth == $depth)
        and (at(2 + $late) | .bs == 16384 and .rw == "randrw" and .write_iops > 0)
        and (at(1.9).write_iops == 0)
        and ($late > 0.5 or (span(3.2; 3.9) | mean(.read_iops) > 425 and mean(.read_iops) < 575 and mean(.write_iops) < 575))
        and ($late > 0.5 or (span(2.3; 2.9) | top(.read_iops) > 1200))
        and (at(4 + $late).numjobs == 3) and (span(4.2; 4.95) | top(.read_iops) > 1200)
        and (at(5 + $late).numjobs == 1)' "$tmp/nd" >/dev/null || {
        false_ "$engine: a change is not visible in the frames"
        jq -c 'select(.load[0] != null) | [.time_ns/1e9, (.load[0] | .state,.rw,.bs,.iodepth,.numjobs,.read_iops,.write_iops)]' "$tmp/nd" | awk 'NR % 4 == 0'
    }
    total=$(jq -s '[.[].load[0] | select(. != null)][-1] | [.read_total_bytes, .write_total_bytes]' -c "$tmp/nd")
    want="[$(((r1 - r0) * 512)),$(((w1 - w0) * 512))]"
    # The guard's own probing reads are on the device's counters too: writes are exact, reads at least ours.
    echo "$engine: engine $total, diskstats $want"
    awk -v a="$total" -v b="$want" 'BEGIN { split(a, x, /[][,]/); split(b, y, /[][,]/); exit !(x[3] == y[3] && x[2] <= y[2]) }' || false_ "$engine: bytes $total, device $want"
    # Sets of worker threads seen: the first worker is in all of them, three while numjobs=3, one at the end.
    awk -F';' -v least=$seen '{ n = NF - 1; if (n > 0) { seen[n]++; if (first == "") first = $1; if (!index($0, first ";")) moved = 1 } }
        END { exit !(!moved && seen[1] > 4 * least && seen[3] > least) }' "$tmp/tids" || { false_ "$engine: threads"; sort "$tmp/tids" | uniq -c; }
done

# Read only: here the device's counters are the engine's to the byte.
r0=$(sectors)
"$BENCHTOP" run --filename="$loop" --rw=randread --bs=4k --iodepth=8 --ioengine=libaio --direct=1 --runtime=2 --time_based \
    --at='1s bs=8k iodepth=16' --output-format=json >"$tmp/j" || false_ "read-only run"
r1=$(sectors)
[ "$(jq '.jobs[0].read.io_bytes' "$tmp/j")" = $(((r1 - r0) * 512)) ] || false_ "read bytes $(jq '.jobs[0].read.io_bytes' "$tmp/j"), device $(((r1 - r0) * 512))"
exit $bad
