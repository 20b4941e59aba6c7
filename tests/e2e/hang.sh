#!/bin/sh
# A worker hangs in the kernel (a read throttled to 1 byte a second): the console goes on drawing and answering,
# and kill -9, SIGTERM, SIGHUP and a closed terminal give the shell its prompt within a second.
set -u
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
for t in tmux jq losetup; do command -v $t >/dev/null || { echo "needs $t"; exit 77; }; done
tmp=$(mktemp -d)
loop=
cg=/sys/fs/cgroup/blkio/benchtop-hang.$$
v2=/sys/fs/cgroup/benchtop-hang.$$
n=0
T="tmux -L benchtop-hang-$$-$n -f /dev/null" # a server of its own each time: one that is going away takes no session
cleanup() {
    $T kill-server
    for g in "$cg" "$v2"; do
        [ -d "$g" ] || continue
        free_
        i=0
        while [ -n "$(cat "$g/cgroup.procs")" ] && [ $i -lt 50 ]; do sleep 0.1; i=$((i + 1)); done
        rmdir "$g"
    done
    [ -n "$loop" ] && losetup -d "$loop"
    rm -rf "$tmp"
} 2>/dev/null
trap cleanup EXIT
trap 'exit 130' INT TERM
head -c 67108864 /dev/urandom >"$tmp/img"
loop=$(losetup -f --show "$tmp/img") || { echo "no loop device"; exit 77; }
mm=$(cat "/sys/block/$(basename "$loop")/dev")
if mkdir "$cg" 2>/dev/null && [ -e "$cg/blkio.throttle.read_bps_device" ]; then
    group=$cg
    hang_() { echo "$mm 1" >"$cg/blkio.throttle.read_bps_device"; }
    free_() { echo "$mm 0" >"$cg/blkio.throttle.read_bps_device"; }
elif mkdir "$v2" 2>/dev/null && [ -e "$v2/io.max" ]; then
    group=$v2
    hang_() { echo "$mm rbps=1" >"$v2/io.max"; }
    free_() { echo "$mm rbps=max" >"$v2/io.max"; }
else
    echo "no block I/O throttle in a cgroup here"
    exit 77
fi
bad=0
false_() { echo "FALSE: $*"; bad=1; $T capture-pane -p 2>/dev/null | head -30; }
wait_for() { # text, tenths of a second: true when the pane shows it
    i=0
    while [ $i -lt "$2" ]; do
        $T capture-pane -p 2>/dev/null | grep -q "$1" && return 0
        sleep 0.1
        i=$((i + 1))
    done
    return 1
}
ms() { echo $(($(date +%s%N) / 1000000)); }
start() { # engine: a shell in tmux, in the throttled group, and the console in it
    free_
    $T kill-server 2>/dev/null
    n=$((n + 1))
    T="tmux -L benchtop-hang-$$-$n -f /dev/null"
    $T new-session -d -x 100 -y 30 "sh -c 'echo \$\$ >$group/cgroup.procs; PS1=PROMPT-READY: exec sh -i'"
    wait_for PROMPT-READY 50 || false_ "no shell"
    $T send-keys "clear; $BENCHTOP --run --interval=100ms --filename=$loop --rw=randread --bs=64k --iodepth=2 --ioengine=$1 --direct=1 --runtime=60 --time_based; echo rc=\$?" Enter
    wait_for RUN 50 || false_ "$1: the console does not run"
    hang_
    wait_for 'STALL' 80 || false_ "$1: the stall is not on the screen"
    keeper=$(pgrep -P "$($T display-message -p '#{pane_pid}')" -f benchtop | head -n 1)
    child=$(cat "/proc/$keeper/task/$keeper/children" | cut -d' ' -f1)
    [ -n "$child" ] || false_ "$1: no console process below the keeper"
}
prompt_within() { # what, ms
    t0=$(ms)
    wait_for 'rc=' $(($2 / 100 + 20)) || false_ "$1: no prompt at all"
    took=$(($(ms) - t0))
    echo "$1: prompt after $took ms"
    [ $took -le "$2" ] || false_ "$1: prompt after $took ms"
    $T send-keys "stty -a | grep -q ' -icanon\\| -echo ' || echo sane-\$((40 + 2))" Enter
    wait_for sane-42 20 || false_ "$1: the terminal is not as it was"
}
for engine in psync libaio; do
    start $engine
    # Keys answer and frames go on beside the hang.
    $T send-keys '?'
    wait_for 'depth up\|Queue depth up' 10 || false_ "$engine: help does not open beside a hang"
    $T send-keys '?'
    kill -9 "$child"
    prompt_within "$engine kill -9" 1000
    start $engine
    kill -TERM "$child"
    prompt_within "$engine SIGTERM" 1000
    start $engine
    kill -HUP "$keeper"
    prompt_within "$engine SIGHUP" 1000
    start $engine
    $T kill-server
    t0=$(ms)
    while kill -0 "$keeper" 2>/dev/null && [ $(($(ms) - t0)) -lt 3000 ]; do sleep 0.05; done
    kill -0 "$keeper" 2>/dev/null && false_ "$engine: keeper still there after its terminal closed"
    free_
    i=0
    while [ -d "/proc/$child" ] && [ $i -lt 50 ]; do sleep 0.1; i=$((i + 1)); done
    [ -d "/proc/$child" ] && false_ "$engine: a process is left"
done
# Without a screen: asked twice it leaves at once, and its result says what never came back.
sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$BENCHTOP" run --filename="$loop" --rw=randread --bs=64k --iodepth=3 \
    --ioengine=libaio --direct=1 --runtime=60 --time_based --output-format=json --output="$tmp/j" 2>"$tmp/err" &
run=$!
sleep 0.7
hang_
sleep 2
kill -TERM $run
sleep 0.7
t0=$(ms)
kill -TERM $run
wait $run
code=$?
took=$(($(ms) - t0))
echo "run, asked twice: left after $took ms"
[ $code = 143 ] && [ $took -le 1000 ] || false_ "run: exit $code after $took ms: $(cat "$tmp/err")"
jq -e '.benchtop.aborted and .jobs[0].benchtop.in_flight == 3 and .jobs[0].benchtop.stalled_s > 1.5' "$tmp/j" >/dev/null ||
    false_ "run: $(jq -c '[.benchtop.aborted, .jobs[0].benchtop.in_flight, .jobs[0].benchtop.stalled_s]' "$tmp/j")"
free_
exit $bad
