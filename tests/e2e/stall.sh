#!/bin/sh
# Honest latency: a device that stands still for a second in a run of 1000 IOPS. The service time of the few requests
# that were in it says little; the response time, from when each was meant to start, says what a user saw.
set -u
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
for t in jq losetup; do command -v $t >/dev/null || { echo "needs $t"; exit 77; }; done
tmp=$(mktemp -d)
loop=
cg=/sys/fs/cgroup/blkio/benchtop-stall.$$
v2=/sys/fs/cgroup/benchtop-stall.$$
cleanup() {
    [ -d "$cg" ] && { while read -r p; do echo "$p" >/sys/fs/cgroup/blkio/cgroup.procs; done <"$cg/cgroup.procs"; rmdir "$cg"; }
    [ -d "$v2" ] && { while read -r p; do echo "$p" >/sys/fs/cgroup/cgroup.procs; done <"$v2/cgroup.procs"; rmdir "$v2"; }
    [ -n "$loop" ] && losetup -d "$loop"
    rm -rf "$tmp"
} 2>/dev/null
trap cleanup EXIT
trap 'exit 130' INT TERM
head -c 67108864 /dev/urandom >"$tmp/img"
loop=$(losetup -f --show "$tmp/img") || { echo "no loop device"; exit 77; }
mm=$(cat "/sys/block/$(basename "$loop")/dev")
if mkdir "$cg" 2>/dev/null && [ -e "$cg/blkio.throttle.read_iops_device" ]; then
    group=$cg
    reads() { echo "$mm $1" >"$cg/blkio.throttle.read_iops_device"; }
    free=0
elif mkdir "$v2" 2>/dev/null && [ -e "$v2/io.max" ]; then
    group=$v2
    reads() { echo "$mm riops=$1" >"$v2/io.max"; }
    free=max
else
    echo "no block I/O throttle in a cgroup here"
    exit 77
fi
bad=0
check() { # what, jq condition
    jq -e "$2" "$tmp/j" >/dev/null || {
        echo "FALSE: $1: $2"
        jq -c '.jobs[0] | [.read.iops, .read.clat_ns.percentile."99.000000", .benchtop.rlat_ns.read.percentile]' "$tmp/j"
        bad=1
    }
}
# A second of 5 is far more than one request in a hundred.
for engine in psync libaio io_uring; do
    reads $free
    sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$BENCHTOP" run --filename="$loop" --rw=randread --bs=4k --direct=1 \
        --ioengine=$engine --iodepth=4 --rate_iops=1000 --runtime=5 --time_based --output-format=json --output="$tmp/j" 2>"$tmp/err" &
    pid=$!
    sleep 2 # in the middle of the run
    reads 1
    sleep 1.2
    reads $free
    wait $pid || { echo "FALSE: $engine: exit $?: $(cat "$tmp/err")"; bad=1; continue; }
    jq -r --arg e $engine '.jobs[0] | "\($e): service p99 \(.read.clat_ns.percentile."99.000000" / 1e6 * 1000 | round / 1000) ms, response p99 \(.benchtop.rlat_ns.read.percentile."99.000000" / 1e6 | round) ms, \(.read.iops | round) IOPS"' "$tmp/j"
    check "$engine: both are there" '.jobs[0] | .read.clat_ns.N == .read.total_ios and .benchtop.rlat_ns.read.N == .read.total_ios'
    check "$engine: the stall is in the response time" '.jobs[0].benchtop.rlat_ns.read.percentile."99.000000" >= 9e8'
    check "$engine: few requests stood in it" '.jobs[0].read.clat_ns.percentile."99.000000" < 5e8'
    check "$engine: the longest service is the stall" '.jobs[0].read.clat_ns.max >= 9e8'
    check "$engine: the schedule was kept" '.jobs[0].read.iops > 990 and .jobs[0].read.iops < 1005'
    check "$engine: nothing takes no time" '.jobs[0] | .read.clat_ns.min > 0 and .benchtop.rlat_ns.read.min > 0'
done
exit $bad
