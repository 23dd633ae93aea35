"""Verification: a recount of the released cells as text, by itself.

It uses no code, kernel or Solution of the algorithms: only the two tables, the hierarchies as texts, and the promise.
A missing cell and ``*`` are values like any other: rows that show them are alike only with rows that show the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np
import polars as pl

from shoal import measures, registry
from shoal.errors import DataError, NotAnonymous, some
from shoal.privacy.base import Demand, histogram
from shoal.privacy.meaning import people_of, scale_of
from shoal.release.alignment import Aligner, Alignment
from shoal.release.compare import Compared
from shoal.release.count_people import People, count_people
from shoal.release.form_reading import read_back
from shoal.release.gate import KEY, Verified, fingerprint
from shoal.release.presence import check_columns, doubts
from shoal.release.texts import Rows, Texts, from_rows
from shoal.release.verdict_words import is_warning, words_of
from shoal.table.headers import no_such_columns
from shoal.table.shown import Shown
from shoal.table.text import as_text


@dataclass(frozen=True)
class Audit:
    """A bound that was proved to the checker, and the loss of the release measured beside it."""

    measure: str
    lower_bound: float
    loss: float | None
    """None where rows could not be matched and the measure needs that."""

    @property
    def ratio(self) -> float | None:
        if self.loss is None or (self.lower_bound <= 0 and self.loss > 1e-12):
            return None
        return self.loss / self.lower_bound if self.lower_bound > 0 else 1.0


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Verdict(Shown, Verified):
    """What the recount found."""

    n_rows: int
    n_groups: int
    smallest_group: int
    sizes: tuple[int, ...] = field(repr=False)
    """Sizes of the groups, rising."""
    reached: Mapping[str, float]
    """For each demand, by its text, what the weakest group reaches."""
    how: str | None
    """How rows were set beside rows: 'row by row', 'by position', 'in order', 'in any order'; None if cells could not be compared."""
    why_not: str = ""
    """Why cells could not be compared."""
    quasi_identifiers: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Columns of the release about which nothing was asked."""
    lacking: tuple[str, ...] = ()
    """Columns of the original that the release does not have, and that were not named as dropped."""
    columns: tuple[Compared, ...] = field(default=(), repr=False)
    """Each column of the release: whether it was compared, how, and what could not be."""
    measures: Mapping[str, Mapping[str, float]] = field(default_factory=dict, repr=False)
    """Every measure as recounted from the released texts, without weights: total, and per cell of a quasi-identifier."""
    loss: float | None = None
    """The chosen measure with the columns' weights, as recounted from the released texts."""
    audit: Audit | None = None
    """What a proof proves, where one was checked."""
    people: People | None = field(default=None, repr=False)
    """The people of each group, where k counts people."""
    n_withheld: int = 0
    """How many rows of the original are not in the release."""
    withheld_are_certain: bool = True
    """Whether the release tells which rows these are, or at least what they hold; else other rows of the original fit in their place."""

    @property
    def has_checked_cells(self) -> bool:
        """Whether each released cell was compared with its original."""
        return self.how is not None

    def size_array(self) -> np.ndarray:
        """Sizes of the groups as an array."""
        return np.array(self.sizes, dtype=np.int64)

    def warnings(self) -> list[str]:
        return [said for said in words_of(self) if is_warning(said)]

    def sentences(self) -> list[str]:
        return [said for said in words_of(self) if not is_warning(said)]

    def facts(self) -> list[tuple[str, str]]:
        half = self.sizes[len(self.sizes) // 2] if self.sizes else 0
        return [
            ("rows", f"{self.n_rows:,}"),
            ("groups", f"{self.n_groups:,}"),
            ("smallest group", f"{self.smallest_group:,}"),
            ("half of the groups have at least", f"{half:,} rows"),
            (
                "columns compared cell by cell",
                f"{sum(column.kind != 'added' for column in self.columns):,}" if self.has_checked_cells else "none",
            ),
        ]

    def with_audit(self, audit: Audit) -> Verdict:
        """The same verdict, with what a proof proves."""
        same = {f.name: getattr(self, f.name) for f in fields(self)}
        return Verdict(**{**same, "audit": audit}, key=KEY)


def verify(
    original: pl.DataFrame,
    released: pl.DataFrame,
    *,
    k: int,
    quasi_identifiers: Sequence[str],
    hierarchies: Mapping[str, Rows | Texts] | None = None,
    demands: Sequence[Demand] = (),
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
) -> Verdict:
    """Recount a release; raise :class:`NotAnonymous` where it breaks its promise.

    ``rows`` says which row of the original each released row is; without it, tables of equal length are matched by position, and a
    release with fewer rows in the original's order; with ``reordered`` in any order. ``withheld`` says how many rows may be lacking.
    ``suppressed`` are texts that stand for any value, as ``*`` does.
    ``person`` is a column of the original that says which person a row is about: k then counts people. What the groups of one person tell
    together of ``sensitive`` columns is counted too.
    ``untouched`` columns must be released exactly as they were: without it, all that are in both tables and no quasi-identifiers.
    ``dropped`` columns must not be there, and ``needed`` ones must.
    ``form`` says how the release is written (``bounds``, ``typed``): it is read back into labels, and rows must be alike in the cells of the form itself.
    """
    written = released.clone()
    released, told = read_back(written, quasi_identifiers, form)
    _need_columns(original, quasi_identifiers, "The original")
    check_columns(original, released, dropped, needed)
    _need_columns(released, [*quasi_identifiers, *(d.column for d in demands)], "The release")
    counted = _count(told)
    _check_sizes(counted, k)
    reached = {demand.text(): _check_demand(original, released, counted, demand) for demand in demands}
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
                reached[_people_demand(person, k)] = float(people.fewest)
    sizes = np.sort(counted["n"].to_numpy()) if counted.height else np.zeros(0, dtype=np.int64)
    named = {*quasi_identifiers, *untouched}
    if found.how is not None and (why := doubts(original, released, quasi_identifiers, dropped)):
        found = replace(found, how=None, why_not=f"Cells were not compared: {why}")
    added = tuple(Compared(name, released.height, kind="added") for name in released.columns if name not in named)
    own = found.columns[: len(quasi_identifiers)]
    return Verdict(
        fingerprint=fingerprint(written),
        n_rows=released.height,
        n_groups=counted.height,
        smallest_group=int(sizes[0]) if len(sizes) else 0,
        sizes=tuple(sizes.tolist()),
        reached=reached,
        how=found.how,
        why_not=found.why_not,
        quasi_identifiers=tuple(quasi_identifiers),
        others=tuple(name for name in released.columns if name not in quasi_identifiers and name not in {d.column for d in demands}),
        lacking=tuple(name for name in original.columns if name not in released.columns and name not in {*dropped, person}),
        columns=(*found.columns, *added),
        measures=totals(own, sizes, original.height, released.height) if found.how is not None else {},
        n_withheld=original.height - released.height,
        withheld_are_certain=found.is_certain,
        loss=loss_of(own, measure, weights) if found.how is not None and measure is not None else None,
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


def totals(columns: Sequence[Compared], sizes: np.ndarray, n_rows: int, n_released: int) -> dict[str, dict[str, float]]:
    """Every measure over all quasi-identifiers, without weights."""
    cells = max(n_released * len(columns), 1)
    found = {name: float(sum(column.losses[name] for column in columns)) for name in measures.CATALOG}
    for name in measures.REPORTED:
        found[name] = registry.find(measures.REPORTED, name).total(sizes, n_rows - n_released, n_rows)
    return {name: {"total": total, "per_cell": total / cells} for name, total in found.items()}


def loss_of(columns: Sequence[Compared], measure: str, weights: Mapping[str, float] | None) -> float:
    """The chosen measure over all quasi-identifiers, with their weights."""
    return float(sum((weights or {}).get(column.name, 1.0) * column.losses[measure] for column in columns))


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
    small = counted.filter(pl.col("n") < k)
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


def _people_demand(person: str, k: int) -> str:
    return people_of([]).demand_of_people(person, k).text()


def _check_demand(original: pl.DataFrame, released: pl.DataFrame, counted: pl.DataFrame, demand: Demand) -> float:
    """Count the sensitive values of each group again and hold them to the demand."""
    _need_columns(original, [demand.column], "The original")
    table, given = as_text(original[demand.column]), as_text(released[demand.column])
    texts = pl.concat([table, given]).drop_nulls().unique().sort()
    scale = scale_of(texts.to_list())
    meant = scale.bind(demand)
    before, after = (scale.codes(places_of(cells, texts)) for cells in (table, given))
    whole = np.bincount(before, minlength=scale.missing + 1).astype(np.int64)
    counts = histogram(_groups(counted, released.height).astype(np.int32), after, counted.height, whole)
    met = meant.is_met(counts)
    if not met.all():
        whole_rows = (
            " One of these groups is the rows in which every cell is suppressed."
            if _suppressed_whole(counted.filter(pl.Series(~met)))
            else ""
        )
        raise NotAnonymous(f"{int((~met).sum())} of {counted.height} groups break {demand.text()}.{whole_rows}")
    return meant.criterion.worst(meant.reached(counts))


def places_of(cells: pl.Series, texts: pl.Series) -> np.ndarray:
    """Where each cell stands among the texts; −1 for a missing one."""
    table = pl.DataFrame({"value": texts}).with_row_index("place")
    found = pl.DataFrame({"value": cells}).join(table, on="value", how="left", maintain_order="left")["place"]
    return found.cast(pl.Int64).fill_null(-1).to_numpy()
