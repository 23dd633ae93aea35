"""Restricted k-anonymity: graphs as tables with two zeros in every column and back, and tables made restricted (Sun,
Wang and Li 2008).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shoal.errors import DataError
from shoal.instances.base import Instance

REFERENCE = "Sun, Wang and Li 2008, section 6"
MEASURE = "stars"
"""What restricted k-anonymity counts."""


def check_restricted(counts: Mapping[str, Sequence[int]], k: int) -> None:
    """Raise if a column, given how often each of its values occurs, does not have two of them, one exactly k times."""
    for name, count in counts.items():
        if len(count) != 2 or k not in count:
            found = (
                f"{len(count)} values" if len(count) != 2 else f"its two values in {min(count)} and {max(count)} rows"
            )
            raise DataError(
                f"Column '{name}' has {found}: in a restricted table every column has two values, one of them in "
                f"exactly {k} rows."
            )


def restricted_from_graph(n_vertices: int, edges: Iterable[Sequence[int]]) -> Instance:
    """Rows are vertices, columns are edges with zeros at their two ends (Fig. 3). Parallel edges are repeated columns.

    The paper's threshold n(m − 1) is reached by graphs without a perfect matching too (rows agree on ones), so there is
    none.

    >>> restricted_from_graph(3, [(0, 1), (1, 2)]).rows
    (('0', '1'), ('0', '0'), ('1', '0'))
    """
    listed = [tuple(int(v) for v in edge) for edge in edges]
    for number, edge in enumerate(listed):
        if len(set(edge)) != 2 or len(edge) != 2 or min(edge) < 0 or max(edge) >= n_vertices:
            raise DataError(f"Edge {number} must join two different vertices among 0 … {n_vertices - 1}.")
    if not listed:
        raise DataError("There is no edge.")
    rows = tuple(tuple("0" if x in edge else "1" for edge in listed) for x in range(n_vertices))
    return Instance(
        rows,
        2,
        "stars",
        None,
        "the least loss is 4(m − ν), ν being the greatest weight of a matching (n even)",
        REFERENCE,
    )


def graph_of_restricted(rows: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """The graph of a restricted 2-anonymity table: for each column the two rows that hold its zeros."""
    edges = []
    for j in range(len(rows[0])):
        zeros = [i for i, row in enumerate(rows) if row[j] == "0"]
        if len(zeros) != 2:
            raise DataError(
                f"Column {j} has {len(zeros)} zeros: a restricted table for k = 2 has exactly two in every column."
            )
        edges.append((zeros[0], zeros[1]))
    return edges


def restricted_from_table(rows: Sequence[Sequence[str]], k: int) -> Instance:
    """Add rows to a table of zeros and ones until every column has exactly k zeros (Fig. 2).

    As many rows are added as the column with the fewest zeros lacks; the paper's example has one more than it needs. A
    column with more than k zeros is an error.
    """
    lacking = []
    for j in range(len(rows[0])):
        if {row[j] for row in rows} - {"0", "1"}:
            raise DataError(f"Column {j} must hold zeros and ones alone.")
        zeros = sum(row[j] == "0" for row in rows)
        if zeros > k:
            raise DataError(
                f"Column {j} has {zeros} zeros, more than k = {k}: no rows can be added to make the table restricted."
            )
        lacking.append(k - zeros)
    added = tuple(tuple("0" if i < lack else "1" for lack in lacking) for i in range(max(lacking)))
    table = tuple(tuple(row) for row in rows) + added
    return Instance(
        table,
        k,
        "stars",
        None,
        f"the first {len(rows)} rows are the table given",
        "Sun, Wang and Li 2008, section 3, Fig. 2",
    )
