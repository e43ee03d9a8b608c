#!/usr/bin/env bash
# venv.sh VENV PROJECT [PYTHON]: makes VENV where it is missing or broken, and installs PROJECT into it, editable and
# at the pinned versions. PROJECT is a path with or without extras ("." or ".[dev]"). Without PYTHON the first good one
# on the PATH is taken.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/system-package.sh
. tools/system-package.sh

venv=$1 project=$2 wanted=${3:-}
candidates=(python3.13 python3.12 python3.11 python3)
[ -z "$wanted" ] || candidates=("$wanted")

# A command may be there and still not run: pyenv puts names on the PATH for versions that are switched off.
is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

# Debian ships Python without the parts that make an environment.
makes_environments() {
    "$1" -c 'import venv' >/dev/null 2>&1 && "$1" -m ensurepip --version >/dev/null 2>&1
}

# first_python TEST: prints the first candidate that passes TEST.
first_python() {
    local python
    for python in "${candidates[@]}"; do
        if is_new_enough "$python" && "$1" "$python"; then
            echo "$python"
            return
        fi
    done
    return 1
}

# Prints the Python to make the environment with; brings what it lacks, or says on standard error how to.
find_python() {
    first_python makes_environments && return
    local incomplete version
    if incomplete=$(first_python is_new_enough); then
        version=$("$incomplete" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        need_package "The parts of Python $version that make an environment are missing." \
            "python$version-venv" "brew install python@$version" || return
    elif [ -n "$wanted" ]; then
        echo "PYTHON=$wanted does not run, or is older than Python 3.11." >&2
        return 1
    else
        need_package "Python 3.11 or newer is missing." python3-venv "brew install python" || return
    fi
    hash -r
    first_python makes_environments && return
    echo "There is still no Python 3.11 or newer here that makes environments. Name one: make venv PYTHON=…" >&2
    return 1
}

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    echo "Making $venv with $("$python" --version) …"
    "$python" -m venv --clear "$venv"
fi

echo "Installing $project …"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable "$project"
