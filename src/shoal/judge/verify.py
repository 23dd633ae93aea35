"""Verification: a recount of the released cells as text, by itself.

It uses no code, kernel or Solution of the algorithms: only the two tables, the hierarchies as texts, and the promise.
A missing cell and ``*`` are values like any other: rows that show them are alike only with rows that show the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from shoal import registry
from shoal.errors import DataError, NotAnonymous, some
from shoal.judge import measures
from shoal.judge.alignment import Aligner, Alignment
from shoal.judge.compare import Compared
from shoal.judge.count_people import count_people
from shoal.judge.criteria.base import Requirement
from shoal.judge.criteria.judging import Fulfilled, are_too_small, judge, of_people
from shoal.judge.forms import read_back
from shoal.judge.gate import KEY, fingerprint
from shoal.judge.hints.hints import Hint, hints
from shoal.judge.presence import check_columns, doubts
from shoal.judge.texts import Rows, Texts, from_rows
from shoal.judge.verdict import Verdict
from shoal.text.cells import as_text
from shoal.text.headers import no_such_columns


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
    _need_columns(original, quasi_identifiers, "The original")
    check_columns(original, released, dropped, needed)
    _need_columns(released, [*quasi_identifiers, *(d.column for d in demands)], "The release")
    counted = _count(forms)
    _check_sizes(counted, k)
    kept = [_judge(original, released, counted, asked) for asked in demands]
    if untouched is None:
        untouched = [name for name in released.columns if name in original.columns and name not in quasi_identifiers]
    texts = {name: one if isinstance(one, Texts) else from_rows(one) for name, one in (hierarchies or {}).items()}
    aligner = Aligner(original, released, quasi_identifiers, texts, untouched, suppressed)
    _check_numbers(original.height, released.height, withheld)
    found = aligner.find(reordered) if rows is None else _by_row(aligner, np.asarray(rows, dtype=np.int64))
    people = None
    if person is not None:
        _need_columns(original, [person], "The original")
        if person in released.columns:
            raise NotAnonymous(f"Column '{person}' says which person a row is about, and is in the release.")
        if found.how is not None:
            people = count_people(aligner, found, _groups(counted, released.height), k, person, reordered=reordered, sensitive=sensitive)
            if people.why_not:
                found = replace(found, how=None, why_not=people.why_not)
            else:
                kept = [Fulfilled(asked := of_people(person, k), asked.parameters, float(people.fewest)), *kept]
    sizes = np.sort(counted["n"].to_numpy()) if counted.height else np.zeros(0, dtype=np.int64)
    if found.how is not None and (why := doubts(original, released, quasi_identifiers, dropped)):
        found = replace(found, how=None, why_not=f"Cells were not compared: {why}")
    added = tuple(
        Compared(name, released.height, kind="added") for name in released.columns if name not in {*quasi_identifiers, *untouched}
    )
    own = found.columns[: len(quasi_identifiers)]
    sha256 = fingerprint(written)
    others = [name for name in released.columns if name not in quasi_identifiers]
    gone = [name for name in dropped if name in original.columns]
    told: list[Hint] = []
    if named is not None and found.rows is not None:
        told = hints(original, released, found.rows, quasi_identifiers, others, gone, int(sha256[:8], 16), found.how == "in any order")
    return Verdict(
        fingerprint=sha256,
        k=k,
        n_rows=released.height,
        n_groups=counted.height,
        smallest_group=int(sizes[0]) if len(sizes) else 0,
        sizes=tuple(sizes.tolist()),
        criteria=tuple(kept),
        how=found.how,
        why_not=found.why_not,
        quasi_identifiers=tuple(quasi_identifiers),
        others=tuple(name for name in others if name not in {d.column for d in demands}),
        named=tuple(name for name in others if name in (named or ())),
        hints=tuple(told),
        lacking=tuple(name for name in original.columns if name not in released.columns and name not in {*dropped, person}),
        columns=(*found.columns, *added),
        measures=totals(own, sizes, original.height, released.height, deletion) if found.how is not None else {},
        n_withheld=original.height - released.height,
        counts_withheld=deletion,
        withheld_are_certain=found.is_certain,
        loss=loss_of(own, measure, weights, deletion) if found.how is not None and measure is not None else None,
        people=people,
        key=KEY,
    )


def _suppressed_whole(groups: pl.DataFrame) -> bool:
    """Whether one of these groups shows nothing but ``*``: other tools keep such rows, but do not count them as a group."""
    shown = groups.select(pl.exclude("r", "n").cast(pl.String))
    return bool(shown.select(pl.all_horizontal(pl.all().eq("*").fill_null(False)).any()).item())


def _check_numbers(n_before: int, n_after: int, withheld: int | None) -> None:
    if n_after > n_before:
        raise NotAnonymous(f"The release has {n_after} rows and its original only {n_before}.")
    if withheld is not None and n_before - n_after > withheld:
        lacking = n_before - n_after
        several = "1 row of the original is" if lacking == 1 else f"{lacking:,} rows of the original are"
        may = f"only {withheld:,} may be withheld" if withheld else "none may be withheld"
        raise NotAnonymous(f"{several} not in the release, and {may}. If more were allowed, say --withheld {lacking}.")


def _by_row(aligner: Aligner, rows: np.ndarray) -> Alignment:
    """As told, and nothing may be wrong."""
    rising = bool((np.diff(rows) > 0).all())
    if len(rows) != aligner.released.height or not (rising or len(np.unique(rows)) == len(rows)):
        raise NotAnonymous("The release does not match its original row by row: a row is there twice or is not accounted for.")
    found = aligner.given(rows)
    wrong = [column for column in found.columns if not column.is_true]
    if wrong and wrong[0].kind == "kept":
        raise NotAnonymous(f"Column '{wrong[0].name}' was to be released as it is, and {wrong[0].fault()}.")
    if wrong:
        raise NotAnonymous(f"Column '{wrong[0].name}': {wrong[0].fault()}.")
    return found


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


def _need_columns(frame: pl.DataFrame, names: Sequence[str], which: str) -> None:
    absent = [name for name in dict.fromkeys(names) if name not in frame.columns]
    if absent:
        raise DataError(no_such_columns(frame, which, absent))


def _count(shown: Sequence[pl.Series]) -> pl.DataFrame:
    """The groups of rows that look alike: their rows, and how many. Columns get names of our own, so that none can collide with a user's."""
    texts = pl.DataFrame([_numbered(cells).alias(f"c{j}") for j, cells in enumerate(shown)])
    return texts.with_row_index("r").group_by(texts.columns).agg(pl.col("r"), pl.len().alias("n"))


