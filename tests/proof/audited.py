"""A release of a file with missing cells, and the flags with which it is verified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import shoal
from shoal.hierarchies import levels

JOBS = levels(
    [["nurse", "health", "*"], ["doctor", "health", "*"], ["cook", "food", "*"], ["waiter", "food", "*"], ["clerk", "office", "*"]]
)
QI = ["age", "job", "kind"]


def table(n: int = 60, note: bool = True) -> pl.DataFrame:
    rng = np.random.default_rng(4)
    columns: dict[str, list[str | None]] = {
        "age": [str(a) for a in rng.integers(17, 90, n)],
        "job": [str(j) for j in rng.choice(["nurse", "doctor", "cook", "waiter", "clerk"], n)],
        "kind": [str(v) for v in rng.choice(["a", "b", "c"], n, p=[0.05, 0.05, 0.9])],
        "ill": [str(v) for v in rng.choice(["flu", "gout", "ache"], n)],
    }
    if note:
        columns["note"] = [f"n{i}" for i in range(n)]
    for row in (3, 11, 30):
        columns["job"][row] = None
    return pl.DataFrame(columns)


def made(tmp_path: Path, measure: str, **options: Any) -> tuple[shoal.Release, dict[str, Any]]:
    """A release of a file, and the flags that made it."""
    table(options.pop("n_rows", 60), options.pop("note", True)).write_csv(tmp_path / "table.csv")
    asked = {"k": 3, "quasi_identifiers": QI, "measure": measure, "hierarchies": {"job": JOBS}, **options}
    release = shoal.anonymize(tmp_path / "table.csv", **asked)
    release.write(tmp_path / "release.csv")
    only_here = ("withhold", "algorithm")
    told = {"withheld": release.record["max_withheld"]} if "withhold" in asked else {}
    return release, {name: value for name, value in asked.items() if name not in only_here} | told
