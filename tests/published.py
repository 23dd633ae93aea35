"""What is published of a release, loss, bound, ratio and factor, held to an exhaustive optimum of the very problem that was asked.

A table is a function of its seed: any measure, weights, repeated rows, hierarchies of any depth, missing cells. Rows may be deleted at the
price of suppressing them whole, or withheld within a budget, or must all stay; groups may have to be diverse. Another
kind has columns that show any interval or any subset, and rows of people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

import shoal
from shoal import algorithms, measures, registry
from shoal.hierarchies import levels
from tests.naive.free import free_optimum
from tests.naive.released import least_paid

SLACK = 1e-6
MEASURES = registry.names(measures.CATALOG)
ALGORITHMS = registry.names(algorithms.CATALOG)
CRITERIA: tuple[dict[str, Any], ...] = (
    {"l_diversity": {"distinct": 2}},
    {"l_diversity": {"entropy": 1.5}},
    {"t_closeness": 0.4},
    {"require": {"alpha-k-anonymity": 0.7}},
)


@dataclass(frozen=True)
class Asked:
    """A table, and how it is asked for, but for what may happen to rows."""

    frame: pl.DataFrame
    about: dict[str, Any]


def asked_by(seed: int) -> Asked:
    rng = np.random.default_rng(seed)
    if seed % 20 == 0:
        return restricted(rng)
    k, q, values = int(rng.integers(2, 4)), int(rng.integers(1, 4)), int(rng.integers(2, 5))
    n = int(rng.integers(k + 1, 9))
    cells = rng.integers(0, values, size=(n, q))
    if rng.random() < 0.5:
        cells = cells[rng.integers(0, n, size=n)]
    texts = cells.astype(str).astype(object)
    if rng.random() < 0.2:
        texts[rng.random(texts.shape) < 0.15] = None
    frame = pl.DataFrame({f"c{j}": pl.Series(texts[:, j].tolist(), dtype=pl.String) for j in range(q)})
    frame = frame.with_columns(ill=pl.Series(rng.choice(["flu", "gout", "ache"], n).tolist()))
    about: dict[str, Any] = {
        "k": k,
        "quasi_identifiers": [f"c{j}" for j in range(q)],
        "sensitive": ["ill"],
        "measure": MEASURES[seed % len(MEASURES)],
        "missing": str(rng.choice(["value", "suppress"])),
        "hierarchies": {f"c{j}": levels(hierarchy(rng, values)) for j in range(q)},
    }
    if rng.random() < 0.3:
        about["weights"] = {f"c{j}": float(rng.choice([0.5, 1.0, 3.0])) for j in range(q)}
    if rng.random() < 0.25:
        about |= CRITERIA[int(rng.integers(len(CRITERIA)))]
    return Asked(frame, about)


def asked_freely(seed: int) -> Asked:
    """A table with columns that show any interval or any subset, and often a column that says whose a row is."""
    rng = np.random.default_rng(seed)
    k, q, values = int(rng.integers(2, 4)), int(rng.integers(1, 3)), int(rng.integers(2, 5))
    n = int(rng.integers(k + 1, 7))
    kinds: list[Any] = [shoal.any_interval(), shoal.any_subset(), levels(hierarchy(rng, values))]
    about: dict[str, Any] = {
        "k": k,
        "quasi_identifiers": [f"c{j}" for j in range(q)],
        "sensitive": ["ill"],
        "measure": MEASURES[seed % len(MEASURES)],
        "hierarchies": {f"c{j}": kinds[(seed + j) % 3] for j in range(q)},
    }
    frame = pl.DataFrame({f"c{j}": rng.integers(0, values, n).astype(str).tolist() for j in range(q)})
    frame = frame.with_columns(ill=pl.Series(rng.choice(["flu", "gout", "ache"], n).tolist()))
    if seed % 2:
        others = rng.integers(0, n, n - k).tolist()
        frame = frame.with_columns(who=pl.Series([str(x) for x in [*range(k), *others]]))
        about["person"] = "who"
    if rng.random() < 0.25:
        about |= CRITERIA[int(rng.integers(len(CRITERIA)))]
    return Asked(frame, about)


def least_of(release: shoal.Release) -> float:
    """The least that any release of the same problem loses."""
    problem = release.problem.by_rows()
    return least_paid(problem) if problem.is_laminar else free_optimum(problem)


def restricted(rng: np.random.Generator) -> Asked:
    """A table of two values a column, one of which two rows have: what one of the algorithms is about."""
    n, q = int(rng.integers(4, 9)), int(rng.integers(1, 5))
    columns: dict[str, Any] = {}
    for j in range(q):
        cells = np.ones(n, dtype=np.int64)
        cells[rng.choice(n, 2, replace=False)] = 0
        columns[f"c{j}"] = cells.astype(str).tolist()
    asked = {"k": 2, "quasi_identifiers": list(columns), "measure": "stars", "hierarchies": {name: shoal.suppression() for name in columns}}
    return Asked(pl.DataFrame(columns), asked)


def hierarchy(rng: np.random.Generator, values: int) -> list[list[str]]:
    """Up to two levels between the values and everything."""
    rows, block = [[str(v)] for v in range(values)], np.arange(values)
    for level in range(int(rng.integers(0, 3))):
        block = rng.integers(0, max(int(block.max()), 1), size=int(block.max()) + 1)[block]
        for v in range(values):
            rows[v].append(f"{level}:{block[v]}")
    return [[*row, "*"] for row in rows]


def leavings(seed: int) -> dict[str, dict[str, Any]]:
    return {"all stay": {}, "deletion": {"deletion": True}, "budget": {"withhold": (0.15, 0.3, 0.5, 1.0)[seed % 4]}}


def faults(
    seed: int, names: list[str] = ALGORITHMS, tally: Counter[str] | None = None, table: Callable[[int], Asked] = asked_by
) -> list[str]:
    """What is wrong with what is published of the table of a seed, by every algorithm and for every way of leaving rows out."""
    asked, found, count = table(seed), [], Counter() if tally is None else tally
    plain: dict[str, float] = {}
    for way, more in leavings(seed).items():
        least: float | None = None
        for name in names:
            try:
                release = shoal.anonymize(asked.frame, algorithm=name, **asked.about, **more)
            except shoal.Refused:
                continue
            except shoal.Infeasible as error:
                if "whole table" not in str(error) and "Even " not in str(error):
                    found.append(f"seed {seed}, {name}, {way}: {error}")
                continue
            least = least_of(release) if least is None else least
            count[way] += 1
            found += [f"seed {seed}, {name}, {way}: {wrong}" for wrong in faults_of(release, least)]
            if way == "all stay":
                plain[name] = release.loss
            elif way == "deletion" and release.loss > plain.get(name, np.inf) + SLACK:
                found.append(f"seed {seed}, {name}: loses {release.loss:.6g} with deletion and {plain[name]:.6g} without")
    return found


def faults_of(release: shoal.Release, least: float) -> list[str]:
    """What is wrong with the figures of a release, given the least that any release loses."""
    slack, wrong = SLACK * max(least, 1.0), []
    for what, facts in (("record", release.record), ("manifest", release.manifest)):
        loss, bound, ratio, factor = (facts[key] for key in ("loss", "lower_bound", "ratio", "guarantee"))
        if loss is not None and loss < least - slack:
            wrong.append(f"{what}: loss {loss:.9g} below the optimum {least:.9g}")
        if bound is not None and bound > least + slack:
            wrong.append(f"{what}: bound {bound:.9g} above the optimum {least:.9g}")
        if ratio is not None and ratio * least < release.loss - slack:
            wrong.append(f"{what}: ratio {ratio:.9g} where the loss is {release.loss:.9g} and the optimum {least:.9g}")
        if factor is not None and release.loss > factor * least + slack:
            wrong.append(f"{what}: factor {factor:.9g} where the loss is {release.loss:.9g} and the optimum {least:.9g}")
    if "ptimal" in release.record["guarantee_note"] and release.record["guarantee"] == 1.0 and release.loss > least + slack:
        wrong.append("called optimal")
    return wrong