def _numbered(cells: pl.Series) -> pl.Series:
    """Texts as places among their different values: rows are then told apart by a few bytes. A million rows of eight columns take 50 MB less."""
    return cells.cast(pl.Enum(cells.drop_nulls().unique())) if cells.dtype == pl.String else cells


def _check_sizes(counted: pl.DataFrame, k: int) -> None:
    small = counted.filter(pl.Series(are_too_small(counted["n"].to_list(), k)))
    if small.height:
        n_rows = int(small["n"].sum())
        first = sorted(int(r) + 1 for r in small["r"].list.first())
        raise NotAnonymous(
            f"Not {k}-anonymous: {small.height} of {counted.height} groups, with {n_rows} rows, have fewer than {k} rows "
            f"(the smallest has {int(counted['n'].to_numpy().min())}; such groups begin at released rows {some(first)})."
            + (" One of these groups is the rows in which every cell is suppressed." if _suppressed_whole(small) else "")
        )


def _groups(counted: pl.DataFrame, n_rows: int) -> np.ndarray:
    """The number of each released row's group."""
    group = np.empty(n_rows, dtype=np.int64)
    group[counted["r"].explode().to_numpy()] = np.repeat(np.arange(counted.height), counted["n"].to_numpy())
    return group


def _judge(original: pl.DataFrame, released: pl.DataFrame, counted: pl.DataFrame, asked: Requirement) -> Fulfilled:
    """Count the sensitive values of each group and hold them to what was asked."""
    _need_columns(original, [asked.column], "The original")
    before, after = (as_text(frame[asked.column]).alias("value").to_frame().with_columns(n=1) for frame in (original, released))
    found = judge(asked, before, after.with_columns(group=pl.Series(_groups(counted, released.height))))
    if found.is_broken.any():
        whole_rows = (
            " One of these groups is the rows in which every cell is suppressed."
            if _suppressed_whole(counted.filter(pl.Series(found.is_broken)))
            else ""
        )
        raise NotAnonymous(f"{int(found.is_broken.sum())} of {counted.height} groups break {asked.text()}.{whole_rows}")
    return found.kept()
