"""Verification of a release that is too large to be looked at row by row, or lies elsewhere: a recount of texts and numbers of rows.

An engine counts, and what the counts mean is decided here, by the same comparison of texts that :mod:`shoal.judge.verify` makes. No code, kernel or Solution of the
algorithms is used. Counts that contradict each other are an error too: an engine that loses rows, or an input that changes, is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.errors import DataError, NotAnonymous
from shoal.judge.compare import Compared, compare_pairs
from shoal.judge.criteria.base import Requirement
from shoal.judge.criteria.judging import Fulfilled, are_too_small, judge
from shoal.judge.gate import KEY
from shoal.judge.lexicon import Lexicon
from shoal.judge.texts import Texts
from shoal.judge.verdict import Verdict
from shoal.judge.verify import loss_of, totals

N = "n"
"""The column with the number of rows; all others have names of our own (:func:`label`), so that none can collide with a user's."""
CHANGED = "The input changed while it was read, or rows were lost: what was counted before and after does not agree. Nothing was released; run it again."

OTHER_COLUMNS = "The release does not have the columns that it was to have. Nothing is released; please report this."


def label(j: int) -> str:
    """Our name for the j-th column of what is counted."""
    return f"c{j}"


@dataclass(frozen=True)
class ReleasePromise:
    """What a release must keep."""

    k: int
    quasi_identifiers: tuple[str, ...]
    demands: tuple[Requirement, ...]
    texts: Mapping[str, Texts]
    columns: tuple[str, ...]
    """The columns that the release must have, in their order."""
    max_withheld: int
    deletion: bool
    """Whether rows that are left out are paid for as if they were suppressed whole."""
    measure: str
    weights: Mapping[str, float]
    person: str | None = None
    sensitive: tuple[str, ...] = ()
    is_reported: bool = False
    """Whether a report will be made of what was counted: then sensitive columns are counted too, whether or not something is asked of them."""

    @property
    def counted(self) -> tuple[str, ...]:
        """The columns of the release that are counted: all that must be, and what a report tells of."""
        return (*self.folded, *(name for name in self.sensitive if name not in self.folded)) if self.is_reported else self.folded

    @property
    def folded(self) -> tuple[str, ...]:
        """The columns of the release over which it is counted."""
        return (*self.quasi_identifiers, *dict.fromkeys(d.column for d in self.demands if d.column not in self.quasi_identifiers))

    @property
    def kept(self) -> tuple[str, ...]:
        """Columns that must be released as they were."""
        return tuple(name for name in self.columns if name not in self.quasi_identifiers)


@dataclass(frozen=True, eq=False)
class Original:
    """What is known of the original: how many rows it has, and the texts of its columns."""

    n_rows: int
    columns: Mapping[str, pl.DataFrame]
    """For each column that something is asked of the different texts, ``value`` (null for a missing cell), and how many rows have each: ``n``."""


