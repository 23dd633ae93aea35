"""Builds the compiled kernels: every ``c/*.c`` file, declared to Python by its ``c/*.h``.

The headers hold plain declarations, which cffi reads as they are (lines that begin with ``#`` are for the compiler alone).
No flag depends on the machine, and floating-point contraction is off: the same input gives the same bits everywhere.
"""

from pathlib import Path

from cffi import FFI

HERE = Path(__file__).parent / "c"
ROOT = Path(__file__).parents[3]


def declarations(header: Path) -> str:
    return "\n".join(line for line in header.read_text().splitlines() if not line.startswith("#"))


headers = sorted(HERE.glob("*.h"))
builder = FFI()
for header in headers:
    builder.cdef(declarations(header))
builder.set_source(
    "shoal.kernels._native",
    "\n".join(f'#include "{header.name}"' for header in headers),
    sources=[str(path.relative_to(ROOT)) for path in sorted(HERE.glob("*.c"))],
    include_dirs=[str(HERE.relative_to(ROOT))],
    depends=[str(path.relative_to(ROOT)) for path in headers],
    extra_compile_args=["-O3", "-std=c11", "-ffp-contract=off", "-fvisibility=hidden", "-pthread", "-Wall", "-Wextra"],
    extra_link_args=["-pthread", "-lm"],
)
