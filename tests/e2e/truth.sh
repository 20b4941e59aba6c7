#!/bin/sh
# Ground truth: a loop device throttled to 500 reads a second must read as 500 in the engine, in the device row
# and in iostat beside us; unthrottled, await is iostat's and Little's law holds.
set -u
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
for t in fio iostat jq losetup; do command -v $t >/dev/null || { echo "needs $t"; exit 77; }; done
tmp=$(mktemp -d)
loop=
cg=/sys/fs/cgroup/blkio/benchtop-test.$$
v2=/sys/fs/cgroup/benchtop-test.$$
cleanup() {
    [ -d "$cg" ] && { cat "$cg/cgroup.procs" | while read -r p; do echo "$p" >/sys/fs/cgroup/blkio/cgroup.procs; done; rmdir "$cg"; }
    [ -d "$v2" ] && { cat "$v2/cgroup.procs" | while read -r p; do echo "$p" >/sys/fs/cgroup/cgroup.procs; done; rmdir "$v2"; }
    [ -n "$loop" ] && losetup -d "$loop"
    rm -rf "$tmp"
} 2>/dev/null
trap cleanup EXIT
trap 'exit 130' INT TERM
head -c 268435456 /dev/urandom >"$tmp/img"
loop=$(losetup -f --show "$tmp/img") || { echo "no loop device"; exit 77; }
dev=$(basename "$loop")
mm=$(cat "/sys/block/$dev/dev")
if mkdir "$cg" 2>/dev/null && [ -e "$cg/blkio.throttle.read_iops_device" ]; then
    echo "$mm 500" >"$cg/blkio.throttle.read_iops_device"
    group=$cg
elif mkdir "$v2" 2>/dev/null && [ -e "$v2/io.max" ]; then
    echo "$mm riops=500" >"$v2/io.max"
    group=$v2
else
    echo "no block I/O throttle in a cgroup here"
    exit 77
fi
bad=0
check() { # what, jq condition, file
    jq -e "$2" "$3" >/dev/null || { echo "FALSE: $1: $2"; bad=1; }
}
near() { # what, value, reference, tolerance
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a >= b * (1 - t) && a <= b * (1 + t)) }' || { echo "FALSE: $1: $2 is not $3 +- $4"; bad=1; }
}

# 1. Throttled: 8 s at depth 4, frames each second, iostat over the same seconds.
iostat -x -o JSON -d "$dev" 1 9 >"$tmp/iostat.json" &
ios=$!
sh -c "echo \$\$ >$group/cgroup.procs; exec $BENCHTOP run --filename=$loop --rw=randread --bs=4k --iodepth=4 --ioengine=libaio \
    --direct=1 --runtime=8 --time_based --output-format=ndjson --status-interval=1s" >"$tmp/nd" || bad=1
wait $ios
jq -s -c '[.[2:8][] | .load[0].read_iops] | add / length' "$tmp/nd" >"$tmp/engine"
jq -s -c "[.[2:8][] | .devices[] | select(.name == \"$dev\") | .read_iops] | add / length" "$tmp/nd" >"$tmp/row"
near "engine reads/s" "$(cat "$tmp/engine")" 500 0.02
near "device reads/s" "$(cat "$tmp/row")" 500 0.02
ir=$(jq "[.sysstat.hosts[0].statistics[2:8][].disk[0][\"r/s\"]] | add / length" "$tmp/iostat.json")
near "iostat reads/s beside us" "$ir" "$(cat "$tmp/row")" 0.02
ik=$(jq "[.sysstat.hosts[0].statistics[2:8][].disk[0][\"rkB/s\"]] | add / length * 1024" "$tmp/iostat.json")
ob=$(jq -s "[.[2:8][] | .devices[] | select(.name == \"$dev\") | .read_bytes_per_s] | add / length" "$tmp/nd")
near "iostat throughput beside us" "$ik" "$ob" 0.02
sh -c "echo \$\$ >$group/cgroup.procs; exec $BENCHTOP run --filename=$loop --rw=randread --bs=4k --iodepth=4 --ioengine=libaio \
    --direct=1 --runtime=4 --time_based --output-format=json" >"$tmp/j" || bad=1
m=$(jq '.jobs[0].read.clat_ns.mean' "$tmp/j")
near "Little: mean clat = depth / rate" "$m" "$(jq '4 / .jobs[0].read.iops * 1e9' "$tmp/j")" 0.03

# 2. Unthrottled at depth 8: Little's law, iostat's await beside ours, our clat is fio's lat.
iostat -x -o JSON -d "$dev" 1 7 >"$tmp/iostat.json" &
ios=$!
"$BENCHTOP" run --filename="$loop" --rw=randread --bs=4k --iodepth=8 --ioengine=libaio --direct=1 --runtime=6 --time_based \
    --output-format=ndjson --status-interval=1s >"$tmp/nd" || bad=1
wait $ios
ours=$(jq -s "[.[2:5][] | .devices[] | select(.name == \"$dev\") | .read_await_ms] | add / length" "$tmp/nd")
theirs=$(jq "[.sysstat.hosts[0].statistics[2:5][].disk[0].r_await] | add / length" "$tmp/iostat.json")
awk -v a="$ours" -v b="$theirs" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= 0.01 + 0.05 * b) }' || { echo "FALSE: r_await $ours, iostat $theirs"; bad=1; }
"$BENCHTOP" run --filename="$loop" --rw=randread --bs=4k --iodepth=8 --ioengine=libaio --direct=1 --runtime=2 --time_based \
    --output-format=json >"$tmp/j" || bad=1
near "Little at depth 8" "$(jq '.jobs[0].read.clat_ns.mean * .jobs[0].read.iops / 1e9' "$tmp/j")" 8 0.03
check "bins sum to N, N is total_ios" '.jobs[0].read | .clat_ns.N == .total_ios and ([.clat_ns.bins[]] | add) == .total_ios' "$tmp/j"
exit $bad
