"""Doctored releases: true ones in which somebody changed something.

The attacker has    the original, a true release, its policy and hierarchies, and may write any file in the release's place.
The attacker wants  ``shoal verify`` to call the file anonymous and true although a group is too small, a demand is broken, a cell does not
                    cover its original one, or a column that was to be kept was changed.
The attacker gets   an error, status 1, or 4 where rows were moved: never 0.

:func:`mutations` doctors a release; what is wrong with the result is found by plain Python, from the definitions, in :func:`faults`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

import shoal
from shoal import measures, registry
from shoal.errors import NotAnonymous
from shoal.release.release import Release
from tests.naive import recount as naive

JOBS = [
    ["nurse", "care", "health", "*"],
    ["doctor", "care", "health", "*"],
    ["cook", "kitchen", "food", "*"],
    ["waiter", "hall", "food", "*"],
]
LOOK_ALIKES = {
    "a": "\u0430",
    "e": "\u0435",
    "o": "\u043e",
    "c": "\u0441",
    "1": "\uff11",
    "2": "\uff12",
    " ": "\u00a0",
    "*": "\u2217",
    "[": "\uff3b",
}
Cell = str | None


@dataclass(frozen=True, eq=False)
class Mutation:
    """A doctored release."""

    name: str
    frame: pl.DataFrame
    breaks: tuple[str, ...]
    """What is wrong with it; nothing if it happens to be true."""


# ---- tables and their releases ----


def case(rng: np.random.Generator) -> tuple[pl.DataFrame, Release]:
    """A small table of texts, numbers and odd cells, and a release of it."""
    while True:
        n = int(rng.integers(8, 40))
        original = pl.DataFrame(
            {
                "age": pl.Series(rng.integers(18, 60, n).astype(str).tolist()).set(pl.Series(rng.random(n) < 0.05), None),
                "job": rng.choice(["nurse", "doctor", "cook", "waiter"], n).tolist(),
                "zip": [f"81{z}" for z in rng.integers(100, 130, n)],
                "size": rng.choice(["s", "m", "l"], n).tolist(),
                "ill": pl.Series(rng.choice(["flu", "gout", "hiv", "cold"], n).tolist()).set(pl.Series(rng.random(n) < 0.05), None),
                "pay": pl.Series([[1.0, 0.0, -0.0, math.nan, None][i] for i in rng.integers(0, 5, n)], dtype=pl.Float64),
                "note": rng.choice(["1", "1.0", "", "e\u0301"], n).tolist(),
            }
        )
        demand = [{}, {"l_diversity": 2}, {"t_closeness": 0.7}][int(rng.integers(3))]
        try:
            return original, shoal.anonymize(
                original,
                k=int(rng.integers(2, 5)),
                quasi_identifiers=["age", "job", "zip", "size"],
                sensitive=["ill"],
                hierarchies={"age": shoal.intervals(5, 10, 20), "job": JOBS, "zip": shoal.prefixes(4, 3), "size": shoal.any_subset()},
                measure=str(rng.choice(registry.names(measures.CATALOG))),
                algorithm=str(rng.choice(["mondrian", "forest", "full-domain"] if not demand else ["mondrian", "full-domain"])),
                withhold=float(rng.choice([0.0, 0.2])),
                **demand,
            )
        except shoal.Infeasible:
            continue


READS = {
    "age": naive.by_interval,
    "job": naive.by_rows(JOBS),
    "zip": naive.by_prefix,
    "size": naive.by_any(naive.by_set, lambda label, value: _is_listed(label, value)),
}


def _is_listed(label: str, value: str) -> bool:
    """A set as any tool may write it. A member that nobody knows makes it wider, not untrue."""
    body = label[1:-1] if label[:1] + label[-1:] == "{}" else label
    return value in (member.strip() for member in body.replace("~", ",").split(",")) and len(label) > 1


# ---- what is wrong, in plain Python ----


def texts(column: pl.Series) -> list[Cell]:
    """Cells as a reader of a Parquet file tells them apart: null, NaN, both zeros."""
    if column.dtype.is_float():
        return [None if x is None else "NaN" if math.isnan(x) else repr(x) for x in column.to_list()]
    return [None if x is None else str(x) for x in column.to_list()]


def faults(original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> tuple[str, ...]:
    """Everything that a doctored release breaks."""
    names = [column.name for column in release.problem.columns]
    if any(name not in frame.columns for name in original.columns):
        return ("columns",)
    shown = [texts(frame[name]) for name in names]
    groups: dict[tuple[Cell, ...], list[int]] = {}
    for i, row in enumerate(zip(*shown, strict=True)):
        groups.setdefault(row, []).append(i)
    found = ["k"] if any(len(members) < release.problem.k for members in groups.values()) else []
    table = texts(original["ill"])
    ill = texts(frame["ill"])
    for demand in release.problem.demands:
        keeps = naive.CRITERIA[demand.criterion.name]
        if not all(keeps([ill[i] for i in members], table, dict(demand.parameters)) for members in groups.values()):
            found.append(demand.criterion.name)
    return tuple(found + ([] if is_true(original, release, frame) else ["truth"]))


def is_true(original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> bool:
    """Whether each row may be the original row in its place; where rows are lacking, the first in order that it may be."""
    names = [column.name for column in release.problem.columns]
    columns = [
        naive.Column(name, texts(original[name]), READS[name], frozenset(row[0] for row in JOBS) if name == "job" else frozenset())
        for name in names
    ]
    kept = [name for name in original.columns if name not in names]
    before = [texts(original[name]) for name in kept]
    after = [texts(frame[name]) for name in kept]
    shown = [[column.shown_as(label) for label in texts(frame[column.name])] for column in columns]

    def fits(i: int, r: int) -> bool:
        return all(b[i] == a[r] for b, a in zip(before, after, strict=True)) and all(
            c.cells[i] in s[r] for c, s in zip(columns, shown, strict=True)
        )

    n, m = original.height, frame.height
    if m > n:
        return False
    if m == n:
        return all(fits(i, i) for i in range(n))
    at = 0
    for r in range(m):
        while at < n and not fits(at, r):
            at += 1
        if at == n:
            return False
        at += 1
    return True


# ---- how a release is doctored ----

Doctor = Callable[[np.random.Generator, pl.DataFrame, Release, pl.DataFrame], pl.DataFrame]


def _names(release: Release) -> list[str]:
    return [column.name for column in release.problem.columns]


def _pick(rng: np.random.Generator, items: Sequence[str]) -> str:
    return str(items[int(rng.integers(len(items)))])


def _set(frame: pl.DataFrame, name: str, cells: Sequence[object]) -> pl.DataFrame:
    return frame.with_columns(pl.Series(name, cells, dtype=frame.schema[name]))


def _group(rng: np.random.Generator, release: Release, frame: pl.DataFrame) -> list[int]:
    """The rows of a group that looks alike."""
    rows = list(zip(*(texts(frame[name]) for name in _names(release)), strict=True))
    like = rows[int(rng.integers(len(rows)))]
    return [i for i, row in enumerate(rows) if row == like]


def _relabel(frame: pl.DataFrame, name: str, rows: Sequence[int], label: object) -> pl.DataFrame:
    cells = frame[name].to_list()
    for i in rows:
        cells[i] = label
    return _set(frame, name, cells)


def exchange_cells(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    name = _pick(rng, frame.columns)
    cells = frame[name].to_list()
    i, j = rng.integers(0, len(cells), 2)
    cells[i], cells[j] = cells[j], cells[i]
    return _set(frame, name, cells)


def exchange_rows(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    order = list(range(frame.height))
    i, j = rng.integers(0, len(order), 2)
    order[i], order[j] = order[j], order[i]
    return frame[order]


def shuffle(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    return frame[rng.permutation(frame.height).tolist()]


def drop_rows(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    gone = set(rng.choice(frame.height, int(rng.integers(1, 4)), replace=False).tolist()) if frame.height > 4 else {0}
    return frame[[i for i in range(frame.height) if i not in gone]]


def double_a_row(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    order = list(range(frame.height))
    i, j = rng.integers(0, len(order), 2)
    order = [*order, int(i)] if rng.random() < 0.3 else [int(i) if x == j else x for x in order]
    return frame[order]


def another_label(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    """A whole group shows another label of its column: k still holds."""
    name = _pick(rng, _names(release))
    labels = [*frame[name].unique().to_list(), *original[name].unique().to_list()]
    return _relabel(frame, name, _group(rng, release, frame), labels[int(rng.integers(len(labels)))])


def another_group(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    """A whole group shows the labels of another one."""
    rows, other = _group(rng, release, frame), _group(rng, release, frame)[0]
    for name in _names(release):
        frame = _relabel(frame, name, rows, frame[name][other])
    return frame


def overlapping_intervals(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    low = int(rng.integers(10, 60))
    label = f"[{low}, {low + int(rng.integers(1, 15))}{_pick(rng, [')', ']'])}"
    return _relabel(frame, "age", _group(rng, release, frame), label)


def a_set_too_small(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    return _relabel(frame, "size", _group(rng, release, frame), _pick(rng, ["{s, m}", "{l, m}", "{l, s}", "s", "{m}", "s,m", "l~s", "{x}"]))


def look_alikes(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    """One character of a cell, or of a whole group's, becomes one that looks alike."""
    name = _pick(rng, [*_names(release), "ill", "note"])
    rows = _group(rng, release, frame)
    label = frame[name][rows[0]]
    places = [i for i, c in enumerate(label or "") if c in LOOK_ALIKES]
    if not places:
        return frame
    at = places[int(rng.integers(len(places)))]
    same = [i for i in rows if frame[name][i] == label]
    some = same if rng.random() < 0.7 else same[:1]
    return _relabel(frame, name, some, label[:at] + LOOK_ALIKES[label[at]] + label[at + 1 :])


