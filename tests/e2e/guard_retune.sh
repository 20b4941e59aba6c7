#!/bin/sh
# No way to a write but through the guard: a start, a schedule and a retune of the real program are refused alike,
# and a device that it writes cannot be mounted meanwhile.
set -u
. "$(dirname "$0")/guard.inc"
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
BENCHTOP=${BENCHTOP:-$PWD/${BUILD:-build}/benchtop}
mkdir "$dir/m"
load="--bs=4k --iodepth=4 --ioengine=libaio --direct=1 --time_based --runtime=1"
# refuse asks this instead of the small program.
cat >"$dir/run" <<SCRIPT
#!/bin/sh
target=\$1
shift
exec "$BENCHTOP" run --filename="\$target" $load "\$@"
SCRIPT
chmod +x "$dir/run"
guard=$dir/run

new_loop free 16M
free=$dev
for rw in write randwrite randrw trim randtrim rw; do
    refuse "start, rw=$rw" "it is a block device; --allow-write=$free would allow it" "$free" --rw=$rw
done
refuse "a schedule that writes" "--allow-write=$free would allow it" "$free" --rw=randread --at='0.5s rw=randrw'
refuse "--readonly" "readonly" "$free" --rw=randwrite --allow-write="$free" --readonly
new_loop ext4 16M
ext4=$dev
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$ext4"
refuse "ext4, nothing named" "it holds ext4; --allow-write=$ext4 --overwrite=ext4 would allow" "$ext4" --rw=randwrite
refuse "ext4, device named" "it holds ext4; --overwrite=ext4" "$ext4" --rw=randwrite --allow-write="$ext4"
mount -o ro "$ext4" "$dir/m" || exit 1
all="--overwrite=ext4 --overwrite=data"
ln -s "$ext4" "$dir/by-id"
mknod "$dir/node" b 7 "${ext4#/dev/loop}"
for name in "$ext4" "$dir/by-id" "$dir/node"; do
    refuse "mounted, by $name" "it is mounted on $dir/m" "$name" --rw=randwrite --allow-write="$name" $all
done
umount "$dir/m"

# Passed at the start, mounted when its time comes: the retune is refused, the reading goes on.
is_running() { grep -qs '"state":"running"' "$dir/live"; }
wait_running() {
    n=0
    until is_running; do
        n=$((n + 1))
        [ $n -lt 200 ] || { echo "FAIL: the load does not run: $(cat "$dir/live" "$dir/stderr")"; exit 1; }
        sleep 0.05
    done
}
start() { # options; its frames come to $dir/live
    "$BENCHTOP" run --filename="$ext4" $load "$@" --allow-write="$ext4" $all --output-format=ndjson \
        --status-interval=50ms >"$dir/live" 2>"$dir/stderr" &
    pid=$!
    pids="$pid $pids"
    wait_running
}
checks=$((checks + 1))
before=$(sums)
start --rw=randread --runtime=3 --at='2s rw=randwrite'
mount -o ro "$ext4" "$dir/m" || fail "a device that is only read could not be mounted"
wait "$pid" || fail "reading ended with $?: $(cat "$dir/stderr")"
jq -es '[.[].events[] | select(.kind == "error" and (.text | test("it is mounted on")))] | length == 1' \
    "$dir/live" >/dev/null || fail "no event says that the retune was refused: $(tail -n 3 "$dir/live")"
jq -es '[.[].load[] | .write_bytes_per_s // 0] | max == 0' "$dir/live" >/dev/null || fail "something was written"
jq -es '(.[-1].load[0].rw == "randread") and ([.[].load[].read_iops // 0] | max > 0)' "$dir/live" >/dev/null ||
    fail "the reading did not go on"
umount "$dir/m"
[ "$(sums)" = "$before" ] || fail "a refused retune changed something"

# Allowed, and while it writes nobody can mount it, nor write it beside us.
checks=$((checks + 1))
start --rw=randwrite --runtime=2
mount -o ro "$ext4" "$dir/m" 2>/dev/null && { fail "mounted while it is written" && umount "$dir/m"; }
said=$("$dir/run" "$ext4" --rw=randwrite --allow-write="$ext4" $all 2>&1)
[ $? = 2 ] || fail "two writers: $said"
case $said in
*" is open in benchtop (process "*) ;;
*) fail "two writers: $said" ;;
esac
wait "$pid" || fail "writing ended with $?: $(cat "$dir/stderr")"
[ "$(sums)" != "$before" ] || fail "nothing was written"

