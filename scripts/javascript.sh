#!/bin/sh
# What checks JavaScript and pages: tsc, eslint and axe, from the npm registry, at the versions that package-lock.json pins. They go to a folder
# that git ignores, and nothing of them is shipped. Node is installed where that is possible.
set -eu
cd "$(dirname "$0")/javascript"
[ node_modules/.package-lock.json -nt package-lock.json ] && exit 0
if ! command -v npm >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing node and npm …" >&2
    { apt-get install -qq -y --no-install-recommends nodejs npm || { apt-get update -qq && apt-get install -qq -y --no-install-recommends nodejs npm; }; } >/dev/null 2>&1
fi
command -v npm >/dev/null 2>&1 || { echo "npm is not here: install Node 18 or later (apt-get install nodejs npm)" >&2; exit 1; }
npm ci --silent --no-audit --no-fund
touch node_modules/.package-lock.json
