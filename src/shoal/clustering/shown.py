"""What a published cluster shows of its members beside its centre: checked against the rows that may be in it.

Who is in which cluster is not published. So it is asked whether rows with these very values can be placed into the
clusters, each within its cluster's radius: for each value by itself that is a flow.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import maximum_flow

from shoal.clustering.points import Floats, Longs
from shoal.errors import NotAnonymous
from shoal.table import Table
from shoal.text.cells import as_text

NEAR = 1e-9


def is_within(apart: Floats, radii: Floats) -> NDArray[np.bool_]:
    """Which points (first axis) lie within the radius of which clusters, apart from rounding."""
    return np.asarray(apart <= radii[None, :] * (1 + NEAR) + 1e-12)


def can_flow(supply: Longs, room: Longs, at: Longs, to: Longs) -> bool:
    """Whether all room can be filled, where what is at ``at[i]`` may go to ``to[i]``."""
    return most_placed(supply, room, at, to) == int(room.sum())


def most_placed(supply: Longs, room: Longs, at: Longs, to: Longs) -> int:
    """How much can find room, each of it once."""
    n, c = len(supply), len(room)
    source, sink = n + c, n + c + 1
    rows = np.concatenate([np.full(n, source), at, n + np.arange(c)])
    columns = np.concatenate([np.arange(n), n + to, np.full(c, sink)])
    amount = np.concatenate([supply, supply[at], room]).astype(np.int32)
    graph = sparse.csr_matrix((amount, (rows, columns)), shape=(n + c + 2, n + c + 2))
    return int(maximum_flow(graph, source, sink).flow_value)


@dataclass(frozen=True, eq=False)
class Values:
    """A sensitive column: the values that clusters show, and how many rows with each value lie on each point."""

    name: str
    told: list[Counter[str]]
    held: dict[str, Counter[int]]

    def can_be(self, within: NDArray[np.bool_]) -> bool:
        """Whether the values that clusters show can be those of their members: rows of points, each ``within`` some
        clusters.
        """
        for value in {value for counts in self.told for value in counts}:
            points = np.fromiter(self.held.get(value, {}), dtype=np.int64)
            rows = np.array([self.held[value][p] for p in points.tolist()] if len(points) else [], dtype=np.int64)
            room = np.array([counts.get(value, 0) for counts in self.told], dtype=np.int64)
            if int(room.sum()) > int(rows.sum()) or not can_flow(rows, room, *np.nonzero(within[points])):
                return False
        return True


def values_of(table: Table, after: Table, name: str, point: Longs, sizes: Longs) -> Values:
    """A sensitive column of clusters that show one value for each of their rows."""
    texts = as_text(after.column(name)).to_list()
    told = [counts_told(name, text) for text in texts]
    if len({(text or "")[:1] for text in texts}) > 1:
        raise NotAnonymous(f"Column '{name}': some clusters show lists of values, and others how often each occurs.")
    if [sum(counts.values()) for counts in told] != sizes.tolist():
        raise NotAnonymous(f"Column '{name}': a cluster does not show one value for each of its rows.")
    held: dict[str, Counter[int]] = {}
    for cell, p in zip(as_text(table.column(name)).to_list(), point.tolist(), strict=True):
        held.setdefault(cell or "", Counter())[p] += 1
    return Values(name, told, held)


def counts_told(name: str, text: str | None) -> Counter[str]:
    """A cell of the table of clusters: a JSON list of values, or an object with how often each occurs. A missing one
    counts as empty.

    It must be written as :mod:`shoal.clustering.publish` says: values that stand in another order, or twice, could tell
    who has them.
    """
    try:
        found = json.loads(text or "")
    except ValueError:
        found = None
    if isinstance(found, list) and all(value is None or isinstance(value, str) for value in found):
        plain: object = sorted(found, key=lambda value: (value is None, value or ""))
        counts = Counter(value or "" for value in found)
    elif isinstance(found, dict) and all(type(n) is int and n > 0 for n in found.values()):
        plain = dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))
        counts = Counter(found)
    else:
        raise NotAnonymous(f"Column '{name}': a cluster shows neither a list of values nor how often each occurs.")
    if json.dumps(plain, ensure_ascii=False) != text:
        raise NotAnonymous(
            f"Column '{name}': a cluster shows its values in another order or writing than 'shoal cluster' gives them, "
            "which may tell whose they are."
        )
    return counts
