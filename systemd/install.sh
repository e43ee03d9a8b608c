#!/usr/bin/env bash
# install.sh: installs Pi GM from this checkout as a service that starts with the machine; run again, it upgrades.
# install.sh --with piper: with the voice Piper as well (or --with voice: pyttsx3); kept by every upgrade, until --without piper.
# install.sh --uninstall: removes the service and the program; the nights in /var/lib/pi-gm stay.
# install.sh --uninstall --purge: removes the nights and the settings as well.
#
# For Raspberry Pi OS and Debian, from version 12. What runs is a copy: the checkout may be changed or thrown away.
# Ends with 2 where it was called wrongly, with 1 where something failed: then what was there before runs on.
set -euo pipefail
shopt -s inherit_errexit
# Whatever this shell's is: the service's user has to read what is put there.
umask 022

CHECKOUT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PROGRAM=/opt/pi-gm
SETTINGS=/etc/pi-gm
UNIT=/etc/systemd/system/pi-gm.service
USERS=/usr/lib/sysusers.d/pi-gm.conf
AVAHI=/etc/avahi/services/pi-gm.service
COMMAND=/usr/local/bin/pi-gm
NIGHTS=/var/lib/pi-gm
CLIPS=/var/cache/pi-gm
# The parts of the program that are there, one a line.
PARTS=$PROGRAM/with
# The file that names the board; a trial on another machine has one of its own.
MODEL=${PI_GM_MODEL_FILE:-/proc/device-tree/model}

say() { printf '%s\n' "$*"; }
fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}
called_wrongly() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 2
}

