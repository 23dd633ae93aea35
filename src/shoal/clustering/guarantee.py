"""What is proved of a clustering, from what was asked: the one place that records, manifests, lists and documents read.

A factor holds for every table; docs/guarantees.md has the proofs. None: no factor is proved, and ``text`` says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from shoal.clustering.base import Centres, Task

Setup = Literal["none", "equal", "different"]


MERGED = (
    "none: clusters are merged until they keep what is asked of their sensitive values, and no factor is proved for "
    "that"
)


@dataclass(frozen=True)
class Kind:
    """All of a task that a factor depends on."""

    method: str
    has_outliers: bool = False
    """Whether a row may be left out: ⌊εn⌋ is at least 1."""
    centres: Centres = "input"
    has_least_size: bool = True
    """Whether r is above 1."""
    setup: Setup = "none"
    sharing: bool = False
    """Whether a row may be counted by several clusters."""
    is_merged: bool = False
    """Whether clusters may be merged until they keep what is asked of their sensitive values."""


@dataclass(frozen=True)
class Guarantee:
    """A factor on the optimum; None if none is proved."""

    factor: float | None
    text: str


def kind_of(method: str, task: Task) -> Kind:
    """What a task asks."""
    setup: Setup = "none"
    if task.setup is not None:
        setup = "equal" if task.setup.min() == task.setup.max() else "different"
    in_balls = len(task.watched) == 1 and task.diverse is not None and method != "cellular"
    return Kind(
        method,
        task.max_outliers > 0,
        task.centres,
        task.r > 1,
        setup,
        task.sharing,
        bool(task.watched) and not in_balls,
    )


def guarantee(kind: Kind) -> Guarantee:
    """What is proved for every table of this kind.

    A single number of different values is asked of the balls of gather and center, and costs no factor.
    """
    if kind.is_merged:
        return Guarantee(None, MERGED)
    factor = _of_cells(kind) if kind.method == "cellular" else _of_radius(kind)
    if factor is None:
        return Guarantee(None, "none: a centre that is not a row has no set-up cost of its own")
    least = "total cost" if kind.method == "cellular" else "radius"
    return Guarantee(factor, f"{least} at most {factor:g} times the optimum")


def _of_radius(kind: Kind) -> float:
    """gather and center: a threshold on the largest diameter."""
    if not kind.has_outliers:
        return 2.0
    return 3.0 if kind.method == "gather" and kind.centres == "input" else 4.0


def _of_cells(kind: Kind) -> float | None:
    """cellular: 3 times the dual value; the last cluster of a run with outliers lost at most 3 times its price.

    A least size doubles the dual value at most, and making shared clusters disjoint costs a factor of 6; of 10 where
    set-up costs differ, since a cluster is then around one of the centres that were paid for. A cell around any point
    is, around a row of its own, at most twice as wide.
    """
    if kind.setup == "different" and kind.centres == "any":
        return None
    lost = 3.0 if kind.has_outliers else 0.0
    undoing = 1.0 if kind.sharing else 10.0 if kind.setup == "different" else 6.0
    factor = undoing * (6.0 + lost) if kind.has_least_size else 3.0 + lost
    return 2.0 * factor if kind.centres == "any" else factor


def kinds(method: str, centres: Centres) -> Iterator[tuple[str, Kind]]:
    """The kinds of a method whose factors need not be the same, each with the words for what is special about it."""
    plain = Kind(method, centres=centres)
    yield "", plain
    if method == "cellular":
        yield "with r = 1", replace(plain, has_least_size=False)
    yield "with outliers", replace(plain, has_outliers=True)
    if method == "cellular":
        yield "with outliers and r = 1", replace(plain, has_outliers=True, has_least_size=False)
        yield "with set-up costs that differ", replace(plain, setup="different")
        yield "with set-up costs that differ and outliers", replace(plain, setup="different", has_outliers=True)
        yield "with shared rows", replace(plain, sharing=True)
        yield "with shared rows and outliers", replace(plain, sharing=True, has_outliers=True)


def listed(method: str) -> str:
    """The factors of a method in one line, for lists of methods."""
    lines = []
    for (words, kind), (_, anywhere) in zip(kinds(method, "input"), kinds(method, "any"), strict=True):
        rows, free = guarantee(kind).factor, guarantee(anywhere).factor
        lines.append(
            f"{rows:g} {words}".strip()
            + (f", or {free:g} where a centre need not be a row" if free not in (rows, None) else "")
        )
    return "; ".join(lines)
