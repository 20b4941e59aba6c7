#!/bin/sh
# Job files as people write them for fio: benchtop runs them unchanged, or refuses the one word that it does not have;
# what it exports of them, fio reads.
set -u
here=$(cd "$(dirname "$0")/../jobs" && pwd)
dir=$(mktemp -d -p "${TMPDIR:-/var/tmp}") || exit 1
trap 'rm -rf "$dir"' EXIT
export DEPTH=4
bad=0 ran=0 refused=0
direct=
dd if=/dev/zero of="$dir/probe" bs=4k count=1 oflag=direct 2>/dev/null || direct=--direct=0
fail() { echo "$1" && cat "$dir/stderr" && bad=1; }

runs() { # name
    SCRATCH=$dir/$1
    export SCRATCH
    mkdir "$SCRATCH"
    # shellcheck disable=SC2086 # nothing where the filesystem takes direct I/O
    "$BENCHTOP" run "$here/$1.fio" --runtime=300ms $direct --output-format=json >"$dir/out" 2>"$dir/stderr" ||
        { fail "$1: exit $?"; return; }
    jq -e '.jobs | length > 0 and all(.read.total_ios + .write.total_ios + .trim.total_ios > 0 and .error == 0)' \
        "$dir/out" >/dev/null || fail "$1: a job did nothing: $(jq -c '[.jobs[] | [.jobname, .error]]' "$dir/out")"
    ran=$((ran + 1))
    rm -rf "$SCRATCH"
}

is_refused() { # name, what its sentence must hold
    SCRATCH=$dir/$1 "$BENCHTOP" run "$here/$1.fio" >"$dir/out" 2>"$dir/stderr"
    rc=$?
    [ $rc = 2 ] && [ "$(wc -l <"$dir/stderr")" = 1 ] && grep -Eq "$1.fio:[0-9]+: .*($2)|$2" "$dir/stderr" ||
        fail "$1: exit $rc, no sentence with '$2'"
    refused=$((refused + 1))
}

# fio must take every word of it, and the one that it writes again must be the same.
exports() { # name
    SCRATCH=$dir/$1
    export SCRATCH
    "$BENCHTOP" export "$here/$1.fio" --format=fio >"$dir/again.fio" 2>"$dir/stderr" ||
        { fail "export $1: exit $?"; return; }
    "$BENCHTOP" export "$dir/again.fio" 2>/dev/null | cmp -s - "$dir/again.fio" || fail "export $1: not the same again"
    command -v fio >/dev/null || return
    fio --parse-only "$dir/again.fio" >"$dir/stderr" 2>&1 || fail "export $1: fio refuses it"
}

for f in "$here"/*.fio; do
    name=$(basename "$f" .fio)
    why=$(sed -n 's/^; refused: //p' "$f")
    if [ -n "$why" ]; then
        is_refused "$name" 'not here'
    else
        runs "$name"
        exports "$name"
    fi
done
[ $ran -ge 18 ] || { echo "only $ran job files ran" && bad=1; }
[ $refused -ge 3 ] || bad=1

if command -v fio >/dev/null; then # the same load, by both
    export SCRATCH=$dir
    "$BENCHTOP" export "$here/limited.fio" --runtime=1 $direct --rate_iops=500 --output="$dir/limited.fio" ||
        fail "export limited.fio"
    fio "$dir/limited.fio" --output-format=json --output="$dir/fio.json" >"$dir/stderr" 2>&1 || fail "fio on what was exported"
    jq -e '.jobs[0] | .read.iops > 400 and .read.iops < 600 and .write.iops > 400 and .write.iops < 600' \
        "$dir/fio.json" >/dev/null || fail "fio did not keep the exported rates"
fi
exit $bad
