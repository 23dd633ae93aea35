"""What a session ends with: a table whose groups have been counted again, and who was caught."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shoal.errors import NotAnonymous
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


def make_result(session: Session, rows: Sequence[tuple[str, ...]], n_submitted: int, named: Mapping[int, str]) -> Result:
    """Leave out rows that are in a group below k in the end, then count the released cells once more."""
    n_qi = len(session.quasi_identifiers)
    sizes = Counter(row[:n_qi] for row in rows)
    kept = sorted(row for row in rows if sizes[row[:n_qi]] >= session.k)
    recount(kept, n_qi, session.k)
    header = tuple(c.name for c in (*session.quasi_identifiers, *session.sensitive))
    return Result(header, tuple(kept), n_qi, session.k, n_submitted, n_submitted - len(kept), dict(sorted(named.items())))


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
