"""What a published cluster shows of its members beside its centre: checked against the rows that may be in it.

Who is in which cluster is not published. So it is asked whether rows with these very values can be placed into the clusters, each within its
cluster's radius: for each value by itself that is a flow.
"""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import maximum_flow

from shoal.clustering.points import Floats, Longs
from shoal.errors import NotAnonymous
from shoal.table import Table
from shoal.table.text import as_text

NEAR = 1e-9


def is_within(apart: Floats, radii: Floats) -> NDArray[np.bool_]:
    """Which points (first axis) lie within the radius of which clusters, apart from rounding."""
    return np.asarray(apart <= radii[None, :] * (1 + NEAR) + 1e-12)


def can_flow(supply: Longs, room: Longs, at: Longs, to: Longs) -> bool:
    """Whether all room can be filled, where what is at ``at[i]`` may go to ``to[i]``."""
    n, c = len(supply), len(room)
    source, sink = n + c, n + c + 1
    rows = np.concatenate([np.full(n, source), at, n + np.arange(c)])
    columns = np.concatenate([np.arange(n), n + to, np.full(c, sink)])
    amount = np.concatenate([supply, supply[at], room]).astype(np.int32)
    graph = sparse.csr_matrix((amount, (rows, columns)), shape=(n + c + 2, n + c + 2))
    return int(maximum_flow(graph, source, sink).flow_value) == int(room.sum())


def check_shown(table: Table, after: Table, name: str, point: Longs, apart: Floats, sizes: Longs, radii: Floats) -> None:
    """Raise :class:`NotAnonymous` unless the values that clusters show of a column can be those of their members."""
    told = [_counts(name, text) for text in as_text(after.column(name)).to_list()]
    if [sum(counts.values()) for counts in told] != sizes.tolist():
        raise NotAnonymous(f"Column '{name}': a cluster does not show one value for each of its rows.")
    held: dict[str, Counter[int]] = {}
    for cell, p in zip(as_text(table.column(name)).to_list(), point.tolist(), strict=True):
        held.setdefault(cell or "", Counter())[p] += 1
    within = is_within(apart, radii)
    for value in {value for counts in told for value in counts}:
        points = np.fromiter(held.get(value, {}), dtype=np.int64)
        rows = np.array([held[value][p] for p in points.tolist()], dtype=np.int64) if len(points) else np.zeros(0, dtype=np.int64)
        room = np.array([counts.get(value, 0) for counts in told], dtype=np.int64)
        if int(room.sum()) > int(rows.sum()) or not can_flow(rows, room, *np.nonzero(within[points])):
            raise NotAnonymous(f"Column '{name}': the clusters show values that rows within their radii do not have, or not so often.")


def _counts(name: str, text: str | None) -> Counter[str]:
    """A cell of the table of clusters: a JSON list of values, or an object with how often each occurs. A missing one counts as empty."""
    try:
        found = json.loads(text or "")
    except ValueError:
        found = None
    if isinstance(found, list) and all(value is None or isinstance(value, str) for value in found):
        return Counter(value or "" for value in found)
    if isinstance(found, dict) and all(type(n) is int and n > 0 for n in found.values()):
        return Counter(found)
    raise NotAnonymous(f"Column '{name}': a cluster shows neither a list of values nor how often each occurs.")
