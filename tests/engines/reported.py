"""Reports of one release by different engines, set beside each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shoal.engines.stored import Stored


def reports_of(made: Any, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The report and the owner's of a release that is written, as data."""
    made.report(folder / "public.json")
    made.owner_report(folder / "owner.json")
    if isinstance(made, Stored):
        made.close()
    return json.loads((folder / "public.json").read_text()), json.loads((folder / "owner.json").read_text())


def same_as_of_rows(counted: dict[str, Any], of_rows: dict[str, Any]) -> None:
    """The same numbers, but for what needs single rows, and says so."""
    assert counted["attention"].pop("not_looked_at") is True
    for model in (counted, of_rows):
        model["attention"].pop("tells")
        model.get("record", {}).pop("seconds", None)
    near(counted, of_rows)


def near(one: Any, other: Any, where: str = "") -> None:
    """The same numbers, but for the last digits of a sum in another order."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), where
        for key in one:
            near(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), where
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            near(a, b, f"{where}[{i}]")
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-6, abs=1e-9), where
    else:
        assert one == other, where