def blanks_and_case(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    name = _pick(rng, ["job", "ill", "note", "zip"])
    rows = _group(rng, release, frame)
    label = frame[name][rows[0]]
    if label is None:
        return frame
    doctored = _pick(rng, [label + " ", " " + label, label.upper(), label.title()])
    return _relabel(frame, name, [i for i in rows if frame[name][i] == label], doctored)


def odd_numbers(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    """NaN for null, null for NaN, one zero for the other, another number."""
    i = int(rng.integers(frame.height))
    return _relabel(frame, "pay", [i], [math.nan, None, 0.0, -0.0, 1.0, 2.0][int(rng.integers(6))])


def one_for_one_point_nought(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    i = int(rng.integers(frame.height))
    return _relabel(frame, "note", [i], _pick(rng, ["1", "1.0", "", "01", "\u00e9"]))


def empty_for_missing(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    name = _pick(rng, ["age", "ill", "job"])
    return _relabel(frame, name, _group(rng, release, frame), "" if rng.random() < 0.5 else None)


def fabricated_diversity(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    """Sensitive values that a group does not have."""
    cells = frame["ill"].to_list()
    if rng.random() < 0.5:
        rng.shuffle(cells)
    else:
        for i in _group(rng, release, frame):
            cells[i] = _pick(rng, ["flu", "gout", "hiv", "cold", "measles"])
    return _set(frame, "ill", cells)


def drop_a_column(rng: np.random.Generator, original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> pl.DataFrame:
    """A quasi-identifier passes for another: their names are exchanged."""
    one, other = rng.choice(_names(release), 2, replace=False).tolist()
    return frame.rename({one: other, other: one}).select(frame.columns)


DOCTORS: tuple[Doctor, ...] = (
    exchange_cells, exchange_rows, shuffle, drop_rows, double_a_row, another_label, another_group, overlapping_intervals, a_set_too_small,
    look_alikes, blanks_and_case, odd_numbers, one_for_one_point_nought, empty_for_missing, fabricated_diversity, drop_a_column,
)  # fmt: skip


def mutations(rng: np.random.Generator, original: pl.DataFrame, release: Release) -> Iterator[Mutation]:
    """Without end: the release doctored in one to three ways, and what that breaks."""
    while True:
        frame, done = release.frame, []
        for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
            doctor = DOCTORS[int(rng.integers(len(DOCTORS)))]
            frame = doctor(rng, original, release, frame)
            done.append(doctor.__name__)
        yield Mutation(" + ".join(done), frame, faults(original, release, frame))


def is_accepted(original: pl.DataFrame, release: Release, frame: pl.DataFrame) -> bool:
    """Whether the verifier calls a table a true and anonymous release."""
    try:
        shoal.verify(original, frame, policy=release.policy)
    except NotAnonymous:
        return False
    return True
