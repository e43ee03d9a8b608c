#!/usr/bin/env bash
# in_debian.sh [FOLDER]: installs Pi GM in a fresh Debian, serves a page there as the service would, upgrades it and
# removes it again. Needs root, debootstrap and the net; ends with 77, and the reason, where it cannot have them.
# A Debian that is already in FOLDER/base is used again, and one that is made stays there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

folder=${1:-$(mktemp -d)}
throw_away=$([ -n "${1:-}" ] && echo "$folder/debian" || echo "$folder")
base=$folder/base debian=$folder/debian
# The wheels that pip needs are fetched with the Python of the same Debian outside.
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# The mirror is the one that this machine itself uses.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Release: $suite" 2>/dev/null | head -n 1)
python=/usr/bin/python3
port=80
pid=

step() { printf '\n== %s\n' "$*"; }
fail() {
    printf 'in_debian.sh: %s\n' "$*" >&2
    exit 1
}
cannot() {
    printf 'in_debian.sh: not possible here: %s\n' "$*" >&2
    exit 77
}
check() { "$@" || fail "not so: $*"; }
inside() { chroot "$debian" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"; }
pip_inside() { inside PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels "$@"; }

finish() {
    [ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true
    umount -R -l "$debian/proc" 2>/dev/null || true
    umount -R -l "$debian/dev" 2>/dev/null || true
    rm -rf --one-file-system "$throw_away"
}
trap finish EXIT

[ "$(id -u)" -eq 0 ] || cannot "needs root"
command -v debootstrap >/dev/null || cannot "needs debootstrap: apt install debootstrap"

if [ ! -e "$base/etc/os-release" ]; then
    step "a fresh Debian ($suite)"
    packages=systemd,python3-venv,ca-certificates,espeak-ng,alsa-utils,dbus,avahi-daemon
    debootstrap --variant=minbase --include="$packages" "$suite" "$base.part" ${mirror:+"$mirror"} \
        >"$folder/debootstrap.log" 2>&1 || cannot "debootstrap failed: $(tail -n 1 "$folder/debootstrap.log")"
    rm -rf "$base.part/var/cache/apt/archives"/*.deb
    mv "$base.part" "$base"
fi
rm -rf "$debian"
cp -a "$base" "$debian"
mount -t proc proc "$debian/proc" 2>/dev/null || mount --rbind /proc "$debian/proc" || cannot "nothing may be mounted"
mount --rbind /dev "$debian/dev" || cannot "nothing may be mounted"
mount --make-rslave "$debian/dev"

step "the checkout and the wheels"
mkdir -p "$debian/root/checkout" "$debian/wheels"
cp -R pi_gm hardware web systemd tools docs pyproject.toml constraints.txt README.md LICENSE "$debian/root/checkout"
"$python" -m venv "$folder/venv"
"$folder/venv/bin/pip" download -q --disable-pip-version-check -d "$debian/wheels" -c constraints.txt \
    . 'hatchling>=1.26' editables setuptools wheel
rm -f "$debian"/wheels/pi_gm*

step "install"
pip_inside /root/checkout/systemd/install.sh
check inside test -x /opt/pi-gm/current/bin/pi-gm
check test -L "$debian/etc/systemd/system/multi-user.target.wants/pi-gm.service"
check test -e "$debian/etc/pi-gm/environment"
check test -e "$debian/etc/avahi/services/pi-gm.service"
check grep -q machine "$debian/var/lib/pi-gm/voice.toml"
inside id pi-gm | tee "$folder/id"
check grep -q gpio "$folder/id"
check grep -q audio "$folder/id"
inside pi-gm --version
inside systemd-analyze verify /etc/systemd/system/pi-gm.service
# What runs is a copy.
mv "$debian/root/checkout" "$debian/root/moved"
inside pi-gm --version
mv "$debian/root/moved" "$debian/root/checkout"

step "serve a page on port $port as that user, and stop"
install -d -m 700 -o "$(inside id -u pi-gm)" -g "$(inside id -g pi-gm)" "$debian/var/lib/pi-gm" "$debian/run/pi-gm"
start=$(date +%s%N)
chroot "$debian" env -i PATH=/usr/bin:/bin STATE_DIRECTORY=/var/lib/pi-gm HOME=/var/lib/pi-gm PYTHONUNBUFFERED=1 \
    setpriv --reuid pi-gm --regid pi-gm --init-groups --inh-caps=-all,+net_bind_service \
    --ambient-caps=-all,+net_bind_service --bounding-set=-all,+net_bind_service --no-new-privs \
    sh -c "cd /run/pi-gm && exec /opt/pi-gm/current/bin/pi-gm run --port $port" >"$folder/run.log" 2>&1 &
pid=$!
page="import sys, urllib.request; print(urllib.request.urlopen('http://127.0.0.1:$port/tv', timeout=5).status)"
for _ in $(seq 100); do
    if "$python" -c "$page" 2>/dev/null; then break; fi
    kill -0 "$pid" 2>/dev/null || fail "it ended: $(tail -5 "$folder/run.log")"
    sleep 0.1
done
"$python" -c "$page" || fail "no page: $(tail -5 "$folder/run.log")"
printf 'first page after %s ms\n' $((($(date +%s%N) - start) / 1000000))
check grep -q '^Speaker' "$folder/run.log"
kill -TERM "$pid"
wait "$pid" || fail "it ended with $?: $(tail -5 "$folder/run.log")"
pid=
ls "$debian/var/lib/pi-gm"

step "upgrade"
echo 'speaker = "nobody"' >"$debian/var/lib/pi-gm/voice.toml"
before=$(readlink "$debian/opt/pi-gm/current")
echo 'PI_GM_OPTIONS="--pin 123456"' >>"$debian/etc/pi-gm/environment"
pip_inside /root/checkout/systemd/install.sh
check test "$(readlink "$debian/opt/pi-gm/current")" != "$before"
check test "$(find "$debian/opt/pi-gm/releases" -mindepth 1 -maxdepth 1 | wc -l)" = 1
check grep -q 123456 "$debian/etc/pi-gm/environment"
check grep -q nobody "$debian/var/lib/pi-gm/voice.toml"

step "an upgrade that fails leaves the program as it was"
now=$(readlink "$debian/opt/pi-gm/current")
echo 'nonsense' >>"$debian/root/checkout/pyproject.toml"
if pip_inside /root/checkout/systemd/install.sh >"$folder/broken.log" 2>&1; then fail "a broken checkout was installed"; fi
check test "$(readlink "$debian/opt/pi-gm/current")" = "$now"
check test "$(find "$debian/opt/pi-gm/releases" -mindepth 1 -maxdepth 1 | wc -l)" = 1
inside pi-gm --version

step "uninstall"
inside /root/checkout/systemd/install.sh --uninstall
for gone in /opt/pi-gm /etc/systemd/system/pi-gm.service /etc/avahi/services/pi-gm.service /usr/local/bin/pi-gm \
    /etc/systemd/system/multi-user.target.wants/pi-gm.service /usr/lib/sysusers.d/pi-gm.conf; do
    if [ -e "$debian$gone" ] || [ -L "$debian$gone" ]; then fail "$gone is still there"; fi
done
check test -n "$(ls "$debian/var/lib/pi-gm")"
inside /root/checkout/systemd/install.sh --uninstall --purge
if [ -e "$debian/var/lib/pi-gm" ] || inside getent passwd pi-gm; then fail "something of it is still there"; fi

step "installed, served, upgraded and removed"
