#!/bin/sh
# Compile every kernel with gcc and with clang, all warnings on, each of them an error. clang is installed where that is possible; where it is
# not, that is said, and gcc decides alone.
set -eu
cd "$(dirname "$0")/../src/shoal/kernels/c"
if ! command -v clang >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing clang …" >&2
    { apt-get install -qq -y --no-install-recommends clang || { apt-get update -qq && apt-get install -qq -y --no-install-recommends clang; }; } >/dev/null 2>&1
fi
FLAGS="-O2 -std=c11 -ffp-contract=off -pthread -Werror -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
       -Wpointer-arith -Wundef -Wvla -Wcast-qual"
n_left_out=0
for compiler in gcc clang; do
    if ! command -v "$compiler" >/dev/null 2>&1; then
        echo "$compiler is not here and could not be installed: its warnings were not looked at (apt-get install $compiler)" >&2
        n_left_out=$((n_left_out + 1))
        continue
    fi
    # shellcheck disable=SC2086
    ls */*.c | xargs -P 2 -I FILE "$compiler" $FLAGS -c FILE -o /dev/null
    echo "$compiler: no warning in $(ls */*.c | wc -l) files"
done
[ "$n_left_out" -lt 2 ] || { echo "there is no compiler at all" >&2; exit 1; }
