"""From a table and what was said about its columns, or from distances, to points in their space."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from shoal.clustering.metric import KEYS, ColumnMetric, column_metric, coordinates, refuse_unknown
from shoal.clustering.points import Floats, Ints, Longs, Points, points_of
from shoal.clustering.triangle import check_matrix, check_sample
from shoal.errors import DataError, PolicyError, Refused
from shoal.hierarchies import files, spec_from_toml
from shoal.kernels.space import Coordinates, Space
from shoal.policy.policy import Policy
from shoal.table import Table
from shoal.table.fold import fold

Distance = Callable[[dict[str, Any], dict[str, Any]], float]
MOST_ASKED = 3000
"""A distance function of the user's is asked for all pairs of up to so many distinct rows."""


@dataclass(frozen=True, eq=False)
class Placed:
    """The rows as points, and how the distance is made up."""

    points: Points
    columns: tuple[ColumnMetric, ...]
    """The metric of each quasi-identifier; empty where distances were given whole."""
    codes: tuple[Ints, ...]
    """For each quasi-identifier the code of each row among the column's values."""
    combine: str
    matrix: Floats | None = None
    """All distances, where they were given or asked for."""
    in_matrix: Ints | None = None
    """Where each row stands in the matrix."""
    about: dict[str, Any] = field(default_factory=dict)

    def over(self, rows: Longs) -> Placed:
        """The same for a list of rows, in which a row may stand several times; every point must be in it."""
        at = None if self.in_matrix is None else self.in_matrix[rows]
        points = Points(self.points.space, self.points.of_row[rows])
        return replace(self, points=points, codes=tuple(code[rows] for code in self.codes), in_matrix=at)


def from_matrix(distances: Any) -> Placed:
    """Rows whose distances are given whole."""
    try:
        matrix = np.ascontiguousarray(np.asarray(distances, dtype=np.float64))
    except (TypeError, ValueError):
        raise DataError("distances must be a square array of numbers.") from None
    check_matrix(matrix)
    n = len(matrix)
    space = Space(Coordinates(n, matrix=matrix), np.ones(n, dtype=np.int64))
    rows = np.arange(n, dtype=np.int32)
    return Placed(points_of(space, rows), (), (), "matrix", matrix, rows, {"metric": "distances"})


def from_table(table: Table, names: Sequence[str], metric: Any, policy: Policy, hierarchies: Any) -> Placed:
    """Rows of a table, by the metric of each quasi-identifier."""
    coded = [table.coded(name) for name in names]
    if hierarchies is not None and (callable(metric) or metric == "hamming"):
        raise PolicyError("Hierarchies have no meaning beside this metric. Leave one of them out.")
    if callable(metric):
        return _asked(table, names, metric)
    specs, combine = read_metric(metric, names, policy, hierarchies)
    columns = tuple(column_metric(table, column, specs.get(column.name, {})) for column in coded)
    codes = tuple(np.where(c.codes < 0, c.n_values, c.codes).astype(np.int32) for c in coded)
    tuples, weight, tuple_of_row = fold(codes)
    space = Space(coordinates(columns, tuples, combine), weight)
    points = points_of(space, tuple_of_row)
    check_sample(space, lambda p: table.where([int(points.a_row[p])]))
    about = {"combine": combine, "columns": {c.name: c.describe() for c in columns}}
    return Placed(points, columns, codes, combine, about=about)


def read_metric(
    metric: Any, names: Sequence[str], policy: Policy, hierarchies: Any
) -> tuple[dict[str, dict[str, Any]], str]:
    """What is said about each column: the policy first, then a metric file or mapping over it."""
    specs: dict[str, dict[str, Any]] = {}
    for name in names:
        said = policy.columns.get(name)
        spec = dict(said.metric) if said else {}
        if said and said.weight != 1:
            spec["weight"] = said.weight
        if said and said.hierarchy is not None:
            spec["hierarchy"] = said.hierarchy
        specs[name] = spec
    _add_hierarchies(specs, hierarchies if hierarchies is not None else policy.hierarchies, names)
    if metric is None:
        return specs, "sum"
    if metric == "hamming":
        return {name: {"metric": "category", **_only(specs[name], "weight")} for name in names}, "sum"
    given, combine, where = _given_metric(metric)
    refuse_unknown(given, names, where)
    for name, spec in given.items():
        specs[name] |= spec
    return specs, combine


