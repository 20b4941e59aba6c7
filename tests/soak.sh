#!/bin/sh
# A long run, by hand: MINUTES (30) at 500 IOPS and FULL_MINUTES (5) at full speed; SECONDS_EACH=N for a short trial.
#     tests/soak.sh [DEVICE-OR-FILE]   default: a zram device of its own (root), else a file in the build folder
# Prints the memory of the process over time and, at the end of each part, what the engine says it did beside what the
# device counted. Memory that grows by more than 4 MiB after the first tenth, or bytes that differ on a device that
# nobody else uses, are a failure.
set -u
cd "$(dirname "$0")/.." || exit 2
B=${BUILD:-build}/benchtop
MINUTES=${MINUTES:-30}
FULL_MINUTES=${FULL_MINUTES:-5}
slow=${SECONDS_EACH:-$((MINUTES * 60))} full=${SECONDS_EACH:-$((FULL_MINUTES * 60))}
command -v jq >/dev/null || { echo "soak: needs jq"; exit 1; }
tmp=$(mktemp -d) zram= pid= bad=0 own=
cleanup() {
    [ -z "$pid" ] || kill "$pid" 2>/dev/null
    wait
    rm -rf "$tmp"
    [ -z "$own" ] || rm -f "$own"
    [ -z "$zram" ] || { echo 1 >"/sys/block/zram$zram/reset"; echo "$zram" >/sys/class/zram-control/hot_remove; } 2>/dev/null
}
trap cleanup EXIT
trap 'exit 130' INT TERM

target=${1:-}
alone=0 # does nobody else use the device?
if [ -z "$target" ] && [ "$(id -u)" = 0 ] && [ -r /sys/class/zram-control/hot_add ]; then
    zram=$(cat /sys/class/zram-control/hot_add)
    echo 256m >"/sys/block/zram$zram/disksize"
    target=/dev/zram$zram alone=1
elif [ -z "$target" ]; then
    own=${BUILD:-build}/soak.scratch
    target=$own
fi

# major:minor of the device, or of the filesystem's
dev() { if [ -b "$target" ]; then stat -c '%Hr:%Lr' "$target"; else stat -c '%Hd:%Ld' "$target"; fi; }
sectors() { awk '{ print $3 + $7 }' "/sys/dev/block/$(dev)/stat" 2>/dev/null || echo 0; }

memory() { awk '/^VmRSS:/ { print $2 }' "/proc/$1/status" 2>/dev/null; }
# The process that has the workers: the child of the keeper.
worker_of() { for c in /proc/"$1"/task/*/children; do for p in $(cat "$c" 2>/dev/null); do echo "$p"; done; done | head -1; }

part() { # label, seconds, options…
    label=$1 secs=$2
    shift 2
    before=$(sectors)
    "$B" run --filename="$target" --allow-write="$target" --overwrite=data --size=256m --rw=randrw --bs=4k --direct=1 \
        --ioengine=libaio --iodepth=8 --time_based --runtime="$secs" "$@" --output-format=json \
        --output="$tmp/$label.json" 2>"$tmp/$label.err" &
    pid=$!
    step=$((secs / 20 + 1)) t=0 first= last=
    while kill -0 "$pid" 2>/dev/null; do
        sleep "$step"
        t=$((t + step))
        main=$(worker_of "$pid")
        now=$(memory "${main:-$pid}")
        [ -n "$now" ] || break
        [ -n "$first" ] || [ $((t * 10)) -lt "$secs" ] || first=$now
        last=$now
        printf '%s %6d s  memory %d KiB\n' "$label" "$t" "$now"
    done
    wait "$pid"
    rc=$?
    after=$(sectors)
    pid=
    [ "$rc" = 0 ] || { echo "$label: exit $rc"; cat "$tmp/$label.err"; bad=1; return; }
    bytes=$(jq '[.jobs[] | .read, .write | .io_bytes] | add' "$tmp/$label.json")
    iops=$(jq '[.jobs[] | .read, .write | .iops] | add | floor' "$tmp/$label.json")
    counted=$(((after - before) * 512 - guard))
    echo "$label: $iops IOPS; the engine did $bytes bytes, the device counted $counted; memory ${first:-?} to ${last:-?} KiB"
    [ "$alone" = 0 ] || [ "$bytes" = "$counted" ] || { echo "$label: they differ"; bad=1; }
    [ $((${last:-0} - ${first:-0})) -le 4096 ] || { echo "$label: memory grew"; bad=1; }
}

[ -n "$zram" ] || "$B" run --filename="$target" --allow-write="$target" --size=256m --rw=read --bs=1m --runtime=1 >/dev/null ||
    exit 1
# What the guard reads of a device before the first write: a run of one block tells.
before=$(sectors)
"$B" run --filename="$target" --allow-write="$target" --overwrite=data --size=4k --rw=write --bs=4k --direct=1 \
    >/dev/null || exit 1
guard=$((($(sectors) - before) * 512 - 4096))
part slow "$slow" --rate_iops=250
part full "$full"
exit $bad
