"""Metric spaces: how far two rows are apart, column by column.

A column's distance is of one of five kinds. A *number* or a *date* counts its difference in units (``unit = 10``; a
date's unit is in days) or as a share of the column's spread, so that the farthest two values are 1 apart. A *category*
is 1 from every other. In a *hierarchy* two values are as far apart as the lowest level that joins them is high, as a
share of the height. A *place* counts kilometres along the great circle, in units or as a share of the spread, from a
table of latitudes and longitudes. Each is a metric and stays one under a weight; ``combine`` adds them up (the
default), or takes the root of the sum of squares, or the largest.

A missing cell is a value of its own: equal to other missing cells, and as far from all others as the farthest two
values are from each other (for a category, 1). That keeps the triangle inequality.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shoal.clustering.places import EARTH, on_sphere, read_places, spread_of
from shoal.clustering.points import Floats, Ints
from shoal.errors import DataError, HierarchyError, PolicyError, some
from shoal.hierarchies import as_spec, default_spec
from shoal.hierarchies.encode import ValuesError
from shoal.hierarchies.encode import encode as build_tree
from shoal.hierarchies.tree import Tree
from shoal.kernels.space import CATEGORY, COMBINE, TABLE, TREE, Coordinates
from shoal.table import Coded, Table
from shoal.text.dates import date_forms, parse_dates
from shoal.text.numbers import parse_numbers

KINDS = ("number", "date", "category", "hierarchy", "place")
KEYS = ("metric", "unit", "spread", "places", "weight", "hierarchy")
LARGE = 1200
"""A hierarchy over more values is climbed; one over fewer becomes a table of all distances."""


@dataclass(frozen=True, eq=False)
class ColumnMetric:
    """How far the values of one column are apart."""

    name: str
    kind: str
    values: tuple[str | None, ...]
    """The values, in the order of their codes; None, if there, comes last."""
    unit: float = 1.0
    """What counts as 1: so many of the column's own units, days or kilometres. 1 for categories and hierarchies."""
    weight: float = 1.0
    far: float = 0.0
    """The distance of a missing cell from any other, weighted."""
    numbers: Floats | None = None
    """Per value; days since a fixed day for dates; NaN for a missing cell."""
    form: str | None = None
    """For dates: how they are written."""
    degrees: Floats | None = None
    """Per value: latitude and longitude."""
    sphere: Floats | None = None
    """Per value: a point on the unit sphere."""
    tree: Tree | None = None
    leaf: Ints | None = None
    """Per value: its leaf in the tree."""

    def describe(self) -> dict[str, Any]:
        """For the manifest: what was taken, so that the run can be repeated."""
        about: dict[str, Any] = {"metric": self.kind, "weight": self.weight}
        if self.kind in ("number", "date", "place"):
            about["unit"] = self.unit
        return about


def column_metric(table: Table, coded: Coded, spec: Mapping[str, Any]) -> ColumnMetric:
    """Read a column as its spec asks, or as its values look: numbers, dates, else categories."""
    name = coded.name
    unknown = [key for key in spec if key not in KEYS]
    if unknown:
        raise PolicyError(
            f"Column '{name}': there is no metric setting called '{unknown[0]}'. There are: {', '.join(KEYS)}."
        )
    weight = _positive(name, "weight", spec.get("weight", 1.0))
    texts = coded.values.to_list()
    values = (*texts, None) if coded.n_missing else tuple(texts)
    kind = spec.get("metric") or _kind(coded.name, texts, spec)
    if kind not in KINDS:
        raise PolicyError(f"Column '{name}': there is no metric called '{kind}'. There are: {', '.join(KINDS)}.")
    _refuse_unused(name, kind, spec)
    if kind in ("number", "date"):
        return _numeric(table, coded, texts, values, kind, spec, weight)
    if kind == "place":
        return _place(table, coded, texts, values, spec, weight)
    if kind == "hierarchy":
        return _hierarchy(table, coded, texts, values, spec, weight)
    return ColumnMetric(name, "category", values, weight=weight, far=weight)


def _refuse_unused(name: str, kind: str, spec: Mapping[str, Any]) -> None:
    """A setting that this kind of distance has no use for is a mistake; so is a hierarchy over numbers or dates of
    which nobody said that it is none.
    """
    has_unit = kind in ("number", "date", "place")
    for key in ("unit", "spread", "places"):
        if spec.get(key) and not (has_unit if key != "places" else kind == "place"):
            raise PolicyError(
                f"Column '{name}': {key} has no meaning where the metric is '{kind}'. Leave it out, or take another "
                "metric."
            )
    if spec.get("hierarchy") is not None and kind != "hierarchy" and "metric" not in spec:
        raise PolicyError(
            f"Column '{name}' has a hierarchy, and its values look like a {kind}. Say along which they are apart: "
            f'metric = "hierarchy" or metric = "{kind}" in its table of the policy or the metric file.'
        )


