"""Whether every group of a release has rows of at least k people: recounted, from the original's column and the rows set beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.errors import NotAnonymous, some
from shoal.judge.alignment import Aligner, Alignment
from shoal.judge.covering import TooLarge
from shoal.judge.criteria.judging import judge_people
from shoal.judge.people import Crowd, Slots, at_least_and_most, crowd_of, numbers_of, persons, slots_in_any_order, slots_in_order
from shoal.judge.reading import Longs


@dataclass(frozen=True, eq=False)
class People:
    """What a recount of people found."""

    fewest: int
    """The people of the weakest group, at least."""
    crowd: Crowd | None = None
    """Everything about these people, where it is certain which row belongs to whom."""
    why_not: str = ""
    """Why people could not be counted."""


def count_people(
    aligner: Aligner, found: Alignment, group: Longs, k: int, name: str, *, reordered: bool, sensitive: Sequence[str] = ()
) -> People:
    """Count the people of each group, or raise :class:`NotAnonymous` where one has fewer than k, however rows are matched."""
    person = persons(aligner.original, name)
    if found.how in ("row by row", "by position", "in order") and found.is_unique and not (reordered and found.how != "row by row"):
        assert found.rows is not None
        judged = judge_people(name, k, group, person[found.rows])
        crowd = crowd_of(name, group, person[found.rows], numbers_of(aligner.released, sensitive))
        _refuse(group, judged.is_broken, judged.reached, k, name)
        return People(int(judged.reached), crowd)
    try:
        least, most = at_least_and_most(_slots(aligner, found, reordered), group, person)
    except TooLarge:
        return People(0, why_not=_words(found, name, k, "there are too many ways to match the rows"))
    _refuse(group, most < k, float(most.min(initial=k)), k, name)
    fewest = int(least.min(initial=np.iinfo(np.int64).max)) if len(least) else 0
    if fewest >= k:
        return People(fewest)
    return People(
        fewest, why_not=_words(found, name, k, f"rows can be matched in several ways, and in some a group may have only {fewest}")
    )


def _slots(aligner: Aligner, found: Alignment, reordered: bool) -> Slots:
    """Which rows each released row may be, with labels read in every way they can be."""
    sides, n_readings = aligner.widest()
    if found.how == "in order" and found.latest is not None and found.rows is not None and n_readings == 1 and not reordered:
        return slots_in_order(sides, found.rows, found.latest)
    return slots_in_any_order(sides)


def _refuse(group: Longs, is_small: np.ndarray, fewest: float, k: int, name: str) -> None:
    small = np.flatnonzero(is_small)
    if len(small):
        first = [int(np.argmax(group == g)) + 1 for g in small[:6].tolist()]
        raise NotAnonymous(
            f"Not {k}-anonymous by people: {len(small)} of {len(is_small)} groups have rows of fewer than {k} people by '{name}' "
            f"(the fewest are {fewest:.0f}; such groups begin at released rows {some([*sorted(first), *small[6:].tolist()])})."
        )


def _words(found: Alignment, name: str, k: int, why: str) -> str:
    return (
        f"Rows were compared {found.how}, and every cell covers its original one. "
        f"But whether every group has rows of {k} people by '{name}' could not be counted: the release does not say whose row is whose; {why}. "
        "Have it verified in the original's order (--keep-order), and sort the rows of that file afterwards: the groups stay the same."
    )
