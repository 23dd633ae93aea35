"""Groups held to what was asked of them, by the verifier's definitions, from the texts of a sensitive column and how many rows have each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal import registry
from shoal.judge.criteria import CATALOG
from shoal.judge.criteria.base import Definition, GroupCounts, Parameters, Requirement, WholeCounts
from shoal.judge.criteria.reading import Numbered, read_values

NOTHING = WholeCounts({})
"""The whole table, for criteria that only look at the rows of the group."""


@dataclass(frozen=True)
class Fulfilled:
    """What was asked of every group, and what the weakest reaches."""

    asked: Requirement
    required: Parameters
    """The parameters, with ``ordered`` = 1 or 0 where it matters whether the values are numbers."""
    reached: float


@dataclass(frozen=True)
class Judged(Fulfilled):
    """The same of groups that may break it."""

    is_broken: np.ndarray
    """Whether each group does."""

    def kept(self) -> Fulfilled:
        """For a verdict, where no group breaks it."""
        return Fulfilled(self.asked, self.required, self.reached)


def definition_of(criterion: str) -> Definition:
    found: Definition = registry.find(CATALOG, criterion, "criterion")
    return found


def judge(asked: Requirement, original: pl.DataFrame, released: pl.DataFrame) -> Judged:
    """Hold groups to a criterion: texts ``value`` of the original, and of the ``group`` 0, 1, … that a released row is in, with ``n`` rows each."""
    whole, groups = count(original, released)
    definition = definition_of(asked.criterion)
    more = {"ordered": float(whole.is_ordered)} if definition.uses_order else {}
    return _judged(asked, definition, groups, whole, {**asked.parameters, **more})


def judge_people(column: str, k: int, group: np.ndarray, person: np.ndarray) -> Judged:
    """Hold groups to rows of k people: the group 0, 1, … of each row, and its person, negative where nobody knows."""
    cells = pl.DataFrame({"group": group, "place": person, "n": np.ones(len(group), dtype=np.int64)})
    groups = _groups(cells.with_columns(place=pl.when(pl.col("place") >= 0).then("place")))
    asked = of_people(column, k)
    return _judged(asked, definition_of(asked.criterion), groups, NOTHING, asked.parameters)


def of_people(column: str, k: int) -> Requirement:
    """That rows of at least k people look alike, by this column."""
    return Requirement("k-people", column, {"k": k})


def are_too_small(sizes: Sequence[int], k: int) -> np.ndarray:
    """Whether groups of so many rows are too small to be k-anonymous."""
    definition = definition_of("k-anonymity")
    reached = (definition.reached(GroupCounts({}, n), NOTHING, {"k": k}) for n in sizes)
    return np.array([not definition.is_enough(n, {"k": k}) for n in reached], dtype=np.bool_)


def count(original: pl.DataFrame, released: pl.DataFrame) -> tuple[WholeCounts, list[GroupCounts]]:
    """The values of the whole table, and those of each group in the groups' order."""
    texts = pl.concat([original["value"], released["value"]]).drop_nulls().unique()
    reading = read_values(texts.to_list())
    [whole] = _groups(_placed(original.with_columns(group=0), texts, reading)) or [GroupCounts({})]
    found = WholeCounts(whole.counts, whole.n_missing, reading.n_values, reading.is_ordered)
    return found, _groups(_placed(released, texts, reading))


def places(cells: pl.Series, read: Callable[[Sequence[str]], Numbered]) -> np.ndarray:
    """What each cell of a column stands for; −1 for a missing one."""
    texts = cells.drop_nulls().unique()
    frame = pl.DataFrame({"value": cells, "n": np.ones(len(cells), dtype=np.int64)})
    return _placed(frame, texts, read(texts.to_list()))["place"].fill_null(-1).to_numpy()


def _placed(cells: pl.DataFrame, texts: pl.Series, reading: Numbered) -> pl.DataFrame:
    known = pl.DataFrame({"value": texts.alias("value"), "place": pl.Series(reading.places, dtype=pl.Int64)})
    return cells.join(known, on="value", how="left", maintain_order="left")


def _groups(cells: pl.DataFrame) -> list[GroupCounts]:
    """Counts by ``group`` and ``place``; a missing place is a missing cell."""
    counted = cells.group_by("group", "place").agg(pl.col("n").sum()).sort("group", "place", nulls_last=True)
    lines = counted.group_by("group", maintain_order=True).agg("place", "n")
    return [_group(*line) for line in zip(lines["place"].to_list(), lines["n"].to_list(), strict=True)]


def _group(values: list[int | None], counts: list[int]) -> GroupCounts:
    rows: Mapping[int | None, int] = dict(zip(values, counts, strict=True))
    return GroupCounts({value: n for value, n in rows.items() if value is not None}, rows.get(None, 0))


def _judged(asked: Requirement, definition: Definition, groups: Sequence[GroupCounts], whole: WholeCounts, required: Parameters) -> Judged:
    reached = [definition.reached(group, whole, asked.parameters) for group in groups]
    broken = np.array([not definition.is_enough(one, asked.parameters) for one in reached], dtype=np.bool_)
    return Judged(asked, required, float(definition.weakest(reached)), broken)


__all__ = ["Fulfilled", "Judged", "are_too_small", "count", "definition_of", "judge", "judge_people", "of_people", "places"]