def _kind(name: str, texts: Sequence[str], spec: Mapping[str, Any]) -> str:
    if "places" in spec:
        return "place"
    _, wrong = parse_numbers(texts)
    looks = len(wrong) == 0 or (len(wrong) < len(texts) and all(_is_infinite(texts[i]) for i in wrong))
    is_scaled = "unit" in spec or "spread" in spec
    if len(texts) and looks:
        is_code = not is_scaled and default_spec(name, texts).name == "prefixes"
        return "number" if not is_code else "category" if spec.get("hierarchy") is None else "hierarchy"
    if len(texts) and any(unfit == 0 for form, unfit in date_forms(texts).items() if form != "YYYYMMDD"):
        return "date"
    if is_scaled:
        return "number"
    return "hierarchy" if spec.get("hierarchy") is not None else "category"


def _is_infinite(text: str) -> bool:
    try:
        return not np.isfinite(float(text))
    except ValueError:
        return False


def _numeric(
    table: Table,
    coded: Coded,
    texts: Sequence[str],
    values: tuple[str | None, ...],
    kind: str,
    spec: Mapping[str, Any],
    weight: float,
) -> ColumnMetric:
    form = None
    if kind == "number":
        number, wrong = parse_numbers(texts)
    else:
        forms = date_forms(texts)
        form = next(iter(forms), "YYYY-MM-DD")
        days, wrong = parse_dates(texts, form)
        number = days.astype(np.float64)
    if len(wrong):
        rows = coded.rows_of(wrong.tolist())
        infinite = kind == "number" and all(_is_infinite(texts[i]) for i in wrong)
        what = "not finite" if infinite else f"no {kind}{'s' if len(rows) > 1 else ''}"
        advice = (
            "Correct them or leave them empty"
            if infinite
            else f"Correct them, leave them empty, or set metric = \"category\" for '{coded.name}'"
        )
        raise DataError(
            f"Column '{coded.name}': {len(rows)} of {table.n_rows} cells are {what} "
            f"({table.where(rows[:6].tolist())}). {advice}."
        )
    wide = float(number.max() - number.min()) if len(number) else 0.0
    if not np.isfinite(wide):
        raise DataError(
            f"Column '{coded.name}': its largest and smallest numbers are too far apart to be subtracted. Scale it "
            "down."
        )
    unit = _unit(coded.name, spec, wide)
    if coded.n_missing:
        number = np.append(number, np.nan)
    far = weight * (wide / unit if wide > 0 else 1.0)
    return ColumnMetric(coded.name, kind, values, unit, weight, far, numbers=number, form=form)


def _unit(name: str, spec: Mapping[str, Any], wide: float) -> float:
    """What counts as 1: what was given, else the spread."""
    if "unit" in spec and spec.get("spread"):
        raise PolicyError(f"Column '{name}': give a unit or ask for the spread, not both.")
    if "unit" in spec:
        return _positive(name, "unit", spec["unit"])
    return wide if wide > 0 else 1.0


