#!/bin/sh
# Runs every test: Check binaries, then tests/e2e/*.sh. Ends with "N passed, N failed, N skipped".
# An e2e script exits 0 = passed, 77 = skipped (its last line says why), else failed. --tsan: binaries only.
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build}
BENCHTOP=$PWD/$BUILD/benchtop
export BUILD BENCHTOP
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
one() { # name, command...
    name=$1
    shift
    start=$(date +%s)
    "$@" >"$log" 2>&1 </dev/null
    rc=$?
    took=$(($(date +%s) - start))
    case $rc in
    0) passed=$((passed + 1)) && echo "ok    $name (${took} s)" ;;
    77) skipped=$((skipped + 1)) && echo "skip  $name: $(tail -n 1 "$log")" ;;
    *)
        failed=$((failed + 1))
        echo "FAIL  $name (exit $rc)"
        sed 's/^/      /' "$log" | tail -n 60
        ;;
    esac
}
for t in "$BUILD"/tests/*_test; do
    [ -x "$t" ] && one "$(basename "$t")" "$t"
done
if [ "${1:-}" != --tsan ]; then
    for t in tests/check_*.sh tests/e2e/*.sh; do
        [ -e "$t" ] && one "$t" sh "$t"
    done
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