@dataclass(frozen=True, eq=False)
class Counted:
    """What was written, folded over some columns."""

    rows: pl.DataFrame
    """The different rows as texts, in columns :func:`label` (0), (1), …, and how many there are of each, in ``n``."""
    columns: tuple[str, ...]
    """All columns of what was written."""
    fingerprint: str
    """Of the very thing that was counted: the engine compares it with what it is about to publish."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """What was written beside the original, row by row."""

    columns: Mapping[str, pl.DataFrame]
    """For each quasi-identifier the different pairs of an original text ``o`` and a released one ``s``, and how many rows have each: ``n``."""
    differing: Mapping[str, int]
    """For each column that must be as it was, how many cells are not."""
    n_before: int
    """Rows of the original that were read for this."""


def verdict_of(promise: ReleasePromise, original: Original, counted: Counted, pairs: Pairs) -> Verdict:
    """Hold counts to a promise; :class:`NotAnonymous` where it is broken."""
    if counted.columns != promise.columns:
        raise NotAnonymous(OTHER_COLUMNS)
    names = [label(j) for j in range(len(promise.quasi_identifiers))]
    groups = counted.rows.group_by(names).agg(pl.col(N).sum())
    sizes = np.sort(groups[N].to_numpy().astype(np.int64))
    n_released = int(sizes.sum())
    n_withheld = original.n_rows - n_released
    _check_sizes(sizes, promise.k)
    if pairs.n_before != original.n_rows or not n_withheld >= 0:
        raise DataError(CHANGED)
    if n_withheld > promise.max_withheld:
        raise NotAnonymous(f"{n_withheld} rows were withheld and only {promise.max_withheld} may be.")
    criteria = tuple(_judge(promise, original, counted, groups, asked) for asked in promise.demands)
    columns = [_compare(promise, original, counted, pairs, j, n_released) for j in range(len(names))]
    kept = [_kept(pairs, name, n_released) for name in promise.kept]
    return Verdict(
        fingerprint=counted.fingerprint,
        k=promise.k,
        n_rows=n_released,
        n_groups=len(sizes),
        smallest_group=int(sizes[0]) if len(sizes) else 0,
        sizes=tuple(sizes.tolist()),
        criteria=criteria,
        how="row by row",
        quasi_identifiers=promise.quasi_identifiers,
        others=tuple(name for name in promise.kept if name not in {d.column for d in promise.demands}),
        columns=(*columns, *kept),
        measures=totals(columns, sizes, original.n_rows, n_released, promise.deletion),
        n_withheld=n_withheld,
        counts_withheld=promise.deletion,
        loss=loss_of(columns, promise.measure, promise.weights, promise.deletion),
        key=KEY,
    )


def _check_sizes(sizes: np.ndarray, k: int) -> None:
    small = sizes[are_too_small(sizes.tolist(), k)]
    if len(small):
        raise NotAnonymous(
            f"Not {k}-anonymous: {len(small)} of {len(sizes)} groups, with {int(small.sum())} rows, have fewer than {k} rows "
            f"(the smallest has {int(small[0])})."
        )


def _compare(promise: ReleasePromise, original: Original, counted: Counted, pairs: Pairs, j: int, n_released: int) -> Compared:
    """One quasi-identifier: its pairs agree with what else was counted, and every label covers what it stands for."""
    name = promise.quasi_identifiers[j]
    found = pairs.columns[name]
    before = original.columns[name]
    _check_margin(found.group_by("s").agg(pl.col(N).sum()), counted.rows.group_by(pl.col(label(j)).alias("s")).agg(pl.col(N).sum()), "s", 0)
    _check_margin(found.group_by("o").agg(pl.col(N).sum()), before.rename({"value": "o"}), "o", original.n_rows - n_released)
    lexicon = Lexicon(before["value"], before[N].to_numpy().astype(np.int64), promise.texts.get(name))
    column = compare_pairs(name, found, lexicon, n_released, strict=True)
    if not column.is_true:
        raise NotAnonymous(f"Column '{name}': {column.fault()}.")
    return column


def _check_margin(found: pl.DataFrame, known: pl.DataFrame, by: str, lacking: int) -> None:
    """Two ways of counting one column agree; so many rows may be lacking from what was found."""
    both = found.join(known, on=by, how="full", nulls_equal=True, suffix="_known")
    more = both[f"{N}_known"].fill_null(0).cast(pl.Int64) - both[N].fill_null(0).cast(pl.Int64)
    if bool((more < 0).any()) or int(more.sum()) != lacking:
        raise DataError(CHANGED)


def _kept(pairs: Pairs, name: str, n_released: int) -> Compared:
    if pairs.differing[name]:
        found = Compared(name, n_released, n_wrong=pairs.differing[name], kind="kept")
        raise NotAnonymous(f"Column '{name}' was to be released as it is, and {found.fault()}.")
    return Compared(name, n_released, kind="kept")


def _judge(promise: ReleasePromise, original: Original, counted: Counted, groups: pl.DataFrame, asked: Requirement) -> Fulfilled:
    """Hold the sensitive values of each group to what was asked."""
    names = [label(j) for j in range(len(promise.quasi_identifiers))]
    numbered = groups.select(names).with_row_index("group")
    rows = counted.rows.select(*names, N, pl.col(label(promise.folded.index(asked.column))).alias("value"))
    released = rows.join(numbered, on=names, how="left", nulls_equal=True).select("group", "value", N)
    found = judge(asked, original.columns[asked.column], released)
    if found.is_broken.any():
        raise NotAnonymous(f"{int(found.is_broken.sum())} of {groups.height} groups break {asked.text()}.")
    return found.kept()


def by_names(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """The same frame with our own names for its columns."""
    return pl.DataFrame([frame[name].alias(label(j)) for j, name in enumerate(names)])


__all__ = ["CHANGED", "Counted", "N", "Original", "Pairs", "ReleasePromise", "by_names", "label", "verdict_of"]
