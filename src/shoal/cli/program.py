"""How shoal is called from here: a command that is printed must work as it stands."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from shlex import quote


def program() -> str:
    """``shoal`` if that name finds this very installation, else the path by which it was called."""
    called = Path(sys.argv[0])
    own = called if called.stem == "shoal" and _runs(called) else Path(sys.executable).with_name("shoal")
    found = shutil.which("shoal")
    if found is not None and (not _runs(own) or os.path.samefile(found, own)):
        return "shoal"
    return quote(str(own)) if _runs(own) else f"{quote(sys.executable)} -m shoal"


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)
