#!/bin/sh
# Installs what benchtop needs on Debian; elsewhere says what that is. Touches nothing when all is there.
set -u
build="gcc libc6-dev libncurses-dev libaio-dev liburing-dev libsensors-dev libblkid-dev libmount-dev libjansson-dev"
test="check zlib1g-dev tmux jq fio sysstat e2fsprogs btrfs-progs gdisk util-linux procps ncurses-term python3-six"
if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    echo "make deps: this is not Debian; install the equivalents of these packages:"
    echo "  to build: make $build"
    echo "  to test:  $test"
    exit 1
fi
missing=
for p in $build $test; do
    dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -n "$missing" ] || exit 0
echo "make deps: installing$missing"
root=
[ "$(id -u)" = 0 ] || root=sudo
export DEBIAN_FRONTEND=noninteractive
$root apt-get update -qq
exec $root apt-get install -y --no-install-recommends $missing
