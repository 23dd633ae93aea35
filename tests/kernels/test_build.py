"""What is tested is what was compiled from these sources, and what is compiled is what the house says."""

from __future__ import annotations

import runpy
from pathlib import Path

from shoal.kernels import native

KERNELS = Path(__file__).parents[2] / "src/shoal/kernels"
BUILD = runpy.run_path(str(KERNELS / "build.py"))


def test_the_compiled_kernels_are_of_these_sources() -> None:
    """A header that was no dependency of the build let stale kernels pass."""
    compiled = native.ffi.string(native.lib.shoal_sources()).decode()
    assert compiled == BUILD["fingerprint"](), "the compiled kernels are stale: run 'make setup'"


def test_every_file_is_compiled_or_included_and_a_dependency() -> None:
    """Nothing lies beside the build."""
    all_files = {path.relative_to(KERNELS / "c").as_posix() for path in (KERNELS / "c").rglob("*") if path.is_file()}
    assert {Path(name).suffix for name in all_files} == {".c", ".h"}
    assert {f"src/shoal/kernels/c/{name}" for name in all_files} == set(BUILD["files"]("*/*"))
    for name in all_files:
        if name.endswith(".h"):
            base = name.split("/")[-1]
            users = [
                other
                for other in all_files
                if base in (KERNELS / "c" / other).read_text(encoding="utf-8") and other != name
            ]
            assert users or name in BUILD["PUBLIC"], f"nothing includes {name}"


def test_every_room_has_a_documented_header() -> None:
    for name in BUILD["PUBLIC"]:
        text = (KERNELS / "c" / name).read_text(encoding="utf-8")
        assert text.startswith("/* "), f"{name} does not say what it is"


def test_only_one_file_knows_the_operating_system() -> None:
    """What another system needs is in base/threads.h and nowhere else."""
    for path in (KERNELS / "c").rglob("*"):
        if path.is_file() and path.name not in ("threads.c", "threads.h"):
            text = path.read_text(encoding="utf-8")
            assert not any(word in text for word in ("pthread", "unistd.h", "sys/", "stdatomic")), path.name
