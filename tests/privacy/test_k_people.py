"""k-anonymity of people: rows of one person count once, and a row of nobody counts for nobody."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.demands import are_met, satisfy
from shoal.encode import encode
from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy
from shoal.privacy.base import histogram
from shoal.privacy.meaning import people_of
from shoal.problem import Watch, close
from shoal.search import Annealing, top_down
from shoal.search.promises import can_search
from shoal.table import Table

rows = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["a", "b", "c", "d", None])), min_size=1, max_size=12)


def met(pairs, k):
    """Whether each group keeps the promise, as shoal counts it."""
    names = sorted({who for _, who in pairs if who is not None})
    scale = people_of(names)
    places = np.array([-1 if who is None else names.index(who) for _, who in pairs])
    group = np.array([g for g, _ in pairs], dtype=np.int32)
    return scale.demand_of_people("who", k).is_met(histogram(group, scale.codes(places), 4))


@given(rows, st.integers(2, 4))
def test_people_are_counted_once(pairs, k):
    found = met(pairs, k)
    for g in {g for g, _ in pairs}:
        assert found[g] == (len({who for at, who in pairs if at == g and who is not None}) >= k)


@given(rows, rows, st.integers(2, 4))
def test_groups_that_keep_it_keep_it_together(one, two, k):
    a, b = ([(0, who) for _, who in group] for group in (one, two))
    if met(a, k)[0] or met(b, k)[0]:
        assert met(a + b, k)[0]


def test_it_is_asked_by_its_own_setting():
    table = pl.DataFrame({"a": ["1"] * 4, "s": ["x"] * 4})
    with pytest.raises(shoal.PolicyError, match="its own setting"):
        shoal.anonymize(table, k=2, quasi_identifiers=["a"], sensitive=["s"], require={"k-people": 2})


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_the_search_keeps_it_also_with_rows_of_nobody(seed):
    """The search checks groups while it takes them apart; a missing person must not count there either."""
    rng = np.random.default_rng(seed)
    who = [None if rng.random() < 0.3 else f"p{rng.integers(0, 12)}" for _ in range(80)]
    frame = pl.DataFrame(
        {"who": who, "age": [str(x) for x in rng.integers(0, 30, 80)], "sex": rng.choice(["f", "m"], 80)}
    )
    policy = Policy(k=3, person="who", columns={n: ColumnPolicy(role="quasi-identifier") for n in ("age", "sex")})
    problem = encode(Table(frame), policy).problem
    assert can_search(problem)
    start = satisfy(problem, top_down(problem), Watch())
    search = Annealing(problem, start, np.zeros(problem.n_tuples))
    before = close(problem, start).loss
    search.round(2_000_000, 0.0, 0.0)
    assert are_met(problem, search.group).all()
    assert close(problem, search.group).loss <= before + 1e-9
