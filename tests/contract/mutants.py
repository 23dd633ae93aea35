"""Errors in what the search uses for criteria: one wrong function at a time, and small tables on which that matters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from shoal import demands, encode, privacy, registry
from shoal.privacy import base
from shoal.privacy.base import Criterion, Demand, Histogram
from shoal.privacy.meaning import Scale
from shoal.search import annealing

Floats = np.ndarray
Patch = pytest.MonkeyPatch


@dataclass(frozen=True)
class Mutant:
    """A wrong function of the search."""

    name: str
    apply: Callable[[Patch, str], None]
    """Puts it in the place of the right one, for a criterion."""
    algorithm: str = "forest"


def wrong(patch: Patch, name: str, **functions: Any) -> None:
    """A criterion with other functions, in the place of the right one.

    The registry keeps what it has loaded: it has to load each time, else the search would be given the right one.
    """
    module, attribute = privacy.CATALOG[name].split(":")
    patch.setattr(f"{module}.{attribute}", replace(registry.find(privacy.CATALOG, name), **functions))
    patch.setattr(registry, "_entry", registry.load)


REACHED: dict[str, Callable[[Floats], Floats]] = {
    "scaled by .3": lambda x: x * 0.3,
    "scaled by .5": lambda x: x * 0.5,
    "scaled by .8": lambda x: x * 0.8,
    "scaled by 1.5": lambda x: x * 1.5,
    "scaled by 2": lambda x: x * 2,
    "scaled by 3": lambda x: x * 3,
    "one less": lambda x: x - 1,
    "one more": lambda x: x + 1,
    "nothing": lambda x: x * 0 if np.isfinite(x).all() else np.zeros(len(x)),
    "very much": lambda x: np.full(len(x), 1e9),
    "rounded down": np.floor,
    "rounded up": np.ceil,
    "of the group before": lambda x: np.roll(x, 1),
    "of the groups in the wrong order": lambda x: x[::-1].copy(),
    "of the best group": lambda x: np.full(len(x), x.max(initial=0)),
    "of the worst group": lambda x: np.full(len(x), x.min(initial=0)),
    "on average": lambda x: np.full(len(x), x[np.isfinite(x)].mean() if np.isfinite(x).any() else 0.0),
}


def reaching(change: Callable[[Floats], Floats]) -> Callable[[Patch, str], None]:
    def apply(patch: Patch, name: str) -> None:
        right = registry.find(privacy.CATALOG, name).reached
        wrong(patch, name, reached=lambda counts, asked: change(right(counts, asked)))

    return apply


Met = Callable[[Criterion, Floats, Mapping[str, float]], Floats]


def scaled(criterion: Criterion, asked: Mapping[str, float], by: float, more: float = 0.0) -> dict[str, float]:
    return {**asked, criterion.parameters[0].name: asked[criterion.parameters[0].name] * by + more}


MET: dict[str, Met] = {
    "always": lambda c, x, asked: np.ones(len(x), dtype=bool),
    "turned round": lambda c, x, asked: ~c.is_met(x, asked),
    "by any group": lambda c, x, asked: np.full(len(x), c.is_met(x, asked).any()),
    "by most groups": lambda c, x, asked: np.full(len(x), c.is_met(x, asked).mean() > 0.5),
    "by the group before": lambda c, x, asked: np.roll(c.is_met(x, asked), 1),
    "by twice the parameter": lambda c, x, asked: c.is_met(x, scaled(c, asked, 2)),
    "by half the parameter": lambda c, x, asked: c.is_met(x, scaled(c, asked, 0.5)),
    "by one more": lambda c, x, asked: c.is_met(x, scaled(c, asked, 1, 1)),
    "by one less": lambda c, x, asked: c.is_met(x, scaled(c, asked, 1, -1)),
    "with a tolerance of .3": lambda c, x, asked: c.is_met(x - 0.3, asked) | c.is_met(x + 0.3, asked),
}


def meeting(change: Met) -> Callable[[Patch, str], None]:
    def apply(patch: Patch, name: str) -> None:
        right = registry.find(privacy.CATALOG, name)
        wrong(patch, name, is_met=lambda reached, asked: change(right, reached, asked))

    return apply


def without_missing(counts: Histogram) -> Histogram:
    """Missing cells ignored: as if these rows were not there."""
    there = counts.value != counts.missing
    whole = counts.whole.copy()
    if counts.missing is not None and counts.missing < len(whole):
        whole[counts.missing] = 0
    return replace(counts, group=counts.group[there], value=counts.value[there], count=counts.count[there], whole=whole)


def shuffled(counts: Histogram) -> Histogram:
    """Values in the wrong order, the greatest and least in the middle."""
    turn = np.random.default_rng(1).permutation(len(counts.whole))
    order = np.lexsort((turn[counts.value], counts.group))
    whole = np.zeros_like(counts.whole)
    whole[turn] = counts.whole
    return replace(counts, group=counts.group[order], value=turn[counts.value][order], count=counts.count[order], whole=whole)


def last_group(counts: Histogram) -> Histogram:
    """The whole table taken to be the last group."""
    last = counts.group == counts.n_groups - 1
    return replace(counts, whole=np.maximum(np.bincount(counts.value[last], counts.count[last], len(counts.whole)).astype(np.int64), 1))


COUNTS: dict[str, Callable[[Histogram], Histogram]] = {
    "missing cells are ignored": without_missing,
    "a missing cell is a value": lambda counts: replace(counts, missing=None),
    "the first value is taken for a missing cell": lambda counts: replace(counts, missing=0),
    "values are in the wrong order": shuffled,
    "the whole table is uniform": lambda counts: replace(counts, whole=np.ones_like(counts.whole)),
    "the whole table is one group": last_group,
    "the whole table is counted twice": lambda counts: replace(counts, whole=counts.whole * 2),
    "the whole table is turned round": lambda counts: replace(counts, whole=np.maximum(counts.whole[::-1], 1)),
    "each value is counted once": lambda counts: replace(counts, count=np.ones_like(counts.count)),
    "each value is counted once more": lambda counts: replace(counts, count=counts.count + 1),
    "groups are those before": lambda counts: moved(counts, 1),
    "all rows are in each group": lambda counts: all_in_each(counts),
}


def moved(counts: Histogram, by: int) -> Histogram:
    group = (counts.group + by) % max(counts.n_groups, 1)
    order = np.lexsort((counts.value, group))
    return replace(counts, group=group[order], value=counts.value[order], count=counts.count[order])


def all_in_each(counts: Histogram) -> Histogram:
    value = np.flatnonzero(counts.whole)
    group = np.repeat(np.arange(counts.n_groups), len(value))
    return replace(counts, group=group, value=np.tile(value, counts.n_groups), count=np.tile(counts.whole[value], counts.n_groups))


def counting(change: Callable[[Histogram], Histogram]) -> Callable[[Patch, str], None]:
    def apply(patch: Patch, name: str) -> None:
        right = registry.find(privacy.CATALOG, name).reached
        wrong(patch, name, reached=lambda counts, asked: right(change(counts), asked))

    return apply


def of_histogram(method: str, change: Callable[[Any, Histogram], Any]) -> Callable[[Patch, str], None]:
    def apply(patch: Patch, name: str) -> None:
        right = getattr(Histogram, method)
        patch.setattr(Histogram, method, lambda counts, *given: change(right(counts, *given), counts))

    return apply


METHODS: dict[str, Callable[[Patch, str], None]] = {
    "lift: always 1": of_histogram("lift", lambda found, counts: np.ones_like(found)),
    "lift: its root": of_histogram("lift", lambda found, counts: np.sqrt(found)),
    "lift: over 1": of_histogram("lift", lambda found, counts: 1 / found),
    "most_likely: leaves missing cells": of_histogram("most_likely", lambda found, counts: counts),
    "most_likely: leaves them out": of_histogram("most_likely", lambda found, counts: without_missing(counts)),
    "n_different: one more": of_histogram("n_different", lambda found, counts: found + 1),
    "n_different: missing cells too": of_histogram(
        "n_different", lambda found, counts: np.bincount(counts.group, minlength=counts.n_groups)
    ),
    "n_different: of all groups": of_histogram("n_different", lambda found, counts: np.full(len(found), len(set(counts.value.tolist())))),
    "n_different: rows": of_histogram("n_different", lambda found, counts: counts.sizes()),
    "sizes: twice": of_histogram("sizes", lambda found, counts: found * 2),
    "per_group: half": of_histogram("per_group", lambda found, counts: found / 2),
}


def reading(change: Callable[[Scale, list[str]], Scale]) -> Callable[[Patch, str], None]:
    """Another meaning of the column's texts, or of the people's."""

    def apply(patch: Patch, name: str) -> None:
        for function in ("scale_of", "people_of"):
            right = getattr(encode, function)
            patch.setattr(encode, function, lambda texts, right=right: change(right(texts), list(texts)))

    return apply


def each_text(scale: Scale, texts: list[str]) -> Scale:
    return Scale(np.arange(len(texts), dtype=np.int32), scale.is_ordered, len(texts))


MEANING: dict[str, Callable[[Scale, list[str]], Scale]] = {
    "each text is a value": each_text,
    "all texts are one value": lambda scale, texts: Scale(scale.rank * 0, scale.is_ordered, 1),
    "ordered where it is not": lambda scale, texts: Scale(scale.rank, True, scale.missing),
    "not ordered where it is": lambda scale, texts: Scale(scale.rank, False, scale.missing),
    "in the order of the alphabet": lambda scale, texts: Scale(
        np.argsort(np.argsort(texts)).astype(np.int32), scale.is_ordered, len(texts)
    ),
    "a missing cell is the last value": lambda scale, texts: replace(scale, missing=scale.missing - 1),
    "a missing cell is not said to be one": lambda scale, texts: Unsaid(scale.rank, scale.is_ordered, scale.missing),
}


class Unsaid(Scale):
    """A scale that does not say which number stands for a missing cell."""

    def demand(self, criterion: str, column: str, parameters: Mapping[str, float]) -> Demand:
        return replace(super().demand(criterion, column, parameters), missing=None)


def demanding(change: Callable[[Criterion, dict[str, float]], dict[str, float]]) -> Callable[[Patch, str], None]:
    """Less is asked of the search than the policy asks."""

    def apply(patch: Patch, name: str) -> None:
        right = Scale.demand

        def demand(scale: Scale, criterion: str, column: str, parameters: Mapping[str, float]) -> Demand:
            found = right(scale, criterion, column, parameters)
            return replace(found, parameters=change(found.criterion, dict(found.parameters)))

        patch.setattr(Scale, "demand", demand)

    return apply


SEARCH: dict[str, Callable[[Patch, str], None]] = {
    "are_met: all": lambda patch, name: patch.setattr(demands, "are_met", lambda problem, group: np.ones(int(group.max()) + 1, dtype=bool)),
    "satisfy: nothing": lambda patch, name: patch.setattr("shoal.algorithms.forest.satisfy", lambda problem, group, watch: group),
    "are_met: all, but for the first time": lambda patch, name: patch.setattr(demands, "are_met", once(demands.are_met)),
    "demands: none": lambda patch, name: patch.setattr(encode, "_demands", lambda folded, policy: ((), ())),
    "demands: half": demanding(lambda criterion, asked: scaled(criterion, asked, 0.5)),
    "demands: twice": demanding(lambda criterion, asked: scaled(criterion, asked, 2)),
    "demands: one more": demanding(lambda criterion, asked: scaled(criterion, asked, 1, 1)),
    "demands: one less": demanding(lambda criterion, asked: scaled(criterion, asked, 1, -1)),
}


def once(right: Callable[..., Floats]) -> Callable[..., Floats]:
    """Right when it is asked for the first time, and content ever after."""
    asked = []

    def are_met(problem: Any, group: Any) -> Floats:
        asked.append(group)
        return right(problem, group) if len(asked) == 1 else np.ones(int(group.max()) + 1, dtype=bool)

    return are_met


def growing(change: Callable[[base.Primitive], base.Primitive]) -> Callable[[Patch, str], None]:
    """What the search checks of a group while it grows."""

    def apply(patch: Patch, name: str) -> None:
        right = registry.find(privacy.CATALOG, name).primitive
        if right is not None:
            wrong(patch, name, primitive=lambda asked, share: change(right(asked, share)))

    return apply


def wider(known: base.Primitive, by: float) -> base.Primitive:
    cap = None if known.cap is None else np.minimum(known.cap * by, 1.0)
    return replace(known, l=max(known.l / by, 1), t=known.t * by, c=known.c / by if known.form == "capped" else known.c * by, cap=cap)


GROWING: dict[str, Callable[[base.Primitive], base.Primitive]] = {
    "twice as wide": lambda known: wider(known, 2),
    "nine times as wide": lambda known: wider(known, 9),
    "a missing cell the other way": lambda known: replace(known, takes_missing=not known.takes_missing),
}

MUTANTS = [
    *(Mutant(f"reached: {name}", reaching(change)) for name, change in REACHED.items()),
    *(Mutant(f"is_met: {name}", meeting(change)) for name, change in MET.items()),
    *(Mutant(f"counts: {name}", counting(change)) for name, change in COUNTS.items()),
    *(Mutant(name, apply) for name, apply in METHODS.items()),
    *(Mutant(f"meaning: {name}", reading(change)) for name, change in MEANING.items()),
    *(Mutant(name, apply) for name, apply in SEARCH.items()),
    *(Mutant(f"search: {name}", growing(change), "auto") for name, change in GROWING.items()),
    Mutant("search: no promises", lambda patch, name: patch.setattr(annealing, "promises_of", lambda problem: []), "auto"),
]
