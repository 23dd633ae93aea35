"""Small groups of texts, judged: by the verifier's definition, by the search's, and by the naive one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from shoal.judge.criteria.base import Requirement
from shoal.judge.criteria.judging import Judged, count, definition_of, judge
from shoal.privacy.base import histogram
from shoal.privacy.meaning import people_of, scale_of

Cell = str | None
WORDS = ["flu", "hiv", "gout", "asthma"]
NUMBERS = ["1", "1.0", "2", "10", "9", "-3"]
CODES = ["01", "1", "7", "12"]
LONGER = ["1,000", "12", "2,500", "999"]
CELLS = st.sampled_from([WORDS, NUMBERS, CODES, LONGER]).flatmap(lambda texts: st.sampled_from([*texts, None]))
TABLES = st.sampled_from([WORDS, NUMBERS, CODES, LONGER]).flatmap(
    lambda texts: st.lists(st.lists(st.sampled_from([*texts, None]), min_size=1, max_size=7), min_size=1, max_size=4)
)
"""Groups of cells of one column: words, numbers (two texts of one), codes, numbers with marks; any cell may be missing."""
ASKED: dict[str, list[dict[str, float]]] = {
    "k-anonymity": [{"k": 2}, {"k": 5}],
    "k-people": [{"k": 2}, {"k": 3}],
    "distinct-l-diversity": [{"l": 1}, {"l": 2}, {"l": 3}],
    "entropy-l-diversity": [{"l": 1}, {"l": 1.5}, {"l": 2}, {"l": 2.6}],
    "recursive-l-diversity": [{"c": 1, "l": 2}, {"c": 2, "l": 2}, {"c": 0.5, "l": 1}, {"c": 3, "l": 3}],
    "t-closeness": [{"t": 0}, {"t": 0.2}, {"t": 0.25}, {"t": 0.5}, {"t": 1}],
    "alpha-k-anonymity": [{"alpha": 0.25}, {"alpha": 0.5}, {"alpha": 2 / 3}, {"alpha": 1}],
    "basic-beta-likeness": [{"beta": 0.25}, {"beta": 0.5}, {"beta": 1}, {"beta": 2}],
    "enhanced-beta-likeness": [{"beta": 0.25}, {"beta": 0.5}, {"beta": 1}, {"beta": 2}],
    "delta-disclosure-privacy": [{"delta": 0.25}, {"delta": 0.5849625007211562}, {"delta": 1}, {"delta": 2}],
}
"""Parameters of each criterion: many groups reach some of them exactly."""


def judged(name: str, asked: dict[str, float], groups: Sequence[Sequence[Cell]], withheld: Sequence[Cell] = ()) -> Judged:
    """By the verifier's definition; the whole table is the groups' rows and those that were withheld."""
    return judge(Requirement(name, "s", asked), *frames(groups, withheld))


def reached(name: str, asked: dict[str, float], groups: Sequence[Sequence[Cell]], withheld: Sequence[Cell] = ()) -> list[float]:
    """What each group reaches by it."""
    whole, counted = count(*frames(groups, withheld))
    return [definition_of(name).reached(group, whole, asked) for group in counted]


def frames(groups: Sequence[Sequence[Cell]], withheld: Sequence[Cell] = ()) -> tuple[pl.DataFrame, pl.DataFrame]:
    cells = [cell for group in groups for cell in group]
    released = pl.DataFrame({"value": pl.Series(cells, dtype=pl.String), "n": [1] * len(cells)})
    before = pl.DataFrame({"value": pl.Series([*cells, *withheld], dtype=pl.String)}).with_columns(n=1)
    return before, released.with_columns(group=np.repeat(np.arange(len(groups)), [len(group) for group in groups]))


def by_the_search(name: str, asked: dict[str, float], groups: Sequence[Sequence[Cell]]) -> tuple[list[float], list[bool], Any]:
    """What each group reaches by the search's definition, whether that is enough, and what is required."""
    cells = [cell for group in groups for cell in group]
    texts = sorted({cell for cell in cells if cell is not None})
    scale = (people_of if name == "k-people" else scale_of)(texts)
    codes = scale.codes(np.array([-1 if cell is None else texts.index(cell) for cell in cells], dtype=np.int64))
    group = np.repeat(np.arange(len(groups), dtype=np.int32), [len(group) for group in groups])
    counts = histogram(group, codes, len(groups), np.bincount(codes, minlength=scale.missing + 1).astype(np.int64))
    demand = scale.demand(name, "s", asked)
    return demand.reached(counts).tolist(), demand.is_met(counts).tolist(), demand.parameters
