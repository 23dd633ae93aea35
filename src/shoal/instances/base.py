"""What an instance is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shoal.errors import DataError


@dataclass(frozen=True)
class Instance:
    """A table, and the loss that some release reaches if and only if the encoded question has the answer yes."""

    rows: tuple[tuple[str, ...], ...]
    k: int
    measure: str
    """The measure that the threshold is in; 'columns' counts suppressed columns."""
    threshold: float | None
    """None where the reduction says nothing (its conditions are not met)."""
    encodes: str
    reference: str


def checked_edges(edges: Iterable[Sequence[int]], size: int, n: int | None = None) -> list[tuple[int, ...]]:
    """Edges (or hyperedges) of distinct vertices 0 … n − 1, each of them once."""
    listed = [tuple(int(v) for v in edge) for edge in edges]
    for number, edge in enumerate(listed):
        if len(set(edge)) != size or len(edge) != size:
            raise DataError(f"Edge {number} must join {size} different vertices.")
        if min(edge) < 0 or (n is not None and max(edge) >= n):
            raise DataError(f"Edge {number} has a vertex that is not among 0 … {'' if n is None else n - 1}.")
    if len({frozenset(edge) for edge in listed}) != len(listed):
        raise DataError("An edge is listed twice.")
    if not listed:
        raise DataError("There is no edge.")
    return listed
