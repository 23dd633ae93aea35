"""The search checks every criterion that declares how, and leaves no group that breaks it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal import demands, privacy, registry
from shoal.privacy.asking import criteria
from shoal.privacy.base import Demand
from shoal.problem import Problem, Watch
from shoal.search.annealing import Annealing
from shoal.search.constructions import top_down
from shoal.search.promises import can_search, promise_of
from tests.tables import random_problem

ASKED = {
    "distinct-l-diversity": {"l": 3.0},
    "entropy-l-diversity": {"l": 2.2},
    "recursive-l-diversity": {"c": 2.0, "l": 2.0},
    "t-closeness": {"t": 0.3},
    "alpha-k-anonymity": {"alpha": 0.5},
    "basic-beta-likeness": {"beta": 1.0},
    "enhanced-beta-likeness": {"beta": 1.0},
    "delta-disclosure-privacy": {"delta": 1.5},
}
WITH_MISSING = {
    "alpha-k-anonymity": {"alpha": 0.75},
    "entropy-l-diversity": {"l": 1.5},
    "recursive-l-diversity": {"c": 4.0, "l": 2.0},
}
"""Less, where every missing cell counts as the commonest value."""


def demanding(name: str, seed: int, missing: int | None = None) -> Problem:
    """A table whose sensitive column depends on the first quasi-identifier, so that groups of neighbours break
    promises.
    """
    rng = np.random.default_rng([seed, 77])
    problem = random_problem(rng, 240, 3, 4, values=6, measure="lm", deep=True)
    value = (
        problem.codes[problem.tuple_of_unit, 0]
        + (rng.random(problem.n_rows) < 0.4) * rng.integers(0, 4, problem.n_rows)
    ) % 4
    asked = WITH_MISSING.get(name, ASKED[name]) if missing is not None else ASKED[name]
    demand = Demand(registry.find(privacy.CATALOG, name), "illness", asked, missing)
    return replace(problem, demands=(demand,), sensitive=(value.astype(np.int32),))


def test_every_criterion_of_the_catalog_is_searched_here() -> None:
    assert {c.name for c in criteria() if c.primitive is not None} == set(ASKED)


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("missing", [None, 3])
def test_groups_that_were_searched_keep_the_promise(name: str, seed: int, missing: int | None) -> None:
    """Also where a quarter of the sensitive cells are missing, whatever that means to the criterion."""
    problem = demanding(name, seed, missing)
    assert can_search(problem)
    merged = demands.satisfy(problem, top_down(problem), Watch())
    search = Annealing(problem, merged, np.zeros(problem.n_tuples))
    for hot in (0.5, 0.1, 0.0):
        search.round(400_000, hot, 0.3 * hot)
        assert demands.are_met(problem, demands.numbered(search.group)).all()


@pytest.mark.parametrize(
    "name", ["alpha-k-anonymity", "basic-beta-likeness", "enhanced-beta-likeness", "delta-disclosure-privacy"]
)
def test_searching_loses_less_than_merging(name: str) -> None:
    """These were met by merging alone, which never takes a group apart."""
    problem = demanding(name, 1)
    search = Annealing(problem, demands.satisfy(problem, top_down(problem), Watch()), np.zeros(problem.n_tuples))
    before = search.round(1, 0.0, 0.0)
    assert search.round(2_000_000, 0.0, 0.0) < 0.95 * before


@pytest.mark.parametrize(
    ("name", "cap"), [("alpha-k-anonymity", [0.5, 0.5, 0.5]), ("basic-beta-likeness", [1.0, 0.6, 0.4])]
)
def test_caps_are_the_greatest_shares_that_the_definition_allows(name: str, cap: list[float]) -> None:
    value = np.array([0] * 5 + [1] * 3 + [2] * 2, dtype=np.int32)
    assert promise_of(
        Demand(registry.find(privacy.CATALOG, name), "s", ASKED[name]), value, np.ones(10, dtype=np.int32)
    ).share.tolist() == pytest.approx(cap)
