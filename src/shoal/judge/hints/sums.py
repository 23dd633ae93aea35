"""Whether numbers are computed of hidden ones: sums, differences and products with any factors, in which all but a few rows agree.

A column is fitted by the others, without the rows that fit worst. What the fit leaves of a hidden number is held against what its label leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.judge.hints.agreement import FEW, LEFT, TRIM, Ground, gap
from shoal.judge.hints.cells import DrawnColumn, Floats

MOST_ROWS = 300
MOST_COLUMNS = 16
TURNS = 6
EXACT = 1e-9
"""Below this share of a column's size a difference is one of rounding."""


def sums(columns: Sequence[DrawnColumn], grounds: Sequence[Ground], exact: Sequence[DrawnColumn]) -> dict[str, list[str]]:
    """Which hidden columns each of these gives back with the others, or with columns that are released exactly.

    Beside a column that gives one back, any other would seem to: so those that do it without such company are found first.
    """
    numbers = [x for x in columns if x.is_numeric]
    seeming = {x.name for x in numbers if _computed(x, grounds, [*numbers, *exact])}
    honest = [x for x in numbers if x.name not in seeming]
    alone = {x.name: told for x in numbers if x.name in seeming and (told := _computed(x, grounds, [*honest, *exact]))}
    company = [x for x in numbers if x.name not in alone]
    return alone | {x.name: told for x in company if x.name in seeming and (told := _computed(x, grounds, [*company, *exact]))}


def _computed(x: DrawnColumn, grounds: Sequence[Ground], others: Sequence[DrawnColumn]) -> list[str]:
    """The hidden columns that x gives back together with other numbers."""
    hidden = [at for at in grounds if at.cells.is_numeric and at.apart > 0]
    if not x.is_numeric or not hidden:
        return []
    sides = [*(at.cells for at in hidden), *(c for c in others if c.is_numeric and c.name != x.name)][:MOST_COLUMNS]
    table = np.stack([x.number, *(side.number for side in sides)], axis=1)
    table = table[np.isfinite(table).all(axis=1)][:MOST_ROWS]
    if len(table) < FEW or np.ptp(table[:, 0]) == 0:
        return []
    told = {sides[j].name for j, left in enumerate(_left_open(table)) if j < len(hidden) and left <= LEFT * hidden[j].apart}
    is_positive = np.asarray((table > 0).all(axis=0))
    if is_positive[0]:
        logs = [j for j in range(len(sides)) if is_positive[1 + j]]
        for j, left in zip(logs, _left_open(np.log(table[:, [0, *(1 + j for j in logs)]])), strict=True):
            if j < len(hidden) and left <= LEFT * gap(np.log(np.maximum(sides[j].number, 1e-300)), *hidden[j].pairs):
                told.add(sides[j].name)
    return [side.name for side in sides if side.name in told]


def _left_open(table: Floats) -> Floats:
    """How far each column but the first stays unknown to somebody who knows all the others."""
    n, most = len(table), int(len(table) * (1 - TRIM))
    centre, spread = np.median(table, axis=0), np.maximum(np.std(table, axis=0), 1e-300)
    scaled = (table - centre) / spread
    sides = np.column_stack([scaled[:, 1:], np.ones(n)])
    rows = np.arange(n)
    for _ in range(TURNS):
        factors = np.linalg.lstsq(sides[rows], scaled[rows, 0], rcond=None)[0]
        off = np.abs(scaled[:, 0] - sides @ factors)
        rows = np.argpartition(off, most - 1)[:most]
    rest = max(float(off[rows].max()), EXACT)
    with np.errstate(divide="ignore", over="ignore"):
        return np.asarray(rest * spread[1:] / np.abs(factors[:-1]))


__all__ = ["sums"]
