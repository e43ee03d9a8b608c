#!/usr/bin/env bash
# run.sh COMMAND [ARGS…]: runs COMMAND under a kernel of its own that has GPIO chips to simulate, on this machine's
# file system; its output and its exit status are COMMAND's. 99 where the kernel itself did not get through.
# UML_TIMEOUT seconds (120), UML_MEM (256M), UML_EXTRA: further arguments of the kernel, such as time-travel=inf-cpu
# (virtual time: what waits is skipped; nothing in it may wait busily).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kernel=$("$here/build-uml.sh") || exit
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/uml"
{
    echo '#!/bin/bash'
    printf 'exec'
    printf ' %q' "$@"
    echo
} >"$folder/job"
chmod +x "$folder/job"
# shellcheck disable=SC2086 # UML_EXTRA is several arguments
timeout -k 5 "${UML_TIMEOUT:-120}" "$kernel" mem="${UML_MEM:-256M}" root=/dev/root rootfstype=hostfs rootflags=/ rw \
    init="$here/guest-init.sh" JOB="$folder/job" JOBOUT="$folder/out" JOBDIR="$PWD" uml_dir="$folder/uml" \
    ${UML_EXTRA:-} con=null con0=fd:0,fd:1 quiet </dev/null >"$folder/console" 2>&1
cat "$folder/out" 2>/dev/null
if [ ! -s "$folder/out.rc" ]; then
    echo "the simulated kernel did not get through; its console:" >&2
    tail -n 20 "$folder/console" >&2
    exit 99
fi
exit "$(cat "$folder/out.rc")"
