"""What a session ends with: a table whose groups have been counted again, and who was caught."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shoal.errors import NotAnonymous
from shoal.protocol.grouping import Grouping, Reached, reached
from shoal.protocol.session import Session


@dataclass(frozen=True)
class Result:
    """The table, in sorted order, so that its order says nothing of who sent what."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_qi: int
    k: int
    n_submitted: int
    n_withheld: int
    """Rows that were submitted and are not in the table."""
    named: Mapping[int, str]
    reached: Reached | None = None
    """What the groups promise, and how near the table is to the best one. For the miner: the bound depends on what the
    table hides.
    """

    @property
    def n_suppressed(self) -> int:
        """Starred cells in the table."""
        return sum(cell == "*" for row in self.rows for cell in row[: self.n_qi])

    def csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows(self.rows)
        return out.getvalue()

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.csv().encode()).hexdigest()


@dataclass(frozen=True)
class Formed:
    """What a protocol knows of its groups."""

    grouping: Grouping
    lower_bound: int
    n_grouped: int
    """How many rows the groups were made of."""
    n_due: int
    """How many rows must be in the table for the factor to hold."""
    exactly: bool = True
    """Whether these must be shown without a hidden cell."""


def make_result(
    session: Session,
    rows: Sequence[tuple[str, ...]],
    n_submitted: int,
    named: Mapping[int, str],
    formed: Formed | None = None,
    hidden: Sequence[int] | None = None,
) -> Result:
    """Leave out rows that are in a group below k in the end, then count the released cells once more.

    ``hidden``: how many cells of each row are not shown exactly; those that are starred, if not given.
    """
    n_qi = len(session.quasi_identifiers)
    sizes = Counter(row[:n_qi] for row in rows)
    cells = [row[:n_qi].count("*") for row in rows] if hidden is None else hidden
    both = sorted((row, n) for row, n in zip(rows, cells, strict=True) if sizes[row[:n_qi]] >= session.k)
    kept = [row for row, _ in both]
    recount(kept, n_qi, session.k)
    header = tuple(c.name for c in (*session.quasi_identifiers, *session.sensitive))
    told = None
    if formed is not None:
        loss = sum(n for _, n in both) + n_qi * (formed.n_grouped - len(kept))
        lost = formed.n_due - sum(n == 0 or not formed.exactly for _, n in both)
        told = reached(formed.grouping, session.threshold, n_qi, loss, formed.lower_bound, lost)
    return Result(
        header, tuple(kept), n_qi, session.k, n_submitted, n_submitted - len(kept), dict(sorted(named.items())), told
    )


def recount(rows: Sequence[tuple[str, ...]], n_qi: int, k: int) -> None:
    """Count groups by sorting, and raise :class:`NotAnonymous` if one is too small."""
    run, previous = k, None
    for row in [*sorted(r[:n_qi] for r in rows), None]:
        if row == previous:
            run += 1
        else:
            if run < k:
                raise NotAnonymous(f"A group of the table has {run} rows, {k} were asked.")
            run, previous = 1, row