# While a job reads through the page cache, a filesystem is made round that cache: in the file behind the loop, and
# on a partition of the disk. What the cache says is of the past; the retune is refused all the same.
is_said() { grep -qs "$1" "$dir/live"; }
until_said() { # or the load has ended
    n=0
    until is_said "$1" || ! kill -0 "$pid" 2>/dev/null; do
        n=$((n + 1))
        [ $n -lt 400 ] || return 1
        sleep 0.05
    done
    is_said "$1"
}
passed() { [ "$(grep -c '"state":"running"' "$dir/live")" -ge 12 ]; } # 512 blocks at 2000 a second
# late WHAT TEXT COMMAND…: the command comes while the load is stopped by a signal, so that the retune of 3 s is due
# after it, however slow this machine is. Then TEXT is said, and nothing has changed.
late() {
    what=$1 text=$2
    shift 2
    checks=$((checks + 1))
    kill -STOP "$pid"
    if is_said "→ randwrite"; then
        skip "$what: this machine is too slow today"
    else
        "$@" || fail "$what: $* failed"
        before=$(sums)
        kill -CONT "$pid"
        until_said "$text\\|→ randwrite"
        is_said "$text" ||
            fail "$what: no event says \"$text\": $(tail -n 2 "$dir/live" | cut -c1-300; cat "$dir/stderr")"
        [ "$(sums)" = "$before" ] || fail "$what: something changed"
    fi
    kill -CONT "$pid"
    end "$pid"
}
begin() { # options
    : >"$dir/live"
    "$BENCHTOP" run "$@" --ioengine=psync --time_based --runtime=60 --output-format=ndjson --status-interval=50ms \
        >"$dir/live" 2>"$dir/stderr" &
    pid=$!
    pids="$pid $pids"
}
begin_reading() { # TARGET
    begin --filename="$1" --rw=read --bs=64k --direct=0 --rate_iops=2000 --at='3s rw=randwrite' --allow-write="$1"
    wait_running
    n=0
    until passed; do
        n=$((n + 1))
        [ $n -lt 400 ] || { echo "FAIL: no pass over the device: $(cat "$dir/stderr")"; exit 1; }
        sleep 0.05
    done
}
quiet="-q -F -E lazy_itable_init=0,lazy_journal_init=0"
new_loop behind 32M
begin_reading "$dev"
late "mkfs behind the loop" "it holds ext4" mkfs.ext4 $quiet "$dir/behind.img"
new_loop parted 32M
if addpart "$dev" 1 2048 40960; then
    begin_reading "$dev"
    late "mkfs on a partition" "it holds ext4" mkfs.ext4 $quiet "${dev}p1"
    delpart "$dev" 1
else
    skip "partitions of a loop"
fi

# A job that wrote, and reads for a while: meanwhile a loop is set on its target. It still holds what it claimed, and
# writes no more.
begin_writing() { # TARGET [options]: wrote, reads, would write again
    begin --filename="$@" --rw=randwrite --bs=4k --rate_iops=200 --at='0.5s rw=randread' --at='3s rw=randwrite'
    until_said "randwrite → randread" || fail "it does not read: $(cat "$dir/stderr")"
}
new_loop again 16M
below=$dev
begin_writing "$below" --allow-write="$below"
late "a loop on a device that was written" "it is the backing device of" on_loop "$below"
begin_writing "$dir/ours.img" --size=16m
late "a loop on a file that was written" "it is the backing file of" on_loop "$dir/ours.img"
# Without a loop it does write again.
checks=$((checks + 1))
new_loop third 16M
said=$("$BENCHTOP" run --filename="$dev" --rw=randwrite --bs=4k --ioengine=psync --time_based --runtime=1.5 \
    --rate_iops=200 --at='0.5s rw=randread' --at='1s rw=randwrite' --allow-write="$dev" --output-format=json 2>&1)
echo "$said" | jq -e '[.benchtop.events[] | select(.kind == "error")] == [] and .jobs[0].write.total_ios > 150' \
    >/dev/null || fail "wrote, read, writes again: $said"

# A result is no way round the guard either.
new_loop result 16M
load="run --filename=$dir/ours.img --rw=read --size=1m"
for command in "$load --output-format=json" "$load --output-format=ndjson" "frame --interval=50ms" "list backends" \
    "shot overview --size=80x24"; do
    checks=$((checks + 1))
    before=$(sums)
    said=$("$BENCHTOP" $command --output="$dev" 2>&1)
    rc=$?
    case "$rc $said" in
    "2 benchtop: output=$dev: is a block device"*) ;;
    *) fail "$command to a device: $rc $said" ;;
    esac
    [ "$(sums)" = "$before" ] || fail "$command wrote to a device"
done
finish 24
