"""The risk of being picked out, before and after: from the sizes of the groups, and the people in them where k counts people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.judge.people import Crowd, crowd_of, persons
from shoal.release.release import Release


@dataclass(frozen=True)
class Risk:
    """What somebody learns who knows a person's quasi-identifiers and that she is in the table.

    Where k counts people, what is unique or below k is people: those who have a row in such a group.
    """

    k: int
    n_rows: int
    n_groups: int
    n_unique: int
    n_below_k: int
    highest: float | None
    """The chance of picking a right row of the most exposed person; None where that is not told."""
    average: float | None
    """The same, averaged over all rows: the number of groups over the number of rows."""
    counts: str = "rows"
    """What k counts: rows or people."""
    n_people: int | None = None
    """Where k counts people: how many there are."""

    @property
    def n_counted(self) -> int:
        """All rows, or all people."""
        return self.n_rows if self.n_people is None else self.n_people


def risk_of(sizes: NDArray[np.int64], k: int) -> Risk:
    """The risk of a table whose groups have these sizes."""
    n_rows = int(sizes.sum())
    return Risk(
        k=k,
        n_rows=n_rows,
        n_groups=len(sizes),
        n_unique=int((sizes == 1).sum()),
        n_below_k=int(sizes[sizes < k].sum()),
        highest=1.0 / int(sizes.min()) if n_rows else 0.0,
        average=len(sizes) / n_rows if n_rows else 0.0,
    )


def risk_of_people(crowd: Crowd, n_rows: int, k: int) -> Risk:
    """The risk of a table with these people: whoever has many rows in a group is picked more often."""
    return Risk(
        k=k,
        n_rows=n_rows,
        n_groups=len(crowd.sizes),
        n_unique=crowd.n_below(2),
        n_below_k=crowd.n_below(k),
        highest=1.0 if n_rows and crowd.fewest == 0 else crowd.largest_share,
        average=min(len(crowd.sizes) / crowd.n_places, 1.0) if crowd.n_places else float(n_rows > 0),
        counts="people",
        n_people=crowd.n_people,
    )


def risks(release: Release) -> tuple[Risk, Risk]:
    """Before, over the original rows, and after, over the released ones."""
    problem, people = release.problem, release.verdict.people
    if people is None or people.crowd is None:
        return risk_of(problem.weight, problem.k), risk_of(release.verdict.size_array(), problem.k)
    name = people.crowd.person
    before = crowd_of(name, problem.tuple_of_unit[release.kinds].astype(np.int64), persons(release.original.frame, name))
    return risk_of_people(before, problem.n_rows, problem.k), risk_of_people(people.crowd, release.verdict.n_rows, problem.k)
