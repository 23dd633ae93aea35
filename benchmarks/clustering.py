"""Clusterings: ratios to the exhaustive optimum of small metrics; Adult; 100,000 rows; and against groups of a k-anonymous release."""

from __future__ import annotations

import resource
import time
from typing import Any

import numpy as np
import polars as pl
from tests.clustering.small import check, exhaustive, random_task, solve

import shoal
from benchmarks import adult
from shoal import algorithms, registry
from shoal.clustering import improve
from shoal.clustering.centres import show
from shoal.clustering.guarantee import guarantee, kind_of
from shoal.clustering.points import Found
from shoal.clustering.space_of import Placed
from shoal.problem import Watch

SMALL = 5000
METRIC = {"age": {"unit": 10}}


def main() -> None:
    small()
    if not adult.is_there():
        print("Adult is not beside the repository: the other figures are left out.")
        return
    whole = on_adult()
    large()
    against_groups(whole)


def small() -> None:
    """The worst ratio seen per problem, before and after improvement."""
    print(f"{'problem':44} {'metrics':>7} {'proved':>7} {'guaranteed phase':>17} {'answer':>7} {'optimum/bound':>14}")
    for method in ("gather", "center", "cellular"):
        rng = np.random.default_rng(7)
        seen: dict[tuple[str, str], list[float]] = {}
        for _ in range(SMALL):
            d, task = random_task(rng, method)
            answer = solve(method, task)
            best = exhaustive(d, task, method)
            first, last = check(d, task, method, answer, best)
            row = seen.setdefault((answer.problem, task.centres), [0, 0.0, 0.0, 0.0, 1.0])
            bound = best / answer.lower_bound if answer.lower_bound > 0 else 1.0
            row[:] = [
                row[0] + 1,
                max(row[1], guarantee(kind_of(method, task)).factor or 0.0),
                max(row[2], first),
                max(row[3], last),
                max(row[4], bound),
            ]
        for (problem, centres), (n, proved, first, last, bound) in sorted(seen.items()):
            print(f"{problem + ', centres ' + centres:44} {n:7.0f} {proved:7.1f} {first:17.3f} {last:7.3f} {bound:14.3f}", flush=True)


def run(data: Any, **asked: Any) -> Any:
    """One clustering with its figures printed."""
    start = time.process_time()
    c = shoal.cluster(data, **asked)
    told = c.record
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{told['problem']:42} {told['n_rows']:7} rows {told['n_clusters']:6} clusters {told['n_outliers']:5} out  cost {told['cost']:11.2f}  "
        f"bound {told['lower_bound']:11.2f}  ratio {told['ratio']:6.3f}  {time.process_time() - start:6.1f} s CPU  {peak:5.2f} GiB peak",
        flush=True,
    )
    return c


def on_adult() -> Any:
    frame = pl.read_csv(adult.path(), separator=";", infer_schema=False)
    asked: dict[str, Any] = {"r": 10, "quasi_identifiers": adult.QUASI_IDENTIFIERS, "sensitive": [adult.SENSITIVE], "metric": METRIC}
    print("\nAdult, 8 quasi-identifiers, r = 10 (age in tens of years, the others 0 or 1)")
    for more in (
        {"method": "gather"},
        {"method": "gather", "centers": "input"},
        {"method": "gather", "outliers": 0.01},
        {"method": "gather", "outliers": 0.01, "centers": "input"},
        {"method": "center", "max_clusters": 100},
    ):
        run(frame, **asked, **more)
    return run(frame, **asked, method="cellular")


def large() -> None:
    print("\nAdult enlarged to 100,000 rows, 6 quasi-identifiers, r = 10, ε = 0.01")
    frame = pl.read_csv(adult.path(100_000), separator=";", infer_schema=False)
    asked: dict[str, Any] = {"r": 10, "quasi_identifiers": adult.QUASI_IDENTIFIERS[:6], "sensitive": [adult.SENSITIVE], "metric": METRIC}
    run(frame, **asked, method="gather", outliers=0.01)
    run(frame, **asked, method="center", max_clusters=100)


def against_groups(cells: Any) -> None:
    """The distortion bound size × radius of cells, and of the mid-points of the groups of k-anonymous releases."""
    print("\nDistortion (sum of size × radius) on Adult, r = k = 10, around the best of a row, medians and middles")
    placed: Placed = cells.sketch[0]
    print(f"  cellular clustering                         {_distortion(placed, cells.sketch[1]):11.1f}")
    for name in ("forest", "mondrian"):
        problem = adult.problem(k=10, measure="lm")
        group = registry.find(algorithms.CATALOG, name).solve(problem, Watch()).group
        found = Found(group.astype(np.int32), _any_member(placed, group))
        found = improve.centred(placed.points, found)
        print(f"  mid-points of the groups of {name:15} {_distortion(placed, found):11.1f}", flush=True)


def _distortion(placed: Placed, found: Found) -> float:
    return float((found.sizes() * show(placed, found, anywhere=True).radius).sum())


def _any_member(placed: Placed, group: np.ndarray) -> np.ndarray:
    first = np.unique(group[group >= 0], return_index=True)[1]
    return placed.points.of_row[np.flatnonzero(group >= 0)[first]]


if __name__ == "__main__":
    main()
