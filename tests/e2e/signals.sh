#!/bin/sh
# A stopped run writes its partial result, says that it was aborted, and exits with 128 + the signal; an output that
# cannot be written is exit 1, with a sentence unless it was only a reader who left.
set -u
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
dir=$(mktemp -d) || exit 1
pid=
cleanup() {
    [ -z "$pid" ] || kill "$pid" 2>/dev/null
    rm -rf "$dir"
}
trap cleanup EXIT
bad=0
complain() { echo "$1" && bad=1; }
# The null engine at a rate: no device, no heat.
load="run --ioengine=null --size=1g --bs=4k --rw=randread --rate_iops=1000 --time_based --runtime=60"
until_true() { # up to 10 s, for a command
    n=0
    while ! "$@"; do
        n=$((n + 1))
        [ $n -lt 200 ] || return 1
        sleep 0.05
    done
}
is_running() { grep -qs '"state":"running"' "$dir/live"; }
threads_of_child() { # the workload runs in the child of the process we started
    child=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null)
    [ -n "$child" ] && [ "$(ls "/proc/${child%% *}/task" 2>/dev/null | wc -l)" -ge 4 ]
}
for want in INT:130 TERM:143 HUP:129; do
    sig=${want%:*}
    rm -f "$dir/out"
    # An asynchronous list of a shell ignores INT; env puts it back.
    env --default-signal=INT "$BENCHTOP" $load --output-format=json --output="$dir/out" 2>"$dir/stderr" &
    pid=$!
    until_true threads_of_child || complain "$sig: the load did not start"
    sleep 0.3 # so that there is something to report
    [ ! -e "$dir/out" ] || complain "$sig: a file before the result is whole"
    kill -"$sig" $pid
    wait $pid
    rc=$?
    pid=
    [ $rc = "${want#*:}" ] || complain "$sig: exit $rc"
    jq -e '.benchtop.aborted == true and .jobs[0].read.total_ios > 0 and
        .jobs[0].read.clat_ns.N == .jobs[0].read.total_ios and .jobs[0].error == 0' "$dir/out" >/dev/null ||
        complain "$sig: the partial result: $(head -c 300 "$dir/out")"
    [ ! -s "$dir/stderr" ] || complain "$sig: $(cat "$dir/stderr")"
    [ "$(ls "$dir" | wc -l)" = 2 ] || complain "$sig: files left: $(ls "$dir")"
done

# ndjson: whole lines only, live, the last one after the end
env --default-signal=INT "$BENCHTOP" $load --output-format=ndjson --status-interval=50ms >"$dir/live" 2>"$dir/stderr" &
pid=$!
until_true is_running || complain "ndjson: no line while it runs"
kill -INT $pid
wait $pid
rc=$?
pid=
[ $rc = 130 ] || complain "ndjson: exit $rc"
jq -es 'length > 1 and ([.[].load | length] | all(. == 1)) and (.[-1].load[0].state == "done")' "$dir/live" >/dev/null ||
    complain "ndjson: $(tail -c 300 "$dir/live")"

# Nobody reads any more: quietly
{
    "$BENCHTOP" $load --output-format=ndjson --status-interval=50ms 2>"$dir/stderr"
    echo $? >"$dir/rc"
} | head -n 1 >/dev/null
[ "$(cat "$dir/rc")" = 1 ] || complain "closed pipe: exit $(cat "$dir/rc")"
[ ! -s "$dir/stderr" ] || complain "closed pipe: $(cat "$dir/stderr")"

# A full disk: one sentence
short="run --ioengine=null --size=1m --bs=4k --rw=read"
for format in json ndjson csv normal; do
    "$BENCHTOP" $short --output-format=$format >/dev/full 2>"$dir/stderr"
    rc=$?
    [ $rc = 1 ] || complain "/dev/full, $format: exit $rc"
    [ "$(wc -l <"$dir/stderr")" = 1 ] && grep -q '^benchtop: stdout' "$dir/stderr" ||
        complain "/dev/full, $format: $(cat "$dir/stderr")"
done
"$BENCHTOP" $short --output-format=json >&- 2>"$dir/stderr"
rc=$?
[ $rc = 1 ] && grep -q '^benchtop: stdout' "$dir/stderr" || complain "closed stdout: exit $rc, $(cat "$dir/stderr")"
exit $bad
