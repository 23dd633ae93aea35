from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal import privacy, registry
from shoal.demands import are_met, roots, satisfy
from shoal.errors import Infeasible
from shoal.privacy.base import Demand
from shoal.problem import Problem, Watch, close
from shoal.search.constructions import runs
from tests.tables import random_problem


def with_demand(seed: int, name: str, what: dict[str, float], values: int = 4) -> Problem:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, 150, 3, 4, 6, "entropy", deep=True)
    value = rng.integers(0, values, 150).astype(np.int32)
    return replace(problem, demands=(Demand(registry.find(privacy.CATALOG, name), "disease", what),), sensitive=(value,))


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("distinct-l-diversity", {"l": 3.0}),
        ("entropy-l-diversity", {"l": 2.5}),
        ("recursive-l-diversity", {"c": 1.5, "l": 2.0}),
        ("t-closeness", {"t": 0.2}),
        ("t-closeness", {"t": 0.1, "ordered": 1.0}),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_merges_until_all_is_met(name: str, what: dict[str, float], seed: int) -> None:
    problem = with_demand(seed, name, what)
    group = runs(problem)
    assert not are_met(problem, group).all()
    out = satisfy(problem, group, Watch())
    assert are_met(problem, out).all()
    assert all(len(np.unique(out[group == g])) == 1 for g in np.unique(group))
    whole = close(problem, np.zeros(150, dtype=np.int32)).loss
    assert close(problem, out).loss <= whole


def test_leaves_what_is_fine_alone() -> None:
    problem = with_demand(0, "distinct-l-diversity", {"l": 1.0})
    group = runs(problem)
    assert (satisfy(problem, group, Watch()) == group).all()


def test_groups_below_k_are_merged_too() -> None:
    problem = replace(with_demand(0, "distinct-l-diversity", {"l": 2.0}))
    out = satisfy(problem, np.arange(150, dtype=np.int32), Watch())
    assert np.bincount(out).min() >= 4


def test_withheld_rows_stay_out() -> None:
    problem = with_demand(1, "distinct-l-diversity", {"l": 2.0})
    group = runs(problem)
    group[group == 0] = -1
    out = satisfy(problem, group, Watch())
    assert ((out < 0) == (group < 0)).all()


def test_says_what_no_release_can_reach() -> None:
    problem = with_demand(0, "distinct-l-diversity", {"l": 9.0})
    with pytest.raises(Infeasible, match=r"150 rows.*reaches only 4 of distinct-l-diversity \(l=9\) of 'disease'.*4 different values"):
        satisfy(problem, runs(problem), Watch())


def test_chains_of_joins_become_one_group() -> None:
    assert roots(np.array([1, 2, 2, 4, 3, 5])).tolist() == [0, 0, 0, 3, 3, 5]
