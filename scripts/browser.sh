#!/bin/sh
# Make sure that there is a Chromium for the browser tests: say so if there is, install it where that is possible, else say what to install.
# Prints its path, or nothing; never fails, so that the rest of the tests runs anyway.
find_browser() {
    for name in "${SHOAL_CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome; do
        [ -n "$name" ] && command -v "$name" 2>/dev/null && return 0
    done
    return 1
}
find_browser && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing chromium for the browser tests …" >&2
    { apt-get install -qq -y --no-install-recommends chromium || { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium; }; } >/dev/null 2>&1
    find_browser && exit 0
fi
echo "No Chromium was found: the browser tests are left out. Install it (apt-get install chromium), or set SHOAL_CHROMIUM to its path." >&2
exit 0
