"""What a table gives away as it is: uniqueness, the chances of whoever looks for a person, and which columns single
people out.

Everything here is a count over groups of rows that look alike; no value of a row leaves this file. Where a column says
which person a row is about, people are counted instead of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.columns.whose import Whose, repeating_in, rows_counted
from shoal.errors import DataError, PolicyError
from shoal.judge.people import crowd_of, numbers_of, persons, smallest_of
from shoal.privacy.base import histogram
from shoal.privacy.meaning import scale_of
from shoal.table import Table
from shoal.table.fold import fold
from shoal.text.rounding import chance_up
from shoal.text.shown import Shown

THRESHOLDS = (2, 3, 5, 10)
AT_RISK = 0.2
"""A row is at risk if its chance of being picked out is above this: in a group of fewer than five."""
OUTSIDE = (
    "Of somebody who does not know that, the table alone does not tell the chance: it depends on how many people "
    "outside of the table look the same."
)
MOST_SUBSETS = 5_000
TOLD = ("n_people", "n_unknown", "fewest", "largest_share", "n_scattered", "n_alone", "fewest_alike", "narrowed")

Codes = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True)
class Attack:
    """What somebody may hope for who knows that the person is in the table: chances of picking the right row."""

    highest: float
    average: float
    share_at_risk: float


@dataclass(frozen=True)
class Subset:
    """How well a few columns tell people apart."""

    columns: tuple[str, ...]
    n_groups: int
    n_unique: int
    """Rows, or people, who stand alone with a combination."""
    distinction: float
    """Distinct combinations over rows: 1 if every row has its own."""
    separation: float
    """The share of pairs of rows that differ in these columns."""


@dataclass(frozen=True)
class Homogeneity:
    """How often knowing somebody's group gives her sensitive value away, without picking her row."""

    column: str
    n_rows_disclosed: int
    n_groups_homogeneous: int
    average_distinct: float


@dataclass(frozen=True, repr=False)
class Assessment(Shown):
    """The risk of a table, for some quasi-identifiers."""

    n_rows: int
    quasi_identifiers: tuple[str, ...]
    n_groups: int
    n_unique: int
    """Rows that are alone in their group, or people who are alone in one of theirs."""
    rows_below: dict[int, int]
    """How many rows, or people with a row, are in groups smaller than 2, 3, 5, 10."""
    sizes: dict[int, int]
    """How many groups there are of each size."""
    prosecutor: Attack
    """Knows that the person is in the table: the literature's name for who does."""
    subsets: tuple[Subset, ...]
    """All small subsets of the quasi-identifiers, those that tell people apart best first, within each size."""
    is_complete: bool
    """Whether all subsets up to the size asked for were looked at."""
    homogeneity: tuple[Homogeneity, ...]
    counts: str = "rows"
    """What was counted: rows or people. Of people, ``n_rows`` counts each once in each of her groups, as do ``sizes``
    and chances.
    """
    people: dict[str, Any] | None = None
    """Where people were counted: how many there are, and what somebody learns who knows all rows of one."""

    several_rows: tuple[Whose, ...] = ()
    """Where rows were counted: columns that may say whose they are, and repeat."""

    def several_rows_words(self) -> list[str]:
        """The warning that rows were counted although a column says whose they are."""
        return [f"ROWS ARE COUNTED, NOT PEOPLE: {rows_counted(who, self.n_rows)}" for who in self.several_rows]

    @property
    def n_counted(self) -> int:
        """All rows, or all people; a row that names nobody counts as one more."""
        return self.n_rows if self.people is None else int(self.people["n_people"] + self.people["n_unknown"])

    def warnings(self) -> list[str]:
        whose = "their values" if self.people is None else "some of their values"
        alone = (
            f"{self.n_unique:,} of {self.n_counted:,} {self.counts} are the only one with {whose} of "
            f"{', '.join(self.quasi_identifiers)}."
        )
        return [*self.several_rows_words(), *([alone] if self.n_unique else [])]

    def sentences(self) -> list[str]:
        return [
            (
                f"{self.n_rows if self.people is None else self.people['n_rows']:,} rows in {self.n_groups:,} groups "
                "that look alike; "
            )
            + ", ".join(f"{n:,} {self.counts} in groups below {k}" for k, n in self.rows_below.items())
            + ".",
            self.chances(),
        ]

    def chances(self) -> str:
        """What somebody may hope for who looks for a person, in a sentence."""
        seen, what = (
            self.prosecutor,
            "rows" if self.people is None else "people, each counted once in each of their groups,",
        )
        return (
            f"Somebody who knows these values of a person, and that the person is in the table, "
            f"picks the right row with a chance of up to {chance_up(seen.highest)}, "
            f"{seen.average:.3g} on average; {seen.share_at_risk:.1%} of {what} have a chance above {AT_RISK:g}. "
            f"{OUTSIDE}"
        )

    def drawing(self) -> str:
        from shoal.report.assessment import drawn

        return drawn(self)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def assess_table(
    table: Table,
    quasi_identifiers: Iterable[str],
    sensitive: Iterable[str] = (),
    *,
    largest_subset: int = 3,
    person: str | None = None,
) -> Assessment:
    """Count what the quasi-identifiers give away, in rows, or in people where a column says who they are."""
    names = tuple(quasi_identifiers)
    if not names:
        raise PolicyError("Name the quasi-identifiers with --qi (quasi_identifiers=[…] in Python).")
    if table.n_rows == 0:
        raise DataError(f"{table.source} has no rows.")
    codes, weight, tuple_of_row = fold([table.coded(name).codes for name in names])
    places = _rows(tuple_of_row, weight) if person is None else _people(table, person, tuple_of_row, weight)
    n_places, size = len(places.group), np.bincount(places.group, minlength=len(weight))
    weakest = smallest_of(places.who, size[places.group], places.n_people)
    subsets, is_complete = _subsets(names, codes, places, largest_subset)
    different, how_many = np.unique(size, return_counts=True)
    watched = list(sensitive)
    return Assessment(
        n_rows=n_places,
        quasi_identifiers=names,
        n_groups=len(weight),
        n_unique=int((weakest == 1).sum()),
        rows_below={limit: int((weakest < limit).sum()) for limit in THRESHOLDS},
        sizes={int(s): int(n) for s, n in zip(different, how_many, strict=True)},
        prosecutor=_attack(places.chance),
        subsets=subsets,
        is_complete=is_complete,
        homogeneity=tuple(_homogeneity(table, name, tuple_of_row, len(weight)) for name in watched),
        counts="rows" if person is None else "people",
        people=None if person is None else _several_rows(table, person, tuple_of_row, watched),
        several_rows=tuple(repeating_in(table, names)) if person is None else (),
    )


