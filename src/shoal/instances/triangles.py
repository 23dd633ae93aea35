"""Edge partition into triangles and larger cliques, as k-anonymity with suppression (Aggarwal et al.

2005, section 3, theorem 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, comb, log2

from shoal.errors import DataError
from shoal.instances.base import Instance, checked_edges

REFERENCE = "Aggarwal et al. 2005, section 3, theorem 1"


def triangles_and_stars(edges: Iterable[Sequence[int]]) -> Instance:
    """Rows are edges, columns are vertices: 9m stars suffice if and only if the 3m edges can be split into triangles
    and stars of three edges.

    >>> triangles_and_stars([(0, 1), (1, 2), (2, 0)]).rows
    (('1', '1', '0'), ('0', '1', '1'), ('1', '0', '1'))
    """
    listed = checked_edges(edges, 2)
    n = max(max(edge) for edge in listed) + 1
    rows = tuple(tuple("1" if v in edge else "0" for v in range(n)) for edge in listed)
    threshold = 3.0 * len(listed) if len(listed) % 3 == 0 else None
    return Instance(rows, 3, "stars", threshold, "can the edges be parted into triangles and 4-stars?", REFERENCE)


def triangles(edges: Iterable[Sequence[int]]) -> Instance:
    """As :func:`triangles_and_stars` with t blocks of columns, in which stars pay more: 9mt stars suffice if and only
    if the edges split into triangles.

    Edges are ranked from 1 in the order given; t = ⌈log2(number of edges + 1)⌉. Block i of edge (a, b) has a 1 at a and
    a 2 at b if the i-th binary digit of its rank is 0, and the other way round if it is 1.
    """
    listed = checked_edges(edges, 2)
    n = max(max(edge) for edge in listed) + 1
    t = ceil(log2(len(listed) + 1))
    rows = []
    for rank, (a, b) in enumerate(listed, start=1):
        row: list[str] = []
        for digit in format(rank, f"0{t}b"):
            first, second = ("1", "2") if digit == "0" else ("2", "1")
            row += [first if v == a else second if v == b else "0" for v in range(n)]
        rows.append(tuple(row))
    threshold = 3.0 * len(listed) * t if len(listed) % 3 == 0 else None
    return Instance(tuple(rows), 3, "stars", threshold, "can the edges be parted into triangles?", REFERENCE)


def r_cliques(edges: Iterable[Sequence[int]], r: int, copies: int = 1) -> Instance:
    """Rows are edges, each so many times: the threshold is reached if and only if the edges split into cliques of r
    vertices; k = copies · r(r − 1)/2.

    For r = 3 columns are those of :func:`triangles`. From r = 4 on one column for each vertex is enough, with ones at
    the two ends, and the threshold is r stars a row. A group has k rows, so r(r − 1)/2 different edges or more, with r
    vertices or more. If no vertex is in all of them, each of these columns is suppressed; r columns are only those of a
    clique. Else it is a star of r(r − 1)/2 > r leaves.

    >>> r_cliques([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], 4).threshold
    24.0
    """
    if r < 3 or copies < 1:
        raise DataError(
            f"Cliques have 3 vertices or more, and an edge is there once or more: not r = {r}, copies = {copies}."
        )
    listed = checked_edges(edges, 2)
    n = max(max(edge) for edge in listed) + 1
    once = (
        triangles(listed).rows
        if r == 3
        else tuple(tuple("1" if v in edge else "0" for v in range(n)) for edge in listed)
    )
    blocks = len(once[0]) // n
    whole = len(listed) % comb(r, 2) == 0
    threshold = float(r * blocks * copies * len(listed)) if whole else None
    question = f"can the edges be parted into cliques of {r} vertices?"
    return Instance(once * copies, copies * comb(r, 2), "stars", threshold, question, REFERENCE)
