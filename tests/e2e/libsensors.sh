#!/bin/sh
# libsensors on a made-up sys/class/hwmon, in a mount namespace of its own: values, faults, labels and mapping; and a
# broken configuration does not stop anything or print into the screen.
set -eu
[ "$(id -u)" = 0 ] || { echo "needs root for a mount namespace"; exit 77; }
command -v jq >/dev/null || { echo "jq is missing"; exit 77; }
if [ "${1:-}" != inside ]; then
    unshare -m true 2>/dev/null || { echo "no mount namespaces here"; exit 77; }
    exec unshare -m sh "$0" inside
fi
dir=$(mktemp -d)
trap 'umount -l /sys/class 2>/dev/null; rm -rf "$dir"' EXIT
mount -t tmpfs tmpfs /sys/class || { echo "no tmpfs over /sys/class"; exit 77; }
h=/sys/class/hwmon
mkdir -p $h/hwmon0 $h/hwmon1
put() { echo "$2" >"$h/$1"; }
put hwmon0/name testchip
put hwmon0/temp1_label Composite
put hwmon0/temp1_input 41850
put hwmon0/temp2_input 127000
put hwmon0/temp2_fault 1
put hwmon0/temp3_input -62000
put hwmon0/fan1_input 1200
put hwmon1/name coretemp
put hwmon1/temp1_label "Package id 0"
put hwmon1/temp1_input 66000
put hwmon1/temp2_label "Core 0"
put hwmon1/temp2_input 61000
check() { # jq filter that must be true
    jq -e "$1" "$dir/frame.json" >/dev/null || {
        echo "false: $1"
        jq -c '.sensors' "$dir/frame.json"
        exit 1
    }
}
read_frame() {
    "$BENCHTOP" frame --interval=50ms >"$dir/frame.json" 2>"$dir/stderr"
    [ ! -s "$dir/stderr" ] || { cat "$dir/stderr"; exit 1; }
}
read_frame
check '[.sensors[] | select(.label == "Composite")][0] | .value == 41.85 and .kind == "temp" and .unit == "C"'
check '[.sensors[] | select(.label == "temp2")][0] | .value == null and .fault'
check '[.sensors[] | select(.label == "temp3")][0] | .value == null and (.fault | not)'
check '[.sensors[] | select(.kind == "fan")][0] | .value == 1200 and .unit == "rpm"'
check '[.sensors[].chip] | any(startswith("testchip-"))'
check '[.cpus[] | select(.online and .core == 0 and .package == 0) | .temp_c] | length == 0 or all(. == 61)'
if [ -e /etc/sensors3.conf ]; then
    printf 'bus "i2c-0" "SMBus"\nchip "none-i2c-9-50"\n    label temp1 "x"\n' >"$dir/broken.conf" # an undeclared bus
    mount --bind "$dir/broken.conf" /etc/sensors3.conf
    read_frame
    umount /etc/sensors3.conf
    check '[.sensors[] | select(.label == "Composite")][0] | .value == 41.85 and .chip == "testchip"' # without the library
fi
