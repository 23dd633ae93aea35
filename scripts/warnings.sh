#!/bin/sh
# Compile every kernel with gcc and with clang, all warnings on, each of them an error. clang is installed where that is possible.
set -eu
cd "$(dirname "$0")/../src/shoal/kernels/c"
if ! command -v clang >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing clang …" >&2
    { apt-get install -qq -y --no-install-recommends clang || { apt-get update -qq && apt-get install -qq -y --no-install-recommends clang; }; } >/dev/null 2>&1
fi
FLAGS="-O2 -std=c11 -ffp-contract=off -pthread -Werror -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
       -Wpointer-arith -Wundef -Wvla -Wcast-qual"
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null 2>&1 || { echo "$compiler is not here: apt-get install $compiler" >&2; exit 1; }
    for file in */*.c; do
        # shellcheck disable=SC2086
        "$compiler" $FLAGS -c "$file" -o /dev/null
    done
    echo "$compiler: no warning in $(ls */*.c | wc -l) files"
done
