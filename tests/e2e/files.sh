#!/bin/sh
# Files as fio makes them: the same words make the same names and sizes. A thousand files in one job; clones of their
# own regions; shares of a device.
set -u
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
dir=$(mktemp -d) || exit 1
loop=
cleanup() {
    [ -z "$loop" ] || losetup -d "$loop"
    rm -rf "$dir"
}
trap cleanup EXIT
bad=0
fail() {
    echo "$*"
    bad=1
}
made() { # folder: what is in it
    find "$1" -type f -printf '%P %s\n' | sort
}
same() { # words: benchtop and fio make the same files
    command -v fio >/dev/null || return
    rm -rf "$dir/ours" "$dir/fios"
    for who in ours fios; do mkdir -p "$dir/$who/A" "$dir/$who/B"; done
    (cd "$dir/ours" && "$BENCHTOP" run --rw=read "$@" >"$dir/log" 2>&1) || { fail "benchtop $*: exit $?"; cat "$dir/log"; }
    (cd "$dir/fios" && fio --rw=read --ioengine=psync --create_only=1 "$@" >"$dir/log" 2>&1) || fail "fio $*: exit $?"
    made "$dir/ours" >"$dir/a"
    made "$dir/fios" >"$dir/b"
    [ -s "$dir/b" ] || fail "fio $*: made nothing"
    cmp -s "$dir/a" "$dir/b" || { fail "$*: not as fio:"; diff "$dir/a" "$dir/b"; }
}
same --name=a --size=1m
same --name=a --size=1m --nrfiles=3
same --name=a --size=1000000 --nrfiles=3 --bs=512
same --name=a --size=1m --nrfiles=2 --numjobs=2
same --name=a --size=1m --nrfiles=2 --numjobs=3 --directory=A:B
same --name=a --size=1m --numjobs=2 --directory=A:B --filename=x
same --name=a --size=1m --filename=x:y:z
same --name=a --size=1m --filename=x:y:z --filesize=100k
same --name=a --nrfiles=3 --filesize=100k
same --name=a --nrfiles=2 --size=1m --filename_format='$jobname-$jobnum-$filenum-$clientuid' --numjobs=2
same --name=a --nrfiles=2 --size=1m --filename_format='$jobname/$jobnum/$filenum' --numjobs=2
same --name=a --nrfiles=2 --size=1m --filename_format='f.$filenum' --numjobs=2
same --name=a --size=1m --offset=100k
same --name=a --size=1m --offset=100k --offset_increment=300k --nrfiles=2 --numjobs=2
same --name=a --size=1m --filename=x --offset_increment=300k --numjobs=3
same --name=a --size=1m --filename=x --offset=10% --filesize=1m
same --name=a --filename=x --size=50% --filesize=1m
same --name=a/b --size=256k

# A thousand files: every one is read to its end, and results are by folder.
mkdir "$dir/many"
"$BENCHTOP" run --name=many --directory="$dir/many" --nrfiles=1000 --size=8000k --bs=4k --rw=read --output-format=json \
    --output="$dir/many.json" 2>"$dir/log" || { fail "a thousand files: exit $?"; cat "$dir/log"; }
[ "$(find "$dir/many" -type f -size 8k | wc -l)" = 1000 ] || fail "not a thousand files of 8 KiB"
jq -e '.jobs[0] | .read.total_ios == 2000 and (.benchtop.targets | length) == 1 and
    (.benchtop.targets[0] | .read.total_ios == 2000 and (.name | endswith("(1000 files)")))' "$dir/many.json" >/dev/null ||
    fail "a thousand files are not counted: $(jq -c '.jobs[0] | [.read.total_ios, .benchtop.targets[].name]' "$dir/many.json")"

# Our own files are written again; a stranger's among them is refused before anything is written.
"$BENCHTOP" run --name=many --directory="$dir/many" --nrfiles=1000 --size=8000k --rw=write --output-format=json \
    --output="$dir/many.json" 2>"$dir/log" || { fail "a thousand files again: exit $?"; cat "$dir/log"; }
