#!/bin/sh
# The kernel tests on kernels that were compiled with gcc's address and undefined-behaviour sanitizers; the first finding ends the run.
# Usage: scripts/sanitize.sh PYTHON [pytest arguments]
set -eu
cd "$(dirname "$0")/.."
python="$1"
shift
if [ ! -f "$(gcc -print-file-name=libasan.so 2>/dev/null)" ]; then
    echo "gcc's sanitizers are not here: the kernel tests were not run under them (apt-get install gcc)" >&2
    exit 0
fi
home="$PWD/build/sanitized"
sources=$(find src/shoal -type f \( -name '*.py' -o -name '*.[ch]' \) -exec cat {} + | sha256sum) # the whole package is installed there
if [ "$(cat "$home/.sources" 2>/dev/null)" != "$sources" ]; then
    rm -rf "$home" build/lib* build/bdist* # what an earlier build left would be installed too
    SHOAL_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g -O1" \
        "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$home" . 2>/dev/null
    echo "$sources" >"$home/.sources"
fi
# Python leaks on purpose, so leaks are not looked for. The libraries must be there before anything else allocates.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
    ASAN_OPTIONS="detect_leaks=0:abort_on_error=1" UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1" PYTHONMALLOC=malloc PYTHONPATH="$home" \
    "$python" -m pytest -q -p no:cacheprovider "$@"
