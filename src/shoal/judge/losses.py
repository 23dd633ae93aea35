"""What a column has lost, from what its labels stand for: by every measure's second definition, which the solver does not use."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.judge.lexicon import Lexicon, Sense
from shoal.judge.measures import CATALOG
from shoal.judge.measures.base import definition_of
from shoal.judge.reading import Longs


def total(column: Lexicon, senses: Sequence[Sense | None], leaf_of: Longs, n_cells: Longs, place: Longs, n: Longs) -> dict[str, float]:
    """Every measure of one column, without weights.

    ``senses`` are what the labels were read as (None: the value ``leaf_of`` itself), ``n_cells`` how many cells show each; ``place`` and
    ``n`` are the original values and how many cells have each.
    """
    inner = [i for i, sense in enumerate(senses) if sense is not None]
    own = np.array([i for i, sense in enumerate(senses) if sense is None], dtype=np.int64)
    read = [sense for sense in senses if sense is not None]
    found: dict[str, float] = {}
    for name in CATALOG:
        measure = definition_of(name)
        amount = float(np.dot([measure.recount(sense, column) for sense in read], n_cells[inner])) if read else 0.0
        if measure.recount_offset is not None:  # for a value that is shown as it is, the cost equals the offset
            offset = measure.recount_offset(column.count, column)
            amount += float((offset[leaf_of[own]] * n_cells[own]).sum()) - float((offset[place] * n).sum())
        found[name] = max(amount, 0.0)
    return found


def of_withheld(column: Lexicon, place: Longs, n: Longs) -> dict[str, float]:
    """What the cells of the rows that were left out would have lost if they had been suppressed: every measure of one column, without weights."""
    left = column.count - np.bincount(place, weights=n, minlength=len(column.count)).astype(np.int64)
    found: dict[str, float] = {}
    for name in CATALOG:
        measure = definition_of(name)
        amount = whole(column, name) * float(left.sum())
        if measure.recount_offset is not None:
            amount -= float((measure.recount_offset(column.count, column) * left).sum())
        found[name] = max(amount, 0.0)
    return found


def without_own(losses: dict[str, float]) -> dict[str, float]:
    """The measures that do not depend on each row's own value."""
    return {name: loss for name, loss in losses.items() if not needs_originals(name)}


def needs_originals(name: str) -> bool:
    """Whether what a cell costs depends on its own value in this measure."""
    measure = definition_of(name)
    return measure.pays_by_own_value


def whole(column: Lexicon, name: str) -> float:
    """What a cell loses that is suppressed; for a measure with an offset, before that is taken off."""
    measure = definition_of(name)
    return measure.recount(column.everything(), column)