usage() { sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"; }

is_booted_with_systemd() { [ -d /run/systemd/system ]; }
is_pi() { grep -qs 'Raspberry Pi' "$MODEL"; }
is_python_from() { python3 -c "import sys; sys.exit(sys.version_info < ($1, $2))"; }
has_package() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# systemctl where it has somebody to talk to: not in an image that is still being built.
ctl() { ! is_booted_with_systemd || systemctl "$@"; }

# What goes on at this moment, for whoever reads why it stopped; empty: nothing that could have been spoilt.
STAGE=
# The new release, until it is the one that runs; and what was there before it, once that is being replaced.
RELEASE='' WANTED='' SCRATCH='' BEFORE='' REPLACED=()

# Whatever ends this script comes through here.
finish() {
    local code=$?
    trap - EXIT
    set +e
    if [ "$code" -ne 0 ] && [ -n "$STAGE" ]; then
        printf 'install.sh: it stopped while %s: see above for why.\n' "$STAGE" >&2
        put_back
        if [ -e "$PROGRAM/current" ]; then
            printf '%s\n' "What was installed before is there as it was." >&2
        else
            printf '%s\n' "Nothing was installed." >&2
        fi
        printf '%s\n' "Is the disk full (df -h), or the internet away? Put that right, and run this again." >&2
        # Those of pip and others mean something else; a signal's stays.
        [ "$code" -gt 128 ] || code=1
    fi
    [ -z "$RELEASE" ] || rm -rf "$RELEASE"
    [ -z "$SCRATCH" ] || rm -rf "$SCRATCH"
    exit "$code"
}

# The files that an upgrade replaces, as they were.
remember() {
    local path
    BEFORE=$SCRATCH/before
    mkdir "$BEFORE"
    REPLACED=("$PROGRAM/current" "$COMMAND" "$PARTS" "$UNIT" "$USERS" "$AVAHI")
    for path in "${REPLACED[@]}"; do
        if [ -e "$path" ] || [ -L "$path" ]; then cp -a --parents "$path" "$BEFORE"; fi
    done
}

put_back() {
    local path
    [ -n "$BEFORE" ] || return 0
    for path in "${REPLACED[@]}"; do
        rm -f "$path"
        if [ -e "$BEFORE$path" ] || [ -L "$BEFORE$path" ]; then cp -a "$BEFORE$path" "$path"; fi
    done
    if [ ! -e "$UNIT" ]; then
        rm -f /etc/systemd/system/multi-user.target.wants/pi-gm.service
        ctl stop --quiet pi-gm.service 2>/dev/null
        ctl daemon-reload
        return 0
    fi
    ctl daemon-reload
    ctl reset-failed pi-gm.service
    ctl restart pi-gm.service || printf '%s\n' "It does not start either: journalctl -u pi-gm" >&2
}

bring_packages() {
    local wanted=(python3-venv espeak-ng alsa-utils avahi-daemon) missing=() package
    # From Python 3.13 on only the system brings the pins' library.
    if is_pi && is_python_from 3 13; then wanted+=(python3-lgpio); fi
    for package in "${wanted[@]}"; do has_package "$package" || missing+=("$package"); done
    [ ${#missing[@]} -gt 0 ] || return 0
    STAGE="installing the system's packages ${missing[*]}"
    say "Installing ${missing[*]} …"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# The parts of the program that are to be there, one a line.
wanted_parts() {
    local part
    if is_pi; then say pi; fi
    for part in "${KNOWN_PARTS[@]}"; do
        case " ${WITHOUT[*]-} " in *" $part "*) continue ;; esac
        case " ${WITH[*]-} " in
            *" $part "*) say "$part" ;;
            *) if grep -qsx "$part" "$PARTS"; then say "$part"; fi ;;
        esac
    done
}

# Made beside the one that runs, which goes on meanwhile.
make_release() {
    local parts source
    WANTED=$(wanted_parts)
    parts=${WANTED//$'\n'/,}
    STAGE="installing the program in $PROGRAM"
    say "Installing the program in $PROGRAM${parts:+ (with $parts)} …"
    RELEASE=$PROGRAM/releases/$(date -u +%Y%m%dT%H%M%S)-$$
    install -d -m 755 "$PROGRAM/releases"
    python3 -m venv --system-site-packages "$RELEASE"
    # A copy: building leaves nothing behind in the checkout, and nothing of its owner's runs as root later.
    source=$SCRATCH/source
    mkdir "$source"
    cp -R --no-preserve=ownership,mode "$CHECKOUT"/{pi_gm,hardware,web,pyproject.toml,README.md,LICENSE,constraints.txt} "$source"
    "$RELEASE/bin/python" -m pip install --quiet --disable-pip-version-check --no-warn-script-location \
        --constraint "$source/constraints.txt" "$source${parts:+[$parts]}"
    "$RELEASE/bin/pi-gm" --version
}

# Only the link is changed, in one step.
point_to() {
    ln -sfn "$1" "$PROGRAM/next"
    mv -T "$PROGRAM/next" "$PROGRAM/current"
}

install_service() {
    STAGE="putting the service in place"
    remember
    printf '%s\n' "$WANTED" >"$PARTS"
    point_to "$RELEASE"
    if [ ! -e "$COMMAND" ] || [ "$(readlink "$COMMAND")" = "$PROGRAM/current/bin/pi-gm" ]; then
        ln -sfn "$PROGRAM/current/bin/pi-gm" "$COMMAND"
    else
        say "$COMMAND is somebody's own and stays: the program is $PROGRAM/current/bin/pi-gm"
    fi
    install -D -m 644 "$CHECKOUT/systemd/pi-gm.sysusers.conf" "$USERS"
    systemd-sysusers "$USERS"
    install -d -m 700 -o pi-gm -g pi-gm "$NIGHTS"
    install -d -m 755 -o pi-gm -g pi-gm "$NIGHTS/voices"
    # What a person may change is put there once, and is theirs from then on.
    [ -e "$SETTINGS/environment" ] || install -D -m 644 "$CHECKOUT/systemd/environment" "$SETTINGS/environment"
    # With its port at once: avahi does not see a second change within the same second.
    if [ ! -e "$AVAHI" ]; then
        sed "s|<port>80<|<port>$(port)<|" "$CHECKOUT/systemd/pi-gm.avahi.service" >"$SCRATCH/avahi"
        install -D -m 644 "$SCRATCH/avahi" "$AVAHI"
    fi
    [ -e "$NIGHTS/voice.toml" ] ||
        install -m 600 -o pi-gm -g pi-gm "$CHECKOUT/systemd/voice.toml" "$NIGHTS/voice.toml"
    install -D -m 644 "$CHECKOUT/systemd/pi-gm.service" "$UNIT"
    ctl daemon-reload
    systemctl enable --quiet pi-gm.service
}

# systemd waits until the program says that its pages answer.
start() {
    is_booted_with_systemd || return 0
    say "Starting it …"
    systemctl reset-failed pi-gm.service 2>/dev/null || true
    if systemctl restart pi-gm.service; then return 0; fi
    say "It does not start. Its log says:" >&2
    journalctl -u pi-gm --no-pager -n 12 -o cat >&2 || true
    if [ -L "$BEFORE$PROGRAM/current" ]; then
        STAGE="starting the new program"
        exit 1
    fi
    # There is nothing to go back to, and what is in the way may be outside: the settings have to be there for the cure.
    RELEASE='' STAGE=''
    fail "Pi GM is installed, but does not start. Where its port is taken, set another in $SETTINGS/environment; then: sudo systemctl restart pi-gm"
}

port() {
    local port
    port=$(sed -nE "s/^PI_GM_PORT=[\"']?([0-9]+).*/\1/p" "$SETTINGS/environment" | tail -n 1)
    printf '%s\n' "${port:-80}"
}

throw_old_away() {
    local old
    for old in "$PROGRAM"/releases/*; do
        [ "$old" = "$1" ] || rm -rf "$old"
    done
}

uninstall() {
    if is_booted_with_systemd && [ -e "$UNIT" ]; then systemctl stop pi-gm.service; fi
    if [ -e "$UNIT" ]; then systemctl disable --quiet pi-gm.service; fi
    rm -f "$UNIT" "$AVAHI" "$USERS"
    if [ "$(readlink "$COMMAND")" = "$PROGRAM/current/bin/pi-gm" ]; then rm -f "$COMMAND"; fi
    rm -rf "$PROGRAM" "$CLIPS"
    ctl daemon-reload
    if [ "$1" = purge ]; then
        rm -rf "$NIGHTS" "$SETTINGS" "$UNIT.d"
        if getent passwd pi-gm >/dev/null; then userdel pi-gm; fi
        say "Pi GM is gone, and its nights with it."
    elif [ -e "$NIGHTS" ]; then
        say "Pi GM is gone. Its nights are still in $NIGHTS, its settings in $SETTINGS."
    else
        say "Pi GM is gone."
    fi
}

KNOWN_PARTS=(piper voice) WITH=() WITHOUT=()
wants_uninstall=no wants_purge=no
while [ $# -gt 0 ]; do
    case $1 in
        --uninstall) wants_uninstall=yes ;;
        --purge) wants_purge=purge ;;
        --with | --without)
            case " ${KNOWN_PARTS[*]} " in
                *" ${2:-none} "*) ;;
                *) called_wrongly "$1 ${2:-}: name one of: ${KNOWN_PARTS[*]}" ;;
            esac
            if [ "$1" = --with ]; then WITH+=("$2"); else WITHOUT+=("$2"); fi
            shift
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) called_wrongly "unknown option $1. $(usage)" ;;
    esac
    shift
done
if [ "$wants_uninstall" = no ] && [ "$wants_purge" = purge ]; then called_wrongly "--purge goes with --uninstall"; fi
[ "$(id -u)" -eq 0 ] || called_wrongly "needs root: run it with sudo in front"
if [ "$wants_uninstall" = yes ]; then
    uninstall "$wants_purge"
    exit 0
fi
command -v apt-get >/dev/null || fail "this is for Raspberry Pi OS and Debian: there is no apt-get here"
command -v systemd-sysusers >/dev/null || fail "there is no systemd here to start Pi GM with"
install -d -m 755 "$PROGRAM"
exec 9<"$PROGRAM"
flock -n 9 || fail "another install.sh is at work: wait until it has ended"

trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
SCRATCH=$(mktemp -d)
bring_packages
is_python_from 3 11 || { STAGE='' && fail "needs Python 3.11 (Debian 12) or newer"; }
make_release
install_service
start
STAGE=''
throw_old_away "$RELEASE"
RELEASE=''
say "Pi GM starts with this machine. Its pages: http://$(hostname).local$([ "$(port)" = 80 ] || printf ':%s' "$(port)")/"
say "The host's PIN is in the log: sudo journalctl -u pi-gm"
