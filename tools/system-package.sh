# shellcheck shell=bash
# Sourced by the scripts beside it: a package of the operating system, installed where that needs no password,
# and otherwise the one line that installs it.

# need_package WHAT DEBIAN_PACKAGE MAC_LINE
# Installs DEBIAN_PACKAGE with apt-get; returns 1 where it may not, after saying on standard error what to type.
need_package() {
    local what=$1 package=$2 mac_line=$3
    if [ "$(uname -s)" = Darwin ]; then
        say_line "$what" "$mac_line"
        return 1
    fi
    if ! command -v apt-get >/dev/null; then
        echo "$what Install it with this system's package manager (Debian's name for it: $package)." >&2
        return 1
    fi
    if [ "$(id -u)" -eq 0 ]; then
        apt_install "$package"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        apt_install "$package" sudo -n
    elif command -v sudo >/dev/null; then
        say_line "$what" "sudo apt-get update && sudo apt-get install -y $package"
        return 1
    else
        say_line "$what" "su -c 'apt-get update && apt-get install -y $package'"
        return 1
    fi
}

# apt_install PACKAGE [COMMAND THAT MAKES ONE ROOT…]
apt_install() {
    local package=$1
    shift
    echo "Installing the system package $package …" >&2
    "$@" apt-get update -qq </dev/null >&2
    "$@" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" </dev/null >&2
}

say_line() {
    printf '%s Type this line, then run make again:\n\n    %s\n\n' "$1" "$2" >&2
}
