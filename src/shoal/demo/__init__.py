"""A table of 10,000 invented patients that comes with shoal, with hierarchies and a policy.

``python -m shoal.demo.generate FOLDER`` makes all of it again, byte for byte.
"""

from __future__ import annotations

from importlib.resources import files as resources
from pathlib import Path
from typing import NamedTuple


class DemoFiles(NamedTuple):
    """Where the demo's files lie."""

    table: Path
    policy: Path
    hierarchies: Path
    """A folder, with one file per column."""


def files() -> DemoFiles:
    """The paths of the table, its policy and its hierarchies."""
    home = Path(str(resources("shoal.demo")))
    return DemoFiles(home / "patients.csv", home / "policy.toml", home / "hierarchies")
