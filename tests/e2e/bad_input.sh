#!/bin/sh
# Every mistake gets one sentence on stderr that names what is wrong, exit code 2, and leaves nothing behind.
set -u
dir=$(mktemp -d) || exit 1
work=$dir/work
loop= mounted=
cleanup() {
    [ -z "$loop" ] || losetup -d "$loop"
    for m in $mounted; do umount "$m"; done
    rm -rf "$dir"
}
trap cleanup EXIT
bad=0
refused() { # regex of the sentence, arguments of benchtop
    want=$1
    shift
    before=$(ls -lR "$work")
    "$BENCHTOP" "$@" >"$dir/stdout" 2>"$dir/stderr" </dev/null
    rc=$?
    after=$(ls -lR "$work")
    why=
    [ $rc = 2 ] || why=" exit $rc;"
    [ "$(wc -l <"$dir/stderr")" = 1 ] || why="$why not one line;"
    grep -q '^benchtop: ' "$dir/stderr" || why="$why no name in front;"
    grep -Eq -- "$want" "$dir/stderr" || why="$why no '$want';"
    [ ! -s "$dir/stdout" ] || why="$why output;"
    [ "$before" = "$after" ] || why="$why files changed;"
    [ -z "$why" ] && return
    echo "benchtop $*:$why"
    cat "$dir/stderr"
    bad=1
}
run() { # regex, options
    want=$1
    shift
    refused "$want" run --runtime=1 --time_based "$@"
}
mkdir "$work" "$work/folder"
head -c 1048576 /dev/urandom >"$work/file"
f=--filename=$work/file

# The command line
refused 'unknown command fraem.*frame' fraem
refused 'unknown option --iodepht.*--iodepth' run $f --iodepht=4
refused '--key=value' run $f -b
refused 'filename' run --size=1m
refused 'no-such.job' run "$work/no-such.job"
refused 'list colours.*devices' list colours
refused 'list what' list
refused 'shot takes one SCREEN' shot
refused 'no screen nothing.*overview' shot nothing
refused 'size=80.*80x24' shot overview --size=80
refused 'theme=no-such-theme' shot overview --theme=no-such-theme
refused '--sysroot' frame --then="$work"
refused "$work/nowhere" frame --sysroot="$work/nowhere"
refused 'output=.*nowhere' run $f --output="$work/nowhere/x"
refused 'output=/proc/x' run $f --output=/proc/x # where root may write and nobody can
refused 'output=.*folder' run $f --output="$work/folder"
ln -s nowhere/x "$work/link"
ln -s ring "$work/ring"
refused 'output=.*link.*nowhere: ' run $f --output="$work/link"
refused 'output=.*circle' run $f --output="$work/ring"
refused 'output-format=xml.*ndjson' run $f --output-format=xml

refused 'rw=a\?b.*must be read' run $f --rw="$(printf 'a\nb')"
refused 'size: ioengine=null.*runtime' run --ioengine=null
refused 'folder' run --iodepth=8 --filename="$work/nowhere/x" # and no note on the depth beside it
refused 'name=a\?b.*control' run $f --name="$(printf 'a\tb')"
refused 'bs=9.*512 to 16m' run $f --bs="$(printf '%5000s' '' | tr ' ' 9)"

# The job
run 'bs=0.*512' $f --bs=0
run 'bs=4q' $f --bs=4q
run 'iodepth=100000.*4096' $f --iodepth=100000 --ioengine=libaio
run 'ioengine=magic.*libaio' $f --ioengine=magic
run 'rw=sideways.*randrw' $f --rw=sideways
run 'rate' $f --rate=1m --rate_iops=10
run 'at=2s bs=0.*512' $f --at='2s bs=0'
run 'filename' $f --at='2s filename=x'
refused 'runtime' run $f --time_based
cat >"$work/a.job" <<END
[a]
filename=$work/file
bss=4k
END
refused 'a.job:3.*bss' run "$work/a.job"

# The target
run 'folder' --filename="$work/folder" --size=1m
run 'nowhere' --filename="$work/nowhere/file" --size=1m
run 'missing.*size' --filename="$work/missing"
run 'size=4m' $f --size=4m
run 'offset' $f --offset=2m
run 'bs=1000|direct' $f --bs=1000 --direct=1
run '--allow-write' $f --rw=randwrite

# The console without a terminal
refused 'terminal' $f
refused 'terminal' --run

if [ "$(id -u)" = 0 ]; then
    head -c 1048576 /dev/zero >"$work/image"
    loop=$(losetup -f --show "$work/image") || loop=
    if [ -n "$loop" ]; then
        run 'size=2m' --filename="$loop" --size=2m
        run 'offset=1m' --filename="$loop" --offset=1m --size=4k
        run 'bs=1000.*512' --filename="$loop" --bs=1000 --direct=1
        run '--allow-write' --filename="$loop" --rw=write
    fi
    mkdir "$work/small" "$work/ro"
    if mount -t tmpfs -o size=4m none "$work/small"; then
        mounted=$work/small
        run 'space|free' --filename="$work/small/file" --size=64m
    fi
    if mount -t tmpfs -o ro none "$work/ro"; then
        mounted="$mounted $work/ro"
        run '[Rr]ead-only' --filename="$work/ro/file" --size=1m
    fi
fi
exit $bad
