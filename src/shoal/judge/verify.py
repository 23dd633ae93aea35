"""Verification: a recount of the released cells as text, by itself.

It uses no code, kernel or Solution of the algorithms: only the two tables, the hierarchies as texts, and the promise.
A missing cell and ``*`` are values like any other: rows that show them are alike only with rows that show the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from shoal.errors import NotAnonymous
from shoal.judge.alignment import Aligner, Alignment
from shoal.judge.compare import Compared
from shoal.judge.count_people import People, count_people
from shoal.judge.counts import N, Original
from shoal.judge.criteria.base import Requirement
from shoal.judge.forms import read_back
from shoal.judge.gate import fingerprint
from shoal.judge.hints.hints import Hint, hints
from shoal.judge.judge import AlsoTold, ReleaseJudge, need_true
from shoal.judge.presence import check_columns, doubts
from shoal.judge.promise import ReleasePromise
from shoal.judge.texts import Rows, Texts, from_rows
from shoal.judge.verdict import Verdict
from shoal.text.cells import as_text
from shoal.text.headers import need_columns


def verify(
    original: pl.DataFrame,
    released: pl.DataFrame,
    *,
    k: int,
    quasi_identifiers: Sequence[str],
    hierarchies: Mapping[str, Rows | Texts] | None = None,
    demands: Sequence[Requirement] = (),
    rows: Sequence[int] | np.ndarray | None = None,
    untouched: Sequence[str] | None = None,
    dropped: Sequence[str] = (),
    needed: Sequence[str] = (),
    reordered: bool = False,
    withheld: int | None = None,
    suppressed: Sequence[str] = (),
    measure: str | None = None,
    weights: Mapping[str, float] | None = None,
    person: str | None = None,
    sensitive: Sequence[str] = (),
    form: str = "labels",
    deletion: bool = False,
    named: Sequence[str] | None = None,
) -> Verdict:
    """Recount a release; raise :class:`NotAnonymous` where it breaks its promise.

    ``rows`` says which row of the original each released row is; without it, tables of equal length are matched by position, and a
    release with fewer rows in the original's order; with ``reordered`` in any order. ``withheld`` says how many rows may be lacking.
    ``suppressed`` are texts that stand for any value, as ``*`` does.
    ``person`` is a column of the original that says which person a row is about: k then counts people. What the groups of one person tell
    together of ``sensitive`` columns is counted too.
    ``untouched`` columns must be released exactly as they were: without it, all that are in both tables and no quasi-identifiers.
    ``dropped`` columns must not be there, and ``needed`` ones must.
    With ``deletion`` losses count the rows that are lacking, as if every cell of them were suppressed.
    ``form`` says how the release is written (``bounds``, ``typed``): it is read back into labels, and rows must be alike in the cells of the form itself.
    ``named`` are other columns that the caller knows to be there; if it is given, it is looked for columns that tell what quasi-identifiers hide.
    """
    written = released.clone()
    released, forms = read_back(written, quasi_identifiers, form)
    need_columns(original, quasi_identifiers, "The original")
    check_columns(original, released, dropped, needed)
    need_columns(released, [*quasi_identifiers, *(d.column for d in demands)], "The release")
    if untouched is None:
        untouched = [name for name in released.columns if name in original.columns and name not in quasi_identifiers]
    texts = {name: one if isinstance(one, Texts) else from_rows(one) for name, one in (hierarchies or {}).items()}
    promise = ReleasePromise(
        k,
        tuple(quasi_identifiers),
        tuple(demands),
        texts,
        tuple(released.columns),
        withheld,
        deletion,
        measure,
        weights or {},
        person,
        tuple(sensitive),
    )
    shown = pl.DataFrame([_numbered(cells).alias(f"g{j}") for j, cells in enumerate(forms)])
    judge = ReleaseJudge(promise, _told(original, demands), lambda small: _first_rows(shown, small))
    counted, values = _counted(shown, released, demands)
    groups = judge.groups(counted, shown.columns, values)
    aligner = Aligner(original, released, quasi_identifiers, texts, untouched, suppressed)
    judge.check_withheld(released.height)
    found = aligner.find(reordered) if rows is None else _by_row(aligner, np.asarray(rows, dtype=np.int64))
    people = None
    if person is not None:
        people, found = _people(aligner, found, promise, shown, reordered)
    if found.how is not None and (why := doubts(original, released, quasi_identifiers, dropped)):
        found = replace(found, how=None, why_not=f"Cells were not compared: {why}")
    added = [Compared(name, released.height, kind="added") for name in released.columns if name not in {*quasi_identifiers, *untouched}]
    others = tuple(name for name in released.columns if name not in quasi_identifiers)
    told = fingerprint(written)
    noted: list[Hint] = []
    if named is not None and found.rows is not None:
        gone = [name for name in dropped if name in original.columns]
        noted = hints(original, released, found.rows, quasi_identifiers, others, gone, int(told[:8], 16), found.how == "in any order")
    beside = AlsoTold(
        columns=others,
        named=tuple(name for name in others if name in (named or ())),
        lacking=tuple(name for name in original.columns if name not in released.columns and name not in {*dropped, person}),
        hints=tuple(noted),
        people=people,
    )
    return judge.verdict(groups, replace(found, columns=(*found.columns, *added)), told, beside)


def _told(original: pl.DataFrame, demands: Sequence[Requirement]) -> Original:
    """What the judge must know of the original's sensitive columns."""
    need_columns(original, [asked.column for asked in demands], "The original")
    texts = {asked.column: as_text(original[asked.column]).alias("value").value_counts(name=N) for asked in demands}
    return Original(original.height, texts)