def _positive(name: str, key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise PolicyError(f"Column '{name}': {key} must be a positive number, not {value!r}.")
    return float(value)


def _place(
    table: Table,
    coded: Coded,
    texts: Sequence[str],
    values: tuple[str | None, ...],
    spec: Mapping[str, Any],
    weight: float,
) -> ColumnMetric:
    name = coded.name
    if "places" not in spec:
        raise PolicyError(
            f"Column '{name}': a place needs a table of latitudes and longitudes: places = \"places.csv\"."
        )
    known = read_places(name, spec["places"])
    unknown = [i for i, text in enumerate(texts) if text not in known]
    if unknown:
        rows = coded.rows_of(unknown)
        raise DataError(
            f"Column '{name}': {len(rows)} of {table.n_rows} cells name a place that its table lacks "
            f"({table.where(rows[:6].tolist())}). "
            "Add the places to the table, or leave the cells empty."
        )
    degrees = np.array([known[text] for text in texts], dtype=np.float64).reshape(-1, 2)
    sphere = on_sphere(degrees)
    wide = spread_of(sphere)
    unit = _unit(name, spec, wide)
    if coded.n_missing:
        sphere = np.vstack([sphere, np.full((1, 3), np.nan)])
        degrees = np.vstack([degrees, np.full((1, 2), np.nan)])
    return ColumnMetric(
        name, "place", values, unit, weight, weight * (wide / unit if wide > 0 else 1.0), degrees=degrees, sphere=sphere
    )


def _hierarchy(
    table: Table,
    coded: Coded,
    texts: Sequence[str],
    values: tuple[str | None, ...],
    spec: Mapping[str, Any],
    weight: float,
) -> ColumnMetric:
    name = coded.name
    if spec.get("hierarchy") is None:
        raise PolicyError(
            f"Column '{name}': its metric is a hierarchy, and none was given. Name a file, or a folder with "
            "--hierarchies."
        )
    try:
        made = build_tree(name, texts, coded.n_missing > 0, as_spec(spec["hierarchy"]))
    except ValuesError as error:
        rows = coded.rows_of(error.missing_values.tolist())
        raise error.at_lines(table.where(rows[:6].tolist())) from None
    if made.free is not None:
        raise HierarchyError(
            f"Column '{name}': free intervals and sets have no levels to measure along. Take levels, or a unit."
        )
    leaf = made.code_of if made.missing_code is None else np.append(made.code_of, made.missing_code)
    return ColumnMetric(name, "hierarchy", values, 1.0, weight, weight, tree=made.tree, leaf=leaf.astype(np.int32))


def heights(column: ColumnMetric) -> Floats:
    """For a hierarchy: how far apart two leaves are that a node joins."""
    assert column.tree is not None
    return column.weight * column.tree.level / max(column.tree.height, 1)


def coordinates(columns: Sequence[ColumnMetric], codes: Ints, combine: str) -> Coordinates:
    """The points at the given codes (one row per point, one column per metric; a missing cell has the last code)."""
    if combine not in COMBINE:
        raise PolicyError(f"combine must be one of {', '.join(COMBINE)}, not '{combine}'.")
    numeric = [j for j, c in enumerate(columns) if c.numbers is not None]
    places = [j for j, c in enumerate(columns) if c.sphere is not None]
    coded = _coded([(c, codes[:, j]) for j, c in enumerate(columns) if c.numbers is None and c.sphere is None])
    return Coordinates(
        len(codes),
        np.ascontiguousarray(_stacked([columns[j].numbers[codes[:, j]] for j in numeric], len(codes))),  # type: ignore[index]
        np.array([columns[j].weight / columns[j].unit for j in numeric], dtype=np.float64),
        np.array([columns[j].far for j in numeric], dtype=np.float64),
        np.ascontiguousarray(_stacked([columns[j].sphere[codes[:, j]] for j in places], len(codes))),  # type: ignore[index]
        np.array([columns[j].weight * EARTH / columns[j].unit for j in places], dtype=np.float64),
        np.array([columns[j].far for j in places], dtype=np.float64),
        np.ascontiguousarray(_stacked(coded.points, len(codes)), dtype=np.int32),
        np.array(coded.kinds, dtype=np.int32),
        np.array(coded.weights, dtype=np.float64),
        np.array(coded.starts, dtype=np.int64),
        np.array(coded.sizes, dtype=np.int32),
        np.concatenate([np.empty(0), *coded.tables]),
        np.concatenate([np.empty(0, dtype=np.int32), *coded.parents]),
        np.concatenate([np.empty(0), *coded.heights]),
        combine,
    )


@dataclass
class _Coded:
    """Columns of codes, as the kernels take them: what each column is and where its table or tree begins."""

    kinds: list[int] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    points: list[Ints] = field(default_factory=list)
    tables: list[Floats] = field(default_factory=list)
    parents: list[Ints] = field(default_factory=list)
    heights: list[Floats] = field(default_factory=list)


def _coded(columns: Sequence[tuple[ColumnMetric, Ints]]) -> _Coded:
    """A small tree becomes a table of all distances; a large one stays a tree."""
    made = _Coded()
    for column, codes in columns:
        code, size, kind, start = codes, len(column.values), CATEGORY, 0
        if column.tree is not None and column.leaf is not None:
            if column.tree.n_leaves > LARGE:
                kind, start, size = TREE, sum(map(len, made.parents)), column.tree.n_leaves
                code = column.leaf[code]
                made.parents.append(column.tree.parent.astype(np.int32))
                made.heights.append(heights(column))
            else:
                kind, start = TABLE, sum(map(len, made.tables))
                made.tables.append(joins(column).reshape(-1))
        made.kinds.append(kind)
        made.weights.append(column.weight)
        made.starts.append(start)
        made.sizes.append(size)
        made.points.append(code)
    return made


def _stacked(columns: list[Any], n: int) -> Any:
    return np.column_stack(columns) if columns else np.empty((n, 0))


def joins(column: ColumnMetric) -> Floats:
    """All distances of a hierarchy's values."""
    assert column.tree is not None
    assert column.leaf is not None
    tree, m = column.tree, len(column.leaf)
    table = np.full((m, m), np.nan)
    tall = heights(column)
    up = column.leaf.copy()
    while np.isnan(table).any():
        order = np.argsort(up, kind="stable")
        for block in np.split(order, np.flatnonzero(np.diff(up[order])) + 1):
            inner = table[np.ix_(block, block)]
            table[np.ix_(block, block)] = np.where(np.isnan(inner), tall[up[block[0]]], inner)
        lowest = up.min()
        up = np.where(up == lowest, tree.parent[up], up).astype(np.int32)
    return table


def refuse_unknown(columns: Mapping[str, Any], there: Sequence[str], where: str) -> None:
    """Refuse a metric for a column that is not a quasi-identifier: it is a mistake."""
    unknown = [name for name in columns if name not in there]
    if unknown:
        raise PolicyError(f"{where}: no quasi-identifier is called '{unknown[0]}'. There are: {some(there, 30)}.")
