"""The people whose clusters are published, and the command that checks what was published."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from shoal.cli.main import run

QI = ["age", "town"]


def people(n: int = 40) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    towns = [("A", "B", "C", None)[i] for i in rng.integers(0, 4, n)]
    return pl.DataFrame({"age": [str(a) for a in rng.integers(17, 80, n)], "town": towns, "ill": ["flu"] * n})


def verify(folder: Path, *more: str, table: str = "clusters.csv") -> int:
    flags = ["--qi", "age,town", "--method", "cellular", "-r", "3", "--quiet"]
    return run(["verify", str(folder / "table.csv"), str(folder / table), *flags, *more])
