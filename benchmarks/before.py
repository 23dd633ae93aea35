"""Version 0.1.0, installed beside this one, so that both are measured in the same run.

It is taken from the project's own history, built once into ``bench-out/0.1.0``, and run in processes of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

COMMIT = "7545a2c5b4c2"
"""The last commit of 0.1.0."""
ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "bench-out" / "0.1.0"


def install() -> Path | None:
    """The folder to put on the path for 0.1.0; None where the history does not reach back so far."""
    if (PLACE / "shoal" / "api.py").exists():
        return PLACE
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", COMMIT], cwd=ROOT, capture_output=True, check=False)
        if archive.returncode:
            return None
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        how = ["--quiet", "--disable-pip-version-check", "--no-deps", "--target", str(PLACE)]
        subprocess.run([sys.executable, "-m", "pip", "install", *how, folder], check=True)
    return PLACE


def run(code: str, *arguments: str, old: bool) -> str:
    """What a piece of Python prints, run with this version or with 0.1.0."""
    environment = dict(os.environ)
    if old:
        environment["PYTHONPATH"] = str(install())
    PLACE.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=PLACE.parent).stdout
