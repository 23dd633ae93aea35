"""Small clustering tasks, and what every answer must keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from shoal import clustering, registry
from shoal.clustering.base import Answer, Task
from shoal.clustering.criteria import watched
from shoal.clustering.guarantee import guarantee, kind_of
from shoal.clustering.points import Points, points_of
from shoal.clustering.sensitive_check import check_criterion
from shoal.clustering.space_of import Placed, from_table
from shoal.errors import NotAnonymous
from shoal.io import read
from shoal.kernels.space import Coordinates, Space
from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy
from tests.naive.clusterings import half_diameter, optimum, random_metric, row_radius

METHODS = ["gather", "center", "cellular"]


def points_from(d: np.ndarray) -> Points:
    n = len(d)
    space = Space(Coordinates(n, matrix=np.ascontiguousarray(d, dtype=np.float64)), np.ones(n, dtype=np.int64))
    return points_of(space, np.arange(n, dtype=np.int32))


def on_a_line(*places: float) -> Points:
    """Rows at these places on a line; rows at the same place are one point."""
    place, at, count = np.unique(np.array(places, dtype=float), return_inverse=True, return_counts=True)
    space = Space(Coordinates(len(place), matrix=np.abs(place[:, None] - place[None, :])), count)
    return points_of(space, at.astype(np.int32))


def folded(rng: np.random.Generator, d: np.ndarray) -> tuple[np.ndarray, Points]:
    """Rows that share points."""
    n = len(d)
    base = int(rng.integers(2, n + 1))
    at = np.concatenate([np.arange(base), rng.integers(0, base, n - base)]).astype(np.int32)
    space = Space(
        Coordinates(base, matrix=np.ascontiguousarray(d[:base, :base])),
        np.bincount(at, minlength=base).astype(np.int64),
    )
    return d[np.ix_(at, at)], points_of(space, at)


def random_task(rng: np.random.Generator, method: str) -> tuple[np.ndarray, Task]:
    n = int(rng.integers(3, 8))
    d = random_metric(rng, n)
    d, points = folded(rng, d) if rng.random() < 0.5 else (d, points_from(d))
    r = int(rng.integers(1, min(n, 4) + 1))
    outliers = int(rng.integers(0, 3)) if rng.random() < 0.6 else 0
    centres: Any = "input" if rng.random() < 0.5 else "any"
    setup = None
    if method == "cellular" and rng.random() < 0.6:
        one_for_all = centres == "any" or (r > 1 and rng.random() < 0.5)
        setup = (
            np.full(points.space.n, float(rng.integers(0, 4)))
            if one_for_all
            else rng.integers(0, 6, points.space.n).astype(float)
        )
    return d, Task(points, r, centres, int(rng.integers(1, 4)) if method == "center" else None, outliers, setup)


CRITERIA: list[tuple[str, dict[str, float]]] = [
    ("distinct-l-diversity", {"l": 2}),
    ("distinct-l-diversity", {"l": 3}),
    ("entropy-l-diversity", {"l": 1.6}),
    ("recursive-l-diversity", {"c": 2, "l": 2}),
    ("t-closeness", {"t": 0.35}),
]
VALUES = ["HIV", "flu", "cold", None]


def watching(
    rng: np.random.Generator, task: Task, criterion: str, parameters: dict[str, float]
) -> tuple[Task, list[str | None]]:
    """The task with a criterion asked of random sensitive cells, some of them missing."""
    cells = [VALUES[i] for i in rng.choice(4, task.points.n_rows, p=[0.45, 0.3, 0.2, 0.05])]
    table = read(pl.DataFrame({"ill": cells}, schema={"ill": pl.String}))
    policy = Policy(columns={"ill": ColumnPolicy("sensitive", demands=((criterion, parameters),))})
    return replace(task, watched=watched(table, policy, ["ill"])), cells


def keeps_all(
    criterion: str, parameters: dict[str, float], groups: list[list[str | None]], table: list[str | None]
) -> bool:
    """By the recount's definition, for which test_sensitive_check.py answers."""
    return all(
        _keeps(criterion, tuple(parameters.items()), *(tuple(sorted(cells, key=str)) for cells in (group, table)))
        for group in groups
    )


@cache
def _keeps(
    criterion: str,
    parameters: tuple[tuple[str, float], ...],
    group: tuple[str | None, ...],
    table: tuple[str | None, ...],
) -> bool:
    try:
        check_criterion("ill", criterion, dict(parameters), Counter(table), [Counter(group)])
    except NotAnonymous:
        return False
    return True


def exhaustive(
    d: np.ndarray, task: Task, method: str, allowed: Callable[[list[int]], bool] = lambda members: True
) -> float:
    """The optimum of a task over the rows' distances, of clusters that are allowed."""
    price = price_of(d, task, method)
    cost = lambda m: price(m) if allowed(m) else np.inf  # noqa: E731
    return optimum(
        d, task.r, cost, total=method == "cellular", most_outliers=task.max_outliers, most_clusters=task.max_clusters
    )


def price_of(d: np.ndarray, task: Task, method: str) -> Callable[[list[int]], float]:
    """What a cluster of these rows costs."""
    setup = np.zeros(len(d)) if task.setup is None else task.setup[task.points.of_row]
    if method != "cellular":
        return (lambda m: row_radius(d, m)) if task.centres == "input" else (lambda m: half_diameter(d, m))
    if task.centres == "any":
        return lambda m: float(setup.min()) + len(m) * half_diameter(d, m)
    return lambda m: float((setup + len(m) * d[:, m].max(axis=1)).min())


def solve(method: str, task: Task) -> Answer:
    answer: Answer = registry.find(clustering.CATALOG, method).solve(task)
    return answer


def check(d: np.ndarray, task: Task, method: str, answer: Answer, best: float) -> tuple[float, float]:
    """What must hold; the ratios to the optimum of the guaranteed phase and of the answer."""
    found = answer.found
    assert (found.sizes() >= task.r).all()
    assert int((found.label < 0).sum()) <= task.max_outliers
    assert task.max_clusters is None or found.n_clusters <= task.max_clusters
    assert answer.cost <= answer.paper_cost * (1 + 1e-9) + 1e-9
    assert answer.lower_bound <= best * (1 + 1e-9) + 1e-9
    factor = guarantee(kind_of(method, task)).factor
    assert factor is not None
    assert answer.paper_cost <= factor * best * (1 + 1e-9) + 1e-9
    centre = task.points.a_row[found.centre]
    kept = found.label >= 0
    assert (
        d[np.flatnonzero(kept), centre[found.label[kept]]] <= found.radii(task.points)[found.label[kept]] + 1e-12
    ).all()
    return (answer.paper_cost / best, answer.cost / best) if best > 0 else (1.0, 1.0)


def placed(frame: dict[str, list[object]], metric: object = None, **more: object) -> Placed:
    table = read(pl.DataFrame(frame))
    return from_table(table, table.columns, metric, Policy(), more.get("hierarchies"))


def apart(made: Placed, a: int, b: int) -> float:
    return float(made.points.space.distances(int(made.points.of_row[a]), int(made.points.of_row[b])))
