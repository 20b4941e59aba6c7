#!/bin/sh
# Every word of the installed fio is known here or refused with a sentence of its own; help and man page have all of ours.
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { echo "$1" && bad=1; }

"$BENCHTOP" run --help | sed -n 's/^  --\([a-z_-]*\).*/\1/p' | sort -u >"$dir/ours"
[ "$(wc -l <"$dir/ours")" -gt 40 ] || fail "run --help lists only $(wc -l <"$dir/ours") words"
"$BENCHTOP" help --man >"$dir/benchtop.1" || fail "help --man"
sed 's/\\-/-/g' "$dir/benchtop.1" >"$dir/plain"
while read -r word; do
    "$BENCHTOP" help "$word" >"$dir/out" 2>&1 || fail "help $word: exit $?"
    grep -q -- "--$word" "$dir/out" || fail "help $word does not name it"
    grep -qF -- "\fB--$word\fR" "$dir/plain" || fail "the man page lacks $word"
done <"$dir/ours"
"$BENCHTOP" help bs | grep -q '512 to 16m' || fail "help bs says no range"
"$BENCHTOP" help no-such-word >/dev/null 2>&1
[ $? = 2 ] || fail "help of what is not there does not exit 2"
if command -v man >/dev/null; then
    man --warnings=mac -l "$dir/benchtop.1" >"$dir/page" 2>"$dir/warn" || fail "man does not read the page"
    grep -v 'cannot adjust' "$dir/warn" && bad=1
fi

# A workload with a character that a job file of fio's cannot hold is not written wrong.
"$BENCHTOP" export --filename='/tmp/a#b' --size=1m >"$dir/out" 2>&1
[ $? = 2 ] && grep -q "a#b" "$dir/out" || fail "export of a file name with # is not refused"

command -v fio >/dev/null || exit $bad
{
    fio --cmdhelp=all | sed -n 's/^ *\([a-z][a-zA-Z0-9_-]*\) *: .*/\1/p'
    for e in libaio io_uring pvsync2 mmap sg net rbd; do fio --enghelp=$e 2>/dev/null; done |
        sed -n 's/^ *\([a-z][a-zA-Z0-9_-]*\) *: .*/\1/p'
    fio --help | sed -n 's/^  --\([a-z-]*\).*/\1/p'
} | sort -u >"$dir/theirs"
[ "$(wc -l <"$dir/theirs")" -gt 200 ] || fail "fio lists only $(wc -l <"$dir/theirs") words"
while read -r word; do
    "$BENCHTOP" help "$word" >/dev/null 2>"$dir/out" || fail "$(cat "$dir/out")"
done <"$dir/theirs"
exit $bad
