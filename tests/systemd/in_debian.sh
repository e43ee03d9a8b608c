#!/usr/bin/env bash
# in_debian.sh [FOLDER]: installs Pi GM in a fresh Debian that is booted with its own systemd, cuts its power in the
# middle of a night, upgrades it, lets upgrades fail, and removes it again. Needs root, debootstrap and the net; ends
# with 77, and the reason, where it cannot have them.
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
people=.venv/bin/python
# With a space, as some have.
checkout='/root/my checkout'
pin=123456
machine=
other=

step() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }
fail() {
    printf 'in_debian.sh: %s\n' "$*" >&2
    [ -z "$machine" ] || inside journalctl -u pi-gm --no-pager -n 20 >&2 || true
    exit 1
}
cannot() {
    printf 'in_debian.sh: not possible here: %s\n' "$*" >&2
    exit 77
}
check() { "$@" || fail "not so: $*"; }
check_not() { ! "$@" || fail "so, but should not be: $*"; }

inside() {
    nsenter --target "$machine" --all --root --wd env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LC_ALL=C.UTF-8 PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels "$@"
}
# What people in the room do, from outside of the machine but in its network.
in_its_network() { nsenter --target "$machine" --net "$@"; }
install() { inside "$checkout/systemd/install.sh" "$@"; }
release() { readlink "$debian/opt/pi-gm/current"; }
property() { inside systemctl show --value --property "$1" pi-gm; }

power_on() {
    local code=0
    machine=$(tests/systemd/power_on.sh "$debian") || code=$?
    [ "$code" -eq 0 ] || exit "$code"
    for _ in $(seq 100); do
        if inside systemctl is-system-running --wait 2>/dev/null | grep -Eq 'running|degraded'; then return; fi
        sleep 0.1
    done
    fail "it does not boot: $(cat "$debian.console")"
}

power_cut() {
    kill -KILL "$machine"
    while kill -0 "$machine" 2>/dev/null; do sleep 0.05; done
    machine=
}

page="import sys, urllib.request; print(urllib.request.urlopen(f'http://127.0.0.1:{sys.argv[1]}/tv', timeout=5).status)"
answers() { in_its_network "$python" -c "$page" "${1:-80}" >/dev/null 2>&1; }
wait_for_page() {
    for _ in $(seq 200); do
        if answers "${1:-80}"; then return; fi
        sleep 0.1
    done
    fail "no page on port ${1:-80}"
}

finish() {
    [ -z "$other" ] || kill "$other" 2>/dev/null || true
    [ -z "$machine" ] || power_cut
    find "$(findmnt -n -o TARGET -t cgroup2 | head -n 1)"/pi-gm-test-* -depth -type d -exec rmdir {} \; 2>/dev/null || true
    rm -rf --one-file-system "$throw_away"
}
trap finish EXIT

[ "$(id -u)" -eq 0 ] || cannot "needs root"
command -v debootstrap >/dev/null || cannot "needs debootstrap: apt install debootstrap"
[ -x "$people" ] || cannot "needs an environment: make venv"

