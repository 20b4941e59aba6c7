#!/bin/sh
# The README's two commands on a fresh Debian 12: debootstrap with only make added, then `make deps check` and, in
# tmux, `make deps run` until the console is drawn. Needs root, debootstrap, tmux and a Debian mirror. By hand:
# sh tests/fresh_debian.sh [FOLDER of a root made earlier]
set -u
cd "$(dirname "$0")/.." || exit 2
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
command -v tmux >/dev/null || { echo "needs tmux"; exit 77; }
root=${1:-}
T="tmux -L benchtop-fresh-$$ -f /dev/null"
made=
cleanup() {
    $T kill-server 2>/dev/null
    sleep 1
    umount "$root/proc" "$root/sys" "$root/dev/pts" "$root/dev" 2>/dev/null
    [ -z "$made" ] || rm -rf --one-file-system "$made"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
if [ -z "$root" ]; then
    command -v debootstrap >/dev/null || { echo "needs debootstrap"; exit 77; }
    made=$(mktemp -d) root=$made
    debootstrap --variant=minbase --include=make bookworm "$root" >"$root.log" 2>&1 || { tail "$root.log"; exit 1; }
    rm -f "$root.log"
fi
mount -t proc proc "$root/proc" && mount -t sysfs sys "$root/sys" && mount --bind /dev "$root/dev" || exit 1
mount -t devpts devpts "$root/dev/pts" 2>/dev/null
rm -rf "$root/src" && mkdir "$root/src" && git archive HEAD | tar -x -C "$root/src" || exit 1
start=$(date +%s)
$T new-session -d -x 120 -y 40 "chroot '$root' env -i HOME=/root TERM=screen-256color PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 sh -c 'cd /src && make deps run; echo ended \$?; sleep 5'"
drawn=1 i=0
while [ $i -lt 900 ]; do
    $T capture-pane -p 2>/dev/null | grep -q 'RUN' && { drawn=0; break; }
    $T capture-pane -p 2>/dev/null | grep -q '^ended' && break
    sleep 0.5
    i=$((i + 1))
done
$T capture-pane -p
echo "make deps run: console drawn: $([ $drawn = 0 ] && echo yes || echo NO) after $(($(date +%s) - start)) s"
$T send-keys q
sleep 2
chroot "$root" env -i HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c 'cd /src && make deps check'
checked=$?
echo "make deps check: exit $checked"
[ $drawn = 0 ] && [ $checked = 0 ]
