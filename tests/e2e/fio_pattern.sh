#!/bin/sh
# What a job's size, order and limits amount to is what the installed fio does with the same words: the same number of
# requests and bytes where both are exact, the same sizes and directions to within chance where they are drawn.
set -u
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
command -v fio >/dev/null || { echo "fio is not installed"; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0
"$BENCHTOP" run --filename="$dir/a" --size=8m --rw=read --bs=1m >/dev/null 2>&1 || { echo "no layout"; exit 1; }
counts='.jobs[0] | [.read, .write, .trim] | map(.total_ios, .io_bytes) | @text'
run_both() { # words; leaves ours.json and fio.json
    "$BENCHTOP" run --filename="$dir/a" --output-format=json --output="$dir/ours.json" "$@" 2>"$dir/err" || {
        echo "$*: exit $?: $(cat "$dir/err")"
        bad=1
    }
    # Its notes stand before the document.
    fio --name=a --filename="$dir/a" --output-format=json "$@" 2>/dev/null | sed -n '/^{/,$p' >"$dir/fio.json"
}
same() { # words: exactly as many requests and bytes
    run_both "$@"
    a=$(jq -c "$counts" "$dir/ours.json") b=$(jq -c "$counts" "$dir/fio.json")
    [ -n "$a" ] && [ "$a" = "$b" ] && return
    echo "$*: $a, fio $b"
    bad=1
}
near() { # filter, tolerance in percent of fio's value, words
    filter=$1 pct=$2
    shift 2
    run_both "$@"
    a=$(jq "$filter" "$dir/ours.json") b=$(jq "$filter" "$dir/fio.json")
    awk -v a="$a" -v b="$b" -v pct="$pct" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(b > 0 && d <= b * pct / 100) }' && return
    echo "$*: $filter is $a, with fio $b"
    bad=1
}
for rw in read randwrite; do
    same --rw=$rw --size=8m
    same --rw=$rw --size=8m --io_size=20m
    same --rw=$rw --size=8m --io_size=10k
    same --rw=$rw --size=8m --loops=3
    same --rw=$rw --size=8m --number_ios=100
done
same --rw=read --size=8m --io_size=50%
same --rw=read --size=8m --number_ios=5000
same --rw=read:4k --size=8m
same --rw=read:8k --size=8m
same --rw=read:-8k --size=8m
same --rw=randread:8 --size=8m
same --rw=randread:8 --rw_sequencer=identical --size=8m
same --rw=randread --percentage_random=50 --size=8m
same --rw=randread --norandommap=1 --size=8m
same --rw=randread --random_generator=lfsr --size=8m
same --rw=randread --blockalign=1k --size=8m
for d in zipf:1.2 pareto:0.2:0.5 normal:10 zoned:60/10:30/20:10/70 zoned_abs:60/1m:40/7m; do
    same --rw=randread --random_distribution=$d --size=8m
done
same --rw=read --zonemode=strided --zonesize=64k --zonerange=128k --zoneskip=128k --size=8m
near '.jobs[0].read.total_ios' 5 --rw=read --bssplit=4k/10:64k/50:32k/40 --size=8m --io_size=200m
near '.jobs[0].read.total_ios' 8 --rw=read --bsrange=4k-64k --size=8m --io_size=200m
near '.jobs[0].write.total_ios' 8 --rw=randrw --rwmixread=70 --size=8m --io_size=64m
near '.jobs[0].write.total_ios' 8 --rw=rw --rwmixwrite=20 --size=8m --io_size=64m
near '.jobs[0] | .read.io_bytes + .write.io_bytes' 1 --rw=rw --bs=4k,16k --size=8m
exit $bad