if [ ! -e "$base/etc/os-release" ]; then
    step "a fresh Debian ($suite)"
    packages=systemd,systemd-sysv,dbus,sudo,iproute2,python3-venv,ca-certificates,espeak-ng,alsa-utils,avahi-daemon,avahi-utils
    debootstrap --variant=minbase --include="$packages" "$suite" "$base.part" ${mirror:+"$mirror"} \
        >"$folder/debootstrap.log" 2>&1 || cannot "debootstrap failed: $(tail -n 1 "$folder/debootstrap.log")"
    rm -rf "$base.part/var/cache/apt/archives"/*.deb
    mv "$base.part" "$base"
fi
rm -rf "$debian"
cp -a "$base" "$debian"
echo pi-gm-test >"$debian/etc/hostname"

step "the checkout and the wheels"
mkdir -p "$debian$checkout" "$debian/wheels"
cp -R pi_gm hardware web systemd tools docs pyproject.toml constraints.txt README.md LICENSE "$debian$checkout"
cp -R "$debian$checkout" "$debian/root/as it was"
"$python" -m venv "$folder/venv"
"$folder/venv/bin/pip" download -q --disable-pip-version-check -d "$debian/wheels" -c constraints.txt \
    '.[voice]' 'hatchling>=1.26' editables setuptools wheel
rm -f "$debian"/wheels/pi_gm*
inside_image() { chroot "$debian" "$@"; }
inside_image useradd --create-home sam

step "power on, and install, by somebody whose files are nobody else's"
power_on
inside sh -c 'umask 077 && exec "$@"' install.sh "$checkout/systemd/install.sh" | tee "$folder/said"
check grep -q 'http://pi-gm-test.local/' "$folder/said"
check inside systemctl --quiet is-enabled pi-gm
# It has started, so its page is there: nothing is waited for.
check answers 80
check test "$(property NRestarts)" = 0
inside systemd-analyze verify /etc/systemd/system/pi-gm.service
inside systemd-analyze security --no-pager --threshold=75 pi-gm >/dev/null || fail "it may do more than it did"

step "it is nobody special, with the pins, the sound and port 80"
about=/proc/$(property MainPID)/status
check test "$(inside awk '/^Uid:/ {print $2}' "$about")" = "$(inside id -u pi-gm)"
for group in gpio audio; do
    check inside grep -Eq "^Groups:.*\b$(inside getent group "$group" | cut -d: -f3)\b" "$about"
done
check inside grep -Eq '^CapEff:\s+0000000000000400$' "$about"
check inside grep -Eq '^CapBnd:\s+0000000000000400$' "$about"
check inside grep -Eq '^NoNewPrivs:\s+1$' "$about"
inside journalctl -u pi-gm -o cat --no-pager >"$folder/log"
check grep -q '^Speaker ' "$folder/log"
check grep -q '^Phones ' "$folder/log"
# What runs is a copy, and everybody has the command.
mv "$debian$checkout" "$debian/root/moved"
inside setpriv --reuid sam --regid sam --clear-groups pi-gm --version
mv "$debian/root/moved" "$debian$checkout"

step "what the host sets is used"
sed -i "s/^#PI_GM_OPTIONS=.*/PI_GM_OPTIONS=--pin $pin/" "$debian/etc/pi-gm/environment"
inside systemctl restart pi-gm
in_its_network "$people" -m tests.systemd.night "$pin" begin

step "a power cut in the middle of the night, and power again"
power_cut
start=$(date +%s%N)
power_on
wait_for_page
printf 'first page after %s ms\n' $((($(date +%s%N) - start) / 1000000))
in_its_network "$people" -m tests.systemd.night "$pin" goes-on

step "the program is killed, and comes back"
inside sh -c "kill -KILL $(property MainPID)"
sleep 1
wait_for_page
check test "$(property NRestarts)" = 1
in_its_network "$people" -m tests.systemd.night "$pin" goes-on

step "it stops cleanly, and soon"
start=$SECONDS
inside systemctl stop pi-gm
check test $((SECONDS - start)) -lt 10
check test "$(property Result)" = success
check test "$(property ExecMainStatus)" = 0
check_not answers 80

step "another port, of which the network is told; what the host wrote there stays"
sed -i 's/Pi GM on %h/Our living room/' "$debian/etc/avahi/services/pi-gm.service"
# Not in the same second as the next change, which avahi would not see.
touch -d '1 minute ago' "$debian/etc/avahi/services/pi-gm.service"
sed -i 's/^#PI_GM_PORT=.*/PI_GM_PORT=8080/' "$debian/etc/pi-gm/environment"
echo 'speaker = "nobody"' >"$debian/var/lib/pi-gm/voice.toml"
echo 'name = "ours"' >"$debian/etc/pi-gm/room.toml.mine"
inside systemctl start pi-gm
check answers 8080
for _ in $(seq 50); do
    inside avahi-browse --terminate --resolve --parsable _http._tcp >"$folder/heard" || true
    if grep -q '^=.*;8080;' "$folder/heard"; then break; fi
    sleep 0.2
done
check grep -q '^=.*Our.*living.*room.*;8080;' "$folder/heard"

step "the doctor looks at the service, for whoever may, and claims nothing for others"
(cd "$debian" && inside pi-gm doctor --json) >"$folder/doctor" || true
check grep -q "in /var/lib/pi-gm, as its user pi-gm" "$folder/doctor"
check grep -q 'GB free for nights in /var/lib/pi-gm' "$folder/doctor"
check grep -q '"check":"working directory","verdict":"good"' "$folder/doctor"
inside sudo -u pi-gm pi-gm doctor --json >"$folder/doctor" || true
check grep -q "in /var/lib/pi-gm, as its user pi-gm" "$folder/doctor"
inside setpriv --reuid sam --regid sam --clear-groups pi-gm doctor --json >"$folder/doctor" || true
check grep -q 'sudo pi-gm doctor' "$folder/doctor"
check_not grep -Eq '"check":"(disk|voice|speaker|working directory)"' "$folder/doctor"
check_not test -e "$debian/root/.local"

step "clips are kept apart from the nights"
check test -n "$(ls "$debian/var/cache/pi-gm/clips")"
check_not test -e "$debian/var/lib/pi-gm/voice"

