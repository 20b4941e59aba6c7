#!/bin/sh
# Records this machine as a fake one: sh tests/roots/capture.sh FOLDER [SECONDS]
# Writes FOLDER/t0 and FOLDER/t1, the files that benchtop reads and nothing else, SECONDS (1) apart. Read only.
# The host's name and all serial numbers are replaced; look through the rest before you give it away.
set -u
[ $# -ge 1 ] || { echo "usage: capture.sh FOLDER [SECONDS]" >&2; exit 2; }
out=$1
seconds=${2:-1}
[ ! -e "$out" ] || { echo "capture.sh: $out exists already" >&2; exit 2; }

copy() { # files, as absolute paths; what cannot be read is left out
    for f in "$@"; do
        [ -f "$f" ] && [ -r "$f" ] || continue
        mkdir -p "$root${f%/*}"
        cat "$f" >"$root$f" 2>/dev/null || rm -f "$root$f"
    done
}
replace() { # file, text
    [ -e "$root$1" ] && echo "$2" >"$root$1"
}
counters() {
    copy /proc/stat /proc/diskstats /proc/meminfo
}
cpus() {
    copy /proc/cpuinfo /proc/sys/kernel/hostname /proc/sys/kernel/osrelease
    replace /proc/sys/kernel/hostname fake
    c=/sys/devices/system/cpu
    copy $c/online $c/offline $c/possible $c/present $c/kernel_max $c/smt/control $c/smt/active
    for d in $c/cpu[0-9]*; do
        copy "$d"/online "$d"/topology/physical_package_id "$d"/topology/die_id "$d"/topology/core_id \
            "$d"/topology/thread_siblings_list "$d"/topology/core_cpus_list "$d"/cpufreq/scaling_cur_freq
    done
}
empty() { # folder: its names as empty files (links in the original)
    for f in "$1"/*; do
        [ -e "$f" ] || continue
        mkdir -p "$root$1"
        : >"$root$f"
    done
}
disk() { # folder below sys/block
    copy "$1"/dev "$1"/size "$1"/ro "$1"/removable "$1"/hidden "$1"/diskseq "$1"/queue/scheduler \
        "$1"/queue/rotational "$1"/queue/iostats "$1"/queue/logical_block_size "$1"/device/model "$1"/device/name \
        "$1"/device/serial "$1"/serial "$1"/dm/name "$1"/dm/uuid "$1"/loop/backing_file
    replace "$1"/device/serial SERIAL
    replace "$1"/serial SERIAL
    copy "$1"/md/level "$1"/md/raid_disks "$1"/md/degraded "$1"/md/array_state "$1"/md/sync_action
    empty "$1"/slaves
    empty "$1"/holders
    for p in "$1"/*/partition; do
        [ -e "$p" ] || continue
        p=${p%/partition}
        copy "$p"/partition "$p"/dev "$p"/start "$p"/size "$p"/ro
        empty "$p"/holders
    done
    for h in "$1"/device/hwmon[0-9]* "$1"/device/hwmon/hwmon[0-9]*; do
        copy "$h"/name
    done
}
sensors() {
    for h in /sys/class/hwmon/hwmon*; do
        copy "$h"/name "$h"/*_input "$h"/*_average "$h"/*_label "$h"/*_fault
    done
}
record() { # t0 or t1
    root=$out/$1
    mkdir -p "$root/proc" "$root/sys"
    counters # first and together: the second between the readings is what the rates stand on
    cpus
    for d in /sys/block/*; do
        [ -e "$d" ] && disk "$d"
    done
    sensors
}
record t0
sleep "$seconds"
record t1
echo "recorded $out, $seconds s apart: benchtop frame --sysroot=$out/t0 --then=$out/t1 --dt=${seconds}s"
