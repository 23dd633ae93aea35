"""The ladder of generalizations that nested rounds climb: a list of level vectors that follows from the session file
alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from shoal.protocol.schema import SchemaColumn
from shoal.protocol.session import Session

Levels = tuple[int, ...]
MOST = 200_000
"""A lattice with more nodes than this is climbed along one chain."""


def ladder(session: Session) -> list[Levels]:
    """From exact values up to all stars, at most ``session.rounds`` vectors; cheaper ones come first.

    The cost of a vector is the sum of level / height. Among equally cheap ones those that generalize columns with many
    values come first, because they make more rows equal.
    """
    columns = session.quasi_identifiers
    if session.rounds == 1:
        return [(0,) * len(columns)]
    every = lattice(columns) if math.prod(c.height + 1 for c in columns) <= MOST else chain(columns)
    if len(every) <= session.rounds:
        return every
    chosen = {round(i * (len(every) - 1) / (session.rounds - 1)) for i in range(session.rounds)}
    return [every[i] for i in sorted(chosen)]


def spread(column: SchemaColumn, level: int) -> float:
    """The logarithm of how many labels a column has on a level; free text counts as many."""
    if column.levels is None:
        return 0.0 if level else 10.0
    return math.log(len({labels[level] for labels in column.levels.values()}))


def lattice(columns: Sequence[SchemaColumn]) -> list[Levels]:
    """All level vectors, the cheapest first."""

    def key(levels: Levels) -> tuple[float, float, Levels]:
        cost = sum(l / c.height for l, c in zip(levels, columns, strict=True))
        return round(cost, 9), round(sum(spread(c, l) for l, c in zip(levels, columns, strict=True)), 9), levels

    return sorted(itertools.product(*(range(c.height + 1) for c in columns)), key=key)


def chain(columns: Sequence[SchemaColumn]) -> list[Levels]:
    """One path: always generalize the column that has the most labels left."""
    levels = [0] * len(columns)
    path = [tuple(levels)]
    while any(l < c.height for l, c in zip(levels, columns, strict=True)):
        j = max((j for j, c in enumerate(columns) if levels[j] < c.height), key=lambda j: spread(columns[j], levels[j]))
        levels[j] += 1
        path.append(tuple(levels))
    return path


def generalize(session: Session, quasi_identifier: Sequence[str], levels: Levels) -> tuple[str, ...]:
    """A quasi-identifier on a rung of the ladder."""
    return tuple(c.label(v, l) for c, v, l in zip(session.quasi_identifiers, quasi_identifier, levels, strict=True))
