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
trap 'rm -rf "$fresh"' EXIT
"$python" -m venv "$fresh/env"
mkdir "$fresh/bin" # a PATH without a compiler
for tool in env cat uname; do ln -s "$(command -v $tool)" "$fresh/bin/$tool"; done
PATH="$fresh/env/bin:$fresh/bin"
export PATH
! command -v cc gcc clang >/dev/null 2>&1
python -m pip install --quiet --disable-pip-version-check --only-binary :all: -c constraints.txt dist/*.whl 2>/dev/null
cd "$fresh"
python - <<'END'
import shoal, shoal.kernels.native as native
from shoal.demo import files
assert "site-packages" in shoal.__file__
release = shoal.anonymize(files().table, policy=files().policy, algorithm="mondrian")
assert release.k >= 5 if hasattr(release, "k") else True
print("the wheel works without a compiler:", shoal.__version__, native.ffi.string(native.lib.shoal_sources()).decode())
END
