"""The walk over closed boxes against every vector of nodes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import kernels
from shoal.bounds.dual import own_parts
from shoal.kernels.boxes import TooMuchWork
from tests.naive import boxes as naive
from tests.tables import random_problem

TABLES = {
    "seed": st.integers(0, 10**9),
    "n": st.integers(2, 30),
    "q": st.integers(1, 4),
    "k": st.integers(2, 5),
    "measure": st.sampled_from(["stars", "tree", "entropy", "non-uniform-entropy"]),
    "threads": st.integers(1, 2),
}


@settings(deadline=None)
@given(**TABLES)
def test_the_cheapest_box_of_each_row_is_that_of_all_boxes(
    seed: int, n: int, q: int, k: int, measure: str, threads: int
) -> None:
    problem = random_problem(np.random.default_rng(seed), max(n, k), q, k, values=5, measure=measure, deep=True)
    rows = (problem.packed, problem.codes, problem.weight)
    expected = naive.cheapest(problem)
    for upper in (np.full(problem.n_tuples, np.inf), kernels.covering_prices(*rows, k - 1)):
        assert (upper >= np.array(expected) - 1e-12).all()
        found, _ = kernels.cheapest_boxes(*rows, k, upper, threads=threads)
        assert np.allclose(found, expected, rtol=1e-12, atol=1e-12)
    limit = float(np.median(expected))
    found, _ = kernels.cheapest_boxes(*rows, k, np.full(problem.n_tuples, np.inf), limit, threads=threads)
    assert np.allclose(np.minimum(found, limit), np.minimum(expected, limit), rtol=1e-12, atol=1e-12)


@settings(deadline=None)
@given(**TABLES)
def test_tightness_is_that_of_all_boxes(seed: int, n: int, q: int, k: int, measure: str, threads: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, max(n, k), q, k, values=5, measure=measure, deep=True)
    prices = rng.random(problem.n_tuples)
    tightness, kept, _ = kernels.tight_boxes(
        problem.packed, problem.codes, problem.weight, k, prices, 0.2, 0.4, 0.5, 10**6, threads=threads
    )
    expected = np.full(problem.n_tuples, 0.2)
    every = naive.all_boxes(problem)
    tight = {}
    for nodes, (price, tuples) in every.items():
        of_box = naive.highest(problem, prices.tolist(), tuples) / (k * price) if price else np.inf
        expected[tuples] = np.maximum(expected[tuples], of_box)
        tight[nodes] = of_box
    assert np.allclose(tightness, expected)
    for b in range(len(kept)):
        nodes = tuple(kept.nodes[b].tolist())
        assert np.isclose(kept.tightness[b], tight[nodes]) or np.isinf(tight[nodes])
        assert kept.tightness[b] >= 0.4
        listed = kept.tuples[kept.start[b] : kept.start[b + 1]].tolist()
        assert set(listed) <= set(every[nodes][1])
        assert np.isclose(
            naive.highest(problem, prices.tolist(), listed), naive.highest(problem, prices.tolist(), every[nodes][1])
        )
    assert len({tuple(nodes) for nodes in kept.nodes.tolist()}) == len(kept)


@settings(deadline=None)
@given(
    seed=st.integers(0, 10**9),
    n=st.integers(2, 11),
    k=st.integers(2, 4),
    measure=st.sampled_from(["non-uniform-entropy", "root-share"]),
    threads=st.integers(1, 2),
)
def test_net_tightness_is_that_of_any_k_rows_of_a_box(seed: int, n: int, k: int, measure: str, threads: int) -> None:
    """Where rows pay for their own values whatever happens; some have no net price, and equal rows of k and more are
    among them.
    """
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, max(n, k), 2, k, values=4, measure=measure, deep=True)
    found = own_parts(problem)
    own = np.zeros(problem.n_tuples) if found is None else found
    net = np.where(rng.random(problem.n_tuples) < 0.3, 0.0, rng.random(problem.n_tuples))
    least = float(rng.choice([0.3, 0.9, 1.0]))
    rows = (problem.packed, problem.codes, problem.weight, k, net)
    tightness, kept, _ = kernels.tight_boxes(*rows, least, least, 0.5, 10**6, threads=threads, own=own)
    expected, tight = np.full(problem.n_tuples, least), {}
    for nodes, (price, tuples) in naive.all_boxes(problem).items():
        tight[nodes] = naive.net_tightness(problem, net.tolist(), own.tolist(), tuples, price)
        if tight[nodes] >= least:
            expected[tuples] = np.maximum(expected[tuples], tight[nodes])
    assert np.allclose(tightness, expected)
    for b in range(len(kept)):
        assert np.isclose(kept.tightness[b], tight[tuple(kept.nodes[b].tolist())])


def test_the_same_on_one_core_and_on_two() -> None:
    problem = random_problem(np.random.default_rng(2), 3000, 4, 4, values=12, measure="tree", deep=True)
    rows = (problem.packed, problem.codes, problem.weight)
    upper = kernels.covering_prices(*rows, 3)
    one, two = (kernels.cheapest_boxes(*rows, 4, upper, threads=t) for t in (1, 2))
    assert (one[0] == two[0]).all()
    assert one[1] == two[1]
    first, second = (kernels.tight_boxes(*rows, 4, one[0], 0.8, 0.9, 0.7, 10**6, threads=t) for t in (1, 2))
    assert (first[0] == second[0]).all()
    assert (first[1].nodes == second[1].nodes).all()
    assert (first[1].tuples == second[1].tuples).all()
    assert first[2] == second[2]


def test_work_is_limited() -> None:
    problem = random_problem(np.random.default_rng(2), 3000, 4, 4, values=12, measure="tree", deep=True)
    rows = (problem.packed, problem.codes, problem.weight)
    with pytest.raises(TooMuchWork, match="more than is allowed"):
        kernels.cheapest_boxes(*rows, 4, np.full(problem.n_tuples, np.inf), most_work=10)
    with pytest.raises(TooMuchWork, match="more than is allowed"):
        kernels.tight_boxes(*rows, 4, np.ones(problem.n_tuples), 0.1, 0.1, most_kept=1)


def test_a_flag_ends_a_long_walk() -> None:
    """A walk over the boxes of a million rows takes seconds: whoever asks to stop must not wait for its end."""
    problem = random_problem(np.random.default_rng(3), 3000, 7, 2, values=6, measure="tree", deep=True)
    rows, stop = (problem.packed, problem.codes, problem.weight, 2), kernels.Flag()
    high = np.full(problem.n_tuples, 4.0)
    _, _, work = kernels.tight_boxes(*rows, high, 0.5, stop=stop)
    assert work > 3 * 2**22, "long enough that the flag is looked at"
    assert not stop.is_set
    stop.set()
    with pytest.raises(InterruptedError):
        kernels.tight_boxes(*rows, high, 0.5, stop=stop)
    with pytest.raises(InterruptedError):
        kernels.cheapest_boxes(*rows, np.full(problem.n_tuples, np.inf), stop=stop)
