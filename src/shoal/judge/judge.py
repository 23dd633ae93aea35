"""The judge: what a release shows, counted, is held to what was promised. The one place in which a verdict is made.

Who counts does not matter: a table in memory is one stretch of rows, a file many, a database has counted itself. How released rows were set beside
original ones is found before (:mod:`shoal.judge.alignment`) and told here, as columns that were compared. Rows are only named where something is wrong: by a second look.
No code, kernel or Solution of the algorithms is used. A missing cell and ``*`` are values like any other: rows that show them are alike only with rows that show the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal import registry
from shoal.errors import DataError, NotAnonymous, some
from shoal.judge import measures
from shoal.judge.alignment import Alignment
from shoal.judge.compare import Compared, compare_pairs
from shoal.judge.count_people import People
from shoal.judge.counts import CHANGED, OTHER_COLUMNS, Counted, N, Original, Pairs, check_margin, label
from shoal.judge.criteria.base import Requirement
from shoal.judge.criteria.judging import Fulfilled, are_too_small, judge, of_people
from shoal.judge.gate import KEY
from shoal.judge.hints.hints import Hint
from shoal.judge.lexicon import Lexicon
from shoal.judge.promise import ReleasePromise
from shoal.judge.verdict import Verdict

Where = Callable[[pl.DataFrame], list[int]]
"""The first released row, counted from 1, of each of some groups: what tells them apart, in the columns by which they were counted."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows that look alike, counted and found to keep what was asked of them."""

    shown: pl.DataFrame
    """What each group shows, in columns of our own, and its rows: ``n``."""
    kept: tuple[Fulfilled, ...]

    @property
    def sizes(self) -> np.ndarray:
        """Rows of each group, rising."""
        return np.sort(self.shown[N].to_numpy().astype(np.int64))

    @property
    def n_rows(self) -> int:
        return int(self.shown[N].sum())


@dataclass(frozen=True, eq=False)
class AlsoTold:
    """What is told in a verdict beside what was promised: of a release by any tool, compared with its original."""

    columns: tuple[str, ...] = ()
    """The columns of the release that are no quasi-identifiers."""
    named: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()
    people: People | None = None


class ReleaseJudge:
    """Holds counts to a promise. Each step raises :class:`NotAnonymous` where it is broken."""

    def __init__(self, promise: ReleasePromise, original: Original, where: Where | None = None) -> None:
        self.promise, self.original, self.where = promise, original, where

    def groups(self, counted: pl.DataFrame, names: Sequence[str], values: Mapping[str, str]) -> Groups:
        """The groups of what was counted: ``names`` are the columns that tell them apart, ``values`` where each column stands of which something is asked."""
        shown = counted.group_by(names).agg(pl.col(N).sum())
        self._check_sizes(shown)
        kept = tuple(self._judged(asked, counted, shown, values[asked.column]) for asked in self.promise.demands)
        return Groups(shown, kept)

    def _check_sizes(self, shown: pl.DataFrame) -> None:
        small = shown.filter(pl.Series(are_too_small(shown[N].to_list(), self.promise.k), dtype=pl.Boolean))
        if small.height:
            k, n_rows, fewest = self.promise.k, int(small[N].sum()), int(shown[N].to_numpy().min())
            begin = "" if self.where is None else f"; such groups begin at released rows {some(self.where(small))}"
            raise NotAnonymous(
                f"Not {k}-anonymous: {small.height} of {shown.height} groups, with {n_rows} rows, have fewer than {k} rows "
                f"(the smallest has {fewest}{begin}).{_said_of_suppressed(small)}"
            )

    def _judged(self, asked: Requirement, counted: pl.DataFrame, shown: pl.DataFrame, place: str) -> Fulfilled:
        """Hold the sensitive values of each group to what was asked."""
        names = [name for name in shown.columns if name != N]
        numbered = shown.select(names).with_row_index("group")
        cells = counted.select(*names, N, pl.col(place).alias("value"))
        released = cells.join(numbered, on=names, how="left", nulls_equal=True).select("group", "value", N)
        found = judge(asked, self.original.columns[asked.column], released)
        if found.is_broken.any():
            said = _said_of_suppressed(shown.filter(pl.Series(found.is_broken)))
            raise NotAnonymous(f"{int(found.is_broken.sum())} of {shown.height} groups break {asked.text()}.{said}")
        return found.kept()

    def check_withheld(self, n_released: int) -> None:
        """No more rows are lacking than may be."""
        n_before, most = self.original.n_rows, self.promise.max_withheld
        if n_released > n_before:
            raise NotAnonymous(f"The release has {n_released} rows and its original only {n_before}.")
        if most is not None and (lacking := n_before - n_released) > most:
            several = "1 row of the original is" if lacking == 1 else f"{lacking:,} rows of the original are"
            may = f"only {most:,} may be withheld" if most else "none may be withheld"
            raise NotAnonymous(f"{several} not in the release, and {may}. If more were allowed, say --withheld {lacking}.")

    def verdict(self, groups: Groups, aligned: Alignment, fingerprint: str, beside: AlsoTold | None = None) -> Verdict:
        """What was found, where nothing was promised that is not kept."""
        promise, sizes = self.promise, groups.sizes
        own = aligned.columns[: len(promise.quasi_identifiers)]
        told = beside or AlsoTold(promise.kept)
        asked = {demand.column for demand in promise.demands}
        is_compared, n_released = aligned.how is not None, groups.n_rows
        kept = groups.kept
        if promise.person is not None and told.people is not None and not told.people.why_not:
            by_people = of_people(promise.person, promise.k)
            kept = (Fulfilled(by_people, by_people.parameters, float(told.people.fewest)), *kept)
        return Verdict(
            fingerprint=fingerprint,
            k=promise.k,
            n_rows=n_released,
            n_groups=len(sizes),
            smallest_group=int(sizes[0]) if len(sizes) else 0,
            sizes=tuple(sizes.tolist()),
            criteria=kept,
            how=aligned.how,
            why_not=aligned.why_not,
            quasi_identifiers=promise.quasi_identifiers,
            others=tuple(name for name in told.columns if name not in asked),
            named=told.named,
            hints=told.hints,
            lacking=told.lacking,
            columns=aligned.columns,
            measures=totals(own, sizes, self.original.n_rows, n_released, promise.deletion) if is_compared else {},
            n_withheld=self.original.n_rows - n_released,
            counts_withheld=promise.deletion,
            withheld_are_certain=aligned.is_certain,
            loss=loss_of(own, promise.measure, promise.weights, promise.deletion) if is_compared and promise.measure is not None else None,
            people=told.people,
            key=KEY,
        )