def _only(spec: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: spec[key] for key in keys if key in spec}


def _add_hierarchies(specs: dict[str, dict[str, Any]], hierarchies: Any, names: Sequence[str]) -> None:
    if isinstance(hierarchies, Mapping):
        refuse_unknown(hierarchies, names, "hierarchies")
        for name, hierarchy in hierarchies.items():
            specs[name]["hierarchy"] = hierarchy
    elif hierarchies is not None:
        for name in names:
            found = files.find(hierarchies, name)
            if found is not None:
                specs[name]["hierarchy"] = found


def _given_metric(metric: Any) -> tuple[dict[str, dict[str, Any]], str, str]:
    """A TOML file with ``[columns.X]`` tables, or the same as a mapping."""
    if isinstance(metric, Mapping):
        given = dict(metric.get("columns", {k: v for k, v in metric.items() if k != "combine"}))
        return _checked(given, "metric"), str(metric.get("combine", "sum")), "metric"
    if not isinstance(metric, str | Path):
        raise PolicyError(
            "metric is a TOML file, a mapping from columns to settings, 'hamming' or a function; not a "
            f"{type(metric).__name__}."
        )
    path = Path(metric)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise PolicyError(f"There is no metric file '{path}'.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"The metric file '{path}' cannot be read: {type(error).__name__}.") from None
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{path}: this is not TOML: {error}.") from None
    unknown = [key for key in content if key not in ("columns", "combine")]
    if unknown:
        raise PolicyError(
            f"{path}: there is no setting called '{unknown[0]}' in a metric file; there are columns and combine."
        )
    given = _checked(content.get("columns", {}), str(path))
    for spec in given.values():
        if "hierarchy" in spec:
            spec["hierarchy"] = spec_from_toml(spec["hierarchy"], path.parent)
        if isinstance(spec.get("places"), str):
            spec["places"] = path.parent / spec["places"]
    return given, str(content.get("combine", "sum")), str(path)


def _checked(given: Any, where: str) -> dict[str, dict[str, Any]]:
    if not isinstance(given, Mapping) or not all(isinstance(spec, Mapping) for spec in given.values()):
        raise PolicyError(f"{where}: each column needs a table of settings, such as unit = 10.")
    checked: dict[str, dict[str, Any]] = {}
    for name, spec in given.items():
        checked[name] = {("metric" if key == "kind" else key): value for key, value in spec.items()}
        unknown = [key for key in checked[name] if key not in (*KEYS, "role")]
        if unknown:
            raise PolicyError(
                f"{where}, column '{name}': there is no metric setting called '{unknown[0]}'. There are: "
                f"{', '.join(KEYS)}."
            )
        checked[name].pop("role", None)
    return checked


def _asked(table: Table, names: Sequence[str], distance: Distance) -> Placed:
    """All distances of a user's function between the distinct rows; a function is slow, so the number of rows is
    limited.
    """
    frame = table.frame[list(names)]
    distinct = frame.unique(maintain_order=True)
    if distinct.height > MOST_ASKED:
        raise Refused(
            f"A distance function is asked for every pair of distinct rows, and there are {distinct.height} of these; "
            f"at most {MOST_ASKED} are done. Describe the metric by columns instead (metric = a mapping or a TOML "
            "file)."
        )
    rows = distinct.to_dicts()
    n = len(rows)
    matrix = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            matrix[i, j] = float(distance(rows[i], rows[j]))
            matrix[j, i] = float(distance(rows[j], rows[i]))
        matrix[i, i] = float(distance(rows[i], rows[i]))
    ours = {name: f"c{j}" for j, name in enumerate(names)}  # names of our own, which cannot collide with a user's
    number = distinct.rename(ours).with_row_index("point")
    joined = frame.rename(ours).join(
        number, on=list(ours.values()), how="left", nulls_equal=True, maintain_order="left"
    )
    of_row = joined["point"].to_numpy().astype(np.int32)
    first = np.unique(of_row, return_index=True)[1]
    check_matrix(matrix, lambda p: table.where([int(first[p])]))
    weight = np.bincount(of_row, minlength=n).astype(np.int64)
    points = points_of(Space(Coordinates(n, matrix=matrix), weight), of_row)
    return Placed(points, (), (), "function", matrix, of_row, {"metric": "function"})
