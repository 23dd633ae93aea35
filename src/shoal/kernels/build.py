"""Builds the compiled kernels: every ``c/*/*.c`` file, declared to Python by the header of its room.

The public headers hold plain declarations, which cffi reads as they are (lines that begin with ``#`` are for the
compiler alone). No flag depends on the machine, and floating-point contraction is off: the same input gives the same
bits everywhere. Every file under ``c/`` is a dependency, so that a change of any of them builds the kernels again.
"""

import hashlib
import os
from pathlib import Path

from cffi import FFI

HERE = Path(__file__).parent / "c"
ROOT = Path(__file__).parents[3]
PUBLIC = (
    "base/limits.h",
    "base/status.h",
    "table/table.h",
    "table/columns.h",
    "boxes/boxes.h",
    "search/search.h",
    "matching/matching.h",
    "metric/metric.h",
    "text/text.h",
)
"""The headers that Python sees, each after those it needs."""
FLAGS = ("-O3", "-std=c11", "-ffp-contract=off", "-fvisibility=hidden", "-pthread", "-Wall", "-Wextra")
MORE_FLAGS = tuple(os.environ.get("SHOAL_CFLAGS", "").split())
"""For checks only: sanitizers, warnings as errors."""


def declarations(header: Path) -> str:
    """What a header declares, without what is for the compiler alone."""
    return "\n".join(line for line in header.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))


def files(pattern: str) -> list[str]:
    """Files below ``c/``, as paths from the project's root."""
    return [path.relative_to(ROOT).as_posix() for path in sorted(HERE.glob(pattern))]


def fingerprint() -> str:
    """A hash of all that is compiled, which the compiled kernels carry, so that a test recognizes kernels that are out
    of date.
    """
    total = hashlib.sha256()
    for path in sorted(HERE.glob("*/*")):
        total.update(path.relative_to(HERE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:32]


builder = FFI()
builder.cdef("const char *shoal_sources(void);")
for name in PUBLIC:
    builder.cdef(declarations(HERE / name))
builder.set_source(
    "shoal.kernels._native",
    "\n".join(f'#include "{name}"' for name in PUBLIC)
    + f'\nstatic const char *shoal_sources(void) {{ return "{fingerprint()}"; }}\n',
    sources=files("*/*.c"),
    include_dirs=[HERE.relative_to(ROOT).as_posix()],
    depends=[*files("*/*"), Path(__file__).relative_to(ROOT).as_posix()],
    extra_compile_args=[*FLAGS, *MORE_FLAGS],
    extra_link_args=["-pthread", "-lm", *MORE_FLAGS],
)