step "upgrade, with one more voice"
before=$(release)
install --with voice | tee "$folder/said"
check grep -q 'local:8080/' "$folder/said"
check_not test "$(release)" = "$before"
check test "$(find "$debian/opt/pi-gm/releases" -mindepth 1 -maxdepth 1 | wc -l)" = 1
check answers 8080
check grep -q "$pin" "$debian/etc/pi-gm/environment"
check grep -q nobody "$debian/var/lib/pi-gm/voice.toml"
check test -e "$debian/etc/pi-gm/room.toml.mine"
check grep -q 'Our living room' "$debian/etc/avahi/services/pi-gm.service"
check inside /opt/pi-gm/current/bin/python -c 'import pyttsx3'

# fails_to_upgrade: what was there goes on, and it is said so.
fails_to_upgrade() {
    local code=0 before unit
    before=$(release) unit=$(sha256sum <"$debian/etc/systemd/system/pi-gm.service")
    install >"$folder/said" 2>&1 || code=$?
    check test "$code" = 1
    check grep -q 'What was installed before is there as it was' "$folder/said"
    check test "$(release)" = "$before"
    check test "$(sha256sum <"$debian/etc/systemd/system/pi-gm.service")" = "$unit"
    check test "$(find "$debian/opt/pi-gm/releases" -mindepth 1 -maxdepth 1 | wc -l)" = 1
    check answers 8080
}
as_it_was() {
    rm -rf "${debian:?}$checkout"
    cp -R "$debian/root/as it was" "$debian$checkout"
}

step "an upgrade that cannot be made"
echo 'nonsense' >>"$debian$checkout/pyproject.toml"
fails_to_upgrade
as_it_was

step "an upgrade on a full disk"
inside mount -t tmpfs -o size=64k tmpfs /tmp
fails_to_upgrade
check grep -q 'Is the disk full' "$folder/said"
inside umount /tmp

step "an upgrade to a program that does not start"
sed -i 's/^def _run(.*/&\n    raise RuntimeError("it is broken")/' "$debian$checkout/pi_gm/cli/running.py"
sed -i 's/^Description=.*/Description=broken/' "$debian$checkout/systemd/pi-gm.service"
fails_to_upgrade
check grep -q 'it is broken' "$folder/said"
as_it_was

step "uninstall, by root alone"
code=0
inside setpriv --reuid sam --regid sam --clear-groups bash -s -- --uninstall \
    <"$debian$checkout/systemd/install.sh" >"$folder/said" 2>&1 || code=$?
check test "$code" = 2
check grep -q sudo "$folder/said"
install --uninstall
for gone in /opt/pi-gm /etc/systemd/system/pi-gm.service /etc/avahi/services/pi-gm.service /usr/local/bin/pi-gm \
    /etc/systemd/system/multi-user.target.wants/pi-gm.service /usr/lib/sysusers.d/pi-gm.conf; do
    if [ -e "$debian$gone" ] || [ -L "$debian$gone" ]; then fail "$gone is still there"; fi
done
check_not answers 8080
check test -n "$(ls "$debian/var/lib/pi-gm")"

step "installed for the first time while something else has its port"
nsenter --target "$machine" --net "$python" -m http.server --directory "$folder/venv" 8080 >/dev/null 2>&1 &
other=$!
while ! in_its_network "$python" -c "import socket; socket.create_connection(('127.0.0.1', 8080))" 2>/dev/null; do sleep 0.1; done
code=0
install >"$folder/said" 2>&1 || code=$?
check test "$code" = 1
check grep -q 'port 8080 at 0.0.0.0 cannot be had' "$folder/said"
check grep -q 'set another in /etc/pi-gm/environment; then: sudo systemctl restart pi-gm' "$folder/said"
kill "$other"
wait "$other" || true
other=
inside systemctl restart pi-gm
check answers 8080

step "on a Pi: with its pins, in an image that is not booted"
power_cut
echo 'Raspberry Pi 4 Model B Rev 1.5' >"$debian/root/model"
inside_image env PI_GM_MODEL_FILE=/root/model PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels "$checkout/systemd/install.sh" |
    tee "$folder/said"
check grep -q 'with pi' "$folder/said"
check test -L "$debian/etc/systemd/system/multi-user.target.wants/pi-gm.service"
power_on
wait_for_page 8080

step "uninstall, with everything"
install --uninstall --purge
for gone in /var/lib/pi-gm /etc/pi-gm /var/cache/pi-gm /opt/pi-gm; do check_not test -e "$debian$gone"; done
check_not inside getent passwd pi-gm

step "installed, booted, cut off, upgraded and removed"
