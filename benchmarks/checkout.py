"""An older version of shoal beside this one: its files at a commit, with its kernels compiled by this interpreter.

It is made once for a commit and kept in the user's cache folder, so the second time it is there at once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = """
from runpy import run_path
from setuptools import setup
made = run_path("src/shoal/kernels/build.py")["builder"].distutils_extension("build")
setup(name="kernels", ext_modules=[made], script_args=["--quiet", "build_ext", "--build-lib", "built", "--build-temp", "build"])
"""
KERNELS = "src/shoal/kernels"
ABI = sysconfig.get_config_var("SOABI")


def commit_of(revision: str) -> str:
    """The whole name of a commit."""
    return _named(f"{revision}^{{commit}}")


def checkout(revision: str) -> Path:
    """The folder with a revision's files, compiled."""
    commit = commit_of(revision)
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "shoal-checkouts"
    place = kept / f"{commit}-{ABI}"
    if not place.exists():
        kept.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept) as folder:
            made = Path(folder) / "made"
            made.mkdir()
            archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
            subprocess.run(["tar", "-x", "-C", made], input=archive.stdout, check=True)
            _compile(made, kept / f"kernels-{_named(f'{commit}:{KERNELS}/c')[:16]}-{_named(f'{commit}:{KERNELS}/build.py')[:16]}-{ABI}")
            made.rename(place)
    return place


def _named(what: str) -> str:
    """The name that git has for a commit, a folder or a file."""
    asked = ["git", "rev-parse", "--verify", "--quiet", what]
    answer = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    if answer.returncode:
        raise SystemExit(f"This history has no '{what}'.")
    return answer.stdout.strip()


def _compile(place: Path, kept: Path) -> None:
    """Kernels of the same sources are compiled once."""
    if not kept.exists():
        about = place / "pyproject.toml"
        aside = about.rename(place / "pyproject.aside")  # compiling needs nothing of it, and an old setuptools may not read it
        built = subprocess.run([sys.executable, "-c", BUILD], cwd=place, capture_output=True, text=True, check=False)
        aside.rename(about)
        if built.returncode:
            raise SystemExit(f"The kernels do not compile:\n{built.stderr}")
        (made,) = (place / "built" / "shoal" / "kernels").glob("_native*")
        shutil.copytree(made.parent, place / "kept")
        (place / "kept").rename(kept)
    shutil.copytree(kept, place / KERNELS, dirs_exist_ok=True)


def environment(tree: Path, **more: str) -> dict[str, str]:
    """What a process needs to import shoal from a tree, and the benchmarks from here; bytecode is kept, as on a user's machine."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(ROOT)]), **more}