jq -e '.jobs[0].write.total_ios == 2000' "$dir/many.json" >/dev/null || fail "a thousand files are not written"
rm "$dir/many/many.0.500"
head -c 8192 /dev/zero >"$dir/many/many.0.500"
"$BENCHTOP" run --name=many --directory="$dir/many" --nrfiles=1000 --size=8000k --rw=write >/dev/null 2>"$dir/log"
[ $? = 2 ] && grep -q 'many.0.500 is not written.*allow-write' "$dir/log" || fail "a stranger's file among ours is written"

# Every clone writes the region that begins offset_increment after the one before.
rm -rf "$dir/x"
truncate -s 1m "$dir/x"
"$BENCHTOP" run --filename="$dir/x" --allow-write="$dir/x" --size=128k --offset=64k --offset_increment=256k --numjobs=4 \
    --rw=write --bs=16k --end_fsync=1 >/dev/null 2>"$dir/log"
[ $? = 2 ] || : # the last clone ends at 64k + 3 * 256k + 128k: within the file
n=0
while [ $n -lt 64 ]; do
    zero=$(dd if="$dir/x" bs=16k skip=$n count=1 2>/dev/null | tr -d '\0' | wc -c)
    in=$(((n % 16) >= 4 && (n % 16) < 12))
    [ $((zero > 0)) = $in ] || fail "block $n of 16k is $([ "$zero" = 0 ] && echo not) written"
    n=$((n + 1))
done

# Clones with files of their own: no more than there are files for; fewer, and as many again, are no matter.
"$BENCHTOP" run --name=own --directory="$dir" --size=64k --numjobs=2 --rw=randread --time_based --runtime=1 \
    --at='10ms numjobs=3' >/dev/null 2>"$dir/log"
[ $? = 2 ] && grep -q 'numjobs=3: there are files' "$dir/log" || fail "a clone without files begins: $(cat "$dir/log")"
"$BENCHTOP" run --name=own --directory="$dir" --size=64k --numjobs=2 --rw=randread --time_based --runtime=300ms \
    --at='50ms numjobs=1' --at='100ms numjobs=2' >/dev/null 2>"$dir/log" || fail "fewer clones: $(cat "$dir/log")"

# opendir: every regular file below a folder.
mkdir -p "$dir/tree/deep"
head -c 65536 /dev/urandom >"$dir/tree/one"
head -c 65536 /dev/urandom >"$dir/tree/deep/two"
ln -s one "$dir/tree/link"
: >"$dir/tree/empty"
"$BENCHTOP" run --opendir="$dir/tree" --rw=read --output-format=json --output="$dir/tree.json" 2>"$dir/log" ||
    { fail "opendir: exit $?"; cat "$dir/log"; }
jq -e '.jobs[0] | .read.io_bytes == 131072 and (.benchtop.targets | length) == 2' "$dir/tree.json" >/dev/null ||
    fail "opendir does not read two files"

# Shares of a device.
truncate -s 8m "$dir/disk"
if loop=$(losetup -f --show "$dir/disk" 2>/dev/null); then
    "$BENCHTOP" run --filename="$loop" --rw=read --bs=64k --size=50% --offset=25% --output-format=json \
        --output="$dir/share.json" 2>"$dir/log" || { fail "shares: exit $?"; cat "$dir/log"; }
    jq -e '.jobs[0].read.io_bytes == 4194304' "$dir/share.json" >/dev/null || fail "half of a device is not half"
    "$BENCHTOP" run --filename="$loop" --rw=read --bs=64k --offset_increment=25% --numjobs=4 --output-format=json \
        --output="$dir/share.json" 2>"$dir/log" || { fail "shares of clones: exit $?"; cat "$dir/log"; }
    # each clone from its quarter to the end: 8 + 6 + 4 + 2 MiB
    jq -e '[.jobs[].read.io_bytes] | add == 20971520' "$dir/share.json" >/dev/null || fail "clones do not begin in quarters"
else
    echo "no loop device: shares of a device are not tested"
fi
exit $bad
