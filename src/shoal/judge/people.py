"""The people behind the rows of a release: counted again, from the original, where k counts people.

The release does not say whose row is whose. Where it is known which row of the original each released row is, people are counted. Where rows
may be matched in several ways, two numbers are found for each group that hold for every way: how many people it has at least, and at most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from shoal.errors import DataError
from shoal.judge.covering import TooLarge, numbers
from shoal.judge.criteria.judging import places
from shoal.judge.criteria.reading import read_people
from shoal.judge.matching import Sides
from shoal.judge.reading import Longs
from shoal.text.cells import as_text, has_text

MOST_COMMON = 20_000_000
"""People times values of their groups: beyond this, what groups have in common is not looked for."""
MOST_PLACES = 20_000_000
"""Rows that released rows may be, added up: beyond this, rows are not matched."""


@dataclass(frozen=True, eq=False)
class Crowd:
    """How many people there are behind groups of rows. For the owner: a release does not tell it."""

    person: str
    n_people: int
    """Different people who have a row."""
    n_unknown: int
    """Rows of which the person is missing: they count for nobody."""
    sizes: tuple[int, ...] = field(repr=False)
    """People of each group, rising."""
    weakest: tuple[int, ...] = field(repr=False)
    """For each person, the people of the smallest of her groups, rising."""
    n_places: int
    """The groups of each person, added up."""
    largest_share: float
    """The largest share of a group's rows that one person has."""
    n_scattered: int
    """People whose rows lie in several groups."""
    n_alone: int
    """People whose set of groups nobody else has. Whoever knows all rows of such a person, and which released rows belong together, finds that person."""
    fewest_alike: int
    """The least number of people who share a set of groups."""
    narrowed: Mapping[str, int | None] = field(default_factory=dict)
    """For each sensitive column: how many people have several groups that share only one value, although each of these groups has several values."""

    @property
    def fewest(self) -> int:
        """The people of the weakest group."""
        return self.sizes[0] if self.sizes else 0

    def n_below(self, k: int) -> int:
        """How many people have a row in a group of fewer than k people."""
        return int(np.searchsorted(np.array(self.weakest, dtype=np.int64), k))


def persons(frame: pl.DataFrame, name: str) -> Longs:
    """The number of each row's person; −1 where it is missing."""
    if not has_text(frame.schema[name]):
        raise DataError(f"Column '{name}' cannot say which person a row is about: it holds {frame.schema[name]}.")
    return places(as_text(frame[name]), read_people)


def crowd_of(name: str, group: Longs, person: Longs, values: Mapping[str, Longs] | None = None) -> Crowd:
    """Count the people of each group 0 …; ``values`` are sensitive columns, one number per row, negative for a missing cell."""
    n_groups = int(group.max(initial=-1)) + 1
    known = person >= 0
    n_people = int(person.max(initial=-1)) + 1
    pair, rows = np.unique(group[known] * max(n_people, 1) + person[known], return_counts=True)
    of_group, of_person = np.divmod(pair, max(n_people, 1))
    people = np.bincount(of_group, minlength=n_groups)
    whole = np.bincount(group, minlength=n_groups)
    places = np.bincount(of_person, minlength=n_people)
    alike = _alike(of_group, of_person)
    return Crowd(
        person=name,
        n_people=int((places > 0).sum()),
        n_unknown=int((~known).sum()),
        sizes=tuple(np.sort(people).tolist()),
        weakest=tuple(np.sort(smallest_of(of_person, people[of_group], n_people)).tolist()),
        n_places=len(pair),
        largest_share=float((rows / whole[of_group]).max(initial=0.0)),
        n_scattered=int((places > 1).sum()),
        n_alone=int((alike == 1).sum()),
        fewest_alike=int(alike.min(initial=np.iinfo(np.int64).max)) if len(alike) else 0,
        narrowed={column: _narrowed(of_group, of_person, group, value) for column, value in (values or {}).items()},
    )


def smallest_of(who: Longs, size: Longs, n: int) -> Longs:
    """The smallest size beside each of 0 … n − 1 who occurs."""
    least = np.full(n, np.iinfo(np.int64).max)
    np.minimum.at(least, who, size)
    return least[np.bincount(who, minlength=n) > 0]


def _alike(of_group: Longs, of_person: Longs) -> Longs:
    """For each set of groups that somebody's rows lie in, how many people have just that set."""
    pairs = pl.DataFrame({"p": of_person, "g": of_group}).sort("p", "g")
    sets = pairs.group_by("p", maintain_order=True).agg(pl.col("g").cast(pl.String).str.join(","))
    return sets.group_by("g").len()["len"].to_numpy().astype(np.int64)


def _narrowed(of_group: Longs, of_person: Longs, group: Longs, value: Longs) -> int | None:
    """How many people have several groups that share only one value, though each group has several; None where that is too much to count."""
    there = value >= 0
    held = pl.DataFrame({"g": group[there], "v": value[there]}).unique()
    pairs = pl.DataFrame({"p": of_person, "g": of_group}).with_columns(n=pl.len().over("p")).filter(pl.col("n") > 1)
    per_group = held.group_by("g").agg(different=pl.len())
    pairs = pairs.join(per_group, on="g", how="inner")
    if int(pairs["different"].sum() or 0) > MOST_COMMON:
        return None
    open_people = pairs.group_by("p").agg(pl.col("different").min(), pl.len().alias("m"), pl.col("n").first())
    open_people = open_people.filter((pl.col("different") > 1) & (pl.col("m") == pl.col("n")))
    common = (
        pairs.join(open_people.select("p"), on="p", how="semi")
        .join(held, on="g")
        .group_by("p", "v")
        .agg(m=pl.len(), n=pl.col("n").first())
        .filter(pl.col("m") == pl.col("n"))
    )
    return int((common.group_by("p").len()["len"] == 1).sum())


