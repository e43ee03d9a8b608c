#!/usr/bin/env bash
# power_on.sh ROOT: boots the Debian in the folder ROOT as a machine of its own, with its systemd as the first process,
# and prints the number that this process has outside. A machine that is killed loses power: everything in it is gone at
# once. It has its own processes, mounts, name and control groups, and a network that reaches nobody else.
# Ends with 77, and the reason, where this machine cannot do that.
set -euo pipefail

root=$(cd "$1" && pwd -P)
console=$root.console

cannot() {
    printf 'no machine can be booted here: %s\n' "$*" >&2
    exit 77
}
[ "$(id -u)" -eq 0 ] || cannot "needs root"
groups=$(findmnt -n -o TARGET -t cgroup2 | head -n 1)
[ -n "$groups" ] || cannot "there are no control groups of version 2"
# Those of machines that are off by now.
find "$groups"/pi-gm-test-* -depth -type d -exec rmdir {} \; 2>/dev/null || true
own=$groups/pi-gm-test-$$
mkdir "$own" 2>/dev/null || cannot "no control group can be made in $groups"

# shellcheck disable=SC2016 # meant for the shell inside
first='
set -eu
root=$1
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=755 tmpfs dev
for each in null zero full random urandom tty; do
    touch "dev/$each"
    mount --bind "/dev/$each" "dev/$each"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ip link set lo up
mkdir -p old
pivot_root . old
umount -l /old
exec env -i container=pi-gm-test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=journal
'
(
    echo "$BASHPID" >"$own/cgroup.procs"
    exec unshare --pid --fork --kill-child --mount --uts --ipc --net --cgroup --propagation private \
        bash -c "$first" first "$root" <"/dev/null" >"$console" 2>&1
) &
outer=$!
for _ in $(seq 100); do
    kill -0 "$outer" 2>/dev/null || { rmdir "$own" 2>/dev/null || true; cannot "$(tail -n 1 "$console")"; }
    pid=$(pgrep -P "$outer" -x systemd || true)
    if [ -n "$pid" ]; then
        echo "$pid"
        exit
    fi
    sleep 0.1
done
kill -KILL "$outer"
cannot "its systemd does not start: $(tail -n 1 "$console")"
