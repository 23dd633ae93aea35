"""The reconstruction of hidden values from what is published.

He has:   the release, the manifest, the report in its three forms, the policy with its hierarchies, this program; and, more than anybody has,
          the values of all rows but those of one group (or of the withheld rows).
He wants: the values behind that group's generalized cells.
He does:  he takes every assignment of values to those cells, runs the program on it, and drops the assignment if any published byte differs.
He gets:  as many assignments as fit the release alone, and so nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import numpy as np
import polars as pl

import shoal
from shoal.measures import CATALOG
from tests.attacks.published import FORMS, files, guess, same_table

JOBS = [["nurse", "care", "*"], ["medic", "care", "*"], ["cook", "food", "*"], ["baker", "food", "*"], ["clerk", "desk", "*"]]
MOST = 250
"""Assignments of one group that are tried."""
IN_ALL_FORMS = 3
"""So many of a group are looked at in every form of the report; the others in the form that all others are written from."""


@dataclass(frozen=True)
class Target:
    """A release, and the rows of one of its groups (or those that were withheld)."""

    original: pl.DataFrame
    group: np.ndarray
    """The group of each row; −1 for a row that is withheld."""
    asked: dict[str, Any]
    rows: tuple[int, ...]
    hidden: tuple[str, ...]
    """The columns whose cells of these rows do not show their value."""
    domain: dict[str, list[str]]
    """What such a cell may stand for."""


def targets(seed: int) -> Iterator[Target]:
    """Small groups of small tables, without end: every measure, listed and made hierarchies, free columns, demands, withheld rows."""
    rng = np.random.default_rng(seed)
    while True:
        found = draw(rng)
        if found is not None:
            yield found


def draw(rng: np.random.Generator) -> Target | None:
    """One table and one group of it, if something of that group is hidden."""
    k = int(rng.integers(2, 5))
    n_groups = int(rng.integers(1, 4))
    sizes = [int(rng.integers(k, k + 2)) for _ in range(n_groups)]
    exact = int(rng.choice([0, 0, 6]))  # groups of one value each: they show their values, as nearly all groups of a large table may
    withheld = int(rng.choice([0, 0, 1, 2]))
    group = np.repeat(np.arange(n_groups), sizes)
    group = np.concatenate([group, np.repeat(np.arange(n_groups, n_groups + exact), k), np.full(withheld, -1)])
    ages = [str(a) for a in rng.choice(np.arange(20, 40), int(rng.integers(2, 4)), replace=False)]
    jobs = [row[0] for row in JOBS]
    rows = []
    for g in group:
        if g >= n_groups:
            r = np.random.default_rng(int(g) + 17)
            rows.append((str(r.integers(20, 60)), str(r.choice(jobs)), str(r.choice(["flu", "cold"]))))
        else:
            rows.append((str(rng.choice(ages)), str(rng.choice(jobs)), str(rng.choice(["flu", "cold", "gout"]))))
    frame = pl.DataFrame(rows, schema=["age", "job", "ill"], orient="row")
    age = [None, shoal.intervals(5, 10, 20), shoal.any_interval(), shoal.suppression()][int(rng.integers(4))]
    hierarchies = {"job": JOBS, **({"age": age} if age is not None else {})}
    asked: dict[str, Any] = {
        "k": k,
        "quasi_identifiers": ["age", "job"],
        "sensitive": ["ill"],
        "hierarchies": hierarchies,
        "measure": str(rng.choice(sorted(CATALOG))),
        "withhold": 0.5 if withheld else 0.0,
    }
    if rng.random() < 0.3:
        asked["t_closeness"] = 1.0
    if rng.random() < 0.3:
        asked["weights"] = {"age": 2.0}
    if rng.random() < 0.5 and all(frame["ill"].filter(group == g).n_unique() > 1 for g in range(n_groups + exact)):
        asked["l_diversity"] = 2  # a bound that counts different values depends on who has which
    chosen = -1 if withheld and rng.random() < 0.5 else int(rng.integers(n_groups))
    return aim(frame, group, asked, chosen, {"age": ages, "job": jobs})


def aim(frame: pl.DataFrame, group: np.ndarray, asked: dict[str, Any], chosen: int, domain: dict[str, list[str]]) -> Target | None:
    """The cells of a group that the release hides; None where it hides nothing."""
    rows = tuple(int(i) for i in np.flatnonzero(group == chosen))
    if chosen < 0:
        return Target(frame, group, asked, rows, tuple(domain), domain)
    hidden = tuple(name for name in domain if frame[name][list(rows)].n_unique() > 1)
    return Target(frame, group, asked, rows, hidden, domain) if hidden else None


def attack(target: Target, most: int = MOST) -> tuple[int, int]:
    """How many assignments of the hidden cells fit the release alone, and how many fit everything that is published."""
    truth = guess(target.original, target.group, target.asked)
    published = files(truth)
    alone = both = 0
    for frame in assignments(target, most):
        tried = _try(frame, target)
        if tried is None or not same_table(tried, truth):
            continue
        alone += 1
        told = files(tried, FORMS if alone <= IN_ALL_FORMS else ("json",))
        both += all(published[name] == text for name, text in told.items())
    return alone, both


def _try(frame: pl.DataFrame, target: Target) -> shoal.Release | None:
    try:
        return guess(frame, target.group, target.asked)
    except shoal.ShoalError:
        return None


def assignments(target: Target, most: int) -> Iterator[pl.DataFrame]:
    """Tables that differ from the original in the hidden cells alone, the original among them; every one of them, or as many as asked for."""
    yield target.original
    cells = [(row, name) for row in target.rows for name in target.hidden]
    ways = product(*(target.domain[name] for _, name in cells))
    rng = np.random.default_rng(0)
    if np.prod([float(len(target.domain[name])) for _, name in cells]) > most:
        ways = (tuple(str(rng.choice(target.domain[name])) for _, name in cells) for _ in iter(int, 1))
    columns = {name: target.original[name].to_list() for name in target.original.columns}
    for way in islice(ways, most):
        made = {name: list(values) for name, values in columns.items()}
        for (row, name), value in zip(cells, way, strict=True):
            made[name][row] = value
        yield pl.DataFrame(made)


def run(n_groups: int, seed: int = 0, most: int = MOST) -> tuple[int, int]:
    """The attack on so many groups: assignments that fit the releases alone, and that fit everything published."""
    alone = both = 0
    for target in islice(targets(seed), n_groups):
        fits = attack(target, most)
        alone, both = alone + fits[0], both + fits[1]
    return alone, both