def at_least_and_most(slots: Slots, group: Longs, person: Longs) -> tuple[Longs, Longs]:
    """How many people each group has at least and at most, however its rows are matched.

    A slot that has no more rows to choose from than it needs takes all of them: their people are certain. Another slot adds nobody for certain if it
    may take a row of one of these people, or a row whose person is missing. What is left is filled by as few people as possible, beginning with those who may fill most.
    """
    n_groups = int(group.max(initial=-1)) + 1
    of_slot = group[slots.first]
    n_people = int(person.max(initial=-1)) + 2
    who, where = person[slots.row], of_slot[slots.slot]
    key = where * n_people + who + 1
    certain = (np.bincount(slots.slot, minlength=len(slots.size)) == slots.size)[slots.slot]
    sure = np.unique(key[certain & (who >= 0)])
    least = np.bincount(sure // n_people, minlength=n_groups)
    is_free = ~certain & ((who < 0) | np.isin(key, sure))
    adds_nobody = np.zeros(len(slots.size), dtype=bool)
    adds_nobody[slots.slot[is_free]] = True
    adds_nobody[slots.slot[certain]] = True
    left = ~adds_nobody
    wanted = np.bincount(of_slot[left], weights=slots.size[left], minlength=n_groups).astype(np.int64)
    use = left[slots.slot]
    one, rows = np.unique(slots.slot[use] * n_people + who[use] + 1, return_counts=True)
    slot, whose = np.divmod(one, n_people)
    both, at = np.unique(of_slot[slot] * n_people + whose, return_inverse=True)
    fills = np.bincount(at.reshape(-1), weights=np.minimum(rows, slots.size[slot]), minlength=len(both)).astype(np.int64)
    least = least + _fewest(both // n_people, fills, wanted, n_groups)
    others = np.setdiff1d(np.unique(key[~certain & (who >= 0)]), sure)
    unsure = np.ones(len(slots.size), dtype=bool)
    unsure[slots.slot[certain]] = False
    open_rows = np.bincount(of_slot[unsure], weights=slots.size[unsure], minlength=n_groups).astype(np.int64)
    most = np.bincount(sure // n_people, minlength=n_groups) + np.minimum(np.bincount(others // n_people, minlength=n_groups), open_rows)
    return least, most


def _fewest(group: Longs, fills: Longs, wanted: Longs, n_groups: int) -> Longs:
    """The least number of people needed to fill the open rows of a group; each of them may fill so many."""
    order = np.lexsort((-fills, group))
    group, fills = group[order], fills[order]
    before = np.cumsum(fills) - fills
    start = np.searchsorted(group, np.arange(n_groups))
    base = (
        np.append(before, before[-1:] if len(before) else [0])[np.minimum(start, max(len(before) - 1, 0))]
        if len(before)
        else np.zeros(n_groups)
    )
    needed = (before - base[group]) < wanted[group]
    return np.bincount(group[needed], minlength=n_groups)


@dataclass(frozen=True, eq=False)
class Slots:
    """Released rows that may be the same original rows, and which ones: pairs of a slot and a row."""

    first: Longs
    """A released row of each slot."""
    size: Longs
    """How many released rows each stands for."""
    slot: Longs
    row: Longs


def slots_in_order(sides: Sides, earliest: Longs, latest: Longs) -> Slots:
    """One slot for each released row: the rows between the earliest and the latest that it may be, those that fit."""
    width = latest - earliest + 1
    if int(width.sum()) > MOST_PLACES:
        raise TooLarge
    slot = np.repeat(np.arange(len(width)), width)
    row = np.arange(len(slot)) - np.repeat(np.cumsum(width) - width, width) + earliest[slot]
    fits = sides.fits(row, slot)
    return Slots(np.arange(len(width)), np.ones(len(width), dtype=np.int64), slot[fits], row[fits])


def slots_in_any_order(sides: Sides) -> Slots:
    """A slot for the released rows that show the same: all rows that fit."""
    shown = [*(c.label for c in sides.columns), sides.same_after]
    _, first, size = np.unique(numbers(shown), return_index=True, return_counts=True)
    slots: list[Longs] = []
    rows: list[Longs] = []
    total = 0
    everything = np.arange(sides.n_before)
    if len(first) * sides.n_before > 25 * MOST_PLACES:
        raise TooLarge
    for slot, one in enumerate(first.tolist()):
        fitting = everything[sides.fits(everything, np.full(sides.n_before, one))]
        total += len(fitting)
        if total > MOST_PLACES:
            raise TooLarge
        slots.append(np.full(len(fitting), slot))
        rows.append(fitting)
    return Slots(first, size.astype(np.int64), np.concatenate(slots), np.concatenate(rows))


def numbers_of(frame: pl.DataFrame, names: Sequence[str]) -> dict[str, Longs]:
    """Each column's cells as numbers, negative for a missing one."""
    return {name: as_text(frame[name]).rank("dense").cast(pl.Int64).fill_null(-1).to_numpy() for name in names}


__all__ = ["Crowd", "Slots", "at_least_and_most", "crowd_of", "numbers_of", "persons", "slots_in_any_order", "slots_in_order"]