@dataclass(frozen=True, eq=False)
class _Places:
    """Who stands in which group: a row, or a person with any number of rows there."""

    group: NDArray[np.int64]
    who: NDArray[np.int64]
    chance: NDArray[np.float64]
    """Of picking a row of this one in the group."""
    n_people: int


def _rows(tuple_of_row: NDArray[np.int32], weight: NDArray[np.int64]) -> _Places:
    return _Places(
        tuple_of_row.astype(np.int64), np.arange(len(tuple_of_row)), 1.0 / weight[tuple_of_row], len(tuple_of_row)
    )


def _people(table: Table, name: str, tuple_of_row: NDArray[np.int32], weight: NDArray[np.int64]) -> _Places:
    """A row whose person is missing counts as one more person here: so it hides nobody and is not overlooked."""
    who = persons(table.frame, name)
    unknown = np.flatnonzero(who < 0)
    who = who.copy()
    who[unknown] = who.max(initial=-1) + 1 + np.arange(len(unknown))
    n = int(who.max(initial=-1)) + 1
    pair, rows = np.unique(tuple_of_row.astype(np.int64) * n + who, return_counts=True)
    group, who = np.divmod(pair, n)
    return _Places(group, who, rows / weight[group], n)


def _several_rows(table: Table, name: str, tuple_of_row: NDArray[np.int32], sensitive: Sequence[str]) -> dict[str, Any]:
    crowd = crowd_of(
        name, tuple_of_row.astype(np.int64), persons(table.frame, name), numbers_of(table.frame, sensitive)
    )
    return {"person": name, "n_rows": table.n_rows, **{key: getattr(crowd, key) for key in TOLD}}


def _attack(chance: NDArray[np.float64]) -> Attack:
    return Attack(float(chance.max()), float(chance.mean()), float((chance > AT_RISK + 1e-12).mean()))


def _subsets(
    names: Sequence[str], codes: NDArray[np.int32], places: _Places, largest: int
) -> tuple[tuple[Subset, ...], bool]:
    columns = [np.ascontiguousarray(codes[:, j]) for j in range(len(names))]
    found: list[Subset] = []
    for size in range(1, min(largest, len(names)) + 1):
        here: list[Subset] = []
        for chosen in combinations(range(len(names)), size):
            if len(found) + len(here) >= MOST_SUBSETS:
                return tuple(found + _ranked(here)), False
            here.append(_subset(tuple(names[j] for j in chosen), [columns[j] for j in chosen], places))
        found += _ranked(here)
    return tuple(found), True


def _ranked(subsets: list[Subset]) -> list[Subset]:
    return sorted(subsets, key=lambda s: (-s.distinction, -s.separation, s.columns))


def _subset(names: tuple[str, ...], columns: list[NDArray[np.int32]], places: _Places) -> Subset:
    _, _, of_tuple = fold(columns)
    group, who = of_tuple[places.group].astype(np.int64), places.who
    if len(who) != places.n_people:  # a person may stand in several groups, which may be one group for these columns
        group, who = np.divmod(np.unique(group * places.n_people + who), places.n_people)
    sizes = np.bincount(group)
    n = float(len(group))
    together = float((sizes * (sizes - 1)).sum())
    return Subset(
        columns=names,
        n_groups=len(sizes),
        n_unique=len(np.unique(who[sizes[group] == 1])),
        distinction=len(sizes) / n,
        separation=1.0 - together / (n * (n - 1)) if n > 1 else 0.0,
    )


def _homogeneity(table: Table, name: str, group: NDArray[np.int32], n_groups: int) -> Homogeneity:
    column = table.coded(name)
    scale = scale_of(column.values.to_list())
    counts = histogram(group, scale.codes(column.codes), n_groups)
    distinct = replace(counts, missing=scale.missing).n_different()
    sizes = counts.sizes()
    alike = (distinct <= 1) & (sizes > 1)
    return Homogeneity(name, int(sizes[alike].sum() + (sizes == 1).sum()), int(alike.sum()), float(distinct.mean()))