def _counted(shown: pl.DataFrame, released: pl.DataFrame, demands: Sequence[Requirement]) -> tuple[pl.DataFrame, dict[str, str]]:
    """The different rows over what tells groups apart and the columns of which something is asked, and where these stand."""
    asked = list(dict.fromkeys(demand.column for demand in demands))
    values = {name: f"v{i}" for i, name in enumerate(asked)}
    cells = shown.with_columns(_numbered(as_text(released[name])).alias(place) for name, place in values.items())
    counted = cells.group_by(pl.all()).len(N)
    return counted.with_columns(pl.col(place).cast(pl.String) for place in values.values()).cast({N: pl.Int64}), values


def _first_rows(shown: pl.DataFrame, groups: pl.DataFrame) -> list[int]:
    """The first row, counted from 1, of each of some groups."""
    there = shown.with_row_index("r", offset=1).join(groups, on=shown.columns, how="semi", nulls_equal=True)
    return there.group_by(shown.columns).agg(pl.col("r").min())["r"].sort().to_list()


def _people(
    aligner: Aligner, found: Alignment, promise: ReleasePromise, shown: pl.DataFrame, reordered: bool
) -> tuple[People | None, Alignment]:
    """The people of each group, where rows could be set beside rows; and the alignment, which is none if they could not be counted."""
    assert promise.person is not None
    need_columns(aligner.original, [promise.person], "The original")
    if promise.person in aligner.released.columns:
        raise NotAnonymous(f"Column '{promise.person}' says which person a row is about, and is in the release.")
    if found.how is None:
        return None, found
    numbers = shown.unique().with_row_index("group")
    group = shown.join(numbers, on=shown.columns, how="left", nulls_equal=True, maintain_order="left")["group"].to_numpy().astype(np.int64)
    people = count_people(aligner, found, group, promise.k, promise.person, reordered=reordered, sensitive=promise.sensitive)
    return people, replace(found, how=None, why_not=people.why_not) if people.why_not else found


def _by_row(aligner: Aligner, rows: np.ndarray) -> Alignment:
    """As told, and nothing may be wrong."""
    rising = bool((np.diff(rows) > 0).all())
    if len(rows) != aligner.released.height or not (rising or len(np.unique(rows)) == len(rows)):
        raise NotAnonymous("The release does not match its original row by row: a row is there twice or is not accounted for.")
    found = aligner.given(rows)
    need_true(found.columns)
    return found


def _numbered(cells: pl.Series) -> pl.Series:
    """Texts as places among their different values: rows are then told apart by a few bytes. A million rows of eight columns take 50 MB less."""
    return cells.cast(pl.Enum(cells.drop_nulls().unique())) if cells.dtype == pl.String else cells
