#!/bin/sh
# frame and shot on every fake machine: one valid document with known rates, the same bytes each time, and screens
# that fit their size.
set -u
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
cd "$(dirname "$0")/../roots" || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0
complain() { echo "$1" && bad=1; }
frame() { # root, dt
    "$BENCHTOP" frame --sysroot="$1/t0" --then="$1/t1" --dt="$2"
}
true_of() { # root, jq filter that must be true
    jq -e "$2" "$dir/$1.json" >/dev/null || complain "$1: not true: $2"
}
for root in */; do
    root=${root%/}
    frame "$root" 1s >"$dir/$root.json" || complain "$root: frame fails"
    true_of "$root" '.dt_ns == 1000000000 and (.cpus | length) > 0 and (.devices | length) > 0'
    true_of "$root" '[.devices[] | select(.state != "gone") | .read_iops, .write_iops, .busy_pct] | all(. != null)'
    true_of "$root" '[.cpus[] | select(.online) | .busy_pct] | all(. >= 0 and . <= 100)'
    # totals are the sum of the leaves
    true_of "$root" '.totals.read_iops == ([.devices[] | select(.leaf) | .read_iops] | add)'
    # nothing in it comes from this machine or this moment
    frame "$root" 1s | jq 'del(.self)' >"$dir/again"
    jq 'del(.self)' "$dir/$root.json" | cmp -s - "$dir/again" || complain "$root: another frame the second time"
    # the same counters over twice the time are half the rate
    frame "$root" 2s >"$dir/slow"
    jq -es '(.[0].devices[0].read_iops + .[0].devices[0].write_iops) / 2 ==
        .[1].devices[0].read_iops + .[1].devices[0].write_iops' "$dir/$root.json" "$dir/slow" >/dev/null ||
        complain "$root: rates do not follow --dt"
done

# What each machine is there for
true_of laptop-smt '.smt.active == true and ([.cpus[] | select(.id == 0) | .siblings[]] == [0, 2])'
true_of laptop-smt '[.devices[] | select(.name == "dm-0")][0] | .read_iops == 1050 and .members == ["nvme0n1p2"]'
true_of laptop-smt '.totals.read_iops == 1000' # neither dm-0 nor the partition nor zram
true_of server-smt-off '.smt.active == false and .smt.control == "off" and
    ([.cpus[] | select(.online) | .package] | unique) == [0, 1]'
true_of server-smt-off '[.cpus[] | select(.online | not) | .busy_pct] | length == 6 and all(. == null)'
true_of server-smt-off '[.devices[] | select(.name == "sdc")][0].state == "stalled" and .totals.write_iops == 200'
true_of hybrid '[.cpus[] | .siblings | length] == [2, 2, 2, 2, 1, 1, 1, 1]'
true_of hybrid '.totals.read_bytes_per_s == 100000000000 and .devices[0].busy_pct == 101'
true_of cpu-gaps '[.cpus[].id] == [0, 1, 8, 9] and .devices[0].name == "cciss/c0d0"'
true_of vm-steal '.cpus[0].steal_pct > 0 and .devices[0].read_await_ms == 2'
true_of no-sensors '.sensors == [] and ([.cpus[].temp_c] | all(. == null)) and .devices[0].read_await_ms == null'
for root in multipath-6.1 multipath-6.12; do
    true_of $root '.totals.read_iops == 700 and ([.devices[] | select(.hidden) | .kind] | unique) == ["nvme-path"]'
done

# Screens: so many rows, none wider, and what is on them
shot() { # root, size, options
    root=$1 size=$2
    shift 2
    "$BENCHTOP" shot overview --sysroot="$root/t0" --then="$root/t1" --size="$size" "$@"
}
for root in */; do
    root=${root%/}
    for size in 200x60 120x40 80x24 40x12 20x5 7x3 1x1; do
        shot "$root" $size --charset=ascii >"$dir/shot" || complain "$root: shot $size fails"
        rows=$(wc -l <"$dir/shot")
        [ "$rows" = "${size#*x}" ] || complain "$root: $rows rows at $size"
        LC_ALL=C awk -v w=${size%x*} 'length($0) > w || /[^ -~]/ { exit 1 }' "$dir/shot" ||
            complain "$root: a row too wide, or not ASCII, at $size"
    done
    name=$(jq -r '[.devices[] | select(.leaf)] | sort_by(.read_bytes_per_s + .write_bytes_per_s)[-1].name' \
        "$dir/$root.json")
    shot "$root" 80x24 | grep -q "$name" || complain "$root: the busiest disk, $name, is not on the screen"
done
shot laptop-smt 80x24 >"$dir/text"
shot laptop-smt 80x24 --format=ansi | sed 's/\x1b\[[0-9;]*m//g; s/ *$//' >"$dir/ansi"
cmp -s "$dir/text" "$dir/ansi" || complain "ansi without its colours is not the text"
shot laptop-smt 80x24 --format=svg >"$dir/svg"
grep -q '^<svg\|<?xml' "$dir/svg" && grep -q '</svg>' "$dir/svg" && grep -q nvme0n1 "$dir/svg" || complain "no svg"
exit $bad
