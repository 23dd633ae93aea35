"""Whether the order of the rows tells what their cells hide, as in a table that was sorted by age, by name or by time of visit.

Rows that keep the order in which they came show their place. If a hidden column is sorted like the rows, a reader who knows
how such a file is sorted can narrow the hidden cells down, however large the groups are. This looks at the owner's original; the result is for the owner alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import DataError
from shoal.table import Table
from shoal.text.dates import date_forms, parse_moments
from shoal.text.numbers import read_numbers

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
BY_CHANCE = 1e-4
"""A sorted column tells something if so many rows are sorted by chance less often than this."""
NEARER, SURE = 0.8, 6.0
"""Rows beside each other tell something if they are nearer than this share of what any two rows are, by so many standard deviations."""


def telling_columns(table: Table, rows: NDArray[np.integer], names: Iterable[str]) -> list[str]:
    """Of these columns, those whose values go along with the place of the released rows."""
    return [name for name in names if any(goes_along(place) for place in _places(table, rows, name))]


def _places(table: Table, rows: NDArray[np.integer], name: str) -> Iterator[Longs]:
    """The column's cells as ranks: by size, by time, or as texts. Missing cells are left out."""
    try:
        coded = table.coded(name)
    except DataError:  # lists and other cells without a text have no order
        return
    codes = coded.codes[rows]
    codes = codes[codes >= 0]
    if len(codes) < 2:
        return
    for key in _keys(coded.values):
        yield (np.arange(len(coded.values)) if key is None else np.unique(key, return_inverse=True)[1].reshape(-1).astype(np.int64))[codes]


def _keys(values: pl.Series) -> Iterator[NDArray[np.generic] | None]:
    """What a column may be sorted by, None for the order in which its values are; a date may be read in two ways."""
    number, wrong = read_numbers(values)
    if not len(wrong):
        yield number
        return
    forms = [form for form, n_unfit in date_forms(values).items() if n_unfit == 0]
    for form in forms:
        yield parse_moments(values, form)[0]
    if not forms:
        small = values.str.to_lowercase()
        yield None if (small == values).all() else small.rank("dense").to_numpy()


def goes_along(rank: Longs) -> bool:
    """Whether a column's cells, as ranks in the order of the rows, are sorted, or are near their neighbours' far more than by chance."""
    counts = np.bincount(rank)
    if np.count_nonzero(counts) < 2:
        return False
    step = np.diff(rank)
    if (step >= 0).all() or (step <= 0).all():
        ways = sum(math.lgamma(c + 1) for c in counts.tolist()) - math.lgamma(len(rank) + 1)
        return math.log(2) + ways < math.log(BY_CHANCE)
    return _neighbours_are_near(rank, counts.astype(np.float64))


def _neighbours_are_near(rank: Longs, counts: Floats) -> bool:
    """Compare the mean distance of neighbouring rows with that of any two rows, by ranks; equal cells share their middle rank."""
    n = len(rank)
    ends = np.cumsum(counts)
    middle = ends - (counts + 1) / 2
    expected = 2.0 * float((counts * middle * (2 * ends - counts)).sum() - n * (counts * middle).sum()) / (n * (n - 1))
    spread = 2.0 * float((counts * (middle - (n - 1) / 2) ** 2).sum()) / (n - 1) - expected**2
    near = float(np.abs(np.diff(middle[rank])).mean())
    return near <= NEARER * expected and (expected - near) * math.sqrt(n - 1) >= SURE * math.sqrt(max(spread, 0.0))


def order_words(names: Sequence[str]) -> str:
    """What is said to the owner: by the summary, by the library's warning and by the studio."""
    goes, it, value = ("goes", "it", "value") if len(names) == 1 else ("go", "them", "values")
    return (
        f"{', '.join(names)} {goes} along with the order of the rows, so that a row's place tells what its cells hide. Whoever knows how the input "
        f"is sorted narrows {it} down, and the release does not protect the {value}. Release the rows sorted by what they show: --shuffle, "
        "keep_order=False in Python or 'keep_order = false' in a policy."
    )
