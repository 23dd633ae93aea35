"""A hidden column and others, as the search for hints sees them: all rows, in the order in which they are given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.judge.hints.agreement import Ground, ground
from shoal.judge.hints.cells import DrawnColumn, HiddenColumn, cells_of, hidden_of


def drawn(cells: Sequence[object] | np.ndarray, name: str = "x", repeats: float = 1.0) -> DrawnColumn:
    return cells_of(name, pl.Series([None if cell is None else str(cell) for cell in cells], dtype=pl.String), repeats)


def hidden(cells: Sequence[object] | np.ndarray, shown: Sequence[str], name: str = "y") -> HiddenColumn:
    return hidden_of(drawn(cells, name), pl.Series(list(shown), dtype=pl.String))


def ground_of(cells: Sequence[object] | np.ndarray, shown: Sequence[str] | None = None, name: str = "y") -> Ground:
    """Without labels every cell is a star."""
    found = ground(hidden(cells, ["*"] * len(cells) if shown is None else shown, name))
    assert found is not None
    return found
