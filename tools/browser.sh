#!/usr/bin/env bash
# Prints the path of a Chromium (or Chrome) for the browser tests; installs one where none is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/system-package.sh
. tools/system-package.sh

find_browser() {
    local browser
    for browser in \
        chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
        "/Applications/Chromium.app/Contents/MacOS/Chromium"; do
        command -v "$browser" && return
    done
    return 1
}

if [ -n "${PI_GM_BROWSER:-}" ]; then
    echo "$PI_GM_BROWSER"
    exit
fi
find_browser && exit
need_package "The browser tests need Chromium." chromium "brew install --cask google-chrome"
hash -r
find_browser
