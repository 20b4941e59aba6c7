#!/bin/sh
# Two hundred changes of every live knob in one run: nothing lost or counted twice, no worker started anew but by
# numjobs, each change taken within 100 ms. Reads alone, so that the device's own counter is ours to the byte.
set -u
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
for t in jq losetup; do command -v $t >/dev/null || { echo "needs $t"; exit 77; }; done
tmp=$(mktemp -d)
loop=
cleanup() {
    [ -n "$loop" ] && losetup -d "$loop"
    rm -rf "$tmp"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
head -c 67108864 /dev/urandom >"$tmp/img"
loop=$(losetup -f --show "$tmp/img") || { echo "no loop device"; exit 77; }
dev=$(basename "$loop")
sectors() { awk '{ print $3 }' "/sys/block/$dev/stat"; }
bad=0
false_() { echo "FALSE: $*"; bad=1; }
# Numbers that look random and are the same each time; numjobs goes up and down, so that one worker stays throughout.
awk 'BEGIN {
    split("iodepth=1 iodepth=4 iodepth=32 iodepth=128 iodepth=300 iodepth=8", d, " "); split("bs=4k bs=16k bs=512 bs=64k bs=8k bs=128k", b, " ")
    split("rw=read rw=randread", w, " "); split("rate_iops=2k rate_iops=0 rate_iops=500", r, " "); split("rate=20m rate=0", y, " ")
    split("thinktime=100 thinktime=0", t, " "); split("numjobs=2 numjobs=1 numjobs=4 numjobs=1", n, " ")
    split("thinktime_blocks=3 thinktime_blocks=1", k, " "); split("rate_process=poisson rate_process=linear", p, " ")
    for (i = 0; i < 200; i++) {
        c = i % 8; m = int(i / 8)
        s = c == 0 ? d[m % 6 + 1] : c == 1 ? b[m % 6 + 1] : c == 2 ? w[m % 2 + 1] : c == 3 ? (m % 5 ? "iodepth=" (m + 2) : n[m / 5 % 4 + 1]) \
          : c == 4 ? r[m % 3 + 1] " rate=0" : c == 5 ? "rate_iops=0 " y[m % 2 + 1] : c == 6 ? t[m % 2 + 1] " " k[m % 2 + 1] : p[m % 2 + 1] " rate=0 rate_iops=0 thinktime=0"
        printf "--at=%dms %s\n", 300 + i * 60, s
    }
}' >"$tmp/at"
for engine in libaio io_uring; do
    set -- --filename="$loop" --rw=randread --bs=4k --iodepth=8 --ioengine=$engine --direct=1 --runtime=13 --time_based
    while read -r at; do set -- "$@" "$at"; done <"$tmp/at"
    r0=$(sectors)
    "$BENCHTOP" run "$@" --group_reporting --output-format=json --output="$tmp/j" 2>"$tmp/err" &
    pid=$!
    : >"$tmp/tids"
    while kill -0 $pid 2>/dev/null; do
        for c in $(cat "/proc/$pid/task/$pid/children" 2>/dev/null); do
            for t in /proc/"$c"/task/*/comm; do
                read -r name <"$t" 2>/dev/null && [ "$name" = bt-w0 ] && echo "$t"
            done
        done 2>/dev/null >>"$tmp/tids"
        sleep 0.2
    done
    wait $pid || { false_ "$engine: exit $?: $(cat "$tmp/err")"; continue; }
    r1=$(sectors)
    [ "$(jq '.jobs[0].benchtop.retunes | length' "$tmp/j")" = 200 ] || false_ "$engine: $(jq '.jobs[0].benchtop.retunes | length' "$tmp/j") retunes"
    [ "$(jq '.jobs[0].read.io_bytes' "$tmp/j")" = $(((r1 - r0) * 512)) ] || false_ "$engine: bytes $(jq '.jobs[0].read.io_bytes' "$tmp/j"), device $(((r1 - r0) * 512))"
    jq -e '.jobs[0].read | .total_ios == .clat_ns.N and .total_ios > 10000' "$tmp/j" >/dev/null || false_ "$engine: $(jq -c '.jobs[0].read | [.total_ios, .clat_ns.N]' "$tmp/j")"
    [ "$(sort -u "$tmp/tids" | wc -l)" = 1 ] || false_ "$engine: the first worker was not one thread: $(sort -u "$tmp/tids" | tr '\n' ' ')"
    jq -r --arg e $engine '[.jobs[0].benchtop.retunes[] | (.applied_ns - .at_ns) / 1e6] | sort | "\($e): taken after \(.[length / 2 | floor]) ms (median), \(.[length * 0.95 | floor]) ms (p95), \(.[-1]) ms (longest)"' "$tmp/j"
    # Beside others who want the CPUs one may come late; never one that did not come.
    jq -e '[.jobs[0].benchtop.retunes[] | select(.applied_ns > 0)] | length == 200' "$tmp/j" >/dev/null || false_ "$engine: some were never taken"
    jq -e '[.jobs[0].benchtop.retunes[] | (.applied_ns - .at_ns) / 1e6] | sort | .[length / 2 | floor] <= 100' "$tmp/j" >/dev/null || false_ "$engine: taken late"
done
exit $bad