def verdict_of(promise: ReleasePromise, original: Original, counted: Counted, pairs: Pairs) -> Verdict:
    """Hold what an engine counted to a promise, where it has set each row beside its own original."""
    if counted.columns != promise.columns:
        raise NotAnonymous(OTHER_COLUMNS)
    judge = ReleaseJudge(promise, original)
    names = [label(j) for j in range(len(promise.quasi_identifiers))]
    groups = judge.groups(counted.rows, names, {name: label(j) for j, name in enumerate(promise.folded)})
    if pairs.n_before != original.n_rows or groups.n_rows > original.n_rows:
        raise DataError(CHANGED)
    judge.check_withheld(groups.n_rows)
    columns = [_compare(promise, original, counted, pairs, j, groups.n_rows) for j in range(len(names))]
    columns += [Compared(name, groups.n_rows, n_wrong=pairs.differing[name], kind="kept") for name in promise.kept]
    need_true(columns)
    return judge.verdict(groups, Alignment("row by row", tuple(columns)), counted.fingerprint)


def _compare(promise: ReleasePromise, original: Original, counted: Counted, pairs: Pairs, j: int, n_released: int) -> Compared:
    """One quasi-identifier: its pairs agree with what else was counted, and every label covers what it stands for."""
    name = promise.quasi_identifiers[j]
    found, before = pairs.columns[name], original.columns[name]
    check_margin(found.group_by("s").agg(pl.col(N).sum()), counted.rows.group_by(pl.col(label(j)).alias("s")).agg(pl.col(N).sum()), "s", 0)
    check_margin(found.group_by("o").agg(pl.col(N).sum()), before.rename({"value": "o"}), "o", original.n_rows - n_released)
    lexicon = Lexicon(before["value"], before[N].to_numpy().astype(np.int64), promise.texts.get(name))
    return compare_pairs(name, found, lexicon, n_released, strict=True)


def need_true(columns: Sequence[Compared]) -> None:
    """Of rows that are known: no cell may be wrong."""
    wrong = [column for column in columns if not column.is_true]
    if wrong and wrong[0].kind == "kept":
        raise NotAnonymous(f"Column '{wrong[0].name}' was to be released as it is, and {wrong[0].fault()}.")
    if wrong:
        raise NotAnonymous(f"Column '{wrong[0].name}': {wrong[0].fault()}.")


def totals(columns: Sequence[Compared], sizes: np.ndarray, n_rows: int, n_released: int, deletion: bool) -> dict[str, dict[str, float]]:
    """Every measure over all quasi-identifiers, without weights; with ``deletion`` rows that were left out count as suppressed whole."""
    cells = max((n_rows if deletion else n_released) * len(columns), 1)
    found = {name: loss_of(columns, name, None, deletion) for name in measures.CATALOG}
    for name in measures.REPORTED:
        found[name] = registry.find(measures.REPORTED, name).total(sizes, n_rows - n_released, n_rows)
    return {name: {"total": total, "per_cell": total / cells} for name, total in found.items()}


def loss_of(columns: Sequence[Compared], measure: str, weights: Mapping[str, float] | None, deletion: bool) -> float:
    """The chosen measure over all quasi-identifiers, with their weights."""
    lost = [(c.name, c.losses[measure] + (c.of_withheld[measure] if deletion else 0.0)) for c in columns]
    return float(sum((weights or {}).get(name, 1.0) * loss for name, loss in lost))


def _said_of_suppressed(groups: pl.DataFrame) -> str:
    """Where one of these groups shows nothing but ``*``: other tools keep such rows, but do not count them as a group."""
    shown = groups.select(pl.exclude(N).cast(pl.String))
    is_one = bool(shown.select(pl.all_horizontal(pl.all().eq("*").fill_null(False)).any()).item())
    return " One of these groups is the rows in which every cell is suppressed." if is_one else ""
