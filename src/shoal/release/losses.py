"""What a cell has lost, from what its label stands for: every measure's formula once more, beside the one that the solver uses.

A measure that has no formula here is counted by its own definition.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from shoal import measures, registry
from shoal.release.lexicon import Lexicon, Sense
from shoal.release.reading import Longs

Formula = Callable[[Lexicon, Sense], float]


def _entropy(column: Lexicon, sense: Sense) -> float:
    """H(X | X in B)."""
    if sense.n_values <= 1 or sense.weight <= 0:
        return 0.0
    return max(math.log2(sense.weight) - sense.spent / sense.weight, 0.0)


def _monotone_entropy(column: Lexicon, sense: Sense) -> float:
    """Pr(X in B) · H(X | X in B)."""
    return sense.weight / max(int(column.count.sum()), 1) * _entropy(column, sense)


def _non_uniform_entropy(column: Lexicon, sense: Sense) -> float:
    """log2 of the rows that B holds; what its own value's rows take off is counted apart."""
    return math.log2(max(sense.weight, 1))


def _information_share(column: Lexicon, sense: Sense) -> float:
    """The same over the bits of the whole column."""
    return _per_bit(column) * _non_uniform_entropy(column, sense)


def _per_bit(column: Lexicon) -> float:
    bits = _entropy(column, column.everything()) if np.count_nonzero(column.count) > 1 else 0.0
    return 1 / bits if bits > 0 else 0.0


def _tree(column: Lexicon, sense: Sense) -> float:
    return 0.0 if sense.n_values <= 1 else sense.level / column.texts.height


def _lm(column: Lexicon, sense: Sense) -> float:
    if sense.width is not None:
        return sense.width
    return (sense.n_values - 1) / max(column.n_values - 1, 1)


def _stars(column: Lexicon, sense: Sense) -> float:
    return float(sense.n_values > 1)


FORMULAS: dict[str, Formula] = {
    "entropy": _entropy,
    "monotone-entropy": _monotone_entropy,
    "non-uniform-entropy": _non_uniform_entropy,
    "information-share": _information_share,
    "tree": _tree,
    "lm": _lm,
    "stars": _stars,
}

NEEDS_ORIGINALS = frozenset({"non-uniform-entropy", "information-share"})
"""Measures in which a cell pays by its own value."""


def total(column: Lexicon, senses: Sequence[Sense | None], leaf_of: Longs, n_cells: Longs, place: Longs, n: Longs) -> dict[str, float]:
    """Every measure of one column, without weights.

    ``senses`` are what the labels were read as (None: the value ``leaf_of`` itself), ``n_cells`` how many cells show each; ``place`` and
    ``n`` are the original values and how many cells have each.
    """
    inner = [i for i, sense in enumerate(senses) if sense is not None]
    own = np.array([i for i, sense in enumerate(senses) if sense is None], dtype=np.int64)
    read = [sense for sense in senses if sense is not None]
    log_count = np.log2(np.maximum(column.count, 1))
    found: dict[str, float] = {}
    for name in measures.CATALOG:
        if name == "information-share":  # the catalog has it behind the measure that it divides
            found[name] = _per_bit(column) * found["non-uniform-entropy"]
            continue
        if name not in FORMULAS:
            found[name] = _by_definition(name, column, senses, leaf_of, n_cells, place, n)
            continue
        amount = float(np.dot([FORMULAS[name](column, sense) for sense in read], n_cells[inner])) if read else 0.0
        if name == "non-uniform-entropy":
            amount += float((log_count[leaf_of[own]] * n_cells[own]).sum()) - float((log_count[place] * n).sum())
        found[name] = max(amount, 0.0)
    return found


def _by_definition(
    name: str, column: Lexicon, senses: Sequence[Sense | None], leaf_of: Longs, n_cells: Longs, place: Longs, n: Longs
) -> float:
    """A measure that has no formula here."""
    from shoal.release import definition

    measure = registry.find(measures.CATALOG, name)
    meant = [column.value(int(leaf_of[i])) if sense is None else sense for i, sense in enumerate(senses)]
    amount = float(np.dot(definition.prices(measure, column, meant), n_cells))
    return max(amount - float((definition.offsets(measure, column)[place] * n).sum()), 0.0)


def whole(column: Lexicon, name: str) -> float:
    """What a cell loses that is suppressed; for a measure with an offset, before that is taken off."""
    if name in FORMULAS:
        return FORMULAS[name](column, column.everything())
    from shoal.release import definition

    return float(definition.prices(registry.find(measures.CATALOG, name), column, [column.everything()])[0])
