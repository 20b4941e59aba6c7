#!/bin/sh
# tests/roots/capture.sh records this machine, and the record reads like the machine itself.
set -eu
command -v jq >/dev/null || { echo "jq is missing"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sh tests/roots/capture.sh "$dir/me" 1
"$BENCHTOP" frame --sysroot="$dir/me/t0" --then="$dir/me/t1" --dt=1s >"$dir/frame.json"
"$BENCHTOP" frame --interval=100ms >"$dir/live.json"
get() { jq -c "$2" "$dir/$1.json"; }
same() { # what, jq filter
    [ "$(get frame "$2")" = "$(get live "$2")" ] || { echo "$1: $(get frame "$2") is not $(get live "$2")"; exit 1; }
}
same "CPUs" '[.cpus[] | [.id, .online, .package, .core, .siblings]]'
same "SMT" '.smt'
same "kernel" '.hosts[0].kernel'
same "memory" '.memory.total_bytes'
[ "$(get frame '[.cpus[] | select(.online and .busy_pct == null)] | length')" = 0 ] || { echo "a CPU without load"; exit 1; }
[ "$(get frame '.hosts[0].name')" = '"fake"' ] || { echo "the name of the host is in the record"; exit 1; }
if sh tests/roots/capture.sh "$dir/me" 0 2>/dev/null; then
    echo "an existing folder was written to"
    exit 1
fi
