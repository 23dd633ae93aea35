#!/bin/sh
# Build the wheel and the source distribution into dist/, and try both: the wheel in a fresh environment whose PATH has no compiler, the source
# distribution by building a wheel from it. Usage: scripts/wheel.sh PYTHON
set -eu
cd "$(dirname "$0")/.."
python="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
rm -rf dist build/wheel
mkdir -p dist build/wheel

"$python" -m build --outdir build/wheel . >build/wheel/log 2>&1 || { tail -20 build/wheel/log; exit 1; } # the sdist, and the wheel from it
PATH="$(dirname "$python"):$PATH" "$python" -m auditwheel repair --wheel-dir dist build/wheel/*.whl >>build/wheel/log 2>&1 || { tail -20 build/wheel/log; exit 1; }
cp build/wheel/*.tar.gz dist/
"$python" -m auditwheel show dist/*.whl
case "$(ls dist/*.whl)" in
*cp311-abi3-manylinux*) ;;
*) echo "not a wheel for every Python from 3.11 on: $(ls dist/*.whl)" >&2; exit 1 ;;
esac

fresh="$(mktemp -d)"
remove="$(command -v rm)"
trap '"$remove" -rf "$fresh"' EXIT
"$python" -m venv "$fresh/env"
mkdir "$fresh/bin" # a PATH without a compiler
for tool in env cat uname; do ln -s "$(command -v $tool)" "$fresh/bin/$tool"; done
PATH="$fresh/env/bin:$fresh/bin"
export PATH
for compiler in cc gcc clang; do
    if command -v "$compiler" >/dev/null 2>&1; then echo "the PATH still has $compiler" >&2; exit 1; fi
done
python -m pip install --quiet --disable-pip-version-check --only-binary :all: -c constraints.txt dist/*.whl 2>/dev/null
cd "$fresh"
python - <<'END'
import shoal, shoal.kernels.native as native
from shoal.demo import files
assert "site-packages" in shoal.__file__
shoal.anonymize(files().table, policy=files().policy, algorithm="mondrian")  # verified, or it raises
print("the wheel works without a compiler:", shoal.__version__, native.ffi.string(native.lib.shoal_sources()).decode())
END
