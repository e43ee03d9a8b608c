#!/bin/sh
# The first process of the simulated kernel: mounts what it needs, runs $JOB with its output in $JOBOUT, notes its exit
# status beside that, and switches off.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/run LANG=C.UTF-8
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t tmpfs run /run
mount -t configfs config /sys/kernel/config
ip link set lo up 2>/dev/null
cd "${JOBDIR:-/run}" || exit
"$JOB" >"$JOBOUT" 2>&1
echo $? >"$JOBOUT.rc"
sync
/sbin/poweroff -f 2>/dev/null || /sbin/halt -f
