#!/bin/sh
# rate_iops_min fails a job that is too slow, with its sentence; a clone that still waits for its startdelay is not slow.
set -u
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
bad=0
run() { "$BENCHTOP" run --ioengine=null --size=1g --rw=randread --bs=4k --rate_iops=100 --time_based "$@" >"$tmp/out" 2>"$tmp/err"; }
for seed in 1 2 3; do # among them one whose clones all begin late
    run --numjobs=3 --startdelay=0-2 --randseed=$seed --rate_iops_min=50 --rate_cycle=300 --runtime=3 ||
        { echo "seed $seed: exit $?: $(cat "$tmp/err")"; bad=1; }
done
run --rate_iops_min=1000 --runtime=5
[ $? = 1 ] && grep -q 'rate_iops_min=1000: clone 0 did .* reads a second' "$tmp/err" || { echo "too slow: $(cat "$tmp/err")"; bad=1; }
exit $bad
