#!/usr/bin/env bash
# install.sh: installs Pi GM from this checkout as a service that starts with the machine; run again, it upgrades.
# install.sh --uninstall: removes the service and the program; the nights in /var/lib/pi-gm stay.
# install.sh --uninstall --purge: removes the nights and the settings as well.
#
# For Raspberry Pi OS and Debian, from version 12. What runs is a copy: the checkout may be changed or thrown away.
set -euo pipefail
shopt -s inherit_errexit

CHECKOUT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PROGRAM=/opt/pi-gm
SETTINGS=/etc/pi-gm
UNIT=/etc/systemd/system/pi-gm.service
USERS=/usr/lib/sysusers.d/pi-gm.conf
AVAHI=/etc/avahi/services/pi-gm.service
COMMAND=/usr/local/bin/pi-gm
NIGHTS=/var/lib/pi-gm

say() { printf '%s\n' "$*"; }
fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

usage() { sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}"; }

is_booted_with_systemd() { [ -d /run/systemd/system ]; }

# systemctl where it has somebody to talk to: not in an image that is still being built.
ctl() { ! is_booted_with_systemd || systemctl "$@"; }

bring_packages() {
    local wanted=(python3-venv espeak-ng alsa-utils avahi-daemon) missing=() package
    # The pins: from Python 3.13 on only the system brings that library.
    if grep -qs 'Raspberry Pi' /proc/device-tree/model; then wanted+=(python3-lgpio); fi
    for package in "${wanted[@]}"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "Installing ${missing[*]} …"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# Prints the folder of the environment that the program is installed in. It is made beside the one that runs, so that
# an upgrade that fails leaves everything as it was.
make_release() {
    local release wheels extras=""
    release=$PROGRAM/releases/$(date -u +%Y%m%dT%H%M%S)-$$
    wheels=$(mktemp -d)
    # shellcheck disable=SC2064
    trap "rm -rf '$release' '$wheels'" EXIT
    mkdir -p "$PROGRAM/releases"
    python3 -m venv --system-site-packages "$release" >&2
    if grep -qs 'Raspberry Pi' /proc/device-tree/model; then extras='[pi]'; fi
    # A copy: building leaves nothing behind in the checkout, and nothing of its owner's runs as root later.
    cp -R --no-preserve=ownership "$CHECKOUT"/{pi_gm,hardware,web,pyproject.toml,README.md,LICENSE,constraints.txt} "$wheels"
    "$release/bin/python" -m pip install --quiet --disable-pip-version-check --no-warn-script-location \
        --constraint "$wheels/constraints.txt" "$wheels$extras" >&2
    "$release/bin/pi-gm" --version >&2
    rm -rf "$wheels"
    trap - EXIT
    printf '%s\n' "$release"
}

install_program() {
    local release old
    say "Installing the program in $PROGRAM …"
    release=$(make_release)
    ln -sfn "$release" "$PROGRAM/next"
    mv -T "$PROGRAM/next" "$PROGRAM/current"
    ln -sfn "$PROGRAM/current/bin/pi-gm" "$COMMAND"
    for old in "$PROGRAM"/releases/*; do
        [ "$old" = "$release" ] || OLD+=("$old")
    done
}

install_service() {
    install -D -m 644 "$CHECKOUT/systemd/pi-gm.sysusers.conf" "$USERS"
    systemd-sysusers "$USERS"
    [ -e "$SETTINGS/environment" ] || install -D -m 644 "$CHECKOUT/systemd/environment" "$SETTINGS/environment"
    # At first only: from then on the voice is as the host's page has it.
    if [ ! -d "$NIGHTS" ]; then
        install -d -m 700 -o pi-gm -g pi-gm "$NIGHTS"
        install -m 600 -o pi-gm -g pi-gm "$CHECKOUT/systemd/voice.toml" "$NIGHTS/voice.toml"
    fi
    install -D -m 644 "$CHECKOUT/systemd/pi-gm.avahi.service" "$AVAHI"
    install -D -m 644 "$CHECKOUT/systemd/pi-gm.service" "$UNIT"
    ctl daemon-reload
    systemctl enable --quiet pi-gm.service
    ctl restart pi-gm.service
}

uninstall() {
    if is_booted_with_systemd && [ -e "$UNIT" ]; then systemctl stop pi-gm.service; fi
    if [ -e "$UNIT" ]; then systemctl disable --quiet pi-gm.service; fi
    rm -f "$UNIT" "$AVAHI" "$USERS"
    if [ "$(readlink "$COMMAND")" = "$PROGRAM/current/bin/pi-gm" ]; then rm -f "$COMMAND"; fi
    rm -rf "$PROGRAM" /var/cache/pi-gm
    ctl daemon-reload
    if [ "$1" = purge ]; then
        rm -rf "$NIGHTS" "$SETTINGS"
        if getent passwd pi-gm >/dev/null; then userdel pi-gm; fi
        say "Pi GM is gone, and its nights with it."
    else
        say "Pi GM is gone. Its nights are still in $NIGHTS, its settings in $SETTINGS."
    fi
}

wants_uninstall=no wants_purge=no
for argument in "$@"; do
    case $argument in
        --uninstall) wants_uninstall=yes ;;
        --purge) wants_purge=purge ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) fail "unknown option $argument. $(usage)" ;;
    esac
done
[ "$(id -u)" -eq 0 ] || fail "needs root: sudo $0 $*"
if [ "$wants_uninstall" = yes ]; then
    uninstall "$wants_purge"
    exit 0
fi
[ "$wants_purge" = no ] || fail "--purge goes with --uninstall"
command -v apt-get >/dev/null || fail "this is for Raspberry Pi OS and Debian: there is no apt-get here"
command -v systemd-sysusers >/dev/null || fail "there is no systemd here to start Pi GM with"

OLD=()
bring_packages
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "needs Python 3.11 (Debian 12) or newer"
install_program
install_service
[ ${#OLD[@]} -eq 0 ] || rm -rf "${OLD[@]}"
say "Pi GM starts with this machine. Its pages: http://$(hostname).local/"
say "The host's PIN is in the log: journalctl -u pi-gm"
